import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { boundText } from '../../../engine/language/text-scanning.js';

/**
 * Robusta's webhook sink sends plain text: a title, `Source: <cluster>`, the description and the enrichments,
 * a line each with empty lines between. It tells of no end, and names objects in its words only. source:
 * robusta src/robusta/core/sinks/webhook/webhook_sink.py: write_finding
 */
export function alertsOfRobusta(body: string): readonly RawAlert[] {
  const lines = boundText(body, maxBody)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [title] = lines;
  if (title === undefined) return [];
  const cluster = lineOf(lines, 'Source');
  const link = lineOf(lines, 'Investigate');
  const resolved = /^(?:\[?RESOLVED\]?|✅)\s*/iu;
  return [
    {
      source: 'robusta',
      status: resolved.test(title) ? 'resolved' : 'firing',
      fingerprint: '',
      name: title.replace(resolved, ''),
      labels: cluster === undefined ? {} : { cluster },
      text: lines.filter((line) => !/^(?:Investigate|Silence|Source): /u.test(line)).join('\n'),
      links: link === undefined ? [] : [link],
    },
  ];
}

const maxBody = 16_000;

function lineOf(lines: readonly string[], name: string): string | undefined {
  return lines
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
    .trim();
}
