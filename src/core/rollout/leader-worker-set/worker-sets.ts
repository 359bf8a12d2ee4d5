import {
  groupAnnotations,
  groupLabels,
  isLeader,
  type LeaderWorkerSet,
  revisionKeyOf,
} from '../../cluster/leader-worker-set.js';
import { hasNode, isReady, isTerminating, type Pod } from '../../cluster/pod.js';
import { StatefulSet } from '../../cluster/workload.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { templateWith } from './leader-set.js';
import { newestRevision, revisionWithKey, workerTemplateOf } from './revisions.js';

/**
 * Workers' StatefulSets that the controller creates now, for leaders that have none (lws
 * `pod_controller.go: Reconcile`).
 */
export function missingWorkerSets(
  state: LeaderWorkerSetState,
  leaderSet: StatefulSet,
): readonly StatefulSet[] {
  if (state.leaderWorkerSet.spec.leaderWorkerTemplate.size === 1) return [];
  const names = new Set(state.statefulSets.map(({ metadata }) => metadata.name));
  const newest = newestRevision(state, leaderSet).key;
  return state.pods
    .filter((pod) => isLeader(pod) && !isTerminating(pod) && !names.has(pod.metadata.name))
    .filter((leader) => mayHaveWorkers(state.leaderWorkerSet, leader))
    .filter((leader) => {
      const key = revisionKeyOf(leader);
      return key === newest || revisionWithKey(state, key) !== undefined;
    })
    .map((leader) => workerSet(state, leader));
}

function mayHaveWorkers({ metadata, spec }: LeaderWorkerSet, leader: Pod): boolean {
  if (spec.startupPolicy === 'LeaderReady' && !isReady(leader)) return false;
  return metadata.annotations[groupAnnotations.exclusiveTopology] === undefined || hasNode(leader);
}

/** lws `pod_controller.go: constructWorkerStatefulSetApplyConfiguration`. */
function workerSet(state: LeaderWorkerSetState, leader: Pod): StatefulSet {
  const { metadata, spec } = state.leaderWorkerSet;
  const { name, namespace, uid } = leader.metadata;
  const inGroup = {
    [groupLabels.groupIndex]: leader.metadata.labels[groupLabels.groupIndex] ?? '',
    [groupLabels.name]: metadata.name,
    [groupLabels.groupKey]: leader.metadata.labels[groupLabels.groupKey] ?? '',
  };
  const labels = { ...inGroup, [groupLabels.revision]: revisionKeyOf(leader) };
  const template = templateWith(workerTemplateOf(state, revisionKeyOf(leader)), {
    labels,
    annotations: {
      [groupAnnotations.size]: String(spec.leaderWorkerTemplate.size),
      [groupAnnotations.leaderName]: name,
    },
  });
  const revision = `${name}-simulated`;
  return StatefulSet.parse({
    metadata: {
      name,
      namespace,
      uid: `simulated:set:${uid}`,
      generation: 1,
      labels,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
    },
    spec: {
      replicas: spec.leaderWorkerTemplate.size - 1,
      serviceName: metadata.name,
      podManagementPolicy: 'Parallel',
      ordinals: { start: 1 },
      selector: { matchLabels: inGroup },
      template: template.raw,
    },
    status: { observedGeneration: 1, currentRevision: revision, updateRevision: revision },
  });
}
