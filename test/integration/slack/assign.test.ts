import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { createAssignIncident } from '#src/service/people/assign-incident.js';
import { withRedis } from '../../support/open-redis.js';
import { tell } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';
import { createStage } from '../service/stage.js';

let rig: Rig;
let stage: ReturnType<typeof createStage>;
let incident: Incident;

const db = withRedis();

beforeEach(async () => {
  stage = createStage(db.redis);
  incident = await stage.diagnosed({ channel: 'C0MLONCALL' });
  rig = await startRig();
  rig.let({ assignIncident: createAssignIncident(stage) });
});
afterEach(() => rig.close());

/** The card as the record has it now, as a message. */
async function card() {
  const stored = await stage.incidents.get(incident.id);
  if (stored === undefined) throw new Error('must be stored');
  const { text, blocks } = renderCard(stored, undefined, { tell });
  const posted = await rig.clients.delivery.chat.postMessage({ channel: 'C0MLONCALL', text, blocks });
  const message = rig.slack.messages('ml-oncall').find(({ ts }) => ts === posted.ts);
  if (message === undefined) throw new Error('must be posted');
  return message;
}

/** The private notice with this text, once it is sent. */
function told(person: string, words: string) {
  return rig.slack.until(() => rig.slack.ephemerals(person).findLast((each) => read(each).includes(words)), {
    what: `an answer to ${person} with "${words}"`,
  });
}

it("I'm on it is in the menu of the card, which then names the person", async () => {
  await rig.slack.as('min-jun').clicks(await card(), "I'm on it");
  await rig.untilAsked('assignIncident', 1);
  await expect.poll(async () => read(await card())).toContain('<@U0MINJUN> is on it');
  expect(read(await card())).toContain('Change who is on it');
  expect(rig.slack.ephemerals('min-jun')).toEqual([]);
});

it('the second person learns who is on it, and can take over', async () => {
  const seen = await card();
  await rig.slack.as('min-jun').clicks(seen, "I'm on it");
  await rig.untilAsked('assignIncident', 1);
  await expect.poll(async () => (await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');

  await rig.slack.as('dana').clicks(seen, "I'm on it");
  const answer = await told('dana', '@U0MINJUN has been on `ml/inference` since');
  expect(read(answer)).toContain('Your click changed nothing.');
  await rig.slack.as('dana').clicks(answer, 'Take over');
  await told('dana', 'You are on `ml/inference` now.');
  expect((await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0DANA');
});

it('the person who is on it hands it over or back, in Korean for those who read Korean', async () => {
  await rig.slack.as('min-jun').clicks(await card(), "I'm on it");
  await rig.untilAsked('assignIncident', 1);
  await expect.poll(async () => (await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');
  await rig.slack.as('min-jun').clicks(await card(), 'Change who is on it');
  const answer = await told('min-jun', '담당자입니다');
  await rig.slack.as('min-jun').chooses(answer, { actionId: 'incident.hand-over' }, 'U0DANA');
  await told('min-jun', '이제 @U0DANA 님이 `ml/inference` 담당자입니다.');

  await rig.slack.as('dana').clicks(await card(), 'Change who is on it');
  await rig.slack.as('dana').clicks(await told('dana', 'You have been on'), 'Hand back');
  await told('dana', 'You are no longer on `ml/inference`.');
  expect((await stage.incidents.get(incident.id))?.assignee).toBeUndefined();
});

it.each([
  ['a bot', 'B0ALERTMANAGER'],
  ['nobody', ''],
  ['a mark of Slack', '<!channel>'],
])('a hand-over to %s changes nothing', async (_, chosen) => {
  await rig.slack.as('min-jun').clicks(await card(), "I'm on it");
  await expect.poll(async () => (await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');
  await rig.slack.as('min-jun').clicks(await card(), 'Change who is on it');
  const answer = await told('min-jun', '담당자입니다');
  await rig.slack
    .as('min-jun')
    .chooses(answer, { actionId: 'incident.hand-over' }, chosen)
    .catch(() => undefined);

  expect((await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');
});

it('a hand-over to oneself keeps the incident where it is', async () => {
  await rig.slack.as('min-jun').clicks(await card(), "I'm on it");
  await expect.poll(async () => (await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');
  await rig.slack.as('min-jun').clicks(await card(), 'Change who is on it');
  const answer = await told('min-jun', '담당자입니다');
  await rig.slack.as('min-jun').chooses(answer, { actionId: 'incident.hand-over' }, 'U0MINJUN');

  await expect.poll(() => rig.asked.filter(({ useCase }) => useCase === 'assignIncident').length).toBe(3);
  expect((await stage.incidents.get(incident.id))?.assignee?.by).toBe('U0MINJUN');
});

it('forged values are refused', async () => {
  const posted = await card();
  const forged = { actionId: 'incident.menu', value: 'incident.assign|../x' };
  await expect(rig.slack.as('dana').clicks(posted, forged)).rejects.toThrow('has no option');
  expect(rig.asked).toEqual([]);
});
