import { type LeaderWorkerSet, revisionKeyOf } from '../../objects/leader-worker-set.js';
import { controllerOf } from '../../objects/metadata.js';
import type { Pod } from '../../objects/pod.js';
import { PodTemplate } from '../../objects/pod-spec.js';
import { isObject, type JsonObject } from '../../objects/wire.js';
import type { ControllerRevision, StatefulSet } from '../../objects/workload.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { defaultSimulationBudget } from '../simulation.js';
import { canonicalTemplate } from '../template-equality.js';
import { leaderSetIn } from './leader-set.js';

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
export interface NewestRevision {
  readonly key: string;
  readonly isNew: boolean;
}

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
