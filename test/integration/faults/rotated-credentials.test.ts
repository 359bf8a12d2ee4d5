import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { commandBody, sendSigned } from '../../support/slack-rig.js';

const first = { botToken: 'xoxb-local-first', appToken: 'xapp-local-first' };
const second = { botToken: 'xoxb-local-second', appToken: 'xapp-local-second' };

let folder: string;
let rig: Rig;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-credentials-'));
  await give(first);
  rig = await startRig({
    startPart: inThisProcess,
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

const secrets = { former: 'local-secret-former', next: 'local-secret-next' };

it('after Slack replaced the signing secret, the app refuses the former one as soon as it has read the new one', async () => {
  const file = join(folder, 'signing-secret');
  await writeFile(file, `${secrets.former}\n`);
  const overHttp = await startRig({
    startPart: inThisProcess,
    mode: 'http',
    slack: { signingSecret: secrets.former },
    env: { SLACK_SIGNING_SECRET: '', SLACK_SIGNING_SECRET_FILE: file },
  });
  try {
    const { slack, app, logged } = overHttp;
    await overHttp.ask('deploy/inference -n shop');
    const view = await overHttp.review('dana', await overHttp.untilDeadlock());
    slack.rotate({ signingSecret: secrets.next });
    expect(await statusOf(app.port, secrets.next)).toBe(401);
    await writeFile(file, `${secrets.next}\n`);
    await eventually('the app has the new secret', () =>
      logged.some(({ process, msg }) => process === 'app-1' && msg === 'the Slack credentials have changed'),
    );
    expect(await statusOf(app.port, secrets.former)).toBe(401);
    expect(overHttp.changes()).toEqual([]);
    await slack.as('dana').submits(view, { reason: 'deadlock' });
    await overHttp.untilRecovered();

    expect(overHttp.changes()).toHaveLength(1);
    expect(overHttp.cards()).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/local-secret/);
  } finally {
    await overHttp.stop();
  }
});

/** The status of the answer to a command that this secret signs. */
const statusOf = async (port: number | undefined, secret: string): Promise<number> =>
  (await sendSigned({ port, secret }, commandBody('shop/other'))).status;
