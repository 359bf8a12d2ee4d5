import type { RayService } from '../cluster/ray-service.js';
import { isObject, type JsonObject } from '../cluster/wire.js';
import { compareText } from '../collections/collections.js';
import { parseQuantity } from '../placement/quantity.js';

/** What a changed spec makes of the RayCluster that serves. */
export type RayClusterChange =
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
export function rayClusterChangeOf(live: RayService, planned: RayService): RayClusterChange {
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
