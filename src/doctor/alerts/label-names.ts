import type { KserveKind } from '../../engine/objects/inference-service.js';
import { kindNamed, type WorkloadRef, workloadKinds } from '../../engine/objects/workload.js';
import type { NamedWorkload } from '../commands/command.js';
import { isNamespaceName } from '../commands/command.js';
import type { Alert } from './alert.js';
import type { NamedPod, WorkloadLabels } from './subject.js';

/**
 * What senders call the same thing: Prometheus (kube-state-metrics, kubelet), OpenTelemetry's resource
 * attributes with dots or underscores, Datadog's tags.
 */
export const namespaceLabels = [
  'namespace',
  'kube_namespace',
  'k8s_namespace_name',
  'k8s.namespace.name',
  'kubernetes_namespace',
] as const;

export const podLabels = ['pod', 'pod_name', 'k8s_pod_name', 'k8s.pod.name', 'kubernetes_pod_name'] as const;

export const nodeLabels = ['node', 'k8s_node_name', 'k8s.node.name', 'kubernetes_node', 'nodename'] as const;

export const clusterLabels = [
  'cluster',
  'cluster_name',
  'kube_cluster_name',
  'k8s_cluster_name',
  'k8s.cluster.name',
] as const;

export const workloadLabels: readonly WorkloadLabels[] = workloadKinds.map((kind) => ({
  kind,
  labels: kindNamed(kind).alertLabels,
}));

/** Objects above workloads, as their controllers and exporters of their pods' labels name them. */
export const ownerLabels: readonly { readonly owner: KserveKind; readonly labels: readonly string[] }[] = [
  {
    owner: 'InferenceService',
    labels: ['inferenceservice', 'inferenceservice_name', 'isvc', 'serving_kserve_io_inferenceservice'],
  },
  { owner: 'LLMInferenceService', labels: ['llminferenceservice', 'llmisvc'] },
];

/** Objects that alerts name and that have no rollout of their own. */
export const otherLabels: readonly { readonly kind: string; readonly label: string }[] = [
  { kind: 'Job', label: 'job_name' },
  { kind: 'CronJob', label: 'cronjob' },
];

/** Labels that a text may spell out line by line, as `namespace: shop`. */
export const spelledLabels: ReadonlySet<string> = new Set([
  'alertname',
  'container',
  ...namespaceLabels,
  ...podLabels,
  ...nodeLabels,
  ...clusterLabels,
  ...workloadLabels.flatMap(({ labels }) => labels),
  ...ownerLabels.flatMap(({ labels }) => labels),
]);

/** The value under the first of the spellings that has one; the object's own label before the exporter's. */
export function firstLabel(
  labels: Readonly<Record<string, string>>,
  spellings: readonly string[],
): string | undefined {
  for (const spelling of [...spellings.map((each) => `exported_${each}`), ...spellings]) {
    const value = Object.hasOwn(labels, spelling) ? labels[spelling] : undefined;
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** With the letters of generated names (apimachinery `util/rand`: no vowels, no 0, 1, 3). */
const ofReplicaSet = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/u;
const ofDaemonSet = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}$/u;
const ofStatefulSet = /^(.+)-\d{1,5}$/u;

/**
 * Workloads that may have made a pod of this name, the likeliest first: for pods that are gone already. Only
 * a guess; what exists decides.
 */
export function namesBehindPod({ cluster, namespace, name }: NamedPod): readonly NamedWorkload[] {
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const deployment = ofReplicaSet.exec(name)?.[1];
  if (deployment !== undefined) return [{ ...place, kind: 'Deployment', name: deployment }];
  const statefulSet = ofStatefulSet.exec(name)?.[1];
  if (statefulSet !== undefined) return [{ ...place, kind: 'StatefulSet', name: statefulSet }];
  const daemonSet = ofDaemonSet.exec(name)?.[1];
  return daemonSet === undefined ? [] : [{ ...place, kind: 'DaemonSet', name: daemonSet }];
}

/** Whether a word can only be the name of a Deployment's pod: two generated parts at its end. */
export function isPodNameLike(word: string): boolean {
  return ofReplicaSet.test(word);
}

/** Jobs of one fairness key wait for each other: clusters and namespaces are served in turn. */
export function fairnessKeyOf({ cluster, namespace }: Pick<WorkloadRef, 'cluster' | 'namespace'>): string {
  return `${cluster}/${namespace}`;
}

/**
 * The fairness key of an alert before its workload is known: the cluster and namespace that its labels name,
 * or its source if they name none.
 */
export function fairnessKeyOfAlert({ labels, source }: Pick<Alert, 'labels' | 'source'>): string {
  const namespace = firstLabel(labels, namespaceLabels);
  if (namespace === undefined || !isNamespaceName(namespace)) return source;
  return fairnessKeyOf({ cluster: firstLabel(labels, clusterLabels) ?? '', namespace });
}
