import { isObject } from '../../../core/cluster/wire.js';
import { groupBy } from '../../../core/collections/collections.js';
import type { TextObject } from './described-kind.js';

const revisionLabel = 'controller-revision-hash';

/** A pod as far as counts and revisions need it, whatever form it was read in. */
export interface CountedPod {
  readonly ownerUid: string;
  readonly ready: boolean;
  readonly revision: string | undefined;
  /** Images by container. */
  readonly images: Readonly<Record<string, string>>;
}

/**
 * What a description of a ReplicaSet or StatefulSet leaves out of its status and its pods show: how many are ready, and
 * which revision has the images of the template.
 */
export function withDerivedStatus(
  objects: readonly TextObject[],
  pods: readonly CountedPod[],
): readonly TextObject[] {
  const byOwner = groupBy(pods, ({ ownerUid }) => ownerUid);
  return objects.map((object) => {
    const owned = byOwner.get(object.metadata.uid) ?? [];
    if (!isObject(object.status)) return object;
    const readyReplicas = owned.filter(({ ready }) => ready).length;
    switch (object.kind) {
      case 'ReplicaSet':
        return { ...object, status: { ...object.status, readyReplicas, availableReplicas: readyReplicas } };
      case 'StatefulSet':
        return {
          ...object,
          status: {
            ...object.status,
            readyReplicas,
            availableReplicas: readyReplicas,
            ...revisionsOf(object, owned),
          },
        };
      default:
        return object;
    }
  });
}

function revisionsOf({ spec }: TextObject, owned: readonly CountedPod[]): object {
  const images = imagesOf(isObject(spec) && isObject(spec.template) ? spec.template.spec : undefined);
  const revisions = new Set(owned.flatMap(({ revision }) => (revision === undefined ? [] : [revision])));
  const updated = [...revisions].filter((revision) =>
    owned.some((pod) => pod.revision === revision && areEqual(pod.images, images)),
  );
  const [updateRevision] = updated;
  if (updateRevision === undefined || updated.length > 1) return {};
  const [currentRevision = updateRevision] = [...revisions].filter((revision) => revision !== updateRevision);
  return {
    updateRevision,
    currentRevision,
    updatedReplicas: owned.filter(({ revision }) => revision === updateRevision).length,
    currentReplicas: owned.filter(({ revision }) => revision === currentRevision).length,
  };
}

/** A described pod. Controllers count none that is being deleted. */
export function countedPodOf({ kind, metadata, spec, status }: TextObject): readonly CountedPod[] {
  const [owner] = Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [];
  if (kind !== 'Pod' || !isObject(owner) || typeof owner.uid !== 'string') return [];
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  const revision = isObject(metadata.labels) ? metadata.labels[revisionLabel] : undefined;
  return [
    {
      ownerUid: owner.uid,
      ready:
        metadata.deletionTimestamp === undefined &&
        conditions.some(
          (condition: unknown) =>
            isObject(condition) && condition.type === 'Ready' && condition.status === 'True',
        ),
      revision: typeof revision === 'string' ? revision : undefined,
      images: imagesOf(spec),
    },
  ];
}

export function imagesOf(spec: unknown): Readonly<Record<string, string>> {
  if (!isObject(spec) || !Array.isArray(spec.containers)) return {};
  return Object.fromEntries(
    spec.containers.flatMap((container: unknown) =>
      isObject(container) ? [[String(container.name), String(container.image)]] : [],
    ),
  );
}

function areEqual(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return Object.keys(other).every((name) => one[name] === other[name]);
}
