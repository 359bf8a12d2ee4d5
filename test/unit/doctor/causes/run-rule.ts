import { expect, it } from 'vitest';
import * as z from 'zod';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { proofFacts } from '#src/doctor/findings/escapes/index.js';
import { familyTexts } from '#src/doctor/findings/family-texts.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import { type AnyCatalogue, tellFrom } from '#src/engine/language/catalogue.js';
import { type Language, languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import type { Statement } from '#src/engine/language/statement.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { withDescribedFacts } from '../../../support/described-facts.js';
import { build } from '../../../support/kubernetes-objects.js';

const takenAt = '2026-11-20T09:30:00Z';

export function snapshotOf(
  workload: Workload,
  objects: Partial<ClusterObjects>,
  fields: Partial<Snapshot> = {},
): Snapshot {
  const own = { [workload.kind]: [workload] };
  const index = indexObjects(clusterObjects({ ...own, ...objects }));
  return { takenAt, cluster: 'prod', workload, index, logs: [], unseen: [], ...fields };
}

/**
 * What the rule finds. A rule that throws, facts that are not described or a statement without words fail the
 * test.
 */
export function foundBy(rule: AnyRule, snapshot: Snapshot): Finding | undefined {
  const { findings, defects } = diagnose(snapshot, [rule]);
  if (defects.length > 0) throw new Error(defects.map(({ message }) => message).join('; '));
  const finding = withDescribedFacts(rule, findings[0]);
  if (finding !== undefined) renderFinding(finding, rule.text);
  return finding;
}

/** The same, where there must be something. */
export function mustFind(rule: AnyRule, snapshot: Snapshot): Finding {
  const finding = foundBy(rule, snapshot);
  if (finding === undefined) throw new Error(`${rule.id} finds nothing`);
  return finding;
}

/** A finding as tables expect it: objects by name, statements by key, fixes by kind. */
export function told(finding: Finding) {
  const { holders, reasoning, evidence, ruledOut, remediations, withheld, advice, weakenedBy } = finding;
  return {
    ...finding,
    summary: finding.summary.key,
    holders: holders.map(({ name }) => name),
    reasoning: keysOf(reasoning),
    steps: reasoning,
    arithmetic: evidence.map(({ says }) => says.values),
    adviceValues: advice.map(({ text }) => text.values),
    evidence: evidence.map(({ says }) => says.key),
    where: evidence.map(({ field }) => field),
    ends: evidence,
    quotes: evidence.map(({ value }) => value),
    shownBy: evidence.map(({ object }) => object.kind),
    notBecause: ruledOut.map(({ because }) => because),
    ruledOut: ruledOut.map(({ cause }) => cause),
    fixes: remediations.map(({ kind }) => kind),
    fix: remediations[0],
    answered: [...remediations, ...withheld].map(({ kind }) => kind),
    withheld: withheld.map(({ kind }) => kind),
    advice: keysOf(advice.map(({ title }) => title)),
    adviceSaid: JSON.stringify(advice),
    adviceText: keysOf(advice.map(({ text }) => text)),
    snippets: advice.map(({ snippet }) => snippet ?? '').join('\n'),
    firstSnippet: advice[0]?.snippet,
    becauseOf: keysOf(withheld.map(({ because }) => because)),
    doubts: keysOf(weakenedBy),
    opens: openersIn(finding),
  };
}
/** By the id of each escape, what may open the place of a deadlock. */
export function openersIn(
  finding: { readonly facts?: unknown } | undefined,
): Readonly<Record<string, readonly string[]>> {
  const { escapes } = z.looseObject({ escapes: proofFacts.escapes.default([]) }).parse(finding?.facts ?? {});
  return Object.fromEntries(escapes.map(({ way, names }) => [way, names]));
}
export type Told = { readonly [Field in keyof ReturnType<typeof told>]?: unknown };

/**
 * What happens, the change of the base snapshot, and what is told of it; left out: the rule finds nothing.
 */
export type Row<Change> = readonly [what: string, change: Change, expected?: Told];

/** One test a row. */
export function expectFindings<Change>(
  rule: AnyRule,
  snapshotWith: (change: Change) => Snapshot,
  rows: readonly Row<Change>[],
): void {
  const cases = rows.map(([what, change, expected]): [string, Change, Told | undefined] => [
    what,
    change,
    expected,
  ]);
  it.each(cases)('%s', (_, change, expected) => {
    const finding = foundBy(rule, snapshotWith(change));
    if (expected === undefined) expect(finding && told(finding)).toBeUndefined();
    else expect(finding && told(finding)).toMatchObject(expected);
  });
}

/** A list with these among others. */
export const has = (...items: readonly unknown[]): unknown => expect.arrayContaining<unknown>([...items]);
/** A list without this one. */
export const lacks = (item: unknown): unknown => expect.not.arrayContaining<unknown>([item]);

/** A step of the reasoning with at least these values. */
export const step = (key: string, values: object): unknown =>
  expect.objectContaining({ key, values: expect.objectContaining(values) });
/** The sum of refusals, with the nodes of each group. */
export const tally = (...groups: readonly (readonly string[])[]): unknown =>
  step('tally', { groups: groups.map((nodes) => expect.objectContaining({ nodes })) });

/** Every sentence of the cause and of its families, in both languages; a key without words fails the test. */
export function renderFinding(
  finding: Finding,
  text: AnyCatalogue,
): Readonly<Record<Language, readonly string[]>> {
  const catalogues = { ...familyTexts, [finding.cause]: text };
  const tell = tellFrom(catalogues);
  const own = statementsIn(finding).filter(({ catalogue }) => catalogue in catalogues);
  const sentences = languages.map((language) => [
    language,
    own.map((statement) => {
      const rendered = plain(tell(statement, language));
      if (rendered === '' || rendered.startsWith(`${statement.catalogue}: `))
        throw new Error(`no words: ${statement.key}`);
      return rendered;
    }),
  ]);
  return Object.fromEntries(sentences) as Readonly<Record<Language, readonly string[]>>;
}

function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('catalogue' in value && 'key' in value) return [value as Statement];
  return Object.values(value).flatMap(statementsIn);
}

export function keysOf(statements: readonly Statement[]): readonly string[] {
  return statements.map(({ key }) => key);
}

/** An autoscaler of the workload with this minimum. */
export const autoscalerOf = (kind: string, name: string, minReplicas: number) =>
  build('HorizontalPodAutoscaler', name, {
    spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind, name } },
  });

/** An event about a pod, as its uid is `<name>-uid`. */
export function podEvent(pod: string, reason: string, message: string, component = 'kubelet'): Event {
  return schemas.Event.parse({
    metadata: { name: `${pod}.${reason}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: pod, uid: `${pod}-uid` },
    type: 'Warning',
    reason,
    message,
    count: 1,
    firstTimestamp: '2026-11-20T09:05:04Z',
    lastTimestamp: '2026-11-20T09:05:04Z',
    reportingComponent: component,
  });
}
