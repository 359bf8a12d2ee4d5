import type { KubernetesObject } from '@kubernetes/client-node';

/** A collection as the API server lists it. */
export interface Listed {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: readonly KubernetesObject[];
}

/** Versions of one cluster grow with each write. */
export const versionOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): number =>
  Number(metadata?.resourceVersion ?? 0);

/**
 * Whether a watch has shown everything that a later list holds, so that no created, changed or deleted object
 * of the list is still to come.
 *
 * @param mirrored objects of the listed collection, as the watch showed them
 * @param seenUpTo version of the last event of the watch; events of one watch arrive in the order of their
 *   versions
 */
export function hasCaughtUp(list: Listed, mirrored: readonly KubernetesObject[], seenUpTo: number): boolean {
  const listed = new Set(list.items.map(({ metadata }) => metadata?.uid));
  const isWritten = list.items.every((item) => versionOf(item) <= seenUpTo);
  const isDeleted = mirrored.every(
    (object) => listed.has(object.metadata?.uid) || versionOf(object) > versionOf(list),
  );
  return isWritten && isDeleted;
}
