import { describe, expect, it } from 'vitest';
import { compactPod, podOf } from '#src/adapters/kubernetes/crash-watch/compact-pod.js';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { rolloutStateOf } from '#src/core/rollout/rollout-state.js';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';

const { diagnose } = createDoctor();

/** The same snapshot for a worker whose watch holds all pods except those of the workload. */
function withWatchedPods(snapshot: Snapshot): Snapshot {
  const { objects, podsReadOn, serverVersion } = snapshot.index;
  const isOwn = new Set(rolloutStateOf(snapshot).pods.map(({ metadata }) => metadata.uid));
  const Pod = objects.Pod.map((pod) => (isOwn.has(pod.metadata.uid) ? pod : asWatched(pod)));
  return { ...snapshot, index: indexObjects({ ...objects, Pod }, podsReadOn, serverVersion) };
}

function asWatched(pod: Pod): Pod {
  const compact = compactPod(pod, (text) => text);
  if (compact === undefined || compact.node === '') return pod;
  const watched = podOf(compact);
  if (watched === undefined) throw new Error(`${compact.key} cannot be read`);
  return watched;
}

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'the diagnosis of %s',
  (_, scenario) => {
    it('is the same with the pods of others from a watch', async () => {
      const snapshot = await snapshotOf(scenario);
      expect(diagnose(withWatchedPods(snapshot))).toEqual(await diagnosisOf(scenario));
    });
  },
);
