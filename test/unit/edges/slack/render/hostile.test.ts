import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import { type Incident, type IncidentGroup, phases, storedVerdicts } from '#src/doctor/incidents/incident.js';
import { linkToMessages } from '#src/edges/slack/card-link.js';
import {
  renderChoices,
  renderDiagnosing,
  renderHelp,
  renderNotFound,
  renderUnreadable,
  renderUsage,
} from '#src/edges/slack/render/answers.js';
import { renderNotice } from '#src/edges/slack/render/blocks.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import type { Message } from '#src/edges/slack/render/message.js';
import { renderProof } from '#src/edges/slack/render/proof.js';
import {
  renderReview,
  renderReviewLoading,
  renderReviewOutcome,
  renderReviewWorking,
} from '#src/edges/slack/render/review.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { type Language, languages } from '#src/engine/language/language.js';
import { code, type Prose, quote, say } from '#src/engine/language/prose.js';
import { names } from '#src/engine/language/words.js';
import { postedKinds } from '#src/service/jobs/jobs.js';
import { checkBlocks } from '../../../../../demo/slack/block-limits.js';
import { buildDryRun } from '../../../../support/records.js';
import {
  applied,
  buildApproval,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  buildRemediation,
  buildReview,
} from '../../../../support/slack-builders.js';
import { everyText, expectHarmless, hostileTexts, invisible } from '../harmless.js';

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
        survival: {
          path: text,
          verdict: { type: 'unknown', because: 'other-manager' },
          owner: { by: 'other', kind: text, namespace: text, name: text },
          restsOn: [{ type: 'managed-fields', manager: text, operation: text }],
        },
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
    group: hostileGroup(text, many),
    diagnosis: buildDiagnosis({
      revision: text,
      findings: Array.from({ length: many }, () => hostileFinding(text, many)),
      unseen: Array.from({ length: many }, () => unseen),
    }),
    ...fields,
  });
}

/** An incident with an odd number leads a group, one with an even number is a member. */
function hostileGroup(text: string, many: number): IncidentGroup {
  const root = { kind: 'ResourceQuota', cluster: text, namespace: text, name: text } as const;
  const workload = { cluster: text, kind: 'StatefulSet', namespace: text, name: text } as const;
  if (many % 2 === 0)
    return { role: 'follows', root, lead: text, workload, card: { ts: text, threadTs: text } };
  const members = Array.from({ length: 10 * many }, (_, place) => ({
    id: `${text}${place}`,
    workload: { ...workload, name: `${text}${place}` },
    state: place % 3 === 0 ? ('well' as const) : ('sick' as const),
    card: { ts: text, threadTs: text },
  }));
  return { role: 'leads', root, members };
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
  const linkTo = linkToMessages(() => 'https://team.slack.com/');
  return [
    ...phases.map((phase) => renderCard(incident({ phase }), approval, { tell, linkTo })),
    ...storedVerdicts.map((verdict) =>
      renderCard(incident({ phase: 'settled', change: { ...change, verdict } }), approval, { tell }),
    ),
    ...postedKinds.map((kind) => renderEntry(incident({}), approval, { kind, of: '1' }, { tell })),
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
    renderDiagnosing({ name: text, namespace: text }, language),
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

/** Many long texts take minutes, and show nothing that many short ones and a few long ones do not. */
const manyOf = (text: string, most: number): number => (text.length > 1_000 ? Math.ceil(most / 5) : most);

describe.each(hostileTexts)('%s', (_, text) => {
  // What a text can do does not depend on the language of the words around it: each has another one.
  const language = languages[hostileTexts.findIndex(([, each]) => each === text) % languages.length] ?? 'en';

  it('is rendered harmlessly in every card and entry', () => {
    for (const message of cards(text, manyOf(text, 3), language)) expectHarmless(message);
  });

  it('is rendered harmlessly in large amounts', () => {
    const tell = hostileTell(text);
    const incident = hostileIncident(text, manyOf(text, 15), {});
    expectHarmless(renderCard(incident, undefined, { tell }));
  });

  it('is rendered harmlessly in a reply', () => {
    for (const message of answers(text, language)) expectHarmless(message);
  });

  it('is rendered harmlessly in a modal', () => {
    const tell = hostileTell(text);
    const longest = { kind: 'Deployment' as const, namespace: 'n'.repeat(63), name: 'n'.repeat(253) };
    const incident = hostileIncident(text, manyOf(text, 20), {
      language,
      workload: { cluster: text, ...longest },
    });
    const review = buildReview({
      incident,
      approval: hostileApproval(text, manyOf(text, 20)),
      dryRun: buildDryRun({ mutated: Array.from({ length: 30 }, () => text) }),
      demands: { approvers: 2, notRequester: true, typeName: true, login: false },
    });
    const answer = { ask: 1, at: '2026-11-20T09:30:30Z', digest: 'd' };
    const refused = { type: 'refused' as const, ...answer, because: all };
    const place = { channel: 'C1', threadTs: undefined };
    for (const view of [
      renderReview(review, { language, tell, place }),
      renderReview({ ...review, dryRun: refused }, { language, tell, place }),
      renderReviewLoading(language),
      renderReviewWorking(language),
      renderReviewOutcome(language, tell(all, language)),
      renderProof(incident, { language, tell }),
    ]) {
      expect(checkBlocks(view.blocks, 'modal')).toEqual([]);
      expect(view.title.text.length).toBeLessThanOrEqual(24);
      expect(view.submit?.text.length ?? 0).toBeLessThanOrEqual(24);
      expect(view.private_metadata?.length ?? 0).toBeLessThanOrEqual(3_000);
      expect(invisible.test(everyText(view))).toBe(false);
    }
  });
});

describe('for random texts', () => {
  it("a card stays within Slack's limits and mentions nobody", () => {
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
