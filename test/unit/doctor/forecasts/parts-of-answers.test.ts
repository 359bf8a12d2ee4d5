import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  completion,
  standsStill,
  summaryOf,
  whyUnknown,
} from '#src/doctor/forecasts/rollout-check.js';
import { autoscalerDoubt, doubtsOf } from '#src/doctor/forecasts/stuck-doubts.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { node, pod } from '../../../support/placement-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';
import { buildDaemonSet } from '../../engine/workloads/daemon-set-builders.js';

const keysOf = (statements: readonly { readonly key: string }[]) => statements.map(({ key }) => key);

describe('a workload whose update replaces nothing by itself', () => {
  it.each<[string, Workload, string | undefined]>([
    ['of no replicas', buildDeployment({ replicas: 0 }), 'no-pods'],
    ['of no replicas, and paused', buildDeployment({ replicas: 0, paused: true }), 'no-pods'],
    ['that is paused', buildDeployment({ replicas: 1, paused: true }), 'paused'],
    ['that replaces deleted pods only', buildDaemonSet({ onDelete: true }), 'on-delete'],
    ['of one replica', buildDeployment({ replicas: 1 }), undefined],
    ['of ordinals', buildSet({ replicas: 1 }), undefined],
    ['of a pod on each node', buildDaemonSet(), undefined],
  ])('%s', (_, workload, key) => {
    expect(standsStill(workload)?.key).toBe(key);
  });
});

describe('the summary of a check', () => {
  const holders = [pod('old')];
  const of = (kind: 'quota' | 'placement', held: readonly Pod[], resource?: string) =>
    summaryOf({ kind, quota: 'team', holders: held, resource } as never, { workload: 'shop/web' });

  it.each([
    ['quota', holders, 'quota-deadlock', { workload: 'shop/web', quota: 'team' }],
    ['quota', [], 'stuck-by-quota', { workload: 'shop/web', quota: 'team' }],
    ['placement', holders, 'deadlock', { workload: 'shop/web', resource: 'cpu' }],
    ['placement', [], 'stuck', { workload: 'shop/web' }],
  ] as const)('of a %s with %j as holders is %s', (kind, held, key, values) => {
    expect(of(kind, held, 'cpu')).toMatchObject({ key, values });
  });

  it('has no resource where none is known', () => {
    expect(of('placement', holders).values).toEqual({ workload: 'shop/web', resource: '' });
  });
});

describe('the bounds of an update', () => {
  const knative = schemas.KnativeService.parse({
    metadata: { name: 'web', namespace: 'shop' },
    spec: { template: { spec: { containers: [{ name: 'app' }] } } },
  });

  it('are those of the strategy, as it states them and as counts', () => {
    expect(boundsOf(buildDeployment({ replicas: 4 }))).toMatchObject([
      {
        key: 'rule-forbids',
        values: { maxSurge: '25%', maxUnavailable: '25%', replicas: 4, surge: 1, unavailable: 1 },
      },
    ]);
  });

  it.each<[string, Workload, readonly string[]]>([
    ['of a service are its rule', knative as unknown as Workload, ['rule-knative']],
    ['are not those of Recreate', buildDeployment({ replicas: 1, recreate: true }), []],
    ['are not those of ordinals', buildSet({ replicas: 1 }), []],
    ['are not those of a pod on each node', buildDaemonSet(), []],
  ])('%s', (_, workload, keys) => {
    expect(keysOf(boundsOf(workload))).toEqual(keys);
  });
});

describe('what is said of an update that completes', () => {
  const downtime = { kind: 'gap', seconds: 30, readyMin: 0, ofReplicas: 2, ends: true } as const;
  const victims = [
    pod('a', { on: 'n1' }),
    pod('b', { on: 'n1', terminating: true }),
    pod('c', { phase: 'Failed' }),
  ];

  it('is its price with the pods that stop, and what it supposes', () => {
    const [price, ...rest] = completion(downtime, victims, 'proven');
    expect(price).toMatchObject({
      key: 'price-in-full',
      values: { kind: 'gap', seconds: 30, ready: 0, of: 2, stops: 1 },
    });
    expect(keysOf(rest)).toEqual(['assumes-ready']);
  });

  it('lacks a price where none is known, and says where the choice of the scheduler is free', () => {
    expect(keysOf(completion(undefined, victims, 'likely'))).toEqual([
      'choice-does-not-matter',
      'assumes-ready',
    ]);
  });

  it.each([
    [true, 'because-rule'],
    [false, 'because-pods-unseen'],
    [undefined, 'because-pods-unseen'],
  ])('is the reason where the end is not known (by a rule: %s)', (dependsOnRule, key) => {
    expect(whyUnknown({ dependsOnRule } as never).key).toBe(key);
  });
});

describe('doubts', () => {
  const leaving = [pod('batch', { on: 'n1' })];

  it.each<[readonly string[], readonly string[], readonly Pod[], readonly string[]]>([
    [[], [], [], []],
    [[], [], leaving, ['pods-may-leave']],
    [['shop/db'], [], leaving, ['neighbours-unread']],
    [[], ['shop/api'], leaving, ['neighbours-may-free']],
    [['shop/db'], ['shop/api'], leaving, ['neighbours-unread', 'neighbours-may-free']],
  ])('about unread %j and unfinished %j', (unread, unfinished, pods, keys) => {
    const doubts = doubtsOf(unread, unfinished, () => pods);
    expect(keysOf(doubts)).toEqual(keys);
    const names = doubts.flatMap(({ values }) => Object.values(values)).flat();
    expect(names).toEqual(keys[0] === 'pods-may-leave' ? ['shop/batch'] : [...unread, ...unfinished]);
  });

  const event = (fields: object) =>
    schemas.Event.parse({
      metadata: { name: 'e', namespace: 'shop' },
      involvedObject: { kind: 'Pod', name: 'x', namespace: 'shop' },
      type: 'Normal',
      ...fields,
    });
  const config = (name: string) => schemas.ConfigMap.parse({ metadata: { name, namespace: 'kube-system' } });

  it.each<[string, Partial<ClusterObjects>, string | undefined]>([
    ['nothing', { Node: [node('n1')] }, undefined],
    [
      'a node of Karpenter',
      { Node: [node('n1', { labels: { 'karpenter.sh/nodepool': 'a' } })] },
      'Karpenter',
    ],
    [
      'a node of an old Karpenter',
      { Node: [node('n1', { labels: { 'karpenter.sh/provisioner-name': 'a' } })] },
      'Karpenter',
    ],
    ['an event of Karpenter', { Event: [event({ source: { component: 'karpenter' } })] }, 'Karpenter'],
    ['another event', { Event: [event({ reason: 'Scheduled' })] }, undefined],
    ['a node that is added', { Event: [event({ reason: 'TriggeredScaleUp' })] }, 'cluster-autoscaler'],
    ['a node that is not', { Event: [event({ reason: 'NotTriggerScaleUp' })] }, 'cluster-autoscaler'],
    ['its status', { ConfigMap: [config('cluster-autoscaler-status')] }, 'cluster-autoscaler'],
    ['another ConfigMap', { ConfigMap: [config('kube-root-ca.crt')] }, undefined],
  ])('about an autoscaler of nodes, from %s', (_, objects, by) => {
    const doubts = autoscalerDoubt(indexObjects(clusterObjects(objects)));
    expect(doubts.map(({ key, values }) => [key, values.by])).toEqual(
      by === undefined ? [] : [['because-autoscaler', by]],
    );
  });
});
