import type { ClusterIndex } from '../../../cluster/cluster-index.js';
import type { Pod } from '../../../cluster/pod.js';
import type { PodSpec } from '../../../cluster/pod-spec.js';
import type { Workload } from '../../../cluster/workload.js';
import { queuedWorkloadOf } from '../../../kueue/queued-workload.js';

/** A label of nodes that a pod requires and the template of its workload does not name. */
export interface AddedLabel {
  readonly key: string;
  /** The ResourceFlavor whose nodes Kueue chose for the pod, and the ClusterQueue that has it. */
  readonly by: { readonly flavor: string; readonly clusterQueue: string } | undefined;
}

/**
 * What was written into the pod after its template: by Kueue as it admitted the pod, or by something unknown.
 */
export function labelsAddedTo(index: ClusterIndex, { spec }: Workload, pod: Pod): readonly AddedLabel[] {
  const declared = keysOf(spec.template.spec);
  const admission = queuedWorkloadOf(index, pod)?.status.admission;
  const names = new Set(admission?.podSetAssignments.flatMap(({ flavors }) => Object.values(flavors)) ?? []);
  const flavors = index.objects.ResourceFlavor.filter(({ metadata }) => names.has(metadata.name));
  return [...keysOf(pod.spec)]
    .filter((key) => !declared.has(key))
    .map((key) => {
      const flavor = flavors.find((each) => key in each.spec.nodeLabels)?.metadata.name;
      const by =
        flavor === undefined || admission === undefined
          ? undefined
          : { flavor, clusterQueue: admission.clusterQueue };
      return { key, by };
    });
}

function keysOf({ nodeSelector, affinity }: PodSpec): ReadonlySet<string> {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  return new Set([
    ...Object.keys(nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
  ]);
}
