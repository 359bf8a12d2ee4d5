import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fullSight, noSight } from '#src/doctor/policy/view.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { createRecordedClusterReader } from '#src/edges/recordings/recorded-cluster-reader.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { LLMInferenceService } from '#src/engine/objects/inference-service.js';
import { isReady, Pod } from '#src/engine/objects/pod.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { scenariosFolder } from '../../../support/scenarios/scenario-folders.js';

const takenAt = '2026-11-20T09:30:00Z';
const inference = { cluster: 'incident', kind: 'Deployment', namespace: 'shop', name: 'inference' } as const;
const readyStatus = Pod.parse({
  metadata: { name: 'x' },
  spec: { containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
}).status;
const signal = AbortSignal.timeout(60_000);
let reader: ClusterReader;
let withoutNodes: ClusterReader;

beforeAll(async () => {
  const recording = await readRecording(join(scenariosFolder, 'gpu-one-node'));
  reader = createRecordedClusterReader(recording, takenAt, 'incident');
  const objects = clusterObjects({ ...recording.objects, Node: [] });
  withoutNodes = createRecordedClusterReader({ ...recording, objects }, takenAt, 'incident');
});

describe('a recording used as a cluster', () => {
  it('finds a workload by name, whatever cluster the query names', async () => {
    const found = { type: 'found', workloads: [inference] };
    expect(await reader.find({ name: 'inference' }, fullSight)).toEqual(found);
    expect(await reader.find({ cluster: 'prod', name: 'inference' }, fullSight)).toEqual(found);
  });

  it('names the nearest workloads, like a live cluster', async () => {
    const missing = { type: 'not-found', what: 'workload', name: 'infreence' };
    expect(await reader.find({ namespace: 'shpo', name: 'infreence' }, fullSight)).toEqual({
      ...missing,
      nearest: ['shop/inference'],
    });
  });

  it('names the Job that owns a pod, since a Job is not diagnosed', async () => {
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'report-29', uid: 'j', controller: true };
    const pod = Pod.parse({
      metadata: { name: 'report-29-x7k2p', namespace: 'shop', uid: 'p', ownerReferences: [owner] },
      spec: { containers: [] },
    });
    const recording = await readRecording(join(scenariosFolder, 'gpu-one-node'));
    const objects = clusterObjects({ ...recording.objects, Pod: [...recording.objects.Pod, pod] });
    const jobs = createRecordedClusterReader({ ...recording, objects }, takenAt, 'incident');
    const asked = { member: 'Pod', namespace: 'shop', name: 'report-29-x7k2p' } as const;
    expect(await jobs.find(asked, fullSight)).toMatchObject({
      what: 'owner',
      name: 'pod/report-29-x7k2p',
      ownedBy: { kind: 'Job', name: 'report-29' },
    });
    expect(await jobs.find({ ...asked, name: 'gone' }, fullSight)).not.toHaveProperty('ownedBy');
  });

  it('finds a part of a workload by its kind and name, though a scan leaves it out', async () => {
    const recording = await readRecording(join(scenariosFolder, 'knative', 'deadlock-inside-one-revision'));
    const knative = createRecordedClusterReader(recording, takenAt, 'incident');
    const part = { ...inference, name: 'llm-00001-deployment' };
    const { cluster: _, ...asked } = part;

    expect(await knative.find(asked, fullSight)).toEqual({ type: 'found', workloads: [part] });
    expect(await knative.find(asked, noSight)).toMatchObject({ type: 'not-found', nearest: [] });
    expect(await knative.snapshot(part, new Set(), signal)).toMatchObject({ type: 'snapshot' });
    const scope = await knative.scope({ cluster: 'incident', namespace: 'shop' }, new Set(), signal);
    expect(scope.type === 'scope' && scope.snapshots.map(({ workload }) => workload.kind)).toEqual([
      'KnativeService',
    ]);
  });

  it.each([
    ['the ready pods alone', (isReadyOne: boolean) => isReadyOne, ['Pod']],
    ['the unready pods alone', (isReadyOne: boolean) => !isReadyOne, ['Pod']],
    ['every pod', () => true, []],
  ] as const)(
    'counts pods as not recorded where the status has more of them: %s',
    async (_, isKept, what) => {
      const recording = await readRecording(join(scenariosFolder, 'crash-on-one-node'));
      const Pod = recording.objects.Pod.filter((pod) => isKept(isReady(pod)));
      const objects = clusterObjects({ ...recording.objects, Pod });
      const part = createRecordedClusterReader({ ...recording, objects }, takenAt, 'incident');
      const scope = await part.scope({ cluster: 'incident', namespace: 'shop' }, new Set(), signal);
      if (scope.type !== 'scope') throw new Error('no scope');
      const api = scope.snapshots.find(({ workload }) => workload.metadata.name === 'api');
      expect(api?.unseen.map((each) => each.what)).toEqual(what);
    },
  );

  it.each<[string, (objects: ClusterObjects) => Partial<ClusterObjects>, readonly string[]]>([
    [
      'pods of an earlier time, all ready',
      ({ Pod }) => ({ Pod: Pod.map((pod) => (isReady(pod) ? pod : { ...pod, status: readyStatus })) }),
      ['Pod'],
    ],
    [
      'no ReplicaSet, although the Deployment tells of one',
      ({ Deployment }) => ({
        Pod: [],
        ReplicaSet: [],
        Deployment: Deployment.map((each) => ({ ...each, status: { ...each.status, replicas: 0 } })),
      }),
      ['ReplicaSet'],
    ],
    [
      'no generation that the controller observed',
      ({ Deployment }) => ({
        Deployment: Deployment.map((each) => ({
          ...each,
          status: { ...each.status, observedGeneration: 0 },
        })),
      }),
      ['Deployment'],
    ],
  ])('counts as not recorded what other objects refer to: %s', async (_, change, what) => {
    const recording = await readRecording(join(scenariosFolder, 'crash-on-one-node'));
    const objects = clusterObjects({ ...recording.objects, ...change(recording.objects) });
    const part = createRecordedClusterReader({ ...recording, objects }, takenAt, 'incident');
    const scope = await part.scope({ cluster: 'incident', namespace: 'shop' }, new Set(), signal);
    if (scope.type !== 'scope') throw new Error('no scope');
    const api = scope.snapshots.find(({ workload }) => workload.metadata.name === 'api');
    expect(api?.unseen.map((each) => each.what)).toEqual(what);
  });

  it('states why an InferenceService or LLMInferenceService that exists has no workload', async () => {
    const { objects } = await readRecording(join(scenariosFolder, 'gpu-one-node'));
    const metadata = { name: 'llm', namespace: 'shop' };
    const conditions = [
      { type: 'PresetsCombined', status: 'False', reason: 'ConfigNotFound', message: 'preset not found' },
    ];
    const changed = clusterObjects({
      ...objects,
      LLMInferenceService: [LLMInferenceService.parse({ metadata, spec: {}, status: { conditions } })],
    });
    const recording = await readRecording(join(scenariosFolder, 'gpu-one-node'));
    const withOwner = createRecordedClusterReader({ ...recording, objects: changed }, takenAt, 'incident');
    const [{ type, reason, message }] = conditions as [(typeof conditions)[0]];
    const childless = { name: 'llmisvc/llm', namespace: 'shop', conditions: [{ type, reason, message }] };
    const below = { type: 'not-found', what: 'below', name: 'llm', nearest: [], childless };

    expect(await withOwner.find({ name: 'llm' }, fullSight)).toEqual(below);
    expect(await withOwner.find({ owner: 'LLMInferenceService', name: 'llm' }, fullSight)).toEqual(below);
    expect(await withOwner.find({ owner: 'InferenceService', name: 'llm' }, fullSight)).toMatchObject({
      what: 'workload',
    });
    expect(await withOwner.find({ name: 'llm' }, noSight)).toMatchObject({ what: 'workload' });
  });

  it('neither finds nor names workloads outside the readable namespaces', async () => {
    const found = await reader.find({ name: 'inference' }, noSight);
    expect(found).toEqual({ type: 'not-found', what: 'workload', name: 'inference', nearest: [] });
  });

  it('returns a workload, a namespace and all objects with the time of the recording', async () => {
    expect(await reader.snapshot(inference, new Set())).toMatchObject({
      snapshot: { takenAt, cluster: 'incident' },
    });
    const names = async (namespace: string): Promise<readonly string[]> => {
      const scope = await reader.scope({ cluster: 'incident', namespace }, new Set(), signal);
      return scope.type === 'scope' ? scope.snapshots.map(({ workload }) => workload.metadata.name) : [];
    };
    expect(await names('')).toContain('inference');
    expect(await names('shop')).toContain('inference');
    expect(await names('elsewhere')).toEqual([]);
  });

  it('reports kinds that were not recorded, also for the scope of a check', async () => {
    const scope = await withoutNodes.scope({ cluster: 'incident', namespace: 'shop' }, new Set(), signal);
    expect(scope).toMatchObject({ unseen: [{ what: 'Node', because: 'not-recorded' }] });
  });

  it('names every object that does not parse by kind and namespace, and reads the others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-malformed-'));
    try {
      const quota = (name: unknown, namespace: string) => ({
        kind: 'ResourceQuota',
        metadata: { name, namespace },
        spec: { hard: { pods: 'many' } },
      });
      const items = [
        {
          kind: 'Node',
          metadata: { name: 'n-a', uid: 'n-a', creationTimestamp: takenAt, labels: {} },
          status: { allocatable: {}, conditions: [] },
        },
        { kind: 'Node', metadata: {} },
        { kind: 'Node', metadata: null },
        ...['one', 'two', 'three', 'four'].map((name) => quota(name, 'shop')),
        quota('fifth', 'other'),
        quota(7, 'other'),
        { kind: 'Event', metadata: { namespace: 'shop' } },
      ];
      writeFileSync(join(folder, 'objects.json'), JSON.stringify({ kind: 'List', items }));
      const recording = await readRecording(folder);
      const scope = await createRecordedClusterReader(recording, takenAt, 'incident').scope(
        { cluster: 'incident', namespace: '' },
        new Set(),
        signal,
      );
      const unseen = scope.type === 'scope' ? scope.unseen : [];

      expect(recording.objects.Node.map(({ metadata }) => metadata.name)).toEqual(['n-a']);
      expect(unseen.map(({ what, namespace, because }) => [what, namespace, because])).toEqual([
        ['Node', '', 'malformed'],
        ['ResourceQuota', 'shop', 'malformed'],
        ['ResourceQuota', 'other', 'malformed'],
        ['Event', 'shop', 'malformed'],
      ]);
      expect(unseen[0]?.message).toContain('Node has no metadata.name');
      expect(unseen[1]?.message).toMatch(/shop\/one.*shop\/two.*shop\/three.*and 1 more/);
      expect(unseen[2]?.message).toContain('other/fifth has no usable spec.hard.pods');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
