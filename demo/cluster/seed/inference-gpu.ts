import type { ApiObject } from '../api-object.js';
import { copy, type JsonObject, listAt } from '../json.js';
import type { LocalCluster } from '../local-cluster.js';
import { createObject } from '../registry/create-object.js';
import type { Registry } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { readyNode } from './nodes.js';
import { playHistory } from './play-history.js';

const minute = 60_000;
const day = 24 * 60 * minute;

const writer = { manager: 'kubectl-create', user: 'admin', dryRun: false };

const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inference', namespace: 'ml', labels: { app: 'inference' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'inference' } },
    template: {
      metadata: { labels: { app: 'inference' } },
      spec: {
        containers: [
          {
            name: 'server',
            image: 'registry.example/ml/inference:1.4.2',
            ports: [{ name: 'http', containerPort: 8080 }],
            resources: {
              requests: { cpu: '2', memory: '8Gi' },
              limits: { memory: '8Gi', 'nvidia.com/gpu': '1' },
            },
          },
        ],
      },
    },
  },
};

/**
 * The incident of the demo: Deployment `ml/inference` with one replica and the default strategy, on a cluster with one
 * GPU. Its image was changed 25 minutes ago; the new pod waits for the GPU that the old one holds, and the old one
 * stays until the new one is ready. It runs for three days already when that happens.
 */
export async function seedInference(cluster: LocalCluster): Promise<void> {
  const now = cluster.clock.now();
  const began = now - 3 * day;
  playHistory(cluster, began, ({ state, advanceTo }) => {
    const { registry } = state;
    state.load([
      readyNode({ name: 'cpu-a', number: 11, cpu: '8', memory: '32Gi' }, began),
      readyNode({ name: 'cpu-b', number: 12, cpu: '8', memory: '32Gi' }, began),
      readyNode(
        {
          name: 'gpu-a',
          number: 21,
          cpu: '16',
          memory: '64Gi',
          extended: { 'nvidia.com/gpu': '1' },
          labels: { 'node.example/pool': 'gpu', 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB' },
        },
        began,
      ),
    ]);
    create(registry, 'namespaces', '', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ml' } });
    create(registry, 'deployments', 'ml', deployment);
    advanceTo(now - 25 * minute);
    setImage(registry, 'registry.example/ml/inference:1.5.0');
    advanceTo(now);
  });
  cluster.settle();
}

function create(
  registry: Registry,
  plural: 'namespaces' | 'deployments',
  namespace: string,
  body: JsonObject,
) {
  const type = requireResourceType(plural === 'namespaces' ? '' : 'apps', plural);
  createObject(registry, type, namespace, body, writer);
}

function setImage(registry: Registry, image: string): void {
  const type = requireResourceType('apps', 'deployments');
  const change = (current: ApiObject): JsonObject => {
    const changed = copy<JsonObject>(current);
    for (const container of listAt(changed, 'spec', 'template', 'spec', 'containers'))
      container.image = image;
    return changed;
  };
  updateObject(registry, type, 'ml', 'inference', change, {
    ...writer,
    manager: 'kubectl-set',
    subresource: '',
    replaces: false,
  });
}
