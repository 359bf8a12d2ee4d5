import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Owner } from '../../engine/owners/field-drift.js';
import { writersOf } from '../../engine/owners/writers.js';
import { namedOwnerOf } from '../../engine/parents/parent-resource.js';
import { ownerObjectOf } from '../fixes/owner-target.js';

/**
 * Who else writes the workload, surest first, and who writes the object that people own above it. An
 * autoscaler writes the number of replicas only.
 */
export function ownersOf({ workload, index }: Snapshot): readonly Owner[] {
  const { kind, metadata } = workload;
  const by = 'HorizontalPodAutoscaler';
  const autoscaler = index.objects.HorizontalPodAutoscaler.find(
    ({ metadata: own, spec: { scaleTargetRef } }) =>
      own.namespace === metadata.namespace &&
      scaleTargetRef.kind === kind &&
      scaleTargetRef.name === metadata.name,
  );
  const { namespace, name } = autoscaler?.metadata ?? metadata;
  const ref = namedOwnerOf(workload);
  const above = ref && ownerObjectOf({ index }, ref);
  const written = above === undefined ? [workload] : [workload, above];
  return [
    ...written.flatMap(writersOf).map(({ owner }) => owner),
    ...(autoscaler === undefined ? [] : [{ by, kind: by, namespace, name } as const]),
  ];
}
