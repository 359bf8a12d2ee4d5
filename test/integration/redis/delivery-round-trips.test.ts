import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { withRedis } from '#support/open-redis.js';
import { affectedBy, channel, crashing, createGroupStage, named } from '../alerts/group-stage.js';

/** Counts the round trips of a client: commands that are sent together, before an answer is there, are one. */
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

let url: string;
let redis: CountingRedis;
let group: ReturnType<typeof createGroupStage>;

withRedis((open) => {
  url = open.url;
});

beforeEach(async ({ onTestFinished }: TestContext) => {
  redis = new CountingRedis(url);
  onTestFinished(() => redis.disconnect());
  await redis.ping();
  group = createGroupStage(redis);
});

/** The round trips of the delivery of the card, from the start of its job to its end. */
async function roundTripsOf(id: string, urgency: 'person' | 'alert'): Promise<readonly string[][]> {
  redis.roundTrips = [];
  const outcome = await group.slack.deliver({ v: 1, kind: 'card', incidentId: id, version: 0 }, urgency);
  expect(outcome).toEqual({ type: 'delivered', fresh: true });
  expect(group.cardOf(id).incident.id).toBe(id);
  return redis.roundTrips;
}

describe('a new card', () => {
  it('that a person asked for takes at most 6 round trips to Redis', async () => {
    const { incident } = await group.requestCard(named('web'), { channel });
    await group.diagnose(incident.id, crashing);

    expect((await roundTripsOf(incident.id, 'person')).length).toBeLessThanOrEqual(6);
  });

  it('of an alert takes at most 6 round trips to Redis', async () => {
    const web = await group.openByAlert(named('web'));
    await group.diagnose(web, crashing);

    expect((await roundTripsOf(web, 'alert')).length).toBeLessThanOrEqual(6);
  });

  it('that becomes the leading card takes at most 6 round trips to Redis', async () => {
    const web = await group.openByAlert(named('web'));
    await group.diagnose(web, affectedBy('n-b'));

    expect((await roundTripsOf(web, 'alert')).length).toBeLessThanOrEqual(6);
  });

  it('in the thread of a leading card takes at most 10 round trips to Redis', async () => {
    await group.showCard(named('web'), affectedBy('n-b'));
    const api = await group.openByAlert(named('api'));
    await group.diagnose(api, affectedBy('n-b'));

    expect((await roundTripsOf(api, 'alert')).length).toBeLessThanOrEqual(10);
  });
});
