import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import { deploymentModel } from '#src/engine/workloads/forecast.js';
import {
  forecastJointly,
  type JointForecast,
  type MemberChange,
  memberOf,
  simulateJointly,
} from '#src/engine/workloads/joint-forecast.js';
import type { Contest, PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { DeploymentState, RolloutState } from '#src/engine/workloads/rollout-state.js';
import { defaultSimulationBudget } from '#src/engine/workloads/simulation.js';
import {
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
} from '../../../support/argo-rollout-builders.js';
import { buildDeployment, buildPod, buildReplicaSet, buildState } from '../../../support/rollout-builders.js';
import * as sets from '../../../support/stateful-set-builders.js';
import * as daemons from './daemon-set-builders.js';

interface Fields {
  readonly on: string;
  readonly waits?: boolean;
  readonly priority?: number;
  readonly age?: number;
}

/** A Deployment of one replica: the old pod serves on a node, the new one waits. */
function deploymentOn(name: string, { on, waits = true, priority, age = 60 }: Fields): DeploymentState {
  const annotations = { 'deployment.kubernetes.io/desired-replicas': '1' };
  const web = buildDeployment({ maxSurge: 1, maxUnavailable: 0 });
  const deployment = { ...web, metadata: { ...web.metadata, name, uid: `${name}-uid` } };
  const first = buildReplicaSet({ name: `${name}-1`, revision: 1, replicas: 1, available: 1, annotations });
  const second = buildReplicaSet({ name: `${name}-2`, revision: 2, replicas: 1, annotations });
  const podOf = (set: typeof first, node: string | undefined) =>
    buildPod({
      name: `${set.metadata.name}-pod`,
      owner: { name: set.metadata.name, uid: set.metadata.uid },
      labels: set.spec.template.metadata.labels,
      node,
      age: node === undefined ? age : 3600,
      spec: { priority },
    });
  const pods = [podOf(first, on), ...(waits ? [podOf(second, undefined)] : [])];
  return buildState(deployment, [first, second], pods);
}

/** One pod fits on each node. The new pods of each workload fit on its nodes alone. */
function onePerNode(
  nodesOf: Readonly<Record<string, readonly string[]>>,
  taken: readonly string[],
  healthy = true,
): PodSimulator {
  return {
    placementOf: (pod, { gone, placed }) =>
      nodesOf[pod.metadata.name.split('-')[0] ?? '']?.find((node) => {
        const isOn = ({ spec }: Pod): boolean => spec.nodeName === node;
        const left = gone.filter(isOn).length;
        return (taken.includes(node) ? 1 : 0) - left + placed.filter(isOn).length < 1;
      }),
    becomesReady: () => healthy,
  };
}

const web = deploymentOn('web', { on: 'n-a' });
const api = deploymentOn('api', { on: 'n-b' });
const crossed = onePerNode({ web: ['n-b'], api: ['n-a'] }, ['n-a', 'n-b']);
const inPlace = {
  of: 'Deployment',
  change: {
    kind: 'strategy',
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  },
} as const satisfies MemberChange;

const placements = ({ members }: JointForecast): string[][] =>
  members.map(({ placements: pods }) => pods.map(({ pod, node }) => `${pod.metadata.name} on ${node}`));
const victims = ({ members }: JointForecast): string[][] =>
  members.map(({ victims: pods }) => pods.map(({ metadata }) => metadata.name));

describe('two rollouts of which each waits for the node of the other', () => {
  it('are stuck without a change, and both keep serving', () => {
    const joint = forecastJointly([web, api], crossed);
    expect(joint).toMatchObject({
      ends: 'stuck',
      members: [
        { ends: 'stuck', downtime: { kind: 'none', readyMin: 1, ofReplicas: 1 } },
        { ends: 'stuck', downtime: { kind: 'none', readyMin: 1, ofReplicas: 1 } },
      ],
    });
    expect(placements(joint)).toEqual([[], []]);
    expect(victims(joint)).toEqual([[], []]);
  });

  it.each([
    { member: 0, downtime: ['gap', 'none'] },
    { member: 1, downtime: ['none', 'gap'] },
  ])('both complete once workload $member may stop its old pod first', ({ member, downtime }) => {
    const joint = forecastJointly([web, api], crossed, { member, ...inPlace });
    expect(joint.ends).toBe('complete');
    expect(joint.members.map(({ ends, downtime: of }) => [ends, of?.kind])).toEqual(
      downtime.map((kind) => ['complete', kind]),
    );
    expect(placements(joint)).toEqual([['web-2-pod on n-b'], ['api-2-pod on n-a']]);
    expect(victims(joint)).toEqual([['web-1-pod'], ['api-1-pod']]);
    expect(joint.winners).toBeUndefined();
  });

  it('are stuck where the new pods fail: the first old pod is gone, the other one stays', () => {
    const failing = onePerNode({ web: ['n-b'], api: ['n-a'] }, ['n-a', 'n-b'], false);
    const joint = forecastJointly([web, api], failing, { member: 0, ...inPlace });
    expect(joint.ends).toBe('stuck');
    expect(victims(joint)).toEqual([['web-1-pod'], []]);
    expect(joint.members.map(({ downtime }) => [downtime?.readyMin, downtime?.ends])).toEqual([
      [0, false],
      [1, true],
    ]);
  });

  it('are unknown where the change is of another kind of workload', () => {
    const change = { member: 0, of: 'DaemonSet', change: { kind: 'restart' } } as const;
    expect(forecastJointly([web, api], crossed, change)).toEqual({ ends: 'unknown', members: [] });
  });
});

describe('the scheduler of a joint forecast', () => {
  const oneFree = onePerNode({ web: ['n-c'], api: ['n-c'] }, ['n-a', 'n-b']);
  const first = (of: Fields, other: Fields): string[][] =>
    placements(forecastJointly([deploymentOn('web', of), deploymentOn('api', other)], oneFree));

  it('places the pod of the highest priority first, then the oldest', () => {
    expect(first({ on: 'n-a', age: 90 }, { on: 'n-b', age: 60 })).toEqual([['web-2-pod on n-c'], []]);
    expect(first({ on: 'n-a', age: 60 }, { on: 'n-b', age: 90 })).toEqual([[], ['api-2-pod on n-c']]);
    expect(first({ on: 'n-a', age: 90 }, { on: 'n-b', age: 60, priority: 5 })).toEqual([
      [],
      ['api-2-pod on n-c'],
    ]);
  });
});

describe('a joint forecast with other kinds', () => {
  const database = sets.buildStateOf({ replicas: 1 }, [[1]]);
  const agents = daemons.buildStateOf({}, [['n-0', 1]], [daemons.buildNode('n-0')]);
  const anywhere: PodSimulator = { placementOf: () => 'n-0', becomesReady: () => true };

  it('updates the pods of a StatefulSet and of a DaemonSet', () => {
    const joint = forecastJointly([database, agents], anywhere);
    expect(joint.ends).toBe('complete');
    expect(victims(joint)).toEqual([['db-0'], ['n-0-v1']]);
    expect(joint.members.map(({ downtime }) => downtime?.ofReplicas)).toEqual([1, 1]);
  });

  it('restarts a DaemonSet', () => {
    const current = daemons.buildStateOf({}, [['n-0', 2]], [daemons.buildNode('n-0')]);
    const restart = { of: 'DaemonSet', change: { kind: 'restart' } } as const;
    expect(victims(forecastJointly([current, database], anywhere, { member: 0, ...restart }))).toEqual([
      ['n-0-v2'],
      ['db-0'],
    ]);
    expect(victims(forecastJointly([current], anywhere))).toEqual([[]]);
  });

  const argo = buildArgoState(buildArgoRollout(), [buildArgoReplicaSet({ hash: 'new', replicas: 1 })]);
  it.each<[string, RolloutState, (MemberChange & { member: number }) | undefined]>([
    ['a StatefulSet is changed', database, { member: 0, ...inPlace }],
    ['a DaemonSet gets the change of a Deployment', agents, { member: 0, ...inPlace }],
    [
      'no revision of a DaemonSet was read',
      { ...agents, controllerRevisions: [] },
      { member: 0, of: 'DaemonSet', change: { kind: 'rolling-update', maxSurge: 0, maxUnavailable: 1 } },
    ],
    [
      'a DaemonSet returns to a missing revision',
      agents,
      { member: 0, of: 'DaemonSet', change: { kind: 'undo', controllerRevision: 'agent-9' } },
    ],
    ['pods of a Deployment were not read', { ...web, pods: web.pods.slice(1) }, undefined],
    [
      'the effect of maxUnavailable is not known',
      { ...database, maxUnavailable: { ...database.maxUnavailable, instead: ['as-in-1.35'] } },
      undefined,
    ],
    ['a Rollout of Argo takes part', argo, undefined],
  ])('is unknown where %s', (_, state, change) => {
    expect(forecastJointly([state, api], anywhere, change)).toEqual({ ends: 'unknown', members: [] });
  });
});

describe('a joint forecast beside pods that wait for the same nodes', () => {
  const train = { kind: 'Pod', namespace: 'ml', name: 'train' };
  const batch = { kind: 'Job', namespace: 'ml', name: 'batch' };
  const besides = (simulator: Contest['simulator'], winners = [train]): PodSimulator & { own: string[] } => {
    const own: string[] = [];
    return {
      ...crossed,
      own,
      contest: (pods) => {
        own.push(...pods.map(({ metadata }) => metadata.name));
        return { simulator, competitors: [train, batch], winners: () => winners };
      },
    };
  };
  const change = { member: 0, ...inPlace };
  const nothingFree = { placementOf: () => undefined };

  it('is contested where they take the nodes that become free', () => {
    const simulator = besides(nothingFree);
    const joint = forecastJointly([web, api], simulator, change);
    expect(joint).toMatchObject({ ends: 'contested', winners: [train] });
    expect(joint.members.map(({ seconds, downtime }) => [seconds, downtime?.ends])).toEqual([
      [undefined, false],
      [undefined, true],
    ]);
    expect(simulator.own).toEqual(['web-1-pod', 'web-2-pod', 'api-1-pod', 'api-2-pod']);
  });

  it('names all that wait where none of them took a node', () => {
    expect(forecastJointly([web, api], besides(nothingFree, []), change).winners).toEqual([train, batch]);
  });

  it('stays complete, with its duration, where they take nothing', () => {
    const joint = forecastJointly([web, api], besides({ placementOf: crossed.placementOf }), change);
    expect(joint.ends).toBe('complete');
    expect(joint.winners).toBeUndefined();
    expect(joint).toEqual(forecastJointly([web, api], crossed, change));
  });

  it('stays stuck where it is stuck with and without them', () => {
    expect(forecastJointly([web, api], besides(nothingFree))).toEqual(forecastJointly([web, api], crossed));
  });
});

describe('the budget of a joint simulation', () => {
  const members = [web, api].map((state) => memberOf({ state, model: deploymentModel(state) }));

  it.each([
    { limit: 'work', budget: { maxWork: 1 } },
    { limit: 'pods', budget: { maxPods: 3 } },
  ])('ends every member when its $limit is used up', ({ budget }) => {
    const results = simulateJointly(members, crossed, { ...defaultSimulationBudget, ...budget });
    expect(results.map(({ ends, seconds }) => [ends, seconds])).toEqual([
      ['too-large', undefined],
      ['too-large', undefined],
    ]);
  });

  it('suffices for four pods', () => {
    const results = simulateJointly(members, crossed, { ...defaultSimulationBudget, maxPods: 4 });
    expect(results.map(({ ends, limit, seconds }) => [ends, limit, seconds])).toEqual([
      ['stuck', undefined, 0],
      ['stuck', undefined, 0],
    ]);
  });
});
