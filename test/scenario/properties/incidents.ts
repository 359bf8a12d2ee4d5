import { expect } from 'vitest';
import { sharedRootOf } from '#src/doctor/incidents/shared-root.js';
import {
  type Candidate,
  candidateInEvent,
  candidateInPod,
  oldPodsOf,
  provenDeadlockOf,
} from '#src/doctor/sentinel/candidate.js';
import { conditionOf, controllerOf } from '#src/engine/objects/metadata.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { readRecording } from '../../../demo/cluster/recording/read-recording.js';
import { familyOf } from '../../support/scenarios/compare-answer.js';
import type { Expectation } from '../../support/scenarios/expectation.js';
import type { Property } from '../property.js';
import { diagnosisOf, type Recorded, snapshotOf } from '../recorded.js';

/**
 * Every recorded incident in which a node, a quota or a registry is to blame, by name; all others blame
 * something else.
 */
const blamed: Readonly<Record<string, string>> = {
  'cgroup-is-busy-and-the-limit-is-large': 'Node w1',
  'cordon-beside-nodes-with-full-disks': 'Node w3',
  'cordoned-and-healthy': 'Node node-a',
  'cordoned-and-silent': 'Node node-b',
  'cordoned-gpu-node': 'Node gpu-b',
  'cordoned-worker-among-tainted-ones': 'Node master',
  'crash-beside-a-budget-that-does-not-parse': 'Node n-b',
  'crash-on-node-b': 'Node node-b',
  'crash-on-node-intermittent': 'Node n-c',
  'crash-on-one-node': 'Node n-b',
  'crash-two-daemonsets-same-node': 'Node n-g',
  'daemon-set-budget-on-a-dead-node': 'Node n-d',
  'daemon-set-grown-beyond-its-quota': 'ResourceQuota compute',
  'daemon-set-surge-quota': 'ResourceQuota compute',
  'deadlock-behind-another-workload': 'ClusterQueue team',
  'deadlock-beside-a-job': 'ClusterQueue team',
  'deadlock-beside-another-quota': 'ClusterQueue team',
  'deadlock-by-quota': 'ResourceQuota gpus',
  'deadlock-by-the-quota': 'ClusterQueue team',
  'deadlock-of-three-replicas': 'ClusterQueue team',
  'deadlock-of-two-new-pods': 'ClusterQueue team',
  'deadlock-where-borrowing-is-forbidden': 'ClusterQueue team',
  'device-refused': 'Node node-a',
  'devices-unhealthy-on-a-node': 'Node g1',
  'driver-not-on-a-tainted-node': 'Node gpu1',
  'driver-too-old-in-the-words-of-the-runtime': 'Node w1',
  'evicted-for-memory': 'Node n-b',
  'gpu-lost-on-a-node': 'Node g1',
  'hostname-of-cordoned-node': 'Node n-b',
  'image-gone-in-a-crash-loop': 'Registry 127.0.0.1:36903',
  'image-of-a-volume-cannot-be-pulled': 'Registry ghcr.io',
  'image-tag-missing': 'Registry registry.example',
  'init-image-missing': 'Registry 127.0.0.1:20450',
  'killed-for-the-memory-of-its-node': 'Node w2',
  'kubelet-refuses-cgroup-v1': 'Node node-b',
  'network-agent-has-no-pod-on-the-node': 'Node w1',
  'network-agent-missing-on-the-node': 'Node w1',
  'network-fails-on-one-node': 'Node n-b',
  'network-plug-in-is-not-on-the-node': 'Node n2',
  'network-plug-in-socket-is-gone': 'Node w2',
  'network-service-of-windows-fails': 'Node w2',
  'node-silent': 'Node node-b',
  'node-unheard-of': 'Node n-a',
  'only-node-of-its-zone-is-cordoned': 'Node a1',
  'ordered-pod-rejected-by-its-kubelet': 'Node n2',
  'pipe-ends-at-a-limit-that-is-enough': 'Node w1',
  'pipe-is-reset-and-the-limit-is-large': 'Node w1',
  'pull-fails-everywhere': 'Registry registry.example',
  'pull-without-space-on-one-node': 'Node n-b',
  'pull-without-space-under-pressure': 'Node n-b',
  'quota-and-the-spec-taken-back': 'ResourceQuota team',
  'quota-and-then-no-node': 'ResourceQuota gpus',
  'quota-below-one-group': 'ResourceQuota team',
  'quota-beside-a-crashing-neighbour': 'ResourceQuota team',
  'quota-beside-a-paused-neighbour': 'ResourceQuota team',
  'quota-beside-a-stateful-set-of-equal-size': 'ResourceQuota team',
  'quota-beside-a-stateful-set-that-crashes': 'ResourceQuota team',
  'quota-beside-a-stateful-set-with-a-partition': 'ResourceQuota team',
  'quota-blue-green': 'ResourceQuota team',
  'quota-canary': 'ResourceQuota team',
  'quota-first-rollout': 'ResourceQuota team-quota',
  'quota-for-a-bigger-revision': 'ResourceQuota cpu',
  'quota-for-a-worker': 'ResourceQuota team',
  'quota-for-one-group': 'ResourceQuota team',
  'quota-for-the-second-worker': 'ResourceQuota team',
  'quota-freed-by-a-neighbour': 'ResourceQuota team',
  'quota-freed-by-a-stateful-set': 'ResourceQuota team',
  'quota-full-of-others': 'ResourceQuota team',
  'quota-memory-three-replicas': 'ResourceQuota team-quota',
  'quota-of-a-deployment': 'ResourceQuota team',
  'quota-of-a-job': 'ResourceQuota team',
  'quota-of-a-priority-class': 'ResourceQuota team',
  'quota-of-a-workflow': 'ResourceQuota team',
  'quota-of-four-replicas': 'ResourceQuota team',
  'quota-of-one-worker': 'ResourceQuota team',
  'quota-of-the-new-priority-class': 'ResourceQuota team',
  'quota-of-two-heads': 'ResourceQuota team',
  'quota-of-two-revisions': 'ResourceQuota team',
  'quota-of-two-workers': 'ResourceQuota team',
  'quota-raised-since': 'ResourceQuota team',
  'quota-rival-for-another-resource': 'ResourceQuota team',
  'quota-rival-is-a-job': 'ResourceQuota team',
  'quota-rival-is-a-stateful-set': 'ResourceQuota team',
  'quota-rival-leaves-enough': 'ResourceQuota team',
  'quota-rival-needs-more': 'ResourceQuota team',
  'quota-rival-of-another-scope': 'ResourceQuota team',
  'quota-rival-was-refused-first': 'ResourceQuota team',
  'quota-rival-was-refused-later': 'ResourceQuota team',
  'quota-routed-canary': 'ResourceQuota team',
  'quota-that-does-not-parse': 'ResourceQuota team-quota',
  'quota-that-idleness-may-free': 'ResourceQuota team',
  'quota-used-by-another-team': 'ResourceQuota team',
  'quota-used-by-another-workload': 'ResourceQuota team',
  'radio-device-refused-while-its-plug-in-crashes': 'Node n1',
  'registry-broken': 'Registry 127.0.0.1:36903',
  'registry-lies': 'Registry 127.0.0.1:38579',
  'registry-limited': 'Registry 127.0.0.1:36903',
  'registry-missing': 'Registry 127.0.0.1:36903',
  'registry-overloaded': 'Registry 127.0.0.1:38579',
  'registry-refuses-connections': 'Registry 127.0.0.1:1',
  'registry-unauthorised': 'Registry 127.0.0.1:38579',
  'runtime-fails-and-the-limit-is-small': 'Node w2',
  'runtime-handler-missing-on-one-node': 'Node n-b',
  'sandbox-image-missing-on-one-node': 'Node n-b',
  'spread-that-counts-a-cordoned-node': 'Node w3',
  'storage-driver-crashes-on-a-node': 'Node w2',
  'storage-driver-does-not-tolerate-the-taint-of-a-node': 'Node w2',
  'storage-driver-not-registered-on-a-node': 'Node w2',
  'storage-driver-selects-another-architecture': 'Node arm1',
  'tag-missing': 'Registry 127.0.0.1:38579',
  'taint-of-an-agent-that-crashes': 'Node w1',
  'topology-manager-refuses-the-new-pods': 'Node numa',
};

/** Whether a deadlock has to be proven; `undefined` where the scenario leaves open how sure one may be. */
function mustSpeak(expected: Expectation): boolean | undefined {
  const isCycle = expected.mustMention.some(
    (words) => words.includes('the two workloads are deadlocked') || words.includes('a wait cycle through'),
  );
  if (familyOf(expected) !== 'a deadlock' && !isCycle) return false;
  if (expected.maxConfidence !== undefined && expected.maxConfidence !== 'proven') return false;
  return expected.minConfidence === 'proven' ? true : undefined;
}

/** What the watches would have told of this workload. */
async function candidatesOf(
  { folder }: Recorded,
  { workload, index }: Snapshot,
): Promise<readonly Candidate[]> {
  const { objects } = await readRecording(folder);
  const { kind, metadata } = workload;
  const isOwn = ({ owner }: Candidate): boolean => {
    if (owner.namespace !== metadata.namespace) return false;
    if (owner.kind === kind) return owner.name === metadata.name;
    const pod = index.objects.Pod.find((each) => owner.kind === 'Pod' && each.metadata.name === owner.name);
    const parent = owner.kind === 'Pod' ? pod && controllerOf(pod) : owner;
    const replicaSet = index.objects.ReplicaSet.find((each) => each.metadata.name === parent?.name);
    return replicaSet !== undefined && controllerOf(replicaSet)?.name === metadata.name;
  };
  return objects
    .flatMap((object) => (object.kind === 'Event' ? candidateInEvent(object) : candidateInPod(object)) ?? [])
    .filter(isOwn);
}

/** Recorded without the event that the controller writes whenever it is refused. */
function lacksItsEvents({ index: { objects } }: Snapshot): boolean {
  const isRefused = objects.ReplicaSet.some(
    ({ status }) => conditionOf(status, 'ReplicaFailure') !== undefined,
  );
  return isRefused && !objects.Event.some(({ reason }) => reason === 'FailedCreate');
}

export const incidents: readonly Property[] = [
  {
    name: 'blames the node, quota or registry that made it, and no other one',
    async check(recorded, saw) {
      const root = sharedRootOf(await diagnosisOf(recorded));
      const { id } = recorded.expect;
      if (root !== undefined && 'name' in root) saw(id);
      expect(root !== undefined && 'name' in root ? `${root.kind} ${root.name}` : undefined).toBe(blamed[id]);
    },
    whole: (seen) => expect([...seen.keys()].sort()).toEqual(Object.keys(blamed).sort()),
  },
  {
    name: 'is reported by the sentinel, unasked, exactly where a deadlock is proven, which would look there',
    async check(recorded, saw) {
      const wanted = mustSpeak(recorded.expect);
      saw(`must speak: ${wanted}`);
      const snapshot = await snapshotOf(recorded);
      const speaks = provenDeadlockOf(await diagnosisOf(recorded)) !== undefined;

      expect(speaks).toBe(wanted ?? speaks);
      const { workload } = snapshot;
      // It watches Deployments and DaemonSets only: docs/sentinel.md.
      if (!speaks || (workload.kind !== 'Deployment' && workload.kind !== 'DaemonSet')) return;
      expect(oldPodsOf(workload)).toBe('some');
      if (!lacksItsEvents(snapshot)) expect(await candidatesOf(recorded, snapshot)).not.toEqual([]);
    },
    whole(seen) {
      expect(seen.get('must speak: true')).toBeGreaterThan(20);
      expect(seen.get('must speak: false')).toBeGreaterThan(100);
    },
  },
];
