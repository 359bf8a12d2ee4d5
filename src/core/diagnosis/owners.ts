import type { Snapshot } from '../cluster/snapshot.js';
import { ownerObjectOf } from '../remediation/owner-target.js';
import type { Owner } from '../survival/field-survival.js';
import { writersOf } from '../survival/writers.js';
import { namedOwnerOf } from '../top-owner/top-owner.js';

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
