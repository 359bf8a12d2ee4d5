import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decided, movedTo } from '#src/doctor/incidents/approval-transitions.js';
import { createRedisClock } from '#src/edges/redis/connection.js';
import { createRedisSeenBefore } from '#src/edges/redis/redis-claims.js';
import { keepOpenIncidents } from '#src/service/records/keep-open-incidents.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval, buildIncident } from '../../support/records.js';
import { openRecords, startEntry } from '../../support/redis-records.js';

const ttlMs = 60_000;

const db = withRedis();

describe('the store of incidents', () => {
  const stores = () => openRecords(db.redis, `test-${randomUUID()}`).incidents;

  it('returns the open incident for a repeated request', async () => {
    const store = stores();
    const first = await store.open(buildIncident({ id: 'i1' }));
    const second = await store.open(buildIncident({ id: 'i2' }));

    expect(first.created).toBe(true);
    expect(second.created).toBe(false);
    expect(second.incident.id).toBe('i1');
    expect(await store.get('i2')).toBeUndefined();
  });

  it('opens a new incident when the former one is settled', async () => {
    const store = stores();
    const { incident } = await store.open(buildIncident({ id: 'i1' }));
    await store.replace({ ...incident, version: 2, phase: 'settled' });

    expect(await store.open(buildIncident({ id: 'i2' }))).toMatchObject({
      created: true,
      incident: { id: 'i2' },
    });
  });

  it('opens separate incidents for different threads and workloads', async () => {
    const store = stores();
    await store.open(buildIncident({ id: 'i1' }));

    expect((await store.open(buildIncident({ id: 'i2', threadTs: '1.2' }))).created).toBe(true);
    const other = buildIncident({ id: 'i3' });
    expect((await store.open({ ...other, workload: { ...other.workload, name: 'web' } })).created).toBe(true);
  });

  it('opens one incident for a hundred concurrent requests and returns it to all of them', async () => {
    const store = stores();
    const opened = await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.open(buildIncident({ id: `i${n}` }))),
    );

    expect(opened.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(opened.map(({ incident }) => incident.id)).size).toBe(1);
    expect(await store.unsettled()).toHaveLength(1);
  });

  it('shows no process an incident that joins another one, so that none restores it as lost', async () => {
    const prefix = `test-${randomUUID()}`;
    const clock = { now: () => new Date('2026-11-20T09:30:10Z') };
    const { incidents, restoreLost } = keepOpenIncidents({
      store: openRecords(db.redis, prefix).incidents,
      clock,
    });
    // A page that is opened, or a sweep, reads what is under way before each command of another process.
    const watched = new Proxy(db.redis, {
      get(redis, name: 'eval') {
        if (name !== 'eval') return redis[name];
        return async (...script: Parameters<typeof redis.eval>) => {
          for (const id of await incidents.unsettled()) await incidents.get(id);
          return redis.eval(...script);
        };
      },
    });
    const store = openRecords(watched, prefix).incidents;
    await store.open(buildIncident({ id: 'i1' }));

    const repeated = await store.open(buildIncident({ id: 'i2' }), { reopen: true });

    expect(repeated).toMatchObject({ created: false, incident: { id: 'i1' } });
    expect(await restoreLost()).toEqual([]);
    expect((await store.recent(10)).map(({ id }) => id)).toEqual(['i1']);
  });

  it('accepts one of a hundred concurrent writes of the same version', async () => {
    const store = stores();
    const { incident } = await store.open(buildIncident({ id: 'i1' }));
    const written = await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.replace({ ...incident, version: 2, occurrences: n })),
    );

    expect(written.filter((each) => !('type' in each))).toHaveLength(1);
  });

  it('lists an incident as unsettled only until it is diagnosed', async () => {
    const store = stores();
    const { incident } = await store.open(buildIncident({ id: 'i1' }));
    expect(await store.unsettled()).toEqual(['i1']);
    await store.replace({ ...incident, version: 2, phase: 'diagnosed' });

    expect(await store.unsettled()).toEqual([]);
    expect((await store.recent(10)).map(({ id }) => id)).toEqual(['i1']);
  });

  it('rejects a record that does not match its schema', async () => {
    const prefix = `test-${randomUUID()}`;
    await db.redis.hset(`${prefix}:incident:bad`, 'version', '1', 'json', '{"id":"bad"}');
    const store = openRecords(db.redis, prefix).incidents;

    await expect(store.get('bad')).rejects.toMatchObject({ code: 'record-malformed', retryable: false });
  });
});

describe('the store of approvals', () => {
  const stores = () => openRecords(db.redis, `test-${randomUUID()}`).approvals;

  it('shares one open approval among people who review the same plan', async () => {
    const store = stores();
    await store.open(buildApproval({ initiators: ['U1'] }));

    expect(await store.open(buildApproval({ initiators: ['U2'] }))).toMatchObject({ initiators: ['U1'] });
  });

  it('accepts exactly one of a hundred simultaneous decisions', async () => {
    const store = stores();
    const approval = await store.open(buildApproval({}));
    const at = approval.createdAt;
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const wish = { by: `U${n}`, at, decision: 'approve', reason: '' } as const;
        const next = decided(approval, wish, { notRequester: false, now: Date.parse(at) });
        if ('type' in next) throw new Error('must count');
        return store.replace(next);
      }),
    );

    expect(outcomes.filter((each) => !('type' in each))).toHaveLength(1);
    expect((await store.get(approval.id))?.decisions).toHaveLength(1);
  });

  it('starts an approved one, and returns it again to the worker that resumes', async () => {
    const store = stores();
    const open = await store.open(buildApproval({}));
    await store.replace(movedTo(open, 'approved'));

    expect(await store.consume(open.id, startEntry)).toMatchObject({ state: 'running' });
    expect(await store.consume(open.id, startEntry)).toMatchObject({ state: 'running' });
    expect(await store.underway()).toEqual([open.id]);
  });

  it.each(['open', 'done', 'failed', 'rejected', 'expired', 'superseded'] as const)(
    'does not start one that is %s',
    async (state) => {
      const store = stores();
      await store.open(buildApproval({ state }));

      expect(await store.consume('a1', startEntry)).toEqual({ type: 'not-approved', state });
    },
  );

  it('does not start one that does not exist', async () => {
    expect(await stores().consume('nobody', startEntry)).toEqual({ type: 'not-approved', state: undefined });
  });
});

it('recognises a repeated delivery', async () => {
  const seenBefore = createRedisSeenBefore({ redis: db.redis, prefix: `test-${randomUUID()}`, ttlMs });

  expect(await seenBefore('Ev1')).toBe(false);
  expect(await seenBefore('Ev1')).toBe(true);
  expect(await seenBefore('Ev2')).toBe(false);
});

describe('the clock that processes share', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([2, -2])('is that of Redis where the clock of the process is %s hours off', async (hours) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    const [seconds] = await db.redis.time();
    const now = await createRedisClock(db.redis, `test-${randomUUID()}`).now();

    expect(Math.abs(now.getTime() / 1_000 - Number(seconds))).toBeLessThan(1_800);
  });
});
