import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import type { PodTemplate, Toleration } from '../objects/pod-spec.js';
import type { DaemonSet } from '../objects/workload.js';
import { matchesRequiredNodeAffinity } from '../scheduler/node-selector.js';
import { untoleratedTaints } from '../scheduler/toleration.js';

/** Whether the DaemonSet wants a pod on a node, and lets one that is there go on. */
export interface DaemonOnNode {
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
}

const toleratedAlways: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

/** The template's tolerations and those every daemon pod gets (`AddOrUpdateDaemonPodTolerations`). */
export function daemonTolerations({ spec }: DaemonSet): readonly Toleration[] {
  const known = knownTolerations.get(spec.template);
  if (known !== undefined) return known;
  const tolerations = tolerationsOf(spec.template);
  knownTolerations.set(spec.template, tolerations);
  return tolerations;
}

/** They are asked for at each node. */
const knownTolerations = new WeakMap<PodTemplate, readonly Toleration[]>();

function tolerationsOf(template: PodTemplate): readonly Toleration[] {
  const { tolerations, hostNetwork } = template.spec;
  const added = hostNetwork
    ? [...toleratedAlways, ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const]
    : toleratedAlways;
  return [
    ...tolerations,
    ...added.map(([key, effect]) => ({
      key,
      operator: 'Exists',
      value: '',
      effect,
      tolerationSeconds: undefined,
    })),
  ];
}

/**
 * By node name, selector, required affinity and taints alone; free room does not matter
 * (kubernetes `daemon_controller.go: NodeShouldRunDaemonPod`).
 */
export function daemonOnNode(daemonSet: DaemonSet, node: Node): DaemonOnNode {
  const { template } = daemonSet.spec;
  const answers = knownAnswers.get(template) ?? new WeakMap<Node, DaemonOnNode>();
  knownAnswers.set(template, answers);
  const known = answers.get(node);
  if (known !== undefined) return known;
  const answer = answerFor(daemonSet, node);
  answers.set(node, answer);
  return answer;
}

/** A simulation asks for the same template and node at each step. */
const knownAnswers = new WeakMap<PodTemplate, WeakMap<Node, DaemonOnNode>>();

function answerFor(daemonSet: DaemonSet, node: Node): DaemonOnNode {
  const { spec } = daemonSet.spec.template;
  const named = spec.nodeName === undefined || spec.nodeName === '' || spec.nodeName === node.metadata.name;
  if (!named || !matchesRequiredNodeAffinity(spec, node)) return { shouldRun: false, shouldContinue: false };
  const taints = untoleratedTaints(node.spec.taints, daemonTolerations(daemonSet));
  if (taints.length === 0) return { shouldRun: true, shouldContinue: true };
  return { shouldRun: false, shouldContinue: !taints.some(({ effect }) => effect === 'NoExecute') };
}

/**
 * The node a daemon pod runs on or is meant for; `undefined` where neither is said
 * (`daemonset_util.go: GetTargetNodeName`).
 */
export function targetNode(pod: Pod): string | undefined {
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== '') return pod.spec.nodeName;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const named = required?.nodeSelectorTerms
    .flatMap(({ matchFields }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return named?.values.length === 1 ? named.values[0] : undefined;
}
