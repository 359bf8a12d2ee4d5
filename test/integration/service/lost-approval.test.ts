import { describe, expect, it } from 'vitest';
import { createSweep } from '#src/service/records/sweep.js';
import { createMemoryDeliveries } from '../../support/memory-deliveries.js';
import { withRedis } from '../../support/open-redis.js';
import { approve, approved, createStage, demanding, reviewed, type Stage } from './stage.js';

const db = withRedis();
const lastAttempt = { lastAttempt: true };

/** Deletes the record as a Redis that lost its last writes has done. */
const lose = (stage: Stage, approvalId: string) => db.redis.del(`${stage.prefix}:approval:${approvalId}`);

const sweep = (stage: Stage) =>
  createSweep({
    ...stage,
    alerts: { unhandled: async () => [] } as never,
    deliveries: createMemoryDeliveries().deliveries,
  })();

const shownIn = (stage: Stage, incidentId: string, approvalId: string) =>
  stage.jobsOf('delivery').filter(({ job }) => {
    const { kind, ...rest } = job as { kind: string; incidentId?: string; entry?: object };
    const isEntry = JSON.stringify(rest.entry) === JSON.stringify({ kind: 'refused', of: approvalId });
    return kind === 'thread' && rest.incidentId === incidentId && isEntry;
  });

describe('an approval whose record Redis has lost', () => {
  it('is reported on its incident when its change is due, and the workload is diagnosed again', async () => {
    const stage = createStage(db.redis);
    const job = await approved(stage);
    await lose(stage, job.approvalId);
    await stage.apply(job, lastAttempt);

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      phase: 'diagnosing',
      change: { failure: { key: 'change-unknown', values: { because: 'record-lost' } } },
    });
    expect(shownIn(stage, job.incidentId, job.approvalId)).toHaveLength(1);
    expect(stage.jobsOf('diagnosis').map((each) => each.job)).toContainEqual(
      // Nobody asked for it: the thread does not get the same picture again.
      expect.objectContaining({ incidentId: job.incidentId, follow: 0 }),
    );
    const { entries } = await stage.audit.decisions(10);
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'apply-refused',
        approvalId: job.approvalId,
        details: { because: 'record-lost', isCertain: false },
      }),
    );
  });

  it('is reported once, however often its job runs', async () => {
    const stage = createStage(db.redis);
    const job = await approved(stage);
    await lose(stage, job.approvalId);
    await stage.apply(job, lastAttempt);
    const { entries } = await stage.audit.decisions(100);
    await stage.apply(job, lastAttempt);

    expect((await stage.audit.decisions(100)).entries).toHaveLength(entries.length);
  });

  it('is reported where more people were deciding, by the sweep', async () => {
    const stage = createStage(db.redis, demanding({ approvers: 2 }));
    const { approvalId, incident } = await reviewed(stage);
    await approve(stage, approvalId);
    expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'awaiting' });
    await lose(stage, approvalId);
    await sweep(stage);
    for (const { job } of stage.jobsOf('remediation')) await stage.apply(job as never, lastAttempt);

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({
      phase: 'diagnosing',
      distrusted: { approvalId, isLost: true, because: { values: { because: 'record-lost' } } },
    });
    expect(shownIn(stage, incident.id, approvalId)).toHaveLength(1);
  });

  it('leaves an incident alone that waits for another one', async () => {
    const stage = createStage(db.redis);
    const job = await approved(stage);
    await stage.apply({ ...job, approvalId: 'another' }, lastAttempt);

    expect(await stage.incidents.get(job.incidentId)).toMatchObject({ phase: 'applying' });
  });
});
