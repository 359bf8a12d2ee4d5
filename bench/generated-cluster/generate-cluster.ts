import { seededRandom } from '../../test/support/seeded-random.js';
import { type ApiObject, uidOf } from './api-object.js';
import { type DeadlockShape, deadlockObjects } from './deadlock.js';
import { nodeName, nodeObject } from './node-object.js';
import { podObject } from './pod-object.js';
import { seededText } from './seeded-text.js';

/** Equal shapes give equal clusters. */
export interface ClusterShape {
  readonly seed: number;
  readonly nodes: number;
  /** All pods, those of the deadlocks included. */
  readonly pods: number;
  /** Each has nodes of its own, the first ones; every other node has no device. */
  readonly deadlocks: readonly DeadlockShape[];
  /** At most 8. */
  readonly zones: number;
}

const namespaces = 100;
const podsPerWorkload = 20;

/**
 * A cluster in which all workloads are healthy but for one Deployment for each deadlock, node by node and pod
 * by pod, so that no more than one object has to be in memory. Namespaces of the other pods are `team-000` to
 * `team-099`.
 */
export function* generateCluster(shape: ClusterShape): Generator<ApiObject> {
  const random = seededRandom(shape.seed);
  yield* namespaceObjects();
  const taken = new Set<number>();
  const devices: string[] = [];
  let number = 0;
  for (const [position, deadlock] of shape.deadlocks.entries()) {
    const first = random(deadlock.candidates);
    const holders = Array.from(
      { length: deadlock.replicas },
      (_, step) => devices.length + ((first + step) % deadlock.candidates),
    );
    for (const holder of holders) taken.add(holder);
    yield* deadlockObjects(shape.nodes, deadlock, { position, holders, firstPod: number });
    number += deadlock.replicas + 1;
    for (let step = 0; step < deadlock.candidates; step += 1) devices.push(deadlock.resource);
  }
  for (let node = 0; node < shape.nodes; node += 1) {
    yield nodeObject(node, { zones: shape.zones, device: devices[node] });
  }
  for (const [node, device] of devices.entries()) {
    if (taken.has(node)) continue;
    yield pod(number, nodeName(node), { cpu: '4', memory: '16Gi', [device]: '1' });
    number += 1;
  }
  const amounts = [100, 200, 250, 500];
  for (; number < shape.pods; number += 1) {
    const cpu = amounts[random(amounts.length)] ?? 100;
    const node = nodeName(random(shape.nodes));
    yield pod(number, node, { cpu: `${cpu}m`, memory: `${cpu * 2}Mi` });
  }
}

/** Names of the namespaces that pods live in, besides those of the deadlocks. */
function* namespaceObjects(): Generator<ApiObject> {
  for (let number = 0; number < namespaces; number += 1) {
    const name = teamName(number);
    yield { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: uidOf(4, number + 100) } };
  }
}

function teamName(number: number): string {
  return `team-${String(number % namespaces).padStart(3, '0')}`;
}

function pod(number: number, node: string, requests: Readonly<Record<string, string>>): ApiObject {
  const workload = Math.floor(number / podsPerWorkload);
  const app = `service-${workload}`;
  const hash = seededText(11, workload).hex(10);
  return podObject({
    number,
    name: `${app}-${hash}-${seededText(12, number).suffix(5)}`,
    namespace: teamName(workload),
    app,
    hash,
    owner: { name: `${app}-${hash}`, uid: uidOf(6, 100 + workload) },
    image: `registry.example/${app}:2.${workload % 40}.1`,
    requests,
    nodeName: node,
    createdAt: new Date(Date.parse('2026-11-10T07:00:00Z') + (number % 86_400) * 1_000)
      .toISOString()
      .replace('.000Z', 'Z'),
  });
}
