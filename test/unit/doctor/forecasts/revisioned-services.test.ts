import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkManifests, noCompanions } from '#src/doctor/forecasts/check-manifests.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, modelKindOf } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Container } from '#src/engine/objects/pod-spec.js';
import { RayService } from '#src/engine/objects/ray-service.js';
import type { JsonObject } from '#src/engine/objects/wire.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { node as placementNode } from '../../../support/placement-builders.js';

const scenarios = join(import.meta.dirname, '../../../scenarios');

interface Raw extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: JsonObject;
}

const unchanged = (spec: JsonObject): JsonObject => spec;

/**
 * The recorded service, changed, checked on the recorded cluster. `present` changes the service there as
 * well.
 */
async function checked(
  id: string,
  kind: WorkloadKind,
  changed: (spec: JsonObject) => JsonObject,
  present: (spec: JsonObject) => JsonObject = unchanged,
  besides: (objects: ClusterObjects) => ClusterObjects = (objects) => objects,
) {
  const recording = await readRecording(join(scenarios, id));
  const items: readonly Raw[] = JSON.parse(readFileSync(join(scenarios, id, 'objects.json'), 'utf8')).items;
  const recorded = items.find((each) => modelKindOf(each.kind, each.apiVersion) === kind);
  if (recorded === undefined) throw new Error(`${id} has no ${kind}`);
  const raw = { ...recorded, spec: present(recorded.spec) };
  const services = kind === 'RayService' ? { RayService: [RayService.parse(raw)] } : {};
  const objects = besides({ ...recording.objects, ...services });
  const { status: _, ...manifest }: Raw = raw;
  const [check] = checkManifests({
    index: indexObjects(objects),
    unseen: [],
    cluster: 'recorded',
    now: Date.parse('2026-11-26T22:00:00Z'),
    manifests: [{ kind, namespace: 'shop', name: 'llm', raw: { ...manifest, spec: changed(raw.spec) } }],
    companions: noCompanions,
  });
  return check;
}

/** Every image of the spec gets another tag, and GPUs another number. */
const edited = (from: RegExp, to: string) => (spec: JsonObject) =>
  JSON.parse(JSON.stringify(spec).replace(from, to)) as JsonObject;
const newImage = edited(/registry\.example\/(llm|ray|dynamo):\d+/gu, 'registry.example/$1:9');
interface RayConfig extends JsonObject {
  readonly headGroupSpec: JsonObject;
  readonly workerGroupSpecs: readonly JsonObject[];
}

const group = (groupName: string): JsonObject => ({
  groupName,
  replicas: 1,
  template: {
    spec: {
      containers: [
        { name: 'ray-worker', image: 'registry.example/ray:1', resources: { requests: { cpu: '1' } } },
      ],
    },
  },
});

const changedHead = (config: RayConfig, change: JsonObject): object => ({
  ...config,
  headGroupSpec: { ...config.headGroupSpec, ...change },
});

/** A RayService whose head uses the only GPU, with one worker group, and a changed `rayClusterConfig`. */
async function checkedRay(change: (config: RayConfig) => object) {
  const withGroup = (spec: JsonObject): JsonObject => ({
    ...spec,
    rayClusterConfig: { ...(spec.rayClusterConfig as RayConfig), workerGroupSpecs: [group('workers')] },
  });
  return checked(
    'ray-services/before-the-update',
    'RayService',
    (spec) => ({ ...spec, rayClusterConfig: change(spec.rayClusterConfig as RayConfig) }),
    withGroup,
  );
}

describe('the check of an update of a service that replaces whole revisions', () => {
  it('predicts the deadlock of a new revision that needs the place of the old one', async () => {
    const check = await checked('ray-services/upgrade-type-none', 'RayService', (spec) => ({
      ...newImage(spec),
      upgradeStrategy: { type: 'NewCluster' },
    }));

    expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'proven', resource: 'nvidia.com/gpu' });
    expect(check?.holders.map(({ name }) => name)).toEqual([expect.stringMatching(/^llm-[a-z0-9]{5}-head-/)]);
    expect(check?.reasoning.map(({ key }) => key)).toContain('rule-ray');
  });

  it('answers that nothing is replaced where a changed spec makes no RayCluster', async () => {
    expect(await checked('ray-services/upgrade-type-none', 'RayService', newImage)).toMatchObject({
      outcome: 'unchanged',
    });
  });

  /** The operator's comparison: github.com/ray-project/kuberay v1.5.0, seen with its own RayServices. */
  it.each<[string, (config: RayConfig) => object]>([
    ['the parameters of the head', (config) => changedHead(config, { rayStartParams: { 'num-cpus': '0' } })],
    ['the version of Ray', (config) => ({ ...config, rayVersion: '2.47.0' })],
    [
      'the fault tolerance',
      (config) => ({ ...config, gcsFaultToleranceOptions: { redisAddress: 'redis:1' } }),
    ],
    [
      'the options of the autoscaler',
      (config) => ({ ...config, autoscalerOptions: { idleTimeoutSeconds: 9 } }),
    ],
    [
      'the Service of the head',
      (config) => changedHead(config, { headService: { metadata: { name: 'own' } } }),
    ],
    [
      'a worker group before the others',
      (config) => ({ ...config, workerGroupSpecs: [group('first'), ...config.workerGroupSpecs] }),
    ],
    ['a removed worker group', (config) => ({ ...config, workerGroupSpecs: [] })],
  ])('predicts the deadlock of a second RayCluster for a change of %s', async (_, change) => {
    expect(await checkedRay(change)).toMatchObject({ outcome: 'deadlock', resource: 'nvidia.com/gpu' });
  });

  it.each<[string, (config: RayConfig) => object, string | undefined]>([
    ['the same spec', (config) => config, undefined],
    [
      'the same spec with defaults and quantities in another spelling',
      (config) => ({
        workerGroupSpecs: config.workerGroupSpecs.map((each) => ({ ...each, numOfHosts: 1 })),
        ...JSON.parse(
          JSON.stringify({ ...config, workerGroupSpecs: undefined }).replace('"cpu":"1"', '"cpu":"1000m"'),
        ),
      }),
      undefined,
    ],
    [
      'another number of workers',
      (config) => ({
        ...config,
        workerGroupSpecs: config.workerGroupSpecs.map((each) => ({ ...each, replicas: 3, maxReplicas: 5 })),
      }),
      'keeps-ray-numbers',
    ],
    [
      'a worker group after the others',
      (config) => ({ ...config, workerGroupSpecs: [...config.workerGroupSpecs, group('last')] }),
      'adds-ray-groups',
    ],
  ])('answers that no pod is replaced for %s', async (_, change, reason) => {
    const check = await checkedRay(change);

    expect(check).toMatchObject({ outcome: 'unchanged' });
    expect(check?.reasoning.map(({ key }) => key)).toEqual(reason === undefined ? [] : [reason]);
  });

  it('counts the containers that KubeRay adds to the pods of a part', async () => {
    // Two nodes of 8 cores and a GPU each: the head with its autoscaler leaves 0.4 cores too few for a second
    // one.
    const withAutoscaler = (pod: Pod): Pod => ({
      ...pod,
      spec: {
        ...pod.spec,
        containers: [...pod.spec.containers, { ...pod.spec.containers[0], name: 'autoscaler' } as Container],
      },
    });
    const tooMany = (spec: JsonObject) => edited(/"cpu":"1"/gu, '"cpu":"7500m"')(newImage(spec));
    const node = (name: string) => placementNode(name, { allocatable: { cpu: '8', 'nvidia.com/gpu': '2' } });
    const fits = await checked(
      'ray-services/before-the-update',
      'RayService',
      tooMany,
      unchanged,
      (objects) => ({
        ...objects,
        Node: [...objects.Node, node('gpu-2')],
      }),
    );
    const isTooLarge = await checked(
      'ray-services/before-the-update',
      'RayService',
      tooMany,
      unchanged,
      (objects) => ({
        ...objects,
        Node: [...objects.Node, node('gpu-2')],
        Pod: objects.Pod.map(withAutoscaler),
      }),
    );

    expect(fits).toMatchObject({ outcome: 'completes' });
    expect(isTooLarge).toMatchObject({ outcome: 'stuck' });
  });

  it('is not sure of an upgrade type that a feature gate of the operator decides about', async () => {
    const check = await checked('ray-services/upgrade-type-none', 'RayService', (spec) => ({
      ...newImage(spec),
      upgradeStrategy: { type: 'NewClusterWithIncrementalUpgrade' },
    }));

    expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'likely' });
    expect(check?.reasoning.map(({ key }) => key)).toContain('ray-upgrade-gate');
  });

  it('answers completes where the new revision fits beside the old one', async () => {
    expect(await checked('knative/healthy', 'KnativeService', newImage)).toMatchObject({
      outcome: 'completes',
    });
  });

  it('predicts the deadlock of a revision for which one GPU less is free', async () => {
    const more = (spec: JsonObject) =>
      edited(
        /"annotations":\{[^}]*\}/u,
        '"annotations":{"autoscaling.knative.dev/min-scale":"2"}',
      )(newImage(spec));
    const check = await checked('knative/healthy', 'KnativeService', more);

    expect(check).toMatchObject({ outcome: 'deadlock', resource: 'nvidia.com/gpu' });
    expect(check?.reasoning.map(({ key }) => key)).toContain('rule-knative');
  });

  it('predicts the deadlock of a generation of workers whose GPU an old one uses', async () => {
    const check = await checked('dynamo/before-the-update', 'DynamoGraphDeployment', newImage);

    expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'proven', resource: 'nvidia.com/gpu' });
    expect(check?.reasoning.map(({ key }) => key)).toContain('rule-dynamo');
  });

  it.each([
    ['where the new worker fits beside the old one', 'dynamo/healthy', newImage],
    [
      'where the old worker stops first',
      'dynamo/before-the-update',
      (spec: JsonObject) => ({
        ...newImage(spec),
        annotations: {
          'nvidia.com/deployment-rolling-update-max-surge': '0',
          'nvidia.com/deployment-rolling-update-max-unavailable': '1',
        },
      }),
    ],
    [
      'with the strategy Recreate',
      'dynamo/before-the-update',
      (spec: JsonObject) => ({
        ...newImage(spec),
        annotations: { 'nvidia.com/deployment-strategy': 'Recreate' },
      }),
    ],
  ])('answers completes for a DynamoGraphDeployment %s', async (_, id, changed) => {
    expect(await checked(id, 'DynamoGraphDeployment', changed)).toMatchObject({ outcome: 'completes' });
  });

  it('answers that changed replicas of a component make no generation', async () => {
    const fewer = edited(/"replicas":1/gu, '"replicas":0');

    expect(await checked('dynamo/before-the-update', 'DynamoGraphDeployment', fewer)).toMatchObject({
      outcome: 'unchanged',
      reasoning: [{ key: 'no-pods' }],
    });
  });

  it('answers unchanged for the same template', async () => {
    expect(await checked('knative/healthy', 'KnativeService', unchanged)).toMatchObject({
      outcome: 'unchanged',
    });
  });

  it('answers that another update is under way', async () => {
    expect(await checked('knative/deadlock-of-two-revisions', 'KnativeService', newImage)).toMatchObject({
      outcome: 'cannot-tell',
    });
  });
});
