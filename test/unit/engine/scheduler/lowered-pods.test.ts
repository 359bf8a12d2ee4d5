import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { loweredPodsThatFree } from '#src/engine/scheduler/lowered-pods.js';
import { names, node, placementOf, pod } from '../../../support/placement-builders.js';
import { buildDeployment, buildReplicaSet } from '../../../support/rollout-builders.js';
import { keysOf, mustFind } from '../../doctor/causes/run-rule.js';
import { buildExamination, ownedPod } from '../../doctor/findings/waiting/build.js';

/** A pod of the node that asks for `wanted` CPUs and runs with `granted`. */
function resizing(name: string, wanted: string, granted: string, status: object = {}): Pod {
  const resources = { requests: { cpu: granted } };
  return pod(name, {
    namespace: 'ml',
    on: 'n-a',
    requests: { cpu: wanted },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'app', allocatedResources: { cpu: granted }, resources }],
      ...status,
    },
  });
}

const waiting = pod('new', { requests: { cpu: '2' } });
const freeing = (...pods: readonly Pod[]) =>
  names(loweredPodsThatFree(placementOf({ Node: [node('n-a')], Pod: [waiting, ...pods] }), waiting));
const refused = (reason: string) => ({ conditions: [{ type: 'PodResizePending', status: 'True', reason }] });

describe('pods that are being resized to less', () => {
  it('are named where the waiting pod fits afterwards', () => {
    expect(freeing(resizing('a', '1', '3'))).toEqual(['a']);
    expect(freeing(resizing('a', '1', '2'), resizing('b', '1', '2'))).toEqual(['a', 'b']);
    expect(freeing(resizing('a', '0', '2'), resizing('b', '1500m', '2'))).toEqual(['a']);
  });

  it.each([
    ['too little becomes free', resizing('a', '2500m', '3')],
    ['it runs with what it asks for', resizing('a', '3', '3')],
    ['it is resized to more', resizing('a', '4', '3')],
    ['the node can never make the resize', resizing('a', '1', '3', refused('Infeasible'))],
    ['the pod has ended', resizing('a', '1', '3', { phase: 'Failed' })],
  ])('are not named where %s', (_, other) => {
    expect(freeing(other)).toEqual([]);
  });

  it('make a deadlock likely', () => {
    const cpu = { requests: { cpu: '2' } };
    const { snapshot } = buildExamination({
      workload: buildDeployment(),
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Pod: [ownedPod('old', 1, { on: 'n-a', ...cpu }), ownedPod('new', 2, cpu), resizing('a', '0', '2')],
      Node: [node('n-a')],
    });
    const { confidence, weakenedBy, reasoning } = mustFind(surgeDeadlock, snapshot);

    expect(confidence).toBe('likely');
    expect(keysOf(weakenedBy)).toEqual(['resizes-may-free']);
    expect(keysOf(reasoning)).not.toContain('no-rescue');
  });
});
