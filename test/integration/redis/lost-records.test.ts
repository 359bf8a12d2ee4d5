import { pino } from 'pino';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Change, Incident } from '#src/doctor/incidents/incident.js';
import type { ScanRecord } from '#src/doctor/scans/scan-record.js';
import type { Metrics } from '#src/edges/metrics/metrics.js';
import { connectProducer, createRedisClock } from '#src/edges/redis/connection.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import { createRedisScanStore } from '#src/edges/redis/redis-scan-store.js';
import { restoreRecords } from '#src/roots/restore-records.js';
import { keepChangeStop } from '#src/service/approve/change-stop.js';
import { cardKey, createNoteCard, entryKey } from '#src/service/deliver/delivery-jobs.js';
import { keepScans } from '#src/service/diagnose/scan.js';
import type { Silence } from '#src/service/people/people-ports.js';
import { keepSilences } from '#src/service/people/silencing.js';
import { keepOpenIncidents } from '#src/service/records/keep-open-incidents.js';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { eventually } from '../../support/eventually.js';
import { buildApproval, buildIncident } from '../../support/records.js';
import { openRecords, silenceEntry } from '../../support/redis-records.js';
import { buildSilence } from '../../support/slack-records.js';

const prefix = 'lost-records';
const clock = { now: () => new Date() };

/** Two processes of one installation, and a Redis that keeps nothing on disk. */
async function start({ onTestFinished }: TestContext) {
  const server = await startPrivateRedis({ appendOnly: false });
  onTestFinished(() => server.stop());
  const connect = async () => {
    const redis = connectProducer({ url: server.url, prefix }, () => undefined);
    onTestFinished(() => redis.disconnect());
    await eventually('the connection is ready', async () => redis.status === 'ready');
    const records = openRecords(redis, prefix);
    const deliveries = createRedisDeliveryStore({ redis, prefix, ttlMs: 3_600_000 });
    const sharedClock = createRedisClock(redis, prefix);
    const onRestore = createNoteCard({ deliveries, hasPrivateResults: true });
    return {
      redis,
      deliveries,
      decisions: records.audit.decisions,
      ...keepOpenIncidents({ store: records.incidents, clock, maxKept: 3, onRestore }),
      scanning: keepScans({ store: createRedisScanStore({ redis, prefix }), clock }),
      switch: keepChangeStop({ store: records.stops, audit: records.audit, sharedClock }),
      silencing: keepSilences({ store: records.silences, audit: records.audit, sharedClock }),
    };
  };
  const processes = [await connect(), await connect()] as const;
  return {
    one: processes[0],
    other: processes[1],
    async loseData() {
      await server.kill();
      await server.start();
      for (const { redis } of processes)
        await eventually('Redis answers again', async () => (await redis.ping().catch(() => '')) === 'PONG');
    },
  };
}

const exclusion: Change = {
  approvalId: 'a1',
  cause: 'crash-loop-on-node',
  remediation: {
    ...buildApproval({}).remediation,
    kind: 'exclude-nodes',
    nodes: [{ name: 'node-1', hostname: 'node-1' }],
    remindAfterHours: 24,
  },
  undoes: false,
  approvedBy: ['U0DANA'],
  approvedAt: '2026-11-20T09:31:00Z',
  verdict: 'recovered',
};

/** Silences the workload by the process, for this long. */
async function silenceOf(
  { silencing }: Awaited<ReturnType<typeof start>>['one'],
  name: string,
  forMs: number,
): Promise<Silence> {
  const now = clock.now().getTime();
  const silence = buildSilence({
    workload: { ...buildSilence().workload, name },
    at: new Date(now).toISOString(),
    until: new Date(now + forMs).toISOString(),
  });
  await silencing.silences.put(silence, silenceEntry('silenced', silence));
  return silence;
}

/** A later version of the incident. */
const moved = (incident: Incident, fields: Partial<Incident>): Incident => ({
  ...incident,
  version: incident.version + 1,
  ...fields,
});

describe.runIf(hasRedisServer())('a Redis that starts without its data', () => {
  it('has each incident of work under way again, which a repeated request joins', async (context) => {
    const { one, loseData } = await start(context);
    const { incident } = await one.incidents.open(buildIncident({ id: 'i1' }));
    const applying = moved(incident, { phase: 'applying' });
    await one.incidents.replace(applying);
    await loseData();

    expect(await one.restoreLost()).toEqual([applying]);
    expect(await one.incidents.get('i1')).toEqual(applying);
    expect(await one.incidents.unsettled()).toEqual(['i1']);
    expect(await one.incidents.recent(10)).toEqual([applying]);
    expect(await one.incidents.open(buildIncident({ id: 'i2' }))).toMatchObject({
      created: false,
      incident: { id: 'i1' },
    });
    expect(await one.restoreLost()).toEqual([]);
  });

  it('ends with the newest version that any process knew', async (context) => {
    const { one, other, loseData } = await start(context);
    const { incident } = await one.incidents.open(buildIncident({ id: 'i1' }));
    const newest = moved(incident, { phase: 'verifying' });
    await other.incidents.replace(newest);
    await loseData();

    expect(await one.restoreLost()).toEqual([incident]);
    expect(await other.restoreLost()).toEqual([newest]);
    expect(await one.restoreLost()).toEqual([]);
    expect(await one.incidents.get('i1')).toEqual(newest);
  });

  it('gets no incident again whose work has ended, as far as the process knows', async (context) => {
    const { one, other, loseData } = await start(context);
    const { incident } = await one.incidents.open(buildIncident({ id: 'i1' }));
    await other.incidents.replace(moved(incident, { phase: 'settled' }));
    expect(await one.restoreLost()).toEqual([]);
    await loseData();

    expect(await one.restoreLost()).toEqual([]);
    expect(await other.restoreLost()).toEqual([]);
    expect(await one.incidents.get('i1')).toBeUndefined();
  });

  it('gets back a limited number of incidents, the last used ones', async (context) => {
    const { one, loseData } = await start(context);
    for (const id of ['i1', 'i2', 'i3', 'i4']) {
      await one.incidents.open(buildIncident({ id, channel: `C-${id}` }));
      await one.incidents.get('i1');
    }
    await loseData();

    expect((await one.restoreLost()).map(({ id }) => id)).toEqual(['i3', 'i4', 'i1']);
  });

  it.for([
    { card: 'that Slack may show', fields: { diagnosis: buildDiagnosis() }, isSearched: true },
    { card: 'that may be for one person', fields: {}, isSearched: false },
    { card: 'that waits for its first diagnosis', fields: { origin: { via: 'alert' } }, isSearched: false },
  ] as const)('has a card $card searched in Slack: $isSearched', async ({ fields, isSearched }, context) => {
    const { one, loseData } = await start(context);
    const { incident } = await one.incidents.open(buildIncident({ id: 'i1', ...fields }));
    await loseData();
    await one.restoreLost();

    const tryingSince = incident.createdAt;
    expect(await one.deliveries.get(cardKey('i1'))).toEqual(isSearched ? { tryingSince } : undefined);
  });

  it('has the reminder of a fix again that a process only listed, for the time that is left', async (context) => {
    const { one, other, loseData } = await start(context);
    const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000).toISOString();
    const fixed = (id: string, change: Partial<Change>) =>
      buildIncident({
        ...{ id, phase: 'settled', channel: `C-${id}` },
        change: { ...exclusion, appliedAt: hoursAgo(20), ...change },
      });
    await one.incidents.open(fixed('i1', {}));
    await one.incidents.open(fixed('i2', { appliedAt: hoursAgo(30) }));
    await one.incidents.open(fixed('i3', { undoes: true }));
    await other.incidents.recent(10);
    const queued: { readonly name: string; readonly job: object; readonly delayMs: number | undefined }[] =
      [];
    const stop = restoreRecords({
      ...{ redis: other.redis, clock, log: pino({ level: 'silent' }) },
      metrics: { recordLost: () => undefined } as unknown as Metrics,
      jobs: { enqueue: async (name, job, { delayMs } = {}) => void queued.push({ name, job, delayMs }) },
      restoreLost: async () => ({
        ...{ scans: [], stops: [], silences: [] },
        incidents: await other.restoreLost(),
      }),
    });
    await loseData();
    await eventually('the reminder is queued', async () =>
      queued.some(({ name }) => name === 'verification'),
    );
    stop();

    const [reminder, ...others] = queued.filter(({ name }) => name === 'verification');
    expect(others).toEqual([]);
    expect(reminder?.job).toEqual({ v: 1, incidentId: 'i1', approvalId: 'a1', remind: true });
    expect((reminder?.delayMs ?? 0) / 3_600_000).toBeCloseTo(4, 1);
  });

  it('has the messages searched in Slack that its thread may have about its approvals', async (context) => {
    const { one, loseData } = await start(context);
    const fields = { phase: 'awaiting', approvalId: 'a1', diagnosis: buildDiagnosis() } as const;
    const { incident } = await one.incidents.open(buildIncident({ id: 'i1', ...fields }));
    await loseData();
    await one.restoreLost();

    const tryingSince = incident.createdAt;
    expect(await one.deliveries.get(entryKey('i1', { kind: 'approved', of: 'a1' }))).toEqual({ tryingSince });
    expect(await one.deliveries.get(entryKey('i1', { kind: 'verdict', of: 'a1' }))).toEqual({ tryingSince });
    expect(await one.deliveries.get(entryKey('i1', { kind: 'approved', of: 'a2' }))).toBeUndefined();
  });

  it('has a scan again that is not done, and no other one', async (context) => {
    const { one, loseData } = await start(context);
    const scanOf = (id: string, namespace: string) => ({
      ...{ v: 1, id, namespace, cluster: 'prod', by: 'U0DANA', channel: 'C0ONCALL' },
      askedAt: clock.now().toISOString(),
    });
    const { scan } = await one.scanning.scans.open(scanOf('s1', 'ml') as ScanRecord);
    const other = await one.scanning.scans.open(scanOf('s2', 'shop') as ScanRecord);
    const outcome = { type: 'failure', because: 'inside', detail: '' } as const;
    await one.scanning.scans.put({ ...other.scan, outcome });
    expect(await one.scanning.restoreLost()).toEqual([]);
    await loseData();

    expect(await one.scanning.restoreLost()).toEqual([scan]);
    expect(await one.scanning.scans.get('s1')).toEqual(scan);
    expect(await one.scanning.restoreLost()).toEqual([]);
  });

  it('stops all changes again that a person had stopped', async (context) => {
    const { one, other, loseData } = await start(context);
    const at = clock.now().toISOString();
    const stop = { by: 'U0DANA', at, reason: 'an incident' };
    await one.switch.stops.put(stop, { at, action: 'changes-stopped', by: stop.by, details: {} });
    expect(await other.switch.restoreLost()).toEqual([]);
    await loseData();

    expect(await other.switch.restoreLost()).toEqual([stop]);
    expect(await one.switch.restoreLost()).toEqual([]);
    expect(await one.switch.stops.get()).toEqual(stop);
  });

  it('does not stop changes again that another process has allowed', async (context) => {
    const { one, other } = await start(context);
    const at = clock.now().toISOString();
    const stop = { by: 'U0DANA', at, reason: 'an incident' };
    await one.switch.stops.put(stop, { at, action: 'changes-stopped', by: stop.by, details: {} });
    await other.switch.stops.lift({ at, action: 'changes-allowed', by: 'U0MIN', details: {} });

    expect(await one.switch.restoreLost()).toEqual([]);
    expect(await one.switch.stops.get()).toBeUndefined();
  });

  it('has each silence again that is not over, with its end and its reason', async (context) => {
    const { one, other, loseData } = await start(context);
    const silence = await silenceOf(one, 'inference', 600_000);
    const short = await silenceOf(one, 'training', 400);
    expect(await other.silencing.restoreLost()).toEqual([]);
    await eventually('the short silence is over', async () => {
      const left = await one.silencing.silences.of(short.workload);
      return left === undefined;
    });
    await loseData();

    expect(await other.silencing.restoreLost()).toEqual([silence]);
    expect(await one.silencing.restoreLost()).toEqual([]);
    expect(await one.silencing.silences.all()).toEqual([silence]);
    expect((await one.decisions(10)).entries).toMatchObject([
      { action: 'silenced', by: silence.by, details: { until: silence.until, because: 'record-lost' } },
    ]);
  });

  it('does not silence a workload again whose silence a person has lifted', async (context) => {
    const { one, other } = await start(context);
    const silence = await silenceOf(one, 'inference', 600_000);
    const kept = await silenceOf(one, 'training', 600_000);
    const { workload } = silence;
    const lifting = { ...silenceEntry('silence-lifted', silence), at: clock.now().toISOString() };
    await other.silencing.silences.lift(workload, lifting);

    expect(await one.silencing.restoreLost()).toEqual([]);
    expect(await one.silencing.silences.all()).toEqual([kept]);
  });
});
