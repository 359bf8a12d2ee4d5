import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { createAlertStage, maxAlertRecords, web } from './stage.js';

let stage: ReturnType<typeof createAlertStage>;

const db = withRedis();

beforeEach(() => {
  stage = createAlertStage(db.redis);
});

const recovered = () => buildDiagnosis({ findings: [] });
const crashing = (revision = '2') =>
  buildDiagnosis({ revision, findings: [buildFinding({ cause: 'application-crash' })] });

describe('an alert', () => {
  it('opens one incident and counts once when its job runs twice', async () => {
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    const record = await stage.alerts.get('a1');
    if (record !== undefined)
      await stage.alerts.replace({ ...record, version: record.version + 1, handled: 0 });
    await stage.handleAlert('a1');

    expect((await stage.onlyIncident('a1')).occurrences).toBe(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
    expect(stage.jobsOf('diagnosis')).toHaveLength(1);
  });

  it('is queued by the retry of the sender when the first process died before it queued the job', async () => {
    stage.world.dies = true;
    await expect(stage.receiveAlert('a1')).rejects.toThrow('killed');
    stage.world.dies = false;

    expect(await stage.receiveAlert('a1')).toBe('repeated');
    expect(stage.jobsOf('alert')).toEqual(['alert-a1-1']);
  });

  it('is queued by the sweep when the process died and the sender does not retry', async () => {
    stage.world.dies = true;
    await expect(stage.receiveAlert('a1')).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.sweep();
    await stage.handleAlert('a1');
    await stage.sweep();

    expect(stage.jobsOf('alert')).toEqual(['alert-a1-1']);
    expect((await stage.onlyIncident('a1')).workload).toEqual(web);
  });

  it('opens one incident when the worker dies between incident and record', async () => {
    await stage.receiveAlert('a1');
    stage.world.dies = true;
    await expect(stage.handleAlert('a1')).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.handleAlert('a1');

    expect((await stage.onlyIncident('a1')).occurrences).toBe(1);
    expect(stage.jobsOf('diagnosis')).toHaveLength(1);
  });

  it('opens one incident for a hundred simultaneous deliveries', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => stage.receiveAlert('a1')));
    await Promise.all(Array.from({ length: 4 }, () => stage.handleAlert('a1')));

    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
    expect((await stage.onlyIncident('a1')).occurrences).toBe(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it('counts on the same incident when it repeats later, and starts another diagnosis', async () => {
    await stage.diagnoseAlert('a1');
    stage.advanceMinutes(240);
    const incident = await stage.diagnoseAlert('a1');

    expect(incident).toMatchObject({ occurrences: 2, look: 2 });
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it('is recognised by the time of its event when Slack delivers it again after minutes', async () => {
    const place = { channel: 'C0INCIDENTS', threadTs: '1.5' };
    const firstSentAt = new Date(stage.world.now);
    const first = await stage.receiveAlert('a1', { source: 'slack' }, place, firstSentAt);
    stage.advanceMinutes(6);

    expect([first, await stage.receiveAlert('a1', { source: 'slack' }, place, firstSentAt)]).toEqual([
      'recorded',
      'repeated',
    ]);
    expect(await stage.receiveAlert('a1', { source: 'slack' }, place)).toBe('recorded');
  });

  it('with a time in the future is recorded with the present time', async () => {
    const ahead = new Date(stage.world.now + 86_400_000);
    await stage.receiveAlert('a1', {}, { channel: 'C0INCIDENTS' }, ahead);

    expect((await stage.alerts.get('a1'))?.lastAt).toBe(new Date(stage.world.now).toISOString());
  });

  it('that fires right after a diagnosis is counted at once, and one more diagnosis runs 20 seconds later', async () => {
    stage.world.diagnosis = buildDiagnosis({ takenAt: new Date(stage.world.now).toISOString() });
    const first = await stage.diagnoseAlert('a1');
    await stage.receiveAlert('a2', { fingerprint: 'other' });
    await stage.handleAlert('a2');
    const counted = await stage.onlyIncident('a2');
    const later = await stage.diagnose(first.id, counted.look + 1);

    expect(counted).toMatchObject({ id: first.id, phase: 'diagnosed', look: 1, occurrences: 2 });
    expect(stage.queued.get(`diagnosis-${first.id}-2`)?.delayMs).toBe(20_000);
    expect(later).toMatchObject({ phase: 'diagnosed', look: 2, occurrences: 2 });
  });

  it('that resolves and fires three times edits its card, and the thread states the cause once', async () => {
    const first = await stage.diagnoseAlert('a1');
    for (let round = 1; round <= 3; round += 1) {
      stage.advanceMinutes(1);
      await stage.receiveAlert('a1', { status: 'resolved', startsAt: at(round - 1) });
      await stage.handleAlert('a1');
      stage.advanceMinutes(1);
      await stage.diagnoseAlert('a1', { startsAt: at(round) });
    }

    expect(await stage.incidents.get(first.id)).toMatchObject({ occurrences: 4 });
    expect(stage.jobsOf('delivery').filter((id) => id.startsWith('thread-'))).toHaveLength(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it.each([
    ['years ahead', '2035-01-01T00:00:00Z'],
    ['years behind', '1999-01-01T00:00:00Z'],
  ])(
    'from a sender whose clock is %s is diagnosed, resolved and reopened like any other',
    async (_, startsAt) => {
      await stage.diagnoseAlert('a1', { startsAt });
      stage.advanceMinutes(1);
      stage.world.diagnosis = recovered();
      await stage.receiveAlert('a1', { startsAt, status: 'resolved' });
      await stage.handleAlert('a1');
      const closed = await stage.diagnose((await stage.onlyIncident('a1')).id);
      stage.advanceMinutes(10);
      stage.world.diagnosis = buildDiagnosis();
      const again = await stage.diagnoseAlert('a1', { startsAt });

      expect(closed).toMatchObject({ phase: 'diagnosed', alerts: [{ status: 'resolved' }] });
      expect(again).toMatchObject({ id: closed?.id, occurrences: 2, look: 3 });
    },
  );

  it('joins the incident that a person opened in the channel', async () => {
    await stage.incidents.open(buildIncident({ id: 'asked', workload: web, channel: 'C0INCIDENTS' }));
    await stage.diagnoseAlert('a1');

    expect(await stage.onlyIncident('a1')).toMatchObject({
      id: 'asked',
      occurrences: 2,
      origin: { via: 'command' },
    });
  });

  it('with another fingerprint joins the incident of its workload, and its jobs have the urgency of alerts', async () => {
    await stage.diagnoseAlert('a1');
    await stage.diagnoseAlert('a2', { fingerprint: 'other' });

    expect((await stage.onlyIncident('a1')).id).toBe((await stage.onlyIncident('a2')).id);
    expect((await stage.onlyIncident('a1')).alerts?.map(({ id }) => id)).toEqual(['a1', 'a2']);
    const cards = [...stage.queued].filter(([id]) => /^(?:alert|diagnosis|card)-/.test(id));
    expect(cards.every(([, { urgency }]) => urgency === 'alert')).toBe(true);
  });
});

describe('an alert that was forgotten because many others came', () => {
  it('counts in its incident when it fires again', async () => {
    await stage.diagnoseAlert('a1', { startsAt: '2026-11-21T03:00:00Z' });
    await stage.receiveAlert('a1', { startsAt: '2026-11-21T03:01:00Z' });
    await stage.handleAlert('a1');
    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 2 });
    stage.advanceMinutes(1);
    for (let other = 0; other < maxAlertRecords; other += 1) await stage.receiveAlert(`other-${other}`);
    expect(await stage.alerts.get('a1')).toBeUndefined();

    stage.advanceMinutes(1);
    await stage.receiveAlert('a1', { startsAt: '2026-11-21T03:05:00Z' });
    await stage.handleAlert('a1');
    await stage.handleAlert('a1');
    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 3 });
  });
});

describe('a resolved alert', () => {
  it('starts a diagnosis only when no alert of the incident fires any more', async () => {
    await stage.diagnoseAlert('a1');
    await stage.diagnoseAlert('a2', { fingerprint: 'other' });
    const before = (await stage.onlyIncident('a1')).look;
    await stage.receiveAlert('a1', { status: 'resolved' });
    await stage.handleAlert('a1');
    const half = await stage.onlyIncident('a1');
    await stage.receiveAlert('a2', { fingerprint: 'other', status: 'resolved' });
    await stage.handleAlert('a2');
    const all = await stage.onlyIncident('a1');

    expect([half.look, half.phase]).toEqual([before, 'diagnosed']);
    expect([all.look, all.phase]).toEqual([before + 1, 'diagnosing']);
  });

  it('that opened no incident does nothing', async () => {
    await stage.receiveAlert('a1', { status: 'resolved' });
    await stage.handleAlert('a1');

    expect(await stage.incidentsOf('a1')).toEqual([]);
    expect(await stage.alerts.unhandled()).toEqual([]);
  });
});

describe('a diagnosis with another revision or cause', () => {
  it('opens a successor with its own card and closes the former incident', async () => {
    const first = await stage.diagnoseAlert('a1');
    stage.advanceMinutes(10);
    stage.world.diagnosis = crashing();
    const over = await stage.diagnoseAlert('a1');
    const successor = over.successor === undefined ? undefined : await stage.diagnose(over.successor);

    expect(over).toMatchObject({ id: first.id, phase: 'diagnosed' });
    expect(successor).toMatchObject({ workload: web, occurrences: 1, alerts: [{ id: 'a1' }] });
    expect(successor?.diagnosis?.findings[0]?.cause).toBe('application-crash');
  });

  it('continues in the former card when it finds the former cause again', async () => {
    const first = await stage.diagnoseAlert('a1');
    stage.advanceMinutes(10);
    stage.world.diagnosis = crashing();
    const { successor = '' } = await stage.diagnoseAlert('a1');
    await stage.diagnose(successor);
    stage.advanceMinutes(10);
    stage.world.diagnosis = buildDiagnosis();
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    await stage.diagnose(successor);
    const back = await stage.diagnose(first.id);

    expect(await stage.incidents.get(successor)).toMatchObject({ successor: first.id });
    expect(back?.successor).toBeUndefined();
    expect(back?.diagnosis?.findings[0]?.cause).toBe('surge-deadlock');
    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });

  it('opens one successor when a worker dies and another one finishes its job', async () => {
    const first = await stage.diagnoseAlert('a1');
    stage.advanceMinutes(10);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    stage.world.diagnosis = crashing('3');
    stage.world.dies = true;
    await expect(stage.diagnose(first.id)).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.diagnose(first.id);

    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });
});

describe('the queue', () => {
  it('runs the jobs of people before the jobs of alerts, also when both requested the same diagnosis', async () => {
    const jobs = createBullMqJobQueue({
      redis: db.redis,
      prefix: `test-${randomUUID()}`,
      onError: () => undefined,
    });
    const look = (incidentId: string) => ({ v: 1, incidentId, look: 1 }) as const;
    await jobs.enqueue('diagnosis', look('alerted'), { urgency: 'alert' });
    await jobs.enqueue('diagnosis', look('both'), { urgency: 'alert' });
    await jobs.enqueue('diagnosis', look('asked'));
    await jobs.enqueue('diagnosis', look('both'), { urgency: 'person' });
    const queue = jobs.queueAt('diagnosis', 'anywhere');
    const waiting = (await queue?.getWaiting())?.map(({ id }) => id);
    const later = (await queue?.getPrioritized())?.map(({ id }) => id);
    await jobs.close();

    expect(new Set(waiting)).toEqual(new Set(['diagnosis-asked-1', 'diagnosis-both-1']));
    expect(later).toEqual(['diagnosis-alerted-1']);
  });
});

function at(minute: number): string {
  return `2026-11-21T03:${String(minute).padStart(2, '0')}:00Z`;
}
