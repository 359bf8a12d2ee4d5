import * as z from 'zod';
import { kueueMarks } from '../../engine/objects/kueue.js';
import { groupLabels } from '../../engine/objects/leader-worker-set.js';
import { controllerOf, ObjectMeta } from '../../engine/objects/metadata.js';
import { defaulted, type Immutable, list, maybe, message } from '../../engine/objects/wire.js';
import type { StatefulSet, Workload, WorkloadKind } from '../../engine/objects/workload.js';
import {
  hasObservedSpec,
  hasOrdinals,
  hasPodPerNode,
  isRevisioned,
  workloadKinds,
} from '../../engine/objects/workload.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import type { Finding } from '../findings/finding.js';
import { mainFindingOf } from '../findings/main-finding.js';

/** What was seen first, in Kubernetes' words. */
export const CandidateReason = z.enum([
  'FailedScheduling',
  'SchedulingGated',
  'Pending',
  'ContainerCreating',
  'FailedCreate',
  'Unhealthy',
]);
export type CandidateReason = z.output<typeof CandidateReason>;

/** Who the trouble belongs to, one step up at most: all pods of one revision have the same. */
export const CandidateOwner = z.object({
  kind: z.enum(['ReplicaSet', 'DaemonSet', 'Pod']),
  namespace: z.string(),
  name: z.string(),
});
export type CandidateOwner = Immutable<z.output<typeof CandidateOwner>>;

/** A sign that a rollout may be stuck: cheap to see, and no proof of anything. */
export interface Candidate {
  readonly owner: CandidateOwner;
  /** Equal for all signs of one revision that come from the same kind of object. */
  readonly key: string;
  readonly reason: CandidateReason;
  /** RFC3339, by the cluster's clock: when it was refused first. */
  readonly since: string | undefined;
  /** What is said of it, without its numbers: changes when the trouble does. */
  readonly says: string;
}

/** The part of a Pod that says whether it waits in vain; nothing else of it is kept. */
const PendingPod = z.object({
  metadata: ObjectMeta.pick({
    name: true,
    namespace: true,
    deletionTimestamp: true,
    creationTimestamp: true,
    labels: true,
    ownerReferences: true,
  }),
  spec: z.object({
    nodeName: defaulted(z.string(), ''),
    schedulingGroup: maybe(z.object({ podGroupName: maybe(z.string()) })),
    volumes: list(z.object({ persistentVolumeClaim: maybe(z.unknown()), ephemeral: maybe(z.unknown()) })),
  }),
  status: z.object({
    phase: defaulted(z.string(), ''),
    conditions: list(
      z.object({
        type: z.string(),
        status: defaulted(z.string(), ''),
        reason: defaulted(z.string(), ''),
        message: defaulted(message, ''),
        lastTransitionTime: maybe(z.string()),
      }),
    ),
  }),
});

/**
 * The candidate in a pod that the scheduler refuses, that Kueue keeps from the scheduler, that has a node and
 * waits there with a volume, or that starts with its PodGroup only and was not tried yet. Of the last nothing
 * but its age tells that it waits, so every pod of a PodGroup is one at first. The condition says the same as
 * the event FailedScheduling, from the same moment on, and is still there after the event is gone. Pods of
 * Jobs and StatefulSets, and of nobody, are passed by: they do not roll out beside old pods. Those of a group
 * of a LeaderWorkerSet do.
 */
export function candidateInPod(object: unknown): Candidate | undefined {
  const parsed = PendingPod.safeParse(object);
  if (!parsed.success) return undefined;
  const { metadata, spec, status } = parsed.data;
  const owner = controllerOf({ metadata });
  if (metadata.deletionTimestamp !== undefined || status.phase !== 'Pending') return undefined;
  const kind = watchedOwnerOf(owner?.kind, metadata.labels);
  if (owner === undefined || kind === undefined) return undefined;
  const scheduled = status.conditions.find(({ type }) => type === 'PodScheduled');
  const reason =
    scheduled === undefined
      ? reasonUntried(spec)
      : reasonOf(spec, scheduled, kueueMarks.queue in metadata.labels);
  if (reason === undefined) return undefined;
  const { namespace } = metadata;
  const hash = hasPodPerNode(owner) ? (metadata.labels['controller-revision-hash'] ?? '') : '';
  return {
    owner: { kind, namespace, name: kind === 'Pod' ? metadata.name : owner.name },
    key: JSON.stringify([owner.kind, namespace, owner.name, owner.uid, hash]),
    reason,
    since: scheduled === undefined ? metadata.creationTimestamp : scheduled.lastTransitionTime,
    says: withoutNumbers(`${reason} ${scheduled?.message ?? ''}`),
  };
}

/** From which object the workload is found; from the pod itself where its controller does not lead there. */
function watchedOwnerOf(
  kind: string | undefined,
  labels: Readonly<Record<string, string>>,
): CandidateOwner['kind'] | undefined {
  if (kind === 'ReplicaSet' || kind === 'DaemonSet') return kind;
  const isOfGroup = kind === 'StatefulSet' && groupLabels.name in labels;
  return isOfGroup || kind === 'RayCluster' ? 'Pod' : undefined;
}

function reasonUntried({
  nodeName,
  schedulingGroup,
}: z.output<typeof PendingPod>['spec']): CandidateReason | undefined {
  return nodeName === '' && (schedulingGroup?.podGroupName ?? '') !== '' ? 'Pending' : undefined;
}

function reasonOf(
  { nodeName, volumes }: z.output<typeof PendingPod>['spec'],
  scheduled: { readonly status: string; readonly reason: string },
  isQueued: boolean,
): CandidateReason | undefined {
  if (nodeName === '') {
    if (scheduled.status !== 'False') return undefined;
    if (scheduled.reason === 'SchedulingGated') return isQueued ? 'SchedulingGated' : undefined;
    return scheduled.reason === 'Unschedulable' ? 'FailedScheduling' : undefined;
  }
  const isClaiming = volumes.some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );
  return isClaiming ? 'ContainerCreating' : undefined;
}

/** The reasons of Events that may mean a deadlock which no Pending pod shows. */
export const watchedEventReasons = ['FailedCreate', 'Unhealthy'] as const;

const RefusalEvent = z.object({
  involvedObject: z.object({
    kind: z.string(),
    namespace: defaulted(z.string(), ''),
    name: z.string().min(1),
    uid: defaulted(z.string(), ''),
  }),
  reason: z.enum(watchedEventReasons),
  message: defaulted(message, ''),
  firstTimestamp: maybe(z.string()),
  eventTime: maybe(z.string()),
});

/**
 * The candidate in an Event: a ReplicaSet or DaemonSet whose pods are not created for a quota, or a pod that
 * is not let become ready.
 */
export function candidateInEvent(object: unknown): Candidate | undefined {
  const parsed = RefusalEvent.safeParse(object);
  if (!parsed.success) return undefined;
  const { involvedObject, reason, message, firstTimestamp, eventTime } = parsed.data;
  const { kind, namespace, name, uid } = involvedObject;
  const since = firstTimestamp ?? eventTime;
  if (reason === 'FailedCreate') {
    if ((kind !== 'ReplicaSet' && kind !== 'DaemonSet') || !/exceeded quota/.test(message)) return undefined;
    return {
      owner: { kind, namespace, name },
      key: JSON.stringify([kind, namespace, name, uid, '']),
      reason,
      since,
      says: reason,
    };
  }
  if (kind !== 'Pod' || !/^(?:Readiness|Startup) probe/.test(message)) return undefined;
  // The pods of one ReplicaSet differ in the last part of their names.
  const family = name.slice(0, Math.max(0, name.lastIndexOf('-')));
  return {
    owner: { kind: 'Pod', namespace, name },
    key: JSON.stringify(['Pod', namespace, family]),
    reason,
    since,
    says: reason,
  };
}

const keptWords = 300;

function withoutNumbers(text: string): string {
  return text.slice(0, keptWords).replace(/\d+/g, '#');
}

/** Kinds that start new pods beside old ones. A StatefulSet stops each old pod first. */
type WatchedKind = Exclude<WorkloadKind, 'StatefulSet'>;

export function isWatchedKind(kind: string): kind is WatchedKind {
  return !hasOrdinals({ kind }) && workloadKinds.some((each) => each === kind);
}

/**
 * Whether pods of an older revision are there, by the object's own status: without them no rollout holds
 * itself up, and the whole picture need not be read. `unobserved`: the status is older than the object.
 */
export function oldPodsOf(workload: Exclude<Workload, StatefulSet>): 'some' | 'none' | 'unobserved' {
  if (!hasObservedSpec(workload)) return 'unobserved';
  if (isRevisioned(workload)) {
    const { next, former } = workload.revisions;
    return next !== undefined && former.length > 0 ? 'some' : 'none';
  }
  return hasPodPerNode(workload)
    ? isLess(workload.status.updatedNumberScheduled, workload.status.currentNumberScheduled)
    : isLess(workload.status.updatedReplicas, workload.status.replicas);
}

function isLess(updated: number, all: number): 'some' | 'none' {
  return updated < all ? 'some' : 'none';
}

/**
 * The finding to report without being asked: a proven wait cycle that is the main finding. Likely ones, and
 * causes that end by themselves or by a decision of other people, are for those who ask.
 */
export function provenDeadlockOf(diagnosis: Diagnosis): Finding | undefined {
  const { main } = mainFindingOf(diagnosis);
  return main?.confidence === 'proven' && main.waitCycle !== undefined ? main : undefined;
}
