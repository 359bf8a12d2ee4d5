import { isActive, isAvailable, type Pod } from '../cluster/pod.js';
import { controllerRevisionHashLabel, daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import { daemonOnNode, daemonTolerations } from './daemon-set-nodes.js';
import { syncDaemonSet } from './daemon-set-sync.js';
import { podsByTarget } from './daemon-set-views.js';
import type { DaemonSetState } from './rollout-state.js';
import { createRoster, type Roster } from './roster.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation-budget.js';

const maxRounds = 100;

/** Runs the DaemonSet controller until it has nothing to do. */
export function actDaemonSet(start: DaemonSetState, admits: Admission): Acted<DaemonSetState> {
  const roster = createRoster(start.pods);
  const acted = actDaemonSetOn(roster, start, (pod) => admits(pod, roster.all()), neverExhausted);
  return { ...acted, state: { ...acted.state, pods: roster.all() } };
}

/** The same on a roster, which it changes. */
export function actDaemonSetOn(
  roster: Roster,
  start: DaemonSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DaemonSetState> {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  let refused: Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    state = { ...state, pods: roster.all() };
    meter.spend(state.pods.length + state.nodes.length);
    const sync = syncDaemonSet(state);
    const leaving = new Set(sync.actions.flatMap((action) => (action.kind === 'delete' ? action.pod : [])));
    for (const pod of leaving) {
      deleted.push(pod);
      const [left] = deletedPod(pod, state.now);
      if (left === undefined) roster.remove(pod);
      else roster.replace(pod, left);
    }
    refused = [];
    let made = 0;
    for (const action of sync.actions) {
      if (action.kind !== 'create' || meter.isExhausted()) continue;
      const pod = daemonPod(state, action.node, roster);
      if (!admits(pod)) {
        refused.push(pod);
        continue;
      }
      meter.notePods(1);
      roster.add(pod);
      created.push(pod);
      made += 1;
    }
    for (const pod of sync.orElse) orElse.push(pod);
    state = { ...state, daemonSet: { ...state.daemonSet, status: sync.status } };
    isAtRest = made === 0 && leaving.size === 0;
  }
  return { state, actions: [], created, deleted, orElse, refused, isAtRest };
}

/** Every node that should run a pod has an available one of the current template, and no other. */
export function daemonSetIsComplete(state: DaemonSetState): boolean {
  const { daemonSet, nodes, now } = state;
  const hash = daemonSetHash(state);
  const byNode = podsByTarget(state.pods);
  return nodes
    .filter((node) => daemonOnNode(daemonSet, node).shouldRun)
    .every(({ metadata }) => {
      const here = byNode.get(metadata.name) ?? [];
      const only = here[0];
      return (
        only !== undefined &&
        here.length === 1 &&
        isActive(only) &&
        isUpdatedDaemonPod(only, daemonSet, hash) &&
        isAvailable(only, daemonSet.spec.minReadySeconds, now)
      );
    });
}

/** Meant for one node by its affinity, as the controller writes it. */
function daemonPod(state: DaemonSetState, node: string, roster: Roster): Pod {
  const { daemonSet, now } = state;
  const name = roster.freeName(`${daemonSet.metadata.name}-${node}-next-`);
  const pod = simulatedPod(daemonSet, daemonSet.spec.template, name, now, undefined);
  const required = {
    nodeSelectorTerms: [
      { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
    ],
  };
  const affinity = {
    podAffinity: pod.spec.affinity?.podAffinity,
    podAntiAffinity: pod.spec.affinity?.podAntiAffinity,
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [controllerRevisionHashLabel]: daemonSetHash(state) ?? '' },
    },
    spec: { ...pod.spec, affinity, tolerations: daemonTolerations(daemonSet) },
  };
}
