import { groupBy } from '../../../engine/collections/collections.js';
import { isResourceKind, type ResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { Unseen } from '../../../engine/objects/snapshot.js';
import { isObject } from '../../../engine/objects/wire.js';
import { assumedField } from './assumed-apart.js';
import type { TextObject } from './described-kind.js';
import { notStatedOf } from './kinds.js';

/** What the descriptions leave out: fields of the kinds that were read, and whole kinds. */
export function leftOutOf(objects: readonly TextObject[]): readonly Unseen[] {
  return [...partlyRecorded(objects), ...notPrinted(objects)];
}

/** Each kind and namespace of which text was read, with the fields that text leaves out. */
function partlyRecorded(objects: readonly TextObject[]): readonly Unseen[] {
  const groups = groupBy(
    objects.filter(({ kind }) => notStatedOf(kind).length > 0),
    ({ kind, metadata }) => `${kind}/${metadata.namespace}`,
  );
  return [...groups.values()].map((group): Unseen => {
    const [{ kind, metadata }] = group;
    return {
      what: isResourceKind(kind) ? kind : ('Pod' satisfies ResourceKind),
      namespace: metadata.namespace,
      because: 'partly-recorded',
      message: '',
      fields: notStatedOf(kind),
      ...(group.some(({ assumed }) => assumed !== undefined) && { assumed: [assumedField] }),
    };
  });
}

/** Kinds that no description prints, and that may explain why pods with a node are not ready. */
function notPrinted(objects: readonly TextObject[]): readonly Unseen[] {
  const groups = groupBy(objects.filter(isStartedUnready), ({ metadata }) => metadata.namespace);
  return [...groups].flatMap(([namespace, pods]) =>
    [
      ...(pods.some(hasClaim) ? (['VolumeAttachment'] as const) : []),
      'Lease' as const,
      'PodLog' as const,
    ].map((what): Unseen => ({ what, namespace, because: 'not-recorded', message: '' })),
  );
}

function hasClaim({ spec }: TextObject): boolean {
  const volumes: readonly unknown[] = isObject(spec) && Array.isArray(spec.volumes) ? spec.volumes : [];
  return volumes.some((each) => isObject(each) && ('persistentVolumeClaim' in each || 'ephemeral' in each));
}

function isStartedUnready({ kind, spec, status }: TextObject): boolean {
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return (
    kind === 'Pod' &&
    isObject(spec) &&
    typeof spec.nodeName === 'string' &&
    conditions.some((each: unknown) => isObject(each) && each.type === 'Ready' && each.status === 'False')
  );
}
