import type { Pod } from '#src/engine/objects/pod.js';
import { ControllerRevision, StatefulSet } from '#src/engine/objects/workload.js';
import type { MaxUnavailableRule, StatefulSetState } from '#src/engine/workloads/rollout-state.js';
import { buildPod, buildTemplate, now, type PodFields } from './rollout-builders.js';

export interface SetFields {
  readonly replicas?: number;
  readonly parallel?: boolean;
  readonly onDelete?: boolean;
  readonly recreate?: boolean;
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
  readonly minReadySeconds?: number;
  readonly start?: number;
  readonly deleted?: boolean;
  readonly rollingUpdate?: null;
  readonly status?: object;
}

export function buildSet(fields: SetFields = {}): StatefulSet {
  return StatefulSet.parse({
    metadata: {
      name: 'db',
      namespace: 'shop',
      uid: 'db-uid',
      generation: 2,
      ...(fields.deleted ? { deletionTimestamp: '2026-11-20T09:29:00Z' } : {}),
    },
    spec: {
      replicas: fields.replicas ?? 3,
      selector: { matchLabels: { app: 'web' } },
      template: buildTemplate('db:2'),
      podManagementPolicy: fields.parallel ? 'Parallel' : 'OrderedReady',
      minReadySeconds: fields.minReadySeconds ?? 0,
      ordinals: fields.start === undefined ? undefined : { start: fields.start },
      updateStrategy:
        fields.onDelete || fields.recreate
          ? { type: fields.onDelete ? 'OnDelete' : 'Recreate' }
          : {
              type: 'RollingUpdate',
              rollingUpdate:
                fields.rollingUpdate === null
                  ? null
                  : { partition: fields.partition ?? 0, maxUnavailable: fields.maxUnavailable },
            },
    },
    status: { observedGeneration: 2, currentRevision: 'db-1', updateRevision: 'db-2', ...fields.status },
  });
}

/** Revision of each pod by ordinal with what is special about it; `null` where it is missing. */
export function buildStateOf(
  fields: SetFields,
  pods: readonly (readonly [revision: number, fields?: Partial<PodFields>] | null)[],
  rule: MaxUnavailableRule = 'ignored',
): StatefulSetState {
  const start = fields.start ?? 0;
  return {
    kind: 'StatefulSet',
    statefulSet: buildSet(fields),
    controllerRevisions: [1, 2].map((revision) =>
      ControllerRevision.parse({
        metadata: { name: `db-${revision}` },
        revision,
        data: { spec: { template: { ...buildTemplate(`db:${revision}`), $patch: 'replace' } } },
      }),
    ),
    pods: pods.flatMap((pod, index): readonly Pod[] =>
      pod === null
        ? []
        : [
            buildPod({
              name: `db-${start + index}`,
              labels: { 'controller-revision-hash': `db-${pod[0]}` },
              ...pod[1],
            }),
          ],
    ),
    maxUnavailable: { rule, instead: [], restsOn: 'version' },
    now,
  };
}
