import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { MovingNeighbour } from '../../../engine/neighbours/moving-neighbours.js';
import { podKey, refOf } from '../../../engine/objects/pod.js';
import { priorityOf } from '../../../engine/scheduler/pod-defaults.js';
import { holdersOf } from '../../../engine/scheduler/reason.js';
import { resourceOf } from '../../../engine/scheduler/resource-name.js';
import { proofFacts } from '../../findings/escapes/index.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Evidence } from '../../findings/finding.js';
import type { Detected, Examination } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { Block } from '../../findings/waiting/block.js';
import { waitingFactsOf } from '../../findings/waiting/block.js';
import { Holder, waitingFacts } from '../../findings/waiting/facts.js';
import { waitingFinding } from '../../findings/waiting/finding.js';
import { ownPods } from '../../findings/waiting/holding.js';
import { gatesRuledOut } from '../../findings/waiting/sentence.js';
import { waiting } from '../../findings/waiting/text.js';
import { state } from './text.js';

/** Neighbours whose pods the proof names one by one; the sentences count all. */
const maxShown = 10;

/**
 * The pods wait for what rollouts of other workloads free when they complete: a wait that is expected to end,
 * `likely` at most, since the neighbours' new pods may still fail. No fix is offered: every one would stop
 * pods that serve.
 */
export function neighbourFinding(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
  neighbours: readonly MovingNeighbour[],
): Detected<typeof CapacityContentionFacts> {
  const [block] = blocks;
  const leaving = neighbours.flatMap((each) => [...each.leaving]);
  const resource = resourceHeld(block, new Set(leaving.map(podKey)));
  const names = neighbours.map(nameOf);
  const shown = neighbours.slice(0, maxShown);
  const facts = {
    ...waitingFactsOf(examination, blocks),
    heldBy: [],
    toLeave: [],
    priority: priorityOf(block.pod),
    neverPreempts: block.pod.spec.preemptionPolicy === 'Never',
    cycleUnread: [],
    cycleStalled: [],
    cycleShrinking: [],
    cycleLeaving: [],
    movingNeighbours: neighbours.map((each) => ({
      workload: nameOf(each),
      leaving: each.leaving.map(({ metadata }) => metadata.name),
      starting: each.starting.map(({ metadata }) => metadata.name),
      waiting: (each.waiting ?? []).map(({ metadata }) => metadata.name),
      departs: each.departs === true,
    })),
  };
  const depart = facts.movingNeighbours.every(({ departs }) => departs);
  const predecessors = ownPods(examination.snapshot).predecessors;
  return waitingFinding(examination, blocks, {
    facts,
    summary: state(depart ? 'summary-departing' : 'summary-neighbour', {
      workload: workloadName(examination.snapshot),
      resource,
      neighbours: names,
    }),
    resource,
    nodes: [...new Set(leaving.map(({ spec }) => spec.nodeName ?? ''))],
    holders: leaving.map(refOf),
    reasoning: facts.movingNeighbours.slice(0, maxShown).map((neighbour) => reasonOf(neighbour, block)),
    evidence: shown.flatMap(({ starting }) =>
      starting.slice(0, 3).map(
        (pod): Evidence => ({
          object: refOf(pod),
          field: 'status.phase',
          value: pod.status.phase,
          at: pod.metadata.creationTimestamp,
          says: state('ev-starting', { pod: pod.metadata.name }),
        }),
      ),
    ),
    ruledOut: [
      ...(predecessors.length === 0
        ? []
        : [
            {
              cause: 'surge-deadlock',
              because: state(depart ? 'because-neighbour-departs' : 'because-neighbour-moves', {
                neighbours: names,
              }),
            },
          ]),
      ...gatesRuledOut(examination.snapshot, block.pod),
    ],
    atMost: 'likely',
    weakenedBy: [state(depart ? 'neighbour-may-stay' : 'neighbour-may-fail', { neighbours: names })],
    withheld: [
      { kind: 'restart-rollout', because: waiting('restart-withheld') },
      ...(predecessors.length === 0
        ? []
        : [
            {
              kind: 'patch-strategy' as const,
              because: state(depart ? 'patch-needless-departing' : 'patch-needless', { neighbours: names }),
            },
          ]),
    ],
  });
}

type Neighbour = FactsOf<typeof CapacityContentionFacts>['movingNeighbours'][number];

function reasonOf(
  { workload, leaving, starting, waiting: pods, departs }: Neighbour,
  { pod }: Block,
): Statement {
  const values = { neighbour: workload, leaving, pod: pod.metadata.name };
  if (departs) return state('neighbour-departs', values);
  if (pods.length > 0) return state('neighbour-waits', { ...values, waiting: pods });
  return starting.length === 0
    ? state('neighbour-acts', values)
    : state('neighbour-moves', { ...values, starting });
}

function nameOf({ owner }: MovingNeighbour): string {
  return `${owner.namespace}/${owner.name}`;
}

/** What the leaving pods hold, in the design's word; the first reason's own where none names them. */
function resourceHeld({ nodes }: Block, leaving: ReadonlySet<string>): string {
  const reasons = nodes.flatMap((node) => [...node.reasons]);
  const held = reasons.find((reason) => holdersOf(reason).some((pod) => leaving.has(podKey(pod))));
  const reason = held ?? reasons[0];
  return reason === undefined ? '' : (resourceOf(reason) ?? reason.id);
}

export const CapacityContentionFacts = z.strictObject({
  ...waitingFacts,
  place: proofFacts.place.optional(),
  escapes: proofFacts.escapes.optional(),
  node: fact.text('The node that needs the fewest pods to leave').optional(),
  heldBy: fact.list(Holder, 'Workloads whose pods hold what is missing'),
  toLeave: fact.names(
    'The smallest set of pods, as `namespace/name`, without which a waiting pod fits there',
  ),
  priority: fact.number('Priority of the waiting pods'),
  neverPreempts: fact.flag('Their preemptionPolicy is Never'),
  cycle: z
    .array(
      z.strictObject({
        workload: fact.text('`namespace/name`'),
        waiting: fact.text('Its new pod, which waits for pods of the next one'),
        node: fact.text('The node on which that pod would fit'),
        holds: fact.names('Its old pods, for which the one before waits'),
      }),
    )
    .describe('Rollouts of which each waits for the next one, the last for the first')
    .optional(),
  cycleUnread: fact.names('Workloads of the cycle, or beside it, that could not be read whole'),
  cycleStalled: fact.names(
    'Workloads whose rollout is stuck at a new pod that is not ready, and opens the cycle if that pod becomes ready',
  ),
  cycleShrinking: fact.names(
    'Workloads whose HorizontalPodAutoscaler may reduce the replicas, which opens the cycle',
  ),
  cycleLeaving: fact.names(
    'Pods, as `namespace/name`, beside the cycle that may leave, which opens the cycle',
  ),
  movingNeighbours: z
    .array(
      z.strictObject({
        workload: fact.text('`namespace/name`'),
        leaving: fact.names('Its old pods that will be stopped'),
        starting: fact.names('Its new pods that are starting'),
        waiting: fact.names('Its new pods that wait for a node, which another rollout frees'),
        departs: fact.flag('It stops these pods without replacing them'),
      }),
    )
    .describe('Rollouts in progress that free what the pods wait for'),
});
