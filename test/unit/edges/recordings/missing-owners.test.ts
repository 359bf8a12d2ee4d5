import { describe, expect, it } from 'vitest';
import { openQuestionOf } from '#src/doctor/findings/main-finding.js';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { createRecordedClusterReader } from '#src/edges/recordings/recorded-cluster-reader.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { createEngine, createTell } from '#src/service/create-engine.js';

const at = '2026-07-01T12:00:00Z';

interface Owner {
  readonly kind: string;
  readonly name: string;
}

const pod = (name: string, owner: Owner, hash: string, ready: boolean) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: name,
    creationTimestamp: at,
    labels: { app: 'web', 'pod-template-hash': hash },
    ownerReferences: [{ apiVersion: 'apps/v1', controller: true, uid: owner.name, ...owner }],
  },
  spec: { nodeName: 'node-a', containers: [{ name: 'app', image: 'web:1', resources: {} }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const deployment = (name: string, replicas: number, status: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop', uid: name, creationTimestamp: at, generation: 1 },
  spec: {
    replicas,
    strategy: {},
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'app', image: 'web:1' }] },
    },
  },
  status,
});

async function diagnosesOf(...objects: readonly object[]) {
  const collector = createCollector();
  for (const object of objects)
    collector.take(object, { shown: 'a', place: undefined as never, isOnlyFile: false });
  const reader = createRecordedClusterReader({ ...collector.finish('a'), logs: [] }, at, 'a');
  const scope = await reader.scope({ cluster: 'a', namespace: '' }, new Set(), AbortSignal.timeout(60_000));
  if (scope.type !== 'scope') throw new Error('no scope');
  return scope.snapshots.map((snapshot) => createEngine().diagnose(snapshot));
}

describe('pods without their workload', () => {
  it.each([
    [
      'a Deployment, by the name of the ReplicaSet',
      { kind: 'ReplicaSet', name: 'web-5d8f' },
      'Deployment',
      'web',
    ],
    ['a StatefulSet', { kind: 'StatefulSet', name: 'web' }, 'StatefulSet', 'web'],
    ['a DaemonSet', { kind: 'DaemonSet', name: 'web' }, 'DaemonSet', 'web'],
  ])('are diagnosed as those of %s, which is missing', async (_, owner, kind, name) => {
    const [diagnosis] = await diagnosesOf(
      pod('web-1', owner, '5d8f', true),
      pod('web-2', owner, '5d8f', true),
    );
    if (diagnosis === undefined) throw new Error('no workload');
    expect(diagnosis.workload).toMatchObject({ kind, name, namespace: 'shop' });
    expect(diagnosis.ready).toMatchObject({ pods: 2, wanted: 2 });
    expect(openQuestionOf(diagnosis)).toMatchObject({ kind: 'unread' });
    const { missing } = diagnosisJson(diagnosis, createTell(), 'en');
    expect(missing).toContainEqual(
      expect.objectContaining({ what: kind, command: `kubectl get ${kind.toLowerCase()} -n shop -o yaml` }),
    );
  });

  it('are left alone beside a workload of their namespace, which shows that workloads were recorded', async () => {
    const diagnoses = await diagnosesOf(
      pod('web-1', { kind: 'StatefulSet', name: 'web' }, '', true),
      deployment('other', 0, { observedGeneration: 1 }),
    );
    expect(diagnoses.map(({ workload }) => workload.name)).toEqual(['other']);
  });

  it('are left alone where they name no workload, such as pods of a Job', async () => {
    await expect(diagnosesOf(pod('web-1', { kind: 'Job', name: 'web' }, '', true))).resolves.toEqual([]);
  });
});

describe('a workload without what it is made of', () => {
  it('leaves the question open where it has no status and no pods', async () => {
    const [diagnosis] = await diagnosesOf(deployment('web', 2, {}));
    expect(diagnosis && openQuestionOf(diagnosis)).toMatchObject({
      kind: 'unread',
      unread: [{ what: 'Pod' }],
    });
  });

  it('is no question where a controller has seen that it wants no pods', async () => {
    const [diagnosis] = await diagnosesOf(deployment('web', 0, { observedGeneration: 1 }));
    expect(diagnosis && openQuestionOf(diagnosis)).toBeUndefined();
  });

  it('leaves the question open also beside the ReplicaSets of another workload', async () => {
    const complete = {
      observedGeneration: 1,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    };
    const { spec } = deployment('one', 1, {});
    const replicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: 'one-5d8f',
        namespace: 'shop',
        uid: 'one-5d8f',
        creationTimestamp: at,
        generation: 1,
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'one', uid: 'one', controller: true },
        ],
      },
      spec,
      status: { observedGeneration: 1, replicas: 1, readyReplicas: 1 },
    };
    const diagnoses = await diagnosesOf(
      deployment('one', 1, complete),
      deployment('two', 1, complete),
      replicaSet,
      pod('one-1', { kind: 'ReplicaSet', name: 'one-5d8f' }, '5d8f', true),
    );
    const unread = diagnoses.map(({ workload, unseen }) => [
      workload.name,
      unseen.some(({ what }) => what === 'ReplicaSet'),
    ]);
    expect(unread).toEqual([
      ['one', false],
      ['two', true],
    ]);
  });
});
