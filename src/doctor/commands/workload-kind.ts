import { nearestName } from '../../engine/language/nearest-name.js';
import { type KserveKind, kserveShortNames } from '../../engine/objects/inference-service.js';
import { apiGroupOf, kindNamed, type WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';

/** Names that `kubectl api-resources` lists for the kinds under diagnosis: plural, singular, short. */
const spellings: ReadonlyMap<string, WorkloadKind> = new Map(
  workloadKinds.flatMap((kind) => wordsFor(kind).map((word) => [word, kind] as const)),
);

/** The plural of a Knative Service, without its group, is that of another object. */
function wordsFor(kind: WorkloadKind): readonly string[] {
  const { plural, names } = kindNamed(kind);
  return plural === 'services' ? names : [plural, ...names];
}

/** Words for kinds that are long enough to be recognised when misspelt. */
const longSpellings: readonly string[] = [...spellings.keys()].filter((word) => word.length > 5);

/** The word for a kind that this one resembles; `undefined` where it is one itself, or resembles none. */
export function kindLike(word: string | undefined): string | undefined {
  if (word === undefined || word.length < 5 || isAnyKind(word)) return undefined;
  return nearestName(word, longSpellings);
}

/** Kinds that people name when they mean the workload that owns them. */
const owned: ReadonlyMap<string, MemberKind> = new Map([
  ['pods', 'Pod'],
  ['pod', 'Pod'],
  ['po', 'Pod'],
  ['replicasets', 'ReplicaSet'],
  ['replicaset', 'ReplicaSet'],
  ['rs', 'ReplicaSet'],
  ['rayclusters', 'RayCluster'],
  ['raycluster', 'RayCluster'],
]);

/** What people can ask in place of an object that is not diagnosed. */
export type AskedInstead = 'message-of-pod' | 'workload-that-uses-it' | 'scan';

export interface OtherKind {
  /** The plural, for a sentence. */
  readonly kinds: string;
  readonly ask: AskedInstead;
}

/** Other kinds of workloads and of objects beside them, as kubectl spells them. */
const others: ReadonlyMap<string, OtherKind> = new Map([
  ...spelt('CronJobs', 'message-of-pod', 'cronjobs', 'cronjob', 'cj'),
  ...spelt('Jobs', 'message-of-pod', 'jobs', 'job'),
  ...spelt(
    'ReplicationControllers',
    'message-of-pod',
    'replicationcontrollers',
    'replicationcontroller',
    'rc',
  ),
  ...spelt('Services', 'workload-that-uses-it', 'services', 'service', 'svc'),
  ...spelt('Ingresses', 'workload-that-uses-it', 'ingresses', 'ingress', 'ing'),
  ...spelt('Nodes', 'scan', 'nodes', 'node', 'no'),
  ...spelt(
    'PersistentVolumeClaims',
    'workload-that-uses-it',
    'persistentvolumeclaims',
    'persistentvolumeclaim',
    'pvc',
  ),
  ...spelt(
    'HorizontalPodAutoscalers',
    'workload-that-uses-it',
    'horizontalpodautoscalers',
    'horizontalpodautoscaler',
    'hpa',
  ),
  ...spelt('ConfigMaps', 'workload-that-uses-it', 'configmaps', 'configmap', 'cm'),
  ...spelt('Secrets', 'workload-that-uses-it', 'secrets', 'secret'),
]);

function spelt(
  kinds: string,
  ask: AskedInstead,
  ...words: readonly string[]
): readonly (readonly [string, OtherKind])[] {
  return words.map((word) => [word, { kinds, ask }]);
}

/**
 * Kinds that a namespace is not named after: `cronjob/x` names an object, while `jobs/x` may name a
 * namespace.
 */
const neverNamespaces: ReadonlySet<string> = new Set(['cronjobs', 'cronjob', 'cj', 'job']);

/** The kind is named `Service`, which without the group is that of another object. */
const knativeName = /^(?:services?|ksvc)\.(?:v1\.)?serving\.knative\.dev$/u;

/**
 * `deploy`, `Deployments`, `statefulset.apps`, `deployments.v1.apps`, `rollouts.argoproj.io` and the like.
 */
export function workloadKindOf(word: string): WorkloadKind | undefined {
  const lower = word.toLowerCase();
  if (knativeName.test(lower)) return 'KnativeService';
  const name = lower
    .replace(/\.(?:v1\.)?ray\.io$/u, '')
    .replace(/\.(?:v1(?:alpha1|beta1)\.)?nvidia\.com$/u, '')
    .replace(/\.(?:v1\.)?apps$/u, '')
    .replace(/\.(?:v1alpha1\.)?argoproj\.io$/u, '')
    .replace(/\.(?:v1\.)?leaderworkerset\.x-k8s\.io$/u, '')
    .replace(/\.$/u, '');
  const kind = spellings.get(name);
  const [, group = ''] =
    /\.(apps|argoproj\.io|leaderworkerset\.x-k8s\.io|ray\.io|nvidia\.com)$/u.exec(lower) ?? [];
  return kind === undefined || group === '' || group === apiGroupOf(kind)[0] ? kind : undefined;
}

/** Kinds that people name when they mean one of the workloads below. */
const owners: ReadonlyMap<string, KserveKind> = new Map([
  ['inferenceservices', 'InferenceService'],
  ['inferenceservice', 'InferenceService'],
  [kserveShortNames.InferenceService, 'InferenceService'],
  ['llminferenceservices', 'LLMInferenceService'],
  ['llminferenceservice', 'LLMInferenceService'],
  [kserveShortNames.LLMInferenceService, 'LLMInferenceService'],
]);

/** `isvc`, `inferenceservices.serving.kserve.io`, `llmisvc.v1alpha2.serving.kserve.io` and the like. */
export function ownerKindOf(word: string): KserveKind | undefined {
  return owners.get(
    word.toLowerCase().replace(/\.(?:v1(?:beta1|alpha1|alpha2)\.)?serving\.kserve\.io$/u, ''),
  );
}

/** Whether kubectl lists the objects of this kind, or of all kinds, when it gets no name. */
export function isAnyKind(word: string): boolean {
  return (
    word === 'all' ||
    workloadKindOf(word) !== undefined ||
    memberKindOf(word) !== undefined ||
    ownerKindOf(word) !== undefined ||
    otherKindOf(word, true) !== undefined
  );
}

/** A kind whose objects belong to a workload. */
export const memberKinds = ['Pod', 'ReplicaSet', 'RayCluster'] as const;
export type MemberKind = (typeof memberKinds)[number];

export function memberKindOf(word: string): MemberKind | undefined {
  return owned.get(word.toLowerCase().replace(/\.(?:v1\.)?(?:apps|ray\.io)$/u, ''));
}

/**
 * The kind that `node/x` may mean, which was read as a namespace and a name.
 *
 * @param missing what was not found, and names near to it: a workload of that namespace is meant rather
 */
export function kindForNamespace(
  { namespace = '', kind }: { readonly namespace?: string; readonly kind?: WorkloadKind },
  { what, nearest }: { readonly what: string; readonly nearest: readonly string[] },
): OtherKind | undefined {
  if (kind !== undefined || (what !== 'workload' && what !== 'namespace')) return undefined;
  return nearest.some((name) => name.startsWith(`${namespace}/`)) ? undefined : otherKindOf(namespace, true);
}

/**
 * A kind that is not diagnosed.
 *
 * @param isKind whether the word can only be a kind; otherwise it may be a namespace too, which has no dot
 */
export function otherKindOf(word: string, isKind: boolean): OtherKind | undefined {
  // `cronjobs.batch` and `cronjobs.v1.batch` name the same kind.
  if (workloadKindOf(word) !== undefined) return undefined;
  const [name = '', ...group] = word.toLowerCase().split('.');
  return isKind || group.length > 0 || neverNamespaces.has(name) ? others.get(name) : undefined;
}
