import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { connectProducer } from '../../../src/adapters/redis/connection.js';
import { createRedisRootClaims } from '../../../src/adapters/redis/redis-root-claims.js';
import type { WorkloadRef } from '../../../src/core/cluster/workload.js';
import { membersMost } from '../../../src/core/incident/group-transitions.js';
import type { Incident } from '../../../src/core/incident/incident.js';
import { createRequestDiagnosis } from '../../../src/usecases/request-diagnosis.js';
import { buildDiagnosis, buildFinding } from '../../builders/diagnosis.js';
import { createDelivering } from './shown-thread.js';
import { createAlertStage, located } from './stage.js';

let server: PrivateRedis;
let redis: Redis;
let stage: ReturnType<typeof createAlertStage>;
let slack: ReturnType<typeof createDelivering>;
let request: ReturnType<typeof createRequestDiagnosis>;

beforeAll(async () => {
  server = await startPrivateRedis({ url: process.env.REDIS_URL });
  redis = connectProducer({ url: server.url, prefix: 'unused' }, () => undefined);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => {
  stage = createAlertStage(redis);
  const roots = createRedisRootClaims({ redis, prefix: `roots-${randomUUID()}`, keepMs: 60_000 });
  slack = createDelivering({ ...stage, roots });
  request = createRequestDiagnosis({
    ...stage,
    newId: randomUUID,
    cluster: {
      clusters: ['prod'],
      find: async ({ namespace = '', name }) => ({ type: 'found', workloads: [named(name, { namespace })] }),
      snapshot: async () => {
        throw new Error('a worker looks');
      },
    },
  });
});

const channel = 'C0INCIDENTS';
const named = (name: string, fields: Partial<WorkloadRef> = {}): WorkloadRef => ({
  cluster: 'prod',
  kind: 'Deployment',
  namespace: 'shop',
  name,
  ...fields,
});

type Found = (workload: WorkloadRef) => ReturnType<typeof buildDiagnosis>;
const sickOf =
  (node: string): Found =>
  (workload) =>
    buildDiagnosis({ workload, findings: [buildFinding({ cause: 'node-not-ready', nodes: [node] })] });
const broken: Found = (workload) =>
  buildDiagnosis({ workload, findings: [buildFinding({ cause: 'application-crash', nodes: ['n-b'] })] });
const calm: Found = (workload) => buildDiagnosis({ workload, findings: [] });
const overQuota =
  (quota: string): Found =>
  (workload) => {
    const summary = { catalogue: 'quota-exceeded', key: 'summary', values: { quota } };
    const subject = { kind: workload.kind, namespace: workload.namespace, name: workload.name };
    return buildDiagnosis({
      workload,
      findings: [buildFinding({ cause: 'quota-exceeded', nodes: [], subject, summary })],
    });
  };

/** An alert about the workload comes, and opens its incident. */
async function alerted(workload: WorkloadRef, place: Parameters<typeof stage.tells>[2] = { channel }) {
  const alertId = JSON.stringify([workload, place, stage.world.now]);
  stage.world.found = located(workload);
  await stage.tells(alertId, {}, place);
  await stage.handles(alertId);
  const [incident] = await stage.incidentsOf(alertId);
  if (incident === undefined) throw new Error('no incident');
  return incident.id;
}

async function looked(id: string, found: Found): Promise<Incident> {
  const { workload } = await stored(id);
  stage.world.diagnosis = found(workload);
  await stage.looks(id);
  return stored(id);
}

/** The same after the look, with every card brought up. */
async function shown(workload: WorkloadRef, found: Found, place?: Parameters<typeof stage.tells>[2]) {
  const id = await alerted(workload, place);
  await looked(id, found);
  await slack.settles();
  return id;
}

/** Calls of the stores that three deliveries make at the least. */
const stepsOfThree = 60;

/** The store of a worker that dies once, when so many of its calls are made. */
function mortal<Store extends object>(store: Store, life: { steps: number }): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]): Promise<unknown> => {
        life.steps -= 1;
        if (life.steps === 0) throw new Error('killed');
        return Reflect.apply(found, target, given);
      };
    },
  });
}

/** Its alert fires again, and the look finds a trouble of the workload's own: gives the incident that goes on. */
async function succeeded(id: string): Promise<string> {
  stage.minutesLater(5);
  await alerted((await stored(id)).workload);
  const { successor = '' } = await looked(id, broken);
  await looked(successor, broken);
  await slack.settles();
  return successor;
}

async function stored(id: string): Promise<Incident> {
  const incident = await stage.incidents.get(id);
  if (incident === undefined) throw new Error('no such incident');
  return incident;
}

const cardOf = (id: string) => {
  const [card, ...others] = slack.cards().filter(({ key }) => key === `${id}.card`);
  if (card === undefined || others.length > 0) throw new Error('not one card');
  return card;
};
const inChannel = () => slack.cards().filter(({ threadTs }) => threadTs === undefined);

/** What the leading card tells: names with their state. */
function toldBy(id: string): Readonly<Record<string, string>> {
  const { group } = cardOf(id).incident;
  if (group?.role !== 'leads') throw new Error('does not lead');
  return Object.fromEntries(group.members.map(({ workload, state }) => [workload.name, state]));
}

const asks = (workload: WorkloadRef, where: { readonly channel: string; readonly threadTs?: string }) =>
  request({
    query: { namespace: workload.namespace, name: workload.name },
    origin: { via: 'command', by: 'U0DANA' },
    language: 'en',
    ...where,
  });

async function asked(...of: Parameters<typeof asks>) {
  const answer = await asks(...of);
  if (answer.type !== 'queued') throw new Error('not queued');
  return answer;
}

describe('workloads that are sick of one node', () => {
  it('have one card in the channel, the others in its thread, and the first names them', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await shown(named('api'), sickOf('n-b'));
    const cart = await shown(named('cart'), sickOf('n-b'));

    expect(inChannel()).toEqual([cardOf(web)]);
    expect([cardOf(api).threadTs, cardOf(cart).threadTs]).toEqual([cardOf(web).ts, cardOf(web).ts]);
    expect(toldBy(web)).toEqual({ api: 'sick', cart: 'sick' });
    expect(cardOf(web).incident.group).toMatchObject({
      members: [
        { card: { ts: cardOf(api).ts, threadTs: cardOf(web).ts } },
        { card: { ts: cardOf(cart).ts } },
      ],
    });
    expect(await stage.deliveries.incidentInThread(channel, cardOf(web).ts)).toBe(web);
  });

  it.each([2, 3, 8])(
    'and are found at the same moment by %s workers have one card in the channel',
    async (many) => {
      for (let round = 0; round < 5; round += 1) {
        const node = `n-${round}`;
        const ids: string[] = [];
        for (let each = 0; each < many; each += 1) ids.push(await alerted(named(`w${round}-${each}`)));
        for (const id of ids) await looked(id, sickOf(node));
        const before = inChannel().length;
        await Promise.all([...ids, ...ids].map((id) => slack.card(id).catch(() => undefined)));
        await slack.settles();

        expect(inChannel()).toHaveLength(before + 1);
        expect(slack.cards()).toHaveLength((round + 1) * many);
        const lead = ids.find((id) => cardOf(id).threadTs === undefined) ?? '';
        expect(Object.keys(toldBy(lead))).toHaveLength(many - 1);
      }
    },
  );

  it('are not doubled by jobs that are done again, nor by answers that are lost', async () => {
    slack.world.losesAnswers = 1;
    const web = await alerted(named('web'));
    await looked(web, sickOf('n-b'));
    await expect(slack.card(web)).rejects.toThrow();
    slack.world.losesAnswers = 1;
    const api = await alerted(named('api'));
    await looked(api, sickOf('n-b'));
    await slack.settles();
    for (const id of [web, api, web, api]) await slack.card(id);

    expect(slack.cards()).toHaveLength(2);
    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
    expect(toldBy(web)).toEqual({ api: 'sick' });
  });

  it('are neither doubled nor lost by a worker that dies, at whatever step it does', async () => {
    const life = { steps: Number.POSITIVE_INFINITY };
    const roots = createRedisRootClaims({ redis, prefix: `roots-${randomUUID()}`, keepMs: 60_000 });
    slack = createDelivering({
      ...stage,
      roots: mortal(roots, life),
      incidents: mortal(stage.incidents, life),
      deliveries: mortal(stage.deliveries, life),
      jobs: mortal(stage.jobs, life),
    });
    let died = 0;
    for (let step = 1; step <= stepsOfThree; step += 1) {
      const ids: string[] = [];
      for (const name of ['web', 'api', 'cart']) {
        const id = await alerted(named(`${name}-${step}`));
        await looked(id, sickOf(`n-${step}`));
        ids.push(id);
      }
      life.steps = step;
      for (const id of ids) await slack.card(id).catch(() => (died += 1));
      life.steps = Number.POSITIVE_INFINITY;
      await slack.settles();
      for (const id of ids) await slack.card(id);

      const [lead = '', ...others] = [...ids].sort((a, b) => Number(cardOf(a).ts) - Number(cardOf(b).ts));
      expect([step, cardOf(lead).threadTs]).toEqual([step, undefined]);
      expect(others.map((id) => cardOf(id).threadTs)).toEqual([cardOf(lead).ts, cardOf(lead).ts]);
      await slack.settles();
      expect(Object.values(toldBy(lead))).toEqual(['sick', 'sick']);
    }
    expect(died).toBe(stepsOfThree);
  });

  it('wait for no card that is still on its way: a member comes back until it is there', async () => {
    const web = await alerted(named('web'));
    await looked(web, sickOf('n-b'));
    slack.world.losesAnswers = 1;
    await expect(slack.card(web)).rejects.toThrow();
    const api = await alerted(named('api'));
    await looked(api, sickOf('n-b'));

    expect(await slack.card(api)).toMatchObject({ type: 'later' });
    expect(slack.cards()).toHaveLength(1);
    await slack.settles();
    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
  });

  it('are told apart from one that has a cause of its own on that node', async () => {
    await shown(named('web'), broken);
    await shown(named('api'), broken);
    await shown(named('cart'), sickOf('n-b'));

    expect(inChannel()).toHaveLength(3);
  });

  it('are told apart by node and by cluster', async () => {
    await shown(named('web'), sickOf('n-b'));
    await shown(named('api'), sickOf('n-c'));
    await shown(named('web', { cluster: 'staging' }), sickOf('n-b'));

    expect(inChannel()).toHaveLength(3);
  });

  it('are grouped in each channel by itself', async () => {
    await shown(named('web'), sickOf('n-b'));
    await shown(named('api'), sickOf('n-b'), { channel: 'C0OTHER' });

    expect(inChannel()).toHaveLength(2);
  });

  it('whose alerts have threads are answered there, and named by the first', async () => {
    const web = await shown(named('web'), sickOf('n-b'), { channel, threadTs: '1763600000.000001' });
    const api = await shown(named('api'), sickOf('n-b'), { channel, threadTs: '1763600000.000002' });
    const cart = await shown(named('cart'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBe('1763600000.000002');
    expect(cardOf(cart).threadTs).toBe('1763600000.000001');
    expect(toldBy(web)).toEqual({ api: 'sick', cart: 'sick' });
  });

  it('begin another card when one holds as many as a record takes', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const lead = await stored(web);
    const members = Array.from({ length: membersMost }, (_, at) => ({
      id: `m${at}`,
      workload: named(`m${at}`),
      state: 'sick' as const,
    }));
    const { group } = lead;
    if (group?.role !== 'leads') throw new Error('does not lead');
    await stage.incidents.replace({ ...lead, version: lead.version + 1, group: { ...group, members } });
    const api = await shown(named('api'), sickOf('n-b'));
    const cart = await shown(named('cart'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBeUndefined();
    expect(cardOf(cart).threadTs).toBe(cardOf(api).ts);
  });
});

describe('workloads that one quota refuses', () => {
  it('have one card in the channel', async () => {
    const web = await shown(named('web'), overQuota('compute'));
    const api = await shown(named('api'), overQuota('compute'));

    expect(inChannel()).toEqual([cardOf(web)]);
    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
  });

  it('are told apart from those of a quota of that name elsewhere', async () => {
    await shown(named('web'), overQuota('compute'));
    await shown(named('web', { namespace: 'ml' }), overQuota('compute'));
    await shown(named('web', { cluster: 'staging' }), overQuota('compute'));
    await shown(named('api'), overQuota('objects'));

    expect(inChannel()).toHaveLength(4);
  });
});

describe('the first card', () => {
  it('of what nobody asked for waits for its first look', async () => {
    const web = await alerted(named('web'));
    await slack.card(web);
    expect(slack.cards()).toHaveLength(0);

    await looked(web, broken);
    await slack.settles();
    expect(cardOf(web).incident.phase).toBe('diagnosed');
  });

  it('does not wait for a cluster that does not answer', async () => {
    const web = await alerted(named('web'));
    stage.minutesLater(1);
    await stage.sweep();
    await slack.card(web);

    expect(stage.jobsOf('delivery')).toContain(`card-${web}-1`);
    expect(cardOf(web).incident.phase).toBe('diagnosing');
  });

  it('comes at once in the thread of an alert', async () => {
    const web = await alerted(named('web'), { channel, threadTs: '1763600000.000001' });
    await slack.card(web);

    expect(cardOf(web).threadTs).toBe('1763600000.000001');
  });

  it('that waited too long stands in the channel, and is named all the same', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await alerted(named('api'));
    stage.minutesLater(1);
    await slack.card(api);
    await looked(api, sickOf('n-b'));
    await slack.settles();

    expect(cardOf(api).threadTs).toBeUndefined();
    expect(toldBy(web)).toEqual({ api: 'sick' });
  });
});

describe('the leading card', () => {
  it('says who is well again, and who is sick once more', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await shown(named('api'), sickOf('n-b'));
    stage.minutesLater(5);
    await shown(named('api'), calm);
    expect(toldBy(web)).toEqual({ api: 'well' });

    stage.minutesLater(5);
    await shown(named('api'), sickOf('n-b'));
    expect(toldBy(web)).toEqual({ api: 'sick' });
    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
  });

  it('leads on when itself is well', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    stage.minutesLater(5);
    await shown(named('web'), calm);
    const api = await shown(named('api'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
    expect(toldBy(web)).toEqual({ api: 'sick' });
  });

  it('leads on when another incident goes on in its place, which stands in the channel', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await shown(named('api'), sickOf('n-b'));
    const successor = await succeeded(web);
    stage.minutesLater(5);
    await shown(named('api'), calm);
    const cart = await shown(named('cart'), sickOf('n-b'));

    expect(cardOf(successor).threadTs).toBeUndefined();
    expect(cardOf(cart).threadTs).toBe(cardOf(web).ts);
    expect(toldBy(web)).toEqual({ api: 'well', cart: 'sick' });
    expect(cardOf(api).threadTs).toBe(cardOf(web).ts);
  });

  it('hands over where it moved to another node before anybody stood under it', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    stage.minutesLater(5);
    await shown(named('web'), sickOf('n-c'));
    const api = await shown(named('api'), sickOf('n-b'));
    const cart = await shown(named('cart'), sickOf('n-c'));

    expect(cardOf(api).threadTs).toBeUndefined();
    expect(cardOf(cart).threadTs).toBe(cardOf(web).ts);
  });

  it('whose message is deleted is followed by another one', async () => {
    await shown(named('web'), sickOf('n-b'));
    slack.world.refuses = ({ threadTs }) => (threadTs === undefined ? undefined : 'thread_not_found');
    const api = await shown(named('api'), sickOf('n-b'));
    slack.world.refuses = () => undefined;
    const cart = await shown(named('cart'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBeUndefined();
    expect(cardOf(cart).threadTs).toBe(cardOf(api).ts);
  });

  it('is forgotten once the time is over in which an incident reopens', async () => {
    const roots = createRedisRootClaims({ redis, prefix: `roots-${randomUUID()}`, keepMs: 1 });
    slack = createDelivering({ ...stage, roots });
    await shown(named('web'), sickOf('n-b'));
    await expect
      .poll(() => roots.holder(channel, { kind: 'Node', cluster: 'prod', name: 'n-b' }))
      .toBeUndefined();
    const api = await shown(named('api'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBeUndefined();
  });
});

describe('a member', () => {
  it('with a trouble of its own later has a card of its own in the channel', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await shown(named('api'), sickOf('n-b'));
    const successor = await succeeded(api);

    expect(toldBy(web)).toEqual({ api: 'well' });
    expect(cardOf(successor).threadTs).toBeUndefined();
  });

  it('that a person asks about is shown to them where it stands', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await shown(named('api'), sickOf('n-b'));
    const answer = await asked(named('api'), { channel });

    expect(answer).toMatchObject({
      joined: true,
      incident: { id: api, threadTs: cardOf(web).ts },
      card: { channel, ts: cardOf(api).ts },
    });
  });

  it('that a person asks about before its card is there is shown in the channel', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const api = await alerted(named('api'));
    await slack.card(api);
    expect(await asked(named('api'), { channel })).toMatchObject({ joined: true, incident: { id: api } });
    await looked(api, sickOf('n-b'));
    await slack.settles();

    expect(cardOf(api).threadTs).toBeUndefined();
    expect(toldBy(web)).toEqual({ api: 'sick' });
  });
});

describe('a person who asks', () => {
  it('in another channel gets a card there', async () => {
    await shown(named('web'), sickOf('n-b'));
    await shown(named('api'), sickOf('n-b'));
    const { incident } = await asked(named('api'), { channel: 'C0OTHER' });
    await looked(incident.id, sickOf('n-b'));
    await slack.settles();

    expect(cardOf(incident.id)).toMatchObject({ channel: 'C0OTHER', threadTs: undefined });
  });

  it('about what no alert told of gets a card in the channel, and the first one names it', async () => {
    const web = await shown(named('web'), sickOf('n-b'));
    const { incident } = await asked(named('api'), { channel });
    await looked(incident.id, sickOf('n-b'));
    await slack.settles();

    expect(cardOf(incident.id).threadTs).toBeUndefined();
    expect(toldBy(web)).toEqual({ api: 'sick' });
  });

  it('first in the channel leads; first in a thread of theirs does not', async () => {
    const inThread = await asked(named('cart'), { channel, threadTs: '1763500000.000001' });
    await looked(inThread.incident.id, sickOf('n-b'));
    await slack.settles();
    const { incident } = await asked(named('web'), { channel });
    await looked(incident.id, sickOf('n-b'));
    await slack.settles();
    const api = await shown(named('api'), sickOf('n-b'));

    expect(cardOf(api).threadTs).toBe(cardOf(incident.id).ts);
    expect(cardOf(inThread.incident.id).incident.group).toBeUndefined();
  });
});
