import * as z from 'zod';
import { compareText, groupBy } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { isBadEnd, type PodRecord, type RunRecord } from '../../../engine/objects/pod-record.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Evidence } from '../../findings/finding.js';
import type { Observation } from './observation.js';
import { state } from './text.js';

type Facts = FactsOf<typeof CrashLoopOnNodeFacts>;

/** Deleted pods shown one by one. */
const shownPods = 3;

/**
 * What the history adds to the count, since when it sees, and what it did not see. None where it took no
 * part.
 */
export function historyFactsOf(
  { history }: Snapshot,
  { own, remembered, exposure }: Observation,
  nodes: readonly string[],
): Facts['history'] {
  if (history === undefined || remembered === undefined) return undefined;
  const bad = new Set(nodes);
  const there = own.filter(({ node }) => bad.has(node));
  const gone = new Set(remembered.deleted.map(({ uid }) => uid));
  return {
    since: timeOf(history.observedSince),
    deletedThere: there.filter(({ uid }) => gone.has(uid)).length,
    deletedElsewhere: remembered.deleted.filter(({ node }) => !bad.has(node)).length,
    recalled: there.filter(({ uid }) => remembered.recalled.has(uid)).length,
    gaps: history.gaps.length,
    missedSeconds: history.gaps.reduce((sum, { from, to }) => sum + to - from, 0),
    dropped: history.dropped,
    runTimePercent:
      exposure === undefined || exposure.hours === 0
        ? undefined
        : Math.round((100 * exposure.hoursThere) / exposure.hours),
  };
}

export function historyStatements({
  history,
  crashedThere,
  crashedElsewhere,
}: Pick<Facts, 'history' | 'crashedThere' | 'crashedElsewhere'>): readonly Statement[] {
  if (history === undefined) return [];
  const { since, deletedThere, deletedElsewhere, recalled, gaps, missedSeconds, dropped } = history;
  return [
    state('remembered', { deleted: deletedThere, elsewhere: deletedElsewhere, since }),
    ...(recalled === 0 ? [] : [state('recalled', { pods: recalled })]),
    ...(missedSeconds === 0 ? [] : [state('not-watched', { gaps, seconds: missedSeconds })]),
    ...(dropped === 0 ? [] : [state('dropped', { pods: dropped })]),
    ...(history.runTimePercent === undefined
      ? []
      : [
          state('exposure', {
            crashed: crashedThere,
            of: crashedThere + crashedElsewhere,
            percent: history.runTimePercent,
          }),
        ]),
  ];
}

/** The latest ends of pods that were deleted since, and how all runs that are kept ended on the nodes. */
export function rememberedEvidence(
  { workload }: Snapshot,
  { remembered }: Observation,
  nodes: readonly string[],
): readonly Evidence[] {
  if (remembered === undefined) return [];
  const { namespace } = workload.metadata;
  const there = remembered.deleted.filter(({ node }) => nodes.includes(node));
  const ended = there
    .flatMap((record) => lastBadEnd(record) ?? [])
    .sort((a, b) => b.at - a.at || (a.record.uid < b.record.uid ? -1 : 1))
    .slice(0, shownPods)
    .map(
      ({ record, container, exitCode, reason, at }): Evidence => ({
        object: { kind: 'Pod', namespace, name: record.name },
        field: `history.containers[${container}].runs`,
        value: reason === '' ? `exitCode ${exitCode}` : `exitCode ${exitCode}, ${reason}`,
        at: timeOf(at),
        says: state('ev-deleted', { container, node: record.node, exitCode, reason }),
      }),
    );
  const groups = groupBy(there, ({ revision, node }) => JSON.stringify([revision, node]));
  const sorted = [...groups].sort(([a], [b]) => compareText(a, b));
  return [...ended, ...sorted.flatMap(([, records]) => endsEvidence(namespace, records))];
}

/**
 * How the runs of one revision on one node ended badly, by exit, most first, and how many ends are not kept
 * one by one.
 */
function endsEvidence(namespace: string, records: readonly [PodRecord, ...PodRecord[]]): readonly Evidence[] {
  const [{ revision, node }] = records;
  const containers = records.flatMap((record) => record.containers);
  const bad = containers.flatMap(({ runs }) => runs.filter(isBadEnd));
  if (bad.length === 0) return [];
  const exits = [...groupBy(bad, exitOf)].sort(
    ([a, some], [b, others]) => others.length - some.length || compareText(a, b),
  );
  return [
    {
      object: { kind: 'Node', namespace: '', name: node },
      field: `history[${namespace}, revision ${revision}]`,
      value: exits.map(([exit, runs]) => `${exit}: ${runs.length}`).join(', '),
      says: state('ev-ends', {
        node,
        runs: bad.length,
        more: containers.reduce(
          (sum, { restarts, runs }) =>
            sum + Math.max(0, restarts - runs.filter(({ n }) => n < restarts).length),
          0,
        ),
        exits: exits.slice(0, 4).map(([exit]) => exit),
      }),
    },
  ];
}

/** `139`, `137 OOMKilled`. */
function exitOf({ exitCode, reason }: RunRecord): string {
  return reason === '' || reason === 'Error' ? `${exitCode}` : `${exitCode} ${reason}`;
}

function lastBadEnd(record: PodRecord) {
  const ends = record.containers.flatMap(({ name, runs }) =>
    runs.flatMap((run) =>
      isBadEnd(run) && run.finishedAt !== undefined
        ? [{ record, container: name, exitCode: run.exitCode, reason: run.reason, at: run.finishedAt }]
        : [],
    ),
  );
  return ends.sort((a, b) => a.at - b.at).at(-1);
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

export const CrashLoopOnNodeFacts = z.strictObject({
  verdict: fact.oneOf(
    ['concentrated', 'cannot-tell'],
    '`cannot-tell`: the pods are too few, or another difference explains it as well',
  ),
  cannotTell: fact
    .oneOf(
      ['one-pod-per-node', 'confounded-with-revision', 'too-few', 'unequal-exposure'],
      'Why it cannot be told',
    )
    .optional(),
  crashedThere: fact.count('Pods that crashed on the nodes'),
  podsThere: fact.count('Pods that ran there'),
  crashedElsewhere: fact.count('Pods that crashed on other nodes'),
  podsElsewhere: fact.count('Pods that ran there'),
  nodesElsewhere: fact.count('Number of these other nodes'),
  pValue: fact.number('Probability of this by chance, corrected for testing every node'),
  tooYoung: fact.count('Pods that have not run long enough to count'),
  otherWorkloads: fact.names('Other workloads, as `namespace/name`, that crash on these nodes only'),
  differences: z
    .array(
      z.strictObject({
        name: fact.text('Name of the attribute'),
        value: fact.text('Its value on these nodes'),
        elsewhere: fact.text('Its value on the other nodes, where all have the same').optional(),
      }),
    )
    .describe('Attributes of the nodes and of no other node that runs the workload without crashes'),
  experimentNodes: fact.names('Nodes on which one of the pods would show whether the node is the cause'),
  history: z
    .strictObject({
      since: fact.time('Start of the crash history'),
      deletedThere: fact.count('Counted pods of these nodes that were deleted since'),
      deletedElsewhere: fact.count('Counted pods of other nodes that were deleted since'),
      recalled: fact.count('Pods that run there and whose crash only the history has'),
      gaps: fact.count('Interruptions of the history'),
      missedSeconds: fact.seconds('Their length'),
      dropped: fact.count('Older pods that the history dropped'),
      runTimePercent: fact.number('Share of these nodes in the run time of all pods').optional(),
    })
    .describe('What the crash history adds; absent where it took no part')
    .optional(),
});
