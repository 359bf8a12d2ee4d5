import { isSame } from '../../../doctor/fixes/plan.js';
import { groupBy } from '../../../engine/collections/collections.js';
import { isObject } from '../../../engine/objects/wire.js';
import type { TextObject } from './described-kind.js';

const revisionLabel = 'controller-revision-hash';

/** A pod as far as counts and revisions need it, whatever form it was read in. */
export interface CountedPod {
  readonly ownerUid: string;
  readonly ready: boolean;
  readonly revision: string | undefined;
  /** The number at the end of its name; -1 without one. */
  readonly ordinal: number;
  readonly containers: Containers;
  readonly annotations: Annotations;
}

type Annotations = Readonly<Record<string, unknown>>;

/** Containers of a pod or of a template, by name. */
type Containers = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * What a description of a ReplicaSet or StatefulSet leaves out of its status and its pods show: how many are
 * ready, and which revision is that of the template.
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

/**
 * The template is that of the update revision. Pods of the revision that differs least from it are updated.
 * Where all differ alike, the controller's order decides: it updates the highest ordinals first
 * (`stateful_set_control.go: updateStatefulSet`).
 */
function revisionsOf({ spec }: TextObject, owned: readonly CountedPod[]): object {
  if (!isObject(spec)) return {};
  const template = isObject(spec.template) ? spec.template : {};
  const wanted = containersIn(template.spec);
  const marks = annotationsIn(template.metadata);
  const byRevision = groupBy(
    owned.filter(({ revision }) => revision !== undefined),
    ({ revision }) => revision,
  );
  const differences = [...byRevision.keys()].map((revision) => ({
    revision,
    count: Math.min(
      ...(byRevision.get(revision) ?? []).map(
        ({ containers, annotations }) => differencesOf(containers, wanted) + missingOf(annotations, marks),
      ),
    ),
  }));
  const least = Math.min(...differences.map(({ count }) => count));
  const nearest = differences.filter(({ count }) => count === least);
  const isAlone = differences.length === 1;
  // The only revision of all pods need not be the one that the template asks for.
  if (nearest[0] === undefined || (isAlone && least > 0 && !hasImages(owned, wanted, marks))) return {};
  const updateRevision = nearest.length === 1 ? nearest[0].revision : updatedByOrder(spec, owned);
  if (updateRevision === undefined) return {};
  const currentRevision =
    differences.find(({ revision }) => revision !== updateRevision)?.revision ?? updateRevision;
  return {
    // The controller has made the revision of this template, so it has seen it.
    observedGeneration: 1,
    updateRevision,
    currentRevision,
    updatedReplicas: owned.filter(({ revision }) => revision === updateRevision).length,
    currentReplicas: owned.filter(({ revision }) => revision === currentRevision).length,
  };
}

/**
 * `undefined` where people replace the pods, or where the lowest ordinal has the same revision as the
 * highest.
 */
function updatedByOrder(
  { updateStrategy }: Readonly<Record<string, unknown>>,
  owned: readonly CountedPod[],
): string | undefined {
  if (!isObject(updateStrategy) || updateStrategy.type !== 'RollingUpdate') return undefined;
  const inOrder = [...owned].sort((a, b) => a.ordinal - b.ordinal);
  const [lowest, highest] = [inOrder[0], inOrder.at(-1)];
  return lowest?.revision === highest?.revision ? undefined : highest?.revision;
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
      ordinal: ordinalOf(metadata.name),
      containers: containersIn(spec),
      annotations: annotationsIn(metadata),
    },
  ];
}

export function ordinalOf(name: string): number {
  return Number(/-(\d{1,9})$/u.exec(name)?.[1] ?? -1);
}

function annotationsIn(metadata: unknown): Annotations {
  return isObject(metadata) && isObject(metadata.annotations) ? metadata.annotations : {};
}

export function containersIn(spec: unknown): Containers {
  if (!isObject(spec) || !Array.isArray(spec.containers)) return new Map();
  return new Map(
    spec.containers.flatMap((container: unknown) =>
      isObject(container) ? [[String(container.name), container] as const] : [],
    ),
  );
}

/** Fields of the containers of a template that a pod has in another form. Webhooks may add more to a pod. */
function differencesOf(containers: Containers, wanted: Containers): number {
  return [...wanted].reduce((count, [name, template]) => {
    const container = containers.get(name) ?? {};
    const fields = Object.keys(template).filter((field) => !isSame(container[field], template[field]));
    return count + fields.length;
  }, 0);
}

/**
 * Annotations of the template that a pod lacks, such as that of `kubectl rollout restart`. Others add to a
 * pod and take nothing away.
 */
function missingOf(annotations: Annotations, wanted: Annotations): number {
  return Object.keys(wanted).filter((key) => annotations[key] !== wanted[key]).length;
}

function hasImages(owned: readonly CountedPod[], wanted: Containers, marks: Annotations): boolean {
  return owned.some(
    ({ containers, annotations }) =>
      missingOf(annotations, marks) === 0 &&
      [...wanted].every(([name, { image }]) => containers.get(name)?.image === image),
  );
}
