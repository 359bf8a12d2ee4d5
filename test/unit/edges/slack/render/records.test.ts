import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { type Incident, phases, storedVerdicts } from '#src/doctor/incidents/incident.js';
import { linkToMessages } from '#src/edges/slack/card-link.js';
import { renderAudit } from '#src/edges/slack/render/audit.js';
import { renderRequestChoices } from '#src/edges/slack/render/change-request.js';
import { renderHistory } from '#src/edges/slack/render/history.js';
import type { ListOptions } from '#src/edges/slack/render/incidents.js';
import { renderIncidents } from '#src/edges/slack/render/incidents.js';
import {
  renderLifted,
  renderNotSilenced,
  renderSilenced,
  renderSilenceNote,
  renderSilences,
  renderTooLong,
} from '#src/edges/slack/render/silences.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { languages } from '#src/engine/language/language.js';
import { code, quote, say } from '#src/engine/language/prose.js';
import { checkBlocks } from '../../../../../demo/slack/block-limits.js';
import { aloud } from '../../../../support/read-aloud.js';
import { isDeadlocked, stopFirst } from '../../../../support/shown-words.js';
import {
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  tell,
} from '../../../../support/slack-builders.js';
import { buildAuditedChange, buildIncidentList, buildSilence } from '../../../../support/slack-records.js';
import { expectHarmless, hostileTexts } from '../harmless.js';

const linkTo = linkToMessages(() => 'https://team.slack.com/');
const en: ListOptions = { tell, language: 'en', linkTo, hasTables: false };
const ko: ListOptions = { ...en, language: 'ko' };
const { workload } = buildIncident();
const said = ({ blocks }: { readonly blocks: readonly KnownBlock[] }) => aloud(blocks);

describe('incidents', () => {
  it('say how each stands, where, who asked, how old that is, and lead to the card', () => {
    const { blocks, text } = renderIncidents(buildIncidentList(), en);

    expect(text).toBe('1 open incident.');
    expect(aloud(blocks)).toBe(
      [
        '*1 open incident*',
        `🔴 Critical · \`ml/inference\` ${isDeadlocked}: its new pod needs \`nvidia.com/gpu\`, in use by its own old pod · proven cause\nReady 1/1 · cluster \`prod-eu\` · asked by <@U0ALICE> <!date^1795167001^{date_short_pretty} {time}|2026-11-20 09:30:01 UTC> [View incident]`,
      ].join('\n'),
    );
    expect(blocks[1]).toMatchObject({
      accessory: { url: 'https://team.slack.com/archives/C0MLONCALL/p1763631001000200' },
    });
  });

  it('are said in Korean to those who read Korean', () => {
    expect(said(renderIncidents(buildIncidentList(), ko))).toMatch(
      /^\*열린 인시던트 1개\*\n🔴 심각 · `ml\/inference` 롤아웃 교착 상태.* · 원인 증명됨\nReady 1\/1 · 클러스터 `prod-eu` · <@U0ALICE> 님 요청/,
    );
  });

  const standings: readonly (readonly [string, Partial<Incident>, RegExp])[] = [
    ['being looked at', { phase: 'diagnosing', diagnosis: undefined }, /^Diagnosing `ml\/inference` in/],
    [
      'waiting for approval',
      { phase: 'awaiting' },
      new RegExp(`${isDeadlocked}.* · proven cause · a change is waiting for approval\\n`),
    ],
    [
      'being changed',
      { phase: 'applying', change: buildChange() },
      new RegExp(`^🔴 Critical · Applying to \`ml/inference\`: ${stopFirst}\\n`),
    ],
    [
      'healed',
      { phase: 'settled', change: buildChange({ verdict: 'recovered' }) },
      /^🔴 Critical · `ml\/inference` recovered\n/,
    ],
    ['well', { diagnosis: buildDiagnosis({ findings: [] }) }, /^No problem found for `ml\/inference`\n/],
    ['not seen', { phase: 'failed', diagnosis: undefined }, /^`ml\/inference` could not be diagnosed\n/],
  ];
  it.each(standings)('tell one that is %s', (_, fields, words) => {
    const incident = buildIncident(fields);
    const [, , block] = renderIncidents(
      buildIncidentList({ open: [], recent: [{ incident, card: undefined }] }),
      en,
    ).blocks;
    expect(aloud([block])).toMatch(words);
  });

  it('count what is not shown', () => {
    const words = said(renderIncidents(buildIncidentList({ moreOpen: 12, moreRecent: 0 }), en));
    expect(words).toContain('*13 open incidents*');
    expect(words).toContain('… and 12 more');
  });

  it('say when there is none', () => {
    expect(said(renderIncidents(buildIncidentList({ open: [] }), en))).toBe(
      '*No open incidents*\nNo workload has been diagnosed yet. To start: `/rollout-doctor namespace/name`.',
    );
  });
});

describe('as tables', () => {
  const tables = { ...en, hasTables: true };

  it('incidents have one row each, whose name leads to the card, and lines for a Slack that refuses the table', () => {
    const message = renderIncidents(buildIncidentList(), tables);
    expect(said(message)).toBe(
      [
        '*1 open incident*',
        '| Severity | Workload | Ready | Problem | On it | Since |',
        `| 🔴 Critical | \`ml/inference\` | Ready 1/1 | \`ml/inference\` ${isDeadlocked}: its new pod needs \`nvidia.com/gpu\`, in use by its own old pod · proven cause | – | <2026-11-20 09:30:01 UTC> |`,
      ].join('\n'),
    );
    expect(JSON.stringify(message.blocks)).toContain('"url":"https://team.slack.com/archives/');
    expect(message.withoutTable).toEqual(renderIncidents(buildIncidentList(), en).blocks);
    expect(checkBlocks(message.blocks, 'message')).toEqual([]);
  });

  it('the audit has when, workload, change, by, reason and result', () => {
    const trail = {
      type: 'audit',
      ...{ workload: undefined, more: 3, since: undefined },
      lines: [
        buildAuditedChange(),
        { type: 'changes-allowed', at: '2026-11-20T09:00:00Z', by: 'U0SAM', reason: '' },
      ],
      chain: { type: 'intact', first: 1, last: 1 },
    } as const;
    const message = renderAudit(trail, tables);
    expect(said(message)).toBe(
      [
        '*Audit log*, newest first',
        '| When | Workload | Change | By | Reason | Result |',
        `| <2026-11-20 09:32:02 UTC> | \`ml/inference\` | ${stopFirst} | @U0DANA | \`nobody else needs the GPU\` | applied <2026-11-20 09:31:14 UTC> · recovered |`,
        '| <2026-11-20 09:00:00 UTC> | – | changes allowed again | @U0SAM | – | – |',
        '… and 3 more',
      ].join('\n'),
    );
    expect(said(renderAudit(trail, { ...tables, language: 'ko' }))).toContain(
      '| 시각 | 워크로드 | 변경 | 사용자 | 사유 | 결과 |',
    );
  });

  it('a list without rows has none', () => {
    expect(renderIncidents(buildIncidentList({ open: [] }), tables).withoutTable).toBeUndefined();
  });
});

describe('history', () => {
  const history = {
    type: 'history',
    workload,
    incidents: [{ ...at(0), changes: [buildAuditedChange()] }],
    more: 0,
    silence: undefined,
  } as const;

  it('tells each incident and what was decided in it', () => {
    expect(said(renderHistory(history, en))).toMatch(
      new RegExp(
        `^\`ml/inference\` in cluster \`prod-eu\`: 1 incident\\n🔴 Critical · \`ml/inference\` ${isDeadlocked}.* · proven cause\\n.*\\n• <!date[^>]*> · ${stopFirst} · approved by <@U0DANA> · \`nobody else needs the GPU\` · applied <!date[^>]*> · recovered`,
      ),
    );
  });

  it('tells who was on it', () => {
    const about = { incidentId: history.incidents[0].incident.id, workload, at: '2026-11-20T09:31:00Z' };
    const changes = [
      { ...about, type: 'assigned', by: 'U0MIN', to: 'U0MIN' },
      { ...about, type: 'assigned', by: 'U0MIN', to: 'U0DANA' },
      { ...about, type: 'unassigned', by: 'U0DANA', to: undefined },
    ] as const;
    const words = said(renderHistory({ ...history, incidents: [{ ...at(0), changes }] }, en));
    expect(words).toMatch(
      /• .* · <@U0MIN> took it on\n• .* · <@U0MIN> handed it over to <@U0DANA>\n• .* · <@U0DANA> handed it back/,
    );
  });

  it('lists the changes of a table as it lists incidents: the newest first', () => {
    const changes = ['2026-11-20T09:31:00Z', '2026-11-20T09:40:00Z'].map((at) => buildAuditedChange({ at }));
    const { blocks } = renderHistory(
      { ...history, incidents: [{ ...at(0), changes }] },
      { ...en, hasTables: true },
    );
    const text = aloud(blocks);

    expect(text.indexOf('09:40:00')).toBeGreaterThan(0);
    expect(text.indexOf('09:40:00')).toBeLessThan(text.indexOf('09:31:00'));
  });

  it('says that the workload is silenced', () => {
    expect(said(renderHistory({ ...history, silence: buildSilence() }, en))).toContain(
      'Silenced by @U0DANA until <2026-11-20 11:30:00 UTC>. No automatic messages are posted for this workload.',
    );
  });

  it('is empty in plain words', () => {
    expect(said(renderHistory({ ...history, incidents: [] }, ko))).toBe(
      '클러스터 `prod-eu`의 `ml/inference` 인시던트 기록이 없습니다.',
    );
  });
});

describe('the audit', () => {
  const trail = {
    type: 'audit',
    workload: undefined,
    lines: [],
    more: 0,
    since: undefined,
    chain: { type: 'intact', first: 1, last: 1 },
  } as const;
  const change = (fields: Parameters<typeof buildAuditedChange>[0]) =>
    said(renderAudit({ ...trail, lines: [buildAuditedChange(fields)] }, en));

  it('tells what was changed, on which workload, who approved it why, when, and what came of it', () => {
    expect(change({})).toBe(
      [
        '*Audit log*, newest first',
        `- <2026-11-20 09:32:02 UTC> · \`ml/inference\` · cluster \`prod-eu\` · ${stopFirst} · approved by @U0DANA · \`nobody else needs the GPU\` · applied <2026-11-20 09:31:14 UTC> · recovered`,
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
    ['an undo', { undoes: true }, `Undo of “${stopFirst}”`],
    ['of no help', { verdict: 'unchanged' }, 'did not help'],
    ['reverted', { verdict: 'reverted' }, '· reverted'],
    [
      'reverted by an owner',
      {
        verdict: 'reverted',
        revertedBy: {
          manager: 'kustomize-controller',
          operation: 'Apply',
          owner: { by: 'Flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
        },
      },
      'reverted by Flux Kustomization `flux-system/apps`',
    ],
  ] as const)('tells one that is %s', (_, fields, words) => {
    expect(change({ ...cleared(fields), ...fields })).toContain(words);
  });

  it('names the kind where the record of the approval is gone', () => {
    const { title: _gone, ...untitled } = buildAuditedChange();
    expect(said(renderAudit({ ...trail, lines: [untitled] }, en))).toContain('· change the strategy ·');
  });

  it('tells silences', () => {
    const { by, until, reason } = buildSilence();
    const lines = [
      { type: 'silence-lifted', workload, at: until, by, until, reason: '' },
      { type: 'silenced', workload, at: until, by, until, reason },
    ] as const;
    const words = said(renderAudit({ ...trail, workload, lines }, en));
    expect(words).toContain('· silence ended by @U0DANA');
    expect(words).toContain('· silenced by @U0DANA until <2026-11-20 11:30:00 UTC> · `node swap`');
  });

  it('says how far back it looked, and how much more there is', () => {
    const lines = Array.from({ length: 12 }, () => buildAuditedChange());
    const words = said(renderAudit({ ...trail, lines, more: 7, since: '2026-11-01T00:00:00Z' }, en));
    const shown = words.split('\n').filter((each) => each.startsWith('- ')).length;
    expect(words).toContain(`… and ${19 - shown} more`);
    expect(words).toContain('(Older entries than <!date^');
  });

  it('is empty in plain words', () => {
    expect(said(renderAudit({ ...trail, workload }, en))).toContain(
      'The audit log has no entry for `ml/inference`.',
    );
  });
});

describe('silences', () => {
  it('are confirmed with what they mean and how they end', () => {
    expect(said(renderSilenced([buildSilence()], [], 'en'))).toBe(
      [
        'Alerts and automatic messages for `ml/inference` in cluster `prod-eu` are muted in all channels until <2026-11-20 11:30:00 UTC>.',
        'Commands about `ml/inference` still work.',
        'To end it earlier: `/rollout-doctor silence deployment/inference -n ml --cluster prod-eu off`.',
      ].join('\n'),
    );
  });

  it('name each one they replace, and one that was begun for several workloads once', () => {
    const formers = [
      buildSilence({ by: 'U0SAM' }),
      buildSilence({ by: 'U0KIM' }),
      buildSilence({ by: 'U0SAM' }),
    ];
    const sentences = said(renderSilenced([buildSilence()], formers, 'en'))
      .split('\n')
      .slice(1, -2);
    expect(sentences).toEqual(
      ['U0SAM', 'U0KIM'].map(
        (by) => `This silence replaces the one by @${by} until <2026-11-20 11:30:00 UTC>.`,
      ),
    );
  });

  it('are listed with their reasons', () => {
    expect(said(renderSilences([buildSilence()], 'en'))).toBe(
      '*1 silenced workload*\n- `ml/inference` in cluster `prod-eu` until <2026-11-20 11:30:00 UTC>, by @U0DANA · `node swap`',
    );
    expect(said(renderSilences([], 'ko'))).toContain('알림이 꺼진 워크로드가 없습니다.');
  });

  it('are too long in words that name the most', () => {
    expect(said(renderTooLong(604_800, 'en'))).toBe('A silence can last at most 7 d. Nothing was silenced.');
  });
});

it('a choice among records asks the same of the one that is chosen', () => {
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

describe('addresses of cards', () => {
  const card = { channel: 'C0MLONCALL', ts: '1763631001.000200' };

  it('lead into the thread of a card that is in one', () => {
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

describe.each(languages)('whatever names hold, in %s', (language) => {
  // Longer texts are cut at the same gate: one is enough here, and the others are tried on cards.
  it.each(hostileTexts.filter(([, text]) => text.length < 95_000 || text.startsWith('<')))(
    '%s',
    (_, text) => {
      const sentence = () => say`It is ${code(text)}, says ${quote(text)}.`;
      const hostileTell = tellFrom({ deadlock: { en: { summary: sentence }, ko: { summary: sentence } } });
      const options: ListOptions = { tell: hostileTell, language, linkTo, hasTables: text.length % 2 === 0 };
      const ref = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
      const finding = buildFinding({ summary: { catalogue: 'deadlock', key: 'summary', values: {} } });
      const many = Array.from({ length: 15 }, (_each, place) => {
        const phase = phases[place % phases.length] ?? 'diagnosed';
        const incident = buildIncident({
          phase,
          workload: ref,
          origin: { via: 'command', by: text },
          change: buildChange({ verdict: storedVerdicts[place % storedVerdicts.length] ?? 'recovered' }),
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
        renderSilenced([silence], [silence], language),
        renderSilences(
          Array.from({ length: 60 }, () => silence),
          language,
        ),
        renderNotSilenced(text, [silence], language),
        renderLifted([silence], language),
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
