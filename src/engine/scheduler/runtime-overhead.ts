import type { ClusterIndex } from '../objects/cluster-index.js';
import type { PodSpec } from '../objects/pod-spec.js';

/**
 * The spec with the overhead that admission takes from its RuntimeClass (kubernetes
 * `plugin/pkg/admission/runtimeclass`). RuntimeClasses are not read: the pods of a class all have the same
 * overhead.
 */
export function withRuntimeOverhead(index: ClusterIndex, spec: PodSpec): PodSpec {
  const { runtimeClassName, overhead } = spec;
  if (runtimeClassName === undefined || Object.keys(overhead).length > 0) return spec;
  const found = overheads(index).get(runtimeClassName);
  return found === undefined ? spec : { ...spec, overhead: found };
}

type Overheads = ReadonlyMap<string, PodSpec['overhead']>;

const known = new WeakMap<ClusterIndex, Overheads>();

function overheads(index: ClusterIndex): Overheads {
  const found = known.get(index) ?? readOverheads(index);
  known.set(index, found);
  return found;
}

function readOverheads({ objects }: ClusterIndex): Overheads {
  const byClass = new Map<string, PodSpec['overhead']>();
  for (const { spec } of objects.Pod) {
    const { runtimeClassName, overhead } = spec;
    if (runtimeClassName !== undefined && Object.keys(overhead).length > 0)
      byClass.set(runtimeClassName, overhead);
  }
  return byClass;
}
