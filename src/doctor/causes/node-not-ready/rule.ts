import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { fateOf } from '../../../engine/neighbours/evicted-pods.js';
import { type Condition, conditionOf } from '../../../engine/objects/metadata.js';
import type { Node } from '../../../engine/objects/node.js';
import { isReady, isTerminal, type Pod, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasOrdinals, workloadKinds } from '../../../engine/objects/workload.js';
import { epochOf } from '../../../engine/workloads/creation-order.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import { type Advice, blamedNode, type Evidence, type RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { type Block, blocksOf, nodesOf, waitingFactsOf } from '../../findings/waiting/block.js';
import { blocksFor } from '../../findings/waiting/cause-of.js';
import { waitingFacts } from '../../findings/waiting/facts.js';
import { ruledOutByWaiting, waitingFinding } from '../../findings/waiting/finding.js';
import { refusalsOf } from '../../findings/waiting/refusal.js';
import { waiting } from '../../findings/waiting/text.js';
import { state, text } from './text.js';
import { thoseWhoWait } from './waiting-taints.js';

const NodeNotReadyFacts = z.strictObject({
  troubles: z
    .array(
      z.strictObject({
        node: fact.text('Name of the node'),
        status: fact
          .text('Status of its condition Ready; absent where only taints show the trouble')
          .optional(),
        reason: fact.text('Reason of the condition').optional(),
        message: fact.text('Message of the condition').optional(),
        since: fact.time('Since when the condition has this status').optional(),
        isCordoned: fact.flag('It is cordoned as well').optional(),
        warnedOfCgroupV1: fact.time('When its kubelet warned that the node uses cgroup v1').optional(),
        taints: fact.names('Taints of the node, as `key:effect`').optional(),
      }),
    )
    .describe('The nodes that are not ready'),
  lostPods: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        node: fact.text('Its node'),
        fate: fact.oneOf(
          ['stuck', 'evicted', 'stays', 'unknown'],
          '`evicted`: deleted at `at`; `stays`: tolerated without limit; `stuck`: deleted, and nothing confirms its end',
        ),
        at: fact.time('When it is evicted').optional(),
      }),
    )
    .describe('Pods of the workload on these nodes'),
  waiting: z
    .strictObject(waitingFacts)
    .describe('The pods that wait for a node, where the cause was found by them')
    .optional(),
  fitsWhenReady: fact.flag('A waiting pod fits on these nodes once they are ready').optional(),
});

/** Nodes told one by one. */
const shown = 5;

/**
 * A node that is not ready took pods of the workload along, or is the one that would take the waiting ones.
 * Says since when and in whose words, what becomes of the pods there and when, and what to do about a node
 * that will not return.
 */
export const nodeNotReady: Rule<typeof NodeNotReadyFacts> = {
  id: 'node-not-ready',
  facts: NodeNotReadyFacts,
  text,
  origin: 'surroundings',
  shows: 'pods-by-node',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: [
    'capacity-contention',
    'insufficient-capacity',
    'scale-up-pending',
    'progress-deadline-exceeded',
  ],
  detect(examination) {
    const lost = lostNodes(examination.snapshot);
    const ready = readinessOf(examination.snapshot);
    if (lost.length > 0 && ready.pods < ready.wanted) return ofLost(examination, lost);
    const blocks = blocksFor(examination, 'node-not-ready');
    return blocks === undefined ? undefined : ofWaiting(examination, blocks);
  },
};

type Facts = FactsOf<typeof NodeNotReadyFacts>;

function ofWaiting(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
): Detected<typeof NodeNotReadyFacts> {
  const [block] = blocks;
  const nodes = nodesOf(blocks);
  const open = block.why.kind === 'not-ready' ? block.why.open : [];
  const troubled = nodes.filter(({ refusal }) => refusal === 'not-ready').map(({ name }) => name);
  const named = open.length > 0 ? open : troubled;
  const waitingPods = waitingFactsOf(examination, blocks);
  const facts: Facts = {
    troubles: named.map((name) => troubleOf(examination, name)),
    lostPods: [],
    waiting: waitingPods,
    fitsWhenReady: open.length > 0,
  };
  const those = thoseWhoWait(examination.snapshot, facts.troubles);
  const finding = waitingFinding(examination, blocks, {
    facts: waitingPods,
    summary: state('summary', { workload: workloadName(examination.snapshot), nodes: named, lost: 0 }),
    nodes: named,
    ...blamedNode(named),
    reasoning: [
      ...facts.troubles.slice(0, shown).map(troubleStatement),
      ...those.reasoning,
      ...cgroupStatements(facts.troubles),
      ...cordonStatements(facts.troubles),
      facts.fitsWhenReady
        ? state('would-take', { pod: block.pod.metadata.name, nodes: named })
        : state('short-as-well', { nodes: named }),
      ...(nodes.length > named.length
        ? [waiting('tally', { nodesInAll: waitingPods.nodesInAll, groups: waitingPods.refusals })]
        : []),
    ],
    evidence: named.slice(0, shown).flatMap((name) => conditionEvidence(examination, name)),
    ruledOut: [
      ...ruledOutByWaiting(examination, block),
      ...notCordoned(facts.troubles),
      { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
    ],
    nextAttempt: { what: state('next-node') },
    ...(open.length > 0 ? {} : { atMost: 'likely' as const }),
    advice: [...those.advice, ...adviceFor(facts.troubles, false)],
  });
  return { ...finding, facts };
}

function ofLost(examination: Examination, lost: readonly LostNode[]): Detected<typeof NodeNotReadyFacts> {
  const { snapshot } = examination;
  const { kind } = snapshot.workload;
  const ready = readinessOf(snapshot);
  const nodes = lost.map(({ node }) => node.metadata.name);
  const fates = lost.flatMap(({ node, pods }) => pods.map((pod) => ({ pod, fate: fateOf(pod, node) })));
  const next = fates
    .flatMap(({ fate }) => (fate.kind === 'evicted' ? [fate.at] : []))
    .filter((at) => Date.parse(at) > nowOf(snapshot))
    .sort()[0];
  const facts: Facts = {
    troubles: nodes.map((name) => troubleOf(examination, name)),
    lostPods: fates.map(({ pod, fate }) => ({
      pod: pod.metadata.name,
      node: pod.spec.nodeName ?? '',
      fate: fate.kind,
      ...(fate.kind === 'evicted' ? { at: fate.at } : {}),
    })),
  };
  const early = lost.flatMap((each) => [...unreadyBefore(each)]);
  const isStuck = fates.some(({ fate }) => fate.kind === 'stuck');
  return {
    confidence: early.length > 0 ? 'likely' : 'proven',
    severity: ready.pods === 0 ? 'critical' : 'warning',
    nodes,
    ...blamedNode(nodes),
    facts,
    summary: state('summary', { workload: workloadName(snapshot), nodes, lost: facts.lostPods.length }),
    standing: next === undefined ? undefined : state('standing-lost', { at: next }),
    reasoning: [
      ...facts.troubles.slice(0, shown).flatMap((trouble) => [
        troubleStatement(trouble),
        state('lost', {
          pods: facts.lostPods.filter((each) => each.node === trouble.node).map(({ pod }) => pod),
          node: trouble.node,
        }),
      ]),
      ...cgroupStatements(facts.troubles),
      ...cordonStatements(facts.troubles),
      ...fateStatements(facts.lostPods),
      ...(hasOrdinals({ kind }) ? [state('no-replacement-yet')] : []),
      ...waitingMeanwhile(examination),
    ],
    evidence: [
      ...nodes.slice(0, shown).flatMap((name) => conditionEvidence(examination, name)),
      ...fates.slice(0, 10).map(({ pod }): Evidence => {
        const condition = conditionOf(pod.status, 'Ready');
        return {
          object: refOf(pod),
          field: 'status.conditions[Ready]',
          value: condition?.status ?? '',
          ...(condition?.lastTransitionTime === undefined ? {} : { at: condition.lastTransitionTime }),
          says: state('ev-pod-there', { pod: pod.metadata.name }),
        };
      }),
    ],
    ruledOut: [
      { cause: 'crash-loop-on-node', because: state('because-node-went-first', { node: nodes[0] ?? '' }) },
      { cause: 'readiness-failing', because: state('because-node-went-first', { node: nodes[0] ?? '' }) },
      ...notCordoned(facts.troubles),
    ],
    nextAttempt: { at: next, what: next === undefined ? state('next-node') : state('next-eviction') },
    withheld: [
      { kind: 'delete-pod', because: state('delete-withheld') },
      { kind: 'exclude-nodes', because: state('exclude-withheld') },
      { kind: 'restart-rollout', because: state('restart-withheld-here') },
    ],
    advice: adviceFor(facts.troubles, isStuck),
    weakenedBy:
      early.length === 0 ? [] : [state('unready-before', { pods: early.map((pod) => pod.metadata.name) })],
  };
}

function fateStatements(lost: Facts['lostPods']): readonly Statement[] {
  const namesOf = (kind: string): readonly string[] =>
    lost.filter(({ fate }) => fate === kind).map(({ pod }) => pod);
  const stuck = namesOf('stuck');
  const stays = namesOf('stays');
  const times = [...new Set(lost.flatMap(({ at }) => at ?? []))].sort();
  const evicted = times.map((at) =>
    state('leave-at', { pods: lost.filter((each) => each.at === at).map(({ pod }) => pod), at }),
  );
  return [
    ...evicted.slice(0, shown),
    ...(stays.length === 0 ? [] : [state('stays-without-limit', { pods: stays })]),
    ...(stuck.length === 0 ? [] : [state('stuck-there', { pods: stuck })]),
  ];
}

/** Replacements, for the most part, that lack the room which the lost node had. */
function waitingMeanwhile(examination: Examination): readonly Statement[] {
  const blocks = blocksOf(examination);
  if (blocks.length === 0) return [];
  const nodes = nodesOf(blocks);
  return [
    state('others-wait', { pods: blocks.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)) }),
    ...nodes
      .slice(0, shown)
      .map(({ name, reasons }) => waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) })),
  ];
}

/** A node that is cordoned as well has to be uncordoned once it is healthy. */
function cordonStatements(troubles: Facts['troubles']): readonly Statement[] {
  const nodes = troubles.flatMap(({ node, isCordoned = false }) => (isCordoned ? [node] : []));
  return nodes.length === 0 ? [] : [state('cordoned-as-well', { nodes })];
}

function notCordoned(troubles: Facts['troubles']): readonly RuledOut[] {
  return troubles.some(({ isCordoned = false }) => isCordoned)
    ? []
    : [{ cause: 'node-cordoned', because: state('because-not-cordoned') }];
}

function troubleOf(examination: Examination, name: string): Facts['troubles'][number] {
  const isCordoned = examination.snapshot.index.nodes.get(name)?.spec.unschedulable ?? false;
  return { ...stateOf(examination, name), ...(isCordoned ? { isCordoned } : {}) };
}

function stateOf({ snapshot }: Examination, name: string): Facts['troubles'][number] {
  const node = snapshot.index.nodes.get(name);
  const condition = node === undefined ? undefined : conditionOf(node.status, 'Ready');
  if (condition === undefined || condition.status === 'True') {
    const taints = (node?.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
    return { node: name, taints };
  }
  const { status, reason, message, lastTransitionTime } = condition;
  const warning = snapshot.index.objects.Event.findLast(
    ({ involvedObject, reason: of }) => of === cgroupV1 && involvedObject.name === name,
  );
  const warned = status === 'Unknown' ? warning?.lastSeen : undefined;
  return {
    node: name,
    status,
    reason,
    message,
    since: lastTransitionTime,
    ...(warned === undefined ? {} : { warnedOfCgroupV1: warned }),
  };
}

/** Kubernetes `pkg/kubelet/events/event.go`. A kubelet of today says it at each start. */
const cgroupV1 = 'CgroupV1';

/** Why a kubelet of the next version, or with its default settings, does not come back. */
function cgroupStatements(troubles: Facts['troubles']): readonly Statement[] {
  return troubles
    .slice(0, shown)
    .flatMap(({ node, warnedOfCgroupV1: at }) =>
      at === undefined ? [] : [state('cgroup-v1', { node, at })],
    );
}

function troubleStatement({ node, status, reason, message, since, taints }: Facts['troubles'][number]) {
  return status === undefined
    ? state('trouble', { node, taints: taints ?? [] })
    : state('not-ready', { node, status, reason: reason ?? '', message: message ?? '', since });
}

function conditionEvidence({ snapshot }: Examination, name: string): readonly Evidence[] {
  const node = snapshot.index.nodes.get(name);
  const troubles = (node?.status.conditions ?? []).filter(({ type, status }) =>
    type === 'Ready' ? status !== 'True' : status === 'True' && type.endsWith('Pressure'),
  );
  return troubles.map(({ type, status, reason, message, lastTransitionTime }) => ({
    object: { kind: 'Node', namespace: '', name },
    field: `status.conditions[${type}]`,
    value: `${status} ${reason}: ${message}`,
    at: lastTransitionTime,
    says: state('ev-condition', { node: name }),
  }));
}

/**
 * Look first; declare a node dead only when it is. `isStuck`: pods wait for a word of a kubelet that may
 * never come.
 */
function adviceFor(troubles: Facts['troubles'], isStuck: boolean): readonly Advice[] {
  const nodes = troubles.map(({ node }) => node);
  const [first] = nodes;
  const warned = troubles.find(({ warnedOfCgroupV1 }) => warnedOfCgroupV1 !== undefined);
  return [
    ...(warned === undefined
      ? []
      : [
          {
            title: state('advice-cgroup-title', { node: warned.node }),
            text: state('advice-cgroup'),
            snippet: 'stat -fc %T /sys/fs/cgroup   # on the node; tmpfs: cgroup v1\n',
          },
        ]),

    {
      title: state('advice-look-title'),
      text: state('advice-look', { nodes }),
      snippet: nodes.map((node) => `kubectl describe node ${node}\n`).join(''),
    },
    ...(isStuck && first !== undefined
      ? [
          {
            title: state('advice-off-title'),
            text: state('advice-off', { node: first }),
            snippet: `kubectl taint nodes ${first} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n`,
          },
        ]
      : []),
  ];
}

/** A node that is not ready, and the workload's pods that it took along. */
interface LostNode {
  readonly node: Node;
  /** Its condition Ready, which is False or Unknown. */
  readonly condition: Condition;
  /** Not ready themselves, whether still wanted there or already deleted. */
  readonly pods: readonly Pod[];
}

/** The nodes that are not ready and hold pods of the workload that are not ready either. */
function lostNodes(snapshot: Snapshot): readonly LostNode[] {
  const own = rolloutStateOf(snapshot).pods.filter((pod) => !isTerminal(pod) && !isReady(pod));
  if (own.length === 0) return [];
  const names = new Set(own.map(({ spec }) => spec.nodeName));
  return snapshot.index.objects.Node.flatMap((node) => {
    if (!names.has(node.metadata.name)) return [];
    const condition = conditionOf(node.status, 'Ready');
    if (condition === undefined || condition.status === 'True') return [];
    return [{ node, condition, pods: own.filter(({ spec }) => spec.nodeName === node.metadata.name) }];
  });
}

/** Pods that were not ready well before their node was: the node is not why. */
function unreadyBefore({ condition, pods }: LostNode): readonly Pod[] {
  const since = epochOf(condition.lastTransitionTime);
  if (since === undefined) return [];
  return pods.filter((pod) => {
    const ready = epochOf(conditionOf(pod.status, 'Ready')?.lastTransitionTime);
    return ready !== undefined && since - ready > slackMs;
  });
}

/** The node controller marks pods within its monitoring period and a grace period of the kubelet. */
const slackMs = 120_000;
