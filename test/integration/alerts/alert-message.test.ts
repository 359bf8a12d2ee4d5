import { beforeEach, describe, expect, it } from 'vitest';
import { withRedis } from '../../support/open-redis.js';
import { broken, calm, channel, createGroupStage, named } from './group-stage.js';
import { located } from './stage.js';

let group: ReturnType<typeof createGroupStage>;

const db = withRedis();

beforeEach(() => {
  group = createGroupStage(db.redis);
});

const firingTs = '1763600000.000001';
const resolvedTs = '1763600000.000009';
const reactions = () => group.slack.world.reactions.get(firingTs);
const reacts = (incidentId: string) =>
  group.slack.deliver({ v: 1, kind: 'reaction', incidentId, version: 0 }, 'alert-detail');

describe('the reaction on the message of an alert', () => {
  it('says that its workload is being diagnosed, then how it is', async () => {
    const web = await group.alerted(named('web'), { channel, threadTs: firingTs });
    await group.slack.card(web);
    expect(group.stage.jobsOf('delivery')).toContain(`reaction-${web}-1`);
    await reacts(web);
    expect(reactions()).toEqual(['looking']);

    await group.looked(web, broken);
    await reacts(web);
    expect(reactions()).toEqual(['critical']);

    group.stage.advanceMinutes(1);
    await group.alerted(named('web'), { channel, threadTs: firingTs });
    await group.looked(web, calm);
    await reacts(web);
    expect(reactions()).toEqual(['healthy']);
  });

  it('costs nothing where it is there already, and goes on after a worker died before it was stored', async () => {
    const web = await group.alerted(named('web'), { channel, threadTs: firingTs });
    await reacts(web);
    const reserve = () =>
      group.stage.deliveries.reserveReaction(
        `${channel}.${firingTs}.reaction`,
        { urgency: 'alert-detail', fairnessKey: '' },
        { reactions: ['looking', 'warning'] },
      );
    await expect.poll(reserve).toBe(0);
    group.slack.world.reactions.set(firingTs, ['looking', 'warning']);
    await group.looked(web, broken);
    await reacts(web);
    expect(reactions()).toEqual(['critical']);

    group.slack.world.reactions.clear();
    await reacts(web);
    expect(reactions()).toBeUndefined();
  });

  it('is put on the first alert of an incident only, and on no alert of a webhook', async () => {
    const web = await group.shown(named('web'), broken, { channel, threadTs: firingTs });
    await group.alerted(named('web'), { channel, threadTs: '1763600000.000002' });
    const api = await group.shown(named('api'), broken);
    await reacts(web);
    await reacts(api);

    expect([...group.slack.world.reactions.keys()]).toEqual([firingTs]);
  });
});

/** The alert of a message is resolved by another message. */
async function resolved(found: typeof broken): Promise<string> {
  const { stage } = group;
  const place = { channel, threadTs: firingTs };
  stage.world.found = located(named('web'));
  await stage.receiveAlert('a1', {}, place);
  await stage.handleAlert('a1');
  const [incident] = await stage.incidentsOf('a1');
  if (incident === undefined) throw new Error('no incident');
  await group.looked(incident.id, broken);
  await group.slack.deliverAll();
  stage.advanceMinutes(5);
  await stage.receiveAlert('a1', { status: 'resolved' }, { channel, threadTs: resolvedTs });
  await stage.handleAlert('a1');
  const job = {
    v: 1,
    kind: 'resolution',
    incidentId: incident.id,
    channel,
    threadTs: resolvedTs,
    of: 2,
  } as const;
  expect(stage.jobsOf('delivery')).toContain(`resolution-${incident.id}-${channel}-${resolvedTs}-2`);
  expect(await group.slack.deliver(job)).toMatchObject({ type: 'later' });
  await group.looked(incident.id, found);
  expect(await group.slack.deliver(job)).toMatchObject({ type: 'delivered', fresh: true });
  expect(await group.slack.deliver(job)).toMatchObject({ type: 'delivered', fresh: false });
  return incident.id;
}

describe('a message that an alert is resolved', () => {
  it.each([
    ['the cause is still there', broken],
    ['the workload recovered', calm],
  ])('is answered once in its own thread, after a fresh diagnosis, where %s', async (_, found) => {
    const id = await resolved(found);

    expect(group.slack.posted.filter(({ key }) => key.startsWith('resolution'))).toMatchObject([
      { threadTs: resolvedTs, incident: { id } },
    ]);
  });
});
