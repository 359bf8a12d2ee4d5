import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkManifests, noCompanions } from '#src/doctor/forecasts/check-manifests.js';
import { deploymentsOf, type KserveManifest, plannedManifest } from '#src/doctor/forecasts/planned-below.js';
import type { Manifest } from '#src/doctor/forecasts/planned-workload.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { objectsOf } from '../../../support/scenarios/objects-of.js';

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
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  const recreate = { type: 'Recreate' };
  const multiNode = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } };
  const { rollingUpdate } = rolling;
  const quarter = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };

  it.each<[string, KserveManifest['kind'], object, string | undefined, object]>([
    [
      'that each component declares',
      'InferenceService',
      {
        predictor: { deploymentStrategy: rolling },
        transformer: { deploymentStrategy: recreate },
        explainer: { deploymentStrategy: rolling },
      },
      undefined,
      { 'llm-predictor': rolling, 'llm-transformer': recreate, 'llm-explainer': rolling },
    ],
    [
      'that KServe gives to workers on several nodes, whose head has the declared one',
      'InferenceService',
      { predictor: { deploymentStrategy: rolling, workerSpec: {} } },
      undefined,
      { 'llm-predictor': rolling, 'llm-predictor-worker': multiNode },
    ],
    [
      'that KServe gives where none is declared',
      'InferenceService',
      { predictor: { workerSpec: {} } },
      undefined,
      { 'llm-predictor': { type: 'RollingUpdate' }, 'llm-predictor-worker': multiNode },
    ],
    [
      'Recreate of workers on several nodes where it is declared',
      'InferenceService',
      { predictor: { deploymentStrategy: recreate, workerSpec: {} } },
      undefined,
      { 'llm-predictor': recreate, 'llm-predictor-worker': recreate },
    ],
    [
      'that they have where neither this manifest nor the last one declares any',
      'InferenceService',
      { predictor: {} },
      'healthy',
      { 'llm-predictor': quarter },
    ],
    [
      'of the controller again where the manifest declares none any more',
      'InferenceService',
      { predictor: {} },
      'strategy-in-place',
      { 'llm-predictor': { type: 'RollingUpdate' } },
    ],
    [
      'with the bounds of an LLMInferenceService, and none of its prefill where it declares none',
      'LLMInferenceService',
      { template: {}, rolloutStrategy: rollingUpdate, prefill: { template: {} } },
      undefined,
      { 'llm-kserve': rolling, 'llm-kserve-prefill': undefined },
    ],
    [
      'that they have where the LLMInferenceService declares none any more',
      'LLMInferenceService',
      { template: {} },
      'deadlock-of-decode',
      { 'llm-kserve': quarter },
    ],
  ])('have the strategy %s', (_, kind, spec, recorded, expected) => {
    const index = recorded === undefined ? undefined : indexObjects(objectsOf(`kserve/${recorded}`));
    const planned = deploymentsOf(manifest(kind, spec), index);

    expect(Object.fromEntries(planned.map(({ name, raw }) => [name, specOf(raw).strategy]))).toEqual(
      expected,
    );
  });

  it.each<[string, object, object]>([
    ['one replica where none are declared', {}, { replicas: 1 }],
    ['the smallest number of replicas', { minReplicas: 3 }, { replicas: 3 }],
    [
      'the resources of a model in the container that KServe makes for it',
      { model: { modelFormat: { name: 'huggingface' }, resources: gpu(4) }, nodeSelector: { gpu: 'h100' } },
      podSpec({
        nodeSelector: { gpu: 'h100' },
        containers: [{ name: 'kserve-container', resources: gpu(4) }],
      }),
    ],
    [
      'the image of a framework in that container',
      { sklearn: { storageUri: 'pvc://models/a', image: 'sklearn:2' } },
      podSpec({ containers: [{ name: 'kserve-container', image: 'sklearn:2' }] }),
    ],
    [
      'no container of fields that are no model',
      { logger: { mode: 'all' }, batcher: { timeout: 1 } },
      podSpec({ containers: [] }),
    ],
    [
      'the annotations of the component',
      { annotations: { team: 'ml' } },
      { template: { metadata: { labels: { app: 'llm-predictor' }, annotations: { team: 'ml' } } } },
    ],
  ])('of a new service have %s', (_, predictor, expected) => {
    const [planned] = deploymentsOf(manifest('InferenceService', { predictor }), undefined);

    expect(specOf(planned?.raw)).toMatchObject(expected);
  });

  it('keep of their containers what the manifest does not name', () => {
    const index = indexObjects(objectsOf('kserve/healthy'));
    const [before] = deploymentsOf(manifest('InferenceService', { predictor: {} }), index);
    const containers = [
      { name: 'kserve-container', image: 'registry.example/vllm:9', env: [] },
      { name: 'agent', image: 'agent:1' },
    ];
    const [after] = deploymentsOf(manifest('InferenceService', { predictor: { containers } }), index);
    const [kept] = podSpecIn(before).containers;

    expect(kept).toMatchObject({ name: 'kserve-container', resources: gpu(1) });
    expect(podSpecIn(after).containers).toEqual([
      { ...kept, image: 'registry.example/vllm:9' },
      { name: 'agent', image: 'agent:1' },
    ]);
  });

  it('keep the CPU and memory that the webhook of KServe fills in, and no other resource', () => {
    const objects = objectsOf('kserve/deadlock-of-the-predictor');
    const resources = { requests: { memory: '8Gi' }, limits: { 'nvidia.com/gpu': '2' } };
    const containers = [{ name: 'kserve-container', resources }];
    const [planned] = deploymentsOf(
      manifest('InferenceService', { predictor: { containers } }),
      indexObjects(objects),
    );

    expect(podSpecIn(planned).containers).toMatchObject([
      {
        resources: {
          requests: { cpu: '1', memory: '8Gi' },
          limits: { cpu: '1', memory: '2Gi', 'nvidia.com/gpu': '2' },
        },
      },
    ]);
    expect(podSpecIn(planned).containers[0]).not.toHaveProperty(['resources', 'requests', 'nvidia.com/gpu']);
  });

  const podSpecIn = (planned: Manifest | undefined) =>
    specOf(planned?.raw).template?.spec as { readonly containers: readonly object[] };
});

function podSpec(spec: object): object {
  return { template: { spec } };
}

function specOf(raw: unknown) {
  return (raw as { spec: { strategy?: object; replicas?: number; template?: { spec: object } } }).spec;
}

describe('the workload of a snapshot as a manifest makes it', () => {
  const bounds = { maxSurge: 1, maxUnavailable: 0 };
  const declared = (kind: string, spec: object, name = 'llm') => ({
    kind,
    namespace: 'shop',
    name,
    raw: { kind, metadata: { name }, spec },
  });

  const snapshotOf = (recorded: string): Snapshot => {
    const objects = objectsOf(`kserve/${recorded}`);
    const workload = objects.LeaderWorkerSet[0] ?? objects.Deployment[0];
    if (workload === undefined) throw new Error(`${recorded} has no workload`);
    return buildSnapshot(workload, objects);
  };

  it.each<[string, string, ReturnType<typeof declared>, object | undefined]>([
    [
      'is that of the manifest where the manifest is one of a workload',
      'healthy',
      declared('Deployment', { replicas: 3 }, 'web'),
      { kind: 'Deployment', namespace: 'shop', name: 'web', raw: { spec: { replicas: 3 } } },
    ],
    ['is unknown where the manifest is none of a workload', 'healthy', declared('ConfigMap', {}), undefined],
    [
      'is the Deployment of its name among those of an InferenceService',
      'healthy',
      declared('InferenceService', { transformer: {}, predictor: container('registry.example/vllm:9') }),
      { kind: 'Deployment', name: 'llm-predictor' },
    ],
    [
      'is unknown where the InferenceService does not declare its component',
      'healthy',
      declared('InferenceService', { transformer: {} }),
      undefined,
    ],
    [
      'is the LeaderWorkerSet with the bounds that the LLMInferenceService declares',
      'groups-in-place',
      declared('LLMInferenceService', { rolloutStrategy: bounds }),
      {
        kind: 'LeaderWorkerSet',
        name: 'llm-kserve-mn',
        raw: {
          spec: {
            replicas: 1,
            rolloutStrategy: {
              type: 'RollingUpdate',
              rollingUpdateConfiguration: { partition: 0, ...bounds },
            },
          },
        },
      },
    ],
    [
      'is unknown where the LLMInferenceService declares no bounds of its LeaderWorkerSet',
      'groups-in-place',
      declared('LLMInferenceService', { worker: {} }),
      undefined,
    ],
  ])('%s', (_, recorded, given, expected) => {
    const planned = plannedManifest(given, snapshotOf(recorded));

    if (expected === undefined) expect(planned).toBeUndefined();
    else expect(planned).toMatchObject(expected);
  });
});
