import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, controllerOf, isPod, ObjectMeta, restartedAtAnnotation } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import { count32, count64, countOrPercent, defaulted, type Immutable, maybe, rawObject } from './wire.js';

/** Labels that the controller and its webhook put on StatefulSets and pods (lws `api/leaderworkerset/v1`). */
export const groupLabels = {
  name: 'leaderworkerset.sigs.k8s.io/name',
  groupIndex: 'leaderworkerset.sigs.k8s.io/group-index',
  workerIndex: 'leaderworkerset.sigs.k8s.io/worker-index',
  groupKey: 'leaderworkerset.sigs.k8s.io/group-key',
  subgroupIndex: 'leaderworkerset.sigs.k8s.io/subgroup-index',
  subgroupKey: 'leaderworkerset.sigs.k8s.io/subgroup-key',
  revision: 'leaderworkerset.sigs.k8s.io/template-revision-hash',
} as const;

/** Annotations that its controller reads or writes. */
export const groupAnnotations = {
  /** On the leader StatefulSet: `spec.replicas` when it was written last. */
  replicas: 'leaderworkerset.sigs.k8s.io/replicas',
  size: 'leaderworkerset.sigs.k8s.io/size',
  leaderName: 'leaderworkerset.sigs.k8s.io/leader-name',
  exclusiveTopology: 'leaderworkerset.sigs.k8s.io/exclusive-topology',
  subgroupExclusiveTopology: 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology',
  recreateAfterStart: 'leaderworkerset.sigs.k8s.io/experimental-recreate-group-after-start',
} as const;

const leaderWorkerSetGroup = 'leaderworkerset.x-k8s.io';

/** Defaults: lws `api/leaderworkerset/v1/leaderworkerset_types.go`, stored by the API server. */
const RollingUpdateConfiguration = z.object({
  maxSurge: defaulted(countOrPercent, 0),
  maxUnavailable: defaulted(countOrPercent, 1),
  partition: defaulted(count32, 0),
});

const LeaderWorkerTemplate = z.record(z.string(), z.unknown()).transform((raw, context) => {
  const parsed = ParsedTemplate.safeParse(raw);
  if (parsed.success) return { ...parsed.data, raw };
  for (const { message, path } of parsed.error.issues) {
    context.addIssue({ code: 'custom', message, path: [...path] });
  }
  return z.NEVER;
});

const ParsedTemplate = z.object({
  leaderTemplate: maybe(PodTemplate),
  workerTemplate: PodTemplate,
  /** Pods of a group, its leader included. The webhook refuses less than 1. */
  size: defaulted(count32.min(1), 1),
  restartPolicy: defaulted(z.string(), 'RecreateGroupOnPodRestart'),
  /** For leaders and workers. */
  volumeClaimTemplates: z
    .array(rawObject)
    .nullish()
    .transform((value) => value ?? []),
});

const LeaderWorkerSetStatus = z.object({
  observedGeneration: defaulted(count64, 0),
  /** Groups, by their leaders. */
  replicas: defaulted(count32, 0),
  readyReplicas: defaulted(count32, 0),
  updatedReplicas: defaulted(count32, 0),
  conditions: z
    .array(Condition)
    .nullish()
    .transform((value) => value ?? []),
});

/** `leaderworkerset.x-k8s.io/v1` LeaderWorkerSet. */
export const LeaderWorkerSet = z
  .object({
    kind: z.literal('LeaderWorkerSet').default('LeaderWorkerSet'),
    metadata: ObjectMeta,
    spec: z.object({
      replicas: defaulted(count32, 1),
      leaderWorkerTemplate: LeaderWorkerTemplate,
      rolloutStrategy: defaulted(
        z.object({
          type: defaulted(z.string(), 'RollingUpdate'),
          rollingUpdateConfiguration: defaulted(RollingUpdateConfiguration, {
            maxSurge: 0,
            maxUnavailable: 1,
            partition: 0,
          }),
        }),
        {
          type: 'RollingUpdate',
          rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1, partition: 0 },
        },
      ),
      startupPolicy: defaulted(z.string(), 'LeaderCreated'),
      networkConfig: maybe(rawObject),
    }),
    status: LeaderWorkerSetStatus.nullish().transform((value) => value ?? LeaderWorkerSetStatus.parse({})),
  })
  .transform((parsed) => {
    const { leaderTemplate, workerTemplate } = parsed.spec.leaderWorkerTemplate;
    return {
      ...parsed,
      spec: {
        ...parsed.spec,
        /** The API has no such field: every pod has the label with its name. */
        selector: LabelSelector.parse({ matchLabels: { [groupLabels.name]: parsed.metadata.name } }),
        /** Of the leaders. */
        template: leaderTemplate ?? workerTemplate,
        /** The kind has no such field. */
        minReadySeconds: 0,
      },
    };
  });
/** See `KindOfWorkload`. The template of the workers is enough: their leaders are of the same revision. */
export const leaderWorkerSetKind = {
  apiVersion: `${leaderWorkerSetGroup}/v1`,
  plural: 'leaderworkersets',
  names: ['leaderworkerset', 'lws'],
  alertLabels: ['leaderworkerset'],
  partsBelongTo: 'LeaderWorkerSet',
  nameIn: leaderWorkerSetOfPod,
  partsRead: [
    { kind: 'StatefulSet', isAlways: true },
    { kind: 'ControllerRevision', isAlways: true },
  ],
  podSuffix: /^\d+(?:-\d+)?$/,
  replaces: 'groups',
  strategy: 'bounds',
  restartedAt: `spec.leaderWorkerTemplate.workerTemplate.metadata.annotations${restartedAtAnnotation}`,
  /** Of the leaders; of the workers where these have none of their own. */
  templatePaths: ['spec.leaderWorkerTemplate.leaderTemplate', 'spec.leaderWorkerTemplate.workerTemplate'],
} as const;

export type LeaderWorkerSet = Immutable<z.output<typeof LeaderWorkerSet>>;

/** Whether an object is the leader of a group: its number among the pods of the group is 0. */
export function isLeader({ metadata }: { metadata: Pick<ObjectMeta, 'labels'> }): boolean {
  return metadata.labels[groupLabels.workerIndex] === '0';
}

/** The number of the group; -1 where the label is missing or no number. */
export function groupIndexOf({ metadata }: { metadata: Pick<ObjectMeta, 'labels'> }): number {
  const text = metadata.labels[groupLabels.groupIndex] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

/** The key of the revision that an object is of; '' without the label. */
export function revisionKeyOf({ metadata }: { metadata: Pick<ObjectMeta, 'labels'> }): string {
  return metadata.labels[groupLabels.revision] ?? '';
}

/**
 * The name of the LeaderWorkerSet whose controller made a StatefulSet: its leaders' one belongs to it, one of
 * workers to their leader. `undefined` for any other StatefulSet.
 */
export function leaderWorkerSetOf({ metadata }: { metadata: ObjectMeta }): string | undefined {
  const controller = controllerOf({ metadata });
  if (controller?.kind === leaderWorkerSetKind.partsBelongTo) return controller.name;
  return isPod(controller) ? metadata.labels[groupLabels.name] : undefined;
}

/**
 * The name of the LeaderWorkerSet that a pod of a StatefulSet is part of, by the label that its controller
 * sets.
 */
export function leaderWorkerSetOfPod({ metadata }: { metadata: ObjectMeta }): string | undefined {
  return controllerOf({ metadata })?.kind === 'StatefulSet' ? metadata.labels[groupLabels.name] : undefined;
}
