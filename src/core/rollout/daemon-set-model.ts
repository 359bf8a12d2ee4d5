import { isActive, isAvailable, type Pod } from '../cluster/pod.js';
import { controllerRevisionHashLabel, daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import { daemonOnNode, daemonTolerations, targetNode } from './daemon-set-nodes.js';
import { syncDaemonSet } from './daemon-set-sync.js';
import type { DaemonSetState } from './rollout-state.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';

const maxRounds = 100;

/** Runs the DaemonSet controller until it has nothing to do. */
export function actDaemonSet(start: DaemonSetState, admits: Admission): Acted<DaemonSetState> {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  let refused: Pod[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const sync = syncDaemonSet(state);
    const leaving = new Set(sync.actions.flatMap((action) => (action.kind === 'delete' ? action.pod : [])));
    let pods = state.pods.flatMap((pod) => (leaving.has(pod) ? deletedPod(pod, state.now) : pod));
    refused = [];
    let made = 0;
    for (const action of sync.actions) {
      if (action.kind !== 'create') continue;
      const pod = daemonPod(state, action.node, pods);
      if (!admits(pod, pods)) {
        refused.push(pod);
        continue;
      }
      pods = [...pods, pod];
      created.push(pod);
      made += 1;
    }
    deleted.push(...leaving);
    orElse.push(...sync.orElse);
    state = { ...state, pods, daemonSet: { ...state.daemonSet, status: sync.status } };
    if (made === 0 && leaving.size === 0) break;
  }
  return { state, actions: [], created, deleted, orElse, refused };
}

/** Every node that should run a pod has an available one of the current template, and no other. */
export function daemonSetIsComplete(state: DaemonSetState): boolean {
  const { daemonSet, nodes, now } = state;
  const hash = daemonSetHash(state);
  return nodes
    .filter((node) => daemonOnNode(daemonSet, node).shouldRun)
    .every(({ metadata }) => {
      const here = state.pods.filter((pod) => targetNode(pod) === metadata.name);
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
function daemonPod(state: DaemonSetState, node: string, pods: readonly Pod[]): Pod {
  const { daemonSet, now } = state;
  const taken = new Set(pods.map(({ metadata }) => metadata.name));
  let number = 1;
  while (taken.has(`${daemonSet.metadata.name}-${node}-next-${number}`)) number += 1;
  const name = `${daemonSet.metadata.name}-${node}-next-${number}`;
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
