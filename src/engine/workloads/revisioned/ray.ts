import { compareText } from '../../collections/collections.js';
import { controllerOf } from '../../objects/metadata.js';
import { isActive } from '../../objects/pod.js';
import {
  headGroup,
  keepsRayCluster,
  nextRayRevisions,
  type RayService,
  rayClusterOf,
  rayLabels,
  rayServiceKind,
} from '../../objects/ray-service.js';
import type { RevisionPart } from '../../objects/revisions.js';
import { isObject, type JsonObject } from '../../objects/wire.js';
import { parseQuantity } from '../../scheduler/quantity.js';
import { failureEvent } from '../creation-events.js';
import type { RefusedInput, RefusedPods, ServiceKind, SpecChange } from './service-kind.js';

const partLabel = rayLabels.group;

/** KubeRay, whose revisions are RayClusters of a head and groups of workers. */
export const ray: ServiceKind<RayService> = {
  partLabel,
  // kuberay `common/pod.go`: of workers, and of the head.
  sidecars: ['wait-gcs-ready', 'autoscaler'],
  retires: true,
  owns: (service, pod) => isClusterOf(service, rayClusterOf(pod) ?? ''),
  podLabels: (_service, revision, part) => ({ [rayLabels.cluster]: revision, [partLabel]: part }),
  refusedPods: (input) => input.revisions.flatMap((cluster) => refusedIn(cluster, input)),
  changeOf: specChange,
  isGated: ({ spec }) => spec.upgradeStrategy?.type === 'NewClusterWithIncrementalUpgrade',
  nextRevisions: (before, _planned, next) => nextRayRevisions(before, next),
};

/**
 * KubeRay names a RayCluster after its RayService, with five random characters (kuberay
 * `util.go: GenerateRayClusterName`).
 */
function isClusterOf(service: string, cluster: string): boolean {
  return (
    cluster.startsWith(`${service}-`) &&
    /^(?:raycluster-)?[a-z0-9]{5}$/u.test(cluster.slice(service.length + 1))
  );
}

/**
 * KubeRay creates the head first, then the workers, and stops at the first failure (kuberay
 * `raycluster_controller.go`).
 */
function refusedIn(
  cluster: string,
  { index, service: { metadata, parts }, pods, now }: RefusedInput<RayService>,
): readonly RefusedPods[] {
  const { namespace } = metadata;
  const about = index.objects.Event.find(
    ({ involvedObject: { kind, ...object } }) =>
      kind === rayServiceKind.partsBelongTo && object.namespace === namespace && object.name === cluster,
  );
  const uid = about?.involvedObject.uid ?? '';
  const creator = { kind: 'RayCluster', namespace, name: cluster };
  const existingOf = (group: string): number =>
    pods.filter(
      (pod) =>
        isActive(pod) && controllerOf(pod)?.name === cluster && pod.metadata.labels[partLabel] === group,
    ).length;
  const isMissing = ({ name, count }: RevisionPart): boolean => count > existingOf(name);
  const head = parts.find((part) => part.name === headGroup && isMissing(part));
  const [role, candidates] =
    head === undefined ? (['Worker', parts.filter(isMissing)] as const) : (['Head', [head]] as const);
  const reasons = { failed: `FailedToCreate${role}Pod`, created: `Created${role}Pod` };
  const event = failureEvent(index, now, uid, reasons);
  const part = candidates.find(({ name }) => event?.message.includes(`-${name}-worker-`)) ?? candidates[0];
  if (event === undefined || part === undefined) return [];
  const missing = part.count - existingOf(part.name);
  return [{ creator, uid, part, wanted: part.count, missing, replicaSet: undefined, event }];
}

/**
 * How KubeRay compares the spec with the RayCluster that serves (kuberay `rayservice_controller.go:
 * generateHashWithoutReplicasAndWorkersToDelete, isClusterSpecHashEqual`): all fields but the numbers of
 * workers, and without worker groups that follow the present ones.
 */
function specChange(live: RayService, planned: RayService): SpecChange {
  const keeps = keepsRayCluster(planned);
  const before = hashedConfig(live);
  const after = hashedConfig(planned);
  const added = after.groups.slice(before.groups.length);
  const isSameSoFar =
    before.rest === after.rest && before.groups.every((group, index) => group === after.groups[index]);
  if (!isSameSoFar) return { kind: keeps ? 'kept' : 'new-revision' };
  if (added.length > 0) {
    const { workerGroupSpecs } = planned.spec.rayClusterConfig;
    const groups = workerGroupSpecs.slice(before.groups.length).map(({ groupName }) => groupName);
    return { kind: 'added-groups', groups };
  }
  if (numbersOf(live) !== numbersOf(planned)) return { kind: 'numbers' };
  return { kind: keeps ? 'kept' : 'none' };
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
