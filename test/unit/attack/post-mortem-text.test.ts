import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { peopleIn, postMortemMarkdown } from '#src/edges/slack/render/post-mortem.js';
import { applied, buildChange, buildDiagnosis, buildIncident, tell } from '../../support/slack-builders.js';
import { statedCount } from '../../support/stated-count.js';

const secret = ['hunter', '22Canary'].join('');
/** Markup of Markdown, HTML, Slack, PagerDuty and incident.io, on several lines, with a secret. */
const hostile = [
  `x\`\`\` ![a](https://evil.example/a?b) [b](https://evil.example) <img src=x onerror=alert(1)>`,
  '# Heading of mine',
  '',
  '- @here @channel <!channel> <@U0ALICE> <https://evil.example|b> *b* _c_ ~d~ {{template}}',
  `password=${secret}`,
].join('\n');

const incident: Incident = buildIncident({
  ...{ phase: 'settled', look: 2, origin: { via: 'command', by: 'U0ALICE', text: 'ml/inference' } },
  diagnosis: buildDiagnosis({ findings: [], takenAt: '2026-11-20T09:33:00Z' }),
  beforeFix: { look: 1, diagnosis: buildDiagnosis() },
  change: buildChange({
    ...{ ...applied, verdict: 'recovered', verdictAt: '2026-11-20T09:33:00Z' },
    reasons: [{ by: 'U0DANA', reason: 'because' }],
  }),
});

type Path = readonly (string | number)[];

/** Where texts are in a value. */
function textsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = withText(copy[name], rest, text);
  return copy;
}

/** What is left of Markdown outside of its spans and blocks of code (CommonMark 6.1 and 4.5). */
function outsideCode(text: string): string {
  const lines = text.replaceAll(/^```text\n[^`]*\n```$/gmu, '').split('\n');
  return lines.map((line) => line.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu, '')).join('\n');
}

/** The note with another text in one place; `undefined` where the records take no such text. */
function noteWith(path: Path, text: string, language: 'en' | 'ko'): string | undefined {
  const changed = withText(incident, path, text) as Incident;
  const names = new Map(peopleIn(changed).map((id) => [id, text]));
  try {
    return postMortemMarkdown({ ...changed, language }, { language, tell, names });
  } catch {
    return undefined;
  }
}

/** What decides about sentences and their order, and what no cluster and no person states. */
const ours = new Set(['catalogue', 'key', 'kind', 'phase', 'verdict', 'language', 'confidence', 'role']);
const places = textsIn(incident).filter((path) => !path.some((name) => ours.has(String(name))));

describe('a post-mortem that leaves Slack', () => {
  it.each(['en', 'ko'] as const)('shows hostile text of each place as code alone, in %s', (language) => {
    const notes = places.map((path) => ({ path: path.join('.'), text: noteWith(path, hostile, language) }));
    const shown = notes.filter(({ text }) => text?.includes('evil.example') === true);
    expect(shown.length).toBeGreaterThan(20);
    for (const { path, text = '' } of shown) {
      expect(outsideCode(text), path).not.toMatch(
        /evil\.example|<img|<!channel>|@here|Heading of mine|\{\{/u,
      );
      expect(text, path).not.toContain(secret);
    }
  });

  it('is bounded whatever the length of a text', () => {
    for (const path of places) {
      const text = noteWith(path, `${'`'.repeat(60_000)}${hostile}`, 'en') ?? '';
      expect(text.length, path.join('.')).toBeLessThan(200_000);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  it('was given hostile text in as many places as docs/security.md states', () => {
    expect(places.length).toBe(statedCount('places of a post-mortem'));
  });
});
