import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '#src/doctor/audit/audit-entry.js';
import type { ScanRecord } from '#src/doctor/scans/scan-record.js';
import { createRedisScanStore } from '#src/edges/redis/redis-scan-store.js';
import type { Silence } from '#src/service/people/people-ports.js';
import { withRedis } from '../../support/open-redis.js';
import { openRecords, silenceEntry } from '../../support/redis-records.js';
import { buildSilence } from '../../support/slack-records.js';

const db = withRedis();

const { workload } = buildSilence();
const other = { ...workload, name: 'training' };
/** A workload whose key must not equal the key of another one. */
const crossed = { ...workload, cluster: 'prod', namespace: 'eu/ml' };

describe('the audit', () => {
  const logs = () => {
    const prefix = `test-${randomUUID()}`;
    return { prefix, audit: openRecords(db.redis, prefix).audit };
  };
  const entry = (by: string, of = workload): AuditEntry => ({
    at: '2026-11-20T09:30:00Z',
    incidentId: 'i1',
    action: 'approved',
    by,
    workload: of,
    details: {},
  });

  it('is read in pages, newest first, with each entry exactly once', async () => {
    const { audit } = logs();
    for (let number = 0; number < 7; number += 1) await audit.append(entry(`U${number}`));

    const seen: (string | undefined)[] = [];
    let before: string | undefined;
    do {
      const page = await audit.decisions(3, before === undefined ? {} : { before });
      seen.push(...page.entries.map(({ by }) => by));
      before = page.before;
    } while (before !== undefined);
    expect(seen).toEqual(['U6', 'U5', 'U4', 'U3', 'U2', 'U1', 'U0']);
  });

  it('separates the entries of each workload', async () => {
    const { audit } = logs();
    await audit.append(entry('U1'));
    await audit.append(entry('U2', other));
    await audit.append(entry('U3', crossed));

    const of = async (ref: typeof workload) =>
      (await audit.decisions(10, { of: ref })).entries.map(({ by }) => by);
    expect(await of(workload)).toEqual(['U1']);
    expect(await of(other)).toEqual(['U2']);
    expect(await of(crossed)).toEqual(['U3']);
    expect((await audit.decisions(10)).entries).toHaveLength(3);
  });

  it('lists each workload once, the latest first', async () => {
    const { audit } = logs();
    for (const of of [workload, other, workload]) {
      await audit.append(entry('U1', of));
      // Workloads with entries of the same millisecond have no order.
      const now = Date.now();
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(now), { timeout: 90_000, interval: 1 });
    }
    expect(await audit.workloads()).toEqual([workload, other]);
  });

  it('leaves out entries that it cannot parse, and returns the others', async () => {
    const { audit, prefix } = logs();
    const request = (by: string) => ({ ...entry(by), action: 'diagnosis-requested' }) as const;
    const unknown = { ...entry('U2'), action: 'teleported' };
    await audit.append(entry('U1'));
    await audit.append(request('U4'));
    await db.redis.xadd(`${prefix}:audit`, '*', 'entry', JSON.stringify(unknown));
    await db.redis.xadd(`${prefix}:audit`, '*', 'entry', '{');
    await db.redis.xadd(`${prefix}:audit-decisions`, '*', 'link', JSON.stringify({ seq: 2, entry: unknown }));
    await db.redis.xadd(`${prefix}:audit-decisions`, '*', 'link', '{');
    await audit.append(entry('U3'));
    await audit.append(request('U5'));

    expect((await audit.decisions(10)).entries.map(({ by }) => by)).toEqual(['U3', 'U1']);
    expect((await audit.requests(10)).entries.map(({ by }) => by)).toEqual(['U5', 'U4']);
  });

  it('reports an entry that was not written', async () => {
    const { audit, prefix } = logs();
    await db.redis.set(`${prefix}:audit-decisions`, 'no stream');
    await expect(audit.append(entry('U1'))).rejects.toMatchObject({ code: 'redis-unavailable' });
  });
});

describe('silences in Redis', () => {
  const stores = () => openRecords(db.redis, `test-${randomUUID()}`).silences;
  const put = (store: ReturnType<typeof stores>, silence: Silence) =>
    store.put(silence, silenceEntry('silenced', silence));
  const lifting = silenceEntry('silence-lifted', buildSilence());
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it('apply to exactly their workload', async () => {
    const store = stores();
    const silence = buildSilence({ until: inMs(600_000) });
    await put(store, silence);

    expect(await store.of(workload)).toEqual(silence);
    for (const ref of [
      other,
      crossed,
      { ...workload, kind: 'StatefulSet' as const },
      { ...workload, cluster: 'x' },
    ]) {
      expect(await store.of(ref)).toBeUndefined();
    }
  });

  it('are replaced by a later silence, also by a shorter one', async () => {
    const store = stores();
    await put(store, buildSilence({ until: inMs(600_000) }));
    const shorter = buildSilence({ until: inMs(300_000), by: 'U0SAM' });
    await put(store, shorter);

    expect(await store.all()).toEqual([shorter]);
  });

  it('expire and leave the list', async () => {
    const store = stores();
    await put(store, buildSilence({ until: inMs(400) }));
    await put(store, buildSilence({ until: inMs(600_000), workload: other }));

    await vi.waitFor(async () => expect(await store.of(workload)).toBeUndefined(), { timeout: 90_000 });
    expect((await store.all()).map((each) => each.workload)).toEqual([other]);
    expect(await store.lift(workload, lifting)).toBeUndefined();
  });

  it('are lifted only once', async () => {
    const store = stores();
    const silence = buildSilence({ until: inMs(600_000) });
    await put(store, silence);
    const lifted = await Promise.all([store.lift(workload, lifting), store.lift(workload, lifting)]);

    expect(lifted.filter((each) => each !== undefined)).toEqual([silence]);
    expect(await store.of(workload)).toBeUndefined();
    expect(await store.all()).toEqual([]);
  });

  it('are listed in the order of their end', async () => {
    const store = stores();
    await put(store, buildSilence({ until: inMs(600_000) }));
    await put(store, buildSilence({ until: inMs(300_000), workload: other }));
    expect((await store.all()).map((each) => each.workload)).toEqual([other, workload]);
  });
});

describe('scans in Redis', () => {
  const stores = () => createRedisScanStore({ redis: db.redis, prefix: `test-${randomUUID()}` });
  const scan = (id: string, fields: Partial<ScanRecord> = {}): ScanRecord => ({
    v: 1,
    id,
    cluster: 'prod',
    namespace: 'shop',
    by: 'U0SAM',
    channel: 'C1',
    askedAt: '2026-11-20T09:30:00Z',
    ...fields,
  });
  const outcome = { type: 'failure', because: 'inside', detail: 'x' } as const;

  it('are shared for the same place and person while one runs', async () => {
    const store = stores();
    const opened = await Promise.all(['s1', 's2', 's3'].map((id) => store.open(scan(id))));

    expect(opened.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(opened.map((each) => each.scan.id)).size).toBe(1);
  });

  it('are separate for different places and people', async () => {
    const store = stores();
    await store.open(scan('s1'));
    for (const fields of [{ by: 'U0DANA' }, { namespace: 'ml' }, { cluster: 'test' }]) {
      const opened = await store.open(scan(JSON.stringify(fields), fields));
      expect(opened.created).toBe(true);
    }
  });

  it('start again after the former one has an outcome, which stays readable', async () => {
    const store = stores();
    await store.open(scan('s1'));
    await store.put({ ...scan('s1'), outcome });

    expect(await store.get('s1')).toEqual({ ...scan('s1'), outcome });
    expect(await store.open(scan('s2'))).toEqual({ created: true, scan: scan('s2') });
    await store.put({ ...scan('s1'), outcome });
    expect((await store.open(scan('s3'))).scan.id).toBe('s2');
  });
});
