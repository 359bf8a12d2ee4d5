import { describe, expect, it } from 'vitest';
import type { Gathering } from '#src/adapters/kubernetes/gathering.js';
import { readChargedPods } from '#src/adapters/kubernetes/read-charged-pods.js';
import type { Event } from '#src/core/cluster/event.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { creationEvent, type RefusedFields, refused } from '../../core/creation/build.js';

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
