import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '#src/adapters/recording/read-recording.js';
import { checkManifests, noCompanions } from '#src/core/check/check-manifests.js';
import { deploymentsOf, type KserveManifest } from '#src/core/check/planned-kserve.js';
import { indexObjects } from '#src/core/cluster/cluster-index.js';

const scenarios = join(import.meta.dirname, '../../../scenarios/kserve');
const gpu = (count: number) => ({ limits: { 'nvidia.com/gpu': String(count) } });

const manifest = (kind: KserveManifest['kind'], spec: object): KserveManifest => ({
  kind,
  namespace: 'shop',
  name: 'llm',
  raw: { apiVersion: 'serving.kserve.io/v1beta1', kind, metadata: { name: 'llm' }, spec },
});
const container = (image: string, gpus = 1) => ({
  containers: [{ name: 'kserve-container', image, resources: gpu(gpus) }],
});

async function checked(id: string, spec: object) {
  const index = indexObjects((await readRecording(join(scenarios, id))).objects);
  return checkManifests({
    index,
    unseen: [],
    cluster: 'recorded',
    now: Date.parse('2026-11-27T18:00:00Z'),
    manifests: deploymentsOf(manifest('InferenceService', spec), index),
    companions: noCompanions,
  });
}

describe('the check of a manifest of an InferenceService', () => {
  it('plays the update of each of its Deployments', async () => {
    const answers = await checked('healthy', {
      predictor: container('registry.example/vllm:9'),
      transformer: { containers: [{ name: 'kserve-container', image: 'registry.example/vllm:9' }] },
    });

    expect(answers).toMatchObject([
      { workload: { kind: 'Deployment', name: 'llm-predictor' }, outcome: 'completes' },
      { workload: { name: 'llm-transformer' }, outcome: 'completes' },
    ]);
  });

  it('predicts that pods larger than every node wait', async () => {
    const [answer] = await checked('healthy', { predictor: container('registry.example/vllm:9', 2) });

    expect(answer).toMatchObject({ outcome: 'stuck', resource: 'nvidia.com/gpu' });
  });
});

describe('the Deployments of a manifest', () => {
  const specOf = (kind: KserveManifest['kind'], spec: object) =>
    deploymentsOf(manifest(kind, spec), undefined).map(({ name, raw }) => ({ name, spec: raw.spec }));

  it('have the strategy of the component', () => {
    const deploymentStrategy = { type: 'Recreate' };

    expect(specOf('InferenceService', { predictor: { deploymentStrategy } })).toMatchObject([
      { name: 'llm-predictor', spec: { strategy: deploymentStrategy } },
    ]);
  });

  it('have the bounds that KServe gives to workers on several nodes', () => {
    const deploymentStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

    expect(
      specOf('InferenceService', { predictor: { deploymentStrategy, workerSpec: {} } })[1],
    ).toMatchObject({
      name: 'llm-predictor-worker',
      spec: { strategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } } },
    });
  });

  it('have the bounds of an LLMInferenceService', () => {
    const rolloutStrategy = { maxSurge: 0, maxUnavailable: 1 };
    const spec = { template: {}, rolloutStrategy, prefill: { template: {} } };

    expect(specOf('LLMInferenceService', spec)).toMatchObject([
      { name: 'llm-kserve', spec: { strategy: { rollingUpdate: rolloutStrategy } } },
      { name: 'llm-kserve-prefill', spec: { strategy: undefined } },
    ]);
  });

  it('have the resources of a model in the container that KServe makes for it', () => {
    const model = { modelFormat: { name: 'huggingface' }, resources: gpu(4) };

    expect(specOf('InferenceService', { predictor: { model, nodeSelector: { gpu: 'h100' } } })).toMatchObject(
      [
        {
          spec: {
            template: {
              spec: {
                nodeSelector: { gpu: 'h100' },
                containers: [{ name: 'kserve-container', resources: gpu(4) }],
              },
            },
          },
        },
      ],
    );
  });
});
