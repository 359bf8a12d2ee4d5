import * as z from 'zod';
import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '../../engine/objects/cluster-objects.js';
import type { LimitRange, PriorityClass, ResourceQuota } from '../../engine/objects/policy.js';
import { nowOf, type Snapshot, type Unseen } from '../../engine/objects/snapshot.js';
import type { PersistentVolumeClaim } from '../../engine/objects/storage.js';
import type { Workload } from '../../engine/objects/workload.js';
import { canonicalQuantity } from '../../engine/scheduler/quantity.js';
import { quantitiesOf, quotaUsage } from '../../engine/workloads/quota-admission.js';
import { checkUpdate } from './check-update.js';
import { claimsOf, lacksClaims } from './claims-of.js';
import { type DeclaredManifest, plannedManifest } from './planned-below.js';
import { type Manifest, plannedWorkload } from './planned-workload.js';
import type { RolloutCheck } from './rollout-check.js';

interface ManifestsInput {
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

/** Objects of the manifests that bear on whether pods are created and placed. */
export interface Companions {
  readonly ResourceQuota: readonly ResourceQuota[];
  readonly LimitRange: readonly LimitRange[];
  readonly PriorityClass: readonly PriorityClass[];
  readonly PersistentVolumeClaim: readonly PersistentVolumeClaim[];
}

/**
 * The cluster after the companions were applied. A quota is in force at once, charged with the pods that are
 * there; a claim that exists keeps its binding.
 *
 * @param now epoch milliseconds
 */
export function withManifests(index: ClusterIndex, companions: Companions, now: number): ClusterIndex {
  const { objects } = index;
  const quotas = companions.ResourceQuota.map((quota): ResourceQuota => {
    const live = objects.ResourceQuota.find((each) => sameName(each, quota));
    const used = live === undefined ? usedBy(quota, objects, now) : live.status.used;
    return { ...quota, status: { hard: quota.spec.hard, used } };
  });
  const claims = companions.PersistentVolumeClaim.filter(
    (claim) => !objects.PersistentVolumeClaim.some((each) => sameName(each, claim)),
  );
  return indexObjects(
    clusterObjects({
      ...objects,
      ResourceQuota: replaced(objects.ResourceQuota, quotas),
      LimitRange: replaced(objects.LimitRange, companions.LimitRange),
      PriorityClass: replaced(objects.PriorityClass, companions.PriorityClass),
      PersistentVolumeClaim: [...objects.PersistentVolumeClaim, ...claims],
    }),
    index.podsReadOn,
    index.serverVersion,
  );
}

type Named = { readonly metadata: { readonly namespace: string; readonly name: string } };

function sameName({ metadata: a }: Named, { metadata: b }: Named): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

function replaced<Item extends Named>(before: readonly Item[], applied: readonly Item[]): readonly Item[] {
  return [...before.filter((item) => !applied.some((each) => sameName(each, item))), ...applied];
}

function usedBy(quota: ResourceQuota, { Pod }: ClusterObjects, now: number): ResourceQuota['status']['used'] {
  const pods = Pod.filter(({ metadata }) => metadata.namespace === quota.metadata.namespace);
  const usage = quotaUsage(quota, pods, now);
  return Object.fromEntries(
    [...quantitiesOf(quota.spec.hard).keys()].flatMap((resource) => {
      const amount = usage.get(resource);
      return amount === undefined ? [] : [[resource, canonicalQuantity(amount)]];
    }),
  );
}

/** Checks one manifest on the cluster as a snapshot shows it; `undefined` where it can be no workload. */
export function checkSnapshot(manifest: DeclaredManifest, snapshot: Snapshot): RolloutCheck | undefined {
  const { index, unseen, cluster } = snapshot;
  const now = nowOf(snapshot);
  try {
    const planned = plannedManifest(manifest, snapshot);
    if (planned === undefined) return undefined;
    return checkManifests({ index, unseen, cluster, now, manifests: [planned], companions: noCompanions })[0];
  } catch (error) {
    if (error instanceof z.ZodError) return undefined;
    throw error;
  }
}
