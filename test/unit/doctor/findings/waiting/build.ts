import type { Finding } from '#src/doctor/findings/finding.js';
import type { AnyRule, Examination } from '#src/doctor/findings/rule.js';
import type { AnyCatalogue } from '#src/engine/language/catalogue.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import { Pod } from '#src/engine/objects/pod.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { type PodShape, pod as placementPod } from '../../../../support/placement-builders.js';
import { ago, buildDeployment, buildReplicaSet, now } from '../../../../support/rollout-builders.js';
import { foundBy, renderFinding as sentencesOf } from '../../causes/run-rule.js';

export interface Fields extends Partial<ClusterObjects> {
  readonly workload?: Workload;
  readonly unseen?: Snapshot['unseen'];
}

/**
 * An examination of `shop/web`; waiting pods without a message get the one that the scheduler (1.36) would
 * write.
 */
export function buildExamination({
  workload = buildDeployment(),
  unseen = [],
  ...objects
}: Fields): Examination {
  const bare = createPlacement(
    indexObjects(clusterObjects(objects), undefined, parseServerVersion('v1.36.3')),
  );
  const Pods = (objects.Pod ?? []).map((pod) => withMessage(pod, bare.evaluate(pod).message()));
  const index = indexObjects(
    clusterObjects({
      ...objects,
      Pod: Pods,
      ...(workload.kind === 'Deployment' ? { Deployment: [workload, ...(objects.Deployment ?? [])] } : {}),
      ...(workload.kind === 'StatefulSet' ? { StatefulSet: [workload] } : {}),
      ...(workload.kind === 'DaemonSet' ? { DaemonSet: [workload] } : {}),
    }),
  );
  const snapshot: Snapshot = {
    takenAt: new Date(now).toISOString(),
    cluster: 'test',
    workload,
    index,
    logs: [],
    unseen,
  };
  return { snapshot, placement: createPlacement(index) };
}

/** Its snapshot. */
export const snapshotWith = (fields: Fields): Snapshot => buildExamination(fields).snapshot;

function withMessage(pod: Pod, message: string | undefined): Pod {
  const conditions = pod.status.conditions.map((condition) =>
    condition.type === 'PodScheduled' && condition.status === 'False' && condition.message === ''
      ? { ...condition, message: message ?? '' }
      : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

export interface OwnedShape extends PodShape {
  /** Seconds since creation. */
  readonly age?: number;
  /** The scheduler's words, where they must not be those of the engine. */
  readonly message?: string;
}

/**
 * A pod of a ReplicaSet `<owner>-<revision>` of the given Deployment (`web` by default): ready, or pending
 * without `on`.
 */
export function ownedPod(name: string, revision: number, shape: OwnedShape = {}, owner = 'web'): Pod {
  const { age = 3600, message = '', on } = shape;
  const base = placementPod(name, {
    ...shape,
    labels: { app: owner, 'pod-template-hash': String(revision), ...shape.labels },
  });
  const since = ago(age);
  return {
    ...base,
    metadata: {
      ...base.metadata,
      creationTimestamp: since,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${owner}-${revision}`,
          uid: `${owner}-${revision}-uid`,
          controller: true,
        },
      ],
    },
    status: {
      ...base.status,
      conditions: [
        ...base.status.conditions,
        ...Pod.parse({
          metadata: {},
          spec: { containers: [] },
          status: {
            conditions:
              on === undefined
                ? [
                    {
                      type: 'PodScheduled',
                      status: 'False',
                      reason: 'Unschedulable',
                      message,
                      lastTransitionTime: since,
                    },
                  ]
                : [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
          },
        }).status.conditions,
      ],
    },
  };
}

/** A pod of another workload, of the kind given. */
export function foreignPod(name: string, kind: string, owner: string, shape: PodShape = {}): Pod {
  const base = placementPod(name, shape);
  return {
    ...base,
    metadata: {
      ...base.metadata,
      ownerReferences: [{ apiVersion: '', kind, name: owner, uid: `${owner}-uid`, controller: true }],
    },
  };
}

export interface EventShape {
  readonly about: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly reason: string;
  readonly message: string;
  readonly secondsAgo?: number;
  readonly component?: string;
}

export function event({ about, reason, message, secondsAgo = 60, component = '' }: EventShape): Event {
  return build('Event', `${about.name}.${reason}.${secondsAgo}`, {
    involvedObject: { namespace: 'shop', ...about },
    reason,
    message,
    lastTimestamp: ago(secondsAgo),
    reportingComponent: component,
  });
}

export { ago, buildDeployment, buildReplicaSet };

/** Every sentence of the finding, in English. */
export function renderFinding(finding: Finding | undefined, text: AnyCatalogue): string {
  return finding === undefined ? '' : sentencesOf(finding, text).en.join('\n');
}

export const detected = (rule: AnyRule, fields: Fields): Finding | undefined =>
  foundBy(rule, snapshotWith(fields));
