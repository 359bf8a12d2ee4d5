import type { NamedWorkload } from '../commands/command.js';
import { isNamespaceName, isWorkloadName } from '../commands/command.js';
import { workloadKindOf } from '../commands/workload-kind.js';
import type { Alert } from './alert.js';
import {
  clusterLabels,
  firstLabel,
  namespaceLabels,
  nodeLabels,
  otherLabels,
  ownerLabels,
  podLabels,
  workloadLabels,
} from './label-names.js';
import { namesInText } from './names-in-text.js';
import type { KnownClusters, Subject } from './subject.js';

type Labels = Readonly<Record<string, string>>;

/**
 * Which workload an alert is about, by its labels, or else by names in its text. Asks nobody.
 *
 * Two traps of Prometheus are seen through. Alerts of metrics about other objects may carry the labels of the
 * exporter that was scraped: `pod`, `container`, `instance`, `service` and often `namespace` of
 * kube-state-metrics itself. So a label that names a workload counts before any pod, and a pod of the
 * exporter counts only where the metric itself is about pods. And where the exporter's labels won a conflict
 * (`honorLabels: false`), the object's own ones are called `exported_…` and count first (prometheus
 * `scrape.go: resolveConflictingExposedLabels`).
 */
export function subjectOf(
  alert: Pick<Alert, 'name' | 'labels' | 'annotations' | 'text'>,
  clusters: KnownClusters,
): Subject {
  const named = namesInText([alert.text, ...Object.values(alert.annotations)].join('\n'));
  const spelled = { ...named.labels, ...withValues(alert.labels) };
  const label = firstLabel(spelled, clusterLabels);
  const cluster = label === undefined ? undefined : clusterNamed(label, clusters);
  const subject = ofLabels(alert.name, spelled, cluster) ?? ofText(alert, named, spelled, cluster);
  if (label === undefined || cluster !== undefined || subject.type === 'none') return subject;
  return { type: 'foreign-cluster', cluster: label, of: subject };
}

function ofLabels(name: string, labels: Labels, cluster: string | undefined): Subject | undefined {
  const namespace = namespaceOf(labels);
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const workloads = workloadsIn(labels).map((query): NamedWorkload => ({ ...place, ...query }));
  const [only, ...others] = workloads;
  if (only !== undefined && others.length === 0) return { type: 'workload', query: only };
  const onCluster = cluster === undefined ? {} : { cluster };
  if (only !== undefined) return { type: 'names', ...onCluster, workloads, pods: [], tokens: [] };
  const node = nodeOf(labels);
  const pod = podOf(name, labels, node !== undefined);
  for (const { kind, label } of otherLabels) {
    const other = labels[`exported_${label}`] ?? labels[label];
    if (isName(other)) return { type: 'not-diagnosed', kind, name: other };
  }
  const above = ownerIn(labels);
  if (pod === undefined && above !== undefined) {
    return { type: 'workload', query: { ...place, ...above } };
  }
  if (pod !== undefined) return { type: 'pod', pod: { ...place, name: pod } };
  return node === undefined ? undefined : { type: 'node', ...onCluster, node };
}

/**
 * Workloads that labels name outright, or as the owner of a pod (`workload` and `created_by_name` of the
 * mixins).
 */
function workloadsIn(labels: Labels): readonly NamedWorkload[] {
  const named = workloadLabels.flatMap(({ kind, labels: spellings }): NamedWorkload[] => {
    const name = firstLabel(labels, spellings);
    return isName(name) ? [{ kind, name }] : [];
  });
  if (named.length > 0) return named;
  const owners = [
    { kind: labels.workload_type, name: labels.workload },
    { kind: labels.created_by_kind, name: labels.created_by_name },
    { kind: labels.owner_kind, name: labels.owner_name },
  ];
  for (const owner of owners) {
    const kind = owner.kind === undefined ? undefined : workloadKindOf(owner.kind);
    if (kind !== undefined && isName(owner.name)) return [{ kind, name: owner.name }];
  }
  return [];
}

/** A pod leads to one of the workloads of such an object, so the object counts after it. */
function ownerIn(labels: Labels): NamedWorkload | undefined {
  for (const { owner, labels: spellings } of ownerLabels) {
    const name = firstLabel(labels, spellings);
    if (isName(name)) return { owner, name };
  }
  return undefined;
}

function namespaceOf(labels: Labels): string | undefined {
  const name = firstLabel(labels, namespaceLabels);
  return name !== undefined && isNamespaceName(name) ? name : undefined;
}

function nodeOf(labels: Labels): string | undefined {
  const node = firstLabel(labels, nodeLabels);
  if (isName(node)) return node;
  const exporter = labels.job ?? '';
  const instance = labels.instance?.replace(/:\d+$/u, '');
  return /node-?exporter/u.test(exporter) && isName(instance) ? instance : undefined;
}

function podOf(name: string, labels: Labels, besidesNode: boolean): string | undefined {
  const exported = labels.exported_pod;
  if (isName(exported)) return exported;
  const pod = firstLabel(labels, podLabels);
  if (!isName(pod)) return undefined;
  const others = Object.keys(labels).some((key) => key.startsWith('exported_'));
  if (others) return undefined;
  const ofExporter = [labels.job, labels.service, labels.container, pod].some((value) =>
    value?.includes('kube-state-metrics'),
  );
  if (!ofExporter) return besidesNode && isAboutNodes(name) ? undefined : pod;
  return labels.uid !== undefined || /^Kube(?:Pod|Container)/u.test(name) ? ofItself(name, pod) : undefined;
}

/**
 * An alert named for pods is about the pod it carries, be it the exporter's own; one named for nodes never
 * is.
 */
function ofItself(name: string, pod: string): string | undefined {
  return isAboutNodes(name) ? undefined : pod;
}

function isAboutNodes(name: string): boolean {
  return /^(?:Kube)?(?:Node|Kubelet)/u.test(name);
}

function ofText(
  alert: Pick<Alert, 'text'>,
  named: ReturnType<typeof namesInText>,
  labels: Labels,
  cluster: string | undefined,
): Subject {
  const namespace = namespaceOf(labels);
  const onCluster = cluster === undefined ? {} : { cluster };
  const placed = <Name extends { readonly namespace?: string }>(name: Name): Name => ({
    ...onCluster,
    ...(namespace === undefined ? {} : { namespace }),
    ...name,
  });
  const tokens = defaultTitleTokens(alert.text);
  const workloads = named.workloads.map(placed);
  const pods = named.pods.map(placed);
  if (workloads.length + pods.length + tokens.length > 0) {
    return { type: 'names', ...onCluster, workloads, pods, tokens };
  }
  return namespace === undefined ? { type: 'none' } : { type: 'namespace', ...onCluster, namespace };
}

const maxTokens = 6;

/**
 * Alertmanager's default title gives label values without their names:
 * `[FIRING:2] KubePodNotReady shop (web-0 critical)` (template `__subject`). Each word may be anything; only
 * what exists will count.
 */
function defaultTitleTokens(text: string): readonly string[] {
  const [title = ''] = text.split('\n');
  const values = /^\s*\[(?:FIRING(?::\d+)?|RESOLVED)\]\s+(.{1,600})/u.exec(title)?.[1];
  if (values === undefined) return [];
  const words = values.split(/[\s()]+/u).filter((word) => word.length >= 2 && isName(word));
  return [...new Set(words)].filter((word) => !severities.has(word)).slice(0, maxTokens);
}

const severities: ReadonlySet<string> = new Set(['critical', 'warning', 'info', 'none', 'page', 'error']);

function clusterNamed(label: string, { names, aliases }: KnownClusters): string | undefined {
  const alias = Object.hasOwn(aliases, label) ? aliases[label] : undefined;
  return alias ?? (names.includes(label) ? label : undefined);
}

/**
 * The value of the first of these labels that has one, the object's own (`exported_…`) before the exporter's.
 */
function withValues(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
}

function isName(word: string | undefined): word is string {
  return word !== undefined && isWorkloadName(word) && /[a-z]/u.test(word);
}
