import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import { PersistentVolumeClaim } from '../../engine/objects/storage.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { hasOrdinals, type Workload } from '../../engine/objects/workload.js';
import { fields } from './planned-workload.js';

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';
/** Claims that are made up for one StatefulSet. */
export const maxClaims = 1_000;

/** Ordinals whose claims are made up. */
function maxOrdinals(raw: JsonObject): number {
  return Math.floor(maxClaims / Math.max(1, templatesIn(raw).length));
}

/** True when the claims of some ordinals are not made up: then a missing claim is no evidence. */
export function lacksClaims(planned: Workload, raw: JsonObject): boolean {
  return hasOrdinals(planned) && templatesIn(raw).length > 0 && planned.spec.replicas > maxOrdinals(raw);
}

/**
 * The claims that the StatefulSet controller would create for ordinals that have none yet, with the default
 * StorageClass filled in as admission does. Empty for other workloads.
 *
 * @param raw the manifest
 */
export function claimsOf(
  { objects }: ClusterIndex,
  planned: Workload,
  raw: JsonObject,
): readonly PersistentVolumeClaim[] {
  if (!hasOrdinals(planned)) return [];
  const { namespace, name } = planned.metadata;
  const { replicas, ordinals } = planned.spec;
  const existing = new Set(
    objects.PersistentVolumeClaim.filter(({ metadata }) => metadata.namespace === namespace).map(
      ({ metadata }) => metadata.name,
    ),
  );
  const defaultClass = objects.StorageClass.find(
    ({ metadata }) => metadata.annotations[defaultClassAnnotation] === 'true',
  )?.metadata.name;
  const count = Math.min(replicas, maxOrdinals(raw));
  const start = ordinals?.start ?? 0;
  return templatesIn(raw).flatMap(({ template, spec }) =>
    Array.from({ length: count }, (_, at) => `${template}-${name}-${start + at}`)
      .filter((claim) => !existing.has(claim))
      .map((claim) =>
        PersistentVolumeClaim.parse({
          metadata: { name: claim, namespace },
          spec: defaultClass === undefined ? spec : { storageClassName: defaultClass, ...spec },
        }),
      ),
  );
}

function templatesIn(raw: JsonObject): readonly { readonly template: string; readonly spec: JsonObject }[] {
  const templates = fields(raw.spec).volumeClaimTemplates;
  if (!Array.isArray(templates)) return [];
  return templates.map((each: unknown) => ({
    template: String(fields(fields(each).metadata).name ?? ''),
    spec: fields(fields(each).spec),
  }));
}
