import { isActive, isAvailable, type Pod } from '../objects/pod.js';
import { actUntilRest, type PodController } from './act-until-rest.js';
import { controllerRevisionHashLabel, daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import { daemonOnNode, daemonTolerations } from './daemon-set-nodes.js';
import type { DaemonSetAction } from './daemon-set-sync.js';
import { syncDaemonSet } from './daemon-set-sync.js';
import { podsByTarget } from './daemon-set-views.js';
import { createPodSet, type PodSet } from './pod-set.js';
import type { DaemonSetState } from './rollout-state.js';
import { simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation-budget.js';

const maxRounds = 100;

type Creation = Extract<DaemonSetAction, { readonly kind: 'create' }>;

/** Runs the DaemonSet controller until it has nothing to do. */
export function actDaemonSet(start: DaemonSetState, admits: Admission): Acted<DaemonSetState> {
  const podSet = createPodSet(start.pods);
  const acted = actDaemonSetOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: { ...acted.state, pods: podSet.all() } };
}

/** The same on a pod set, which it changes. */
export function actDaemonSetOn(
  podSet: PodSet,
  start: DaemonSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DaemonSetState> {
  const controller: PodController<DaemonSetState, Creation> = {
    maxRounds,
    members: podSet.all,
    workOf: ({ pods, nodes }) => pods.length + nodes.length,
    sync(state) {
      const { actions, orElse, status } = syncDaemonSet(state);
      return { actions, orElse, next: { ...state, daemonSet: { ...state.daemonSet, status } } };
    },
    podFor: (state, { node }) => daemonPod(state, node, podSet),
  };
  return actUntilRest(controller, podSet, start, admits, meter);
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
function daemonPod(state: DaemonSetState, node: string, podSet: PodSet): Pod {
  const { daemonSet, now } = state;
  const name = podSet.freeName(`${daemonSet.metadata.name}-${node}-next-`);
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
