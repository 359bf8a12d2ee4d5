import { compareText } from '../../engine/collections/collections.js';
import type { Statement } from '../../engine/language/statement.js';
import {
  type DynamoGraphDeployment,
  nextDynamoRevisions,
} from '../../engine/objects/dynamo-graph-deployment.js';
import { nextKnativeRevisions } from '../../engine/objects/knative-service.js';
import { keepsRayCluster, nextRayRevisions, type RayService } from '../../engine/objects/ray-service.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import type { RevisionedService, Workload } from '../../engine/objects/workload.js';
import { parseQuantity } from '../../engine/scheduler/quantity.js';
import { sameTemplate } from '../../engine/workloads/template-equality.js';
import { state } from './text.js';

/** What a name that the API server makes up ends with in a simulation. */
const plannedSuffix = 'planned';

/**
 * The service as it is once its controller has seen the changed spec. A spec that makes no revision leaves
 * those that there are.
 */
export function withPlannedRevisions(
  planned: RevisionedService,
  live: Workload | undefined,
): RevisionedService {
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
