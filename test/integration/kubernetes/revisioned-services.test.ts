import { describe, expect, it } from 'vitest';
import { createEngine } from '#src/service/create-engine.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { openRecorded, type Refusal, recordedIncident } from './recorded-cluster.js';

const families = {
  KnativeService: { folder: 'knative', path: '/serving.knative.dev/', incident: 'deadlock-of-two-revisions' },
  RayService: { folder: 'ray-services', path: '/rayservices', incident: 'deadlock-of-two-heads' },
  DynamoGraphDeployment: {
    folder: 'dynamo',
    path: '/dynamographdeployments',
    incident: 'deadlock-of-prefill-and-decode',
  },
} as const;
type Kind = keyof typeof families;

describe('a cluster with services of several revisions', () => {
  async function open(kind: Kind, id: string, status?: Refusal) {
    const { folder, path } = families[kind];
    const incident = recordedIncident(`${folder}/${id}`);
    const opened = await openRecorded({ kind, name: 'llm' }, incident, status && { part: path, status });
    return { ...opened, objects: incident.objects };
  }

  const podOf = (objects: readonly ApiObject[], isMeant: (name: string) => boolean): string =>
    objects.find(({ kind, metadata }) => kind === 'Pod' && isMeant(metadata.name))?.metadata.name ?? '';

  it.each(['KnativeService', 'RayService', 'DynamoGraphDeployment'] as const)(
    'proves the deadlock of a %s by what it reads of the cluster',
    async (kind) => {
      const { snapshot } = await open(kind, families[kind].incident);
      const [first] = createEngine().diagnose(await snapshot()).findings;

      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  it.each(['KnativeService', 'RayService', 'DynamoGraphDeployment'] as const)(
    'finds a %s by its name and by its pods, lists it in place of its parts, and watches it',
    async (kind) => {
      const { objects, find, scope, behind } = await open(kind, families[kind].incident);
      const workloads = [{ cluster: 'served', kind, namespace: 'shop', name: 'llm' }];
      const pod = podOf(objects, (name) => name.startsWith('llm-'));

      expect(await find({ name: 'llm' })).toEqual({ type: 'found', workloads });
      expect(await find({ member: 'Pod', name: pod })).toEqual({ type: 'found', workloads });
      expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual([kind]);
      expect(await behind({ kind: 'Pod', namespace: 'shop', name: pod })).toMatchObject({
        type: 'workload',
        workload: workloads[0],
        oldPods: 'some',
      });
    },
  );

  it.each([
    ['KnativeService', 403, 'llm-00002-deployment'],
    ['KnativeService', 404, 'llm-00002-deployment'],
    ['DynamoGraphDeployment', 403, 'llm-decode-7b2d4e60'],
    ['DynamoGraphDeployment', 404, 'llm-decode-7b2d4e60'],
  ] as const)(
    'leaves the Deployments of a %s as workloads where it answers %d',
    async (kind, status, deployment) => {
      const { objects, find, scope } = await open(kind, families[kind].incident, status);
      const pod = podOf(objects, (name) => name.startsWith(deployment));

      expect(await find({ member: 'Pod', name: pod })).toMatchObject({
        workloads: [{ kind: 'Deployment', name: deployment }],
      });
      const { snapshots, unseen } = await scope();
      expect(new Set(snapshots.map(({ workload }) => workload.kind))).toEqual(new Set(['Deployment']));
      const reasons = unseen.filter(({ what }) => what === kind).map(({ because }) => because);
      expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
    },
  );

  it.each([403, 404] as const)(
    'finds no RayService where it answers %d, and states a refusal',
    async (status) => {
      const { objects, find, scope } = await open('RayService', 'deadlock-of-two-heads', status);
      const pod = podOf(objects, (name) => name.includes('-head-'));

      expect(await find({ member: 'Pod', name: pod })).toMatchObject({ type: 'not-found' });
      const { snapshots, unseen } = await scope();
      expect(snapshots).toEqual([]);
      const reasons = unseen.filter(({ what }) => what === 'RayService').map(({ because }) => because);
      expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
    },
  );
});
