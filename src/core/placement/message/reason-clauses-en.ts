import { code, type Prose, quote, say, word } from '../../language/prose.js';
import { counted, names } from '../../language/words.js';
import type { ReasonClauses, ReasonValues } from './reason-text.js';

const shown = (detail: string | undefined, otherwise: Prose): Prose =>
  detail === undefined ? otherwise : say`${code(detail)}`;

/** English: what holds for the nodes that are counted. */
export const clausesEn: ReasonClauses = {
  'node-affinity': () => say`the labels do not match the pod's nodeSelector or nodeAffinity.`,
  'node-name': () => say`not the node that the pod names in spec.nodeName.`,
  'enforced-affinity': () =>
    say`the labels do not match the affinity that the scheduler's own configuration adds to every pod.`,
  'affinity-conflict': () => say`The pod's nodeAffinity contradicts itself. No node can ever match it.`,
  taint: ({ detail }) =>
    detail === undefined
      ? say`a taint that the pod does not tolerate. The sentence does not say which.`
      : say`tainted ${code(detail)}, and the pod does not tolerate it.`,
  cordoned: () => say`cordoned. No new pod is let in until someone uncordons it.`,
  'node-condition': ({ text }) => say`not fit to take pods: ${quote(text)}.`,
  resource: ({ detail }) =>
    detail === undefined
      ? say`too little of a resource is free. The sentence does not say of which.`
      : say`not enough free ${code(detail)} for what the pod requests.`,
  'pod-slots': () => say`no pod slot is free (the node's limit of pods).`,
  'host-port': () => say`a host port that the pod wants is taken.`,
  'pod-affinity': () => say`no pod is there that this pod has to be near (podAffinity).`,
  'pod-anti-affinity': () => say`a pod is there that this pod must keep away from (podAntiAffinity).`,
  'existing-anti-affinity': () => say`a pod there keeps this pod away (its podAntiAffinity).`,
  'pod-affinity-either': () => say`podAffinity or podAntiAffinity is not met.`,
  'topology-spread': () => say`one more pod there would break the pod's topologySpreadConstraints.`,
  'topology-label-missing': () =>
    say`a label is missing that the pod's topologySpreadConstraints are counted by.`,
  'volume-affinity': () => say`the pod's volume cannot be used there (nodeAffinity of the PersistentVolume).`,
  'volume-zone': () => say`the pod's volume is in another zone.`,
  'claim-unbound': () => say`A PersistentVolumeClaim of the pod is not bound to a volume yet.`,
  'storage-class-missing': ({ detail }) =>
    say`The StorageClass ${shown(detail, say`of a claim`)} does not exist.`,
  'no-volume': () => say`no free PersistentVolume there fits the pod's claim.`,
  'storage-full': () => say`the storage there has too little room for a new volume.`,
  'volume-lost': ({ detail }) =>
    detail === undefined
      ? say`A PersistentVolumeClaim of the pod is bound to a volume that no longer exists.`
      : say`The volume behind ${code(detail)} no longer exists.`,
  'claim-missing': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`that the pod names`)} does not exist.`,
  'claim-deleting': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`of the pod`)} is being deleted.`,
  'claim-awaited': ({ detail }) =>
    say`The PersistentVolumeClaim ${shown(detail, say`of the pod`)} is still to be created, for its ephemeral volume.`,
  'read-write-once-pod': () => say`another pod uses the claim, and ReadWriteOncePod allows only one.`,
  'disk-in-use': () => say`another pod there uses the same disk.`,
  'volume-limit': () => say`no further volume can be attached (the driver's limit).`,
  'driver-missing': ({ detail }) =>
    say`the CSI driver ${shown(detail, say`of the volume`)} is not installed.`,
  devices: ({ text }) => say`the devices that the pod claims are not to be had: ${quote(text)}.`,
  'device-claim-awaited': ({ text }) => say`A ResourceClaim of the pod is not ready yet: ${quote(text)}.`,
  'device-class-missing': ({ detail }) =>
    say`The DeviceClass ${shown(detail, say`of a claim`)} does not exist.`,
  features: () => say`the kubelet there lacks a feature that the pod needs.`,
  gates: ({ detail }) =>
    detail === undefined
      ? say`The pod has scheduling gates. Who set them must remove them first.`
      : say`The pod is held by scheduling gates: ${names('en', detail.split(', '))}. Who set them must remove them first.`,
  gang: ({ text }) => say`The pod waits for the other pods of its group: ${quote(text)}.`,
  'no-node': () => say`The scheduler knows no node at all.`,
  prebind: ({ detail, text }) =>
    say`A node was found, but ${shown(detail, say`a plugin`)} could not prepare it: ${quote(text)}. The scheduler tries again.`,
  'plugin-left-out': ({ detail }) =>
    detail === 'NodeAffinity'
      ? say`not the node this pod is meant for (NodeAffinity; usual for a DaemonSet's pod).`
      : say`left out beforehand by ${shown(detail, say`a plugin of the scheduler`)}.`,
  'plugin-conflict': ({ detail }) =>
    say`No node is left that ${shown(detail, say`the plugins`)} would allow.`,
  'plugin-failed': ({ detail, text }) =>
    say`The scheduler's plugin ${shown(detail, say`(unnamed)`)} failed: ${quote(text)}.`,
  'permit-rejected': ({ detail, text }) =>
    say`The scheduler's plugin ${shown(detail, say`(unnamed)`)} rejected the pod after a node was found: ${quote(text)}.`,
  'preemption-awaited': () => say`The pod waits until the pods evicted for it are gone.`,
  'being-deleted': () => say`The pod is being deleted, so it gets no node any more.`,
  'group-limit': ({ text }) => say`at the limit (${quote(text)}).`,
  'group-backoff': ({ text }) => say`cannot grow at the moment (${quote(text)}).`,
  'instance-types': ({ text }) => say`no instance type it may order fits the pod (${quote(text)}).`,
  'device-full': ({ text }) =>
    say`the devices there have too little free memory, compute or slots for the pod (${quote(text)}).`,
  'device-mismatch': ({ text }) =>
    say`the devices there are not of the kind that the pod asks for (${quote(text)}).`,
  'device-unhealthy': ({ text }) => say`the devices there take no pods (${quote(text)}).`,
  'device-unregistered': ({ text }) =>
    say`the device plugin has not reported the node's devices (${quote(text)}).`,
  'device-unfit': ({ text }) =>
    say`the device scheduler HAMi refuses the pod and does not say why (${quote(text)}). Its log or its FilteringFailed events do.`,
  alignment: ({ text }) => say`CPUs or devices of one NUMA node are not free together (${quote(text)}).`,
  'node-load': ({ text }) => say`the measured load is above the scheduler's limit (${quote(text)}).`,
  reservation: ({ text }) => say`Reservations of Koordinator do not help the pod: ${quote(text)}.`,
  'queue-closed': ({ text }) => say`The quota of the pod's queue or namespace is used up: ${quote(text)}.`,
  preempted: ({ text }) => say`The scheduler evicted this pod to make room for another one: ${quote(text)}.`,
  'timed-out': ({ text }) =>
    say`The scheduler waited for something that did not happen in time: ${quote(text)}.`,
  unknown: ({ text }) => say`${quote(text)}.`,
};

/** `All 3 nodes`, `1 node`, the NodePool's name. */
export function subjectEn({ count, nodes, unit, pool }: ReasonValues): Prose {
  if (pool !== undefined) return say`NodePool ${code(pool)}`;
  if (unit === 'node-pool') return say`A NodePool`;
  if (count === undefined) return say`Nodes`;
  if (unit === 'node-group') return counted(count, 'node group', 'node groups');
  if (count === nodes) return nodes === 1 ? say`The node` : say`All ${word(String(count))} nodes`;
  return counted(count, 'node', 'nodes');
}
