import { describe, expect, it } from 'vitest';
import { strategySnippet } from '#src/doctor/findings/deadlock/lasting-strategy.js';
import { patchStrategyForms } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import { Deployment, StatefulSet, type Workload } from '#src/engine/objects/workload.js';
import { parentResourceOf } from '#src/engine/parents/parent-resource.js';

const owned = (
  name: string,
  owner: object | undefined,
  schema: typeof Deployment | typeof StatefulSet = Deployment,
  labels: Readonly<Record<string, string>> = {},
): Workload =>
  schema.parse({
    metadata: {
      name,
      namespace: 'ml',
      labels,
      ownerReferences: owner === undefined ? [] : [{ controller: true, ...owner }],
    },
    spec: { selector: {}, template: { spec: { containers: [] } } },
  });

const service = { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', name: 'llm' };

describe('the field of an InferenceService for the strategy of its Deployments', () => {
  const field = (component: string, honours = 'every-strategy') => ({
    path: ['spec', component, 'deploymentStrategy'],
    honours,
  });
  it.each<[string, string, object | undefined]>([
    ['the predictor', 'llm-predictor', field('predictor')],
    ['the predictor of older versions', 'llm-predictor-default', field('predictor')],
    ['the transformer', 'llm-transformer', field('transformer')],
    ['the explainer', 'llm-explainer', field('explainer')],
    [
      'workers of several nodes, which accept Recreate only',
      'llm-predictor-worker',
      field('predictor', 'recreate'),
    ],
    ['a worker of no predictor', 'llm-transformer-worker', undefined],
    ['a part that is not known', 'llm-router', undefined],
    ['a name with more parts', 'llm-predictor-default-2', undefined],
    ['a name that does not begin with the owner', 'predictor', undefined],
    ['the name of the owner alone', 'llm', undefined],
  ])('%s', (_name, workload, strategyField) => {
    const object = { kind: 'InferenceService', namespace: 'ml', name: 'llm' };
    expect(parentResourceOf(owned(workload, service))).toEqual({ object, strategyField });
  });

  it('accepts Recreate only for the head of several nodes, which shares it with the workers', () => {
    const head = Deployment.parse({
      metadata: {
        name: 'llm-predictor',
        namespace: 'ml',
        ownerReferences: [{ controller: true, ...service }],
      },
      spec: {
        selector: {},
        template: { metadata: { labels: { 'isvc.generation': '2' } }, spec: { containers: [] } },
      },
    });

    expect(parentResourceOf(head)?.strategyField?.honours).toBe('recreate');
  });

  it('is that of the component also where the name of the owner has dashes', () => {
    const workload = owned('my-llm-predictor', { ...service, name: 'my-llm' });
    expect(parentResourceOf(workload)?.strategyField?.path).toEqual([
      'spec',
      'predictor',
      'deploymentStrategy',
    ]);
  });
});

describe('the field of an LLMInferenceService', () => {
  const llm = { apiVersion: 'serving.kserve.io/v1alpha2', kind: 'LLMInferenceService', name: 'llm' };
  const field = (path: readonly string[]) => ({ path, form: 'bounds', honours: 'rolling-update' });

  it.each<[string, string, object | undefined]>([
    ['its workers', 'llm-kserve', field(['spec', 'rolloutStrategy'])],
    ['its prefill workers', 'llm-kserve-prefill', field(['spec', 'prefill', 'rolloutStrategy'])],
    ["its router's scheduler", 'llm-kserve-router-scheduler', undefined],
    ['a LeaderWorkerSet of that name that is a Deployment', 'llm-kserve-mn', undefined],
  ])('for %s', (_, name, expected) => {
    expect(parentResourceOf(owned(name, llm))?.strategyField).toEqual(expected);
  });

  it.each([
    ['its workers', 'llm-kserve-mn', field(['spec', 'rolloutStrategy'])],
    ['its prefill workers', 'llm-kserve-mn-prefill', field(['spec', 'prefill', 'rolloutStrategy'])],
    ['a Deployment of that name that is a LeaderWorkerSet', 'llm-kserve', undefined],
  ])('on several nodes, for %s', (_, name, expected) => {
    const { metadata } = owned(name, llm);
    const workerTemplate = { spec: { containers: [] } };
    const set = LeaderWorkerSet.parse({ metadata, spec: { leaderWorkerTemplate: { workerTemplate } } });

    expect(parentResourceOf(set)?.strategyField).toEqual(expected);
  });

  it('has the two bounds in a manifest', () => {
    expect(strategySnippet(owned('llm-kserve', llm), patchStrategyForms.inPlace)).toBe(
      '# LLMInferenceService ml/llm\nspec:\n  rolloutStrategy:\n    maxSurge: 0\n    maxUnavailable: 1\n',
    );
  });
});

describe('the field of a DisaggregatedSet', () => {
  const api = { apiVersion: 'disaggregatedset.x-k8s.io/v1', kind: 'DisaggregatedSet', name: 'llm' };
  const madeFor = (role: string | undefined) => {
    const labels = role === undefined ? {} : { 'disaggregatedset.x-k8s.io/role': role };
    const { metadata } = owned('llm-0-a1b2c3d4-prefill', api, Deployment, labels);
    const workerTemplate = { spec: { containers: [] } };
    return LeaderWorkerSet.parse({ metadata, spec: { leaderWorkerTemplate: { workerTemplate } } });
  };

  it('is that of the role, and is for the LeaderWorkerSets of the next revision', () => {
    expect(parentResourceOf(madeFor('prefill'))).toMatchObject({
      object: { kind: 'DisaggregatedSet', namespace: 'ml', name: 'llm' },
      strategyField: { item: 'prefill', applies: 'in-next-revision' },
    });
    expect(strategySnippet(madeFor('prefill'), patchStrategyForms.inPlace)).toBe(
      [
        '# DisaggregatedSet ml/llm',
        'spec:',
        '  roles:',
        '    - name: prefill',
        '      spec:',
        '        rolloutStrategy:',
        '          rollingUpdateConfiguration:',
        '            maxSurge: 0',
        '            maxUnavailable: 1',
        '',
      ].join('\n'),
    );
  });

  it('is not known for a LeaderWorkerSet without a role, or for a Deployment', () => {
    const labels = { 'disaggregatedset.x-k8s.io/role': 'prefill' };
    expect(parentResourceOf(madeFor(undefined))?.strategyField).toBeUndefined();
    expect(parentResourceOf(owned('llm', api, Deployment, labels))?.strategyField).toBeUndefined();
  });
});

describe('topOwnerOf', () => {
  it.each<[string, Workload]>([
    ['there is no owner', owned('llm-predictor', undefined)],
    ['the owner is no controller', owned('llm-predictor', { ...service, controller: false })],
    ['the kind is of another group', owned('llm-predictor', { ...service, apiVersion: 'example.com/v1' })],
    ['the kind has no group', owned('llm-predictor', { ...service, apiVersion: '' })],
    ['the kind is not known', owned('llm-predictor', { ...service, kind: 'Driver' })],
  ])('is undefined where %s', (_name, workload) => {
    expect(parentResourceOf(workload)).toBeUndefined();
  });

  it('has no field for the strategy of a Knative Revision', () => {
    const revision = { apiVersion: 'serving.knative.dev/v1', kind: 'Revision', name: 'llm-00002' };
    expect(parentResourceOf(owned('llm-00002-deployment', revision))).toEqual({
      object: { kind: 'Revision', namespace: 'ml', name: 'llm-00002' },
      strategyField: undefined,
    });
  });

  it('is the DynamoGraphDeployment above a component, whose annotations are in a list', () => {
    const component = {
      apiVersion: 'nvidia.com/v1beta1',
      kind: 'DynamoComponentDeployment',
      name: 'llm-frontend',
    };
    const workload = owned('llm-frontend', component, Deployment, {
      'nvidia.com/dynamo-graph-deployment-name': 'llm',
      'nvidia.com/dynamo-component': 'Frontend',
    });

    expect(parentResourceOf(workload)?.object).toEqual({
      kind: 'DynamoGraphDeployment',
      namespace: 'ml',
      name: 'llm',
    });
    expect(strategySnippet(workload, patchStrategyForms.inPlace)).toBe(
      [
        '# DynamoGraphDeployment ml/llm',
        'spec:',
        '  components:',
        '    - name: Frontend',
        '      podTemplate:',
        '        metadata:',
        '          annotations:',
        '            nvidia.com/deployment-rolling-update-max-surge: "0"',
        '            nvidia.com/deployment-rolling-update-max-unavailable: "1"',
        '',
      ].join('\n'),
    );
    expect(strategySnippet(workload, patchStrategyForms.recreate)).toContain(
      'annotations:\n            nvidia.com/deployment-strategy: Recreate\n',
    );
  });

  it('is a component of Dynamo that belongs to no graph', () => {
    const component = { apiVersion: 'nvidia.com/v1beta1', kind: 'DynamoComponentDeployment', name: 'worker' };
    const workload = owned('worker', component);

    expect(parentResourceOf(workload)?.object).toEqual({
      kind: 'DynamoComponentDeployment',
      namespace: 'ml',
      name: 'worker',
    });
    expect(strategySnippet(workload, patchStrategyForms.recreate)).toBe(
      '# DynamoComponentDeployment ml/worker\nspec:\n  podTemplate:\n    metadata:\n      annotations:\n        nvidia.com/deployment-strategy: Recreate\n',
    );
  });

  it.each([
    [
      'VLLMRuntime',
      {
        path: ['spec', 'deploymentConfig'],
        form: 'type',
        honours: 'recreate',
        applies: 'with-another-change',
      },
    ],
    ['VLLMRouter', undefined],
    ['CacheServer', undefined],
  ])('knows the field of a %s', (kind, field) => {
    const workload = owned('llm', { apiVersion: 'production-stack.vllm.ai/v1alpha1', kind, name: 'llm' });

    expect(parentResourceOf(workload)?.strategyField).toEqual(field);
  });

  it('writes the type alone for a VLLMRuntime', () => {
    const workload = owned('llm', {
      apiVersion: 'production-stack.vllm.ai/v1alpha1',
      kind: 'VLLMRuntime',
      name: 'llm',
    });

    expect(strategySnippet(workload, patchStrategyForms.inPlace)).toBe(
      '# VLLMRuntime ml/llm\nspec:\n  deploymentConfig:\n    deploymentStrategy: Recreate\n',
    );
  });

  it('has no field of an InferenceService for a StatefulSet', () => {
    expect(parentResourceOf(owned('llm-predictor', service, StatefulSet))?.strategyField).toBeUndefined();
  });
});

describe('the strategy for a manifest', () => {
  const { inPlace, recreate } = patchStrategyForms;
  it.each<[string, Workload, typeof inPlace | typeof recreate, string]>([
    [
      'of the owner',
      owned('llm-predictor', service),
      inPlace,
      '# InferenceService ml/llm\nspec:\n  predictor:\n    deploymentStrategy:\n      type: RollingUpdate\n      rollingUpdate:\n        maxSurge: 0\n        maxUnavailable: 1\n',
    ],
    [
      'of the owner, which accepts Recreate only',
      owned('llm-predictor-worker', service),
      inPlace,
      '# InferenceService ml/llm\nspec:\n  predictor:\n    deploymentStrategy:\n      type: Recreate\n',
    ],
    [
      'of the workload',
      owned('web', undefined),
      inPlace,
      'spec:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n',
    ],
    [
      'of the workload, with Recreate',
      owned('web', undefined),
      recreate,
      'spec:\n  strategy:\n    type: Recreate\n    rollingUpdate: null\n',
    ],
  ])('is written for the manifest %s', (_name, workload, strategy, snippet) => {
    expect(strategySnippet(workload, strategy)).toBe(snippet);
  });
});
