import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBullMqJobQueue } from '#src/adapters/redis/bullmq-job-queue.js';
import type { Incident } from '#src/core/incident/incident.js';
import { buildDiagnosis, buildFinding } from '#support/diagnosis.js';
import { withRedis } from '#support/open-redis.js';
import { buildIncident } from '#support/records.js';
import { createAlertStage, located, web } from './stage.js';

let redis: Redis;
let stage: ReturnType<typeof createAlertStage>;

withRedis((open) => {
  ({ redis } = open);
});

beforeEach(() => {
  stage = createAlertStage(redis);
});

async function only(alertId: string): Promise<Incident> {
  const [incident, ...others] = await stage.incidentsOf(alertId);
  if (incident === undefined || others.length > 0) throw new Error('not one incident');
  return incident;
}

/** The alert is told of, and the worker is done with it and its look. */
async function answered(alertId: string, changes: Parameters<typeof stage.tells>[1] = {}): Promise<Incident> {
  await stage.tells(alertId, changes);
  await stage.handles(alertId);
  const [first] = await stage.incidentsOf(alertId);
  return (await stage.looks(first?.id ?? '')) ?? only(alertId);
}

const calm = () => buildDiagnosis({ findings: [] });
const crashing = (revision = '2') =>
  buildDiagnosis({ revision, findings: [buildFinding({ cause: 'application-crash' })] });

describe('an alert', () => {
  it('whose job is done twice opens one incident and counts once', async () => {
    await stage.tells('a1');
    await stage.handles('a1');
    const record = await stage.alerts.get('a1');
    if (record !== undefined)
      await stage.alerts.replace({ ...record, version: record.version + 1, handled: 0 });
    await stage.handles('a1');

    expect((await only('a1')).occurrences).toBe(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
    expect(stage.jobsOf('diagnosis')).toHaveLength(1);
  });

  it('that was recorded by a process that died before it queued anything is queued by the retry', async () => {
    stage.world.dies = true;
    await expect(stage.tells('a1')).rejects.toThrow('killed');
    stage.world.dies = false;

    expect(await stage.tells('a1')).toBe('repeated');
    expect(stage.jobsOf('alert')).toEqual(['alert-a1-1']);
  });

  it('that was recorded by a process that died is queued by the sweep, where nobody retries', async () => {
    stage.world.dies = true;
    await expect(stage.tells('a1')).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.sweep();
    await stage.handles('a1');
    await stage.sweep();

    expect(stage.jobsOf('alert')).toEqual(['alert-a1-1']);
    expect((await only('a1')).workload).toEqual(web);
  });

  it('that dies with its worker between incident and record is one incident all the same', async () => {
    await stage.tells('a1');
    stage.world.dies = true;
    await expect(stage.handles('a1')).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.handles('a1');

    expect((await only('a1')).occurrences).toBe(1);
    expect(stage.jobsOf('diagnosis')).toHaveLength(1);
  });

  it('of a hundred deliveries at once is one incident', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => stage.tells('a1')));
    await Promise.all(Array.from({ length: 4 }, () => stage.handles('a1')));

    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
    expect((await only('a1')).occurrences).toBe(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it('that repeats later is counted on the same incident and looked at again', async () => {
    await answered('a1');
    stage.minutesLater(240);
    const incident = await answered('a1');

    expect(incident).toMatchObject({ occurrences: 2, look: 2 });
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it('that Slack sends again minutes later, since it heard nothing, is known by the time of the event', async () => {
    const place = { channel: 'C0INCIDENTS', threadTs: '1.5' };
    const toldAt = new Date(stage.world.now);
    const first = await stage.tells('a1', { source: 'slack' }, place, toldAt);
    stage.minutesLater(6);

    expect([first, await stage.tells('a1', { source: 'slack' }, place, toldAt)]).toEqual([
      'recorded',
      'repeated',
    ]);
    expect(await stage.tells('a1', { source: 'slack' }, place)).toBe('recorded');
  });

  it('that another clock tells of ahead of time is recorded as told of now', async () => {
    const ahead = new Date(stage.world.now + 86_400_000);
    await stage.tells('a1', {}, { channel: 'C0INCIDENTS' }, ahead);

    expect((await stage.alerts.get('a1'))?.lastAt).toBe(new Date(stage.world.now).toISOString());
  });

  it('that fires right after a look is counted at once, and looked at once its time is over', async () => {
    stage.world.diagnosis = buildDiagnosis({ takenAt: new Date(stage.world.now).toISOString() });
    const first = await answered('a1');
    await stage.tells('a2', { fingerprint: 'other' });
    await stage.handles('a2');
    const counted = await only('a2');
    const owed = await stage.looks(first.id, counted.look + 1);

    expect(counted).toMatchObject({ id: first.id, phase: 'diagnosed', look: 1, occurrences: 2 });
    expect(stage.queued.get(`diagnosis-${first.id}-2`)?.delayMs).toBe(20_000);
    expect(owed).toMatchObject({ phase: 'diagnosed', look: 2, occurrences: 2 });
  });

  it('that flaps edits its card, and the thread hears of the cause once', async () => {
    const first = await answered('a1');
    for (let round = 1; round <= 3; round += 1) {
      stage.minutesLater(1);
      await stage.tells('a1', { status: 'resolved', startsAt: at(round - 1) });
      await stage.handles('a1');
      stage.minutesLater(1);
      await answered('a1', { startsAt: at(round) });
    }

    expect(await stage.incidents.get(first.id)).toMatchObject({ occurrences: 4 });
    expect(stage.jobsOf('delivery').filter((id) => id.startsWith('thread-'))).toHaveLength(1);
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it.each([
    ['years ahead', '2035-01-01T00:00:00Z'],
    ['years behind', '1999-01-01T00:00:00Z'],
  ])(
    'of a sender whose clock is %s is answered, resolved and reopened like any other',
    async (_, startsAt) => {
      await answered('a1', { startsAt });
      stage.minutesLater(1);
      stage.world.diagnosis = calm();
      await stage.tells('a1', { startsAt, status: 'resolved' });
      await stage.handles('a1');
      const closed = await stage.looks((await only('a1')).id);
      stage.minutesLater(10);
      stage.world.diagnosis = buildDiagnosis();
      const again = await answered('a1', { startsAt });

      expect(closed).toMatchObject({ phase: 'diagnosed', alerts: [{ status: 'resolved' }] });
      expect(again).toMatchObject({ id: closed?.id, occurrences: 2, look: 3 });
    },
  );

  it('joins the incident that a person opened in the channel', async () => {
    await stage.incidents.open(buildIncident({ id: 'asked', workload: web, channel: 'C0INCIDENTS' }));
    await answered('a1');

    expect(await only('a1')).toMatchObject({ id: 'asked', occurrences: 2, origin: { via: 'command' } });
  });

  it('of another name joins the incident of its workload, and waits behind people as well', async () => {
    await answered('a1');
    await answered('a2', { fingerprint: 'other' });

    expect((await only('a1')).id).toBe((await only('a2')).id);
    expect((await only('a1')).alerts?.map(({ id }) => id)).toEqual(['a1', 'a2']);
    const cards = [...stage.queued].filter(([id]) => /^(?:alert|diagnosis|card)-/.test(id));
    expect(cards.every(([, { urgency }]) => urgency === 'alert')).toBe(true);
  });
});

describe('resolved', () => {
  it('is checked by the rule only when no alert of the incident fires any more', async () => {
    await answered('a1');
    await answered('a2', { fingerprint: 'other' });
    const before = (await only('a1')).look;
    await stage.tells('a1', { status: 'resolved' });
    await stage.handles('a1');
    const half = await only('a1');
    await stage.tells('a2', { fingerprint: 'other', status: 'resolved' });
    await stage.handles('a2');
    const all = await only('a1');

    expect([half.look, half.phase]).toEqual([before, 'diagnosed']);
    expect([all.look, all.phase]).toEqual([before + 1, 'diagnosing']);
  });

  it('of an alert that led nowhere does nothing', async () => {
    await stage.tells('a1', { status: 'resolved' });
    await stage.handles('a1');

    expect(await stage.incidentsOf('a1')).toEqual([]);
    expect(await stage.alerts.unhandled()).toEqual([]);
  });
});

describe('another revision or cause', () => {
  it('is another incident with its own card, and the former one is over', async () => {
    const first = await answered('a1');
    stage.minutesLater(10);
    stage.world.diagnosis = crashing();
    const over = await answered('a1');
    const successor = over.successor === undefined ? undefined : await stage.looks(over.successor);

    expect(over).toMatchObject({ id: first.id, phase: 'diagnosed' });
    expect(successor).toMatchObject({ workload: web, occurrences: 1, alerts: [{ id: 'a1' }] });
    expect(successor?.diagnosis?.findings[0]?.cause).toBe('application-crash');
  });

  it('that comes back goes on in the card it had', async () => {
    const first = await answered('a1');
    stage.minutesLater(10);
    stage.world.diagnosis = crashing();
    const { successor = '' } = await answered('a1');
    await stage.looks(successor);
    stage.minutesLater(10);
    stage.world.diagnosis = buildDiagnosis();
    await stage.tells('a1');
    await stage.handles('a1');
    await stage.looks(successor);
    const back = await stage.looks(first.id);

    expect(await stage.incidents.get(successor)).toMatchObject({ successor: first.id });
    expect(back?.successor).toBeUndefined();
    expect(back?.diagnosis?.findings[0]?.cause).toBe('surge-deadlock');
    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });

  it('is opened once by a worker that died in between and one that finishes its job', async () => {
    const first = await answered('a1');
    stage.minutesLater(10);
    await stage.tells('a1');
    await stage.handles('a1');
    stage.world.diagnosis = crashing('3');
    stage.world.dies = true;
    await expect(stage.looks(first.id)).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.looks(first.id);

    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });
});

describe('an alert that does not tell which workload', () => {
  const api = { ...web, name: 'api' };

  it('asks once where several may be meant', async () => {
    stage.world.found = located(web, api);
    await stage.tells('a1');
    await stage.handles('a1');
    stage.minutesLater(30);
    await stage.tells('a1');
    await stage.handles('a1');

    expect(stage.jobsOf('delivery')).toEqual(['question-a1-1']);
    expect((await stage.alerts.get('a1'))?.question).toMatchObject({ choices: [web, api], about: 'name' });
    expect(await stage.incidentsOf('a1')).toEqual([]);
  });

  it('asks where the cluster is not known, however certain the name is', async () => {
    await stage.tells('a1', { labels: { cluster: 'staging', namespace: 'shop', deployment: 'web' } });
    await stage.handles('a1');

    expect((await stage.alerts.get('a1'))?.question).toMatchObject({ about: 'cluster', called: 'staging' });
    expect(await stage.incidentsOf('a1')).toEqual([]);
  });

  it('leads from a node to five that suffer there, and asks for the rest', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    stage.world.found = located(...names.map((name) => ({ ...web, name })));
    await stage.tells('a1', { name: 'KubeNodeNotReady', labels: { node: 'gpu-3' } });
    await stage.handles('a1');

    expect((await stage.incidentsOf('a1')).map(({ workload }) => workload.name)).toEqual(names.slice(0, 5));
    expect((await stage.alerts.get('a1'))?.question?.choices.map(({ name }) => name)).toEqual(['f', 'g']);
  });

  it('is silent about what names nothing, and counts it', async () => {
    await stage.tells('a1', { name: 'Watchdog', labels: { alertname: 'Watchdog' } });
    await stage.handles('a1');

    expect(stage.queued.size).toBe(1);
    expect(stage.world.counted).toEqual(['recorded', 'nothing-named']);
  });

  it('waits for a cluster that is away as long as it takes', async () => {
    stage.world.found = { type: 'unreadable', because: 'unavailable', message: '' };
    await stage.tells('a1');
    await expect(stage.handles('a1')).rejects.toThrow('could not be asked');
    await stage.handles('a1', true);
    expect(await stage.alerts.unhandled()).toEqual(['a1']);
    stage.world.found = located(web);
    await stage.sweep();
    await stage.handles('a1');

    expect((await only('a1')).workload).toEqual(web);
  });
});

describe('the queue', () => {
  it("takes people's commands before what alerts caused, also when both want the same look", async () => {
    const jobs = createBullMqJobQueue({ redis, prefix: `test-${randomUUID()}`, onError: () => undefined });
    const look = (incidentId: string) => ({ v: 1, incidentId, look: 1 }) as const;
    await jobs.enqueue('diagnosis', look('alerted'), { urgency: 'alert' });
    await jobs.enqueue('diagnosis', look('both'), { urgency: 'alert' });
    await jobs.enqueue('diagnosis', look('asked'));
    await jobs.enqueue('diagnosis', look('both'), { urgency: 'person' });
    const queue = jobs.queues.get('diagnosis');
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
