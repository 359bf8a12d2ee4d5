import type { Snapshot } from '../../../cluster/snapshot.js';
import { refOf } from '../../../remediation/price-of.js';
import { revisionOf } from '../../../rollout/revisions.js';
import type { Evidence } from '../../finding.js';
import { horizontalAutoscalerOf } from '../../horizontal-autoscaler.js';
import { waitingNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { capacityAdvice, spreadStatements } from '../../waiting/advice.js';
import { blocksFor } from '../../waiting/cause-of.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../../waiting/finding.js';
import { nearestOf, nodesOf } from '../../waiting/nodes-of.js';
import { ownPods } from '../../waiting/predecessors.js';
import { refusalsOf } from '../../waiting/refusal.js';
import { type Growth, growthOf } from '../../waiting/scale-up.js';
import { waiting } from '../../waiting/text.js';
import { replicasAdvice } from './advice.js';
import { ScaleUpPendingFacts } from './facts.js';
import { state, text } from './text.js';

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 3;

/**
 * A finished rollout was given more replicas than there is room for: pods of the same revision hold what the
 * new ones need. It looks like a deadlock of the workload with itself and is none, since no controller waits
 * to take a pod.
 */
export const scaleUpPending: Rule<typeof ScaleUpPendingFacts> = {
  id: 'scale-up-pending',
  facts: ScaleUpPendingFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'StatefulSet'],
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'scale-up-pending');
    if (blocks === undefined) return undefined;
    const { snapshot } = examination;
    const [block] = blocks;
    const pods = blocks.flatMap((each) => [...each.pods]);
    const growth = growthOf(snapshot, pods);
    if (growth === undefined || block.why.kind !== 'held' || block.why.holding === undefined)
      return undefined;
    const { resource } = block.why.holding;
    const own = ownPods(snapshot).others;
    const nodes = nodesOf(blocks);
    const held = nodes.filter(({ standing }) => standing === 'held');
    const autoscaler = autoscalerStatements(examination, blocks);
    const horizontal = horizontalAutoscalerOf(snapshot);
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...autoscaler.facts,
      replicasBefore: growth.from,
      replicas: growth.to,
      scaledAt: growth.at,
      autoscaledBy: horizontal && {
        name: horizontal.metadata.name,
        maxReplicas: horizontal.spec.maxReplicas,
      },
      ownPods: own.map(({ metadata }) => metadata.name),
    };
    const { replicasBefore: from, replicas: to, autoscaledBy } = facts;
    return waitingFinding(examination, blocks, {
      facts,
      summary: state('summary', {
        workload: workloadName(snapshot),
        from,
        to,
        waiting: facts.waiting,
      }),
      resource,
      nodes: held.map(({ name }) => name),
      holders: own.map(refOf),
      reasoning: [
        state('grown', { from, to, at: facts.scaledAt, revision: revisionOf(snapshot) }),
        ...(autoscaledBy === undefined
          ? []
          : [state('autoscaled-by', { name: autoscaledBy.name, maximum: autoscaledBy.maxReplicas })]),
        ...(nodes.length > nearestShown
          ? [waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals })]
          : []),
        ...nearestOf(nodes, nearestShown).map(({ name, reasons }) =>
          waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) }),
        ),
        state('same-revision', { pods: facts.ownPods, resource }),
        ...spreadStatements(examination, block),
        state('no-deadlock'),
        ...autoscaler.reasoning,
      ],
      evidence: [...evidenceOf(snapshot, growth), ...autoscaler.evidence],
      ruledOut: [
        { cause: 'surge-deadlock', because: state('because-one-revision') },
        ...ruledOutByWaiting(examination, block).filter(({ cause }) => cause !== 'surge-deadlock'),
        { cause: 'capacity-contention', because: state('because-own-pods', { resource }) },
        { cause: 'progress-deadline-exceeded', because: state('because-complete') },
        { cause: 'node-cordoned', because: waiting('because-in-service') },
        { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
      ],
      withheld: [
        { kind: 'patch-strategy', because: state('strategy-withheld') },
        { kind: 'undo-rollout', because: state('undo-withheld') },
        { kind: 'restart-rollout', because: waiting('restart-withheld') },
      ],
      advice: [...capacityAdvice(examination, block), ...replicasAdvice(own.length, horizontal)],
      weakenedBy: growth.event === undefined ? [state('maybe-replacement')] : [],
    });
  },
};

function evidenceOf({ workload }: Snapshot, { event, to }: Growth): readonly Evidence[] {
  const { kind, metadata } = workload;
  const object = { kind, namespace: metadata.namespace, name: metadata.name };
  return [
    { object, field: 'spec.replicas', value: String(to), says: state('ev-replicas', { to }) },
    ...(event === undefined
      ? []
      : [
          {
            object: { kind: 'Event', namespace: event.metadata.namespace, name: event.metadata.name },
            field: 'message',
            value: event.message,
            at: event.lastSeen,
            says: state('ev-scaled'),
          },
        ]),
  ];
}
