import { type JsonObject, listAt, setAt, textAt } from '../json.js';
import { fill } from './workload-defaults.js';

export function applyNamespaceDefaults(namespace: JsonObject): void {
  fill(namespace, ['spec', 'finalizers'], ['kubernetes']);
  fill(namespace, ['status', 'phase'], 'Active');
  const name = textAt(namespace, 'metadata', 'name');
  if (name !== undefined && name !== '') {
    setAt(namespace, ['metadata', 'labels', 'kubernetes.io/metadata.name'], name);
  }
}

export function applyServiceDefaults(service: JsonObject): void {
  fill(service, ['spec', 'type'], 'ClusterIP');
  fill(service, ['spec', 'sessionAffinity'], 'None');
  fill(service, ['spec', 'internalTrafficPolicy'], 'Cluster');
  for (const port of listAt(service, 'spec', 'ports')) {
    port.protocol ??= 'TCP';
    port.targetPort ??= port.port;
  }
}

export function applyClaimDefaults(claim: JsonObject): void {
  fill(claim, ['spec', 'volumeMode'], 'Filesystem');
  fill(claim, ['status', 'phase'], 'Pending');
}

export function applyVolumeDefaults(volume: JsonObject): void {
  fill(volume, ['spec', 'volumeMode'], 'Filesystem');
  fill(volume, ['spec', 'persistentVolumeReclaimPolicy'], 'Retain');
  fill(volume, ['status', 'phase'], 'Available');
}

export function applyStorageClassDefaults(storageClass: JsonObject): void {
  fill(storageClass, ['reclaimPolicy'], 'Delete');
  fill(storageClass, ['volumeBindingMode'], 'Immediate');
}

export function applySecretDefaults(secret: JsonObject): void {
  fill(secret, ['type'], 'Opaque');
  const plain = secret.stringData;
  delete secret.stringData;
  if (typeof plain !== 'object' || plain === null) return;
  for (const [key, value] of Object.entries(plain)) {
    setAt(secret, ['data', key], Buffer.from(String(value)).toString('base64'));
  }
}

export function applyAutoscalerDefaults(hpa: JsonObject): void {
  fill(hpa, ['spec', 'minReplicas'], 1);
}

export function applyPriorityClassDefaults(priorityClass: JsonObject): void {
  fill(priorityClass, ['preemptionPolicy'], 'PreemptLowerPriority');
}

/** A node that is created by hand starts without a status. */
export function applyNodeDefaults(node: JsonObject): void {
  fill(node, ['metadata', 'labels', 'kubernetes.io/hostname'], textAt(node, 'metadata', 'name'));
}

/** The core recorder leaves these out; the server stores them empty. */
export function applyEventDefaults(event: JsonObject): void {
  event.source ??= {};
  event.firstTimestamp ??= null;
  event.lastTimestamp ??= null;
  event.eventTime ??= null;
  event.reportingComponent ??= '';
  event.reportingInstance ??= '';
}
