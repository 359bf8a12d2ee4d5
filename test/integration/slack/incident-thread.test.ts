import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageRef } from '#src/doctor/incidents/delivery.js';
import { webClientOptions } from '#src/edges/slack/clients.js';
import { createSlackIncidentThread } from '#src/edges/slack/slack-incident-thread.js';
import type { IncidentThread } from '#src/service/deliver/incident-thread.js';
import { notice } from '#src/service/notices/notices.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { openSights } from '../../support/sights.js';
import { applied, buildChange, buildDiagnosis, buildIncident, tell } from '../../support/slack-builders.js';
import { manifest, read } from '../../support/slack-rig.js';

const incident = buildIncident({ channel: 'C0MLONCALL' });
const key = `${incident.id}.card`;
const content = { kind: 'card', incident } as const;
const channel = { channel: incident.channel, threadTs: undefined };
const timeoutMs = 2_000;

let slack: LocalSlack;
let thread: IncidentThread;
beforeEach(async () => {
  slack = await createLocalSlack({ manifest, page: false });
  const log = pino({ level: 'silent' });
  thread = createSlackIncidentThread({
    sights: openSights(),
    client: new WebClient(slack.botToken, webClientOptions(slack.apiUrl, timeoutMs, log)),
    tell,
    languageOf: async (user) => (user === 'U0MINJUN' ? 'ko' : 'en'),
  });
});
afterEach(() => slack.close());

const since = () => new Date(Date.now() - 1_000).toISOString();

async function posted(): Promise<MessageRef> {
  const shown = await thread.post(content, channel, key);
  if (shown.type !== 'shown') throw new Error(`not shown: ${shown.type}`);
  return { channel: shown.channel, ts: shown.ts };
}

describe('the card of an incident', () => {
  it('is posted with its key, unfurls nothing, and is edited in place', async () => {
    const message = await posted();
    expect(slack.message(message)?.metadata).toEqual({
      event_type: 'rollout_doctor_message',
      event_payload: { key },
    });
    expect(slack.calls('chat.postMessage')[0]?.args).toMatchObject({
      unfurl_links: 'false',
      unfurl_media: 'false',
    });

    const change = buildChange({ ...applied });
    expect(
      await thread.edit({ kind: 'card', incident: { ...incident, phase: 'verifying', change } }, message),
    ).toEqual({
      type: 'shown',
      ...message,
    });
    expect(slack.messages('ml-oncall')).toHaveLength(1);
    expect(read(slack.message(message))).toContain('Applying to');
  });

  it('is posted in the thread in which it was requested', async () => {
    const asked = slack.as('dana').says('look at this', { channel: 'ml-oncall' });
    await thread.post(content, { ...channel, threadTs: asked.ts }, key);
    expect(slack.thread(asked)).toHaveLength(1);
  });

  it('gets its entries in its own thread', async () => {
    const card = await posted();
    const rejected = { kind: 'entry', incident, entry: { kind: 'rejected', of: '1' } } as const;
    expect(await thread.post(rejected, { ...channel, threadTs: card.ts }, 'k')).toMatchObject({
      type: 'shown',
    });
    expect(read(slack.thread(card)[0])).toContain('rejected');
  });

  it('is announced to the channel in one line of the thread when an alert opened it', async () => {
    const alert = slack.asBot('alertmanager').posts({ channel: 'ml-oncall', text: '[FIRING:1] Stuck' });
    const entry = { kind: 'announcement', of: `C0MLONCALL.${alert.ts}` } as const;
    const announcement = { kind: 'entry', incident, entry } as const;
    expect(await thread.post(announcement, { ...channel, threadTs: alert.ts }, 'k')).toMatchObject({
      type: 'shown',
    });
    const inChannel = slack.messages('ml-oncall').filter(({ botId }) => botId === slack.botId);
    expect(inChannel).toMatchObject([{ threadTs: alert.ts, broadcast: true }]);
    expect(read(inChannel[0]).split('\n')).toHaveLength(1);
    expect(read(inChannel[0])).toMatch(
      new RegExp(`^🔴 Critical: \`ml/inference\` ${isDeadlocked}: .* · Ready 1/1$`),
    );
  });

  it('is posted as text with its buttons when Slack rejects the blocks as too long', async () => {
    slack.faults.fail({ method: 'chat.postMessage', error: 'msg_blocks_too_long', times: 1 });
    const message = await posted();
    expect(read(slack.message(message))).toMatch(
      new RegExp(
        `^🔴 Critical: ml/inference ${isDeadlocked}: [^\\n]*\\n\\[Review fix\\] \\[Show proof\\] \\[⋯ `,
      ),
    );
  });
});

describe('a notice', () => {
  it('is sent to one person in their language', async () => {
    const statement = notice('still-looking', { workload: 'ml/inference' });
    const asked = { kind: 'notice', user: 'U0MINJUN', statement } as const;
    expect(await thread.post(asked, channel, 'k')).toMatchObject({ type: 'shown' });
    expect(read(slack.ephemerals('min-jun')[0])).toContain('진단이 진행 중입니다');
    expect(slack.ephemerals('dana')).toEqual([]);
  });
});

describe('a result for one person', () => {
  it('comes as a direct message where we cannot write to the channel', async () => {
    const healthy = buildIncident({
      channel: 'C0MLONCALL',
      diagnosis: buildDiagnosis({ findings: [] }),
      origin: { via: 'command', by: 'U0DANA' },
    });
    slack.faults.fail({ method: 'chat.postEphemeral', error: 'not_in_channel', times: 1 });
    const result = { kind: 'result', incident: healthy, user: 'U0DANA' } as const;
    expect(await thread.post(result, channel, 'k')).toMatchObject({ type: 'shown' });
    expect(slack.calls('chat.postMessage')[0]?.args).toMatchObject({ channel: 'U0DANA' });
    expect(slack.messages('ml-oncall')).toEqual([]);
  });
});

describe('a post with an unknown outcome', () => {
  it('is reported as doubtful, and a search by its key finds it', async () => {
    slack.faults.neverAnswer({ method: 'chat.postMessage', times: 1 });
    expect(await thread.post(content, channel, key)).toEqual({ type: 'doubtful' });
    const [message] = slack.messages('ml-oncall');
    expect(await thread.find(channel, key, since())).toEqual({
      channel: 'C0MLONCALL',
      ts: message?.ts,
    });
  });

  it('is found among replies', async () => {
    const card = await posted();
    slack.faults.breakAfterSuccess({ method: 'chat.postMessage', times: 1 });
    const rejected = { kind: 'entry', incident, entry: { kind: 'rejected', of: '1' } } as const;
    expect(await thread.post(rejected, { ...channel, threadTs: card.ts }, 'entry-key')).toEqual({
      type: 'doubtful',
    });
    expect(await thread.find({ ...channel, threadTs: card.ts }, 'entry-key', since())).toMatchObject({
      ts: slack.thread(card)[0]?.ts,
    });
  });

  it('is reported as absent when no message has its key', async () => {
    await posted();
    expect(await thread.find(channel, 'another-key', since())).toBeUndefined();
  });

  it('is found behind a hundred newer messages', async () => {
    const card = await posted();
    for (let at = 0; at < 120; at += 1) slack.as('dana').says(`noise ${at}`, { channel: 'ml-oncall' });
    expect(await thread.find(channel, key, since())).toEqual(card);
  });

  it('stays unknown while Slack does not answer', async () => {
    slack.faults.serverError({ method: 'conversations.history' });
    expect(await thread.find(channel, key, since())).toBe('unknown');
  });

  it('is reported as absent in a channel without the bot', async () => {
    slack.removeApp('ml-oncall');
    expect(await thread.find(channel, key, since())).toBeUndefined();
  });
});

describe('a failed post or edit', () => {
  it('returns the Retry-After of a 429', async () => {
    slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 7, times: 1 });
    expect(await thread.post(content, channel, key)).toEqual({
      type: 'throttled',
      retryAfterMs: 7_000,
    });
    expect(slack.calls('chat.postMessage')).toHaveLength(1);
  });

  it.each(['channel_not_found', 'is_archived', 'not_in_channel', 'token_revoked'])(
    'is refused for good by %s',
    async (error) => {
      slack.faults.fail({ method: 'chat.postMessage', error });
      expect(await thread.post(content, channel, key)).toEqual({ type: 'refused', error });
    },
  );

  it('is refused for good when the message is deleted', async () => {
    const gone = { channel: 'C0MLONCALL', ts: '1700000000.000001' };
    expect(await thread.edit(content, gone)).toEqual({
      type: 'refused',
      error: 'message_not_found',
    });
  });

  it('has an unknown outcome after a server error', async () => {
    slack.faults.serverError({ method: 'chat.postMessage', times: 1 });
    expect(await thread.post(content, channel, key)).toEqual({ type: 'doubtful' });
  });

  it('is unavailable, and not doubtful, when an edit is not answered', async () => {
    const card = await posted();
    slack.faults.neverAnswer({ method: 'chat.update', times: 1 });
    expect(await thread.edit(content, card)).toEqual({ type: 'unavailable' });
  });

  it('is unavailable when nothing listens on the port', async () => {
    await slack.close();
    expect(await thread.post(content, channel, key)).toEqual({ type: 'unavailable' });
  });
});
