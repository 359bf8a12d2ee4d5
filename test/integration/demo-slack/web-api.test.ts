import { type WebAPIPlatformError, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { jsonList } from '../../../demo/slack/json.js';
import type { LocalSlackOptions } from '../../../demo/slack/local-slack-options.js';

let slack: LocalSlack;
let client: WebClient;
const channel = 'C0MLONCALL';

async function start(options: LocalSlackOptions = {}): Promise<void> {
  slack = await createLocalSlack({ page: false, ...options });
  client = clientWith(slack.botToken);
}

function clientWith(token: string | undefined): WebClient {
  return new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
}

/** Returns the error answer of a call. */
async function refusal(call: Promise<unknown>): Promise<WebAPIPlatformError['data']> {
  try {
    await call;
  } catch (error) {
    return (error as WebAPIPlatformError).data;
  }
  throw new Error('The call was accepted.');
}

afterEach(() => slack.close());

describe('authentication in the local Slack', () => {
  beforeEach(() => start());

  it('returns the identity of the bot', async () => {
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      user_id: slack.botUserId,
      bot_id: slack.botId,
      team_id: slack.teamId,
    });
  });

  it('rejects a missing token, a wrong token and a token of the wrong type', async () => {
    expect((await refusal(clientWith(undefined).auth.test())).error).toBe('not_authed');
    expect((await refusal(clientWith('xoxb-local-wrong').auth.test())).error).toBe('invalid_auth');
    expect((await refusal(clientWith(slack.appToken).auth.test())).error).toBe('not_allowed_token_type');
    expect((await refusal(client.apps.connections.open({}))).error).toBe('not_allowed_token_type');
  });

  it('rejects unknown methods', async () => {
    expect((await refusal(client.apiCall('chat.fly'))).error).toBe('unknown_method');
  });

  it('accepts no token that looks like one of a real workspace', async () => {
    const real = ['xoxb', '123456789012', '123456789012', 'abcdef'].join('-');
    await expect(createLocalSlack({ botToken: real })).rejects.toThrow('looks like one of a real workspace');
    expect((await refusal(clientWith(real).auth.test())).error).toBe('invalid_auth');
    expect(JSON.stringify(slack.calls())).not.toContain('123456789012');
  });
});

describe('the scopes of the bot', () => {
  it('are those of the manifest', async () => {
    await start({ manifest: { oauth_config: { scopes: { bot: ['commands', 'chat:write'] } } } });
    await client.chat.postMessage({ channel, text: 'x' });
    expect(await refusal(client.usergroups.list())).toMatchObject({
      error: 'missing_scope',
      needed: 'usergroups:read',
      provided: 'commands,chat:write',
    });
    const renamed = client.chat.postMessage({ channel, text: 'x', username: 'Somebody' });
    expect(await refusal(renamed)).toMatchObject({ error: 'missing_scope', needed: 'chat:write.customize' });
  });
});

describe('messages of the local Slack', () => {
  beforeEach(() =>
    start({
      channels: [
        { name: 'ml-oncall' },
        { name: 'outside', withApp: false },
        { name: 'secret', isPrivate: true, withApp: false },
        { name: 'old', archived: true },
        { name: 'small', members: ['dana'] },
      ],
    }),
  );

  const post = (more: object = {}) => client.chat.postMessage({ channel, text: 'x', ...more });

  it.each([
    ['to an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['in a channel without the bot', { channel: 'C0OUTSIDE' }, 'not_in_channel'],
    ['in a private channel without the bot', { channel: 'C0SECRET' }, 'channel_not_found'],
    ['in an archived channel', { channel: 'C0OLD' }, 'is_archived'],
    ['without text', { text: '' }, 'no_text'],
    ['with 40,001 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['with malformed metadata', { metadata: { event_type: 'x' } }, 'invalid_metadata_format'],
    ['as a reply to an unknown message', { thread_ts: '1.000001' }, 'thread_not_found'],
  ])('are not posted %s', async (_name, more, error) => {
    expect((await refusal(post(more))).error).toBe(error);
    expect(slack.messages('ml-oncall')).toEqual([]);
  });

  it('are rejected with JSON pointers when a block is invalid', async () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } },
      { type: 'accordion' },
    ];
    expect(await refusal(post({ blocks }))).toMatchObject({
      error: 'invalid_blocks',
      errors: [
        'no more than 3000 characters allowed [json-pointer:/blocks/0/text/text]',
        'unsupported type: accordion [json-pointer:/blocks/1/type]',
      ],
    });
    expect((await refusal(post({ attachments: [{ blocks: [{ type: 'nope' }] }] }))).error).toBe(
      'invalid_blocks',
    );
    const long = Array.from({ length: 5 }, () => ({ type: 'markdown', text: 'x'.repeat(2300) }));
    const longer = [...long, { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2500) } }];
    expect((await refusal(post({ blocks: longer }))).error).toBe('msg_blocks_too_long');
  });

  it('have ids on every block and element', async () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Go' } };
    await post({ blocks: [{ type: 'actions', elements: [button, button] }] });
    const [block] = slack.messages('ml-oncall')[0]?.blocks ?? [];
    const ids = jsonList(block?.elements).map(({ action_id }) => action_id);
    expect(block?.block_id).toMatch(/^b/);
    expect(new Set(ids).size).toBe(2);
  });

  it('can be updated and deleted by their author only', async () => {
    const { ts = '' } = await post({ blocks: [{ type: 'divider' }] });
    await client.chat.update({ channel, ts, text: 'y' });
    expect(slack.messages('ml-oncall')[0]).toMatchObject({ text: 'y', blocks: [] });
    const danas = slack.as('dana').says('mine');
    expect((await refusal(client.chat.update({ channel, ts: danas.ts, text: 'z' }))).error).toBe(
      'cant_update_message',
    );
    expect((await refusal(client.chat.delete({ channel, ts: danas.ts }))).error).toBe('cant_delete_message');
    expect((await refusal(client.chat.update({ channel, ts: '1.000001', text: 'z' }))).error).toBe(
      'message_not_found',
    );
    await client.chat.delete({ channel, ts });
    expect(slack.messages('ml-oncall').map(({ text }) => text)).toEqual(['mine']);
  });

  it('leave a tombstone when they have replies', async () => {
    const { ts = '' } = await post();
    await post({ thread_ts: ts, text: 'reply' });
    await client.chat.delete({ channel, ts });
    expect(slack.messages('ml-oncall')[0]).toMatchObject({ subtype: 'tombstone' });
    expect(slack.thread({ channel, ts })).toHaveLength(1);
  });

  it('that are ephemeral go to channel members only, and cannot be updated', async () => {
    const small = 'C0SMALL';
    const one = await client.chat.postEphemeral({ channel: small, user: 'U0DANA', text: 'x' });
    expect(
      (await refusal(client.chat.postEphemeral({ channel: small, user: 'U0SAM', text: 'x' }))).error,
    ).toBe('user_not_in_channel');
    const update = client.chat.update({ channel: small, ts: one.message_ts ?? '', text: 'y' });
    expect((await refusal(update)).error).toBe('message_not_found');
    expect((await client.conversations.history({ channel: small })).messages).toEqual([]);
  });

  it('have permalinks', async () => {
    const { ts = '' } = await post();
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
    expect(permalink).toBe(`${slack.url}/archives/${channel}/p${ts.replace('.', '')}`);
  });

  it('go to a person through a direct conversation', async () => {
    const { channel: direct } = await client.chat.postMessage({ channel: 'U0DANA', text: 'x' });
    expect(direct).toBe('D0DANA');
    expect(slack.messages('D0DANA')).toHaveLength(1);
  });
});

describe('the read methods of the local Slack', () => {
  beforeEach(() => start());

  it('page through history, newest first, without replies', async () => {
    const first = await client.chat.postMessage({ channel, text: '1' });
    await client.chat.postMessage({ channel, text: 'reply', thread_ts: first.ts ?? '' });
    await client.chat.postMessage({ channel, text: '2' });
    await client.chat.postMessage({ channel, text: '3' });
    const page = await client.conversations.history({ channel, limit: 2 });
    expect(page.messages?.map(({ text }) => text)).toEqual(['3', '2']);
    const cursor = page.response_metadata?.next_cursor ?? '';
    const rest = await client.conversations.history({ channel, limit: 2, cursor });
    expect(rest.messages?.map(({ text, reply_count }) => [text, reply_count])).toEqual([['1', 1]]);
    expect(rest.has_more).toBe(false);
  });

  it('return a thread with its first message, and metadata on request', async () => {
    const metadata = { event_type: 'card', event_payload: { job: 'j1' } };
    const { ts = '' } = await client.chat.postMessage({ channel, text: '1', metadata });
    await client.chat.postMessage({ channel, text: '2', thread_ts: ts });
    const bare = await client.conversations.replies({ channel, ts });
    expect(bare.messages?.map(({ text }) => text)).toEqual(['1', '2']);
    expect(bare.messages?.[0]?.metadata).toBeUndefined();
    const full = await client.conversations.replies({ channel, ts, include_all_metadata: true });
    expect(full.messages?.[0]?.metadata).toEqual(metadata);
  });

  it('return people, with their locale on request', async () => {
    const bare = await client.users.info({ user: 'U0MINJUN' });
    expect(bare.user).toMatchObject({
      name: 'min-jun',
      tz: 'Asia/Seoul',
      is_bot: false,
      is_restricted: false,
    });
    expect(bare.user?.locale).toBeUndefined();
    const full = await client.users.info({ user: 'U0MINJUN', include_locale: true });
    expect(full.user?.locale).toBe('ko-KR');
    expect(full.user?.profile?.email, 'the app has no scope users:read.email').toBeUndefined();
    expect((await refusal(client.users.info({ user: 'U0NOBODY' }))).error).toBe('user_not_found');
    const names = (await client.users.list({})).members?.map(({ name }) => name);
    expect(names).toEqual(['dana', 'min-jun', 'sam', 'robin', 'rollout-doctor', 'grafana']);
  });

  it('return user groups and their present members', async () => {
    const { usergroups } = await client.usergroups.list({ include_users: true });
    expect(usergroups?.[0]).toMatchObject({ handle: 'ml-oncall', users: ['U0DANA', 'U0MINJUN'] });
    slack.setUserGroup('ml-oncall', ['sam']);
    const { users } = await client.usergroups.users.list({ usergroup: 'S0MLONCALL' });
    expect(users).toEqual(['U0SAM']);
    expect((await refusal(client.usergroups.users.list({ usergroup: 'S0NONE' }))).error).toBe(
      'no_such_subteam',
    );
  });

  it('return channels with the membership of the bot', async () => {
    slack.removeApp('incidents');
    const { channels } = await client.conversations.list({});
    expect(channels?.map(({ name, is_member }) => [name, is_member])).toEqual([
      ['ml-oncall', true],
      ['incidents', false],
    ]);
    const reading = client.conversations.history({ channel: 'C0INCIDENTS' });
    expect((await refusal(reading)).error).toBe('not_in_channel');
  });

  it('reject a repeated reaction', async () => {
    const { ts: timestamp } = slack.as('dana').says('x');
    const reaction = { channel, timestamp, name: 'eyes' };
    await client.reactions.add(reaction);
    expect((await refusal(client.reactions.add(reaction))).error).toBe('already_reacted');
    expect(slack.message({ channel, ts: timestamp })?.reactions).toEqual([
      { name: 'eyes', users: [slack.botUserId] },
    ]);
    await client.reactions.remove(reaction);
    expect((await refusal(client.reactions.remove(reaction))).error).toBe('no_reaction');
  });

  it('return an uploaded file, which is shared in a thread', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'x' });
    await client.filesUploadV2({
      channel_id: channel,
      thread_ts: ts,
      filename: 'pods.log',
      content: 'line 1\n한글\n',
      initial_comment: 'The log',
    });
    const [shared] = slack.thread({ channel, ts });
    expect(shared).toMatchObject({ text: 'The log', subtype: 'file_share', botId: slack.botId });
    const file = shared?.files[0];
    expect(file).toMatchObject({ name: 'pods.log', mimetype: 'text/plain', size: 14 });
    expect(slack.fileContent(file?.id ?? '')?.toString()).toBe('line 1\n한글\n');
    const served = await fetch(`${slack.url}/files/${file?.id}/pods.log`);
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
    const lost = client.files.completeUploadExternal({ files: [{ id: 'F0', title: 'x' }] });
    expect((await refusal(lost)).error).toBe('file_not_found');
  });
});

describe('uploaded files', () => {
  it('are served with their type if they are images, and as text otherwise', async () => {
    await start();
    const served = async (filename: string) => {
      await client.filesUploadV2({
        channel_id: channel,
        filename,
        file: Buffer.from('<script>'),
        alt_text: 'A graph',
      });
      const file = slack.files().at(-1);
      return [file?.altText, (await fetch(`${slack.url}/files/${file?.id}`)).headers.get('content-type')];
    };
    expect(await served('memory.png')).toEqual(['A graph', 'image/png']);
    expect(await served('page.html')).toEqual(['A graph', 'text/plain; charset=utf-8']);
  });
});

describe('views of the local Slack', () => {
  beforeEach(() => start());

  it('are published to one Home tab, and rejected with an old hash', async () => {
    const view = { type: 'home' as const, blocks: [{ type: 'divider' as const }] };
    const published = await client.views.publish({ user_id: 'U0DANA', view });
    const hash = published.view?.hash ?? '';
    await client.views.publish({ user_id: 'U0DANA', view, hash });
    expect((await refusal(client.views.publish({ user_id: 'U0DANA', view, hash }))).error).toBe(
      'hash_conflict',
    );
  });

  it('that are not open cannot be updated', async () => {
    const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'x' }, blocks: [] };
    expect((await refusal(client.views.update({ view_id: 'V0', view }))).error).toBe('not_found');
  });

  it('with a title of 25 characters are rejected with a pointer', async () => {
    const title = { type: 'plain_text' as const, text: 'x'.repeat(25) };
    const opened = client.views.open({ trigger_id: 'any', view: { type: 'modal', title, blocks: [] } });
    expect(await refusal(opened)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] no more than 24 characters allowed [json-pointer:/view/title/text]'],
      },
    });
  });
});
