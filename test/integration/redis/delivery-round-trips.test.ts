import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { withRedis } from '../../support/open-redis.js';
import { broken, channel, createGroupStage, named, sickOf } from '../alerts/group-stage.js';

/**
 * Counts the round trips of a client: commands that are sent together, before an answer is there, are one.
 */
class CountingRedis extends Redis {
  roundTrips: string[][] = [];
  #waiting = 0;

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const answer = super.sendCommand(...given);
    if (this.#waiting === 0) this.roundTrips.push([]);
    this.roundTrips.at(-1)?.push(given[0].name);
    this.#waiting += 1;
    const answered = () => {
      this.#waiting -= 1;
    };
    Promise.resolve(answer).then(answered, answered);
    return answer;
  }
}

let redis: CountingRedis;
let group: ReturnType<typeof createGroupStage>;

const db = withRedis();

beforeEach(async ({ onTestFinished }: TestContext) => {
  redis = new CountingRedis(db.url);
  onTestFinished(() => redis.disconnect());
  await redis.ping();
  group = createGroupStage(redis);
});

/** The round trips of the delivery of the card, from the start of its job to its end. */
async function roundTripsOf(id: string, urgency: 'person' | 'alert'): Promise<readonly string[][]> {
  redis.roundTrips = [];
  const outcome = await group.slack.deliver({ v: 1, kind: 'card', incidentId: id, version: 0 }, urgency);
  expect(outcome).toEqual({ type: 'delivered', fresh: !group.isListedOnly(id) });
  return redis.roundTrips;
}

describe('a fresh card', () => {
  it('that a person asked for takes at most 6 round trips to Redis', async () => {
    const { incident } = await group.asked(named('web'), { channel });
    await group.looked(incident.id, broken);

    expect((await roundTripsOf(incident.id, 'person')).length).toBeLessThanOrEqual(6);
  });

  it('of an alert takes at most 6 round trips to Redis', async () => {
    const web = await group.alerted(named('web'));
    await group.looked(web, broken);

    expect((await roundTripsOf(web, 'alert')).length).toBeLessThanOrEqual(6);
    expect(group.isListedOnly(web)).toBe(false);
  });

  it('that becomes the leading one takes at most 6 round trips to Redis', async () => {
    const web = await group.alerted(named('web'));
    await group.looked(web, sickOf('n-b'));

    expect((await roundTripsOf(web, 'alert')).length).toBeLessThanOrEqual(6);
  });

  it('in whose place a leading card lists the incident takes at most 10 round trips to Redis', async () => {
    await group.shown(named('web'), sickOf('n-b'));
    const api = await group.alerted(named('api'));
    await group.looked(api, sickOf('n-b'));

    expect((await roundTripsOf(api, 'alert')).length).toBeLessThanOrEqual(10);
    expect(group.isListedOnly(api)).toBe(true);
  });
});
