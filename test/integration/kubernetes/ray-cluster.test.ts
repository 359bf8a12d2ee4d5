import { describe, expect, it } from 'vitest';
import { RayService } from '#src/engine/objects/ray-service.js';
import { openRecorded, type Refusal, recordedIncident } from './recorded-cluster.js';

const recording = recordedIncident('ray-services/deadlock-of-two-heads');
const open = (status?: Refusal) =>
  openRecorded({ kind: 'RayService', name: 'llm' }, recording, status && { part: '/rayservices', status });
const service = recording.objects.find(({ kind }) => kind === 'RayService');
const { revisions } = RayService.parse(service);
const clusters = [revisions.next, ...revisions.former].filter((name) => name !== undefined);

describe('the name of a RayCluster', () => {
  it.each(clusters)('leads to the RayService that it belongs to (%#)', async (name) => {
    const { find } = await open();

    expect(await find({ member: 'RayCluster', namespace: 'shop', name })).toMatchObject({
      type: 'found',
      workloads: [{ kind: 'RayService', name: 'llm' }],
    });
    expect(await find({ member: 'RayCluster', name })).toMatchObject({ type: 'found' });
  });

  it.each<[string, string, Refusal | undefined]>([
    ['no RayService has it', 'other', undefined],
    ['it is that of the RayService', 'llm', undefined],
    ['the cluster has no RayServices', clusters[0] ?? '', 404],
  ])('is not found where %s', async (_, name, status) => {
    const { find } = await open(status);

    expect(await find({ member: 'RayCluster', namespace: 'shop', name })).toMatchObject({
      type: 'not-found',
      what: 'owner',
      name: `raycluster/${name}`,
    });
  });

  it('is unreadable without the right to read RayServices', async () => {
    const { find } = await open(403);

    expect(await find({ member: 'RayCluster', namespace: 'shop', name: clusters[0] ?? '' })).toMatchObject({
      type: 'unreadable',
      because: 'forbidden',
    });
  });
});
