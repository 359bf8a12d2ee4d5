import type { Pod } from '../objects/pod.js';
import type { PodAffinityTerm } from '../objects/pod-spec.js';
import type { ResourceQuota } from '../objects/quota.js';
import { parseQuantity } from '../scheduler/quantity.js';

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/**
 * True when the pod is of every scope the quota names; no scope covers all pods
 * (kubernetes `pkg/quota/v1/evaluator/core/pods.go: podMatchesScopeFunc`).
 */
export function isInScope({ spec }: ResourceQuota, pod: Pod): boolean {
  const plain = spec.scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  return [...plain, ...(spec.scopeSelector?.matchExpressions ?? [])].every((scope) => matches(scope, pod));
}

function matches(scope: ScopeRequirement, pod: Pod): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesPriorityClass(scope, pod.spec.priorityClassName ?? '');
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod);
    default:
      return false;
  }
}

/** The scope's name speaks of pods that end by their deadline, not of deleted ones. */
function hasDeadline({ spec }: Pod): boolean {
  return spec.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

/** Asks for no cpu and no memory anywhere (`qos.go: ComputePodQOS`). */
function isBestEffort({ spec, status }: Pod): boolean {
  if (status.qosClass !== undefined && status.qosClass !== '') return status.qosClass === 'BestEffort';
  const all =
    spec.resources === undefined
      ? [...spec.containers, ...spec.initContainers].map(({ resources }) => resources)
      : [spec.resources];
  const texts = all.flatMap(({ requests, limits }) => [
    requests.cpu,
    requests.memory,
    limits.cpu,
    limits.memory,
  ]);
  return texts.every((text) => text === undefined || (parseQuantity(text)?.nano ?? 0n) <= 0n);
}

function matchesPriorityClass({ operator, values }: ScopeRequirement, name: string): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    default:
      return false;
  }
}

/** Required terms only: preferred ones are not part of the model. */
function usesOtherNamespaces({ spec }: Pod): boolean {
  const names = (term: PodAffinityTerm) => term.namespaces.length > 0 || term.namespaceSelector !== undefined;
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].some((affinity) =>
    affinity?.requiredDuringSchedulingIgnoredDuringExecution.some(names),
  );
}
