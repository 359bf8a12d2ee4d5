import { type LabelSelector, type Labels, matchesSelector } from '../objects/label-selector.js';
import type { Pod } from '../objects/pod.js';
import type { PodAffinityTerm } from '../objects/pod-spec.js';

/** A required term of pod (anti-)affinity, ready to be asked. */
export interface PodTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector | undefined;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector | undefined;
}

export function affinityTerms(pod: Pod): readonly PodTerm[] {
  return terms(pod, pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
}

export function antiAffinityTerms(pod: Pod): readonly PodTerm[] {
  return terms(pod, pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
}

/** True when the term means this pod. `labelsOf` gives the labels of a namespace. */
export function termMatches(term: PodTerm, pod: Pod, labelsOf: (namespace: string) => Labels): boolean {
  const { namespace, labels } = pod.metadata;
  const inNamespace =
    term.namespaces.has(namespace) ||
    (term.namespaceSelector !== undefined && matchesSelector(term.namespaceSelector, labelsOf(namespace)));
  return inNamespace && matchesSelector(term.selector, labels);
}

function terms(pod: Pod, list: readonly PodAffinityTerm[] | undefined): readonly PodTerm[] {
  if (list === undefined || list.length === 0) return [];
  return list.map((term) => ({
    topologyKey: term.topologyKey,
    selector: withLabelKeys(term, pod.metadata.labels),
    namespaces: new Set(
      term.namespaces.length === 0 && term.namespaceSelector === undefined
        ? [pod.metadata.namespace]
        : term.namespaces,
    ),
    namespaceSelector: term.namespaceSelector,
  }));
}

/**
 * The API server writes the keys into the selector when it stores a pod; a pod made from a template lacks
 * that.
 */
function withLabelKeys(term: PodAffinityTerm, labels: Labels): LabelSelector | undefined {
  if (term.labelSelector === undefined) return undefined;
  if (term.matchLabelKeys.length === 0 && term.mismatchLabelKeys.length === 0) return term.labelSelector;
  return {
    matchLabels: term.labelSelector.matchLabels,
    matchExpressions: [
      ...term.labelSelector.matchExpressions,
      ...keyRequirements(term.matchLabelKeys, 'In', labels),
      ...keyRequirements(term.mismatchLabelKeys, 'NotIn', labels),
    ],
  };
}

/** `In` or `NotIn` the pod's own values; keys the pod does not have are passed over. */
export function keyRequirements(keys: readonly string[], operator: 'In' | 'NotIn', labels: Labels) {
  return keys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
