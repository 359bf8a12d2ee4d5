import {
  groupAnnotations,
  groupIndexOf,
  groupLabels,
  type LeaderWorkerSet,
  revisionKeyOf,
} from '../../objects/leader-worker-set.js';
import { controllerOf } from '../../objects/metadata.js';
import { isActive, isReady, type Pod } from '../../objects/pod.js';
import { PodTemplate } from '../../objects/pod-spec.js';
import { isObject, type JsonObject } from '../../objects/wire.js';
import { type ControllerRevision, StatefulSet } from '../../objects/workload.js';
import { scaledValue } from '../fenceposts.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { defaultSimulationBudget } from '../simulation.js';
import { canonicalTemplate } from '../template-equality.js';

/** One group, as the controller of LeaderWorkerSets sees it. */
export interface GroupState {
  /** Its leader is running and ready, and all of its workers are available. */
  readonly ready: boolean;
  /** Leader and workers are of the newest revision. */
  readonly updated: boolean;
}

/** The fields of the leader StatefulSet that the controller sets. */
interface LeaderSetSize {
  readonly replicas: number;
  /** Groups from this one on may be updated. */
  readonly partition: number;
}

/** What the controller reads before it sets them. */
export interface RollingUpdate {
  /** `spec.replicas` of the LeaderWorkerSet. */
  readonly replicas: number;
  readonly bounds: GroupBounds;
  /** `partition` of the LeaderWorkerSet. */
  readonly lowestPartition: number;
  /** The leader StatefulSet as it is; `undefined` before its creation. */
  readonly leaderSet: LeaderSetSize | undefined;
  /** The template has changed since the leader StatefulSet was written. */
  readonly isNewTemplate: boolean;
  /** `spec.replicas` has changed since the leader StatefulSet was written. */
  readonly isScaled: boolean;
  /** One for each replica of the leader StatefulSet. */
  readonly groups: readonly GroupState[];
}

/**
 * Size and partition of the leader StatefulSet (lws
 * `leaderworkerset_controller.go: rollingUpdateParameters`).
 */
export function nextLeaderSetSize(update: RollingUpdate): LeaderSetSize {
  const { replicas, partition } = decide(update);
  return { replicas, partition: Math.max(partition, update.lowestPartition) };
}

function decide(update: RollingUpdate): LeaderSetSize {
  const { replicas, bounds, leaderSet, groups } = update;
  if (leaderSet === undefined) return { replicas, partition: 0 };
  const current = leaderSet.replicas;
  if (update.isNewTemplate) {
    const partition = Math.min(replicas, current);
    return { partition, replicas: current < replicas ? replicas : wantedReplicas(update, replicas) };
  }
  if (leaderSet.partition === 0 && current === replicas) return { replicas, partition: 0 };
  // Groups that are missing come first. The update goes on once the StatefulSet has its size.
  if (current < replicas) return { replicas, partition: leaderSet.partition };
  const wanted = wantedReplicas(update, unfinishedGroups(groups, replicas));
  if (update.isScaled) {
    return { replicas: wanted, partition: Math.min(leaderSet.partition, replicas + bounds.surge) };
  }
  const step = bounds.unavailable + bounds.surge - (replicas + bounds.surge - current);
  return { replicas: wanted, partition: Math.min(partitionOf(groups, step), leaderSet.partition) };
}

/**
 * As many surge groups as unfinished groups beyond maxUnavailable need (`calculateRollingUpdateReplicas`).
 */
function wantedReplicas({ replicas, bounds }: RollingUpdate, unfinished: number): number {
  if (unfinished > bounds.surge) return replicas + bounds.surge;
  return replicas + Math.max(0, unfinished - bounds.unavailable);
}

/** Groups, surge groups aside, that are not ready in the newest revision. */
function unfinishedGroups(groups: readonly GroupState[], replicas: number): number {
  const finished = groups.slice(0, replicas).filter(({ ready, updated }) => ready && updated);
  return replicas - finished.length;
}

/**
 * The lowest group that may be updated: as many as `step` below those that are finished, fewer for each group
 * below that is not ready, more for groups that are not ready at all (`rollingUpdatePartition`).
 */
function partitionOf(groups: readonly GroupState[], step: number): number {
  const lastUnfinished = groups.findLastIndex(({ ready, updated }) => !ready || !updated);
  const finished = groups.length - 1 - lastUnfinished;
  const lowest = Math.max(0, groups.length - finished - step);
  const unready = groups.slice(0, lowest).filter(({ ready }) => !ready).length;
  let partition = lowest + unready;
  for (let index = Math.min(partition, groups.length - 1); index >= lowest; index -= 1) {
    const group = groups[index];
    if (group === undefined || (group.ready && !group.updated)) break;
    partition = index;
  }
  return partition;
}

/** What a rolling update may do, in groups. */
type GroupBounds = { readonly surge: number; readonly unavailable: number };

/**
 * maxSurge is rounded up and at most the number of groups, maxUnavailable is rounded down (lws
 * `leaderworkerset_controller.go: rollingUpdateParameters`). `undefined` where one of them is no number and
 * no percentage: then the controller stops with an error.
 */
export function groupBounds({ spec }: LeaderWorkerSet): GroupBounds | undefined {
  const { maxSurge, maxUnavailable } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const surge = scaledValue(maxSurge, spec.replicas, 'up');
  const unavailable = scaledValue(maxUnavailable, spec.replicas, 'down');
  if (surge.kind === 'invalid' || unavailable.kind === 'invalid') return undefined;
  return { surge: Math.min(surge.value, spec.replicas), unavailable: unavailable.value };
}

interface Revisioned {
  readonly leaderWorkerSet: LeaderWorkerSet;
  readonly controllerRevisions: readonly ControllerRevision[];
}

/** The revisions of the LeaderWorkerSet itself: those of its StatefulSets have other owners. Oldest first. */
function ownRevisions({ leaderWorkerSet, controllerRevisions }: Revisioned): readonly ControllerRevision[] {
  const { uid } = leaderWorkerSet.metadata;
  return controllerRevisions
    .filter((revision) => controllerOf(revision)?.uid === uid)
    .sort((a, b) => a.revision - b.revision);
}

/** The newest revision with that key. */
export function revisionWithKey(state: Revisioned, key: string): ControllerRevision | undefined {
  return ownRevisions(state).findLast((revision) => revisionKeyOf(revision) === key);
}

/** Whether the LeaderWorkerSet has what this revision holds. */
function isOfRevision({ spec }: LeaderWorkerSet, revision: ControllerRevision): boolean {
  const stored = objectIn(revision.data, 'spec');
  return (
    textOf(spec.leaderWorkerTemplate.raw, spec.networkConfig) ===
    textOf(objectIn(stored, 'leaderWorkerTemplate') ?? {}, objectIn(stored, 'networkConfig'))
  );
}

/** The newest revision that holds what the LeaderWorkerSet has now. */
function revisionOfNow(state: Revisioned): ControllerRevision | undefined {
  return ownRevisions(state).findLast((revision) => isOfRevision(state.leaderWorkerSet, revision));
}

/** A key that no controller computes: the revision is not stored yet. */
const simulatedKey = 'simulated-revision';

/**
 * The key of the newest revision, and whether the controller has yet to write it into the leader StatefulSet.
 */
type NewestRevision = { readonly key: string; readonly isNew: boolean };

/** @param leaderSet as it was written last */
export function newestRevision(state: Revisioned, leaderSet: StatefulSet | undefined): NewestRevision {
  const written = leaderSet === undefined ? '' : revisionKeyOf(leaderSet);
  const stored = revisionWithKey(state, written);
  const isSame = stored === undefined ? written !== '' : isOfRevision(state.leaderWorkerSet, stored);
  if (isSame) return { key: written, isNew: false };
  const revision = revisionOfNow(state);
  return { key: revision === undefined ? simulatedKey : revisionKeyOf(revision), isNew: true };
}

/**
 * The template of the workers in a revision; that of the LeaderWorkerSet where the revision is not stored.
 */
export function workerTemplateOf(state: Revisioned, key: string): PodTemplate {
  const { workerTemplate } = state.leaderWorkerSet.spec.leaderWorkerTemplate;
  const revision = revisionWithKey(state, key);
  const stored = objectIn(
    objectIn(objectIn(revision?.data, 'spec'), 'leaderWorkerTemplate'),
    'workerTemplate',
  );
  const parsed = stored === undefined ? undefined : PodTemplate.safeParse(stored);
  return parsed?.success ? parsed.data : workerTemplate;
}

const templateTexts = new WeakMap<JsonObject, string>();

function textOf(template: JsonObject, networkConfig: JsonObject | undefined): string {
  return `${templateText(template)} ${networkText(networkConfig)}`;
}

function templateText(template: JsonObject): string {
  const known = templateTexts.get(template);
  if (known !== undefined) return known;
  const { leaderTemplate, workerTemplate, $patch: _patch, ...rest } = template;
  const text = JSON.stringify([
    isObject(leaderTemplate) ? canonicalTemplate(leaderTemplate) : '',
    isObject(workerTemplate) ? canonicalTemplate(workerTemplate) : '',
    plain({ size: 1, restartPolicy: 'RecreateGroupOnPodRestart', ...rest }),
  ]);
  templateTexts.set(template, text);
  return text;
}

/** Absent is `Shared` (lws `revision_utils.go: getPatch`). */
function networkText(networkConfig: JsonObject | undefined): string {
  const { $patch: _patch, ...rest } = networkConfig ?? {};
  return JSON.stringify(plain({ subdomainPolicy: 'Shared', ...rest }));
}

/** Sorted keys; nulls and empty objects and lists left out. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => plain(item) ?? null);
  if (!isObject(value)) return value;
  const fields = Object.entries(value)
    .map(([key, field]) => [key, plain(field)] as const)
    .filter(([key, field]) => field !== undefined && key !== 'creationTimestamp')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function objectIn(parent: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = parent?.[key];
  return isObject(value) ? value : undefined;
}

/** The key of the revision that the groups go to. */
export function newestKeyOf(state: LeaderWorkerSetState): string {
  return newestRevision(state, leaderSetIn(state.leaderWorkerSet, state.statefulSets)).key;
}

/** Leaders and workers of the newest revision. */
export function newGroupPods(state: LeaderWorkerSetState): readonly Pod[] {
  const newest = newestKeyOf(state);
  return state.pods.filter((pod) => revisionKeyOf(pod) === newest);
}

/** Leaders and workers of every other revision. */
export function formerGroupPods(state: LeaderWorkerSetState): readonly Pod[] {
  const newest = newestKeyOf(state);
  return state.pods.filter((pod) => revisionKeyOf(pod) !== newest);
}

/**
 * Ready pods of groups that are whole: a leader serves nothing without its workers, nor they without it (lws
 * `leaderworkerset_controller.go: updateConditions` counts groups alike).
 */
export function readyInGroups({ spec }: LeaderWorkerSet, pods: readonly Pod[]): number {
  const { size } = spec.leaderWorkerTemplate;
  const counts = new Map<string, number>();
  for (const pod of pods) {
    if (!isActive(pod) || !isReady(pod)) continue;
    const group = `${groupIndexOf(pod)} ${revisionKeyOf(pod)}`;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts.values()].reduce((ready, count) => (count < size ? ready : ready + count), 0);
}

/** False where the StatefulSet of the leaders was not read, or one reports pods of which none was read. */
export function isReadWhole({ leaderWorkerSet, statefulSets, pods }: LeaderWorkerSetState): boolean {
  const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid));
  return (
    leaderSetIn(leaderWorkerSet, statefulSets) !== undefined &&
    statefulSets.every(({ metadata, status }) => status.replicas === 0 || owners.has(metadata.uid))
  );
}

/** Whether the groups have more pods, existing or not, than one simulation may take. */
export function isTooLarge({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): boolean {
  const { replicas, leaderWorkerTemplate } = leaderWorkerSet.spec;
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  const groups = Math.max(replicas, leaderSet?.spec.replicas ?? 0);
  return groups * leaderWorkerTemplate.size > defaultSimulationBudget.maxPods;
}

/**
 * Whether groups exist beside the wanted ones, for as long as an update lasts; also true where that was not
 * read.
 */
export function hasSurgeGroups({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): boolean {
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  return leaderSet === undefined || leaderSet.spec.replicas > leaderWorkerSet.spec.replicas;
}

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
