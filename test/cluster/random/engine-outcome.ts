import type { Pod } from '#src/engine/objects/pod.js';

/** The engine's pods before and after its controllers acted. */
interface Simulated {
  readonly before: readonly Pod[];
  readonly after: readonly Pod[];
}

const isStaying = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;

export function deletedIn({ before, after }: Simulated): readonly string[] {
  const staying = new Set(after.filter(isStaying).map(({ metadata }) => metadata.uid));
  return before
    .filter((pod) => isStaying(pod) && !staying.has(pod.metadata.uid))
    .map(({ metadata }) => metadata.name)
    .sort();
}

/** Pods that the engine created and that are still there. */
export function createdIn({ before, after }: Simulated): readonly Pod[] {
  const known = new Set(before.map(({ metadata }) => metadata.uid));
  return after.filter(({ metadata }) => !known.has(metadata.uid));
}
