import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { unsatisfiablePlacement } from '#src/doctor/causes/unsatisfiable-placement/rule.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import { node } from '../../../../support/placement-builders.js';
import { ago, buildDeployment, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { keysOf, mustFind } from '../../causes/run-rule.js';
import { buildExamination, ownedPod } from './build.js';

const gpu = 'nvidia.com/gpu';
const needs = { requests: { [gpu]: '1' } };

interface Shape {
  readonly allocatable?: string;
  readonly capacity?: string;
  readonly taints?: readonly string[];
  /** Type, status, and for how many seconds. */
  readonly condition?: readonly [string, string, number];
}

function other({ allocatable, capacity, taints = [], condition }: Shape): Node {
  const made = node('n-b', {
    taints: taints.map((key) => ({ key, effect: 'NoSchedule' })),
    ...(allocatable === undefined ? {} : { allocatable: { [gpu]: allocatable } }),
  });
  const conditions =
    condition === undefined
      ? []
      : [{ type: condition[0], status: condition[1], lastTransitionTime: ago(condition[2]) }];
  const status = { ...made.status, capacity: capacity === undefined ? {} : { [gpu]: capacity }, conditions };
  return schemas.Node.parse({ ...structuredClone(made), status });
}

/** `shop/web` waits for the GPU that its old pod uses on `n-a`. */
function deadlockBeside(made: Node): Finding {
  const old = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
  const fresh = buildReplicaSet({ revision: 2, replicas: 1 });
  const { snapshot } = buildExamination({
    workload: buildDeployment(),
    ReplicaSet: [old, fresh],
    Pod: [ownedPod('old', 1, { on: 'n-a', ...needs }), ownedPod('new', 2, needs)],
    Node: [node('n-a', { allocatable: { [gpu]: '1' } }), made],
  });
  return mustFind(surgeDeadlock, snapshot);
}

const notReady = 'node.kubernetes.io/not-ready';

describe('a deadlock beside a node that could run the new pod', () => {
  it.each<readonly [string, Shape]>([
    [
      'has not been ready for less than five minutes',
      { allocatable: '1', taints: [notReady], condition: ['Ready', 'False', 20] },
    ],
    [
      'is under pressure since a moment ago',
      {
        allocatable: '1',
        taints: ['node.kubernetes.io/disk-pressure'],
        condition: ['DiskPressure', 'True', 250],
      },
    ],
    [
      'is ready again and still has the taint',
      { allocatable: '1', taints: [notReady], condition: ['Ready', 'True', 3] },
    ],
    ['reports devices of which none is healthy', { allocatable: '0', capacity: '1' }],
    [
      'restarts, and has not reported its devices again',
      { allocatable: '0', capacity: '1', taints: [notReady], condition: ['Ready', 'Unknown', 60] },
    ],
  ])('is likely where the node %s', (_, shape) => {
    const { confidence, weakenedBy } = deadlockBeside(other(shape));

    expect(confidence).toBe('likely');
    expect(keysOf(weakenedBy)).toEqual(['nodes-may-return']);
  });

  it.each<readonly [string, Shape]>([
    [
      'has not been ready for longer',
      { allocatable: '1', taints: [notReady], condition: ['Ready', 'False', 301] },
    ],
    ['has no devices', { allocatable: '0', capacity: '0' }],
    ['has never had devices', {}],
    [
      'is also reserved for others',
      { allocatable: '1', taints: [notReady, 'dedicated'], condition: ['Ready', 'False', 20] },
    ],
  ])('is proven where the node %s', (_, shape) => {
    expect(deadlockBeside(other(shape)).confidence).toBe('proven');
  });
});

describe('a pod that no node can run while no device of the only node is healthy', () => {
  const waitingFor = (made: Node): Finding => {
    const { snapshot } = buildExamination({
      workload: buildDeployment(),
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      Pod: [ownedPod('new', 2, needs)],
      Node: [made],
    });
    return mustFind(unsatisfiablePlacement, snapshot);
  };

  it('is likely unsatisfiable, because the devices may come back', () => {
    expect(waitingFor(other({ allocatable: '0', capacity: '2' })).confidence).toBe('likely');
    expect(waitingFor(other({ allocatable: '0', capacity: '0' })).confidence).toBe('proven');
  });
});
