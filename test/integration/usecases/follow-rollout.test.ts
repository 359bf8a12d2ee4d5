import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Jobs } from '#src/jobs/jobs.js';
import { createLookAgain } from '#src/usecases/diagnose/diagnose-again.js';
import { followAfterMs } from '#src/usecases/diagnose/follow-rollout.js';
import { createRunDiagnosis } from '#src/usecases/diagnose/run-diagnosis.js';
import { buildDiagnosis } from '#support/diagnosis.js';
import { withRedis } from '#support/open-redis.js';
import { buildIncident } from '#support/records.js';
import { createStage } from './stage.js';

let redis: Redis;

withRedis((open) => {
  ({ redis } = open);
});

const moving = buildDiagnosis({ findings: [], underWay: { updated: 1, wanted: 3 } });
const complete = buildDiagnosis({ findings: [] });
const stuck = buildDiagnosis({ underWay: { updated: 1, wanted: 3 } });

/** An incident that was just asked for, and the looks that follow from it. */
async function asked(first = moving) {
  const stage = createStage(redis);
  const { incident } = await stage.incidents.open(buildIncident({ phase: 'diagnosing', look: 1 }));
  const metrics = { found: () => undefined, lookTook: () => undefined } as never;
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
    /** Does the next queued look. */
    async looks(): Promise<Jobs['diagnosis'] | undefined> {
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

describe('a look that finds nothing', () => {
  it('is followed by another while the rollout is under way, until the deadlock shows', async () => {
    const rollout = await asked();
    rollout.world.diagnosis = stuck;
    await rollout.looks();

    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: stuck });
    expect(rollout.next()).toBeUndefined();
    expect(rollout.entries()).toHaveLength(2);
  });

  it('is followed by none when the rollout is complete', async () => {
    expect((await asked(complete)).next()).toBeUndefined();
  });

  it('is followed by none when it did find something', async () => {
    expect((await asked(stuck)).next()).toBeUndefined();
  });

  it('ends following once the rollout is complete, with nothing more said in the thread', async () => {
    const rollout = await asked();
    rollout.world.diagnosis = complete;
    await rollout.looks();

    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: complete });
    expect(rollout.next()).toBeUndefined();
    expect(rollout.entries()).toHaveLength(1);
  });

  it('is followed a bounded number of times while the rollout goes on moving', async () => {
    const rollout = await asked();
    const follows: unknown[] = [];
    for (let job = await rollout.looks(); job !== undefined; job = await rollout.looks()) {
      follows.push(job.follow);
    }

    expect(follows).toEqual(followAfterMs.map((_, position) => position + 1));
  });

  it('is not followed once a person has looked again meanwhile', async () => {
    const rollout = await asked();
    rollout.world.diagnosis = complete;
    await createLookAgain(rollout)({ incidentId: rollout.id, by: 'U0DANA' });
    const following = await rollout.looks();
    const byPerson = await rollout.looks();

    expect(following).toMatchObject({ look: 2, follow: 1 });
    expect(byPerson).toEqual({ v: 1, incidentId: rollout.id, look: 2 });
    expect(await rollout.now()).toMatchObject({ phase: 'diagnosed', look: 2, diagnosis: complete });
    expect(rollout.next()).toBeUndefined();
  });

  it('is not followed once the incident is on its way through a change', async () => {
    const rollout = await asked();
    const seen = await rollout.now();
    if (seen === undefined) throw new Error('the incident is gone');
    const applying = { ...seen, version: seen.version + 1, phase: 'applying' } as const;
    await rollout.incidents.replace(applying);
    await rollout.looks();

    expect(await rollout.now()).toEqual(applying);
  });
});
