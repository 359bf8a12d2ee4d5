import { seededRandom } from '../../src/core/statistics/seeded-random.js';
import { type ApiObject, uidOf } from './api-object.js';
import { deadlockObjects } from './deadlock.js';
import { nodeName, nodeObject } from './node-object.js';
import { podObject } from './pod-object.js';

/** Equal shapes give equal clusters. */
export interface ClusterShape {
  readonly seed: number;
  readonly nodes: number;
  /** All pods, those of the deadlock included. */
  readonly pods: number;
  /** Nodes with one GPU each; all GPUs are taken. */
  readonly gpuNodes: number;
  /** Of the deadlocked workload; at most `gpuNodes`. Its own pods hold as many GPUs. */
  readonly replicas: number;
  /** At most 8. */
  readonly zones: number;
}

const namespaces = 100;
const podsPerWorkload = 20;

/**
 * A cluster in which everything is well but for one Deployment that waits for itself, node by node and pod by pod, so
 * that no more than one object has to be in memory. Namespaces of the pods are `team-000` to `team-099`, and `ml`.
 */
export function* generateCluster(shape: ClusterShape): Generator<ApiObject> {
  const random = seededRandom(shape.seed);
  const first = random(shape.gpuNodes);
  const holders = Array.from({ length: shape.replicas }, (_, step) => (first + step) % shape.gpuNodes);
  yield* namespaceObjects();
  yield* deadlockObjects(shape, holders);
  for (let number = 0; number < shape.nodes; number += 1) yield nodeObject(number, shape);
  let number = shape.replicas + 1;
  for (let node = 0; node < shape.gpuNodes; node += 1) {
    if (holders.includes(node)) continue;
    yield pod(number, nodeName(node), { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '1' });
    number += 1;
  }
  const amounts = [100, 200, 250, 500];
  for (; number < shape.pods; number += 1) {
    const cpu = amounts[random(amounts.length)] ?? 100;
    const node = nodeName(random(shape.nodes));
    yield pod(number, node, { cpu: `${cpu}m`, memory: `${cpu * 2}Mi` });
  }
}

/** Names of the namespaces that pods live in, besides that of the deadlock. */
function* namespaceObjects(): Generator<ApiObject> {
  for (let number = 0; number < namespaces; number += 1) {
    const name = teamName(number);
    yield { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: uidOf(4, number + 1) } };
  }
}

function teamName(number: number): string {
  return `team-${String(number % namespaces).padStart(3, '0')}`;
}

function pod(number: number, node: string, requests: Readonly<Record<string, string>>): ApiObject {
  const workload = Math.floor(number / podsPerWorkload);
  const app = `service-${workload}`;
  const hash = (workload + 0x10000000).toString(16);
  return podObject({
    number,
    name: `${app}-${hash}-${(number + 60_466_176).toString(36).slice(-5)}`,
    namespace: teamName(workload),
    app,
    hash,
    owner: { name: `${app}-${hash}`, uid: uidOf(6, 100 + workload) },
    image: `registry.example/${app}:2.${workload % 40}.1`,
    requests,
    nodeName: node,
    createdAt: '2026-11-10T07:00:00Z',
  });
}
