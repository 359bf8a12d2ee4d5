import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import { createRedisScanStore } from '#src/edges/redis/redis-scan-store.js';
import { createSwitchChanges } from '#src/service/approve/change-stop.js';
import { cardKey } from '#src/service/deliver/delivery-jobs.js';
import { createReadWaitingWork } from '#src/service/inspect/read-waiting-work.js';
import { createListIncidents } from '#src/service/people/list-incidents.js';
import { createReadHome } from '#src/service/people/read-home.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { silenceEntry } from '../../support/redis-records.js';
import { buildSilence } from '../../support/slack-records.js';
import { createAlertStage, web } from '../alerts/stage.js';
import { approve, createStage, demanding, openPolicy, reviewed } from '../service/stage.js';

const db = withRedis();

type Put = (key: string) => Promise<unknown>;

const strangeRows = (store: (key: string, text: string) => Promise<unknown>): readonly [string, Put][] => [
  ['half of a JSON text', (key) => store(key, '{"half":')],
  ['an object of another form', (key) => store(key, '{"v":99}')],
  ['no JSON object', (key) => store(key, 'null')],
  ['a list of Redis', (key) => db.redis.multi().del(key).rpush(key, 'x').exec()],
];
/** What another program, or a version that is not known, may have left under a key of ours. */
const texts = strangeRows((key, text) => db.redis.set(key, text, 'KEEPTTL'));
/** The same under keys of records that have a version. */
const records: readonly [string, Put][] = [
  ...strangeRows((key, text) => db.redis.hset(key, 'version', '7', 'json', text)),
  ['a hash whose version is no number', (key) => db.redis.hset(key, 'version', 'x', 'json', '')],
];

const silencedKey = ({ cluster, kind, namespace, name }: typeof web): string =>
  JSON.stringify([cluster, kind, namespace, name]);

const until = '2126-11-20T11:30:00Z';

describe.each(texts)('a silence whose record is %s', (_, put) => {
  it('hides no other one, silences nothing, and is replaced by the next one', async () => {
    const stage = createAlertStage(db.redis);
    const [readable, broken] = [buildSilence({ until }), buildSilence({ until, workload: web })];
    for (const each of [readable, broken]) await stage.silences.put(each, silenceEntry('silenced', each));
    await put(`${stage.prefix}:silence:${silencedKey(web)}`);

    expect(await stage.silences.all()).toEqual([readable]);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    expect(await stage.incidentsOf('a1')).toHaveLength(1);
    await stage.silences.put(broken, silenceEntry('silenced', broken));
    expect(await stage.silences.of(web)).toEqual(broken);
  });

  it('can be lifted', async () => {
    const stage = createAlertStage(db.redis);
    const broken = buildSilence({ until, workload: web });
    await stage.silences.put(broken, silenceEntry('silenced', broken));
    await put(`${stage.prefix}:silence:${silencedKey(web)}`);
    expect(await stage.silences.lift(web, silenceEntry('silence-lifted', broken))).toBeUndefined();
  });
});

describe.each(records)('an incident whose record is %s', (_, put) => {
  it('is not joined: a new one is opened for the workload', async () => {
    const stage = createAlertStage(db.redis);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    const { id } = await stage.onlyIncident('a1');
    await put(`${stage.prefix}:incident:${id}`);

    await stage.receiveAlert('a2');
    await stage.handleAlert('a2');
    const opened = await stage.onlyIncident('a2');
    expect(opened.id).not.toBe(id);
    expect(await stage.incidents.recent(10)).toEqual([opened]);
  });

  it('does not keep the sweep from others', async () => {
    const stage = createAlertStage(db.redis);
    await stage.incidents.open(buildIncident({ id: 'i1', workload: web }));
    await stage.incidents.open(buildIncident({ id: 'i2', workload: { ...web, name: 'other' } }));
    await put(`${stage.prefix}:incident:i1`);
    expect(await stage.sweep()).toEqual({ touched: 1, unreadable: ['i1'] });
  });
});

describe.each(texts)('a card whose record of delivery is %s', (_, put) => {
  it('does not keep the sweep from the cards of others, nor a page from its incidents', async () => {
    const stage = createAlertStage(db.redis);
    for (const name of ['older', 'newer']) {
      await stage.receiveAlert(name);
      stage.world.found = { type: 'located', workloads: [{ ...web, name }], others: [] };
      await stage.handleAlert(name);
      stage.advanceMinutes(1);
    }
    const [older, newer] = [await stage.onlyIncident('older'), await stage.onlyIncident('newer')];
    await put(`${stage.prefix}:delivery:${cardKey(newer.id)}`);
    stage.queued.clear();
    await stage.sweep();
    expect(stage.jobsOf('delivery').filter((id) => id.includes(older.id))).toHaveLength(1);

    const list = await createListIncidents(stage)({ by: 'U0DANA' });
    expect(list).toMatchObject({ open: [{ card: undefined }, { card: undefined }] });
  });
});

describe.each(records)('an approval whose record is %s', (_, put) => {
  it('hides no other one that waits', async () => {
    const stage = createStage(db.redis, demanding({ approvers: 2 }));
    const deliveries = createRedisDeliveryStore({ redis: db.redis, prefix: stage.prefix, ttlMs: 60_000 });
    const [broken, waiting] = [
      await reviewed(stage, 'U0DANA', { id: 'i1', channel: 'C0ONE' }),
      await reviewed(stage, 'U0DANA', { id: 'i2', channel: 'C0TWO' }),
    ];
    for (const { approvalId } of [broken, waiting]) await approve(stage, approvalId);
    await put(`${stage.prefix}:approval:${broken.approvalId}`);

    const readHome = createReadHome({ ...stage, deliveries, policyFaultSince: () => undefined });
    expect(await readHome({ by: 'U0MIN' })).toMatchObject({
      pending: [{ incident: { id: 'i2' }, mine: true }],
      open: [{ incident: { id: 'i1' } }],
    });
    expect(await createReadWaitingWork(stage)()).toMatchObject({ approvals: 1 });
  });
});

describe.each(records)('an alert whose record is %s', (_, put) => {
  it('is recorded anew when it fires again', async () => {
    const stage = createAlertStage(db.redis);
    await stage.receiveAlert('a1');
    await put(`${stage.prefix}:alert:a1`);
    expect(await stage.receiveAlert('a1')).toBe('recorded');
    await stage.handleAlert('a1');
    expect(await stage.incidentsOf('a1')).toHaveLength(1);
  });
});

describe.each(texts)('the stop of all changes whose record is %s', (_, put) => {
  it('holds until a person allows changes, and tells that person that they were stopped', async () => {
    const everywhere = { users: [], groups: ['ml-oncall'], clusters: ['*'], namespaces: ['*'], actions: '*' };
    const stage = createStage(db.redis, Policy.parse({ ...openPolicy, grants: [everywhere] }));
    await put(`${stage.prefix}:changes-stopped`);
    await expect(stage.stops.get()).rejects.toMatchObject({ code: 'record-malformed', retryable: false });
    const allowed = await createSwitchChanges(stage).allow({ by: 'U0DANA' });
    expect(allowed).toEqual({ type: 'allowed', former: 'unreadable' });
    expect(await stage.stops.get()).toBeUndefined();
  });
});

describe.each(texts)('a scan whose record is %s', (_, put) => {
  it('does not keep its person from another one of the same place', async () => {
    const prefix = `test-${randomUUID()}`;
    const scans = createRedisScanStore({ redis: db.redis, prefix });
    const scan = {
      v: 1,
      cluster: 'prod',
      namespace: 'ml',
      by: 'U0DANA',
      channel: 'C0',
      askedAt: until,
    } as const;
    await scans.open({ ...scan, id: 's1' });
    await put(`${prefix}:scan:s1`);
    expect(await scans.open({ ...scan, id: 's2' })).toMatchObject({ created: true, scan: { id: 's2' } });
    expect(await scans.get('s2')).toMatchObject({ id: 's2' });
  });
});
