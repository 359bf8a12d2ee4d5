import type { NodeClaim } from '../../../cluster/policy.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import type { ScaleUp } from '../../scale-up-under-way.js';
import { workloadName } from '../../stuck-rollout.js';
import type { Block } from '../../waiting/block.js';
import { blocksFor } from '../../waiting/cause-of.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import { ruledOutByWaiting, waitingFinding } from '../../waiting/finding.js';
import { ownPods } from '../../waiting/predecessors.js';
import { groupedRefusals } from '../../waiting/refusal.js';
import { waiting } from '../../waiting/text.js';
import { WaitingForAutoscalerFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * An autoscaler has ordered a node for the waiting pods. That is a hope with an end: after 15 minutes without
 * effect it counts as failed, and the finding says when that is.
 */
export const waitingForAutoscaler: Rule<typeof WaitingForAutoscalerFacts> = {
  id: 'waiting-for-autoscaler',
  facts: WaitingForAutoscalerFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'waiting-for-autoscaler');
    if (blocks === undefined) return undefined;
    const [block] = blocks;
    if (block.why.kind !== 'autoscaler') return undefined;
    const { order } = block.why;
    const { snapshot } = examination;
    const claim = snapshot.index.objects.NodeClaim.find(({ metadata }) => metadata.name === order.nodeClaim);
    const { by, since, until, nodeClaim, event } = order;
    const facts = {
      ...waitingFactsOf(examination, blocks),
      order: { by, since, until, message: event?.message, nodeClaim, ...stagesOf(claim) },
      oldPods: ownPods(snapshot).predecessors.map(({ metadata }) => metadata.name),
    };
    const because = state('because-ordered', { by: order.by });
    return waitingFinding(examination, blocks, {
      severity: 'warning',
      facts,
      summary: state('summary', { workload: workloadName(snapshot), by: order.by }),
      reasoning: reasoningOf(snapshot, block, facts, claim),
      evidence: evidenceOf(order, claim),
      ruledOut: [
        { cause: 'surge-deadlock', because },
        ...ruledOutByWaiting(examination, block).filter(({ cause }) => cause !== 'surge-deadlock'),
        { cause: 'insufficient-capacity', because },
        { cause: 'capacity-contention', because },
        { cause: 'unsatisfiable-placement', because },
      ],
      nextAttempt: { at: order.until, what: state('next-attempt') },
      withheld: [
        { kind: 'patch-strategy', because: state('wait-withheld', { by: order.by }) },
        { kind: 'restart-rollout', because: waiting('restart-withheld') },
      ],
      advice: [adviceFor(order)],
      // The order is a fact; that the node will come and fit is the autoscaler's word.
      atMost: order.event === undefined ? 'possible' : 'likely',
    });
  },
};

function reasoningOf(
  snapshot: Snapshot,
  { nodes }: Block,
  { order, oldPods }: FactsOf<typeof WaitingForAutoscalerFacts>,
  claim: NodeClaim | undefined,
): readonly Statement[] {
  const { by, since, until, message, stagesDone: done, stagesMissing: missing } = order;
  return [
    ...(message === undefined
      ? [state('ordered-for-unknown-pods', { claim: order.nodeClaim ?? '', at: since })]
      : [
          state('ordered', { by, at: since, secondsAgo: secondsSince(snapshot, since) }),
          state('said', { by, message }),
        ]),
    ...(claim === undefined ? [] : [state('claim', { name: claim.metadata.name, done, missing })]),
    waiting('tally', { nodesInAll: nodes.length, groups: groupedRefusals(nodes) }),
    state('expires', { until }),
    ...(oldPods.length === 0 ? [] : [state('then-deadlock', { pods: oldPods })]),
  ];
}

const stages = ['Launched', 'Registered', 'Initialized'];

function stagesOf(claim: NodeClaim | undefined) {
  const isDone = (stage: string): boolean =>
    claim?.status.conditions.some(({ type, status }) => type === stage && status === 'True') === true;
  return {
    stagesDone: stages.filter(isDone),
    stagesMissing: claim === undefined ? [] : stages.filter((stage) => !isDone(stage)),
  };
}

function secondsSince(snapshot: Snapshot, at: string): number {
  return Math.max(0, (nowOf(snapshot) - Date.parse(at)) / 1000);
}

function evidenceOf({ event, by }: ScaleUp, claim: NodeClaim | undefined): readonly Evidence[] {
  return [
    ...(event === undefined
      ? []
      : [
          {
            object: { kind: 'Event', namespace: event.metadata.namespace, name: event.metadata.name },
            field: 'message',
            value: event.message,
            at: event.lastSeen,
            says: waiting('ev-ordered', { by }),
          },
        ]),
    ...(claim === undefined
      ? []
      : [
          {
            object: { kind: 'NodeClaim', namespace: '', name: claim.metadata.name },
            field: 'status.conditions',
            value: claim.status.conditions.map(({ type, status }) => `${type}=${status}`).join(' '),
            at: claim.metadata.creationTimestamp,
            says: state('ev-claim', { claim: claim.metadata.name }),
          },
        ]),
  ];
}

function adviceFor({ by, nodeClaim }: ScaleUp): Advice {
  const title = state('advice-watch-title');
  if (by === 'Karpenter') {
    return {
      title,
      text: state('advice-watch-karpenter'),
      snippet: `kubectl describe nodeclaim${nodeClaim === undefined ? 's' : ` ${nodeClaim}`}\n`,
    };
  }
  return {
    title,
    text: state('advice-watch-cluster-autoscaler'),
    snippet: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml\n',
  };
}
