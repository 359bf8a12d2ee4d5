import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { newPods, newReplicaSetOf, revisionOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { revisionOfPod } from './classify-pod.js';
import { podsOf } from './pod-failures-of.js';

/**
 * The target revision of the workload, as in the labels of its pods. The revision of the youngest pod when
 * the controller's own objects could not be read.
 */
export function currentRevision(snapshot: Snapshot): string {
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'Deployment') return revisionOf(snapshot) || ofYoungestPod(snapshot);
  const { metadata, spec } = newReplicaSetOf(state) ?? {};
  const [pod] = newPods(state);
  return (
    metadata?.labels['pod-template-hash'] ??
    spec?.template.metadata.labels['pod-template-hash'] ??
    pod?.metadata.labels['pod-template-hash'] ??
    ofYoungestPod(snapshot)
  );
}

function ofYoungestPod(snapshot: Snapshot): string {
  const [youngest] = [...podsOf(snapshot)]
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort(youngestFirst);
  return youngest === undefined ? '' : revisionOfPod(youngest);
}

function youngestFirst(a: Pod, b: Pod): number {
  return (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
}
