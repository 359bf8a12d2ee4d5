import { type WebAPIRateLimitedError, WebClient, type WebClientOptions } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';

let slack: LocalSlack;
const channel = 'C0MLONCALL';
const message = { channel, text: 'x' };

beforeEach(async () => {
  slack = await createLocalSlack({ page: false });
});
afterEach(() => slack.close());

function client(options: WebClientOptions = {}): WebClient {
  return new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    ...options,
  });
}

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { code?: string; data?: { error?: string } }) => error.data?.error ?? error.code,
  );

describe('faults of the local Slack', () => {
  it('limit the rate of one method with Retry-After for a given number of calls', async () => {
    slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 7, times: 1 });
    const limited = client({ rejectRateLimitedCalls: true }).chat.postMessage(message);
    const error = await limited.catch((reason: WebAPIRateLimitedError) => reason);
    expect(error).toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 7 });
    expect(slack.messages('ml-oncall')).toEqual([]);
    expect(await outcome(client().chat.postMessage(message))).toBe('ok');
    expect(slack.calls('chat.postMessage').map(({ status }) => status)).toEqual([429, 200]);
  });

  it('limit the rate of all methods until they are stopped', async () => {
    const limit = slack.faults.rateLimit({ retryAfterSeconds: 1 });
    const strict = client({ rejectRateLimitedCalls: true });
    expect(await outcome(strict.auth.test())).toBe('slack_webapi_rate_limited_error');
    expect(await outcome(strict.users.list({}))).toBe('slack_webapi_rate_limited_error');
    expect(limit.met()).toBe(2);
    limit.stop();
    expect(await outcome(strict.auth.test())).toBe('ok');
  });

  it('answer 500 and do nothing else', async () => {
    slack.faults.serverError({ times: 1 });
    expect(await outcome(client().chat.postMessage(message))).not.toBe('ok');
    expect(slack.messages('ml-oncall')).toEqual([]);
  });

  it('answer with any error code', async () => {
    slack.faults.fail({ method: 'chat.update', error: 'edit_window_closed', times: 1 });
    expect(await outcome(client().chat.update({ ...message, ts: '1.000001' }))).toBe('edit_window_closed');
  });

  it('post the message without an answer, so that a retry posts it twice', async () => {
    slack.faults.neverAnswer({ method: 'chat.postMessage', times: 1 });
    expect(await outcome(client({ timeout: 200 }).chat.postMessage(message))).toBe(
      'slack_webapi_request_error',
    );
    expect(slack.messages('ml-oncall')).toHaveLength(1);
    expect(slack.calls('chat.postMessage')[0]).toMatchObject({ answered: false, answer: { ok: true } });
    expect(await outcome(client().chat.postMessage(message))).toBe('ok');
    expect(slack.messages('ml-oncall')).toHaveLength(2);
  });

  it('post the message and break the connection', async () => {
    slack.faults.breakAfterSuccess({ method: 'chat.postMessage', times: 1 });
    expect(await outcome(client().chat.postMessage(message))).toBe('slack_webapi_request_error');
    expect(slack.messages('ml-oncall')).toHaveLength(1);
  });

  it('hold a call until it is released', async () => {
    const held = slack.faults.hold({ method: 'chat.postMessage' });
    const call = outcome(client().chat.postMessage(message));
    const before = outcome(client().auth.test());
    expect(await before).toBe('ok');
    expect(slack.messages('ml-oncall')).toEqual([]);
    held.release();
    expect(await call).toBe('ok');
    expect(slack.messages('ml-oncall')).toHaveLength(1);
  });
});

describe('waiting for a state of the local Slack', () => {
  it('ends as soon as the state is reached', async () => {
    const waited = slack.until(() => slack.messages('ml-oncall')[0]?.text, { what: 'a message' });
    slack.as('dana').says('here');
    expect(await waited).toBe('here');
  });

  it('ends at its deadline, and the error lists the present messages', async () => {
    slack.as('dana').says('something else');
    const waited = slack.until(() => false, { withinMs: 20, what: 'a card' });
    await expect(waited).rejects.toThrow(/Waited 20 ms in vain for a card[\s\S]*something else/);
  });
});
