import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';

const first = { botToken: 'xoxb-local-first', appToken: 'xapp-local-first' };
const second = { botToken: 'xoxb-local-second', appToken: 'xapp-local-second' };

let folder: string;
let rig: Rig;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-credentials-'));
  await give(first);
  rig = await startRig({
    slack: first,
    env: {
      SLACK_BOT_TOKEN: '',
      SLACK_BOT_TOKEN_FILE: join(folder, 'bot-token'),
      SLACK_APP_TOKEN: '',
      SLACK_APP_TOKEN_FILE: join(folder, 'app-token'),
    },
  });
});

afterAll(async () => {
  await rig?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function give({ botToken, appToken }: typeof first): Promise<void> {
  await writeFile(join(folder, 'bot-token'), `${botToken}\n`);
  await writeFile(join(folder, 'app-token'), `${appToken}\n`);
}

it('app and worker go on with tokens that were replaced in their files, without a restart', async () => {
  await rig.ask('deploy/inference -n shop');
  const card = await rig.untilDeadlock();
  await give(second);
  await eventually('app and worker have the new tokens', () =>
    ['app-1', 'worker-1'].every((name) =>
      rig.logged.some(({ process, msg }) => process === name && msg === 'the Slack credentials have changed'),
    ),
  );
  rig.slack.rotate(second);
  rig.slack.sockets.drop('all');
  await rig.slack.until(() => rig.slack.sockets.connections() > 0, { what: 'a new connection' });
  await rig.approve('dana', card);
  await rig.untilRecovered();

  expect(JSON.stringify(rig.logged)).not.toMatch(/xoxb-local|xapp-local/);
});
