import { describe, expect, it } from 'vitest';
import type { ClusterObjects } from '#src/core/cluster/cluster-objects.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { ReplicaSet } from '#src/core/cluster/workload.js';
import { surgeDeadlock as rule } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { node } from '#support/placement-builders.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const gpu = 'nvidia.com/gpu';
const gpus = (name: string, count: number) => node(name, { allocatable: { [gpu]: String(count) } });

interface Shape extends Partial<PodFields> {
  readonly needs?: Readonly<Record<string, string>>;
}

function podOf({ metadata, spec }: ReplicaSet, name: string, on: string | undefined, shape: Shape = {}): Pod {
  const { needs = { [gpu]: '1' }, spec: more, ...fields } = shape;
  return buildPod({
    name,
    owner: { name: metadata.name, uid: metadata.uid },
    labels: spec.template.metadata.labels,
    node: on,
    spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests: needs } }], ...more },
    ...fields,
  });
}

interface Rollout {
  readonly deployment?: DeploymentFields;
  readonly sets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  readonly objects: Partial<ClusterObjects>;
}

function rolloutOf({ deployment, sets, pods, objects }: Rollout) {
  const workload = buildDeployment(deployment);
  return snapshotOf(workload, { ReplicaSet: sets, Pod: pods, ...objects });
}

const setOf = (revision: number, replicas: number, available = 0) =>
  buildReplicaSet({ revision, replicas, available });

describe('several old pods that use what one new pod needs', () => {
  const old = setOf(1, 2, 2);
  const fresh = setOf(2, 1);
  const grown = { needs: { [gpu]: '2' } };
  const snapshot = rolloutOf({
    deployment: { replicas: 2 },
    sets: [old, fresh],
    pods: [podOf(old, 'old-0', 'a'), podOf(old, 'old-1', 'a'), podOf(fresh, 'new', undefined, grown)],
    objects: { Node: [gpus('a', 2)] },
  });

  it('are all named, since they must stop together', () => {
    const finding = mustFind(rule, snapshot);

    expect(finding).toMatchObject({ confidence: 'proven', resource: gpu, nodes: ['a'] });
    expect(finding.holders.map(({ name }) => name)).toEqual(['old-0', 'old-1']);
    expect(renderFinding(finding, text).en.join('\n')).toContain('Without all of old-0 and old-1');
  });

  it('get no strategy under which the second new pod would wait for ever', () => {
    const { remediations, withheld } = mustFind(rule, snapshot);

    expect(remediations.map(({ kind }) => kind)).not.toContain('patch-strategy');
    expect(withheld.map(({ kind }) => kind)).toContain('patch-strategy');
  });
});

describe('a new pod that needs more than one freed place', () => {
  const old = setOf(1, 1, 1);
  const fresh = setOf(2, 2, 1);
  const grown = { needs: { [gpu]: '2' } };
  const snapshot = rolloutOf({
    deployment: { replicas: 2 },
    sets: [old, fresh],
    pods: [
      podOf(old, 'old-1', 'a'),
      podOf(fresh, 'new-0', 'b', grown),
      podOf(fresh, 'new-1', undefined, grown),
    ],
    objects: { Node: [gpus('a', 2), gpus('b', 2)] },
  });

  it('stalls after the first, and is unblocked by stopping the last old pod', () => {
    const finding = mustFind(rule, snapshot);

    expect(finding.holders.map(({ name }) => name)).toEqual(['old-1']);
    expect(finding.remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      prediction: { ends: 'complete', placements: [{ pod: { name: 'new-1' }, node: 'a' }] },
    });
  });
});

describe('a deadlock with different reasons on different nodes', () => {
  const zone = (name: string, of: string, cpu: string) =>
    node(name, { labels: { 'topology.kubernetes.io/zone': of }, allocatable: { cpu } });
  const spread = {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  };
  const old = setOf(1, 3, 3);
  const fresh = setOf(2, 1);
  const big = { needs: { cpu: '3' }, spec: spread };
  const pods = [
    podOf(old, 'old-a', 'a', big),
    podOf(old, 'old-b1', 'b1', big),
    podOf(old, 'old-b2', 'b2', big),
    podOf(fresh, 'new', undefined, big),
  ];
  const nodes = [zone('a', 'za', '4'), zone('b1', 'zb', '4'), zone('b2', 'zb', '4'), zone('b3', 'zb', '4')];
  const snapshot = rolloutOf({
    deployment: { replicas: 3 },
    sets: [old, fresh],
    pods,
    objects: { Node: nodes },
  });

  it('names the pods whose removal opens a node, whatever the node lacks', () => {
    const finding = mustFind(rule, snapshot);

    expect(finding.confidence).toBe('proven');
    expect(finding.resource).toBe('cpu');
    expect(finding.holders.map(({ name }) => name)).toContain('old-a');
    expect(finding.nodes).toEqual(expect.arrayContaining(['a']));
  });

  it('is not reported while a node of the same zone has enough free', () => {
    const more = { Node: [...nodes, zone('a2', 'za', '4')] };

    expect(
      foundBy(rule, rolloutOf({ deployment: { replicas: 3 }, sets: [old, fresh], pods, objects: more })),
    ).toBeUndefined();
  });
});

describe('a stall although the strategy allows an unavailable pod', () => {
  const old = setOf(1, 3, 3);
  const fresh = setOf(2, 2);
  const grown = { needs: { [gpu]: '2' } };
  const snapshot = rolloutOf({
    deployment: { replicas: 4, status: { availableReplicas: 3, readyReplicas: 3 } },
    sets: [old, fresh],
    pods: [
      podOf(old, 'old-0', 'a'),
      podOf(old, 'old-1', 'a'),
      podOf(old, 'old-2', 'b'),
      podOf(fresh, 'new-0', undefined, grown),
      podOf(fresh, 'new-1', undefined, grown),
    ],
    objects: { Node: [gpus('a', 2), gpus('b', 2)] },
  });

  it('states that the budget is used up, and names the pod that is cheapest to stop', () => {
    const finding = mustFind(rule, snapshot);

    expect(keysOf(finding.reasoning)).toContain('strategy-spent');
    expect(finding.holders.map(({ name }) => name)).toEqual(['old-2']);
    expect(finding.nodes[0]).toBe('b');
  });

  it('has no fix: four new pods need eight GPUs, and there are four', () => {
    expect(mustFind(rule, snapshot).remediations.filter(({ kind }) => kind !== 'undo-rollout')).toEqual([]);
  });
});

describe('a deadlock with several old revisions', () => {
  const first = setOf(1, 1, 1);
  const second = setOf(2, 1, 1);
  const third = buildReplicaSet({ revision: 3, replicas: 1 });

  it('names pods of all of them', () => {
    const snapshot = rolloutOf({
      deployment: { replicas: 2, image: 'web:3' },
      sets: [first, second, third],
      pods: [podOf(first, 'v1', 'a'), podOf(second, 'v2', 'b'), podOf(third, 'v3', undefined)],
      objects: { Node: [gpus('a', 1), gpus('b', 1)] },
    });
    const finding = mustFind(rule, snapshot);

    expect(finding.holders.map(({ name }) => name)).toEqual(['v1', 'v2']);
    expect(finding.remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      prediction: { ends: 'complete' },
    });
  });

  it('is pending while the controller still removes a stuck revision in between', () => {
    const stuck = setOf(2, 1);
    const snapshot = rolloutOf({
      deployment: { replicas: 1, image: 'web:3' },
      sets: [first, stuck, buildReplicaSet({ revision: 3, replicas: 0 })],
      pods: [podOf(first, 'v1', 'a'), podOf(stuck, 'v2', undefined)],
      objects: { Node: [gpus('a', 1)] },
    });

    expect(foundBy(rule, snapshot)).toBeUndefined();
  });

  it('is found for the newest revision once the stuck one is gone', () => {
    const snapshot = rolloutOf({
      deployment: { replicas: 1, image: 'web:3' },
      sets: [first, setOf(2, 0), third],
      pods: [podOf(first, 'v1', 'a'), podOf(third, 'v3', undefined)],
      objects: { Node: [gpus('a', 1)] },
    });

    expect(mustFind(rule, snapshot).holders.map(({ name }) => name)).toEqual(['v1']);
  });
});

describe('a resource in use by a crashing old pod', () => {
  const old = setOf(1, 1);
  const fresh = setOf(2, 1);
  const crashing = {
    ready: false,
    restarts: 12,
    status: {
      phase: 'Running',
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-20T08:00:00Z' },
        { type: 'Ready', status: 'False' },
      ],
      containerStatuses: [
        { name: 'app', ready: false, restartCount: 12, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    },
  };
  const snapshot = rolloutOf({
    sets: [old, fresh],
    pods: [podOf(old, 'old', 'a', crashing), podOf(fresh, 'new', undefined)],
    objects: { Node: [gpus('a', 1)] },
  });

  it('is a deadlock too: when no pod may be unavailable, the controller removes no unready old pod', () => {
    const finding = mustFind(rule, snapshot);

    expect(finding.confidence).toBe('proven');
    expect(finding.holders.map(({ name }) => name)).toEqual(['old']);
    expect(finding.reasoning).toContainEqual(
      expect.objectContaining({ key: 'served', values: { ready: 0, wanted: 1 } }),
    );
  });

  it('is freed without downtime: no pod is ready that could be lost', () => {
    expect(mustFind(rule, snapshot).remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      price: { downtime: { kind: 'none' } },
      prediction: { ends: 'complete' },
    });
  });
});

describe('a deadlock beside terminating pods', () => {
  const old = setOf(1, 1, 1);
  const fresh = setOf(2, 1);
  const other = (terminatingSince: string | undefined) =>
    podOf(setOf(9, 1), 'other', 'b', {
      labels: { app: 'other' },
      owner: { name: 'other', uid: 'other-uid' },
      ...(terminatingSince === undefined ? {} : { terminating: true }),
    });
  const withOther = (pod: Pod) =>
    rolloutOf({
      sets: [old, fresh],
      pods: [podOf(old, 'old', 'a'), podOf(fresh, 'new', undefined), pod],
      objects: { Node: [gpus('a', 1), gpus('b', 1)] },
    });

  it('is not reported while a pod of another workload terminates and will free enough', () => {
    expect(foundBy(rule, withOther(other('2026-11-20T09:29:00Z')))).toBeUndefined();
  });

  it('is reported when that pod is long overdue', () => {
    const terminatingPod = other('2026-11-20T08:00:00Z');
    const overdue = {
      ...terminatingPod,
      metadata: { ...terminatingPod.metadata, deletionTimestamp: '2026-11-20T08:00:00Z' },
    };

    expect(foundBy(rule, withOther(overdue))?.confidence).toBe('proven');
  });
});
