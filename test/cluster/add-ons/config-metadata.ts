import type { V1ConfigMap, V1Pod, V1Secret } from '@kubernetes/client-node';
import { rollOut } from '../incidents/rolling.js';
import type { AddOn, Scene, Staged } from './add-on.js';

const ago = (seconds: number): string =>
  new Date(Date.now() - seconds * 1_000).toISOString().replace(/\.\d+/, '');
const probe = (path: string) => ({ httpGet: { path, port: 8080 } });

/**
 * A container that took its configuration two hours ago and has not been ready since; the object was written
 * now.
 */
const failing =
  (kind: 'ConfigMap' | 'Secret') =>
  async ({ cluster, shop }: Scene): Promise<Staged> => {
    await cluster.createNodes({ name: 'n-a' });
    const named = { apiVersion: 'v1', kind, metadata: { namespace: shop, name: 'settings' } };
    await cluster.create<V1ConfigMap | V1Secret>(
      kind === 'ConfigMap' ? { ...named, data: { A: 'b' } } : { ...named, stringData: { A: 'b' } },
    );
    const reference = { name: 'settings' };
    const container = {
      readinessProbe: probe('/ready'),
      livenessProbe: probe('/live'),
      envFrom: [kind === 'ConfigMap' ? { configMapRef: reference } : { secretRef: reference }],
    };
    await rollOut(cluster, { namespace: shop, name: 'web', container });
    const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', shop);
    for (const { metadata, status } of items) {
      await cluster.patchPodStatus(shop, metadata?.name ?? '', {
        containerStatuses: status?.containerStatuses?.map((each) => ({
          ...each,
          ready: false,
          started: true,
          state: { running: { startedAt: ago(7_200) } },
        })),
        conditions: ['Ready', 'ContainersReady'].map((type) => ({
          ...{ type, status: 'False', reason: 'ContainersNotReady' },
          lastTransitionTime: ago(7_200),
        })),
      });
    }
    return {
      asked: [
        {
          workload: { cluster: 'test', kind: 'Deployment', namespace: shop, name: 'web' },
          reviews: ['restart-rollout'],
          mentions: [/`?settings`?/],
        },
      ],
    };
  };

/** Add-ons that tell when the configuration of a failing container was written. */
export const configMetadata: readonly AddOn[] = [
  {
    file: 'config-metadata/configmaps.yaml',
    isPerNamespace: true,
    stage: failing('ConfigMap'),
    fix: 'restart-rollout',
  },
  {
    file: 'config-metadata/secrets.yaml',
    isPerNamespace: true,
    stage: failing('Secret'),
    fix: 'restart-rollout',
  },
];
