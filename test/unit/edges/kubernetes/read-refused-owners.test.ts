import { describe, expect, it } from 'vitest';
import type { Gathering } from '#src/edges/kubernetes/gathering.js';
import { readRefusedOwners } from '#src/edges/kubernetes/read-own.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Event } from '#src/engine/objects/event.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { quota, refused } from '../../engine/creation/build.js';

const denied =
  'pods "cache-1-a" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1';

function eventOf(name: string, fields: object = {}): Event {
  return Event.parse({
    metadata: { name: `${name}.1`, namespace: 'shop' },
    involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name, uid: `${name}-uid` },
    type: 'Warning',
    reason: 'FailedCreate',
    message: denied,
    ...fields,
  });
}

function deploymentOf(name: string, message: string): Deployment {
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
  return Deployment.parse({
    metadata: { name, namespace: 'shop', uid: `${name}-uid` },
    spec: { selector: { matchLabels: { app: name } }, template: { metadata: {}, spec: { containers: [] } } },
    status: { conditions },
  });
}

/** The selections of ReplicaSets that are listed for `shop/web` and these objects. */
async function listed(
  events: readonly Event[],
  deployments: readonly Deployment[] = [],
  quotas = [quota({ hard: { pods: '1' }, used: { pods: '1' } })],
): Promise<readonly unknown[]> {
  const { workload, index } = refused();
  const objects = { ...index.objects, Event: events, Deployment: deployments, ResourceQuota: quotas };
  const gathered = indexObjects(clusterObjects(objects)).objects;
  const calls: unknown[] = [];
  const gathering: Pick<Gathering, 'list' | 'objects'> = {
    list: async (kind, selection) => {
      calls.push([kind, selection]);
      return [];
    },
    objects: () => gathered,
  };
  await readRefusedOwners(gathering, workload);
  return calls;
}

const named = (name: string) => ['ReplicaSet', { namespace: 'shop', fieldSelector: `metadata.name=${name}` }];

describe('ReplicaSets of other workloads', () => {
  it('are read by name where events report that a quota refuses their pods', async () => {
    expect(await listed([eventOf('cache-1'), eventOf('cache-1'), eventOf('search-1')])).toEqual([
      named('cache-1'),
      named('search-1'),
    ]);
  });

  it.each(['StatefulSet', 'DaemonSet'])('and a %s are read by name', async (kind) => {
    const involvedObject = { kind, namespace: 'shop', name: 'cache', uid: 'cache-uid' };

    expect(await listed([eventOf('cache', { involvedObject })])).toEqual([
      [kind, { namespace: 'shop', fieldSelector: 'metadata.name=cache' }],
    ]);
  });

  it('are read by the selector of a Deployment that reports the refusal', async () => {
    expect(await listed([], [deploymentOf('cache', denied)])).toEqual([
      ['ReplicaSet', { namespace: 'shop', labelSelector: 'app=cache' }],
    ]);
  });

  it('are read in one list where many are refused', async () => {
    const many = Array.from({ length: 21 }, (_, at) => eventOf(`cache-${at}`));
    expect(await listed(many)).toEqual([['ReplicaSet', { namespace: 'shop', max: 2_000 }]]);
  });

  it.each<readonly [string, Parameters<typeof listed>]>([
    ['the workload itself is refused', [[eventOf('web-2')]]],
    ['something else refuses', [[eventOf('cache-1', { message: 'violates PodSecurity "baseline:latest"' })]]],
    ['a Deployment is refused something else', [[], [deploymentOf('cache', 'violates PodSecurity')]]],
    [
      'a Job is refused',
      [[eventOf('import', { involvedObject: { kind: 'Job', name: 'import', uid: 'j' } })]],
    ],
    ['no quota is seen', [[eventOf('cache-1')], [], []]],
  ])('are not read where %s', async (_, input) => {
    expect(await listed(...input)).toEqual([]);
  });
});
