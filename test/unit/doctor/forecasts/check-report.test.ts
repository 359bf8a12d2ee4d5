import { describe, expect, it } from 'vitest';
import { node } from '../../../support/placement-builders.js';
import { check, quota, type Serving, serving, template, type Update } from './build.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = '1', labels: Readonly<Record<string, string>> = {}) =>
  node(name, { allocatable: { [gpu]: count }, labels });
const oneGpu: Serving = { on: ['n1'], container: { resources: { limits: { [gpu]: '1' } } } };
const held: Update = { cluster: [serving(oneGpu), { Node: [gpuNode('n1')] }], shape: oneGpu };
const twoGpus = { ...oneGpu, container: { resources: { limits: { [gpu]: '2' } } } };
const small: Update = { cluster: [serving({ on: ['n1'] }), { Node: [node('n1')] }] };
const stateful = { ...oneGpu, kind: 'StatefulSet' } as const;
const daemon = { ...oneGpu, kind: 'DaemonSet' } as const;
const onDelete = { updateStrategy: { type: 'OnDelete' } };
const full = (used: string) => quota({ pods: used }, { pods: used });

const of = (shape: Serving, spec: object): Update => ({
  cluster: [serving(shape), { Node: [gpuNode('n1')] }],
  ...{ shape, spec: { ...spec } },
});
const recreated = { ...held, spec: { strategy: { type: 'Recreate' } } };
const sameTemplate = { ...held, image: 'web:1' };
const otherSelector = { ...held, spec: { selector: { matchLabels: { app: 'x' } } } };
const fresh: Update = { cluster: [{ Node: [node('n1')] }] };
const filled = { Node: [node('n1')], ResourceQuota: [full('2')] };
const fullOfOthers: Update = { cluster: [filled] };
const atQuota: Update = { cluster: [serving({ on: ['n1', 'n1'] }), filled] };
const twoFree = [serving(oneGpu), { Node: [gpuNode('n1', '2')] }];
const stuckAlready = [
  serving({ ...oneGpu, spec: { template: template('web:2', oneGpu) } }),
  { Node: [gpuNode('n1')] },
];

const deadlock = ['needs', 'would-say', 'held-by', 'would-have-to-move', 'rule-forbids', 'way-out-in-place'];

describe('a check reports', () => {
  it.each<[string, Update, string, string]>([
    ['a deadlock from the needed resource to the fix', held, 'deadlock', deadlock.join(' ')],
    ['the downtime of stopping all pods', recreated, 'completes', 'price-in-full assumes-ready'],
    ['the effect of the next update', sameTemplate, 'unchanged', 'next-update-deadlocks'],
    ['no warning about a next update that completes', { ...small, image: 'web:1' }, 'unchanged', ''],
    [
      'no warning about a next update that lacks another resource',
      { ...sameTemplate, cluster: twoFree },
      'unchanged',
      '',
    ],
    ['that a rollout is paused', { ...held, spec: { paused: true } }, 'unchanged', 'paused'],
    ['that a Deployment has no pods', { ...held, spec: { replicas: 0 } }, 'unchanged', 'no-pods'],
    ['that a StatefulSet has no pods', of(stateful, { replicas: 0 }), 'unchanged', 'no-pods'],
    ['that a StatefulSet waits to be deleted from', of(stateful, onDelete), 'unchanged', 'on-delete'],
    ['that a DaemonSet waits to be deleted from', of(daemon, onDelete), 'unchanged', 'on-delete'],
    ['a refusal', otherSelector, 'refused', ''],
    [
      'what the nearest nodes lack where no node fits',
      { ...held, shape: twoGpus },
      'stuck',
      'needs would-say lacks',
    ],
    [
      'a deadlock at a quota',
      atQuota,
      'quota-deadlock',
      'quota-short quota-held-by rule-forbids way-out-in-place',
    ],
    ['a quota that other workloads use up', fullOfOthers, 'stuck-by-quota', 'quota-short'],
    [
      'that the next update would deadlock at a quota',
      { ...atQuota, image: 'web:1' },
      'unchanged',
      'next-update-deadlocks',
    ],
    ['that a workload is new', fresh, 'starts', 'assumes-ready'],
    [
      'that the rollout is already stuck in this way',
      { ...held, cluster: stuckAlready },
      'deadlock',
      [...deadlock.slice(0, -1), 'stuck-already', 'way-out-in-place'].join(' '),
    ],
  ])('%s', (_, update, summary, reasoning) => {
    const result = check(update);

    expect(result.summary.key, result.says.join('\n')).toBe(summary);
    expect(result.reasoning.map(({ key }) => key)).toEqual(reasoning === '' ? [] : reasoning.split(' '));
    expect(result.summary.values).toMatchObject({ workload: 'shop/web' });
  });

  const rule = { maxSurge: '25%', maxUnavailable: '25%', replicas: 1, surge: 1, unavailable: 0 };
  const usage = { quota: 'team', resource: 'pods', requested: '1', used: '2', limited: '2' };
  const bothPods = { quota: 'team', pods: ['shop/web-1-0', 'shop/web-1-1'] };
  it.each<[string, Update, string, object]>([
    ['the number of pods and the resource they need', held, 'needs', { resource: gpu, pods: 1 }],
    [
      'the pods that hold the resource, and their nodes',
      held,
      'held-by',
      { pods: ['shop/web-1-0'], nodes: ['n1'] },
    ],
    ['the pods that would have to move', held, 'would-have-to-move', { pods: ['shop/web-1-0'], node: 'n1' }],
    ['the rule that prevents it', held, 'rule-forbids', rule],
    ['the resource that the next update lacks', sameTemplate, 'next-update-deadlocks', { resource: gpu }],
    ['which field is refused', otherSelector, 'refused', { field: 'spec.selector' }],
    ['the usage of a quota', fullOfOthers, 'quota-short', usage],
    ['the pods that use up the quota', atQuota, 'quota-held-by', bothPods],
    [
      'the number of pods that the fix stops',
      recreated,
      'price-in-full',
      { kind: 'gap', stops: 1, ready: 0, of: 1 },
    ],
    ['the resource that a node lacks', { ...held, shape: twoGpus }, 'lacks', { node: 'n1' }],
  ])('%s', (_, update, key, values) => {
    const result = check(update);
    const statement = [result.summary, ...result.reasoning].find((each) => each.key === key);

    expect(statement?.values, result.says.join('\n')).toMatchObject(values);
  });

  it('the nearest three nodes of many', () => {
    const Node = ['n1', 'n2', 'n3', 'n4'].map((name) => gpuNode(name));
    const result = check({ cluster: [serving(oneGpu), { Node }], shape: twoGpus });

    expect(result.reasoning.filter(({ key }) => key === 'lacks')).toHaveLength(3);
    expect([result.nodes, result.holders, result.wayOut]).toEqual([[], [], undefined]);
  });

  it('no rule and no fix for a StatefulSet and a DaemonSet', () => {
    const hostPort = { ports: [{ containerPort: 80, hostPort: 80 }] };
    const shape = { kind: 'DaemonSet', on: ['n1'], container: hostPort } as const;
    const spec = { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
    const result = check({ cluster: [serving(shape), { Node: [node('n1')] }], shape, spec });

    expect(result.reasoning.map(({ key }) => key)).toEqual(['would-say', 'held-by', 'would-have-to-move']);
    expect([result.holders.length, result.wayOut]).toEqual([1, undefined]);
  });

  it('a fix that stops all pods at once, where stopping one at a time is not enough', () => {
    const keepsFromOld = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: { matchLabels: { 'pod-template-hash': '1' } },
              topologyKey: 'kubernetes.io/hostname',
            },
          ],
        },
      },
    };
    const result = check({
      cluster: [serving({ on: ['n1', 'n1'] }), { Node: [node('n1')] }],
      shape: { pod: keepsFromOld },
      spec: { replicas: 2 },
    });

    expect([result.outcome, result.resource], result.says.join('\n')).toEqual([
      'deadlock',
      'podAntiAffinity',
    ]);
    expect(result.wayOut?.strategy).toEqual({ type: 'Recreate' });
    expect(result.reasoning.at(-1)).toMatchObject({ key: 'way-out-recreate', values: { kind: 'gap' } });
  });

  it.each<[string, Update, string]>([
    [
      'on a node',
      { cluster: [serving({ ...oneGpu, on: ['n1', 'n1'] }), { Node: [gpuNode('n1', '2')] }], shape: twoGpus },
      'held-by',
    ],
    [
      'at a quota',
      {
        cluster: [
          serving({ on: ['n1', 'n1'], container: { resources: { requests: { cpu: '1' } } } }),
          { Node: [node('n1')], ResourceQuota: [quota({ 'requests.cpu': '2' }, { 'requests.cpu': '2' })] },
        ],
        shape: { container: { resources: { requests: { cpu: '2' } } } },
      },
      'quota-held-by',
    ],
  ])('as holders %s only the old pods that stay', (_, update, key) => {
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const result = check({ ...update, spec: { replicas: 2, strategy } });
    const statement = result.reasoning.find((each) => each.key === key);

    expect(result.outcome, result.says.join('\n')).toBe('deadlock');
    expect(result.holders).toHaveLength(1);
    expect(statement?.values).toMatchObject({ pods: [`shop/${result.holders[0]?.name}`] });
    expect(result.downtime).toMatchObject({ kind: 'reduced', readyMin: 1, ofReplicas: 2 });
  });

  it('no downtime of a new workload, and none where the template does not change', () => {
    expect(check(fresh).downtime).toBeUndefined();
    expect(check({ ...small, image: 'web:1' }).downtime).toBeUndefined();
    expect(check(small).downtime).toMatchObject({ kind: 'none' });
  });

  it('the workload that it checks', () => {
    expect(check(small).workload).toEqual({
      cluster: 'test',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
    });
  });
});

describe('the selector has changed', () => {
  const labels = { app: 'web', tier: 'x' };
  const live = (selector: object) => [serving({ on: ['n1'], spec: { selector } }), { Node: [node('n1')] }];
  const expression = { key: 'app', operator: 'Exists' };

  it.each<[string, object, object, boolean]>([
    ['not in another order', { matchLabels: labels }, { matchLabels: { tier: 'x', app: 'web' } }, false],
    ['with an added label', { matchLabels: { app: 'web' } }, { matchLabels: labels }, true],
    [
      'with an added expression',
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'web' }, matchExpressions: [expression] },
      true,
    ],
    ['with another value', { matchLabels: { app: 'web' } }, { matchLabels: { app: 'api' } }, true],
  ])('%s', (_, before, selector, refused) => {
    expect(check({ cluster: live(before), spec: { selector } }).outcome === 'refused').toBe(refused);
  });
});
