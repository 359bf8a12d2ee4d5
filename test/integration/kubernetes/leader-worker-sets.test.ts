import { describe, expect, it } from 'vitest';
import type { NamedWorkload } from '#src/doctor/commands/command.js';
import { createEngine } from '#src/service/create-engine.js';
import { openRecorded, type Refusal, recordedIncident } from './recorded-cluster.js';

const open = (incident: Incident, status?: Refusal) =>
  openRecorded(
    { kind: 'LeaderWorkerSet', name: 'inference' },
    incident,
    status && { part: '/leaderworkersets', status },
  );
type Incident = ReturnType<typeof recordedIncident>;
const recorded = (id: string): Incident => recordedIncident(`leader-worker-sets/${id}`);

describe('a cluster with LeaderWorkerSets', () => {
  it.each(['one-pod-group', 'group-of-two', 'two-groups', 'leader-first', 'half-a-group'])(
    'proves the deadlock of %s by what it reads of the cluster',
    async (id) => {
      const { snapshot } = await open(recorded(id));
      const [first] = createEngine().diagnose(await snapshot()).findings;
      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  const found = {
    type: 'found',
    workloads: [{ cluster: 'served', kind: 'LeaderWorkerSet', namespace: 'shop', name: 'inference' }],
  };

  it.each<[string, NamedWorkload]>([
    ['its name alone', { name: 'inference' }],
    ['a leader', { member: 'Pod', name: 'inference-0' }],
    ['a worker', { member: 'Pod', name: 'inference-0-1' }],
  ])('is found by %s, not its StatefulSets', async (_, query) => {
    const { find } = await open(recorded('two-groups'));
    expect(await find(query)).toEqual(found);
  });

  it('is listed in a scan in place of its StatefulSets', async () => {
    const { scope } = await open(recorded('two-groups'));
    expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual(['LeaderWorkerSet']);
  });

  it.each([403, 404] as const)('leaves its StatefulSets as workloads where it answers %d', async (status) => {
    const { find, scope } = await open(recorded('two-groups'), status);
    expect(await find({ name: 'inference' })).toMatchObject({ workloads: [{ kind: 'StatefulSet' }] });
    expect(await find({ member: 'Pod', name: 'inference-0-1' })).toMatchObject({
      workloads: [{ kind: 'StatefulSet', name: 'inference-0' }],
    });
    const { snapshots, unseen } = await scope();
    expect(new Set(snapshots.map(({ workload }) => workload.kind))).toEqual(new Set(['StatefulSet']));
    const reasons = unseen.filter(({ what }) => what === 'LeaderWorkerSet').map(({ because }) => because);
    expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
  });

  it('states that the right is missing where somebody names the kind', async () => {
    const { find } = await open(recorded('two-groups'), 403);
    expect(await find({ kind: 'LeaderWorkerSet', namespace: 'shop', name: 'inference' })).toMatchObject({
      type: 'unreadable',
      because: 'forbidden',
    });
  });
});
