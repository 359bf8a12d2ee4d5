import type { Pod } from '../cluster/pod.js';
import { type DaemonSetAction, deletions } from './daemon-set-action.js';
import { daemonSetBounds } from './daemon-set-bounds.js';
import { isAvailableHere, type NodeView, pairOn } from './daemon-set-views.js';
import type { DaemonSetState } from './rollout-state.js';

/** `rollingUpdate` with maxSurge 0: old pods that are not available always, others within maxUnavailable. */
export function replaceInPlace(
  state: DaemonSetState,
  nodes: readonly NodeView[],
  maxUnavailable: number,
): { readonly actions: readonly DaemonSetAction[]; readonly orElse: readonly Pod[] } {
  let unavailable = 0;
  const replaced: Pod[] = [];
  const candidates: Pod[] = [];
  for (const { pods } of nodes.filter((node) => node.pods.length > 0)) {
    const pair = pairOn(state, pods);
    if (pair === undefined || (pair.oldPod === undefined) === (pair.newPod === undefined)) unavailable += 1;
    else if (pair.newPod !== undefined) unavailable += isAvailableHere(state, pair.newPod) ? 0 : 1;
    else if (pair.oldPod !== undefined && isAvailableHere(state, pair.oldPod)) candidates.push(pair.oldPod);
    else if (pair.oldPod !== undefined) {
      replaced.push(pair.oldPod);
      unavailable += 1;
    }
  }
  const room = Math.max(0, maxUnavailable - unavailable);
  const chosen = candidates.slice(0, room);
  return {
    actions: [...deletions(replaced, 'unavailable-old'), ...deletions(chosen, 'update')],
    orElse: chosen.length === 0 ? [] : candidates.slice(room),
  };
}

/** `rollingUpdate` with maxSurge: new pods beside old ones; an old one goes when its new one is available. */
export function surge(
  state: DaemonSetState,
  nodes: readonly NodeView[],
  maxSurge: number,
): readonly DaemonSetAction[] {
  let surging = 0;
  let available = 0;
  const leaving: DaemonSetAction[] = [];
  const displaced: Pod[] = [];
  const replaced: DaemonSetAction[] = [];
  const candidates: DaemonSetAction[] = [];
  for (const node of nodes.filter(({ pods }) => pods.length > 0)) {
    const pair = pairOn(state, node.pods);
    if (pair === undefined) {
      surging += 1;
      continue;
    }
    const { oldPod, newPod } = pair;
    const counted = oldPod ?? newPod;
    if (counted !== undefined && isAvailableHere(state, counted)) available += 1;
    if (oldPod === undefined) continue;
    if (newPod !== undefined) {
      if (isAvailableHere(state, newPod))
        leaving.push({ kind: 'delete', pod: oldPod, because: 'new-available' });
      else surging += 1;
      continue;
    }
    const healthy = isAvailableHere(state, oldPod);
    if (!node.shouldRun) {
      if (healthy) displaced.push(oldPod);
      else leaving.push({ kind: 'delete', pod: oldPod, because: 'should-not-run' });
      continue;
    }
    if (healthy) candidates.push({ kind: 'create', node: node.name, because: 'surge' });
    else replaced.push({ kind: 'create', node: node.name, because: 'replace-unavailable' });
  }
  const spare = Math.max(0, available - daemonSetBounds(state).desired);
  const room = Math.max(0, maxSurge - surging);
  return [
    ...leaving,
    ...deletions(displaced.slice(0, spare), 'should-not-run'),
    ...replaced,
    ...candidates.slice(0, room),
  ];
}
