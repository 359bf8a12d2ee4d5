import { createServer, request } from 'node:http';
import type { App } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { signedHeaders } from '../../../demo/slack/delivery/signature.js';
import { boltApp, type Mode, type Rig, startRig } from './rig.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function rigFor(...args: Parameters<typeof startRig>): Promise<Rig> {
  const rig = await startRig(...args);
  cleanups.push(rig.stop);
  return rig;
}

/** A clock that a test moves. */
function handClock(start = Date.now()) {
  let at = start;
  return { now: () => at, pass: (ms: number) => (at += ms) };
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

describe('signatures of the local Slack', () => {
  async function sent(rig: Rig, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    const response = await fetch(rig.appUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    return response.status;
  }
  const body = 'command=%2Frollout-doctor&text=help';
  const now = () => Math.floor(Date.now() / 1000);

  it('are accepted by a Bolt app, which rejects wrong, stale and missing ones', async () => {
    let received = 0;
    const rig = await rigFor('http', (app) => {
      app.command('/rollout-doctor', async ({ ack }) => {
        received += 1;
        await ack();
      });
    });
    const { signingSecret } = rig.slack;
    expect(await sent(rig, signedHeaders(signingSecret, body, now()), body)).toBe(200);
    expect(received).toBe(1);
    expect(await sent(rig, signedHeaders('another secret', body, now()), body)).toBe(401);
    expect(await sent(rig, signedHeaders(signingSecret, body, now()), `${body}+me`)).toBe(401);
    expect(await sent(rig, signedHeaders(signingSecret, body, now() - 301), body)).toBe(401);
    expect(await sent(rig, {}, body)).toBe(401);
    expect(received).toBe(1);
  });

  it('are checked at the challenge of a new request URL', async () => {
    const rig = await rigFor('http', () => {});
    const other = await createLocalSlack({ delivery: 'http', page: false });
    cleanups.push(other.close);
    await expect(other.talksTo(rig.appUrl)).rejects.toThrow("did not answer Slack's challenge");
  });
});

describe.each<Mode>(['http', 'socket'])('the delivery rules of Slack over %s', (mode) => {
  it('show operation_timeout when a command is not acknowledged in time', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const rig = await rigFor(
      mode,
      (app) => {
        app.error(async () => {});
        app.command('/rollout-doctor', async ({ ack }) => {
          await finished;
          await ack();
        });
      },
      { ackLimitMs: 50 },
    );
    const outcome = await rig.slack.as('dana').runs('/rollout-doctor ml/inference');
    finish();
    expect(outcome).toEqual({ type: 'failed', reason: 'operation_timeout' });
    expect(rig.slack.ephemerals('dana')[0]?.text).toBe(
      '/rollout-doctor failed with the error "operation_timeout"',
    );
  });

  it('refuse a trigger that is used, too old or invented', async () => {
    const clock = handClock();
    const triggers: string[] = [];
    const rig = await rigFor(
      mode,
      (app) => {
        app.command('/rollout-doctor', async ({ ack, command }) => {
          await ack();
          triggers.push(command.trigger_id);
        });
      },
      { now: clock.now },
    );
    const open = (trigger_id: string) =>
      rig.app.client.views.open({ trigger_id, view: { type: 'modal', title: plain('x'), blocks: [] } }).then(
        ({ ok }) => ok,
        (error: { data?: { error?: string } }) => error.data?.error,
      );
    await rig.slack.as('dana').runs('/rollout-doctor');
    await rig.slack.as('dana').runs('/rollout-doctor');
    clock.pass(3000);
    expect(await open(triggers[0] ?? '')).toBe(true);
    expect(await open(triggers[0] ?? '')).toBe('exchanged_trigger_id');
    clock.pass(1);
    expect(await open(triggers[1] ?? '')).toBe('expired_trigger_id');
    expect(await open('1.2.3')).toBe('invalid_trigger_id');
    expect(rig.slack.modals('dana')).toHaveLength(1);
  });

  it('allow five answers at a response_url within thirty minutes', async () => {
    const clock = handClock();
    const urls: string[] = [];
    const rig = await rigFor(
      mode,
      (app) => {
        app.command('/rollout-doctor', async ({ ack, command }) => {
          await ack();
          urls.push(command.response_url);
        });
      },
      { now: clock.now },
    );
    const answer = async (url: string | undefined, body: object) => {
      const response = await fetch(url ?? '', { method: 'POST', body: JSON.stringify(body) });
      return `${response.status} ${await response.text()}`;
    };
    await rig.slack.as('dana').runs('/rollout-doctor');
    await rig.slack.as('dana').runs('/rollout-doctor');
    for (const text of ['1', '2', '3', '4']) expect(await answer(urls[0], { text })).toBe('200 {"ok":true}');
    expect(await answer(urls[0], { text: '5', response_type: 'in_channel' })).toBe('200 {"ok":true}');
    expect(await answer(urls[0], { text: '6' })).toBe('404 {"ok":false,"error":"used_url"}');
    clock.pass(30 * 60_000 + 1);
    expect(await answer(urls[1], { text: 'late' })).toBe('404 {"ok":false,"error":"expired_url"}');
    expect(rig.slack.ephemerals('dana').map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
    expect(rig.slack.messages('ml-oncall').map(({ text }) => text)).toEqual(['5']);
  });

  it('allow an answer to replace or delete the clicked message, also an ephemeral one', async () => {
    const buttons = {
      type: 'actions' as const,
      elements: ['replace', 'delete'].map((name) => ({
        type: 'button' as const,
        action_id: name,
        text: plain(name),
      })),
    };
    const rig = await rigFor(mode, (app) => {
      app.command('/rollout-doctor', async ({ ack, respond }) => {
        await ack();
        await respond({ text: 'Which one?', blocks: [buttons] });
      });
      app.action('replace', async ({ ack, respond }) => {
        await ack();
        await respond({ text: 'This one', blocks: [buttons], replace_original: true });
      });
      app.action('delete', async ({ ack, respond }) => {
        await ack();
        await respond({ delete_original: true });
      });
    });
    const { slack } = rig;
    await slack.as('dana').runs('/rollout-doctor');
    const asked = await slack.until(() => slack.ephemerals('dana')[0]);
    await slack.as('dana').clicks(asked, 'replace');
    const replaced = await slack.until(() =>
      slack.ephemerals('dana').find(({ text }) => text === 'This one'),
    );
    expect(slack.ephemerals('dana')).toHaveLength(1);
    expect(() => slack.as('sam').clicks(replaced, 'delete')).toThrow('sam does not see this message');
    await slack.as('dana').clicks(replaced, 'delete');
    await slack.until(() => slack.ephemerals('dana').length === 0);
  });

  it('deliver an event again after a lost acknowledgement, and the listener runs twice', async () => {
    const received: unknown[] = [];
    const rig = await rigFor(mode, (app) => {
      app.event('app_mention', async ({ context, client }) => {
        received.push(context.retryNum ?? 0);
        await client.users.list({});
      });
    });
    const { slack } = rig;
    slack.as('dana').mentions('hello');
    await slack.until(() => slack.eventAttempts.length === 2);
    await slack.repeatsLastEvent();
    expect(slack.eventAttempts.at(-1)).toMatchObject({
      type: 'app_mention',
      retry: 1,
      outcome: 'acknowledged',
    });
    await slack.until(() => slack.calls('users.list').length === 2, { what: 'the listener to run twice' });
    expect(received).toEqual([0, 1]);
  });
});

describe('events without an acknowledgement', () => {
  it('are sent four times and then dropped', async () => {
    const slack = await createLocalSlack({ page: false, eventRetryDelaysMs: [0, 0, 0] });
    cleanups.push(slack.close);
    slack.as('dana').says('hello');
    await slack.until(() => slack.eventAttempts.length === 4);
    expect(slack.eventAttempts.map(({ retry, outcome }) => `${retry} ${outcome}`)).toEqual([
      '0 failed',
      '1 failed',
      '2 failed',
      '3 failed',
    ]);
    expect(new Set(slack.eventAttempts.map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('are not sent again when the app answers with x-slack-no-retry', async () => {
    const refusing = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        const { challenge } = JSON.parse(body);
        if (challenge === undefined) response.writeHead(500, { 'x-slack-no-retry': '1' });
        response.end(challenge);
      });
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => refusing.close(resolve)));
    const slack = await createLocalSlack({ page: false, delivery: 'http', eventRetryDelaysMs: [0, 0, 0] });
    cleanups.push(slack.close);
    const address = refusing.address();
    await slack.talksTo(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/slack/events`);
    slack.as('dana').says('first');
    await slack.until(() => slack.eventAttempts.length === 1);
    slack.as('dana').says('second');
    await slack.until(() => slack.eventAttempts.length === 2);
    expect(slack.eventAttempts.map(({ retry }) => retry)).toEqual([0, 0]);
  });

  it('are not sent without the subscription, the scope or the membership in the channel', async () => {
    const manifest = (bot_events: string[], bot: string[]) => ({
      oauth_config: { scopes: { bot } },
      settings: { event_subscriptions: { bot_events } },
    });
    for (const [events, scopes, withApp] of [
      [[], ['channels:history'], true],
      [['message.channels'], [], true],
      [['message.channels'], ['channels:history'], false],
    ] as const) {
      const slack = await createLocalSlack({
        page: false,
        eventRetryDelaysMs: [],
        manifest: manifest([...events], [...scopes]),
        channels: [{ name: 'ml-oncall', withApp }],
      });
      cleanups.push(slack.close);
      slack.as('dana').says('hello');
      await expect(slack.repeatsLastEvent()).rejects.toThrow('No event was sent yet');
    }
  });
});

describe('delivery by Socket Mode', () => {
  const received = new Map<string, number>();
  const counting = (name: string) => (app: App) => {
    app.command('/rollout-doctor', async ({ ack }) => {
      received.set(name, (received.get(name) ?? 0) + 1);
      await ack();
    });
  };

  async function second(slack: LocalSlack, listeners: (app: App) => void): Promise<App> {
    const app = boltApp(slack, 'socket');
    listeners(app);
    await app.start();
    cleanups.push(() => app.stop());
    await slack.until(() => slack.sockets.connections() === 2);
    return app;
  }

  it('sends each payload to one of two connections, and to the other one when the first is closed', async () => {
    received.clear();
    const rig = await rigFor('socket', counting('first'));
    const { slack } = rig;
    const other = await second(slack, counting('second'));
    const total = () => [...received.values()].reduce((sum, count) => sum + count, 0);
    let runs = 0;
    while ((received.size < 2 || runs < 10) && runs < 200) {
      runs += 1;
      expect((await slack.as('dana').runs('/rollout-doctor')).type).toBe('acknowledged');
    }
    expect(received.size).toBe(2);
    expect(total()).toBe(runs);
    await other.stop();
    await slack.until(() => slack.sockets.connections() === 1);
    expect((await slack.as('dana').runs('/rollout-doctor')).type).toBe('acknowledged');
    expect(total()).toBe(runs + 1);
  });

  it('fails with dispatch_failed while no app is connected, and works again after the app reconnects', async () => {
    const rig = await rigFor('socket', counting('first'));
    const { slack } = rig;
    slack.sockets.drop('all');
    await slack.until(() => slack.sockets.connections() === 0);
    expect(await slack.as('dana').runs('/rollout-doctor')).toEqual({
      type: 'failed',
      reason: 'dispatch_failed',
    });
    await slack.until(() => slack.sockets.connections() === 1, {
      what: 'the app to come back',
    });
    expect((await slack.as('dana').runs('/rollout-doctor')).type).toBe('acknowledged');
  });

  it('renews connections when Slack requests it', async () => {
    const rig = await rigFor('socket', counting('first'));
    const { slack } = rig;
    slack.sockets.warn('refresh_requested');
    await slack.until(() => slack.sockets.acknowledged().length === 2);
    await slack.until(() => slack.sockets.connections() === 1);
    expect((await slack.as('dana').runs('/rollout-doctor')).type).toBe('acknowledged');
  });

  it('rejects a connection with an unknown ticket', async () => {
    const slack = await createLocalSlack({ page: false });
    cleanups.push(slack.close);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upgrade = request(`${slack.url}/link/?ticket=guess`, {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        },
      });
      upgrade.on('response', (response) => resolve(response.statusCode));
      upgrade.on('upgrade', () => resolve(101));
      upgrade.on('error', reject);
      upgrade.end();
    });
    expect(status).toBe(403);
  });
});
