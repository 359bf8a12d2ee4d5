import type { V1Container } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { rollOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import { ref } from './workloads.js';

/** A healthy workload with a setting that will cause a problem later: worth a note, but no alarm. */
function noted(id: string, title: string, note: CauseId, container: Partial<V1Container>): Control {
  return {
    id,
    title,
    resembles: 'application-crash',
    informational: [note],
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes({ name: 'n-a' });
      await rollOut(cluster, { namespace, name: 'web', container });
      await settled(cluster, namespace);
      return ref('Deployment', { namespace, name: 'web' });
    },
  };
}

const probe = { httpGet: { path: '/health', port: 8080 } };

export const notedControls: readonly Control[] = [
  noted(
    'liveness-faster-than-readiness',
    'the liveness probe loses its patience before the readiness probe does; nothing has happened yet',
    'probe-configuration',
    {
      livenessProbe: { ...probe, periodSeconds: 5, failureThreshold: 2 },
      readinessProbe: { ...probe, periodSeconds: 10, failureThreshold: 6 },
    },
  ),
  noted(
    'limit-far-above-request',
    'the memory limit is 32 times the request; the node is empty, so nothing has happened yet',
    'resource-configuration',
    { resources: { requests: { memory: '128Mi' }, limits: { memory: '4Gi' } } },
  ),
  noted(
    'no-memory-request',
    'no memory is requested at all; the node is empty, so nothing has happened yet',
    'resource-configuration',
    { resources: { requests: { cpu: '100m' } } },
  ),
];
