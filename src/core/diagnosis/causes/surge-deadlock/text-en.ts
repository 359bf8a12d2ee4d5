import { code, say, sentences, word } from '../../../language/prose.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../language/words.js';
import { type Certainty, deadlocked } from '../../deadlock/headline.js';
import { resourceWords } from '../../waiting/resource-words.js';
import { needWords, thingWords } from './need-words.js';

/** The sentences of the cause, in English. */
export const en = {
  'shared-failure': () => say`old pods hold what new pods need`,
  summary: ({ resource, ...rest }: Certainty & { readonly workload: string; readonly resource: string }) =>
    say`${deadlocked('en', rest)}: its new pod needs ${resourceWords('en', resource)}, in use by its own old pod`,
  'standing-but-for-jobs': ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    !isAtLeastOneSecond(stillForSeconds)
      ? say`The rollout to revision ${code(revision)} is stuck. Only the end of a Job's pod can free its place.`
      : say`The rollout to revision ${code(revision)} has been stuck for ${elapsed('en', stillForSeconds)}. Only the end of a Job's pod can free its place.`,
  /** The new pod and what it waits for. `nodes` are those that could ever carry it. */
  needs: ({
    pod,
    waiting,
    resource,
    amount,
    nodes,
    nodesInAll,
  }: {
    readonly pod: string;
    readonly waiting: number;
    readonly resource: string;
    readonly amount: string;
    readonly nodes: readonly string[];
    readonly nodesInAll: number;
  }) =>
    sentences(
      waiting === 1
        ? say`The new pod ${code(pod)} needs ${needWords('en', resource, amount)}.`
        : say`${waiting} new pods are pending. ${code(pod)}, like the others, needs ${needWords('en', resource, amount)}.`,
      nodesInAll === 1
        ? say`The cluster has only one node, ${names('en', nodes)}.`
        : nodes.length === 1
          ? say`Only 1 of ${nodesInAll} nodes could run it: ${names('en', nodes)}.`
          : say`${nodes.length} of ${nodesInAll} nodes could run it: ${names('en', nodes)}.`,
    ),
  held: ({
    pods,
    nodes,
    resource,
    amount,
  }: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  }) =>
    pods.length === 1
      ? say`On ${names('en', nodes)}, ${thingWords('en', resource, amount)} is in use by ${names('en', pods)}, the old pod of the same workload.`
      : say`On ${names('en', nodes)}, ${thingWords('en', resource, amount)} is in use by ${names('en', pods)}, old pods of the same workload.`,
  /** Of a DaemonSet. */
  'strategy-surges': ({
    maxSurge,
    maxUnavailable,
    waiting,
    surge,
    nodes,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly waiting: number;
    readonly surge: number;
    readonly nodes: number;
  }) =>
    sentences(
      say`The strategy (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) starts the new pod beside the old one on the same node. The controller stops the old pod only when the new one is ready.`,
      say`The strategy updates ${surge} of ${counted(nodes, 'node', 'nodes')} at a time, and ${waiting} ${word(waiting === 1 ? 'is' : 'are')} stuck.`,
    ),
  /** Of a StatefulSet. */
  'strategy-ordinals': ({ pod }: { readonly pod: string }) =>
    say`A StatefulSet updates its pods from the highest ordinal down. The controller replaces no other pod before ${code(pod)} is available.`,
  counterfactual: ({
    pod,
    without,
    node,
  }: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  }) =>
    without.length === 1
      ? say`Without ${names('en', without)}, the new pod ${code(pod)} fits on ${code(node)}.`
      : say`Without all of ${names('en', without)}, the new pod ${code(pod)} fits on ${code(node)}.`,
  'no-rescue': (_: { readonly resource: string }) =>
    say`No scale-up, preemption, terminating pod or retry is pending that would change this.`,
  'also-holding': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`Pods of other workloads also use ${code(resource)} there: ${names('en', pods)}.`,
  /** Nodes that would take the new pod but for the state they are in. */
  'room-cordoned': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} could run the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} cordoned.`,
  'room-not-ready': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} could run the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} not in service.`,
  'nodes-joining': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} joined the cluster only minutes ago. The new pod may fit there once the node is ready and has reported its devices.`,
  'evictions-may-free': ({ pods }: { readonly pods: readonly string[] }) =>
    say`A NoExecute taint evicts ${names('en', pods, 3)} after ${code('tolerationSeconds')}. The new pod may fit then.`,
  'standing-but-for-neighbours': ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    !isAtLeastOneSecond(stillForSeconds)
      ? say`The rollout to revision ${code(revision)} is stuck. Only another workload's rollout may still free its place.`
      : say`The rollout to revision ${code(revision)} has been stuck for ${elapsed('en', stillForSeconds)}. Only another workload's rollout may still free its place.`,
  'neighbours-unread': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`${names('en', neighbours, 3)} could not be read in full. A rollout there may still stop old pods, and the new pod may fit then.`,
  'neighbours-stalled': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`The rollout of ${names('en', neighbours, 3)} is stuck at a new pod that is not ready. If that pod becomes ready, old pods there stop, and the new pod may fit then.`,
  'neighbours-replace': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`The rollout of ${names('en', neighbours, 3)} stops its pods one after the other. The new pod may take such a place before the replacement does.`,
  'volumes-may-detach': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Volumes that no pod uses are still attached to ${names('en', nodes, 3)}. When they are detached, the new pod may fit there.`,
  'jobs-may-finish': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'runs' : 'run')} to completion. When ${word(pods.length === 1 ? 'it ends' : 'they end')}, the new pod may fit there.`,
  'other-scheduler': ({ scheduler }: { readonly scheduler: string }) =>
    say`${code(scheduler)} schedules these pods. This diagnosis applies the rules of kube-scheduler, and ${code(scheduler)} may have others.`,
  'refused-elsewhere': ({ node, reasons }: { readonly node: string; readonly reasons: readonly string[] }) =>
    say`${code(node)} cannot run the pod: ${names('en', reasons)}.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Pods on some nodes could not be read (${code(because)}), so free capacity there is not ruled out.`,
  'events-unread': ({ because }: { readonly because: string }) =>
    say`Events could not be read (${code(because)}), so an autoscaler may have ordered a node already.`,
  'gate-unsure': ({ version }: { readonly version: string }) =>
    say`The version ${code(version)} decides only the default of the gate ${code('MaxUnavailableStatefulSet')}. If this cluster has another setting, the controller updates more pods at a time.`,
  'because-fits-without': ({ pods }: { readonly pods: readonly string[] }) =>
    say`the pod fits once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone`,
  'because-own-pods': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`the workload's own ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} ${code(resource)}`,
  'because-no-scale-up': () => say`no autoscaler has ordered a node`,
  'because-node-open': ({ node }: { readonly node: string }) =>
    say`${code(node)} is not cordoned and has no taint against the pod`,
  'ev-ordinals': ({ pod }: { readonly pod: string }) => say`the controller waits for ${code(pod)}`,
  'restart-withheld-ordinals': ({ pod }: { readonly pod: string }) =>
    say`The restarted rollout would also wait for ${code(pod)}.`,
  'exclude-withheld': ({ node }: { readonly node: string }) => say`The pod needs ${code(node)} itself.`,
  'patch-withheld': ({ resource }: { readonly resource: string }) =>
    say`The rollout does not complete whether old pods stop one by one or all at once. ${code(resource)} stays short.`,
  'next-attempt': () => say`The scheduler retries when a pod or node changes, with the same result.`,
  'advice-capacity-title': ({ resource }: { readonly resource: string }) =>
    say`Add capacity for ${code(resource)}`,
  'advice-capacity': ({ resource, amount }: { readonly resource: string; readonly amount: string }) =>
    say`With one more node that has ${code(amount)} of ${code(resource)} free, the new pod starts and no ready pod has to stop.`,
  'advice-capacity-group': ({ size, resource }: { readonly size: number; readonly resource: string }) =>
    say`With enough ${code(resource)} free for one more group of ${counted(size, 'pod', 'pods')}, the new group starts and no ready pod has to stop.`,
  'advice-capacity-node': ({
    nodes,
    resource,
    amount,
  }: {
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  }) =>
    say`The new pod can run nowhere else. With ${code(amount)} more of ${code(resource)} on ${names('en', nodes)}, it starts beside the old one.`,
  'advice-uncordon': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The new pod then starts on ${names('en', nodes)} without downtime. The node was cordoned on purpose, so ask before you uncordon it.`,
  'advice-wait-title': () => say`Wait for the new node`,
  'advice-wait': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`If ${names('en', nodes)} becomes ready with room for the new pod, the rollout continues without downtime.`,
  'advice-sharing-title': () => say`Or let pods share the GPU`,
  'advice-sharing': ({ resource }: { readonly resource: string }) =>
    say`With time-slicing or MIG, a node offers more ${code(resource)} than it has cards. The old and the new pod then fit side by side.`,
  'advice-match-label-keys-title': () => say`Or make revisions ignore each other`,
  'advice-match-label-keys': ({ field }: { readonly field: string }) =>
    say`With ${code('matchLabelKeys: [pod-template-hash]')} in ${code(field)}, only pods of the same revision count. The setting takes effect with the update after the next.`,
};
