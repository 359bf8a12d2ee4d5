import { groupLabels } from '../objects/leader-worker-set.js';
import { controllerOf } from '../objects/metadata.js';
import { isActive, type Pod } from '../objects/pod.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import { ResourceQuota } from '../objects/policy.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { hasGroups, type RevisionedService } from '../objects/workload.js';
import { addQuantities, canonicalQuantity, parseQuantity } from '../scheduler/quantity.js';
import {
  admission,
  createRunningQuotaUsage,
  isInScope,
  podQuotaUsage,
  type QuotaRefusal,
  quotaUsage,
  wouldBeAdmittedIf,
} from '../workloads/quota-admission.js';
import { newRevisionPods, partNameOf, serviceKindOf } from '../workloads/revisioned/pods.js';
import type { LeaderWorkerSetState, RevisionedState } from '../workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions } from '../workloads/rollout-state.js';
import { isOverdue } from '../workloads/simulated-pods.js';
import { type FailedCreation, podOfTemplate, wantedPod } from './failed-creation.js';

export type Exceeded = Extract<QuotaRefusal, { kind: 'exceeded' }>;
/** One resource of which a quota has too little. */
export type ExceededQuota = Pick<Exceeded, 'quota'> & Exceeded['resources'][number];

/** A creation that a quota refuses, worked out again from the quotas as they are now. */
export interface QuotaBlock {
  readonly failed: FailedCreation;
  /** The pod that is wanted. */
  readonly pod: Pod;
  /** It, and those that have to exist with it before an old pod is stopped. */
  readonly together: readonly Pod[];
  readonly quotas: readonly ResourceQuota[];
  /** What is exceeded now, the quota that the API server names first. Empty: there is room by now. */
  readonly refusals: readonly Exceeded[];
  /** What the API server said, word by word. */
  readonly said: Exceeded;
  /** The quota could not be read: its limits are those the message names, its scopes unknown. */
  readonly unread: boolean;
  /** The message asks for other amounts than the template gives: something adds to the pod on its way. */
  readonly differs: boolean;
}

/** `undefined` when the refusal is no quota's, or is about something else than a pod. */
export function quotaBlockOf(snapshot: Snapshot, failed: FailedCreation): QuotaBlock | undefined {
  const { denial } = failed;
  if (denial.kind !== 'quota' || denial.refusal.kind !== 'exceeded' || failed.what !== 'pod')
    return undefined;
  const said = denial.refusal;
  const { namespace } = snapshot.workload.metadata;
  const seen = snapshot.index.objects.ResourceQuota.filter(
    ({ metadata }) => metadata.namespace === namespace,
  );
  const unread = !seen.some(({ metadata }) => metadata.name === said.quota);
  const quotas = unread ? [...seen, quotaAsSaid(said, namespace)] : seen;
  const now = nowOf(snapshot);
  const template = templateOf(snapshot, failed);
  const made = wantedPod(snapshot, template, failed, `${failed.owner.name}-next-1`);
  const pod = asAsked(made, said, now);
  const outcome = admission(pod, quotas, now);
  const refusals = outcome.kind === 'refused' ? outcome.refusals.filter(isExceeded) : [];
  return {
    failed,
    pod,
    together: podsTogether(snapshot, failed, pod),
    quotas,
    refusals: [...refusals].sort((a, b) => Number(b.quota === said.quota) - Number(a.quota === said.quota)),
    said,
    unread,
    differs: pod !== made,
  };
}

/** Of the creator itself: a group of pods, or a revision, may have several. */
export function templateOf({ index, workload }: Snapshot, { uid, part }: FailedCreation): PodTemplate {
  const creator =
    index.replicaSets.get(uid) ?? index.objects.StatefulSet.find(({ metadata }) => metadata.uid === uid);
  return creator?.spec.template ?? part?.template ?? workload.spec.template;
}

function isExceeded(refusal: QuotaRefusal): refusal is Exceeded {
  return refusal.kind === 'exceeded';
}

function quotaAsSaid({ quota, resources }: Exceeded, namespace: string): ResourceQuota {
  const hard = Object.fromEntries(resources.map(({ resource, limited }) => [resource, limited]));
  const used = Object.fromEntries(resources.map((one) => [one.resource, one.used]));
  return ResourceQuota.parse({
    metadata: { name: quota, namespace },
    spec: { hard },
    status: { hard, used },
  });
}

/**
 * The pod with as much more as the API server was asked for, carried as overhead; itself where nothing is
 * missing.
 */
export function asAsked(pod: Pod, { resources }: Exceeded, now: number): Pod {
  const usage = podQuotaUsage(pod, now);
  const overhead: Record<string, string> = {};
  for (const { resource, requested } of resources) {
    const asked = parseQuantity(requested);
    const more = asked === undefined ? 0n : asked.nano - (usage.get(resource)?.nano ?? 0n);
    if (asked === undefined || more <= 0n || resource === 'pods' || resource === 'count/pods') continue;
    overhead[resource.replace(/^(requests|limits)\./, '')] = canonicalQuantity({
      nano: more,
      format: asked.format,
    });
  }
  if (Object.keys(overhead).length === 0) return pod;
  return { ...pod, spec: { ...pod.spec, overhead: { ...pod.spec.overhead, ...overhead } } };
}

/** Which of `pods` are charged for what the quotas have too little of. */
export function chargedFor(
  { refusals, quotas }: QuotaBlock,
  pods: readonly Pod[],
  now: number,
): readonly Pod[] {
  return pods.filter((pod) =>
    refusals.some(({ quota, resources }) => {
      const found = quotas.find(({ metadata }) => metadata.name === quota);
      if (found === undefined || found.metadata.namespace !== pod.metadata.namespace) return false;
      const usage = isInScope(found, pod) ? podQuotaUsage(pod, now) : undefined;
      return resources.some(({ resource }) => (usage?.get(resource)?.nano ?? 0n) > 0n);
    }),
  );
}

/**
 * The fewest of `pods`, those that are charged most first, without which the pod and those that belong with
 * it would be created.
 */
export function smallestRelease(
  block: QuotaBlock,
  pods: readonly Pod[],
  now: number,
): readonly Pod[] | undefined {
  if (block.together.length > mostTogether) return undefined;
  return fewestOf(dearestFirst(block, pods, now), (some) => areAdmittedWithout(block, some, now));
}

/** One after the other, each beside those before it. */
function areAdmittedWithout({ together, quotas }: QuotaBlock, removed: readonly Pod[], now: number): boolean {
  const usage = {
    removed: createRunningQuotaUsage(now, (pod) => pod),
    added: createRunningQuotaUsage(now, (pod) => pod),
  };
  const added: Pod[] = [];
  return together.every((pod) => {
    const { kind } = admission(pod, quotas, now, { removed, added, usage });
    added.push(pod);
    return kind === 'admitted';
  });
}

/**
 * The first of these pods that are enough, at least one; `undefined` where all are not. More pods give back
 * more quota, so their number is found by halves.
 */
export function fewestOf(
  pods: readonly Pod[],
  isEnough: (pods: readonly Pod[]) => boolean,
): readonly Pod[] | undefined {
  if (pods.length === 0 || !isEnough(pods)) return undefined;
  let tooFew = 0;
  let enough = pods.length;
  while (enough - tooFew > 1) {
    const half = Math.floor((tooFew + enough) / 2);
    if (isEnough(pods.slice(0, half))) enough = half;
    else tooFew = half;
  }
  return pods.slice(0, enough);
}

/** Those that are charged most for the first resource that the quota has too little of come first. */
export function dearestFirst(
  { refusals }: Pick<QuotaBlock, 'refusals'>,
  pods: readonly Pod[],
  now: number,
): readonly Pod[] {
  const resource = refusals[0]?.resources[0]?.resource ?? '';
  return pods
    .map((pod) => ({ pod, cost: podQuotaUsage(pod, now).get(resource)?.nano ?? 0n }))
    .sort((a, b) => (b.cost > a.cost ? 1 : b.cost < a.cost ? -1 : 0))
    .map(({ pod }) => pod);
}

/** True when pods that are leaving in time free enough: waiting is all there is to do. */
export function opensByItself(snapshot: Snapshot, block: QuotaBlock): boolean {
  const now = nowOf(snapshot);
  const leaving = snapshot.index.terminatingPods.filter((pod) => !isOverdue(pod, now));
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now);
}

/** What `pods` are charged for one resource of a quota, as text; '0' when nothing. */
export function chargeOf(block: QuotaBlock, pods: readonly Pod[], resource: string, now: number): string {
  const quota = block.quotas.find(({ metadata }) => metadata.name === block.refusals[0]?.quota);
  const amount = quota === undefined ? undefined : quotaUsage(quota, pods, now).get(resource);
  return amount === undefined ? '0' : canonicalQuantity(amount);
}

/** More of them are not asked about one by one. */
const mostTogether = 300;

/**
 * The pods that have to exist before the controller stops an old one, the refused pod first: all that are
 * missing of its group, or of its revision where the service switches as a whole.
 */
function podsTogether(snapshot: Snapshot, failed: FailedCreation, pod: Pod): readonly Pod[] {
  const state = rolloutStateOf(snapshot);
  if (hasGroups(state)) return [pod, ...restOfGroup(snapshot, state, failed)];
  if (!switchesRevisions(state)) return [pod];
  const { service } = state;
  return 'workers' in service ? [pod] : [pod, ...restOfRevision(snapshot, state, service, failed)];
}

/** Without its leader a group has no worker. */
function restOfGroup(
  snapshot: Snapshot,
  { leaderWorkerSet, statefulSets }: LeaderWorkerSetState,
  { uid, missing }: FailedCreation,
): readonly Pod[] {
  const { size, workerTemplate } = leaderWorkerSet.spec.leaderWorkerTemplate;
  const creator = statefulSets.find(({ metadata }) => metadata.uid === uid);
  const isOfLeaders = creator !== undefined && controllerOf(creator)?.uid === leaderWorkerSet.metadata.uid;
  const labels = { [groupLabels.name]: leaderWorkerSet.metadata.name };
  return copies(snapshot, workerTemplate, isOfLeaders ? size - 1 : missing - 1, { name: 'worker', labels });
}

function restOfRevision(
  snapshot: Snapshot,
  state: RevisionedState,
  { parts, revisions }: RevisionedService,
  { missing, part }: FailedCreation,
): readonly Pod[] {
  const existing = newRevisionPods(state).filter(isActive);
  const labels = { [revisions.label]: revisions.next ?? '' };
  if (serviceKindOf(state.service).partLabel === undefined) {
    return part === undefined ? [] : copies(snapshot, part.template, missing - 1, { name: 'user', labels });
  }
  return parts.flatMap(({ name, count, template }) => {
    const present = existing.filter((pod) => partNameOf(pod) === name).length + (name === part?.name ? 1 : 0);
    return copies(snapshot, template, count - present, { name, labels });
  });
}

function copies(
  { index, workload }: Snapshot,
  template: PodTemplate,
  count: number,
  { name, labels }: { name: string; labels: Readonly<Record<string, string>> },
): readonly Pod[] {
  const { namespace } = workload.metadata;
  return Array.from({ length: Math.min(mostTogether, Math.max(0, count)) }, (_, number) => {
    const pod = podOfTemplate(index, template, '', { namespace, name: `${name}-next-${number + 2}` });
    return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } } };
  });
}

/** The quota as YAML, with as much as `pods` more pods of the refused size need beside what is used. */
export function raisedQuota({ quota, resources }: Exceeded, namespace: string, pods: number): string {
  const hard = resources.map(
    ({ resource, used, requested }) => `    ${resource}: ${JSON.stringify(sum(used, requested, pods))}\n`,
  );
  return `apiVersion: v1
kind: ResourceQuota
metadata:
  name: ${quota}
  namespace: ${namespace}
spec:
  hard:
${hard.join('')}`;
}

function sum(used: string, requested: string, times: number): string {
  const one = parseQuantity(requested);
  const before = parseQuantity(used);
  if (one === undefined || before === undefined) return used;
  return canonicalQuantity(addQuantities(before, { ...one, nano: one.nano * BigInt(times) }));
}
