import { describe, expect, it } from 'vitest';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { KserveKind } from '#src/engine/objects/inference-service.js';
import { KnativeService } from '#src/engine/objects/knative-service.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { type BelowParts, workloadsBelow } from '#src/engine/parents/parent-resource.js';

const owner = {
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  name: 'llm',
  controller: true,
};

interface Fields {
  readonly namespace?: string;
  readonly owner?: object;
  readonly updated?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

function deployment(name: string, fields: Fields = {}): Deployment {
  const { namespace = 'ml', updated = 1, labels = {} } = fields;
  return Deployment.parse({
    metadata: { name, namespace, labels, ownerReferences: [fields.owner ?? owner] },
    spec: { selector: {}, template: { spec: { containers: [] } } },
    status: { replicas: 1, readyReplicas: 1, updatedReplicas: updated },
  });
}

function below(
  deployments: readonly Deployment[],
  kind: KserveKind = 'InferenceService',
  namespace?: string,
  parts?: BelowParts,
) {
  const objects = clusterObjects({ Deployment: deployments });
  return workloadsBelow(objects, { kind, namespace, name: 'llm' }, parts).map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
  );
}

describe('the workloads that an InferenceService stands for', () => {
  it('are those that are not complete', () => {
    const transformer = deployment('llm-transformer', { updated: 0 });

    expect(below([deployment('llm-predictor'), transformer])).toEqual(['ml/llm-transformer']);
  });

  it('are several where several are not complete', () => {
    const parts = ['llm-predictor', 'llm-transformer'].map((name) => deployment(name, { updated: 0 }));

    expect(below(parts)).toEqual(['ml/llm-predictor', 'ml/llm-transformer']);
  });

  it('are the one that answers requests where all are complete', () => {
    expect(below([deployment('llm-explainer'), deployment('llm-predictor')])).toEqual(['ml/llm-predictor']);
  });

  it('are counted in each namespace by itself', () => {
    const stuck = deployment('llm-predictor', { namespace: 'web', updated: 0 });

    expect(below([deployment('llm-predictor'), stuck])).toEqual(['ml/llm-predictor', 'web/llm-predictor']);
    expect(below([deployment('llm-predictor'), stuck], 'InferenceService', 'web')).toEqual([
      'web/llm-predictor',
    ]);
  });

  it('are all of them for a silence, complete or not', () => {
    const parts = [deployment('llm-predictor'), deployment('llm-transformer', { updated: 0 })];

    expect(below(parts, 'InferenceService', undefined, 'every')).toEqual([
      'ml/llm-predictor',
      'ml/llm-transformer',
    ]);
  });

  it('are for a change those that have fields of their own, and not the scheduler of a router', () => {
    const llm = { ...owner, kind: 'LLMInferenceService', apiVersion: 'serving.kserve.io/v1alpha2' };
    const parts = ['llm-kserve', 'llm-kserve-router-scheduler', 'llm-kserve-prefill'].map((name) =>
      deployment(name, { owner: llm }),
    );

    expect(below(parts, 'LLMInferenceService', undefined, 'changeable')).toEqual([
      'ml/llm-kserve',
      'ml/llm-kserve-prefill',
    ]);
  });

  it('are for a change all of them where none has fields of its own, so that the reason is stated', () => {
    const canary = deployment('llm-predictor-canary');

    expect(below([canary], 'InferenceService', undefined, 'changeable')).toEqual(['ml/llm-predictor-canary']);
  });

  it.each<[string, object]>([
    ['of another name', { ...owner, name: 'other' }],
    ['of another kind', { ...owner, kind: 'LLMInferenceService' }],
    ['of another group', { ...owner, apiVersion: 'example.com/v1' }],
    ['that is no controller', { ...owner, controller: false }],
  ])('are none of an owner %s', (_, other) => {
    expect(below([deployment('llm-predictor', { owner: other })])).toEqual([]);
  });

  describe('in serverless mode', () => {
    const labels = { 'serving.kserve.io/inferenceservice': 'llm' };
    const revision = { apiVersion: 'serving.knative.dev/v1', kind: 'Revision', name: 'x', controller: true };
    const ofRevision = deployment('llm-predictor-00001-deployment', { owner: revision, labels });
    const service = KnativeService.parse({
      metadata: { name: 'llm-predictor', namespace: 'ml', ownerReferences: [owner], labels },
      spec: { template: { spec: { containers: [] } } },
      status: { latestCreatedRevisionName: 'x', latestReadyRevisionName: 'x' },
    });

    it('are its Knative Service', () => {
      const objects = clusterObjects({ Deployment: [ofRevision], KnativeService: [service] });
      const found = workloadsBelow(objects, { kind: 'InferenceService', name: 'llm' });

      expect(found.map(({ kind }) => kind)).toEqual(['KnativeService']);
    });

    it('are the Deployments of its revisions where Knative Services may not be read', () => {
      expect(below([ofRevision])).toEqual(['ml/llm-predictor-00001-deployment']);
    });
  });
});
