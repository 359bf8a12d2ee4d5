import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, podKey } from '../../../engine/objects/pod.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { amountText } from '../../../engine/scheduler/amounts.js';
import { grantedRequests, podRequests } from '../../../engine/scheduler/pod-requests.js';
import type { ResourceReason } from '../../../engine/scheduler/reason.js';
import { epochOf } from '../../../engine/workloads/creation-order.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import type { Examination } from '../../findings/rule.js';

/** What the kubelet says of a resize that it has not made. */
export interface Refused {
  readonly verdict: 'deferred' | 'infeasible' | 'failed';
  /** Where it says so. */
  readonly field: string;
  readonly value: string;
  readonly message: string;
  /** RFC3339. */
  readonly since: string | undefined;
}

/** What the objects say of room for it on its node. */
export type Room =
  /** The node, or who uses it, was not read. */
  | { readonly kind: 'unknown' }
  /** The pod asks for more than the node has at all. */
  | { readonly kind: 'never'; readonly short: readonly ResourceReason[] }
  | { readonly kind: 'used'; readonly short: readonly ResourceReason[] }
  | { readonly kind: 'free' };

/** A pod that runs with other requests than its spec asks for. */
export interface Resize {
  readonly pod: Pod;
  readonly node: string;
  readonly refused: Refused;
  readonly changes: readonly Change[];
  readonly room: Room;
}

/** Amounts as text. */
export type Change = { readonly resource: string; readonly from: string; readonly to: string };

/**
 * The pod as a new one with the same requests, for the scheduler's filters. The kubelet asks the same
 * question with the pod itself left out (kubernetes 1.36
 * `pkg/kubelet/allocation/allocation_manager.go: canAdmitPod`).
 */
export function askedAnew(pod: Pod): Pod {
  const spec = { ...pod.spec, nodeName: undefined };
  return { ...pod, spec, status: { ...pod.status, phase: 'Pending' } };
}

/** Own pods with a resize that their kubelet refused, or has failed to make for minutes. */
export function refusedResizes(examination: Examination): readonly Resize[] {
  const { snapshot } = examination;
  const now = nowOf(snapshot);
  return rolloutStateOf(snapshot).pods.flatMap((pod) => {
    const refused = isActive(pod) && hasNode(pod) ? refusedOf(pod) : undefined;
    if (refused === undefined || !isLasting(refused, now)) return [];
    const node = pod.spec.nodeName ?? '';
    return [{ pod, node, refused, changes: changesOf(pod), room: roomFor(examination, pod, node) }];
  });
}

/**
 * `PodResizePending` is `Infeasible` or `Deferred` (1.36 `status_manager.go: SetPodResizePendingCondition`),
 * and `PodResizeInProgress` with reason `Error` holds the last failure (`kubelet.go: SyncPod`). Before 1.33
 * there was `status.resize`. A condition about an older generation does not apply to the present request.
 */
function refusedOf(pod: Pod): Refused | undefined {
  const { status, metadata } = pod;
  for (const type of ['PodResizePending', 'PodResizeInProgress'] as const) {
    const condition = conditionOf(status, type);
    const verdict = verdicts[type].get(condition?.reason ?? '');
    if (condition?.status !== 'True' || verdict === undefined) continue;
    const { reason, message, lastTransitionTime: since, observedGeneration } = condition;
    if (observedGeneration !== undefined && observedGeneration < (metadata.generation ?? 0)) continue;
    return { verdict, field: `status.conditions[${type}]`, value: `${reason}: ${message}`, message, since };
  }
  const verdict = verdicts.PodResizePending.get(status.resize ?? '');
  return verdict === undefined
    ? undefined
    : { verdict, field: 'status.resize', value: status.resize ?? '', message: '', since: undefined };
}

const verdicts: Readonly<
  Record<'PodResizePending' | 'PodResizeInProgress', ReadonlyMap<string, Refused['verdict']>>
> = {
  PodResizePending: new Map([
    ['Deferred', 'deferred'],
    ['Infeasible', 'infeasible'],
  ]),
  PodResizeInProgress: new Map([['Error', 'failed']]),
};

/** Pods come and go, and a kubelet that fails tries again: within this time there may be nothing to do. */
const patienceMs = 120_000;

function isLasting({ verdict, since }: Refused, now: number): boolean {
  const at = epochOf(since);
  return verdict === 'infeasible' || at === undefined || now - at >= patienceMs;
}

function changesOf(pod: Pod): readonly Change[] {
  const granted = grantedRequests(pod);
  return [...podRequests(pod, false)].flatMap(([resource, to]): readonly Change[] => {
    const from = granted.get(resource) ?? 0n;
    return from === to ? [] : [{ resource, from: amountText(resource, from), to: amountText(resource, to) }];
  });
}

function roomFor({ snapshot, placement }: Examination, pod: Pod, name: string): Room {
  const { index } = snapshot;
  const node = index.nodes.get(name);
  if (node === undefined) return { kind: 'unknown' };
  const verdict = placement.check(askedAnew(pod), node, new Set([podKey(pod)]));
  const short = verdict.reasons.filter(isShortage);
  if (verdict.tooSmall && short.length > 0) return { kind: 'never', short };
  if (!arePodsRead(index, name) || isUnread(snapshot, 'Pod')) return { kind: 'unknown' };
  return short.length > 0 ? { kind: 'used', short } : { kind: 'free' };
}

/** Only these can be resized (kubernetes `pkg/apis/core/validation: ValidatePodResize`). */
function isShortage(reason: { readonly id?: string }): reason is ResourceReason {
  return reason.id === 'cpu' || reason.id === 'memory';
}

function arePodsRead({ podsReadOn }: ClusterIndex, node: string): boolean {
  return podsReadOn === undefined || podsReadOn.has(node);
}
