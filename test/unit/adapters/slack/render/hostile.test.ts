import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../../../../demo/slack/block-limits.js';
import {
  renderChoices,
  renderHelp,
  renderLooking,
  renderNotFound,
  renderUnreadable,
  renderUsage,
} from '../../../../../src/adapters/slack/render/answers.js';
import { renderCard } from '../../../../../src/adapters/slack/render/card.js';
import { renderEntry } from '../../../../../src/adapters/slack/render/entry.js';
import { type Message, messageBudget } from '../../../../../src/adapters/slack/render/message.js';
import { renderNotice } from '../../../../../src/adapters/slack/render/notice.js';
import {
  renderReview,
  renderReviewLoading,
  renderReviewOutcome,
  renderReviewWorking,
} from '../../../../../src/adapters/slack/render/review.js';
import type { Finding } from '../../../../../src/core/diagnosis/finding.js';
import { type Incident, phases, verdicts } from '../../../../../src/core/incident/incident.js';
import { tellFrom } from '../../../../../src/core/language/catalogue.js';
import { type Language, languages } from '../../../../../src/core/language/language.js';
import { code, type Prose, quote, say } from '../../../../../src/core/language/prose.js';
import { names } from '../../../../../src/core/language/words.js';
import { ThreadEntry } from '../../../../../src/jobs/jobs.js';
import {
  applied,
  buildApproval,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  buildRemediation,
  buildReview,
} from '../builders.js';

/** Every statement of this catalogue is as foreign text would have it. */
function hostileTell(text: string) {
  const sentence = (): Prose =>
    say`It is ${code(text)}뿐, says ${quote(text)}, and ${names(
      'en',
      Array.from({ length: 9 }, () => text),
      9,
    )}.`;
  return tellFrom({ hostile: { en: { all: sentence }, ko: { all: sentence } } });
}

const all = { catalogue: 'hostile', key: 'all', values: {} };

function hostileFinding(text: string, many: number): Finding {
  const object = { kind: text, namespace: text, name: text };
  const statements = Array.from({ length: many }, () => all);
  return buildFinding({
    summary: all,
    standing: all,
    reasoning: statements,
    evidence: statements.map((says) => ({ object, field: text, value: text, at: text, says })),
    ruledOut: statements.map((because) => ({ cause: text, because })),
    nextAttempt: { at: text, what: all },
    owners: statements.map(() => ({
      by: 'Argo CD',
      kind: text,
      namespace: text,
      name: text,
      reverts: 'yes',
    })),
    remediations: statements.map((_, at) =>
      buildRemediation({
        id: `patch-strategy-${at}`,
        title: all,
        effects: statements,
        price: {
          downtime: { kind: 'gap' },
          drift: 'strategy',
          blastRadius: { pods: 1, others: [object, object] },
        },
        prediction: { victims: [object], placements: [], ends: 'unknown', competitors: [object] },
      }),
    ),
    withheld: statements.map((because) => ({ kind: 'restart-rollout', because })),
    advice: statements.map((title) => ({ title, text: all, snippet: text })),
    weakenedBy: statements,
  });
}

function hostileIncident(text: string, many: number, fields: Partial<Incident>): Incident {
  const unseen = { what: text, namespace: text, because: text, message: text, weakens: [] };
  return buildIncident({
    workload: { cluster: text, kind: 'Deployment', namespace: text, name: text },
    origin: { via: 'command', by: text, text },
    failure: all,
    diagnosis: buildDiagnosis({
      revision: text,
      findings: Array.from({ length: many }, () => hostileFinding(text, many)),
      unseen: Array.from({ length: many }, () => unseen),
    }),
    ...fields,
  });
}

function hostileApproval(text: string, many: number) {
  const base = buildApproval();
  const decisions = Array.from({ length: many }, (_, at) => ({
    by: `${text}${at}`,
    at: text,
    decision: 'approve' as const,
    reason: text,
  }));
  return buildApproval({
    needs: many + 1,
    remediation: buildRemediation({ title: all, effects: Array.from({ length: many }, () => all) }),
    decisions,
    expiresAt: text,
    plan: { ...base.plan, changes: [{ path: `spec.${text}`, before: text, after: { [text]: text } }] },
  });
}

const hostileTexts: readonly (readonly [string, string])[] = [
  ['a broadcast', '<!channel> <!here|x> <@U012ABCDEF> <https://evil.example|safe>'],
  ['backticks and fences', '``` ` ```'],
  ['mrkdwn marks', '*bold* _it_ ~st~ > quote\n• list'],
  ['direction marks', '\u202eevil\u2066\u200f'],
  ['control characters', '\u0000\u0007\u001b[31mred\u009b'],
  ['entities', '&lt;!channel&gt; &amp;'],
  ['nothing', ''],
  ['spaces only', ' \n\t '],
  ['a name of 253 characters', 'n'.repeat(253)],
  ['a message of 100 kB', '0/3 nodes <are> & available. '.repeat(3_500)],
  ['100 kB without a space', '<'.repeat(100_000)],
  ['emoji by the hundred', '👩‍👩‍👧‍👦'.repeat(500)],
  ['a tab inside', 'a\tb\n\tc'],
  ['a lone surrogate', '\ud800x'],
  ['a date that is none', '<!date^1^{date}|x>'],
];

function mrkdwnTexts(blocks: readonly unknown[]): string[] {
  const found: string[] = [];
  JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn') {
      if ('text' in value) found.push(String(value.text));
      expect(value).toMatchObject({ verbatim: true });
    }
    return value;
  });
  return found;
}

/** Only the marks that we make ourselves: dates with our format, and people by a well-formed id. */
const ours = /<!date\^\d+\^\{date_short_pretty\} \{time_secs\}\|[0-9: UTC-]+>|<@[UW][A-Z0-9]+>/g;

/** Control and direction characters; line breaks and tabs may stand in literal text. */
const invisible = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function expectHarmless({ text, blocks }: Message): void {
  expect(checkBlocks(blocks, 'message')).toEqual([]);
  expect(JSON.stringify(blocks).length + text.length).toBeLessThanOrEqual(messageBudget);
  for (const mrkdwn of [text, ...mrkdwnTexts(blocks)]) {
    expect(mrkdwn.replace(ours, '')).not.toMatch(/[<>]/);
    expect(mrkdwn.replace(/[^`]/g, '').length % 2).toBe(0);
  }
  expect(text.trim()).not.toBe('');
  expect(invisible.test(everyText([text, blocks]))).toBe(false);
}

/** All strings in a value, one after the other. */
function everyText(value: unknown): string {
  const found: string[] = [];
  JSON.stringify(value, (key, each: unknown) => {
    if (typeof each === 'string' && key !== 'value' && key !== 'private_metadata') found.push(each);
    return each;
  });
  return found.join('');
}

function cards(text: string, many: number, language: Language): Message[] {
  const tell = hostileTell(text);
  const approval = hostileApproval(text, many);
  const change = buildChange({
    ...applied,
    remediation: approval.remediation,
    approvedBy: approval.decisions.map(({ by }) => by),
    progress: all,
    verdictAt: text,
  });
  const incident = (fields: Partial<Incident>) =>
    hostileIncident(text, many, { language, change: { ...change, failure: all }, ...fields });
  return [
    ...phases.map((phase) => renderCard(incident({ phase }), approval, { tell })),
    ...verdicts.map((verdict) =>
      renderCard(incident({ phase: 'settled', change: { ...change, verdict } }), approval, { tell }),
    ),
    ...ThreadEntry.shape.kind.options.map((kind) =>
      renderEntry(incident({}), approval, { kind, of: '1' }, { tell }),
    ),
  ];
}

function answers(text: string, language: Language): Message[] {
  const ref = { cluster: text, kind: 'Deployment' as const, namespace: text, name: text };
  const nearest = Array.from({ length: 5 }, () => `${text}/${text}`);
  return [
    renderHelp(
      language,
      Array.from({ length: 50 }, () => text),
    ),
    renderLooking({ name: text, namespace: text }, language),
    renderUsage(
      { key: 'too-many-words', values: { words: Array.from({ length: 99 }, () => text) } },
      language,
    ),
    renderChoices(
      text,
      Array.from({ length: 40 }, () => ref),
      language,
    ),
    renderNotFound({ type: 'not-found', what: 'workload', name: text, nearest }, { name: text }, language),
    renderUnreadable({ type: 'unreadable', because: 'failed', message: text }, { name: text }, language),
    renderNotice(hostileTell(text)(all, language)),
  ];
}

describe.each(hostileTexts)('%s', (_, text) => {
  it.each(languages)('does no harm in any card or entry in %s', (language) => {
    for (const message of cards(text, 3, language)) expectHarmless(message);
  });

  it('does no harm where there is much of it', () => {
    const tell = hostileTell(text);
    const incident = hostileIncident(text, 15, {});
    expectHarmless(renderCard(incident, undefined, { tell }));
    expectHarmless(renderEntry(incident, undefined, { kind: 'reasoning', of: '1' }, { tell }));
  });

  it.each(languages)('does no harm in an answer in %s', (language) => {
    for (const message of answers(text, language)) expectHarmless(message);
  });

  it.each(languages)('does no harm in a modal in %s', (language) => {
    const tell = hostileTell(text);
    const longest = { kind: 'Deployment' as const, namespace: 'n'.repeat(63), name: 'n'.repeat(253) };
    const incident = hostileIncident(text, 20, { language, workload: { cluster: text, ...longest } });
    const review = buildReview({
      incident,
      approval: hostileApproval(text, 20),
      dryRun: {
        type: 'accepted',
        generation: 1,
        mutated: Array.from({ length: 30 }, () => ({ path: text, before: text, after: text })),
      },
      demands: { approvers: 2, notRequester: true, typeName: true },
    });
    const place = { channel: 'C1', threadTs: undefined };
    for (const view of [
      renderReview(review, { language, tell, place }),
      renderReviewLoading(language),
      renderReviewWorking(language),
      renderReviewOutcome(language, tell(all, language)),
    ]) {
      expect(checkBlocks(view.blocks, 'modal')).toEqual([]);
      expect(view.title.text.length).toBeLessThanOrEqual(24);
      expect(view.submit?.text.length ?? 0).toBeLessThanOrEqual(24);
      expect(view.private_metadata?.length ?? 0).toBeLessThanOrEqual(3_000);
      expect(invisible.test(everyText(view))).toBe(false);
    }
  });
});

describe('for all texts', () => {
  it('a card is one that Slack takes, and nothing in it mentions anybody', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.string({ unit: 'grapheme', maxLength: 400 }),
        ),
        fc.constantFrom(...languages),
        (text, language) => {
          for (const message of cards(text, 2, language)) expectHarmless(message);
        },
      ),
      { numRuns: 10 },
    );
  });
});
