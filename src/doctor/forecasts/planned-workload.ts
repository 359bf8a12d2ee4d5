import { compareText } from '../../engine/collections/collections.js';
import type { Statement } from '../../engine/language/statement.js';
import { type ObjectOf, schemas } from '../../engine/objects/cluster-objects.js';
import {
  type DynamoGraphDeployment,
  nextDynamoRevisions,
} from '../../engine/objects/dynamo-graph-deployment.js';
import { nextKnativeRevisions } from '../../engine/objects/knative-service.js';
import { PodTemplate } from '../../engine/objects/pod-spec.js';
import { keepsRayCluster, nextRayRevisions, type RayService } from '../../engine/objects/ray-service.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import {
  isRevisioned,
  type RevisionedService,
  type Workload,
  type WorkloadKind,
} from '../../engine/objects/workload.js';
import { parseQuantity } from '../../engine/scheduler/quantity.js';
import { annotationsOfNextTemplate } from '../../engine/workloads/controller-revisions.js';
import { sameTemplate } from '../../engine/workloads/template-equality.js';
import { state } from './text.js';

/** A manifest as its author wrote it. */
export interface Manifest {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly raw: JsonObject;
}

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The workload as the API server would hold it after `kubectl apply`: what the manifest says; what it leaves
 * out stays as it is, unless the manifest that was applied before said it, in which case it goes back to its
 * default (kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config). A new workload gets a uid
 * of its own, so that it owns its pods in a simulation.
 *
 * @param live the workload in the cluster, if there is one
 * @throws z.ZodError when the manifest cannot be a workload
 */
export function plannedWorkload(
  { kind, namespace, name, raw }: Manifest,
  live: Workload | undefined,
): Workload {
  const spec = fields(raw.spec);
  const before = fields(lastApplied(live).spec);
  const template = withKeptMetadata(fields(spec.template), fields(before.template), live);
  const parsed: ObjectOf<WorkloadKind> = schemas[kind].parse({ ...raw, spec: { ...spec, template } });
  const metadata = {
    ...parsed.metadata,
    ...(live === undefined
      ? { uid: `planned:${namespace}/${name}` }
      : {
          uid: live.metadata.uid,
          creationTimestamp: live.metadata.creationTimestamp,
          generation: (live.metadata.generation ?? 0) + 1,
          annotations: annotationsAfter(live, parsed),
          labels: { ...live.metadata.labels, ...parsed.metadata.labels },
        }),
    name,
    namespace,
  };
  const kept = live === undefined ? {} : keptFields(spec, before, fields(live.spec));
  const status = live?.kind === parsed.kind ? live.status : parsed.status;
  // The kind decides which fields there are, in the manifest and in the live object alike.
  const planned = { ...parsed, metadata, status, spec: { ...parsed.spec, ...kept } } as Workload;
  return isRevisioned(planned)
    ? withPlannedRevisions({ ...planned, spec: parsed.spec } as typeof planned, live)
    : planned;
}

/** A new template of a DaemonSet counts as one more, whatever the manifest says. */
function annotationsAfter(live: Workload, planned: Workload): Readonly<Record<string, string>> {
  const applied = { ...live.metadata.annotations, ...planned.metadata.annotations };
  const isNext = live.kind === 'DaemonSet' && !sameTemplate(live.spec.template, planned.spec.template);
  // The API server counts from its own annotation.
  return isNext ? { ...applied, ...annotationsOfNextTemplate(live.metadata.annotations) } : applied;
}

const keptWhenLeftOut = [
  'replicas',
  'strategy',
  'updateStrategy',
  'minReadySeconds',
  'progressDeadlineSeconds',
  'revisionHistoryLimit',
  'paused',
  'podManagementPolicy',
  'ordinals',
  'volumeClaimTemplates',
] as const;

function keptFields(spec: JsonObject, before: JsonObject, live: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const field of keptWhenLeftOut) {
    if ((spec[field] ?? undefined) === undefined && before[field] === undefined && field in live) {
      kept[field] = live[field];
    }
  }
  const bounds = keptBounds(spec, before, live);
  return bounds === undefined ? kept : { ...kept, strategy: bounds };
}

/**
 * A Deployment's strategy is replaced as a whole but for its bounds, which are merged (patchStrategy
 * retainKeys).
 */
function keptBounds(spec: JsonObject, before: JsonObject, live: JsonObject): JsonObject | undefined {
  const strategy = fields(spec.strategy);
  if (strategy.rollingUpdate === undefined || strategy.rollingUpdate === null) return undefined;
  const said = fields(strategy.rollingUpdate);
  const saidBefore = fields(fields(before.strategy).rollingUpdate);
  const now = fields(fields(live.strategy).rollingUpdate);
  const bound = (name: string): unknown =>
    said[name] ?? (saidBefore[name] === undefined ? now[name] : undefined) ?? '25%';
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: bound('maxSurge'), maxUnavailable: bound('maxUnavailable') },
  };
}

/** Labels and annotations of the template that others have set (`kubectl rollout restart` sets one) stay. */
function withKeptMetadata(template: JsonObject, before: JsonObject, live: Workload | undefined): JsonObject {
  if (live === undefined) return template;
  const metadata = fields(template.metadata);
  const liveMetadata = fields(live.spec.template.raw.metadata);
  const merged: Record<string, unknown> = { ...metadata };
  for (const field of ['labels', 'annotations']) {
    const said = fields(metadata[field]);
    const saidBefore = fields(fields(before.metadata)[field]);
    const kept = Object.entries(fields(liveMetadata[field])).filter(
      ([key]) => !(key in said) && !(key in saidBefore),
    );
    if (kept.length > 0) merged[field] = { ...Object.fromEntries(kept), ...said };
  }
  return PodTemplate.parse({ ...template, metadata: merged }).raw;
}

function lastApplied(live: Workload | undefined): JsonObject {
  const text = live?.metadata.annotations[lastAppliedAnnotation];
  if (text === undefined) return {};
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The fields of a map; none of anything else. */
export function fields(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What a name that the API server makes up ends with in a simulation. */
const plannedSuffix = 'planned';

/**
 * The service as it is once its controller has seen the changed spec. A spec that makes no revision leaves
 * those that there are.
 */
function withPlannedRevisions(planned: RevisionedService, live: Workload | undefined): RevisionedService {
  const next = `${planned.metadata.name}-${plannedSuffix}`;
  if (planned.kind === 'KnativeService') {
    const before = live?.kind === 'KnativeService' ? live : planned;
    const revisions = makesRevision(planned, live)
      ? nextKnativeRevisions(before, planned, next)
      : before.revisions;
    return { ...planned, revisions };
  }
  if (planned.kind === 'DynamoGraphDeployment') {
    const before = live?.kind === 'DynamoGraphDeployment' ? live : planned;
    const revisions = makesRevision(planned, live) ? nextDynamoRevisions(before, next) : before.revisions;
    return { ...planned, revisions };
  }
  const before = live?.kind === 'RayService' ? live : planned;
  const revisions = makesRevision(planned, live) ? nextRayRevisions(before, next) : before.revisions;
  return { ...planned, revisions };
}

/** Whether the changed spec makes a new revision. */
export function makesRevision(planned: RevisionedService, live: Workload | undefined): boolean {
  if (live === undefined) return true;
  if (planned.kind === 'KnativeService') {
    return live.kind !== 'KnativeService' || !sameTemplate(live.spec.template, planned.spec.template);
  }
  if (planned.kind === 'DynamoGraphDeployment') {
    return live.kind !== 'DynamoGraphDeployment' || !sameWorkers(live, planned);
  }
  if (live.kind !== 'RayService') return true;
  return !keepsRayCluster(planned) && rayClusterChangeOf(live, planned).kind === 'new-cluster';
}

/**
 * Replicas and the frontend are not in the hash of the workers (dynamo `hash.go: workerHashInputForSpec`).
 */
function sameWorkers(live: DynamoGraphDeployment, planned: DynamoGraphDeployment): boolean {
  const rest = ({ spec, parts }: DynamoGraphDeployment) =>
    JSON.stringify([spec.backendFramework, spec.env, parts.map(({ name }) => name)]);
  return (
    rest(live) === rest(planned) &&
    planned.parts.every(({ name, template }) =>
      live.parts.some((each) => each.name === name && sameTemplate(each.template, template)),
    )
  );
}

/** A service of which the changed spec makes no new revision, and what becomes of the change. */
export function keepsRevision(
  planned: Workload,
  live: Workload | undefined,
  rolls: boolean,
): Statement | undefined {
  if (planned.kind !== 'RayService' || rolls) return undefined;
  const change = live?.kind === 'RayService' ? rayClusterChangeOf(live, planned) : undefined;
  if (change?.kind === 'numbers') return state('keeps-ray-numbers');
  if (change?.kind === 'added-groups') return state('adds-ray-groups', { groups: change.groups });
  return keepsRayCluster(planned) ? state('keeps-ray-cluster') : undefined;
}

/** What decides whether a revision is made, and is not in the cluster's objects. */
export function revisionDoubts(planned: Workload): readonly Statement[] {
  const isGated =
    planned.kind === 'RayService' &&
    planned.spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade';
  return isGated ? [state('ray-upgrade-gate')] : [];
}

/** What a changed spec makes of the RayCluster that serves. */
type RayClusterChange =
  | { readonly kind: 'none' }
  /** A second RayCluster is prepared. */
  | { readonly kind: 'new-cluster' }
  /** Numbers of workers alone: they count from the next other change on. */
  | { readonly kind: 'numbers' }
  /** The RayCluster that serves gets these worker groups. */
  | { readonly kind: 'added-groups'; readonly groups: readonly string[] };

/**
 * How KubeRay compares the spec with the RayCluster that serves (kuberay `rayservice_controller.go:
 * generateHashWithoutReplicasAndWorkersToDelete, isClusterSpecHashEqual`): all fields but the numbers of
 * workers, and without worker groups that follow the present ones.
 */
function rayClusterChangeOf(live: RayService, planned: RayService): RayClusterChange {
  const before = hashedConfig(live);
  const after = hashedConfig(planned);
  const added = after.groups.slice(before.groups.length);
  const isSameSoFar =
    before.rest === after.rest && before.groups.every((group, index) => group === after.groups[index]);
  if (!isSameSoFar) return { kind: 'new-cluster' };
  if (added.length > 0) {
    const { workerGroupSpecs } = planned.spec.rayClusterConfig;
    const groups = workerGroupSpecs.slice(before.groups.length).map(({ groupName }) => groupName);
    return { kind: 'added-groups', groups };
  }
  return numbersOf(live) === numbersOf(planned) ? { kind: 'none' } : { kind: 'numbers' };
}

/** The fields that the hash leaves out. */
const numberFields = ['replicas', 'minReplicas', 'maxReplicas'];

function hashedConfig({ spec }: RayService): { readonly rest: string; readonly groups: readonly string[] } {
  const { workerGroupSpecs: _, ...rest } = spec.rayClusterConfig.raw;
  const groups = groupsOf(spec.rayClusterConfig.raw).map((group) => {
    const hashed = Object.entries(group).filter(([field]) => !numberFields.includes(field));
    const { workersToDelete: _, ...strategy } = objectOf(group.scaleStrategy);
    return canonicalText({ numOfHosts: 1, ...Object.fromEntries(hashed), scaleStrategy: strategy });
  });
  return { rest: canonicalText(rest), groups };
}

function numbersOf({ parts }: RayService): string {
  return JSON.stringify(parts.map(({ count }) => count));
}

function groupsOf({ workerGroupSpecs }: JsonObject): readonly JsonObject[] {
  return Array.isArray(workerGroupSpecs) ? workerGroupSpecs.map(objectOf) : [];
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

function canonicalText(value: unknown): string {
  return JSON.stringify(canonicalValue(value, '')) ?? '';
}

/** Fields whose values the operator reads as quantities. */
const amounts: ReadonlySet<string> = new Set(['requests', 'limits']);

/**
 * As Go writes it: keys in one order, empty fields left out, one spelling of each quantity, the definition's
 * defaults.
 */
function canonicalValue(value: unknown, field: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      field === 'ports' && isObject(item) ? { protocol: 'TCP', ...item } : item,
    );
    return items.length === 0 ? undefined : items.map((item) => canonicalValue(item, ''));
  }
  if (!isObject(value)) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, amounts.has(field) ? amountOf(each) : canonicalValue(each, key)] as const)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function amountOf(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? (parseQuantity(text)?.nano.toString() ?? text) : text;
}
