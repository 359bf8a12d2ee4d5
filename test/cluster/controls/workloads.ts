import type {
  V1Container,
  V1DaemonSet,
  V1DaemonSetSpec,
  V1Pod,
  V1PodSpec,
  V1StatefulSet,
  V1StatefulSetSpec,
} from '@kubernetes/client-node';
import type { WorkloadKind, WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { untilRolledOut } from '../incidents/rolling.js';

/** Pods of a template with these annotations keep starting until the test makes them ready. */
export const slowly = {
  creating: { [kubeletAnnotation.start]: 'container-creating' },
  notReady: { [kubeletAnnotation.start]: 'not-ready' },
  /** They start at once, and take their grace period to stop. */
  stopping: { [kubeletAnnotation.stop]: 'never' },
} as const;

interface Options<Spec> {
  readonly namespace: string;
  readonly name: string;
  readonly pod?: Partial<V1PodSpec>;
  readonly container?: Partial<V1Container>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Omit<Spec, 'selector' | 'template'>>;
}

const header = { apiVersion: 'apps/v1' };

function common<Spec>({ namespace, name, pod, container, annotations, spec }: Options<Spec>) {
  const labels = { app: name };
  const containers = [{ name: 'app', image: 'registry.example/app:1', ...container }];
  return {
    metadata: { namespace, name, labels },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: { ...annotations } }, spec: { ...pod, containers } },
    },
  };
}

export function statefulSetManifest(options: Options<V1StatefulSetSpec>): V1StatefulSet {
  const { metadata, spec } = common(options);
  return { ...header, kind: 'StatefulSet', metadata, spec: { serviceName: options.name, ...spec } };
}

export function daemonSetManifest(options: Options<V1DaemonSetSpec>): V1DaemonSet {
  return { ...header, kind: 'DaemonSet', ...common(options) };
}

/** Creates the StatefulSet and waits until every replica is available. */
export async function runStatefulSet(
  cluster: Cluster,
  options: Options<V1StatefulSetSpec>,
): Promise<WorkloadRef> {
  await cluster.create(statefulSetManifest(options));
  await cluster.until<V1StatefulSet, true>({
    what: `every replica of ${options.name} to be available`,
    selection: { kind: 'StatefulSet', namespace: options.namespace },
    check: (all) =>
      all.some(
        ({ metadata, spec, status }) =>
          metadata?.name === options.name && status?.availableReplicas === spec?.replicas,
      ),
  });
  return ref('StatefulSet', options);
}

/** Creates the DaemonSet and waits until it is available on this many nodes. */
export async function runDaemonSet(
  cluster: Cluster,
  nodes: number,
  options: Options<V1DaemonSetSpec>,
): Promise<WorkloadRef> {
  await cluster.create(daemonSetManifest(options));
  await cluster.until<V1DaemonSet, true>({
    what: `${options.name} to be available on ${nodes} nodes`,
    selection: { kind: 'DaemonSet', namespace: options.namespace },
    check: (all) =>
      all.some(({ status }) => status?.observedGeneration === 1 && (status.numberAvailable ?? 0) === nodes),
  });
  return ref('DaemonSet', options);
}

export const ref = (
  kind: WorkloadKind,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): WorkloadRef => ({ cluster: 'test', kind, namespace, name });

/** Changes the template's image and other given fields, which starts a rollout. */
export async function change(
  cluster: Cluster,
  { kind, namespace, name }: WorkloadRef,
  annotations: Readonly<Record<string, string | null>> = {},
  tag = '2',
): Promise<void> {
  const containers = [{ name: 'app', image: `registry.example/app:${tag}` }];
  await cluster.patch(
    { kind, namespace, name },
    { spec: { template: { metadata: { annotations }, spec: { containers } } } },
  );
}

/** Waits until this many pods of the workload pass the check, and returns them, oldest names first. */
export async function untilPods(
  cluster: Cluster,
  { namespace, name }: WorkloadRef,
  what: string,
  count: number,
  check: (pod: V1Pod) => boolean,
): Promise<readonly V1Pod[]> {
  return cluster.until<V1Pod, readonly V1Pod[]>({
    what: `${count} pods of ${namespace}/${name} to be ${what}`,
    selection: { kind: 'Pod', namespace, labels: { app: name } },
    check: (pods) => {
      const fitting = pods.filter(check);
      return fitting.length === count ? fitting : undefined;
    },
    deadlineMilliseconds: 60_000,
  });
}

/** Changes the template so that its pods stay at their start, and waits until this many of them exist. */
export async function beginRollout(
  cluster: Cluster,
  workload: WorkloadRef,
  count = 1,
): Promise<readonly V1Pod[]> {
  await change(cluster, workload, slowly.creating);
  return untilPods(cluster, workload, 'starting', count, isStarting);
}

/** Changes the Deployment's template and waits until the rollout is complete. */
export async function completeRollout(cluster: Cluster, workload: WorkloadRef): Promise<void> {
  await change(cluster, workload);
  await untilRolledOut(cluster, workload.namespace, workload.name);
}

const imageOf = (pod: V1Pod): string => pod.spec?.containers[0]?.image ?? '';

/** A pod of the changed template, on a node, with a container that the kubelet has reported. */
export const isStarting = (pod: V1Pod): boolean =>
  !imageOf(pod).endsWith(':1') &&
  pod.status?.containerStatuses !== undefined &&
  pod.status.conditions?.find(({ type }) => type === 'Ready')?.status === 'False';

export const isReady = (pod: V1Pod): boolean =>
  pod.status?.phase === 'Running' &&
  pod.status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

/** Ready, and of the template that `change` makes. */
export const isNewAndReady = (pod: V1Pod): boolean => isReady(pod) && imageOf(pod).endsWith(':2');

export const isStopping = (pod: V1Pod): boolean => pod.metadata?.deletionTimestamp !== undefined;
