import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRedisRootClaims } from '#src/adapters/redis/redis-root-claims.js';
import { withRedis } from '#support/open-redis.js';
import { affectedBy, channel, crashing, createGroupStage, named, recovered } from './group-stage.js';

let redis: Redis;
let group: ReturnType<typeof createGroupStage>;

withRedis((open) => {
  redis = open.redis;
});

beforeEach(() => {
  group = createGroupStage(redis);
});

describe('a claim to lead a group', () => {
  const root = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
  const claims = (prefix: string, keepMs: number) => createRedisRootClaims({ redis, prefix, keepMs });

  it('has one holder, and only the holder can release it', async () => {
    const roots = claims(`roots-${randomUUID()}`, 60_000);

    expect(await roots.holder(channel, root)).toBeUndefined();
    expect(await Promise.all(['i1', 'i2', 'i3'].map((id) => roots.claim(channel, root, id)))).toEqual(
      Array.from({ length: 3 }, () => 'i1'),
    );
    await roots.release(channel, root, 'i2');
    expect(await roots.holder(channel, root)).toBe('i1');
    await roots.release(channel, root, 'i1');
    expect(await roots.claim(channel, root, 'i2')).toBe('i2');
    expect(await roots.holder('C0OTHER', root)).toBeUndefined();
  });

  it('is renewed only by its holder', async () => {
    const prefix = `roots-${randomUUID()}`;
    await claims(prefix, 60_000).claim(channel, root, 'i1');
    await claims(prefix, 1).claim(channel, root, 'i2');
    expect(await claims(prefix, 1).holder(channel, root)).toBe('i1');

    await claims(prefix, 1).claim(channel, root, 'i1');
    await expect.poll(() => claims(prefix, 1).holder(channel, root)).toBeUndefined();
  });
});

describe('the first card of a workload', () => {
  it('waits for the first diagnosis if an alert opened the incident', async () => {
    const web = await group.openByAlert(named('web'));
    await group.slack.card(web);
    expect(group.slack.cards()).toHaveLength(0);

    await group.diagnose(web, crashing);
    await group.slack.deliverAll();
    expect(group.cardOf(web).incident.phase).toBe('diagnosed');
  });

  it('is posted after a minute if the cluster does not answer', async () => {
    const web = await group.openByAlert(named('web'));
    group.stage.advanceMinutes(1);
    await group.stage.sweep();
    await group.slack.card(web);

    expect(group.stage.jobsOf('delivery')).toContain(`card-${web}-1`);
    expect(group.cardOf(web).incident.phase).toBe('diagnosing');
  });

  it('is posted at once in the thread of an alert', async () => {
    const web = await group.openByAlert(named('web'), { channel, threadTs: '1763600000.000001' });
    await group.slack.card(web);

    expect(group.cardOf(web).threadTs).toBe('1763600000.000001');
  });

  it('stays in the channel if it was posted before the diagnosis, and the leading card names its workload', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.openByAlert(named('api'));
    group.stage.advanceMinutes(1);
    await group.slack.card(api);
    await group.diagnose(api, affectedBy('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
  });
});

describe('the leading card', () => {
  it('shows which member has recovered and which one is affected again', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    group.stage.advanceMinutes(5);
    await group.showCard(named('api'), recovered);
    expect(group.memberStates(web)).toEqual({ api: 'well' });

    group.stage.advanceMinutes(5);
    await group.showCard(named('api'), affectedBy('n-b'));
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
  });

  it('keeps leading after its own workload has recovered', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    group.stage.advanceMinutes(5);
    await group.showCard(named('web'), recovered);
    const api = await group.showCard(named('api'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
  });

  it('keeps leading when its incident has a successor, whose card is posted in the channel', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const successor = await group.openSuccessor(web);
    group.stage.advanceMinutes(5);
    await group.showCard(named('api'), recovered);
    const cart = await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.cardOf(successor).threadTs).toBeUndefined();
    expect(group.cardOf(cart).threadTs).toBe(group.cardOf(web).ts);
    expect(group.memberStates(web)).toEqual({ api: 'well', cart: 'sick' });
    expect(group.cardOf(api).threadTs).toBe(group.cardOf(web).ts);
  });

  it('leads the group of another node if its workload moved there before it had members', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    group.stage.advanceMinutes(5);
    await group.showCard(named('web'), affectedBy('n-c'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const cart = await group.showCard(named('cart'), affectedBy('n-c'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.cardOf(cart).threadTs).toBe(group.cardOf(web).ts);
  });

  it('is replaced by the card of the next incident when its message is deleted', async () => {
    await group.showCard(named('web'), affectedBy('n-b'));
    group.slack.world.refuses = ({ threadTs }) => (threadTs === undefined ? undefined : 'thread_not_found');
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    group.slack.world.refuses = () => undefined;
    const cart = await group.showCard(named('cart'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.cardOf(cart).threadTs).toBe(group.cardOf(api).ts);
  });

  it('is forgotten when the time in which an incident can reopen has ended', async () => {
    group = createGroupStage(redis, { keepMs: 1 });
    await group.showCard(named('web'), affectedBy('n-b'));
    await expect
      .poll(() => group.roots.holder(channel, { kind: 'Node', cluster: 'prod', name: 'n-b' }))
      .toBeUndefined();
    const api = await group.showCard(named('api'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
  });
});

describe('a member of a group', () => {
  it('gets its own card in the channel when it later fails for another cause', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const successor = await group.openSuccessor(api);

    expect(group.memberStates(web)).toEqual({ api: 'well' });
    expect(group.cardOf(successor).threadTs).toBeUndefined();
  });

  it('is shown in its thread to a person who asks about it', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.showCard(named('api'), affectedBy('n-b'));
    const answer = await group.requestCard(named('api'), { channel });

    expect(answer).toMatchObject({
      joined: true,
      incident: { id: api, threadTs: group.cardOf(web).ts },
      card: { channel, ts: group.cardOf(api).ts },
    });
  });

  it('gets its card in the channel if a person asks about it before the card is posted', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.openByAlert(named('api'));
    await group.slack.card(api);
    expect(await group.requestCard(named('api'), { channel })).toMatchObject({
      joined: true,
      incident: { id: api },
    });
    await group.diagnose(api, affectedBy('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
  });
});

describe('a person who asks about a workload', () => {
  it('gets a card in the other channel in which the person asks', async () => {
    await group.showCard(named('web'), affectedBy('n-b'));
    await group.showCard(named('api'), affectedBy('n-b'));
    const { incident } = await group.requestCard(named('api'), { channel: 'C0OTHER' });
    await group.diagnose(incident.id, affectedBy('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(incident.id)).toMatchObject({ channel: 'C0OTHER', threadTs: undefined });
  });

  it('gets a card in the channel if no alert named the workload, and the leading card names it', async () => {
    const web = await group.showCard(named('web'), affectedBy('n-b'));
    const { incident } = await group.requestCard(named('api'), { channel });
    await group.diagnose(incident.id, affectedBy('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(incident.id).threadTs).toBeUndefined();
    expect(group.memberStates(web)).toEqual({ api: 'sick' });
  });

  it('opens a leading card by asking in the channel, but not by asking in a thread', async () => {
    const inThread = await group.requestCard(named('cart'), { channel, threadTs: '1763500000.000001' });
    await group.diagnose(inThread.incident.id, affectedBy('n-b'));
    await group.slack.deliverAll();
    const { incident } = await group.requestCard(named('web'), { channel });
    await group.diagnose(incident.id, affectedBy('n-b'));
    await group.slack.deliverAll();
    const api = await group.showCard(named('api'), affectedBy('n-b'));

    expect(group.cardOf(api).threadTs).toBe(group.cardOf(incident.id).ts);
    expect(group.cardOf(inThread.incident.id).incident.group).toBeUndefined();
  });
});
