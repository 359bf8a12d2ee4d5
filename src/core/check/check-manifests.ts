import type { ClusterIndex } from '../cluster/cluster-index.js';
import type { Unseen } from '../cluster/snapshot.js';
import type { Workload } from '../cluster/workload.js';
import { checkUpdate } from './check-update.js';
import { claimsOf, lacksClaims } from './claims-of.js';
import { type Manifest, plannedWorkload } from './planned-workload.js';
import type { RolloutCheck } from './rollout-check.js';
import { type Companions, withManifests } from './with-manifests.js';

export interface ManifestsInput {
  readonly index: ClusterIndex;
  readonly unseen: readonly Unseen[];
  readonly cluster: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly manifests: readonly Manifest[];
  readonly companions: Companions;
}

/**
 * Checks each workload by itself, on the cluster with everything else that the manifests bring.
 *
 * @returns one answer a manifest, in their order
 * @throws z.ZodError when a manifest cannot be a workload
 */
export function checkManifests(input: ManifestsInput): readonly RolloutCheck[] {
  const { unseen, cluster, now, manifests, companions } = input;
  const index = withManifests(input.index, companions, now);
  return manifests.map((manifest) => {
    const live = liveWorkload(index, manifest);
    const planned = plannedWorkload(manifest, live);
    const claims = claimsOf(index, planned, manifest.raw);
    const own =
      claims.length === 0
        ? index
        : withManifests(index, { ...noCompanions, PersistentVolumeClaim: claims }, now);
    return checkUpdate({
      index: own,
      unseen,
      cluster,
      now,
      planned,
      live,
      lacksClaims: lacksClaims(planned, manifest.raw),
    });
  });
}

export const noCompanions: Companions = {
  ResourceQuota: [],
  LimitRange: [],
  PriorityClass: [],
  PersistentVolumeClaim: [],
};

/** The workload of the manifest's kind, namespace and name, if the cluster has it. */
export function liveWorkload(
  { objects }: ClusterIndex,
  { kind, namespace, name }: Pick<Manifest, 'kind' | 'namespace' | 'name'>,
): Workload | undefined {
  const all: readonly Workload[] = objects[kind];
  return all.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
}
