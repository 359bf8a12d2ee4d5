import { expect, it } from 'vitest';
import { sharedRootOf } from '#src/core/incident/shared-root.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf } from '#support/scenarios/snapshot-of.js';

/** Every recorded incident in which a node, a quota or a registry is to blame, by name; all others blame something else. */
const blamed: Readonly<Record<string, string>> = {
  'cordoned-gpu-node': 'Node gpu-b',
  'crash-beside-a-budget-that-does-not-parse': 'Node n-b',
  'crash-on-node-intermittent': 'Node n-c',
  'crash-on-one-node': 'Node n-b',
  'crash-two-daemonsets-same-node': 'Node n-g',
  'daemon-set-grown-beyond-its-quota': 'ResourceQuota compute',
  'daemon-set-surge-quota': 'ResourceQuota compute',
  'deadlock-behind-another-workload': 'ClusterQueue team',
  'deadlock-beside-a-job': 'ClusterQueue team',
  'deadlock-beside-another-quota': 'ClusterQueue team',
  'deadlock-by-quota': 'ResourceQuota gpus',
  'deadlock-by-the-quota': 'ClusterQueue team',
  'deadlock-of-three-replicas': 'ClusterQueue team',
  'deadlock-where-borrowing-is-forbidden': 'ClusterQueue team',
  'evicted-for-memory': 'Node n-b',
  'hostname-of-cordoned-node': 'Node n-b',
  'image-tag-missing': 'Registry registry.example',
  'network-fails-on-one-node': 'Node n-b',
  'node-unheard-of': 'Node n-a',
  'pull-fails-everywhere': 'Registry registry.example',
  'pull-without-space-on-one-node': 'Node n-b',
  'pull-without-space-under-pressure': 'Node n-b',
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
  'runtime-handler-missing-on-one-node': 'Node n-b',
  'sandbox-image-missing-on-one-node': 'Node n-b',
};

it('a recorded incident blames the node, quota or registry that made it, and no other one does', async () => {
  const found: Record<string, string> = {};
  for (const scenario of scenarios()) {
    const root = sharedRootOf(await diagnosisOf(scenario));
    if (root !== undefined && 'name' in root) found[scenario.expect.id] = `${root.kind} ${root.name}`;
  }

  expect(found).toEqual(blamed);
}, 300_000);
