import { compareText } from '../collections/collections.js';
import type { ObjectRef } from './metadata.js';
import type { Pod } from './pod.js';

/** What names a pod in sets: its uid, or namespace/name for a pod that has none yet. */
export function podKey(pod: Pod): string {
  return pod.metadata.uid === '' ? `${pod.metadata.namespace}/${pod.metadata.name}` : pod.metadata.uid;
}

interface Named {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

export function podNames(pods: readonly Named[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}

/** As `namespace/name`. */
export function qualifiedPodNames(pods: readonly Named[]): readonly string[] {
  return pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

export function byPodName(a: Pod, b: Pod): number {
  return (
    compareText(a.metadata.namespace, b.metadata.namespace) ||
    compareText(a.metadata.name, b.metadata.name) ||
    compareText(podKey(a), podKey(b))
  );
}

/** The pod as evidence and cards name it. */
export function refOf({ metadata }: Pod): ObjectRef {
  return { kind: 'Pod', namespace: metadata.namespace, name: metadata.name };
}
