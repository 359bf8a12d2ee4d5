import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { webClientOptions } from '#src/edges/slack/clients.js';
import { createSlackReactions } from '#src/edges/slack/slack-incident-thread.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { manifest as unparsed } from '../../support/slack-rig.js';

const Scopes = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});
const manifest = Scopes.parse(unparsed);

let slack: LocalSlack | undefined;
afterEach(() => slack?.close());

async function stage(scopes: readonly string[] = manifest.oauth_config.scopes.bot) {
  const { oauth_config } = manifest;
  const bot = [...scopes];
  const lesser = { ...manifest, oauth_config: { ...oauth_config, scopes: { ...oauth_config.scopes, bot } } };
  const opened = await createLocalSlack({ manifest: lesser, page: false });
  slack = opened;
  const log = pino({ level: 'silent' });
  const client = new WebClient(opened.botToken, webClientOptions(opened.apiUrl, 2_000, log));
  const posted = await client.chat.postMessage({ channel: 'C0MLONCALL', text: '[FIRING:1] KubePodNotReady' });
  const message = { channel: 'C0MLONCALL', ts: posted.ts ?? '' };
  const world = { now: 0, reported: 0 };
  const onScopeMissing = () => {
    world.reported += 1;
  };
  const reactions = createSlackReactions({ client, now: () => world.now, onScopeMissing });
  const names = () => opened.message(message)?.reactions.map(({ name }) => name);
  const calls = () => opened.calls('reactions.add').length + opened.calls('reactions.remove').length;
  return { slack: opened, reactions, message, names, calls, world };
}

describe('the reaction on a message', () => {
  it('is added, replaced, and is no error where it is there or gone already', async () => {
    const { reactions, message, names } = await stage();
    const shown = { type: 'shown', ...message };

    expect(await reactions.replace(message, 'looking', [])).toEqual(shown);
    expect(await reactions.replace(message, 'looking', [])).toEqual(shown);
    expect(names()).toEqual(['mag']);
    expect(await reactions.replace(message, 'critical', ['looking', 'warning'])).toEqual(shown);
    expect(await reactions.replace(message, 'healthy', ['critical', 'looking'])).toEqual(shown);
    expect(names()).toEqual(['white_check_mark']);
  });

  it('is left out where the app lacks the scope, which is reported once and asked of Slack seldom', async () => {
    const without = manifest.oauth_config.scopes.bot.filter((scope) => scope !== 'reactions:write');
    const { reactions, message, calls, world } = await stage(without);

    expect(await reactions.replace(message, 'looking', [])).toBeUndefined();
    expect(await reactions.replace(message, 'critical', ['looking'])).toBeUndefined();
    expect([calls(), world.reported]).toEqual([1, 1]);
    world.now = 600_001;
    await reactions.replace(message, 'critical', ['looking']);
    expect([calls(), world.reported]).toEqual([2, 1]);
  });

  it('is refused for a message that is gone, and waits where Slack says so', async () => {
    const { slack: opened, reactions, message } = await stage();

    expect(await reactions.replace({ ...message, ts: '1.000001' }, 'looking', [])).toEqual({
      type: 'refused',
      error: 'message_not_found',
    });
    opened.faults.rateLimit({ method: 'reactions.add', retryAfterSeconds: 7, times: 1 });
    expect(await reactions.replace(message, 'looking', [])).toEqual({
      type: 'throttled',
      retryAfterMs: 7_000,
    });
  });
});
