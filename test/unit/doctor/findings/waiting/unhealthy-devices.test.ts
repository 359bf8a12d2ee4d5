import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { unsatisfiablePlacement } from '#src/doctor/causes/unsatisfiable-placement/rule.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../../support/placement-builders.js';
import { mustFind, told } from '../../causes/run-rule.js';
import { buildReplicaSet, ownedPod, snapshotWith } from './build.js';

const gpu = 'example.com/gpu';
const requests = { [gpu]: '1' };
const gpus = (allocatable: string) => node('n-a', { allocatable: { [gpu]: allocatable } });
const holding = (resource: string, health: string): Pod => {
  const pod = ownedPod('web-old', 1, { on: 'n-a', requests });
  const allocatedResourcesStatus = [{ name: resource, resources: [{ resourceID: 'dev-0', health }] }];
  return schemas.Pod.parse({
    ...pod,
    status: {
      ...pod.status,
      containerStatuses: [{ name: 'app', ready: true, state: { running: {} }, allocatedResourcesStatus }],
    },
  });
};
const during = (old: Pod, allocatable: string) =>
  snapshotWith({
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
    ],
    Node: [gpus(allocatable)],
    Pod: [old, ownedPod('web-new', 2, { requests })],
  });

describe('an unhealthy device of the pod that holds it', () => {
  it('is named where the old pod deadlocks the rollout', () => {
    const finding = told(mustFind(surgeDeadlock, during(holding(gpu, 'Unhealthy'), '1')));
    expect(finding.reasoning).toContain('unhealthy-device');
    expect(finding.evidence).toContain('ev-unhealthy-device');
  });

  it('is named where it was the last one that the node offers', () => {
    const finding = told(mustFind(unsatisfiablePlacement, during(holding(gpu, 'Unhealthy'), '0')));
    expect(finding.reasoning).toContain('unhealthy-device');
  });

  it.each([
    ['a healthy device', gpu, 'Healthy'],
    ['an unhealthy device of another resource', 'example.com/nic', 'Unhealthy'],
  ])('is not mentioned of %s', (_, resource, health) => {
    const finding = told(mustFind(surgeDeadlock, during(holding(resource, health), '1')));
    expect(finding.reasoning).not.toContain('unhealthy-device');
  });
});
