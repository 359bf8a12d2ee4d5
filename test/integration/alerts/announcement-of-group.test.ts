import { beforeEach, expect, it } from 'vitest';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import { withRedis } from '../../support/open-redis.js';
import { aloud } from '../../support/read-aloud.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { tell } from '../../support/slack-builders.js';
import { broken, calm, channel, createGroupStage, named } from './group-stage.js';

let group: ReturnType<typeof createGroupStage>;

const db = withRedis();
beforeEach(() => {
  group = createGroupStage(db.redis);
});

const alertTs = '1763700001.000001';
const of = `${channel}.${alertTs}`;

const announcements = () => group.slack.posted.filter(({ key }) => key.endsWith('.announcement'));
const announced = () =>
  announcements().map(({ incident }) =>
    aloud(renderEntry(incident, undefined, { kind: 'announcement', of }, { tell }).blocks),
  );
const announce = (incidentId: string) =>
  group.slack.deliver({ v: 1, kind: 'thread', incidentId, entry: { kind: 'announcement', of } }, 'alert');

it('counts the workloads of a group that has grown since, in the same message', async () => {
  const first = await group.shown(named('a'), broken, { channel, threadTs: alertTs });
  await announce(first);
  expect(announced()).toEqual([expect.stringContaining(isDeadlocked)]);

  for (const [at, name] of ['b', 'c'].entries()) {
    await group.shown(named(name), broken, { channel, threadTs: `176370000${at + 2}.000001` });
  }
  expect(announced()).toEqual([expect.stringContaining('3 workloads with the same failure: containers')]);
});

it('counts them from the start where the group is there before it', async () => {
  const first = await group.shown(named('a'), broken, { channel, threadTs: alertTs });
  await group.shown(named('b'), broken, { channel, threadTs: '1763700002.000001' });
  await announce(first);

  expect(announced()).toEqual([expect.stringContaining('2 workloads with the same failure')]);
});

it('is left as it is by changes of the group other than its growth', async () => {
  const first = await group.shown(named('a'), broken, { channel, threadTs: alertTs });
  const second = await group.shown(named('b'), broken, { channel, threadTs: '1763700002.000001' });
  await announce(first);
  const before = announced();

  group.stage.advanceMinutes(1);
  await group.alerted(named('b'), { channel, threadTs: '1763700002.000001' });
  await group.looked(second, calm);
  await group.slack.deliverAll();
  expect(announced()).toEqual(before);
});
