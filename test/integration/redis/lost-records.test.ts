import { describe, expect, it, type TestContext } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import type { ScanRecord } from '#src/doctor/scans/scan-record.js';
import { connectProducer } from '#src/edges/redis/connection.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import { createRedisScanStore } from '#src/edges/redis/redis-scan-store.js';
import { keepChangeStop } from '#src/service/approve/change-stop.js';
import { cardKey, createNoteCard, entryKey } from '#src/service/deliver/delivery-jobs.js';
import { keepScans } from '#src/service/diagnose/keep-scans.js';
import { keepOpenIncidents } from '#src/service/records/keep-open-incidents.js';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { eventually } from '../../support/eventually.js';
import { buildIncident } from '../../support/records.js';
import { openRecords } from '../../support/redis-records.js';

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
    const deliveries = createRedisDeliveryStore({ redis, prefix, ttlMs: 60_000 });
    const onRestore = createNoteCard({ deliveries, hasPrivateResults: true });
    return {
      redis,
      deliveries,
      ...keepOpenIncidents({ store: records.incidents, maxKept: 3, onRestore }),
      scanning: keepScans({ store: createRedisScanStore({ redis, prefix }), clock }),
      switch: keepChangeStop({ store: records.stops, audit: records.audit, clock }),
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
    expect(await other.switch.restoreLost()).toBe(false);
    await loseData();

    expect(await other.switch.restoreLost()).toBe(true);
    expect(await one.switch.restoreLost()).toBe(false);
    expect(await one.switch.stops.get()).toEqual(stop);
  });

  it('does not stop changes again that another process has allowed', async (context) => {
    const { one, other } = await start(context);
    const at = clock.now().toISOString();
    const stop = { by: 'U0DANA', at, reason: 'an incident' };
    await one.switch.stops.put(stop, { at, action: 'changes-stopped', by: stop.by, details: {} });
    await other.switch.stops.lift({ at, action: 'changes-allowed', by: 'U0MIN', details: {} });

    expect(await one.switch.restoreLost()).toBe(false);
    expect(await one.switch.stops.get()).toBeUndefined();
  });
});
