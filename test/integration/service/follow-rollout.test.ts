import { describe, expect, it } from 'vitest';
import { createDiagnoseAgain } from '#src/service/diagnose/diagnose-again.js';
import { createRunDiagnosis, followAfterMs } from '#src/service/diagnose/run-diagnosis.js';
import type { Jobs } from '#src/service/jobs/jobs.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { createStage } from './stage.js';

const db = withRedis();

const moving = buildDiagnosis({ findings: [], underWay: { updated: 1, wanted: 3 } });
const complete = buildDiagnosis({ findings: [] });
const stuck = buildDiagnosis({ underWay: { updated: 1, wanted: 3 } });

/** A requested incident and its repeated diagnoses. */
async function requestIncident(first = moving) {
  const stage = createStage(db.redis);
  const { incident } = await stage.incidents.open(buildIncident({ phase: 'diagnosing', look: 1 }));
  const metrics = { found: () => undefined, diagnosisTook: () => undefined } as never;
  const run = createRunDiagnosis({ ...stage, metrics });
  const done = new Set<string>();
  const next = () =>
    [...stage.queued].find(([id, { queue }]) => queue === 'diagnosis' && !done.has(id)) as
      | [string, { readonly job: Jobs['diagnosis'] }]
      | undefined;
  stage.world.diagnosis = first;
  await run({ v: 1, incidentId: incident.id, look: 1 }, { lastAttempt: true, urgency: 'alert' });
  return {
    ...stage,
    id: incident.id,
    next,
    /** Runs the next queued diagnosis. */
    async diagnoseNext(): Promise<Jobs['diagnosis'] | undefined> {
      const [id, entry] = next() ?? [];
      if (id === undefined || entry === undefined) return undefined;
      done.add(id);
      await run(entry.job, { lastAttempt: true, urgency: 'alert' });
      return entry.job;
    },
    now: async () => stage.incidents.get(incident.id),
    entries: () =>
      stage
        .jobsOf('delivery')
        .map(({ job }) => job as Jobs['delivery'])
        .filter(({ kind }) => kind === 'thread'),
  };
}

describe('a diagnosis without a finding', () => {
  it('is repeated while the rollout is under way, until a diagnosis finds the deadlock', async () => {
    const rollout = await requestIncident();
    rollout.world.diagnosis = stuck;
    await rollout.diagnoseNext();

    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: stuck });
    expect(rollout.next()).toBeUndefined();
    expect(rollout.entries()).toHaveLength(2);
  });

  it('is not repeated when the rollout is complete', async () => {
    expect((await requestIncident(complete)).next()).toBeUndefined();
  });

  it('with a finding is not repeated', async () => {
    expect((await requestIncident(stuck)).next()).toBeUndefined();
  });

  it('is not repeated after the rollout is complete, and adds nothing to the thread', async () => {
    const rollout = await requestIncident();
    rollout.world.diagnosis = complete;
    await rollout.diagnoseNext();

    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: complete });
    expect(rollout.next()).toBeUndefined();
    expect(rollout.entries()).toHaveLength(1);
  });

  it('is repeated a limited number of times while the rollout continues', async () => {
    const rollout = await requestIncident();
    const follows: unknown[] = [];
    for (let job = await rollout.diagnoseNext(); job !== undefined; job = await rollout.diagnoseNext()) {
      follows.push(job.follow);
    }

    expect(follows).toEqual(followAfterMs.map((_, position) => position + 1));
  });

  it('is not repeated after a person diagnosed again', async () => {
    const rollout = await requestIncident();
    rollout.world.diagnosis = complete;
    await createDiagnoseAgain(rollout)({ incidentId: rollout.id, by: 'U0DANA' });
    const following = await rollout.diagnoseNext();
    const byPerson = await rollout.diagnoseNext();

    expect(following).toMatchObject({ look: 2, follow: 1 });
    expect(byPerson).toEqual({ v: 1, incidentId: rollout.id, look: 2 });
    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: complete });
    expect(rollout.next()).toBeUndefined();
  });

  it('is not repeated while a change of the incident is applied', async () => {
    const rollout = await requestIncident();
    const seen = await rollout.now();
    if (seen === undefined) throw new Error('the incident is gone');
    const applying = { ...seen, version: seen.version + 1, phase: 'applying' } as const;
    await rollout.incidents.replace(applying);
    await rollout.diagnoseNext();

    expect(await rollout.now()).toEqual(applying);
  });
});
