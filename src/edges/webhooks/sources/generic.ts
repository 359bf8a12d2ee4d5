import type { RawAlert } from '../../../doctor/alerts/alert.js';
import type { AlertMapping } from '../../../doctor/alerts/alert-settings.js';
import { boundText } from '../../../engine/language/text-scanning.js';
import { labelsOfTags, textsOf } from './opsgenie.js';
import type { ParsedAlerts } from './parsed-alerts.js';
import { firstOf, maxSenderText } from './parsed-alerts.js';

/** Any JSON, by the pointers of the settings. What a pointer does not find is not there. */
export function* alertsOfMapping(
  mapping: AlertMapping,
  body: unknown,
  maxAlerts: number,
): Generator<void, ParsedAlerts> {
  const found = mapping.alerts === undefined ? [body] : at(body, mapping.alerts);
  const items: readonly unknown[] = Array.isArray(found) ? found : [found];
  const alerts: RawAlert[] = [];
  for (const item of items.slice(0, maxAlerts)) {
    yield;
    if (typeof item !== 'object' || item === null) continue;
    const text = (pointer: string | undefined) => (pointer === undefined ? undefined : textAt(item, pointer));
    const status = text(mapping.status)?.toLowerCase();
    const over = mapping.resolvedWhen.some((each) => each.toLowerCase() === status);
    const link = text(mapping.link);
    const labels = Object.entries(mapping.labels).flatMap(([name, pointer]): [string, string][] => {
      const value = textAt(item, pointer);
      return value === undefined ? [] : [[name, value]];
    });
    alerts.push({
      source: 'generic',
      status: over ? 'resolved' : 'firing',
      fingerprint: text(mapping.fingerprint) ?? '',
      name: text(mapping.name),
      startsAt: text(mapping.startsAt),
      labels: { ...tagsAt(item, mapping.tags), ...Object.fromEntries(labels) },
      text: [text(mapping.name), text(mapping.text)].filter((part) => part !== undefined).join('\n'),
      links: link === undefined ? [] : [link],
    });
  }
  return { alerts, dropped: Math.max(0, items.length - maxAlerts) };
}

/** RFC 6901; own properties only. */
function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

function textAt(value: unknown, pointer: string): string | undefined {
  const found = at(value, pointer);
  if (typeof found === 'string') return found === '' ? undefined : boundText(found, maxSenderText);
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

function tagsAt(value: unknown, pointer: string | undefined): Readonly<Record<string, string>> {
  const found = pointer === undefined ? undefined : firstOf(at(value, pointer));
  if (typeof found === 'string') return labelsOfTags(boundText(found, maxSenderText).split(',', 200));
  if (Array.isArray(found))
    return labelsOfTags(
      found.flatMap((tag) => (typeof tag === 'string' ? boundText(tag, maxSenderText) : [])),
    );
  if (typeof found !== 'object' || found === null) return {};
  return textsOf(found as Readonly<Record<string, unknown>>);
}
