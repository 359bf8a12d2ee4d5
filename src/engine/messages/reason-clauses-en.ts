import { code, type Prose, quote, say, word } from '../language/prose.js';
import { counted, names } from '../language/words.js';

/** The unit of a count. */
export type Unit = 'node' | 'node-group' | 'node-pool';

/** One reason. `nodes` is the total number of nodes, when the message states it. */
export type ReasonValues = {
  readonly count: number | undefined;
  readonly nodes: number | undefined;
  readonly unit: Unit;
  readonly detail: string | undefined;
  /** The NodePool, when the message names one. */
  readonly pool: string | undefined;
  readonly text: string;
};

const shown = (detail: string | undefined, otherwise: Prose): Prose =>
  detail === undefined ? otherwise : say`${code(detail)}`;

/** English: the reason that applies to the counted nodes. */
export const clausesEn = {
  'node-affinity': () => say`the labels do not match the pod's nodeSelector or nodeAffinity.`,
  'node-name': () => say`the pod requires a different node (spec.nodeName).`,
  'enforced-affinity': () =>
    say`the labels do not match the node affinity that the scheduler configuration adds to every pod.`,
  'affinity-conflict': () => say`The pod's nodeAffinity contradicts itself. No node can ever match it.`,
  taint: ({ detail }) =>
    detail === undefined
      ? say`a taint that the pod does not tolerate. The message does not name the taint.`
      : say`taint ${code(detail)}, which the pod does not tolerate.`,
  cordoned: () => say`cordoned. The node accepts no new pods until it is uncordoned.`,
  'node-condition': ({ text }) => say`the state of the node does not allow new pods: ${quote(text)}.`,
  resource: ({ detail }) =>
    detail === undefined
      ? say`not enough of a resource is free. The message does not name the resource.`
      : say`not enough free ${code(detail)} for the pod's request.`,
  'pod-slots': () => say`the node's pod limit is reached.`,
  'host-port': () => say`a host port that the pod needs is in use.`,
  'pod-affinity': () => say`no pod that matches the pod's podAffinity runs there.`,
  'pod-anti-affinity': () => say`a pod that conflicts with the pod's podAntiAffinity runs there.`,
  'existing-anti-affinity': () => say`the podAntiAffinity of a pod that runs there excludes this pod.`,
  'pod-affinity-either': () => say`the pod's podAffinity or podAntiAffinity is not satisfied.`,
  'topology-spread': () => say`one more pod there would violate the pod's topologySpreadConstraints.`,
  'topology-label-missing': () =>
    say`the node label that the pod's topologySpreadConstraints use is missing.`,
  'volume-affinity': () => say`the pod's volume cannot be used there (nodeAffinity of the PersistentVolume).`,
  'volume-zone': () => say`the pod's volume is in another zone.`,
  'claim-unbound': () => say`A PersistentVolumeClaim of the pod is not bound to a volume yet.`,
  'storage-class-missing': ({ detail }) =>
    say`The StorageClass ${shown(detail, say`of a claim`)} does not exist.`,
  'no-volume': () => say`no free PersistentVolume there fits the pod's claim.`,
  'storage-full': () => say`the storage there does not have enough free capacity for a new volume.`,
  'volume-lost': ({ detail }) =>
    detail === undefined
      ? say`A PersistentVolumeClaim of the pod is bound to a volume that no longer exists.`
      : say`The volume behind ${code(detail)} no longer exists.`,
  'claim-missing': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`that the pod names`)} does not exist.`,
  'claim-deleting': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`of the pod`)} is being deleted.`,
  'claim-awaited': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`of the pod`)} for its ephemeral volume has not been created yet.`,
  'read-write-once-pod': () => say`another pod uses the claim, and ReadWriteOncePod allows only one pod.`,
  'disk-in-use': () => say`another pod there uses the same disk.`,
  'volume-limit': () => say`the driver's limit of attached volumes is reached.`,
  'driver-missing': ({ detail }) =>
    say`the CSI driver ${shown(detail, say`of the volume`)} is not installed.`,
  devices: ({ text }) => say`the devices that the pod claims cannot be allocated: ${quote(text)}.`,
  'device-claim-missing': ({ detail }) =>
    say`The ResourceClaim ${shown(detail, say`of the pod`)} does not exist.`,
  'device-claim-awaited': ({ text }) => say`A ResourceClaim of the pod is not ready yet: ${quote(text)}.`,
  'device-class-missing': ({ detail }) =>
    say`The DeviceClass ${shown(detail, say`of a claim`)} does not exist.`,
  features: () => say`the kubelet there lacks a feature that the pod needs.`,
  gates: ({ detail }) =>
    detail === undefined
      ? say`The pod has scheduling gates. Their owner must remove them first.`
      : say`Scheduling gates block the pod: ${names('en', detail.split(', '))}. Their owner must remove them first.`,
  gang: ({ text }) => say`The pod waits for the other pods of its group: ${quote(text)}.`,
  'no-node': () => say`No nodes are available to the scheduler.`,
  prebind: ({ detail, text }) =>
    say`The scheduler found a node, but ${shown(detail, say`a plugin`)} could not prepare it: ${quote(text)}. The scheduler retries.`,
  'plugin-left-out': ({ detail }) =>
    detail === 'NodeAffinity'
      ? say`not the node for this pod (NodeAffinity, normal for a DaemonSet pod).`
      : say`excluded in advance by ${shown(detail, say`a scheduler plugin`)}.`,
  'plugin-conflict': ({ detail }) =>
    say`No node remains that ${shown(detail, say`the plugins`)} would allow.`,
  'plugin-failed': ({ detail, text }) =>
    say`The scheduler plugin ${shown(detail, say`(unnamed)`)} failed: ${quote(text)}.`,
  'permit-rejected': ({ detail, text }) =>
    say`The scheduler plugin ${shown(detail, say`(unnamed)`)} rejected the pod after a node was found: ${quote(text)}.`,
  'preemption-awaited': () => say`The pod waits until the pods evicted for it are gone.`,
  'being-deleted': () => say`The pod is being deleted and is no longer scheduled.`,
  'group-limit': ({ text }) => say`the size limit is reached (${quote(text)}).`,
  'group-backoff': ({ text }) => say`scaling up is not possible right now (${quote(text)}).`,
  'instance-types': ({ text }) => say`no allowed instance type fits the pod (${quote(text)}).`,
  'device-full': ({ text }) =>
    say`the devices do not have enough free memory, compute or slots for the pod (${quote(text)}).`,
  'device-mismatch': ({ text }) =>
    say`the devices are not of the type that the pod requests (${quote(text)}).`,
  'device-unhealthy': ({ text }) => say`the devices accept no pods (${quote(text)}).`,
  'device-unregistered': ({ text }) =>
    say`the device plugin has not reported the node's devices (${quote(text)}).`,
  'device-unfit': ({ text }) =>
    say`the device scheduler HAMi rejects the pod without a reason (${quote(text)}). The reason is in its log or its FilteringFailed events.`,
  alignment: ({ text }) => say`not enough free CPUs or devices on one NUMA node (${quote(text)}).`,
  'node-load': ({ text }) => say`the measured load is above the scheduler's limit (${quote(text)}).`,
  reservation: ({ text }) => say`The pod cannot use any Koordinator reservation: ${quote(text)}.`,
  'queue-closed': ({ text }) => say`The quota of the pod's queue or namespace is used up: ${quote(text)}.`,
  preempted: ({ text }) =>
    say`The scheduler preempted this pod to make room for another one: ${quote(text)}.`,
  'kubelet-rejects': ({ text }) =>
    say`The scheduler placed the pod, and the kubelet of that node rejected it: ${quote(text)}.`,
  'kubelet-ends': ({ text }) => say`The kubelet of the pod's node ended the pod: ${quote(text)}.`,
  'resize-infeasible': ({ detail, text }) =>
    say`The pod cannot be resized in place, because its node is too small in ${shown(detail, say`a resource`)}: ${quote(text)}.`,
  'quota-exceeded': ({ text }) =>
    say`The API server refuses to create the pod, because a ResourceQuota of the namespace is used up: ${quote(text)}.`,
  'creation-refused': ({ text }) => say`The API server refuses to create the pod: ${quote(text)}.`,
  'timed-out': ({ text }) => say`The scheduler timed out: ${quote(text)}.`,
  unknown: ({ text }) => say`${quote(text)}.`,
} satisfies Readonly<Record<string, (values: ReasonValues) => Prose>>;

/** The sentence that states a reason in plain words. */
export type ReasonKey = keyof typeof clausesEn;

/** The clause about the nodes (or the pod) for each reason, in one language. */
export type ReasonClauses = { readonly [Key in ReasonKey]: (values: ReasonValues) => Prose };

/** `All 3 nodes`, `1 node`, the NodePool's name. */
export function subjectEn({ count, nodes, unit, pool }: ReasonValues): Prose {
  if (pool !== undefined) return say`NodePool ${code(pool)}`;
  if (unit === 'node-pool') return say`A NodePool`;
  if (count === undefined) return say`Nodes`;
  if (unit === 'node-group') return counted(count, 'node group', 'node groups');
  if (count === nodes) return nodes === 1 ? say`The node` : say`All ${word(String(count))} nodes`;
  return counted(count, 'node', 'nodes');
}
