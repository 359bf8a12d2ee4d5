import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { claim, node, type PodShape, pod, reasonsFor } from '../../../../support/placement-builders.js';

export const ZONE = 'topology.kubernetes.io/zone';
export const n1 = node('n1', { labels: { [ZONE]: 'a' } });
export const n2 = node('n2', { labels: { [ZONE]: 'b' } });

/** Of a driver that waits for the first consumer. */
export const storageClass = (name: string, more: object = {}) =>
  schemas.StorageClass.parse({
    metadata: { name },
    provisioner: 'csi.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  });
export const later = storageClass('later');

export const wanted = pod('new', { claim: 'data' });
export const bound = claim('data', { volumeName: 'pv' });

/** Why the new pod is refused, among two nodes. */
export function on1(objects: Partial<ClusterObjects>, shape: PodShape = { claim: 'data' }) {
  return reasonsFor(pod('new', shape), { Node: [n1, n2], ...objects });
}
