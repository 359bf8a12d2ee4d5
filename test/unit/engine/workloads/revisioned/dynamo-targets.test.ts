import { describe, expect, it } from 'vitest';
import { DynamoGraphDeployment } from '#src/engine/objects/dynamo-graph-deployment.js';
import { Pod } from '#src/engine/objects/pod.js';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import {
  dynamoActs,
  dynamoStrategyOf,
  dynamoTargets,
} from '#src/engine/workloads/revisioned/dynamo-targets.js';

const former = 'aaaa1111';
const next = 'bbbb2222';

interface Bounds {
  readonly 'max-surge'?: string;
  readonly 'max-unavailable'?: string;
  readonly strategy?: string;
}

const annotationsOf = ({ strategy, ...bounds }: Bounds) => ({
  ...Object.fromEntries(
    Object.entries(bounds).map(([name, value]) => [`nvidia.com/deployment-rolling-update-${name}`, value]),
  ),
  ...(strategy === undefined ? {} : { 'nvidia.com/deployment-strategy': strategy }),
});

function graphOf(replicas: number, bounds: Bounds) {
  return DynamoGraphDeployment.parse({
    metadata: {
      namespace: 'shop',
      name: 'llm',
      annotations: { 'nvidia.com/current-worker-hash-v2': former },
    },
    spec: {
      components: [
        {
          name: 'Worker',
          type: 'worker',
          replicas,
          podTemplate: { metadata: { annotations: annotationsOf(bounds) } },
        },
      ],
    },
    status: {
      rollingUpdate: { phase: 'InProgress' },
      components: { Worker: { componentNames: [`llm-worker-${former}`, `llm-worker-${next}`] } },
    },
  });
}

/** So many pods of a generation, the first of them ready. */
const podsOf = (
  hash: string,
  [count, ready]: readonly [number, number],
  extra: object = {},
  component = 'Worker',
) =>
  Array.from({ length: count }, (_, at) =>
    Pod.parse({
      metadata: {
        namespace: 'shop',
        name: `${hash}-${at}`,
        labels: { 'nvidia.com/dynamo-worker-hash': hash, 'nvidia.com/dynamo-component': component },
        ...extra,
      },
      spec: { containers: [] },
      status: { conditions: [{ type: 'Ready', status: at < ready ? 'True' : 'False' }] },
    }),
  );

type Counts = readonly [count: number, ready: number];
const stateOf = (replicas: number, bounds: Bounds, old: Counts, fresh: Counts, gone: Counts = [0, 0]) => {
  const service = graphOf(replicas, bounds);
  const terminating = podsOf(former, gone, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const pods = [...podsOf(former, old), ...terminating, ...podsOf(next, fresh)];
  return { kind: 'Revisioned', service, pods, now: 0 } as const;
};

const inPlace: Bounds = { 'max-surge': '0', 'max-unavailable': '1' };
const zero: Bounds = { 'max-surge': '0', 'max-unavailable': '0' };
const recreate: Bounds = { strategy: 'Recreate' };

describe('how many workers the operator wants', () => {
  it.each<[string, number, Bounds, Counts, Counts, readonly [former: number, next: number]]>([
    ['adds one of one', 1, {}, [1, 1], [0, 0], [1, 1]],
    ['waits for it', 1, {}, [1, 1], [1, 0], [1, 1]],
    ['stops the old one when it is ready', 1, {}, [1, 1], [1, 1], [0, 1]],
    ['adds one of two and waits', 2, {}, [2, 2], [1, 0], [2, 1]],
    ['lets one of four be missing', 4, {}, [4, 4], [0, 0], [3, 1]],
    ['adds a second one of four', 4, {}, [3, 3], [1, 0], [3, 2]],
    ['waits with three old ones of four', 4, {}, [3, 3], [2, 0], [3, 2]],
    ['stops the old one first', 1, inPlace, [1, 1], [0, 0], [0, 0]],
    ['starts the new one then', 1, inPlace, [0, 0], [0, 0], [0, 1]],
    ['stops the old one that a waiting one needs', 1, inPlace, [1, 1], [1, 0], [0, 1]],
    ['stops an old one that is not ready', 2, {}, [2, 1], [1, 0], [2, 1]],
    ['adds one where both bounds are 0', 2, zero, [2, 2], [0, 0], [2, 1]],
    ['stops all with Recreate', 2, recreate, [2, 2], [0, 0], [0, 0]],
    ['starts all with Recreate once the old ones are gone', 2, recreate, [0, 0], [0, 0], [0, 2]],
  ])('%s', (_, replicas, bounds, old, fresh, wanted) => {
    const state = stateOf(replicas, bounds, old, fresh);
    const [target] = dynamoTargets(state.service, state);

    expect([target?.former.wanted, target?.next.wanted]).toEqual(wanted);
    expect(dynamoActs(state.service, state)).toBe(old[0] !== wanted[0] || fresh[0] !== wanted[1]);
  });

  it('counts workers that the API server refuses to create as declared', () => {
    const state = stateOf(2, {}, [2, 2], [0, 0]);
    const refused = [
      {
        creator: { kind: 'ReplicaSet', namespace: 'shop', name: 'llm-worker' },
        uid: 'rs',
        part: { name: 'Worker', template: PodTemplate.parse({}) },
        wanted: 1,
        missing: 1,
        replicaSet: undefined,
        event: undefined,
      },
    ];

    expect(dynamoActs(state.service, state)).toBe(true);
    expect(dynamoActs(state.service, { ...state, refused })).toBe(false);
  });

  it('waits with Recreate while an old one terminates', () => {
    const state = stateOf(1, recreate, [0, 0], [0, 0], [1, 0]);

    expect(dynamoTargets(state.service, state)[0]?.next.wanted).toBe(0);
  });
});

describe('workers of a component that the spec no longer has', () => {
  it('are stopped, so that what waits for their place does not wait for ever', () => {
    const state = stateOf(1, {}, [1, 1], [1, 0]);
    const pods = [...state.pods, ...podsOf(former, [2, 2], {}, 'Prefill')];
    const targets = dynamoTargets(state.service, { ...state, pods });

    expect(dynamoActs(state.service, state)).toBe(false);
    expect(dynamoActs(state.service, { ...state, pods })).toBe(true);
    expect(targets.find(({ component }) => component === 'Prefill')).toMatchObject({
      former: { wanted: 0 },
      next: { wanted: 0, pods: [] },
    });
  });
});

describe('the strategy of a component', () => {
  it.each<[string, Bounds, object]>([
    ['without annotations', {}, { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }],
    [
      'with percentages',
      { 'max-surge': '50%', 'max-unavailable': '50%' },
      { type: 'RollingUpdate', maxSurge: 2, maxUnavailable: 1 },
    ],
    ['with numbers', inPlace, { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 }],
    ['with both bounds 0', zero, { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }],
    [
      'with a bound that is no number',
      { 'max-surge': 'many', 'max-unavailable': '1' },
      { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    ],
    [
      'with bounds that have a sign',
      { 'max-surge': '-1', 'max-unavailable': '+1' },
      { type: 'RollingUpdate', maxSurge: -1, maxUnavailable: 1 },
    ],
    [
      'with the largest number, and with a larger one, which is none',
      { 'max-surge': '2147483647', 'max-unavailable': '2147483648' },
      { type: 'RollingUpdate', maxSurge: 2_147_483_647, maxUnavailable: 0 },
    ],
    [
      'with percentages that are malformed',
      { 'max-surge': '25 %', 'max-unavailable': '0.5%' },
      { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
    ],
    ['of type Recreate', recreate, { type: 'Recreate' }],
    [
      'of a type in other letters',
      { strategy: 'recreate' },
      { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
    ],
  ])('%s', (_, bounds, expected) => {
    expect(
      dynamoStrategyOf({ name: 'Worker', replicas: 3, annotations: annotationsOf(bounds), isScaled: false }),
    ).toEqual(expected);
  });
});
