import type { ObjectRef } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { templatePathOf } from '../../../cluster/template-path.js';
import type { FailedCreation } from '../../../creation/failed-creation.js';
import { templateOf } from '../../../creation/quota-block.js';
import { wantedPod } from '../../../creation/wanted-pod.js';
import { parseQuantity } from '../../../placement/quantity.js';
import { admission } from '../../../rollout/quota-admission.js';
import type { Refused } from './telling.js';

/** A field of an object that was read and agrees with the refusal: it would be the same now. */
export interface Confirmation {
  readonly object: ObjectRef;
  readonly field: string;
  readonly value: string;
}

/** What the objects themselves say about the refusal; empty where nothing that is read could tell. */
export function confirmationsOf(
  snapshot: Snapshot,
  refused: Refused,
  failed: FailedCreation,
): readonly Confirmation[] {
  switch (refused.kind) {
    case 'pod-security':
      return enforcedLevel(snapshot, refused.level);
    case 'limit-range':
      return bounds(snapshot, refused.violations);
    case 'priority-class':
      return missingClass(snapshot, refused.name);
    case 'namespace-terminating':
      return deletedNamespace(snapshot);
    case 'must-specify':
      return refusingQuota(snapshot, failed);
    default:
      return [];
  }
}

const enforceLabel = 'pod-security.kubernetes.io/enforce';

function enforcedLevel({ index, workload }: Snapshot, level: string): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const value = index.objects.Namespace.find(({ metadata }) => metadata.name === namespace)?.metadata.labels[
    enforceLabel
  ];
  if (value === undefined || value !== level.split(':')[0]) return [];
  return [
    {
      object: { kind: 'Namespace', namespace: '', name: namespace },
      field: `metadata.labels[${enforceLabel}]`,
      value,
    },
  ];
}

const boundWords = /^(minimum|maximum) (\S+) usage per (\S+) is (\S+?)[.,](?:\s|$)/;

/** The LimitRanges with the very bound that the refusal names. */
function bounds({ index, workload }: Snapshot, violations: readonly string[]): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const own = index.objects.LimitRange.filter(({ metadata }) => metadata.namespace === namespace);
  return violations.flatMap((violation) => {
    const [, word, resource, type, bound] = boundWords.exec(violation) ?? [];
    if (resource === undefined || bound === undefined) return [];
    const side = word === 'minimum' ? 'min' : 'max';
    return own.flatMap(({ metadata, spec }): readonly Confirmation[] => {
      const item = spec.limits.find((one) => one.type === type && sameAmount(one[side][resource], bound));
      if (item === undefined) return [];
      return [
        {
          object: { kind: 'LimitRange', namespace, name: metadata.name },
          field: `spec.limits[${item.type}].${side}[${resource}]`,
          value: item[side][resource] ?? '',
        },
      ];
    });
  });
}

function sameAmount(a: string | undefined, b: string): boolean {
  const left = a === undefined ? undefined : parseQuantity(a);
  return left !== undefined && left.nano === parseQuantity(b)?.nano;
}

/** Classes that were read, and this one is not among them. Every cluster has the two system ones. */
function missingClass({ index, workload }: Snapshot, name: string): readonly Confirmation[] {
  const { PriorityClass } = index.objects;
  if (PriorityClass.length === 0 || PriorityClass.some(({ metadata }) => metadata.name === name)) return [];
  const { kind, metadata, spec } = workload;
  if (spec.template.spec.priorityClassName !== name) return [];
  return [
    {
      object: { kind, namespace: metadata.namespace, name: metadata.name },
      field: `${templatePathOf(workload)}.spec.priorityClassName`,
      value: name,
    },
  ];
}

function deletedNamespace({ index, workload }: Snapshot): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const found = index.objects.Namespace.find(({ metadata }) => metadata.name === namespace);
  const value = found?.metadata.deletionTimestamp;
  if (value === undefined) return [];
  return [
    {
      object: { kind: 'Namespace', namespace: '', name: namespace },
      field: 'metadata.deletionTimestamp',
      value,
    },
  ];
}

/** The quota engine refuses the wanted pod for the same reason. */
function refusingQuota(snapshot: Snapshot, failed: FailedCreation): readonly Confirmation[] {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const pod = wantedPod(snapshot, templateOf(snapshot, failed), failed, `${failed.owner.name}-next-1`);
  const outcome = admission(pod, index.objects.ResourceQuota, nowOf(snapshot));
  if (outcome.kind === 'admitted') return [];
  return outcome.refusals.flatMap(({ kind, quota }) => {
    const found = index.objects.ResourceQuota.find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === quota,
    );
    if (kind !== 'must-specify' || found === undefined) return [];
    const object = { kind: 'ResourceQuota', namespace, name: quota };
    return [{ object, field: 'spec.hard', value: Object.keys(found.spec.hard).join(', ') }];
  });
}
