import { describe, expect, it } from 'vitest';
import { capacityContention as rule } from '#src/doctor/causes/capacity-contention/rule.js';
import { safestFirst } from '#src/doctor/findings/diagnose.js';
import { maxCycleMembers } from '#src/doctor/findings/waiting/rollout-cycle.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../../support/placement-builders.js';
import { ago } from '../../../../support/rollout-builders.js';
import {
  buildDeployment,
  buildReplicaSet,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { autoscalerOf, expectFindings, has, lacks, mustFind, type Row, step } from '../run-rule.js';

const gpus = (count: number | string) => ({ 'nvidia.com/gpu': String(count) });
const gpu = { requests: gpus(1) };
const allNames = ['web', 'api', 'cart', 'stock', 'mail', 'feed', 'ads', 'auth'];

interface Ring {
  /** Rollouts in the cycle; three by default. */
  readonly length?: number;
  readonly deployments?: Partial<Record<string, Parameters<typeof buildDeployment>[0]>>;
  /** Workloads whose Deployment was not read. */
  readonly unread?: readonly string[];
  readonly gpus?: Partial<Record<string, string>>;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly without?: readonly string[];
  /** New pods of these workloads: two instead of one. */
  readonly second?: string;
  /** Seconds for which every pod tolerates the taint of `n-cart`. */
  readonly drained?: number;
  readonly autoscalers?: Fields['HorizontalPodAutoscaler'];
}

const inPool = (pool: string) => ({ nodeSelector: { pool } });
const owned = (name: string, of: string, revision: number, shape: OwnedShape) =>
  ownedPod(`${of}-${name}`, revision, shape, of);
const oldOf = (of: string, name = 'old-2', on = `n-${of}`) => owned(name, of, 1, { on, age: 60, ...gpu });
const side = (pool = 'side') => node('n-side', { labels: { pool }, allocatable: gpus(1) });

/**
 * Each old pod has the only GPU of its own pool, and each new pod is meant for the pool of the next workload.
 */
function ring(shape: Ring) {
  const {
    length = 3,
    deployments = {},
    unread = [],
    pods = [],
    nodes = [],
    without = [],
    second,
    drained,
  } = shape;
  const names = allNames.slice(0, length);
  const [workload, ...others] = names.map((name) => {
    const base = buildDeployment({ maxSurge: 1, maxUnavailable: 0, ...deployments[name] });
    return { ...base, metadata: { ...base.metadata, name, uid: `${name}-uid` } };
  });
  if (workload === undefined) throw new Error('a ring has a first workload');
  const taints = (name: string) =>
    drained === undefined || name !== 'cart'
      ? []
      : [{ key: 'drain', effect: 'NoExecute', timeAdded: ago(60) }];
  const tolerations = [{ key: 'drain', operator: 'Exists', tolerationSeconds: drained }] as const;
  const spec = drained === undefined ? {} : { tolerations: [...tolerations] };
  return snapshotWith({
    workload,
    Deployment: others.filter(({ metadata }) => !unread.includes(metadata.name)),
    Node: [
      ...names.map((name) =>
        node(`n-${name}`, {
          labels: { pool: name },
          allocatable: gpus(shape.gpus?.[name] ?? 1),
          taints: taints(name),
        }),
      ),
      ...nodes,
    ],
    ReplicaSet: names.flatMap((name) => {
      const replicas = deployments[name]?.replicas ?? 1;
      const ownerReferences = [{ kind: 'Deployment', name, uid: `${name}-uid`, controller: true }];
      return [1, 2].map((revision) =>
        buildReplicaSet({
          revision,
          replicas: revision === 1 ? replicas : second === name ? 2 : 1,
          available: revision === 1 ? replicas : 0,
          name: `${name}-${revision}`,
          metadata: { ownerReferences },
        }),
      );
    }),
    Pod: [
      ...names.flatMap((name, at) => [
        owned('old', name, 1, { on: `n-${name}`, ...gpu, spec }),
        owned('new', name, 2, { ...gpu, spec: { ...spec, ...inPool(names[(at + 1) % length] ?? '') } }),
      ]),
      ...pods,
    ].filter(({ metadata }) => !without.includes(metadata.name)),
    HorizontalPodAutoscaler: shape.autoscalers ?? [],
  });
}

/** A new pod that runs for an hour on a node beside the cycle and is not ready. */
function unready(name: string, owner: string): Pod {
  const pod = ownedPod(name, 2, { on: 'n-side' }, owner);
  const conditions = pod.status.conditions.map((each) =>
    each.type === 'Ready' ? { ...each, status: 'False' } : each,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

const through = has('cycle-through-many');
const noCycle = { reasoning: lacks('cycle-through-many'), fixes: lacks('patch-strategy') };
const likely = { confidence: 'likely', reasoning: through };
const besides = (pods: readonly Pod[], pool: string, more: Ring = {}): Ring => ({
  pods,
  nodes: [side(pool)],
  ...more,
});
const report = (kind: string) => foreignPod('report-x', kind, 'report', { on: 'n-side', ...gpu });
const rival = foreignPod('train-0', 'Job', 'train', { ...gpu, namespace: 'ml', spec: inPool('web') });
const twoOfApi = {
  length: 2,
  deployments: { api: { replicas: 2 } },
  gpus: { api: '2' },
  pods: [oldOf('api')],
};

describe('a wait cycle of rollouts', () => {
  const forecast = (of: string, downtime: string, readyMin: number) =>
    step('member-forecast', {
      forecast: expect.objectContaining({ workload: `shop/${of}`, ends: 'complete', downtime, readyMin }),
    });
  expectFindings<Ring>(rule, ring, [
    ...[2, 3, 4, 6].map((length): Row<Ring> => {
      const others = allNames.slice(1, length);
      return [
        `through ${length} is proven and broken by a fix of the workload itself`,
        { length },
        {
          confidence: 'proven',
          fixes: ['patch-strategy', 'scale-down-old', 'undo-rollout'],
          fix: {
            prediction: { ends: 'complete' },
            price: {
              downtime: { kind: 'gap', readyAtLeast: 0, replicas: 1 },
              blastRadius: { others: others.map((name) => ({ name })) },
            },
            effects: has(forecast('web', 'gap', 0), ...others.map((name) => forecast(name, 'none', 1))),
          },
          waitCycle: Array.from({ length: 2 * length }, () => ({})),
        },
      ];
    }),
    [
      'is not reported beyond the limit of members',
      { length: maxCycleMembers + 1 },
      { reasoning: lacks('cycle-through-many') },
    ],
    [
      'has no link to a workload without a pending pod',
      { without: ['cart-new'] },
      { ...noCycle, fixes: ['undo-rollout'] },
    ],
    [
      'is not reported where a member may stop its old pod',
      { deployments: { cart: { maxUnavailable: 1 } } },
      noCycle,
    ],
    ['is not reported where a member is paused', { deployments: { cart: { paused: true } } }, noCycle],
    [
      'is not reported where the pod of a member fits on a free node',
      { nodes: [side('cart')] },
      { reasoning: lacks('cycle-through-many') },
    ],
    [
      'is likely beside a node where a pod of a Job has the card, which may end',
      besides([report('Job')], 'cart'),
      { ...likely, facts: { cycleLeaving: ['shop/report-x'] } },
    ],
    [
      'is proven beside a node where a pod of a DaemonSet has the card',
      besides([report('DaemonSet')], 'cart'),
      { confidence: 'proven', reasoning: through, facts: { cycleLeaving: [] } },
    ],
    [
      'is likely where a Job may end on a node for a member whose own old pod holds such a node too',
      besides([owned('newer', 'api', 2, gpu), report('Job')], 'side', { length: 2, without: ['api-new'] }),
      { confidence: 'likely', reasoning: has('cycle'), facts: { cycleLeaving: ['shop/report-x'] } },
    ],
    [
      'is likely where a taint evicts the old pod of a member',
      { drained: 600 },
      { ...likely, facts: { cycleLeaving: ['shop/cart-old'] } },
    ],
    [
      'is likely, with a rollback as its only fix, where a member could not be read',
      { unread: ['cart'] },
      {
        confidence: 'likely',
        fixes: ['undo-rollout'],
        doubts: ['cycle-unproven'],
        withheld: has('patch-strategy'),
      },
    ],
    ...['web', 'api', 'cart'].map(
      (member): Row<Ring> => [
        `is likely where another new pod of ${member} has a node and is not ready, and may become ready`,
        {
          second: member,
          deployments: { [member]: { replicas: 2, maxSurge: 2 } },
          gpus: { [member]: '2' },
          pods: [oldOf(member), unready(`${member}-new-2`, member)],
        },
        { ...likely, weakenedBy: [{ key: 'cycle-stalled', values: { other: `shop/${member}` } }] },
      ],
    ),
    [
      'stays proven beside a rollout of others that is stuck and frees nothing that a member needs',
      { pods: [oldOf('mail', 'old', 'n-side'), unready('mail-new', 'mail')] },
      { confidence: 'proven' },
    ],
    [
      'is likely where the autoscaler of a member may remove a replica',
      { ...twoOfApi, autoscalers: [autoscalerOf('Deployment', 'api', 1)] },
      { confidence: 'likely', doubts: ['neighbours-may-shrink'] },
    ],
    [
      'is proven where the autoscaler of a member is at its minimum',
      { ...twoOfApi, autoscalers: [autoscalerOf('Deployment', 'api', 2)] },
      { confidence: 'proven', doubts: [] },
    ],
    [
      'is not broken by this workload where its controller would stop the wrong pod first',
      besides(
        [oldOf('web', 'old-2', 'n-side'), ownedPod('web-taken', 1, { on: 'n-api', ...gpu }, 'other')],
        'none',
        {
          deployments: { web: { replicas: 2 } },
          gpus: { api: '2' },
        },
      ),
      { fixes: lacks('patch-strategy'), reasoning: has('fix-nowhere') },
    ],
    [
      'lists the member first whose change leaves a pod ready',
      {
        ...twoOfApi,
        gpus: { web: '2', api: '2' },
        pods: [oldOf('api'), ownedPod('web-large', 1, { on: 'n-web', requests: gpus(2) })],
        without: ['web-old'],
      },
      {
        steps: has(
          step('fix-elsewhere', {
            workload: 'shop/api',
            isSafer: true,
            forecasts: [
              expect.objectContaining({ workload: 'shop/web', downtime: 'none' }),
              expect.objectContaining({
                workload: 'shop/api',
                downtime: 'reduced',
                readyMin: 1,
                replicas: 2,
              }),
            ],
          }),
          step('fix-here', {}),
        ),
        fix: { effects: has(step('fix-safer', {})) },
      },
    ],
  ]);

  it('has a rollback as its first fix where a pod of another team could take the freed resource', () => {
    const [first, ...more] = safestFirst(mustFind(rule, ring({ pods: [rival] })).remediations);
    const competitors = [{ namespace: 'ml', name: 'train-0' }];

    expect(first?.kind).toBe('undo-rollout');
    expect(more.map(({ prediction }) => prediction)).toMatchObject(
      more.map(() => ({ ends: 'contested', competitors })),
    );
    expect(more).not.toEqual([]);
  });
});
