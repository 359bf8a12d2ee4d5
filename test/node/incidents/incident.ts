import type {
  KubernetesObject,
  V1Container,
  V1Deployment,
  V1DeploymentSpec,
  V1Pod,
  V1PodSpec,
  V1Probe,
} from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { programImage } from '../machine/images.js';
import type { Behaviour } from '../machine/registry.js';
import type { RealCluster } from '../real-cluster.js';

/** Where one incident happens. */
export interface Scene extends RealCluster {
  readonly namespace: string;
}

/** Once the pods have reached a state, something changes. */
export interface Step {
  readonly reached: (pods: readonly V1Pod[]) => boolean;
  readonly act: (scene: Scene) => Promise<void> | void;
}

/** What a real node is made to report, and what the command line must say of it. */
export interface NodeIncident {
  /** Its namespace too. */
  readonly id: string;
  readonly title: string;
  readonly pod: (registryHost: string) => V1PodSpec;
  readonly deployment?: Partial<Pick<V1DeploymentSpec, 'replicas' | 'strategy'>>;
  /** Objects that exist before the workload. */
  readonly beside?: readonly KubernetesObject[];
  /** What the registry does with the repository of the incident's name. */
  readonly registry?: Behaviour;
  readonly steps?: readonly Step[];
  /** The state that is recorded. */
  readonly reached: (pods: readonly V1Pod[]) => boolean;
  /** The reason of an event that is recorded as well. */
  readonly event?: string;
  /** Seconds from the recording to its diagnosis, where a rule waits before it reports. */
  readonly later?: number;
  /** `null`: nothing is wrong. */
  readonly cause: CauseId | null;
  /** The incidents that it resembles. */
  readonly never?: readonly CauseId[];
  /** The container that the first finding names, where there are several. */
  readonly container?: string;
  /** Fields of the first finding's facts. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export const program = (script: string, more: Partial<V1Container> = {}): V1Container => ({
  name: 'app',
  image: programImage,
  command: ['/bin/sh', '-c', script],
  ...more,
});
export const podOf = (container: V1Container, more: Partial<V1PodSpec> = {}): V1PodSpec => ({
  terminationGracePeriodSeconds: 3,
  containers: [container],
  ...more,
});

export const exec = (...command: string[]): V1Probe => ({
  exec: { command },
  periodSeconds: 2,
  failureThreshold: 2,
});
export const healthy = exec('cat', '/tmp/ok');
export const run = 'while :; do sleep 60 & wait $!; done';
/** A program that ends well on SIGTERM, in place of at the end of its grace period. */
export const polite = "trap 'exit 0' TERM;";
export const memory = (limit: string) => ({
  resources: { requests: { memory: limit }, limits: { memory: limit } },
});

type Given = V1Container | V1PodSpec | NodeIncident['pod'];
/** A row of a table: a pod, or its only container. */
export const incident = (
  id: string,
  title: string,
  pod: Given,
  rest: Omit<NodeIncident, 'id' | 'title' | 'pod'>,
): NodeIncident => ({
  id,
  title,
  pod: typeof pod === 'function' ? pod : () => ('containers' in pod ? pod : podOf(pod)),
  ...rest,
});
/** A pod that becomes ready, and nothing is wrong. */
export const works = (
  id: string,
  title: string,
  pod: Given,
  more: Partial<NodeIncident> = {},
): NodeIncident => incident(id, title, pod, { reached: allReady(), cause: null, ...more });

const statusesOf = (pods: readonly V1Pod[]) => pods.flatMap(({ status }) => status?.containerStatuses ?? []);
export const restarted = (times: number) => (pods: readonly V1Pod[]) =>
  statusesOf(pods).some(({ restartCount, state }) => restartCount >= times && state?.running === undefined);
export const failedInit = (name: string, times: number) => (pods: readonly V1Pod[]) =>
  pods
    .flatMap(({ status }) => status?.initContainerStatuses ?? [])
    .some((each) => each.name === name && each.restartCount >= times && each.state?.running === undefined);
export const waitsFor =
  (...reasons: string[]) =>
  (pods: readonly V1Pod[]) =>
    pods
      .flatMap(({ status = {} }) => [
        ...(status.initContainerStatuses ?? []),
        ...(status.containerStatuses ?? []),
      ])
      .some(({ state }) => reasons.includes(state?.waiting?.reason ?? ''));
export const failed = (count: number) => (pods: readonly V1Pod[]) =>
  pods.filter(({ status }) => status?.phase === 'Failed' || status?.phase === 'Succeeded').length >= count;
export const refusedPods =
  (reason: string, count = 2) =>
  (pods: readonly V1Pod[]) =>
    pods.filter(({ status }) => status?.phase === 'Failed' && status.reason === reason).length >= count;

/** All pods are ready, and have been started this often. */
export const allReady =
  (count = 1, restarts = 0) =>
  (pods: readonly V1Pod[]) => {
    const ready = pods.filter(({ status, metadata }) => {
      const isReady = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
      return isReady && metadata?.deletionTimestamp === undefined;
    });
    return (
      ready.length === count &&
      pods.length === count &&
      statusesOf(ready).every(({ restartCount }) => restartCount >= restarts)
    );
  };
/** The pods of `updateTo` with a program that says `new` are ready, and no other is there. */
export const isUpdated = (pods: readonly V1Pod[]): boolean =>
  allReady()(pods) && pods.every(({ spec }) => spec?.containers[0]?.command?.[2]?.includes('new'));
/** The kubelet has worked on the pods for some time, and they still wait. */
export const created = (pods: readonly V1Pod[]): boolean =>
  pods.some(({ status }) => status?.containerStatuses?.some(({ state }) => state?.waiting !== undefined));

/** Gives the workload another template, as an update does. */
export const updateTo =
  (container: V1Container) =>
  ({ cluster, namespace }: Scene): Promise<void> =>
    cluster.patch(
      { kind: 'Deployment', namespace, name: 'web' },
      { spec: { template: { spec: { containers: [container] } } } },
    );

export function deploymentOf(
  { id, pod, deployment = {} }: Pick<NodeIncident, 'id' | 'pod' | 'deployment'>,
  registryHost: string,
): V1Deployment {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: id, name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod(registryHost) },
      ...deployment,
    },
  };
}
