import type { RawAlert } from './alert.js';
import type { AlertSettings } from './alert-settings.js';

type Labels = Readonly<Record<string, string>>;

/** The alert with the labels that the settings add to it; what the sender says itself is kept. */
export function withRules(raw: RawAlert, rules: AlertSettings['rules']): RawAlert {
  const title = `${raw.name ?? ''}\n${raw.text ?? ''}`;
  const added = rules
    .filter(({ when }) => matchesAll(when, raw.labels, title))
    .map(({ labels }): Labels => labels);
  if (added.length === 0) return raw;
  // Prometheus takes a label without a value for none.
  const said = Object.fromEntries(Object.entries(raw.labels).filter(([, value]) => value !== ''));
  return { ...raw, labels: Object.assign({}, ...added.reverse(), said) };
}

/** Where an alert that came in by a webhook is answered. */
export function channelFor(
  labels: Labels,
  { routes, channel }: Pick<AlertSettings, 'routes' | 'channel'>,
  own: string | undefined,
): string | undefined {
  return routes.find(({ when }) => matchesAll(when, labels, ''))?.channel ?? own ?? channel;
}

function matchesAll(when: Labels, labels: Labels, title: string): boolean {
  return Object.entries(when).every(([key, pattern]) => {
    if (key === 'title') return matches(pattern, title);
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value !== undefined && matches(pattern, value);
  });
}

/** `*` stands for anything; compared part by part, so that no pattern takes long. */
function matches(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let from = head.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
