import type { CoreV1Event, KubernetesObject, V1Pod } from '@kubernetes/client-node';

/** The objects of one incident in a cluster by kind, without the values that differ between clusters. */
export type Comparable = Readonly<Record<string, readonly string[]>>;

/** Names and times that each cluster chooses, and values that depend on the node of a pod. */
const dropped: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'startTime',
  'startedAt',
  'nodeName',
  'hostIP',
  'hostIPs',
  'podIP',
  'podIPs',
  'timeAdded',
  'kind',
  'apiVersion',
  // Written by kubelets, whose part other programs play on both sides.
  'observedGeneration',
  'containerID',
  'imageID',
  // Kept by the conversion from an API version that is no longer served.
  'deprecated.daemonset.template.generation',
]);

/** To every client the same as if they were not there; the real API server leaves them out. */
const emptiable: ReadonlySet<string> = new Set(['annotations', 'labels', 'limits', 'requests', 'resources']);

/** The token volume that the admission of ServiceAccounts adds; the demo's cluster has no such tokens. */
const isTokenVolume = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  String(value.name).startsWith('kube-api-access-');

/** The taint that the node lifecycle controller puts on a cordoned node beside `unschedulable`. */
const isCordonTaint = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  value.key === 'node.kubernetes.io/unschedulable';

/** Removes values that differ, and fields that become empty by that. */
function comparableField(key: string, value: unknown): unknown {
  if (dropped.has(key)) return undefined;
  if (Array.isArray(value)) {
    const kept = value.filter((item) => !isTokenVolume(item) && !(key === 'taints' && isCordonTaint(item)));
    return kept.length === 0 ? undefined : kept;
  }
  if (emptiable.has(key) && typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(
      ([name, item]) => !dropped.has(name) && JSON.stringify(item) !== '{}',
    );
    return fields.length === 0 ? undefined : sorted(Object.fromEntries(fields));
  }
  return value;
}

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

const podName = /\b[a-z0-9-]+-[a-z0-9]{5}\b/g;

/** One text for each object: names of ReplicaSets and pods become the workload's, hashes and times go. */
export function comparable(items: readonly KubernetesObject[]): Comparable {
  const owned = items.filter(({ kind }) => kind === 'ReplicaSet' || kind === 'Pod');
  const names = owned
    .map(({ kind, metadata }) => [metadata?.name ?? '', `<${kind}>`] as const)
    .sort(([a], [b]) => b.length - a.length);
  const hashes = items.flatMap(({ metadata }) => [
    metadata?.labels?.['pod-template-hash'] ?? '',
    metadata?.labels?.['controller-revision-hash'] ?? '',
  ]);
  const plain = (text: string): string => {
    let result = text;
    for (const [name, as] of names) result = result.replaceAll(name, as);
    for (const hash of hashes) if (hash !== '') result = result.replaceAll(hash, '<hash>');
    // Whether the first count or the creation is noted last is a race in the real controller.
    result = result.replaceAll(
      /"message":"[^"]*(?:\\"[^"]*)*","reason":"(?:NewReplicaSetCreated|ReplicaSetUpdated)"/g,
      '"reason":"<progressing>"',
    );
    // On which node a DaemonSet surges first is left to chance.
    result = result.replaceAll(
      /("key":"metadata\.name","operator":"In","values":)\["[^"]*"\]/g,
      '$1["<Node>"]',
    );
    return result.replaceAll(/<ReplicaSet>-[a-z0-9]{5}\b/g, '<Pod>');
  };
  const placed = new Set(items.filter(hasNode).map(({ metadata }) => metadata?.name ?? ''));
  const kinds: Record<string, string[]> = {};
  for (const item of items.filter((one) => !isKubeletEvent(one) && !isOvercome(one, placed))) {
    const kind = item.kind ?? '';
    const text = plain(JSON.stringify(essential(item), comparableField));
    kinds[kind] = [...(kinds[kind] ?? []), text];
  }
  return Object.fromEntries(Object.entries(kinds).map(([kind, texts]) => [kind, [...new Set(texts)].sort()]));
}

/** Nobody writes these for the simulated kubelets of the real control plane. */
const isKubeletEvent = (object: KubernetesObject): boolean =>
  object.kind === 'Event' &&
  ['Pulled', 'Created', 'Started', 'Killing'].includes(String(Object(object).reason));

const hasNode = (object: KubernetesObject): boolean =>
  object.kind === 'Pod' && Boolean((object as V1Pod).spec?.nodeName);

/** A short rejection, such as by a node that was about to become ready. */
const isOvercome = (object: KubernetesObject, placed: ReadonlySet<string>): boolean => {
  const { kind, reason, involvedObject } = object as CoreV1Event;
  return kind === 'Event' && reason === 'FailedScheduling' && placed.has(involvedObject.name ?? '');
};

function essential(object: KubernetesObject): object {
  const { kind, metadata, ...rest } = object;
  const fields = rest as { spec?: object; status?: object };
  if (kind === 'Event') {
    const { reason, message, type, involvedObject, source, reportingComponent } = rest as Record<
      string,
      unknown
    >;
    const { kind: about, name } = involvedObject as { kind: string; name: string };
    const component = reportingComponent || (source as { component?: string } | undefined)?.component;
    // Pods that are gone have their names here only.
    const shownMessage = about === 'Pod' ? String(message).replace(podName, '<Pod>') : message;
    return { reason, message: shownMessage, type, about, name: about === 'Pod' ? '<Pod>' : name, component };
  }
  if (kind === 'Node') return { name: metadata?.name, spec: fields.spec };
  const { generateName, labels, annotations, generation } = metadata ?? {};
  return { generateName, labels, annotations, generation, spec: fields.spec, status: fields.status };
}

/** Lines that only one of both has, with which one. */
export function differences(real: Comparable, demo: Comparable): readonly string[] {
  const kinds = [...new Set([...Object.keys(real), ...Object.keys(demo)])];
  return kinds.flatMap((kind) => {
    const [a = [], b = []] = [real[kind], demo[kind]];
    return [
      ...a.filter((text) => !b.includes(text)).map((text) => `only real ${kind}: ${text}`),
      ...b.filter((text) => !a.includes(text)).map((text) => `only demo ${kind}: ${text}`),
    ];
  });
}
