import type { Snapshot } from '../cluster/snapshot.js';
import type { Owner } from '../survival/field-survival.js';
import { writersOf } from '../survival/writers.js';

/** Who else writes the workload, surest first; an autoscaler writes the number of replicas only. */
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
  return [
    ...writersOf(workload).map(({ owner }) => owner),
    ...(autoscaler === undefined ? [] : [{ by, kind: by, namespace, name } as const]),
  ];
}
