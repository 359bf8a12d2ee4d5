import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRedisRootClaims } from '#src/edges/redis/redis-claims.js';
import { withRedis } from '../../support/open-redis.js';
import { broken, calm, channel, createGroupStage, named, sickOf } from './group-stage.js';

let group: ReturnType<typeof createGroupStage>;

const db = withRedis();

beforeEach(() => {
  group = createGroupStage(db.redis);
});

describe('a claim to lead', () => {
  const root = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
  const claims = (prefix: string, keepMs: number) =>
    createRedisRootClaims({ redis: db.redis, prefix, keepMs });

  it('has one holder, who alone can give it back', async () => {
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

  it('is renewed by its holder, and by nobody else', async () => {
    const prefix = `roots-${randomUUID()}`;
    await claims(prefix, 60_000).claim(channel, root, 'i1');
    await claims(prefix, 1).claim(channel, root, 'i2');
    expect(await claims(prefix, 1).holder(channel, root)).toBe('i1');

    await claims(prefix, 1).claim(channel, root, 'i1');
    await expect.poll(() => claims(prefix, 1).holder(channel, root)).toBeUndefined();
  });
});

describe('the first card', () => {
  it('of what nobody asked for waits for its first look', async () => {
    const web = await group.alerted(named('web'));
    await group.slack.card(web);
    expect(group.slack.cards()).toHaveLength(0);

    await group.looked(web, broken);
    await group.slack.deliverAll();
    expect(group.cardOf(web).incident.phase).toBe('diagnosed');
  });

  it('does not wait for a cluster that does not answer', async () => {
    const web = await group.alerted(named('web'));
    group.stage.advanceMinutes(1);
    await group.stage.sweep();
    await group.slack.card(web);

    expect(group.stage.jobsOf('delivery')).toContain(`card-${web}-1`);
    expect(group.cardOf(web).incident.phase).toBe('diagnosing');
  });

  it('comes at once in the thread of an alert', async () => {
    const web = await group.alerted(named('web'), { channel, threadTs: '1763600000.000001' });
    await group.slack.card(web);

    expect(group.cardOf(web).threadTs).toBe('1763600000.000001');
  });

  it('that waited too long stands in the channel, and is named all the same', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.alerted(named('api'));
    group.stage.advanceMinutes(1);
    await group.slack.card(api);
    await group.looked(api, sickOf('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });
});

describe('the leading card', () => {
  it('says who is well again, and who is sick once more', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    group.stage.advanceMinutes(5);
    await group.shown(named('api'), calm);
    expect(group.toldBy(web)).toEqual({ api: 'well' });

    group.stage.advanceMinutes(5);
    await group.shown(named('api'), sickOf('n-b'));
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
    expect(group.isListedOnly(api)).toBe(true);
  });

  it('leads on when itself is well', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    group.stage.advanceMinutes(5);
    await group.shown(named('web'), calm);
    const api = await group.shown(named('api'), sickOf('n-b'));

    expect(group.isListedOnly(api)).toBe(true);
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });

  it('leads on when another incident goes on in its place, which stands in the channel', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    const successor = await group.succeeded(web);
    group.stage.advanceMinutes(5);
    await group.shown(named('api'), calm);
    const cart = await group.shown(named('cart'), sickOf('n-b'));

    expect(group.cardOf(successor).threadTs).toBeUndefined();
    expect([api, cart].map(group.isListedOnly)).toEqual([true, true]);
    expect(group.toldBy(web)).toEqual({ api: 'well', cart: 'sick' });
  });

  it('hands over where it moved to another node before anybody stood under it', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    group.stage.advanceMinutes(5);
    await group.shown(named('web'), sickOf('n-c'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    const cart = await group.shown(named('cart'), sickOf('n-c'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.isListedOnly(cart)).toBe(true);
    expect(group.toldBy(web)).toEqual({ cart: 'sick' });
  });

  it('whose message is deleted gives way to a card of those that it listed', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    group.slack.world.refuses = ({ id }) => (id === web ? 'message_not_found' : undefined);
    const api = await group.shown(named('api'), sickOf('n-b'));
    expect(group.isListedOnly(api)).toBe(true);
    expect(group.stage.jobsOf('delivery')).toContain(`card-${api}-0`);
    await group.slack.card(api);
    await group.slack.deliverAll();
    await group.shown(named('cart'), sickOf('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.toldBy(api)).toEqual({ cart: 'sick' });
  });

  it('is forgotten once the time is over in which an incident reopens', async () => {
    group = createGroupStage(db.redis, { keepMs: 1 });
    await group.shown(named('web'), sickOf('n-b'));
    await expect
      .poll(() => group.roots.holder(channel, { kind: 'Node', cluster: 'prod', name: 'n-b' }))
      .toBeUndefined();
    const api = await group.shown(named('api'), sickOf('n-b'));

    expect(group.cardOf(api).threadTs).toBeUndefined();
  });
});

describe('a member', () => {
  it('with a trouble of its own later has a card of its own in the channel', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    const successor = await group.succeeded(api);

    expect(group.toldBy(web)).toEqual({ api: 'well' });
    expect(group.cardOf(successor).threadTs).toBeUndefined();
  });

  it('that a person asks about gets a card in the channel', async () => {
    await group.shown(named('web'), sickOf('n-b'));
    const api = await group.shown(named('api'), sickOf('n-b'));
    const answer = await group.asked(named('api'), { channel });
    await group.looked(api, sickOf('n-b'));
    await group.slack.deliverAll();

    expect(answer).toMatchObject({ joined: true, incident: { id: api } });
    expect(group.cardOf(api).threadTs).toBeUndefined();
  });

  it('that a person asks about before it is diagnosed is shown in the channel', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const api = await group.alerted(named('api'));
    await group.slack.card(api);
    expect(await group.asked(named('api'), { channel })).toMatchObject({
      joined: true,
      incident: { id: api },
    });
    await group.looked(api, sickOf('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(api).threadTs).toBeUndefined();
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });
});

describe('a person who asks', () => {
  it('in another channel gets a card there', async () => {
    await group.shown(named('web'), sickOf('n-b'));
    await group.shown(named('api'), sickOf('n-b'));
    const { incident } = await group.asked(named('api'), { channel: 'C0OTHER' });
    await group.looked(incident.id, sickOf('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(incident.id)).toMatchObject({ channel: 'C0OTHER', threadTs: undefined });
  });

  it('about what no alert told of gets a card in the channel, and the first one names it', async () => {
    const web = await group.shown(named('web'), sickOf('n-b'));
    const { incident } = await group.asked(named('api'), { channel });
    await group.looked(incident.id, sickOf('n-b'));
    await group.slack.deliverAll();

    expect(group.cardOf(incident.id).threadTs).toBeUndefined();
    expect(group.toldBy(web)).toEqual({ api: 'sick' });
  });

  it('first in the channel leads; first in a thread of theirs does not', async () => {
    const inThread = await group.asked(named('cart'), { channel, threadTs: '1763500000.000001' });
    await group.looked(inThread.incident.id, sickOf('n-b'));
    await group.slack.deliverAll();
    const { incident } = await group.asked(named('web'), { channel });
    await group.looked(incident.id, sickOf('n-b'));
    await group.slack.deliverAll();
    const api = await group.shown(named('api'), sickOf('n-b'));

    expect(group.isListedOnly(api)).toBe(true);
    expect(group.toldBy(incident.id)).toEqual({ api: 'sick' });
    expect(group.cardOf(inThread.incident.id).incident.group).toBeUndefined();
  });
});
