import { describe, expect, it } from 'vitest';
import type { Gathering } from '#src/edges/kubernetes/gathering.js';
import { readChargedPods } from '#src/edges/kubernetes/read-own.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Event } from '#src/engine/objects/event.js';
import { KnativeService, knativeLabels } from '#src/engine/objects/knative-service.js';
import { groupLabels, LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { RayService } from '#src/engine/objects/ray-service.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { ReplicaSet, StatefulSet, type Workload } from '#src/engine/objects/workload.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { creationEvent, type RefusedFields, refused } from '../../engine/creation/build.js';

/** The kinds and selections that are listed for what was gathered so far. */
async function listed({ workload, index }: Snapshot): Promise<readonly unknown[]> {
  const calls: unknown[] = [];
  const gathering: Pick<Gathering, 'list' | 'objects'> = {
    list: async (kind, selection) => {
      calls.push([kind, selection.namespace]);
      return [];
    },
    objects: () => index.objects,
  };
  await readChargedPods(gathering, workload);
  return calls;
}

const denied = 'Error creating: pods "web-2-a" is forbidden: exceeded quota: team, requested: pods=1';
const event = (uid: string): Event => creationEvent('FailedCreate', denied, 30, uid);

describe('the pods of the namespace', () => {
  it.each<[string, RefusedFields]>([
    ['the ReplicaSet reports it', {}],
    ['an event about the ReplicaSet reports it', { message: undefined, events: [event('web-2-uid')] }],
    ['an event about the workload reports it', { message: undefined, events: [event('web-uid')] }],
  ])('are read while a quota refuses the pods of the workload: %s', async (_, fields) => {
    expect(await listed(refused(fields))).toEqual([['Pod', 'shop']]);
  });

  it.each<[string, RefusedFields]>([
    ['no pod is refused', { message: undefined }],
    [
      'something else refuses',
      { message: 'pods "a" is forbidden: violates PodSecurity "restricted:latest": x' },
    ],
    ['another workload is refused', { message: undefined, events: [event('cache-uid')] }],
    ['no quota is visible', { quotas: [] }],
  ])('are not read while %s', async (_, fields) => {
    expect(await listed(refused(fields))).toEqual([]);
  });
});

describe('the pods of the namespace of another kind', () => {
  const metadata = { namespace: 'shop', name: 'llm', uid: 'llm' };
  const quota = ResourceQuota.parse({
    metadata: { namespace: 'shop', name: 'team' },
    spec: { hard: { pods: '1' } },
  });
  const template = { spec: { containers: [] } };
  const refusal = (kind: string, name: string, reason: string): Event =>
    Event.parse({
      metadata: { namespace: 'shop', name: `${name}.1` },
      involvedObject: { kind, namespace: 'shop', name, uid: name },
      type: 'Warning',
      reason,
      message: denied,
    });
  const owned = (labels: object) => ({
    metadata: { namespace: 'shop', name: 'own', uid: 'own', labels },
    spec: { selector: {}, template },
  });
  const listedFor = (workload: Workload, objects: Partial<ClusterObjects>) =>
    listed(buildSnapshot(workload, { ResourceQuota: [quota], ...objects }));

  it('are read while a quota refuses pods of a group, and not for another one', async () => {
    const set = LeaderWorkerSet.parse({
      metadata,
      spec: { leaderWorkerTemplate: { workerTemplate: template } },
    });
    const read = (name: string) =>
      listedFor(set, {
        StatefulSet: [StatefulSet.parse(owned({ [groupLabels.name]: name }))],
        Event: [refusal('StatefulSet', 'own', 'FailedCreate')],
      });

    expect(await read('llm')).toEqual([['Pod', 'shop']]);
    expect(await read('other')).toEqual([]);
  });

  it('are read while a quota refuses pods of a revision, and not for another service', async () => {
    const service = KnativeService.parse({ metadata, spec: { template } });
    const read = (name: string) =>
      listedFor(service, {
        ReplicaSet: [ReplicaSet.parse(owned({ [knativeLabels.service]: name }))],
        Event: [refusal('ReplicaSet', 'own', 'FailedCreate')],
      });

    expect(await read('llm')).toEqual([['Pod', 'shop']]);
    expect(await read('other')).toEqual([]);
  });

  it('are read while a quota refuses pods of its RayCluster', async () => {
    const service = RayService.parse({
      metadata,
      spec: { rayClusterConfig: { headGroupSpec: { template } } },
      status: { pendingServiceStatus: { rayClusterName: 'llm-abcde' } },
    });
    const read = (cluster: string) =>
      listedFor(service, { Event: [refusal('RayCluster', cluster, 'FailedToCreateHeadPod')] });

    expect(await read('llm-abcde')).toEqual([['Pod', 'shop']]);
    expect(await read('other-abcde')).toEqual([]);
  });
});
