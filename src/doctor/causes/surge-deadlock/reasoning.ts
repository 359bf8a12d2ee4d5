import * as z from 'zod';
import { inRole, type Statement } from '../../../engine/language/statement.js';
import type { Node } from '../../../engine/objects/node.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podNames } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Workload } from '../../../engine/objects/workload.js';
import { hasGroups, hasPodPerNode, hasReplicaSets, isRevisioned } from '../../../engine/objects/workload.js';
import { outOfService, reportsTrouble } from '../../../engine/scheduler/nodes-out-of-service.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';
import { partNameOf } from '../../../engine/workloads/revisioned/pods.js';
import { switchesRevisions } from '../../../engine/workloads/rollout-state.js';
import { deadlockFacts } from '../../findings/deadlock/facts.js';
import { lastingAdvice } from '../../findings/deadlock/lasting-strategy.js';
import { insideAdvice } from '../../findings/deadlock/services/knative.js';
import { takenBackAdvice } from '../../findings/deadlock/services/ray.js';
import { adviceOn, givesUp, takenBack } from '../../findings/deadlock/stable-revisions.js';
import { deadlock } from '../../findings/deadlock/text.js';
import type { Answer } from '../../findings/escapes/contract.js';
import { ruledOutIn, unlessMayOpen } from '../../findings/escapes/index.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Examination } from '../../findings/rule.js';
import { cloudRefusalFact } from '../../findings/waiting/facts.js';
import { gatesRuledOut } from '../../findings/waiting/sentence.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import {
  deviceStatements,
  type LostDevices,
  lostAdvice,
  lostStatements,
  unhealthyDevicesAmong,
} from '../../findings/waiting/unhealthy-devices.js';
import type { Remediation } from '../../fixes/remediation.js';
import type { Blockage } from './blockage.js';
import type { Stuck } from './stuck-stable-rollout.js';
import { state } from './text.js';

export const SurgeDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  waitingPods: fact.names('New pods that wait for a node'),
  amount: fact.text('How much of the resource a new pod needs, or which port, label or claim'),
  nodesInAll: fact.count('Number of nodes in the cluster'),
  fitsWithout: z
    .strictObject({ node: fact.text('Name of the node'), pods: fact.names('Names of the old pods') })
    .describe('Where a new pod fits without which old pods'),
  alsoHeldBy: fact.names('Pods of others, as `namespace/name`, that use the resource there as well'),
  cordonedNodes: fact.names('Nodes with room that are cordoned'),
  taintRules: fact.names('DeviceTaintRules that keep the new pod off devices'),
  driverlessNodes: fact.names('Nodes with room that lack the CSI driver of its volume'),
  notReadyNodes: fact.names('Nodes with room that are not ready'),
  cloudRefusal: cloudRefusalFact,
});
type Facts = FactsOf<typeof SurgeDeadlockFacts>;

/** What could give the new pod a place once people act. */
interface Elsewhere {
  /** Nodes with room that somebody cordoned. */
  readonly cordoned: readonly string[];
  /** Nodes with room that are in trouble. */
  readonly notReady: readonly string[];
  /** DeviceTaintRules that alone keep its claims off devices of a node. */
  readonly taintRules: readonly string[];
  /** Nodes that only lack the CSI driver of its volume. */
  readonly driverless: readonly string[];
}

/** @param joining nodes that come into service without help */
export function elsewhereOf(
  { snapshot: { index }, placement }: Examination,
  waiting: Pod,
  joining: readonly string[],
): Elsewhere {
  const cordoned: string[] = [];
  const notReady: string[] = [];
  const driverless: string[] = [];
  const taintRules = new Set<string>();
  const late = new Set(joining);
  for (const verdict of placement.evaluate(waiting).nodes) {
    const node = index.nodes.get(verdict.node);
    if (node === undefined) continue;
    if (!late.has(verdict.node) && isOnlyOutOfService(verdict))
      (isCordoned(node, verdict) ? cordoned : notReady).push(verdict.node);
    if (verdict.tooSmall) continue;
    const { reasons } = verdict;
    if (reasons.length > 0 && reasons.every(({ id }) => id === 'csi-driver-missing'))
      driverless.push(verdict.node);
    for (const rule of reasons.every(({ id }) => id === 'dra') ? reasons.flatMap(rulesIn) : [])
      taintRules.add(rule);
  }
  return { cordoned, notReady, driverless, taintRules: [...taintRules].sort() };
}

/** The rules behind the taints that keep a claim off devices. */
function rulesIn(reason: Reason): readonly string[] {
  return reason.id === 'dra' ? reason.tainted.flatMap(({ rule }) => rule ?? []) : [];
}

function isOnlyOutOfService(verdict: NodeVerdict): boolean {
  return (
    !verdict.tooSmall &&
    verdict.reasons.length > 0 &&
    verdict.notSimulated.length === 0 &&
    verdict.reasons.every((reason) => outOfService(reason) !== undefined)
  );
}

/** Out of service for nothing but a cordon. */
function isCordoned(node: Node, { reasons }: NodeVerdict): boolean {
  const states = reasons.map(outOfService);
  const isCordon = node.spec.unschedulable || states.includes('cordoned');
  return isCordon && !states.includes('not-ready') && !reportsTrouble(node);
}

/** The wait cycle step by step, and what would have to be otherwise. */
export function reasoningOf(
  snapshot: Snapshot,
  { strategy }: Stuck,
  { waiting: pod, resource, holders, nodes, nodesOfOthers }: Blockage,
  {
    facts,
    answers,
    refused,
    lost,
  }: {
    facts: Facts;
    answers: readonly Answer[];
    refused: readonly Statement[];
    lost: readonly LostDevices[];
  },
): readonly Statement[] {
  const { amount, waitingPods, nodesInAll, fitsWithout, alsoHeldBy, cordonedNodes, notReadyNodes } = facts;
  const ready = readinessOf(snapshot);
  return [
    state('needs', {
      pod: pod.metadata.name,
      waiting: waitingPods.length,
      resource,
      amount,
      nodes,
      nodesOfOthers,
      nodesInAll,
    }),
    state('held', { pods: podNames(holders), nodes, resource, amount }),
    ...lostStatements(lost),
    ...deviceStatements(unhealthyDevicesAmong(holders, (each) => each === resource)),
    strategy,
    ...givesUp(snapshot),
    inRole(
      'conclusion',
      state('counterfactual', { pod: pod.metadata.name, without: fitsWithout.pods, node: fitsWithout.node }),
    ),
    ...(alsoHeldBy.length > 0 ? [state('also-holding', { pods: alsoHeldBy, resource })] : []),
    ...(facts.taintRules.length > 0 ? [state('devices-tainted', { rules: facts.taintRules })] : []),
    ...(facts.driverlessNodes.length > 0 ? [state('driver-missing', { nodes: facts.driverlessNodes })] : []),
    ...(cordonedNodes.length > 0 ? [state('room-cordoned', { nodes: cordonedNodes })] : []),
    ...(notReadyNodes.length > 0 ? [state('room-not-ready', { nodes: notReadyNodes })] : []),
    ...refused,
    ...unlessMayOpen(answers, inRole('conclusion', state('no-rescue', { resource }))),
    inRole('readiness', deadlock('served', { ready: ready.pods, wanted: ready.wanted })),
  ];
}

export function ruledOutOf(
  snapshot: Snapshot,
  { workload, holding }: Stuck,
  { waiting, holders, openable, resource }: Blockage,
  { cordoned }: Elsewhere,
  answers: readonly Answer[],
): readonly RuledOut[] {
  const [best] = openable;
  return [
    {
      cause: 'insufficient-capacity',
      because: state('because-fits-without', { pods: podNames(best.remove) }),
    },
    {
      cause: 'capacity-contention',
      because: state('because-own-pods', { pods: podNames(holders), resource }),
    },
    { cause: 'scale-up-pending', because: deadlock('because-old-revision', { pods: holding.length }) },
    ...ruledOutIn(answers),
    ...(cordoned.length > 0
      ? []
      : [{ cause: 'node-cordoned', because: state('because-node-open', { node: best.node }) }]),
    ...(hasReplicaSets(workload)
      ? [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }]
      : []),
    ...gatesRuledOut(snapshot, waiting),
    {
      cause: 'crash-loop-after-rollout',
      because: waitingStatement('because-never-started', { pod: waiting.metadata.name }),
    },
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}

const timeSlicingSnippet = `# ConfigMap of the NVIDIA device plugin
version: v1
sharing:
  timeSlicing:
    resources:
      - name: nvidia.com/gpu
        replicas: 2
`;

/** Which change of the strategy stays in place after the fix, and which fixes cause no downtime. */
export function adviceFor(
  snapshot: Snapshot,
  stuck: Stuck,
  { resource, amount, nodes }: Blockage,
  {
    cordoned,
    joining,
    refused,
    lost,
  }: {
    cordoned: readonly string[];
    joining: readonly string[];
    refused: readonly Advice[];
    lost: readonly LostDevices[];
  },
  offered: readonly Remediation[],
): readonly Advice[] {
  const { workload } = stuck;
  const { index } = snapshot;
  const advice: Advice[] = [...lostAdvice(snapshot, lost)];
  if (joining.length > 0) {
    advice.push({ title: state('advice-wait-title'), text: state('advice-wait', { nodes: joining }) });
  }
  if (cordoned.length > 0) {
    advice.push({
      title: waitingStatement('advice-uncordon-title'),
      text: state('advice-uncordon', { nodes: cordoned }),
      snippet: cordoned.map((node) => `kubectl uncordon ${node}\n`).join(''),
    });
  }
  const lasting = stuck.inside === undefined ? lastingAdvice(workload, offered) : insideAdvice(stuck.inside);
  if (lasting !== undefined) advice.push(lasting);
  const unwanted =
    stuck.state !== undefined && switchesRevisions(stuck.state) ? takenBack(stuck.state) : undefined;
  // More room would lead into the version that nobody wants any more.
  if (unwanted !== undefined) return [...advice, takenBackAdvice(stuck.workload, unwanted)];
  if (isRevisioned(workload) && stuck.inside === undefined)
    advice.push(...adviceOn(workload).advice(index, workload, partNameOf(stuck.waiting[0])));
  advice.push(...refused);
  if (resource === 'podAntiAffinity' || resource === 'topologySpread') {
    advice.push(matchLabelKeys(resource));
  } else if (!['hostPort', 'ReadWriteOncePod', 'csiVolumeLimit', 'deviceClaim', 'pods'].includes(resource)) {
    advice.push({
      title: state('advice-capacity-title', { resource }),
      text: capacityText(workload, { nodes, resource, amount }),
    });
  }
  if (resource === 'nvidia.com/gpu') {
    advice.push({
      title: state('advice-sharing-title'),
      text: state('advice-sharing', { resource }),
      snippet: timeSlicingSnippet,
    });
  }
  return advice;
}

function capacityText(
  workload: Workload,
  { nodes, resource, amount }: Pick<Blockage, 'nodes' | 'resource' | 'amount'>,
): Statement {
  if (hasPodPerNode(workload)) return state('advice-capacity-node', { nodes, resource, amount });
  if (hasGroups(workload)) {
    const { size } = workload.spec.leaderWorkerTemplate;
    return state('advice-capacity-group', { size, resource });
  }
  return state('advice-capacity', { resource, amount });
}

function matchLabelKeys(resource: 'podAntiAffinity' | 'topologySpread'): Advice {
  const field = resource === 'podAntiAffinity' ? 'podAntiAffinity' : 'topologySpreadConstraints';
  return {
    title: state('advice-match-label-keys-title'),
    text: state('advice-match-label-keys', { field }),
    snippet: `# in each required term of ${field}\nmatchLabelKeys:\n  - pod-template-hash\n`,
  };
}
