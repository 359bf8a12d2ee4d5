import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { linkToMessages } from '#src/adapters/slack/card-link.js';
import { renderAudit } from '#src/adapters/slack/render/audit.js';
import { renderHistory } from '#src/adapters/slack/render/history.js';
import type { RecordsOptions } from '#src/adapters/slack/render/incident-line.js';
import { renderIncidents } from '#src/adapters/slack/render/incidents.js';
import { renderRequestChoices } from '#src/adapters/slack/render/request-choices.js';
import {
  renderLifted,
  renderNotSilenced,
  renderSilenced,
  renderSilenceNote,
  renderSilences,
  renderTooLong,
} from '#src/adapters/slack/render/silences.js';
import { type Incident, phases, verdicts } from '#src/core/incident/incident.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { languages } from '#src/core/language/language.js';
import { code, quote, say } from '#src/core/language/prose.js';
import { aloud } from '#support/read-aloud.js';
import { buildChange, buildDiagnosis, buildFinding, buildIncident, tell } from '#support/slack-builders.js';
import { buildAuditedChange, buildIncidentList, buildSilence } from '#support/slack-records.js';
import { expectHarmless, hostileTexts } from '../harmless.js';

const linkTo = linkToMessages(() => 'https://team.slack.com/');
const en: RecordsOptions = { tell, language: 'en', linkTo };
const ko: RecordsOptions = { ...en, language: 'ko' };
const { workload } = buildIncident();
const readBlocks = ({ blocks }: { readonly blocks: readonly KnownBlock[] }) => aloud(blocks);

describe('the list of incidents', () => {
  it('shows the state, place, requester and age of each incident, and links to the card', () => {
    const { blocks, text } = renderIncidents(buildIncidentList(), en);

    expect(text).toBe('1 open incident.');
    expect(aloud(blocks)).toBe(
      [
        '*1 open incident*',
        '`ml/inference` is deadlocked: its new pod needs `nvidia.com/gpu`, in use by its own old pod · proven\n`prod-eu` · requested by <@U0ALICE> at <!date^1795167001^{date_short_pretty} {time}|2026-11-20 09:30:01 UTC> · diagnosed <!date^1795167004^{date_short_pretty} {time}|2026-11-20 09:30:04 UTC> [View incident]',
      ].join('\n'),
    );
    expect(blocks[1]).toMatchObject({
      accessory: { url: 'https://team.slack.com/archives/C0MLONCALL/p1763631001000200' },
    });
  });

  it('is in Korean for Korean readers', () => {
    expect(readBlocks(renderIncidents(buildIncidentList(), ko))).toMatch(
      /^\*열린 인시던트 1개\*\n`ml\/inference` 롤아웃 교착 상태.* · 증명됨\n`prod-eu` · <@U0ALICE> 님이 요청함/,
    );
  });

  const standings: readonly (readonly [string, Partial<Incident>, RegExp])[] = [
    ['being diagnosed', { phase: 'diagnosing', diagnosis: undefined }, /^Diagnosing `ml\/inference` in/],
    [
      'waiting for approval',
      { phase: 'awaiting' },
      /is deadlocked.* · proven · a change is waiting for approval\n/,
    ],
    [
      'being changed',
      { phase: 'applying', change: buildChange() },
      /^Applying to `ml\/inference`: Stop the old pod first\n/,
    ],
    [
      'changed with verdict recovered',
      { phase: 'settled', change: buildChange({ verdict: 'recovered' }) },
      /^`ml\/inference` recovered\n/,
    ],
    ['well', { diagnosis: buildDiagnosis({ findings: [] }) }, /^No problem found for `ml\/inference`\n/],
    ['not seen', { phase: 'failed', diagnosis: undefined }, /^`ml\/inference` could not be diagnosed\n/],
  ];
  it.each(standings)('shows an incident that is %s', (_, fields, words) => {
    const incident = buildIncident(fields);
    const [, , block] = renderIncidents(
      buildIncidentList({ open: [], recent: [{ incident, card: undefined }] }),
      en,
    ).blocks;
    expect(aloud([block])).toMatch(words);
  });

  it('counts the incidents that are not shown', () => {
    const words = readBlocks(renderIncidents(buildIncidentList({ moreOpen: 12, moreRecent: 0 }), en));
    expect(words).toContain('*13 open incidents*');
    expect(words).toContain('… and 12 more');
  });

  it('states when there is none', () => {
    expect(readBlocks(renderIncidents(buildIncidentList({ open: [] }), en))).toBe(
      '*No open incidents*\nNo workload has been diagnosed yet. To start: `/rollout-doctor namespace/name`.',
    );
  });
});

describe('the history of a workload', () => {
  const history = {
    type: 'history',
    workload,
    incidents: [{ ...at(0), changes: [buildAuditedChange()] }],
    more: 0,
    silence: undefined,
  } as const;

  it('shows each incident with its decisions', () => {
    expect(readBlocks(renderHistory(history, en))).toMatch(
      /^`ml\/inference` in `prod-eu`: 1 incident, newest first\n`ml\/inference` is deadlocked.* · proven\n.*\n• <!date[^>]*> · Stop the old pod first · approved by <@U0DANA> · `nobody else needs the GPU` · applied at <!date[^>]*> · recovered/,
    );
  });

  it('states that the workload is silenced', () => {
    expect(readBlocks(renderHistory({ ...history, silence: buildSilence() }, en))).toContain(
      'Silenced by @U0DANA until <2026-11-20 11:30:00 UTC>. No automatic messages are posted for this workload.',
    );
  });

  it('states when it is empty', () => {
    expect(readBlocks(renderHistory({ ...history, incidents: [] }, ko))).toBe(
      '`prod-eu`의 `ml/inference` 인시던트 기록이 없습니다.',
    );
  });
});

describe('the audit list', () => {
  const trail = {
    type: 'audit',
    workload: undefined,
    lines: [],
    more: 0,
    since: undefined,
    chain: { type: 'intact', first: 1, last: 1 },
  } as const;
  const change = (fields: Parameters<typeof buildAuditedChange>[0]) =>
    readBlocks(renderAudit({ ...trail, lines: [buildAuditedChange(fields)] }, en));

  it('shows each change with its workload, approvers, reason, time and verdict', () => {
    expect(change({})).toBe(
      [
        '*Audit log*, newest first',
        '- <2026-11-20 09:32:02 UTC> · `ml/inference` · `prod-eu` · Stop the old pod first · approved by @U0DANA · `nobody else needs the GPU` · applied at <2026-11-20 09:31:14 UTC> · recovered',
      ].join('\n'),
    );
  });

  it.each([
    [
      'rejected',
      { approved: [], rejected: { by: 'U0SAM', at: '', reason: 'not now' } },
      'rejected by @U0SAM · `not now`',
    ],
    ['expired', { approved: [], expired: true }, 'expired, nothing was changed'],
    ['not made', { appliedAt: undefined, notApplied: 'stale', verdict: undefined }, 'not applied: `stale`'],
    ['an undo', { undoes: true }, 'Undo of “Stop the old pod first”'],
    ['of no help', { verdict: 'unchanged' }, 'did not help'],
  ] as const)('shows a change that is %s', (_, fields, words) => {
    expect(change({ ...cleared(fields), ...fields })).toContain(words);
  });

  it('names the kind where the record of the approval is gone', () => {
    const { title: _gone, ...untitled } = buildAuditedChange();
    expect(readBlocks(renderAudit({ ...trail, lines: [untitled] }, en))).toContain('· change the strategy ·');
  });

  it('shows silences', () => {
    const { by, until, reason } = buildSilence();
    const lines = [
      { type: 'silence-lifted', workload, at: until, by, until, reason: '' },
      { type: 'silenced', workload, at: until, by, until, reason },
    ] as const;
    const words = readBlocks(renderAudit({ ...trail, workload, lines }, en));
    expect(words).toContain('· silence ended by @U0DANA');
    expect(words).toContain('· silenced by @U0DANA until <2026-11-20 11:30:00 UTC> · `node swap`');
  });

  it('states the period it covers and how many entries are omitted', () => {
    const lines = Array.from({ length: 12 }, () => buildAuditedChange());
    const words = readBlocks(renderAudit({ ...trail, lines, more: 7, since: '2026-11-01T00:00:00Z' }, en));
    const shown = words.split('\n').filter((each) => each.startsWith('- ')).length;
    expect(words).toContain(`… and ${19 - shown} more`);
    expect(words).toContain('(Older entries than <!date^');
  });

  it('states when it is empty', () => {
    expect(readBlocks(renderAudit({ ...trail, workload }, en))).toContain(
      'The audit log has no entry for `ml/inference`.',
    );
  });
});

describe('replies about silences', () => {
  it('state what a silence does and how it ends', () => {
    expect(readBlocks(renderSilenced(buildSilence(), undefined, 'en'))).toBe(
      [
        'Alerts and automatic messages for `ml/inference` in `prod-eu` are muted in all channels until <2026-11-20 11:30:00 UTC>.',
        'Commands about `ml/inference` still work.',
        'To end it earlier: `/rollout-doctor silence deployment/inference -n ml --cluster prod-eu off`.',
      ].join('\n'),
    );
  });

  it('name the silence that is replaced', () => {
    const former = buildSilence({ by: 'U0SAM' });
    expect(readBlocks(renderSilenced(buildSilence(), former, 'en'))).toContain(
      'This silence replaces the one by @U0SAM',
    );
  });

  it('list silences with their reasons', () => {
    expect(readBlocks(renderSilences([buildSilence()], 'en'))).toBe(
      '*1 silenced workload*\n- `ml/inference` in `prod-eu` until <2026-11-20 11:30:00 UTC>, by @U0DANA · `node swap`',
    );
    expect(readBlocks(renderSilences([], 'ko'))).toContain('음소거된 워크로드가 없습니다.');
  });

  it('name the maximum duration when a silence is too long', () => {
    expect(readBlocks(renderTooLong(604_800, 'en'))).toBe(
      'A silence can last at most 7 d. Nothing was silenced.',
    );
  });
});

it('a choice among records repeats the question for the chosen record', () => {
  const { blocks } = renderRequestChoices(
    [say`Which one?`],
    [workload],
    { verb: 'silence', rest: '120m node swap' },
    'en',
  );
  expect(blocks.at(-1)).toMatchObject({
    elements: [{ value: 'silence deployment/inference -n ml --cluster prod-eu 120m node swap' }],
  });
});

describe('links to cards', () => {
  const card = { channel: 'C0MLONCALL', ts: '1763631001.000200' };

  it('point into the thread of a card that is in one', () => {
    expect(linkTo(card, '1763630000.000100')).toBe(
      'https://team.slack.com/archives/C0MLONCALL/p1763631001000200?thread_ts=1763630000.000100&cid=C0MLONCALL',
    );
  });

  it.each([
    ['a workspace that is not known', undefined, card],
    ['a workspace that is no address', 'team', card],
    ['a workspace that would run something', 'javascript:alert(1)//', card],
    ['a channel that is none', 'https://team.slack.com/', { ...card, channel: '../x' }],
    ['a time that is none', 'https://team.slack.com/', { ...card, ts: '1/2' }],
  ])('are not made for %s', (_, url, message) => {
    expect(linkToMessages(() => url)(message, undefined)).toBeUndefined();
  });
});

describe.each(languages)('with any name in %s', (language) => {
  // All longer texts are shortened by the same function: one is enough here, and the cards cover the others.
  it.each(hostileTexts.filter(([, text]) => text.length < 95_000 || text.startsWith('<')))(
    '%s',
    (_, text) => {
      const sentence = () => say`It is ${code(text)}, says ${quote(text)}.`;
      const hostileTell = tellFrom({ deadlock: { en: { summary: sentence }, ko: { summary: sentence } } });
      const options: RecordsOptions = { tell: hostileTell, language, linkTo };
      const ref = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
      const finding = buildFinding({ summary: { catalogue: 'deadlock', key: 'summary', values: {} } });
      const many = Array.from({ length: 15 }, (_each, place) => {
        const phase = phases[place % phases.length] ?? 'diagnosed';
        const incident = buildIncident({
          phase,
          workload: ref,
          origin: { via: 'command', by: text },
          change: buildChange({ verdict: verdicts[place % verdicts.length] ?? 'recovered' }),
          diagnosis: buildDiagnosis({ takenAt: text, findings: [finding] }),
          createdAt: text,
        });
        return { incident, card: { channel: text, ts: text } };
      });
      const line = buildAuditedChange({
        workload: ref,
        at: text,
        approved: Array.from({ length: 9 }, () => ({ by: text, at: text, reason: text })),
        notApplied: text,
      });
      const lines = Array.from({ length: 12 }, () => line);
      const silence = buildSilence({ workload: ref, by: text, until: text, reason: text });
      const messages = [
        renderIncidents(
          buildIncidentList({ open: many, moreOpen: 90, recent: many, moreRecent: 90 }),
          options,
        ),
        renderHistory(
          {
            type: 'history',
            workload: ref,
            incidents: many.map((each) => ({ ...each, changes: lines })),
            more: 90,
            silence,
          },
          options,
        ),
        renderAudit(
          {
            type: 'audit',
            workload: ref,
            lines,
            more: 90,
            since: text,
            chain: { type: 'broken', seq: 4, problem: 'altered' },
          },
          options,
        ),
        renderSilenced(silence, silence, language),
        renderSilences(
          Array.from({ length: 60 }, () => silence),
          language,
        ),
        renderNotSilenced(text, [silence], language),
        renderLifted(silence, language),
        renderSilenceNote(silence, language),
        renderRequestChoices(
          [say`${code(text)}`],
          Array.from({ length: 60 }, () => ref),
          { verb: 'history', rest: text.slice(0, 300) },
          language,
        ),
      ];
      for (const message of messages) expectHarmless(message);
    },
  );
});

function at(minute: number) {
  const incident = buildIncident({ createdAt: `2026-11-20T09:${30 + minute}:01Z` });
  return { incident, card: { channel: 'C0MLONCALL', ts: '1763631001.000200' } };
}

/** What does not happen to a change that met its end before it was made. */
function cleared(fields: object) {
  return 'rejected' in fields || 'expired' in fields ? { appliedAt: undefined, verdict: undefined } : {};
}
