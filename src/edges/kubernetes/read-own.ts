import { calledService, denialOf } from '../../engine/creation/denial.js';
import type { ClusterObjects } from '../../engine/objects/cluster-objects.js';
import type { Event } from '../../engine/objects/event.js';
import { matchesSelector, selectorQuery } from '../../engine/objects/label-selector.js';
import { conditionOf, controllerOf } from '../../engine/objects/metadata.js';
import { isResized, type Pod } from '../../engine/objects/pod.js';
import { type ServerVersion, serverVersionIn } from '../../engine/objects/release-rules.js';
import {
  hasGroups,
  isRevisioned,
  kindNamed,
  namesRevision,
  partsReadOf,
  type Workload,
} from '../../engine/objects/workload.js';
import { dependsOnVersion } from '../../engine/workloads/rollout-state.js';
import type { Needs } from '../../service/diagnose/cluster-reader.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';

/** Keeps a workload among the objects of its kind. */
export function keepWorkload(gathering: Gathering, workload: Workload): void {
  gathering.keep(workload.kind, [workload]);
}

/** The pods, ReplicaSets or revisions of the workload. */
export async function readOwn(
  gathering: Gathering,
  workload: Workload,
  needs: Needs,
): Promise<readonly Pod[]> {
  const { namespace } = workload.metadata;
  const labelSelector = selectorQuery(workload.spec.selector);
  const parts = partsReadOf(workload.kind).filter(({ kind, isAlways }) => isAlways || needs.has(kind));
  const [pods] = await Promise.all([
    gathering.list('Pod', { namespace, labelSelector }),
    ...parts.map(({ kind }) => gathering.list(kind, { namespace, labelSelector })),
  ]);
  if (isRevisioned(workload)) return pods;
  // The workers of a LeaderWorkerSet are no children of it: their StatefulSets belong to its leaders.
  if (hasGroups(workload)) return pods.filter((pod) => controllerOf(pod)?.kind === 'StatefulSet');
  const owners = new Set([
    workload.metadata.uid,
    ...gathering
      .objects()
      .ReplicaSet.filter((replicaSet) => controllerOf(replicaSet)?.uid === workload.metadata.uid)
      .map(({ metadata }) => metadata.uid),
  ]);
  return pods.filter((pod) => owners.has(controllerOf(pod)?.uid ?? ''));
}

/** Words of a refusal by a quota (kubernetes `resourcequota/controller.go: CheckRequest`). */
const exceeded = 'exceeded quota: ';

/** Pods of one namespace that are looked through; beyond it the rest is said to be unseen. */
const maxPods = 2_000;

/**
 * Every pod of the namespace, but only while a quota there refuses the workload's pods: the quota charges
 * them all, wherever they run, and one that is leaving makes room.
 */
export async function readChargedPods(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  workload: Workload,
): Promise<void> {
  const { namespace } = workload.metadata;
  const { ResourceQuota, ReplicaSet, StatefulSet, Event } = gathering.objects();
  if (ResourceQuota.length === 0) return;
  const creators = ownCreators({ ReplicaSet, StatefulSet }, workload);
  const refused =
    ReplicaSet.some(
      ({ metadata, status }) =>
        creators.has(metadata.uid) && conditionOf(status, 'ReplicaFailure')?.message.includes(exceeded),
    ) || Event.some((event) => event.message.includes(exceeded) && isByCreator(event, creators, workload));
  if (refused) await gathering.list('Pod', { namespace, max: maxPods });
}

/**
 * By uid: the workload, and the ReplicaSets and StatefulSets that create pods for it. Those of a group or a
 * revision are no children of it, and have the labels of its pods.
 */
function ownCreators(
  { ReplicaSet, StatefulSet }: Pick<ClusterObjects, 'ReplicaSet' | 'StatefulSet'>,
  workload: Workload,
): ReadonlySet<string> {
  const { namespace, uid } = workload.metadata;
  const byLabels = hasGroups(workload) || isRevisioned(workload);
  const own = [...ReplicaSet, ...StatefulSet].filter(
    (set) =>
      controllerOf(set)?.uid === uid ||
      (byLabels &&
        set.metadata.namespace === namespace &&
        matchesSelector(workload.spec.selector, set.metadata.labels)),
  );
  return new Set([uid, ...own.map(({ metadata }) => metadata.uid)]);
}

/** A revision that has no ReplicaSets, such as a RayCluster, creates its pods itself: its events say so. */
function isByCreator(
  { reason, involvedObject: { kind, namespace, name, uid } }: Event,
  creators: ReadonlySet<string>,
  workload: Workload,
): boolean {
  const { partsBelongTo, revisionIn } = kindNamed(workload.kind);
  if (revisionIn === undefined) return reason === 'FailedCreate' && creators.has(uid);
  const isNear = namespace === workload.metadata.namespace;
  return kind === partsBelongTo && isNear && namesRevision(workload, name);
}

/** Past this number one list of the whole namespace costs the API server less. */
const maxLists = 20;
/** Owners of one kind that are looked through; beyond it the rest is said to be unseen. */
const maxOwners = 2_000;
const creatingKinds = ['ReplicaSet', 'StatefulSet', 'DaemonSet'] as const;

/**
 * The ReplicaSets, StatefulSets and DaemonSets of the namespace, beside the workload's own, whose pods a
 * quota refuses: they may create them as soon as a change of the workload frees some of it. Found by their
 * events, and ReplicaSets by the condition that a Deployment copies.
 *
 * The shipped rights let ReplicaSets be listed, and not be read by name.
 */
export async function readRefusedOwners(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  workload: Workload,
): Promise<void> {
  const { namespace, uid } = workload.metadata;
  const { ResourceQuota, ReplicaSet, StatefulSet, Deployment, Event } = gathering.objects();
  if (ResourceQuota.length === 0) return;
  const own = ownCreators({ ReplicaSet, StatefulSet }, workload);
  const refused = Event.filter(
    ({ reason, message, involvedObject }) =>
      reason === 'FailedCreate' && !own.has(involvedObject.uid) && message.includes(exceeded),
  ).map(({ involvedObject }) => involvedObject);
  const selectors = Deployment.filter(
    ({ metadata, status }) =>
      metadata.namespace === namespace &&
      metadata.uid !== uid &&
      conditionOf(status, 'ReplicaFailure')?.message.includes(exceeded),
  ).map(({ spec }) => selectorQuery(spec.selector));
  await Promise.all(
    creatingKinds.map(async (kind) => {
      const names = new Set(refused.flatMap((owner) => (owner.kind === kind ? [owner.name] : [])));
      const lists = [
        ...[...names].map((name) => ({ namespace, fieldSelector: `metadata.name=${name}` })),
        ...(kind === 'ReplicaSet' ? selectors.map((labelSelector) => ({ namespace, labelSelector })) : []),
      ];
      const selections = lists.length > maxLists ? [{ namespace, max: maxOwners }] : lists;
      await Promise.all(selections.map((selection) => gathering.list(kind, selection)));
    }),
  );
}

/**
 * Services that the API server calls for a webhook which refuses pods of the workload's namespace, and the
 * pods that they select, which may belong to another workload.
 */
export async function readCalledServices(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  { metadata: { namespace } }: Workload,
): Promise<void> {
  const called = gathering.objects().Event.flatMap(({ reason, message }) => {
    const denial = reason === 'FailedCreate' ? denialOf(message) : undefined;
    const service = denial?.kind === 'webhook-unreachable' ? calledService(denial.said) : undefined;
    return service?.namespace === namespace ? [service.name] : [];
  });
  const read = await Promise.all(
    [...new Set(called)]
      .slice(0, maxLists)
      .map((name) => gathering.list('Service', { namespace, fieldSelector: `metadata.name=${name}` })),
  );
  const selectors = read.flat().map(({ spec: { selector } }) => selector);
  await Promise.all(
    selectors
      .filter((selector) => Object.keys(selector).length > 0)
      .map((matchLabels) => selectorQuery({ matchLabels, matchExpressions: [] }))
      .map((labelSelector) => gathering.list('Pod', { namespace, labelSelector, max: maxServingPods })),
  );
}

/** More pods than a webhook needs. */
const maxServingPods = 500;

/**
 * The version of the API server, where an answer about the objects depends on it: a StatefulSet that is
 * updated by rules of the release, or a pod that is resized. Everybody who is authenticated may read it
 * (ClusterRole `system:public-info-viewer`). `undefined` where it is not needed or could not be read, which
 * is noted as unseen: then all rules may apply.
 *
 * `forWords`: the scheduler's words are foretold, which differ between releases. Without a version they are
 * shortened, so a missing one is not noted.
 */
export async function readServerVersion(
  call: ApiCall,
  gathering: Pick<Gathering, 'objects' | 'miss'>,
  signal: AbortSignal,
  { forWords = false } = {},
): Promise<ServerVersion | undefined> {
  const { StatefulSet, Pod } = gathering.objects();
  const isNeeded = StatefulSet.some(dependsOnVersion) || Pod.some(isResized);
  if (!isNeeded && !forWords) return undefined;
  try {
    const answer = await call({ path: '/version', signal });
    const version = answer.status === 200 ? serverVersionIn(answer.body) : undefined;
    if (version === undefined && isNeeded) gathering.miss('ServerVersion', '', unreadable(answer));
    return version;
  } catch (error) {
    if (isNeeded) gathering.miss('ServerVersion', '', unanswered(error));
    return undefined;
  }
}
