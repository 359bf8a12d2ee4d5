import type { CoreV1Event, V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';

const timeNow = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

const nameOf = (pod: V1Pod): string => pod.metadata?.name ?? '';
const namespaceOf = (pod: V1Pod): string => pod.metadata?.namespace ?? '';

type Running = Partial<Omit<V1ContainerStatus, 'lastState'>> & { readonly lastState?: object };

function running(pod: V1Pod, first: Running = {}): readonly object[] {
  return (pod.spec?.containers ?? []).map(({ name, image }, index) => ({
    name,
    image,
    imageID: '',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: timeNow() } },
    ...(index === 0 ? first : {}),
  }));
}

const conditions = (status: 'True' | 'False') => [
  { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: timeNow() },
  { type: 'Initialized', status: 'True', lastTransitionTime: timeNow() },
  ...['Ready', 'ContainersReady'].map((type) => ({
    type,
    status,
    lastTransitionTime: timeNow(),
    ...(status === 'True'
      ? { reason: null, message: null }
      : { reason: 'ContainersNotReady', message: 'containers are not ready' }),
  })),
];

/** The container runs and its probe has succeeded: what the kubelet reports of a pod that started slowly. */
export async function becomeReady(cluster: Cluster, ...pods: readonly V1Pod[]): Promise<void> {
  for (const pod of pods) {
    await cluster.patchPodStatus(namespaceOf(pod), nameOf(pod), {
      phase: 'Running',
      containerStatuses: running(pod),
      conditions: conditions('True'),
    });
  }
}

export interface Ended {
  readonly restarts: number;
  readonly exitCode: number;
  readonly reason?: string;
}

/** The first container has ended and was started again, this many times. The pod is Ready again. */
export async function restart(cluster: Cluster, pod: V1Pod, ended: Ended): Promise<void> {
  const { restarts, exitCode, reason = 'Error' } = ended;
  const terminated = { exitCode, reason, startedAt: pod.status?.startTime, finishedAt: timeNow() };
  await cluster.patchPodStatus(namespaceOf(pod), nameOf(pod), {
    containerStatuses: running(pod, { restartCount: restarts, lastState: { terminated } }),
    conditions: conditions('True'),
  });
}

/** The kubelet or its eviction manager fails the pod; its controller creates another. */
export async function fail(cluster: Cluster, pod: V1Pod, reason: string, message: string): Promise<void> {
  await cluster.patchPodStatus(namespaceOf(pod), nameOf(pod), {
    phase: 'Failed',
    reason,
    message,
    containerStatuses: [],
    conditions: conditions('False'),
  });
}

export interface KubeletEvent {
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
  /** Default: the first container. */
  readonly fieldPath?: string;
}

/** Events about the pod by the kubelet of its node, now. */
export async function recordEvents(
  cluster: Cluster,
  pod: V1Pod,
  ...events: readonly KubeletEvent[]
): Promise<void> {
  for (const [index, { type = 'Normal', reason, message, count = 1, fieldPath }] of events.entries()) {
    const at = timeNow();
    const involvedObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: namespaceOf(pod),
      name: nameOf(pod),
      uid: pod.metadata?.uid ?? '',
      fieldPath: fieldPath ?? `spec.containers{${pod.spec?.containers[0]?.name}}`,
    };
    await cluster.create<CoreV1Event>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        namespace: namespaceOf(pod),
        name: `${nameOf(pod)}.${reason.toLowerCase()}${index}`,
      },
      involvedObject,
      type,
      reason,
      message,
      count,
      source: { component: 'kubelet', host: pod.spec?.nodeName ?? '' },
      // The client's types demand dates, and would send them with fractions that the API rejects here.
      firstTimestamp: at as unknown as Date,
      lastTimestamp: at as unknown as Date,
    });
  }
}
