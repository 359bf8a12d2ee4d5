import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '#src/adapters/recording/read-recording.js';
import { checkManifests, noCompanions } from '#src/core/check/check-manifests.js';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { modelKindOf } from '#src/core/cluster/cluster-objects.js';
import type { JsonObject } from '#src/core/cluster/wire.js';
import type { WorkloadKind } from '#src/core/cluster/workload.js';

const scenarios = join(import.meta.dirname, '../../../scenarios');

interface Raw extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: JsonObject;
}

/** The recorded service, changed, checked on the recorded cluster. */
async function checked(id: string, kind: WorkloadKind, changed: (spec: JsonObject) => JsonObject) {
  const { objects } = await readRecording(join(scenarios, id));
  const items: readonly Raw[] = JSON.parse(readFileSync(join(scenarios, id, 'objects.json'), 'utf8')).items;
  const raw = items.find((each) => modelKindOf(each.kind, each.apiVersion) === kind);
  if (raw === undefined) throw new Error(`${id} has no ${kind}`);
  const { status: _, ...manifest } = raw;
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
const unchanged = (spec: JsonObject): JsonObject => spec;

describe('the check of an update of a service that replaces whole revisions', () => {
  it('predicts the deadlock of a new revision that needs the place of the old one', async () => {
    const check = await checked('ray-services/upgrade-type-none', 'RayService', (spec) => ({
      ...newImage(spec),
      upgradeStrategy: { type: 'NewCluster' },
    }));

    expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'proven', resource: 'nvidia.com/gpu' });
    expect(check?.holders.map(({ name }) => name)).toEqual(['llm-x7k2p-head']);
    expect(check?.reasoning.map(({ key }) => key)).toContain('rule-ray');
  });

  it('answers that nothing is replaced where a changed spec makes no RayCluster', async () => {
    expect(await checked('ray-services/upgrade-type-none', 'RayService', newImage)).toMatchObject({
      outcome: 'unchanged',
    });
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
