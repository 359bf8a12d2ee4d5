import { beforeEach, describe, expect, it } from 'vitest';
import { membersMost } from '#src/doctor/incidents/group-rows.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { broken, channel, createGroupStage, named, overQuota, sickOf } from './group-stage.js';

let group: ReturnType<typeof createGroupStage>;

const db = withRedis();

beforeEach(() => {
  group = createGroupStage(db.redis);
});

/** Calls of the stores that three deliveries make, if none of them has to wait for the channel. */
const stepsOfThree = 36;

describe('workloads that are sick of one node', () => {
  it('have one card, which names them all', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    const cart = await group.shown(named('cart'), sickOf('n-b'));

    expect(group.slack.cards()).toEqual([group.cardOf(web)]);
    expect([api, cart].map(group.isListedOnly)).toEqual([true, true]);
    expect(group.toldBy(web)).toEqual({ api: 'sick', cart: 'sick' });
    const listed = { severity: 'critical', ready: { pods: 1, wanted: 1 }, alerts: 1 };
    expect(group.cardOf(web).incident.group).toMatchObject({ members: [listed, listed] });
    expect(await group.stage.deliveries.incidentInThread(channel, group.cardOf(web).ts)).toBe(web);
  });

  it.each([2, 3, 8])(
    'and are found at the same moment by %s workers have one card in the channel',
    async (many) => {
      for (let round = 0; round < 5; round += 1) {
        const node = `n-${round}`;
        const ids: string[] = [];
        for (let each = 0; each < many; each += 1) ids.push(await group.alerted(named(`w${round}-${each}`)));
        for (const id of ids) await group.looked(id, sickOf(node));
        const before = group.inChannel().length;
        await Promise.all([...ids, ...ids].map((id) => group.slack.card(id).catch(() => undefined)));
        await group.slack.deliverAll();

        expect(group.inChannel()).toHaveLength(before + 1);
        expect(group.slack.cards()).toHaveLength(round + 1);
        const lead = ids.find((id) => !group.isListedOnly(id)) ?? '';
        expect(Object.keys(group.toldBy(lead))).toHaveLength(many - 1);
      }
    },
  );

  it('are not doubled by jobs that are done again, nor by answers that are lost', async () => {
    group.slack.world.losesAnswers = 1;
    const web = await group.alerted(named('web'));
    await group.looked(web, sickOf('n-b'));
    await expect(group.slack.card(web)).rejects.toThrow();
    group.slack.world.losesAnswers = 1;
    const api = await group.alerted(named('api'));
    await group.looked(api, sickOf('n-b'));
    await group.slack.deliverAll();
    for (const id of [web, api, web, api]) await group.slack.card(id);

    expect(group.slack.cards()).toEqual([group.cardOf(web)]);
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });

  it('are neither doubled nor lost by a worker that dies, at whatever step it does', async () => {
    const life = { steps: Number.POSITIVE_INFINITY };
    group = createGroupStage(db.redis, { life });
    let died = 0;
    let killed = 0;
    for (let step = 1; step <= stepsOfThree; step += 1) {
      const ids: string[] = [];
      for (const name of ['web', 'api', 'cart']) {
        const id = await group.alerted(named(`${name}-${step}`));
        await group.looked(id, sickOf(`n-${step}`));
        ids.push(id);
      }
      life.steps = step;
      for (const id of ids) await group.slack.card(id).catch(() => (died += 1));
      if (life.steps <= 0) killed += 1;
      life.steps = Number.POSITIVE_INFINITY;
      await group.slack.deliverAll();
      for (const id of ids) await group.slack.card(id);

      await group.slack.deliverAll();
      const [lead = '', ...others] = ids.filter((id) => !group.isListedOnly(id));
      expect([step, others]).toEqual([step, []]);
      expect(Object.values(group.toldBy(lead))).toEqual(['sick', 'sick']);
    }
    expect(died).toBe(killed);
    expect(killed).toBeGreaterThan(stepsOfThree / 2);
  });

  it('are listed also while the card that lists them is still on its way', async () => {
    const web = await group.alerted(named('web'));
    await group.looked(web, sickOf('n-b'));
    group.slack.world.losesAnswers = 1;
    await expect(group.slack.card(web)).rejects.toThrow();
    const api = await group.alerted(named('api'));
    await group.looked(api, sickOf('n-b'));

    await group.slack.card(api);
    await group.slack.deliverAll();
    expect(group.slack.cards()).toEqual([group.cardOf(web)]);
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });

  it('share no card with a workload that has its own cause on that node', async () => {
    const web = await group.shown(named('web'), broken);
    await group.shown(named('api'), broken);
    const cart = await group.shown(named('cart'), sickOf('n-b'));

    expect(group.slack.cards()).toEqual([group.cardOf(web), group.cardOf(cart)]);
  });

  it('have one card for each node and cluster', async () => {
    await group.shown(named('web'), sickOf('n-b'));
    await group.shown(named('api'), sickOf('n-c'));
    await group.shown(named('web', { cluster: 'staging' }), sickOf('n-b'));

    expect(group.inChannel()).toHaveLength(3);
  });

  it('are grouped in each channel by itself', async () => {
    await group.shown(named('web'), sickOf('n-b'));
    await group.shown(named('api'), sickOf('n-b'), { channel: 'C0OTHER' });

    expect(group.inChannel()).toHaveLength(2);
  });

  it('whose alerts have threads are answered there, and named by the first', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'), { channel, threadTs: '1763600000.000001' });
    const api = await group.shown(named('api'), sickOf('n-b'), { channel, threadTs: '1763600000.000002' });
    const cart = await group.shown(named('cart'), sickOf('n-b'));

    expect(group.cardOf(api).threadTs).toBe('1763600000.000002');
    expect(group.isListedOnly(cart)).toBe(true);
    expect(group.toldBy(web)).toEqual({ api: 'sick', cart: 'sick' });
  });

  it('begin another card when one holds as many as a record takes', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const lead = await group.stored(web);
    const members = Array.from({ length: membersMost }, (_, at) => ({
      id: `m${at}`,
      workload: named(`m${at}`),
      state: 'sick' as const,
    }));
    if (lead.group?.role !== 'leads') throw new Error('does not lead');
    const full = { ...lead.group, members };
    await group.stage.incidents.replace({ ...lead, version: lead.version + 1, group: full });
    const api = await group.shown(named('api'), sickOf('n-b'));
    await group.shown(named('cart'), sickOf('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.toldBy(api)).toEqual({ cart: 'sick' });
  });
});

describe('workloads that one quota refuses', () => {
  it('have one card in the channel', async () => {
    const web = await group.shown(named('web'), overQuota('compute'));
    const api = await group.shown(named('api'), overQuota('compute'));

    expect(group.slack.cards()).toEqual([group.cardOf(web)]);
    expect(group.isListedOnly(api)).toBe(true);
  });

  it('share no card with workloads of another quota of that name', async () => {
    await group.shown(named('web'), overQuota('compute'));
    await group.shown(named('web', { namespace: 'ml' }), overQuota('compute'));
    await group.shown(named('web', { cluster: 'staging' }), overQuota('compute'));
    await group.shown(named('api'), overQuota('objects'));

    expect(group.inChannel()).toHaveLength(4);
  });
});

describe('incidents of a sentinel', () => {
  it('are grouped like those of alerts, and with them', async () => {
    const found = ['api', 'cart'].map((name) => ({
      id: name,
      diagnosis: overQuota('compute')(named(name)),
      workload: named(name),
    }));
    const web = await group.shown(named('web'), overQuota('compute'));
    for (const fields of found) {
      await group.stage.incidents.open(
        buildIncident({ ...fields, channel, origin: { via: 'sentinel' }, phase: 'diagnosed' }),
      );
    }
    await group.slack.deliverAll();

    expect(group.inChannel()).toEqual([group.cardOf(web)]);
    expect(group.toldBy(web)).toEqual({ api: 'sick', cart: 'sick' });
  });
});
