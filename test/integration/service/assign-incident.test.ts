import { expect, it } from 'vitest';
import { assigneeOf } from '#src/doctor/incidents/incident-transitions.js';
import { noSight } from '#src/doctor/policy/view.js';
import { type AssignStep, createAssignIncident } from '#src/service/people/assign-incident.js';
import { withRedis } from '../../support/open-redis.js';
import { openRecords } from '../../support/redis-records.js';
import { openSights } from '../../support/sights.js';
import { createStage } from './stage.js';

const db = withRedis();

/** A stage with one diagnosed incident, and what people do about who is on it. */
async function withIncident() {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  const assign = createAssignIncident(stage);
  return {
    stage,
    id,
    does: (by: string, step: AssignStep = { type: 'take' }) => assign({ incidentId: id, by, step }),
    onIt: async () => {
      const stored = await stage.incidents.get(id);
      return stored && assigneeOf(stored)?.by;
    },
    entries: async () => {
      const { entries } = await stage.audit.requests(50);
      return entries
        .filter(({ action }) => action === 'assigned' || action === 'unassigned')
        .map(({ action, by, details }) => ({ action, by, ...details }));
    },
    notices: () =>
      stage
        .jobsOf('delivery')
        .map(
          ({ job }) =>
            job as { readonly kind: string; readonly user?: string; readonly statement?: { key: string } },
        )
        .filter(({ kind }) => kind === 'notice')
        .map(({ user, statement }) => [user, statement?.key]),
  };
}

it('the first of two people who press at the same time is on it, and the second learns who', async () => {
  const { does, onIt, entries, stage } = await withIncident();
  const pressed = await Promise.all([does('U0DANA'), does('U0MIN'), does('U0SAM')]);

  const winners = pressed.filter(({ type }) => type === 'yours');
  const others = pressed.filter(({ type }) => type === 'held');
  const winner = await onIt();
  expect(winners).toMatchObject([{ isNew: true }]);
  expect(others).toMatchObject([
    { assignee: { by: winner }, isNew: false },
    { assignee: { by: winner }, isNew: false },
  ]);
  expect(await entries()).toEqual([{ action: 'assigned', by: winner, to: winner }]);
  expect(stage.jobsOf('delivery').map(({ job }) => job)).toContainEqual(
    expect.objectContaining({ kind: 'card' }),
  );
});

it('pressing again changes nothing', async () => {
  const { does, entries } = await withIncident();
  await does('U0DANA');
  expect(await does('U0DANA')).toMatchObject({ type: 'yours', isNew: false });
  expect(await entries()).toHaveLength(1);
});

it('another person takes the incident over, and the former person gets a notice', async () => {
  const { does, onIt, entries, notices } = await withIncident();
  await does('U0DANA');
  expect(await does('U0MIN', { type: 'take-over', from: 'U0SAM' })).toMatchObject({
    type: 'held',
    isNew: false,
  });
  expect(await does('U0MIN', { type: 'take-over', from: 'U0DANA' })).toMatchObject({
    type: 'yours',
    isNew: true,
  });
  expect(await onIt()).toBe('U0MIN');
  expect((await entries())[0]).toEqual({ action: 'assigned', by: 'U0MIN', to: 'U0MIN', from: 'U0DANA' });
  expect(notices()).toEqual([['U0DANA', 'taken-from-you']]);
});

it('the person who has it hands it over or back, and nobody else does', async () => {
  const { does, onIt, entries, notices } = await withIncident();
  await does('U0DANA');
  expect(await does('U0SAM', { type: 'hand-over', to: 'U0MIN' })).toMatchObject({
    type: 'held',
    isNew: false,
  });
  expect(await does('U0SAM', { type: 'hand-back' })).toMatchObject({ type: 'held', isNew: false });

  expect(await does('U0DANA', { type: 'hand-over', to: 'U0MIN' })).toMatchObject({
    type: 'held',
    isNew: true,
  });
  expect(await onIt()).toBe('U0MIN');
  expect(notices()).toEqual([['U0MIN', 'handed-to-you']]);

  expect(await does('U0MIN', { type: 'hand-back' })).toMatchObject({ type: 'free' });
  expect(await onIt()).toBeUndefined();
  expect((await entries())[0]).toEqual({ action: 'unassigned', by: 'U0MIN', from: 'U0MIN' });
});

it('gives the former person a notice also where the process ends once the record is written', async () => {
  const { stage, id, does, onIt, notices } = await withIncident();
  await does('U0DANA');
  const ended = () => Promise.reject(new Error('the process ended'));
  const assign = createAssignIncident({ ...stage, audit: { ...stage.audit, append: ended } });
  const step = { type: 'take-over', from: 'U0DANA' } as const;
  await expect(assign({ incidentId: id, by: 'U0MIN', step })).rejects.toThrow('the process ended');
  expect(await onIt()).toBe('U0MIN');
  expect(notices()).toEqual([['U0DANA', 'taken-from-you']]);
});

it('is for people who may view the workload', async () => {
  const { stage, id, does, onIt } = await withIncident();
  const sights = {
    ofPerson: async (user: string) => (user === 'U0GUEST' ? noSight : openSights().ofPerson(user)),
  };
  const assign = createAssignIncident({ ...stage, sights });
  expect(await assign({ incidentId: id, by: 'U0GUEST', step: { type: 'take' } })).toMatchObject({
    because: { key: 'incident-unknown' },
  });
  await does('U0DANA');
  expect(
    await assign({ incidentId: id, by: 'U0DANA', step: { type: 'hand-over', to: 'U0GUEST' } }),
  ).toMatchObject({ because: { key: 'assignee-cannot-view' } });
  expect(await onIt()).toBe('U0DANA');
});

it('nobody is put on an incident that is over', async () => {
  const { stage, id, does } = await withIncident();
  const stored = await stage.incidents.get(id);
  if (stored === undefined) throw new Error('must be stored');
  await stage.incidents.replace({ ...stored, version: stored.version + 1, phase: 'failed' });
  expect(await does('U0DANA')).toMatchObject({ because: { key: 'incident-over' } });
});

it('survives a restart, and a record that an earlier version wrote has nobody on it', async () => {
  const { stage, id, does, onIt } = await withIncident();
  expect(await onIt()).toBeUndefined();
  await does('U0DANA');
  const restarted = openRecords(db.redis, stage.prefix, () => undefined);
  expect((await restarted.incidents.get(id))?.assignee).toMatchObject({
    by: 'U0DANA',
    cause: 'surge-deadlock',
  });
});
