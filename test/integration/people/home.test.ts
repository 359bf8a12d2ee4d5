import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultPeople } from '../../../demo/slack/workspace/defaults.js';
import { type Stack, startStack } from '../../../demo/stack.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { aloud } from '../../support/read-aloud.js';
import { isDeadlocked, reviewOf, stopFirst } from '../../support/shown-words.js';

let stack: Stack;
const channel = 'ml-oncall';

beforeAll(async () => {
  const guest = { name: 'gil', isGuest: true, locale: 'en-US', timeZone: 'UTC' };
  stack = await startStack({
    startPart: inThisProcess,
    policy:
      'grants: [{ groups: [ml-oncall], namespaces: [shop], actions: "*" }]\ndemands: [{ approvers: 2 }]\n',
    slack: { page: false, people: [...defaultPeople, guest] },
  });
  await stack.cluster.loadRecording(join(import.meta.dirname, '../../scenarios/gpu-one-node'));
});

afterAll(async () => {
  await stack.stop();
});

/** Opens the Home tab, waits for this text, and returns the page. */
async function home(person: string, words: string): Promise<string> {
  const actor = stack.slack.as(person);
  actor.opensHome();
  return stack.slack.until(
    () => {
      const page = actor.home();
      const says = page === undefined ? '' : aloud(page.blocks);
      return says.includes(words) ? says : undefined;
    },
    { what: `the page of ${person} with "${words}"` },
  );
}

function card(words: string) {
  return stack.slack.until(
    () => stack.slack.messages(channel).find(({ blocks }) => aloud(blocks).includes(words)),
    { what: `a card with "${words}"` },
  );
}

async function approves(person: string): Promise<void> {
  const actor = stack.slack.as(person);
  await actor.clicks(await card(isDeadlocked), reviewOf('shop/inference'));
  const review = await stack.slack.until(() => {
    const modal = actor.modal();
    return modal?.submit === undefined ? undefined : modal;
  });
  await actor.submits(review, { reason: 'deadlock' });
}

it('the Home page shows open incidents, and first the approvals that wait for its reader', async () => {
  const empty = await home('sam', 'No pending approvals');
  expect(empty).toContain('*No open incidents*');

  await stack.slack.as('sam').runs('/rollout-doctor shop/inference', { channel });
  await card(isDeadlocked);
  expect(await home('sam', '*1 open incident*')).toContain(
    `\`shop/inference\` ${isDeadlocked}: its new pod needs \`nvidia.com/gpu\`, in use by its own old pod · proven cause`,
  );

  await approves('dana');
  await card('1 more person must approve');
  const minJun = await home('min-jun', '승인 대기 중인 변경 1개');
  expect(minJun).toContain('내가 승인할 수 있음');
  expect(minJun).toContain('<@U0DANA> 승인');
  for (const person of ['dana', 'sam']) {
    const page = await home(person, '*1 change is waiting for approval*');
    expect(page).toContain(`${stopFirst} for \`shop/inference\``);
    expect(page).not.toContain('you can approve this');
  }
  expect(JSON.stringify(stack.slack.as('sam').home()?.blocks)).toContain('/archives/C0MLONCALL/p');

  await approves('min-jun');
  await card('recovered');
  expect(await home('min-jun', '승인 대기 중인 변경이 없습니다')).toContain('열린 인시던트가 없습니다');
  await home('gil', 'The policy does not allow you to see any workload');
});
