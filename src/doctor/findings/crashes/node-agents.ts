import { controllerOf } from '../../../engine/objects/metadata.js';
import type { Node } from '../../../engine/objects/node.js';
import { isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasPodPerNode } from '../../../engine/objects/workload.js';
import { untoleratedTaints } from '../../../engine/scheduler/node-selector.js';
import type { Advice } from '../finding.js';
import { podsOf } from './failure-group.js';
import { crash } from './text.js';

/** A pod of a DaemonSet, which serves the other pods of its node: network, storage or devices. */
export interface NodeAgent {
  /** `namespace/name`; absent where the node has no such pod. */
  readonly pod: string | undefined;
  readonly node: string;
  /** `namespace/name` of its DaemonSet. */
  readonly daemonSet: string;
  /** What the kubelet reports of it. */
  readonly reason: string;
  /** Why the DaemonSet makes no pod for the node, as its pods on other nodes show. */
  readonly barrier: Barrier | undefined;
}

/** A taint of the node that the pods do not tolerate, or a label that they select and the node lacks. */
export type Barrier = { readonly what: 'taint' | 'label'; readonly text: string };

/** Agents that are named. */
const shownAgents = 4;

/**
 * Pods of DaemonSets on these nodes that are not ready. Where a message names one of them, only these: the
 * others have another task.
 */
export function troubledAgents(
  snapshot: Snapshot,
  nodes: readonly string[],
  message: string,
): readonly NodeAgent[] {
  const agents = unreadyOn(snapshot, nodes).flatMap((pod) => agentOf(pod) ?? []);
  const named = [
    ...agents.filter(({ daemonSet }) => isNamedIn(message, daemonSet)),
    ...missingAgents(snapshot, nodes, message),
  ];
  return (named.length > 0 ? named : agents).slice(0, shownAgents);
}

/**
 * Device plug-ins register at this socket of the kubelet (kubernetes `deviceplugin/v1beta1/constants.go`).
 */
const deviceSocket = '/var/lib/kubelet/device-plugins/kubelet.sock';

/**
 * Device plug-ins on these nodes that are not ready. One that is missing there is named only where the
 * cluster has no other plug-in, which may serve other devices.
 */
export function troubledDevicePlugins(snapshot: Snapshot, nodes: readonly string[]): readonly NodeAgent[] {
  const unready = unreadyOn(snapshot, nodes)
    .filter((pod) => servesNamed(pod, deviceSocket))
    .flatMap((pod) => agentOf(pod) ?? []);
  const plugins = new Set(
    snapshot.index.objects.Pod.flatMap((pod) => {
      const owner = controllerOf(pod);
      return hasPodPerNode(owner) && servesNamed(pod, deviceSocket) ? [owner.uid] : [];
    }),
  );
  const missing = plugins.size === 1 ? missingAgents(snapshot, nodes, deviceSocket) : [];
  return [...unready, ...missing].slice(0, shownAgents);
}

/** Pods of DaemonSets that use the network of the node and are not ready: some of them make its rules. */
export function unreadyNetworkAgents(snapshot: Snapshot, node: string): readonly NodeAgent[] {
  return unreadyOn(snapshot, [node])
    .filter(({ spec }) => spec.hostNetwork)
    .flatMap((pod) => agentOf(pod) ?? [])
    .slice(0, shownAgents);
}

/** Pods of device plug-ins on these nodes. */
export function devicePluginsOn({ index }: Snapshot, nodes: readonly string[]): readonly Pod['metadata'][] {
  return nodes
    .flatMap((name) => index.podsByNode.get(name) ?? [])
    .filter((pod) => isActive(pod) && hasPodPerNode(controllerOf(pod)) && servesNamed(pod, deviceSocket))
    .map(({ metadata }) => metadata);
}

/** Pods of other workloads on these nodes that are not ready. */
function unreadyOn(snapshot: Snapshot, nodes: readonly string[]): readonly Pod[] {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter((pod) => !own.has(pod.metadata.uid) && isActive(pod) && !isReady(pod));
}

/**
 * DaemonSets that the message is about with pods on other nodes and none on one of these. A name of few words
 * needs several such nodes; a directory of the node that the message names is enough with one.
 */
function missingAgents({ index }: Snapshot, nodes: readonly string[], message: string): readonly NodeAgent[] {
  const nodesOf = new Map<string, Set<string>>();
  const specs = new Map<string, Pod['spec']>();
  const serving = new Set<string>();
  for (const pod of index.objects.Pod) {
    const owner = controllerOf(pod);
    if (!hasPodPerNode(owner) || !isActive(pod) || (pod.spec.nodeName ?? '') === '') continue;
    const key = `${pod.metadata.namespace}/${owner.name}`;
    nodesOf.set(key, (nodesOf.get(key) ?? new Set()).add(pod.spec.nodeName ?? ''));
    specs.set(key, pod.spec);
    if (servesNamed(pod, message)) serving.add(key);
  }
  return [...nodesOf].flatMap(([daemonSet, on]) =>
    nodes
      .filter(
        (node) => !on.has(node) && (serving.has(daemonSet) || (on.size > 1 && isNamedIn(message, daemonSet))),
      )
      .map((node) => ({
        pod: undefined,
        node,
        daemonSet,
        reason: 'missing',
        barrier: barrierOf(index.nodes.get(node), specs.get(daemonSet)),
      })),
  );
}

function barrierOf(node: Node | undefined, spec: Pod['spec'] | undefined): Barrier | undefined {
  if (node === undefined || spec === undefined) return undefined;
  const [taint] = untoleratedTaints(node.spec.taints, spec.tolerations);
  if (taint !== undefined) {
    const { key, value, effect } = taint;
    return { what: 'taint', text: `${key}${value === '' ? '' : `=${value}`}:${effect}` };
  }
  const label = Object.entries(spec.nodeSelector).find(([key, value]) => node.metadata.labels[key] !== value);
  return label && { what: 'label', text: label.join('=') };
}

/**
 * Whether a message has every word of the DaemonSet's name: `calico/node` and `calico-node` are the same
 * agent.
 */
function isNamedIn(message: string, daemonSet: string): boolean {
  const words = new Set(
    message
      .slice(0, 4096)
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  const [, name = ''] = daemonSet.split('/');
  return name.split('-').every((part) => words.has(part));
}

/**
 * Whether the pod serves what the message names by a directory of the node: that of its socket, its file or
 * its program, or the name of a driver, which is the last part of the directory of its plug-in.
 */
function servesNamed({ spec }: Pod, message: string): boolean {
  const said = message.slice(0, 4096);
  const named = [...said.matchAll(/(?<![\w.-])\/[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,12}/g)].flatMap(([at]) => [
    at,
    at.slice(0, at.lastIndexOf('/')),
  ]);
  return spec.volumes.some(({ hostPath }) => {
    const path = hostPath?.path.replace(/\/{1,8}$/, '') ?? '';
    const last = path.slice(path.lastIndexOf('/') + 1);
    return named.includes(path) || (last.includes('.') && said.split(/[^\w.-]/).includes(last));
  });
}

function agentOf(pod: Pod): NodeAgent | undefined {
  const owner = controllerOf(pod);
  if (!hasPodPerNode(owner)) return undefined;
  const { namespace, name } = pod.metadata;
  const trouble = [...pod.status.initContainerStatuses, ...pod.status.containerStatuses].find(
    ({ ready, state }) => !ready && state.terminated?.exitCode !== 0,
  );
  return {
    pod: `${namespace}/${name}`,
    node: pod.spec.nodeName ?? '',
    daemonSet: `${namespace}/${owner.name}`,
    reason: trouble?.state.waiting?.reason ?? trouble?.state.terminated?.reason ?? 'NotReady',
    barrier: undefined,
  };
}

/** What to do about the first of them; nothing where none is in trouble. */
export function agentAdvice([agent]: readonly NodeAgent[]): readonly Advice[] {
  if (agent === undefined) return [];
  const { daemonSet, node, pod } = agent;
  const [namespace = '', name = ''] = (pod ?? daemonSet).split('/');
  return [
    {
      title: crash('advice-agent-title', { daemonSet }),
      text: crash('advice-agent', { node }),
      snippet:
        pod === undefined
          ? `kubectl -n ${namespace} describe daemonset ${name}\n`
          : `kubectl -n ${namespace} logs ${name} --all-containers --previous\n`,
    },
  ];
}
