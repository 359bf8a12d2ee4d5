import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { membersMost } from '#src/core/incident/group-transitions.js';
import { withRedis } from '#support/open-redis.js';
import { buildIncident } from '#support/records.js';
import { affectedBy, channel, crashing, createGroupStage, named, overQuota } from './group-stage.js';

let redis: Redis;
let group: ReturnType<typeof createGroupStage>;

withRedis((open) => {
  redis = open.redis;
});

beforeEach(() => {
  group = createGroupStage(redis);
});

/** The number of store calls of three deliveries that do not wait for the channel. */
const stepsOfThree = 36;

describe('workloads affected by the same node', () => {
  it('get one card in the channel, which names the others, and the other cards in its thread', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const cart = await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.inChannel()).toEqual([group.cardOf(web)]);
    expect([group.cardOf(api).threadTs, group.cardOf(cart).threadTs]).toEqual([
      group.cardOf(web).ts,
      group.cardOf(web).ts,
    ]);
    expect(group.memberStates(web)).toEqual({ api: 'sick', cart: 'sick' });
    expect(group.cardOf(web).incident.group).toMatchObject({
      members: [
        { card: { ts: group.cardOf(api).ts, threadTs: group.cardOf(web).ts } },
        { card: { ts: group.cardOf(cart).ts } },
      ],
    });
    expect(await group.stage.deliveries.incidentInThread(channel, group.cardOf(web).ts)).toBe(web);
  });

  it.each([2, 3, 8])(
    'get one card in the channel when %s workers diagnose them at the same moment',
    async (many) => {
      for (let round = 0; round < 5; round += 1) {
        const node = `n-${round}`;
        const ids: string[] = [];
        for (let each = 0; each < many; each += 1)
          ids.push(await group.openByAlert(named(`w${round}-${each}`)));
        for (const id of ids) await group.diagnose(id, affectedBy(node));
        const before = group.inChannel().length;
        await Promise.all([...ids, ...ids].map((id) => group.slack.card(id).catch(() => undefined)));
        await group.slack.deliverAll();

        expect(group.inChannel()).toHaveLength(before + 1);
        expect(group.slack.cards()).toHaveLength((round + 1) * many);
        const lead = ids.find((id) => group.cardOf(id).threadTs === undefined) ?? '';
        expect(Object.keys(group.memberStates(lead))).toHaveLength(many - 1);
      }
    },
  );

  it('get one card each when jobs run again and answers of Slack are lost', async () => {
    group.slack.world.losesAnswers = 1;
    const web = await group.openByAlert(named('web'));
    await group.diagnose(web, affectedBy('n-b'));
    await expect(group.slack.card(web)).rejects.toThrow();
    group.slack.world.losesAnswers = 1;
    const api = await group.openByAlert(named('api'));
    await group.diagnose(api, affectedBy('n-b'));
    await group.slack.deliverAll();
    for (const id of [web, api, web, api]) await group.slack.card(id);

    expect(group.slack.cards()).toHaveLength(2);
    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
  });

  it('get one card each when a worker dies at any step', async () => {
    const life = { steps: Number.POSITIVE_INFINITY };
    group = createGroupStage(redis, { life });
    let died = 0;
    let killed = 0;
    for (let step = 1; step <= stepsOfThree; step += 1) {
      const ids: string[] = [];
      for (const name of ['web', 'api', 'cart']) {
        const id = await group.openByAlert(named(`${name}-${step}`));
        await group.diagnose(id, affectedBy(`n-${step}`));
        ids.push(id);
      }
      life.steps = step;
      for (const id of ids) await group.slack.card(id).catch(() => (died += 1));
      if (life.steps <= 0) killed += 1;
      life.steps = Number.POSITIVE_INFINITY;
      await group.slack.deliverAll();
      for (const id of ids) await group.slack.card(id);

      const [lead = '', ...others] = [...ids].sort(
        (a, b) => Number(group.cardOf(a).ts) - Number(group.cardOf(b).ts),
      );
      expect([step, group.cardOf(lead).threadTs]).toEqual([step, undefined]);
      expect(others.map((id) => group.cardOf(id).threadTs)).toEqual([
        group.cardOf(lead).ts,
        group.cardOf(lead).ts,
      ]);
      await group.slack.deliverAll();
      expect(Object.values(group.memberStates(lead))).toEqual(['sick', 'sick']);
    }
    expect(died).toBe(killed);
    expect(killed).toBeGreaterThan(stepsOfThree / 2);
  });

  it('do not wait for a leading card that is not yet posted: the job of a member runs again later', async () => {
    const web = await group.openByAlert(named('web'));
    await group.diagnose(web, affectedBy('n-b'));
    group.slack.world.losesAnswers = 1;
    await expect(group.slack.card(web)).rejects.toThrow();
    const api = await group.openByAlert(named('api'));
    await group.diagnose(api, affectedBy('n-b'));

    expect(await group.slack.card(api)).toMatchObject({ type: 'later' });
    expect(group.slack.cards()).toHaveLength(1);
    await group.slack.deliverAll();
    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
  });

  it('are not grouped with a workload that fails for a cause of its own on that node', async () => {
    await group.showCard(named('web'), crashing);
    await group.showCard(named('api'), crashing);
    await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.inChannel()).toHaveLength(3);
  });

  it('are not grouped across nodes or clusters', async () => {
    await group.showCard(named('web'), affectedBy('n-b'));
    await group.showCard(named('api'), affectedBy('n-c'));
    await group.showCard(named('web', { cluster: 'staging' }), affectedBy('n-b'));

    expect(group.inChannel()).toHaveLength(3);
  });

  it('are grouped separately in each channel', async () => {
    await group.showCard(named('web'), affectedBy('n-b'));
    await group.showCard(named('api'), affectedBy('n-b'), { channel: 'C0OTHER' });

    expect(group.inChannel()).toHaveLength(2);
  });

  it('get their cards in the threads of their alerts, and the leading card names them', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'), {
      channel,
      threadTs: '1763600000.000001',
    });
    const api = await group.showCard(named('api'), affectedBy('n-b'), {
      channel,
      threadTs: '1763600000.000002',
    });
    const cart = await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBe('1763600000.000002');
    expect(group.cardOf(cart).threadTs).toBe('1763600000.000001');
    expect(group.memberStates(web)).toEqual({ api: 'sick', cart: 'sick' });
  });

  it('get a second leading card when the first one has the maximum number of members', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const lead = await group.getIncident(web);
    const members = Array.from({ length: membersMost }, (_, at) => ({
      id: `m${at}`,
      workload: named(`m${at}`),
      state: 'sick' as const,
    }));
    if (lead.group?.role !== 'leads') throw new Error('does not lead');
    const full = { ...lead.group, members };
    await group.stage.incidents.replace({ ...lead, version: lead.version + 1, group: full });
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const cart = await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.cardOf(cart).threadTs).toBe(group.cardOf(api).ts);
  });
});

describe('workloads whose pods one quota rejects', () => {
  it('have one card in the channel', async () => {
    const web = await group.showCard(named('web'), overQuota('compute'));
    const api = await group.showCard(named('api'), overQuota('compute'));

    expect(group.inChannel()).toEqual([group.cardOf(web)]);
    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
  });

  it('are not grouped with workloads of another quota, namespace or cluster', async () => {
    await group.showCard(named('web'), overQuota('compute'));
    await group.showCard(named('web', { namespace: 'ml' }), overQuota('compute'));
    await group.showCard(named('web', { cluster: 'staging' }), overQuota('compute'));
    await group.showCard(named('api'), overQuota('objects'));

    expect(group.inChannel()).toHaveLength(4);
  });
});

describe('incidents of a sentinel', () => {
  it('are grouped with incidents of alerts', async () => {
    const found = ['api', 'cart'].map((name) => ({
      id: name,
      diagnosis: overQuota('compute')(named(name)),
      workload: named(name),
    }));
    const web = await group.showCard(named('web'), overQuota('compute'));
    for (const fields of found) {
      await group.stage.incidents.open(
        buildIncident({ ...fields, channel, origin: { via: 'sentinel' }, phase: 'diagnosed' }),
      );
    }
    await group.slack.deliverAll();

    expect(group.inChannel()).toEqual([group.cardOf(web)]);
    expect(group.memberStates(web)).toEqual({ api: 'sick', cart: 'sick' });
  });
});
