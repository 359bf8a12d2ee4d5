import {
  groupAnnotations,
  groupLabels,
  type LeaderWorkerSet,
  revisionKeyOf,
} from '../../objects/leader-worker-set.js';
import { controllerOf } from '../../objects/metadata.js';
import { PodTemplate } from '../../objects/pod-spec.js';
import { isObject, type JsonObject } from '../../objects/wire.js';
import { StatefulSet } from '../../objects/workload.js';
import type { GroupBounds, LeaderSetSize } from './rolling-update.js';

/** The StatefulSet of the leaders: it has the name of the LeaderWorkerSet. */
export function leaderSetIn(
  { metadata }: LeaderWorkerSet,
  statefulSets: readonly StatefulSet[],
): StatefulSet | undefined {
  return statefulSets.find((set) => controllerOf(set)?.uid === metadata.uid);
}

export interface WantedLeaderSet extends LeaderSetSize {
  readonly bounds: GroupBounds;
  readonly revisionKey: string;
}

/**
 * The leader StatefulSet as the controller writes it (lws `constructLeaderStatefulSetApplyConfiguration`).
 */
export function writtenLeaderSet(
  leaderWorkerSet: LeaderWorkerSet,
  before: StatefulSet | undefined,
  { replicas, partition, bounds, revisionKey }: WantedLeaderSet,
): StatefulSet {
  const keepsTemplate = before !== undefined && revisionKeyOf(before) === revisionKey;
  const base = before ?? newLeaderSet(leaderWorkerSet);
  const former = base.spec.updateStrategy.rollingUpdate?.maxUnavailable;
  // Where the gate of the API server is off, the field is not stored.
  const maxUnavailable =
    before !== undefined && former === undefined ? undefined : Math.max(1, bounds.unavailable + bounds.surge);
  const { metadata } = base;
  return {
    ...base,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [groupLabels.revision]: revisionKey },
      annotations: {
        ...metadata.annotations,
        [groupAnnotations.replicas]: String(leaderWorkerSet.spec.replicas),
      },
    },
    spec: {
      ...base.spec,
      replicas,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable } },
      template: keepsTemplate ? base.spec.template : leaderTemplate(leaderWorkerSet, revisionKey),
    },
  };
}

/** Whether the controller has written these fields already. */
export function isWritten(
  leaderWorkerSet: LeaderWorkerSet,
  before: StatefulSet,
  { replicas, partition, revisionKey }: WantedLeaderSet,
): boolean {
  return (
    before.spec.replicas === replicas &&
    (before.spec.updateStrategy.rollingUpdate?.partition ?? 0) === partition &&
    revisionKeyOf(before) === revisionKey &&
    before.metadata.annotations[groupAnnotations.replicas] === String(leaderWorkerSet.spec.replicas)
  );
}

function newLeaderSet({ metadata }: LeaderWorkerSet): StatefulSet {
  const { namespace, name, uid } = metadata;
  return StatefulSet.parse({
    metadata: {
      name,
      namespace,
      uid: `simulated:${name}`,
      generation: 1,
      labels: { [groupLabels.name]: name },
      ownerReferences: [{ kind: 'LeaderWorkerSet', name, uid, controller: true }],
    },
    spec: {
      serviceName: name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { [groupLabels.name]: name, [groupLabels.workerIndex]: '0' } },
      template: {},
    },
  });
}

function leaderTemplate(leaderWorkerSet: LeaderWorkerSet, revisionKey: string): PodTemplate {
  const { metadata, spec } = leaderWorkerSet;
  const topology = metadata.annotations[groupAnnotations.exclusiveTopology];
  return templateWith(spec.template, {
    labels: {
      [groupLabels.workerIndex]: '0',
      [groupLabels.name]: metadata.name,
      [groupLabels.revision]: revisionKey,
    },
    annotations: {
      [groupAnnotations.size]: String(spec.leaderWorkerTemplate.size),
      ...(topology === undefined ? {} : { [groupAnnotations.exclusiveTopology]: topology }),
    },
  });
}

/** The template with further labels and annotations. */
export function templateWith(
  template: PodTemplate,
  added: { readonly labels: JsonObject; readonly annotations: JsonObject },
): PodTemplate {
  const { raw } = template;
  const metadata = objectOf(raw.metadata);
  return PodTemplate.parse({
    ...raw,
    metadata: {
      ...metadata,
      labels: { ...objectOf(metadata.labels), ...added.labels },
      annotations: { ...objectOf(metadata.annotations), ...added.annotations },
    },
  });
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
