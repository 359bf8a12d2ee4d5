import * as z from 'zod';
import type { Language } from '../../../engine/language/language.js';
import type { Statement } from '../../../engine/language/statement.js';
import { type Pod, qualifiedPodNames } from '../../../engine/objects/pod.js';
import { deadlock } from '../deadlock/text.js';
import { fact } from '../facts.js';
import type { RuledOut } from '../finding.js';
import type { Examination } from '../rule.js';
import { type Answer, type Escape, type Place, statusLines } from './contract.js';
import { leavingPodEscapes } from './leaving-pods.js';
import { neighbourEscapes } from './neighbours.js';
import { nodeEscapes } from './nodes.js';
import { ownWorkloadEscapes } from './own-workload.js';
import { podGroupEscapes } from './pod-groups.js';
import { queueEscapes } from './queue-quota.js';

/**
 * Every way in which a place may become free without a change by people. A deadlock is proven where each one
 * that opens such a place is closed. `podsMayLeave` comes last: it asks for those before it.
 */
export const escapes: readonly Escape[] = [
  ...ownWorkloadEscapes,
  ...podGroupEscapes,
  ...nodeEscapes,
  ...queueEscapes,
  ...neighbourEscapes,
  ...leavingPodEscapes,
];

/** Whether the place becomes free for certain, so that nothing is deadlocked. */
export function becomesFree(world: Examination, place: Place): boolean {
  return escapes.some(({ decides, examine }) => decides && examine(place, world, []).kind === 'open');
}

/** The answers of all that open such a place. Ask only where it does not become free for certain. */
export function answersAbout(
  world: Examination,
  place: Place,
  list: readonly Escape[] = escapes,
): readonly Answer[] {
  const answers: Answer[] = [];
  for (const { opens, examine } of list) {
    if (opens.includes(place.kind)) answers.push(examine(place, world, answers));
  }
  return answers;
}

/** Why the deadlock is not proven. */
export function doubtsIn(answers: readonly Answer[]): readonly Statement[] {
  return answers.flatMap(({ says }) => says ?? []);
}

export function ruledOutIn(answers: readonly Answer[]): readonly RuledOut[] {
  return answers.flatMap(({ kind, by }) =>
    kind === 'closed' && by.rulesOut !== undefined ? [by.rulesOut] : [],
  );
}

/** The names by which an escape may open the place; none where it is closed. */
export function openersOf(answers: readonly Answer[], { id }: Pick<Escape, 'id'>): readonly string[] {
  return answers.find(({ by }) => by.id === id)?.names ?? [];
}

/** A statement that holds only where nothing is known that may free the place. */
export function unlessMayOpen(answers: readonly Answer[], statement: Statement): readonly Statement[] {
  return answers.some(({ kind }) => kind === 'may-open') ? [] : [statement];
}

/** States for how long the rollout has been stuck, and what alone may still free the place. */
export function statusLineOf(
  answers: readonly Answer[],
  values: { readonly revision: string; readonly stillForSeconds: number | undefined },
): Statement {
  const found = statusLines.find((line) =>
    answers.some(({ kind, by }) => kind === 'may-open' && by.statusLine === line),
  );
  return deadlock(found ?? 'standing', values);
}

const placeKinds = [
  'node',
  'quota',
  'queue',
  'volume',
  'lock',
  'gang',
  'cycle',
] as const satisfies readonly Place['kind'][];

const placeFact = z
  .strictObject({
    kind: fact.oneOf(placeKinds, 'What it is; `cycle`: places of rollouts that wait for each other'),
    waiting: fact.names('New pods that wait for it, as `namespace/name`; none where the pod is not created'),
  })
  .describe('The place that pods of former revisions hold');

const escapesFact = fact.list(
  z.strictObject({
    way: fact.text('A way in which the place may become free without a change by people'),
    answer: fact.oneOf(
      ['closed', 'may-open', 'not-read'],
      'Whether it may free the place; the deadlock is proven only where every way is closed',
    ),
    names: fact.names(
      'Pods, nodes, workloads or queues by which it may, as `namespace/name` where they have one',
    ),
  }),
  'Every way that may free such a place, and what was found',
);

/** The proof as a finding carries it: what is waited for, and by what it might become free. */
export const proofFacts = { place: placeFact, escapes: escapesFact } as const;

export function proofFactsOf(kind: Place['kind'], waiting: readonly Pod[], answers: readonly Answer[]) {
  const asked = answers.flatMap(({ by, kind: answer, names }) =>
    answer === 'open' ? [] : [{ way: by.id, answer, names }],
  );
  return { place: { kind, waiting: qualifiedPodNames(waiting) }, escapes: asked };
}

/** The sentences of these escapes, in every language. */
export function sentencesOf(list: readonly Escape[]): Escape['sentences'] {
  const inLanguage = (language: Language) =>
    Object.assign({}, ...list.map(({ sentences }) => sentences[language]));
  return { en: inLanguage('en'), ko: inLanguage('ko') };
}
