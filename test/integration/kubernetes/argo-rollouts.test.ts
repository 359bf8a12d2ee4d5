import { describe, expect, it } from 'vitest';
import { createEngine } from '#src/service/create-engine.js';
import { openRecorded, type Refusal, recordedIncident } from './recorded-cluster.js';

const open = (incident: Incident, status?: Refusal) =>
  openRecorded({ kind: 'Rollout', name: 'inference' }, incident, status && { part: '/rollouts', status });
type Incident = ReturnType<typeof recordedIncident>;
const recorded = (id: string): Incident => recordedIncident(`argo-rollouts/${id}`);

describe('a cluster with Argo Rollouts', () => {
  it.each(['canary-without-steps', 'routed-canary', 'blue-green', 'template-of-a-deployment'])(
    'proves the deadlock of %s by what it reads of the cluster',
    async (id) => {
      const { snapshot } = await open(recorded(id));
      const [first] = createEngine().diagnose(await snapshot()).findings;
      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  it('finds a Rollout by its name alone, and lists it in a scan', async () => {
    const { find, scope } = await open(recorded('canary-without-steps'));
    expect(await find({ name: 'inference' })).toMatchObject({
      type: 'found',
      workloads: [{ kind: 'Rollout', namespace: 'shop', name: 'inference' }],
    });
    expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual(['Rollout']);
  });

  it.each([403, 404] as const)('finds nothing by a name alone where Rollouts answer %d', async (status) => {
    const { find } = await open(recorded('canary-without-steps'), status);
    expect(await find({ name: 'inference' })).toMatchObject({ type: 'not-found', what: 'workload' });
  });

  it('states that the right is missing where somebody names the kind', async () => {
    const { find } = await open(recorded('canary-without-steps'), 403);
    expect(await find({ kind: 'Rollout', namespace: 'shop', name: 'inference' })).toMatchObject({
      type: 'unreadable',
      because: 'forbidden',
    });
  });

  it('states in a scan that Rollouts could not be read only where a ReplicaSet belongs to one', async () => {
    const whole = recorded('canary-without-steps');
    const others = whole.objects.filter(({ kind }) => !['Rollout', 'ReplicaSet', 'Pod'].includes(kind));
    const without = { ...whole, objects: others };
    const unseenIn = async (incident: Incident, status: Refusal) => {
      const { scope } = await open(incident, status);
      const { unseen } = await scope();
      return unseen.filter(({ what }) => what === 'Rollout').map(({ because }) => because);
    };
    expect(await unseenIn(whole, 403)).toEqual(['forbidden']);
    expect(await unseenIn(without, 403)).toEqual([]);
    expect(await unseenIn(whole, 404)).toEqual([]);
  });
});
