import type { V1Pod } from '@kubernetes/client-node';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { isLeader } from '#src/engine/objects/leader-worker-set.js';
import { Pod } from '#src/engine/objects/pod.js';
import { targetNode } from '#src/engine/workloads/daemon-set-model.js';
import type { Draw } from './draw.js';
import type { Subject } from './rollout-subject.js';

const pathOf = ({ metadata }: V1Pod): string =>
  `/api/v1/namespaces/${metadata?.namespace}/pods/${metadata?.name}`;

const merge = 'application/strategic-merge-patch+json';
const minute = 60_000;

/** Ages that lie in different powers of two, and some that lie in the same one. */
const readyForMinutes = [10, 11, 12, 45, 100, 300] as const;

/** What a kubelet, a user or a node does to one pod, as one request; `undefined` when there is no pod. */
export function podChange(draw: Draw, subject: Subject, pods: readonly V1Pod[]): ApiRequest | undefined {
  const leaving = pods.filter(({ metadata }) => metadata?.deletionTimestamp);
  const [first] = leaving;
  if (first !== undefined && draw.chance(60)) return end(leaving[draw.below(leaving.length)] ?? first);
  const alive = pods.filter(
    ({ metadata, status }) => !metadata?.deletionTimestamp && status?.phase !== 'Failed',
  );
  const pod = alive[draw.below(alive.length)];
  if (pod === undefined) return undefined;
  const isWorker = subject.kind === 'LeaderWorkerSet' && !isLeader(Pod.parse(pod));
  if (!pod.spec?.nodeName) return draw.chance(50) && !isWorker ? remove(pod) : undefined;
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  // The controller makes a group anew when a container of it has been restarted.
  const most = subject.kind === 'LeaderWorkerSet' && draw.chance(90) ? 1 : 3;
  if (!isReady) return draw.chance(85) ? setReady(draw, pod, true, most) : remove(pod);
  const kind = draw.below(100);
  if (kind < 40) return setReady(draw, pod, false, most);
  if (kind < 65) return remove(pod);
  // The DaemonSet controller lets failed pods wait for a back-off of its own. The deletion of a worker that
  // is gone at once is seen by the controller of LeaderWorkerSets or not, as it happens (docs/engines.md).
  if (kind < 80 && subject.kind !== 'DaemonSet' && !isWorker) return fail(pod);
  return setCost(draw, pod);
}

/** Places a pod, as a scheduler would; one that is meant for a node goes there. */
export function bindPod(draw: Draw, pod: V1Pod, nodes: readonly string[]): ApiRequest {
  const name = targetNode(Pod.parse(pod)) ?? nodes[draw.below(nodes.length)];
  return {
    method: 'POST',
    path: `${pathOf(pod)}/binding`,
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.metadata?.name },
      target: { apiVersion: 'v1', kind: 'Node', name },
    },
  };
}

function setReady(draw: Draw, pod: V1Pod, ready: boolean, restarts: number): ApiRequest {
  const lastTransitionTime = new Date(Date.now() - draw.pick(readyForMinutes) * minute).toISOString();
  const status = ready ? 'True' : 'False';
  const conditions = [{ type: 'Ready', status, lastTransitionTime }];
  const containerStatuses = [
    { name: 'app', image: 'app', imageID: '', ready, restartCount: draw.below(restarts), state: {} },
  ];
  return {
    method: 'PATCH',
    path: `${pathOf(pod)}/status`,
    contentType: merge,
    body: { status: { phase: 'Running', conditions, containerStatuses } },
  };
}

const fail = (pod: V1Pod): ApiRequest => ({
  method: 'PATCH',
  path: `${pathOf(pod)}/status`,
  contentType: merge,
  body: { status: { phase: 'Failed' } },
});

const setCost = (draw: Draw, pod: V1Pod): ApiRequest => ({
  method: 'PATCH',
  path: pathOf(pod),
  contentType: merge,
  body: {
    metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(draw.below(5) - 2) } },
  },
});

const remove = (pod: V1Pod): ApiRequest => ({ method: 'DELETE', path: pathOf(pod) });

/** The kubelet reports that the pod has ended. */
const end = (pod: V1Pod): ApiRequest => ({
  method: 'DELETE',
  path: pathOf(pod),
  body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
});
