import { gzipSync } from 'node:zlib';
import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webClientOptions } from '#src/edges/slack/clients.js';
import { createSlackIdentity } from '#src/edges/slack/slack-identity.js';
import { createSlackIncidentThread } from '#src/edges/slack/slack-incident-thread.js';
import { createSlackPeopleDirectory } from '#src/edges/slack/slack-people-directory.js';
import {
  type Delivered,
  deliverMessage,
  nothing,
  withDelivery,
} from '#src/service/deliver/deliver-message.js';
import type { IncidentThread } from '#src/service/deliver/incident-thread.js';
import { notice } from '#src/service/notices/notices.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import type { Replacement } from '../../../demo/slack/web-api/faults.js';
import { createMemoryDeliveries } from '../../support/memory-deliveries.js';
import { openSights } from '../../support/sights.js';
import { applied, buildChange, buildIncident, tell } from '../../support/slack-builders.js';
import { installationOf } from '../../support/slack-installation.js';
import { manifest, read } from '../../support/slack-rig.js';
import { statedCount } from '../../support/stated-count.js';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** Answers with status 200 that are not Slack's. */
const lies: readonly [string, Replacement][] = [
  ['an HTML page', { body: '<html><body>Sign in</body></html>', headers: html }],
  ['an HTML page that claims to be JSON', { body: '<html>', headers: json }],
  ['an empty body', { body: '' }],
  ['an empty zipped body', { body: gzipSync(''), headers: { ...json, 'content-encoding': 'gzip' } }],
  ['JSON that ends early', { body: '{"ok":true,"ts":"17' }],
  ['an object without ok', { body: '{}' }],
  ['a list', { body: '[]' }],
  ['null', { body: 'null' }],
  ['a number', { body: '7' }],
  ['a string', { body: '"ok"' }],
  ['ok as a string', { body: '{"ok":"true","ts":"1700000000.000100"}' }],
  ['ok as a number', { body: '{"ok":1,"ts":"1700000000.000100"}' }],
  ['a refusal without a reason', { body: '{"ok":false}' }],
  ['a refusal whose reason is an HTML page', { body: '{"ok":false,"error":"<html>Sign in</html>"}' }],
  ['a refusal whose reason is a number', { body: '{"ok":false,"error":7}' }],
  ['success without a message', { body: '{"ok":true}' }],
  ['success with an empty message time', { body: '{"ok":true,"ts":"","message_ts":""}' }],
  ['success with a time that is a number', { body: '{"ok":true,"ts":7,"message_ts":7}' }],
  ['a success that is too large', { body: `{"ok":true,"x":"${'x'.repeat(9_000_000)}"}` }],
  [
    'a zip that unpacks to far more',
    { body: gzipSync(Buffer.alloc(50_000_000, 32)), headers: { ...json, 'content-encoding': 'gzip' } },
  ],
  ['a redirect to another host', { body: '', status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
];

const incident = buildIncident({ channel: 'C0MLONCALL' });
const turn = { urgency: 'person', fairnessKey: '' } as const;
const content = { kind: 'card', incident } as const;
const place = { channel: incident.channel, threadTs: undefined };

let slack: LocalSlack;
let client: WebClient;
let thread: IncidentThread;
let keys = 0;

beforeAll(async () => {
  slack = await createLocalSlack({ manifest, page: false });
  client = new WebClient(slack.botToken, webClientOptions(slack.apiUrl, 20_000, pino({ level: 'silent' })));
  thread = createSlackIncidentThread({ client, tell, languageOf: async () => 'en', sights: openSights() });
});
afterEach(() => slack.faults.clear());
afterAll(() => slack.close());

const withKey = (key: string) =>
  slack.messages('ml-oncall').filter(({ metadata }) => JSON.stringify(metadata ?? {}).includes(`"${key}"`));

describe.each([
  { how: 'and the call is carried out', done: true },
  { how: 'and the call is not carried out', done: false },
])('an answer with status 200 that is not from Slack, $how,', ({ done }) => {
  it.each(lies)('(%s) does not count as a posted card, and the retry leaves one card', async (_, lie) => {
    keys += 1;
    const key = `attack-${keys}.card`;
    const { deliveries, records } = createMemoryDeliveries();
    const deps = { deliveries, thread, clock: { now: () => new Date() } };
    slack.faults.replaceAnswer({ method: 'chat.postMessage', times: 1, ...lie, done });
    const post = () =>
      withDelivery(deps, key, nothing, (delivery) =>
        deliverMessage(deps, delivery, { content, place, turn }),
      );

    await expect(post()).rejects.toMatchObject({ code: 'slack-unavailable', retryable: true });
    expect(records.get(key)?.message).toBeUndefined();
    expect(records.get(key)?.refused).toBeUndefined();
    expect(await post()).toMatchObject({ type: 'delivered' } satisfies Partial<Delivered>);
    expect(withKey(key)).toHaveLength(1);
    expect(records.get(key)?.message?.ts).toBe(withKey(key)[0]?.ts);
  });

  it.each(lies)('(%s) does not count as an edited card, and the retry edits it', async (_, lie) => {
    keys += 1;
    const key = `attack-${keys}.card`;
    const shown = await thread.post(content, place, key);
    if (shown.type !== 'shown') throw new Error(shown.type);
    const changing = { ...incident, phase: 'verifying' as const, change: buildChange({ ...applied }) };
    const next = { kind: 'card', incident: changing } as const;
    slack.faults.replaceAnswer({ method: 'chat.update', times: 1, ...lie, done });

    expect((await thread.edit(next, shown)).type).toBe('unavailable');
    expect((await thread.edit(next, shown)).type).toBe('shown');
    expect(read(slack.message(shown))).toContain('Applying to');
  });

  it.each(lies)('(%s) does not count as a notice', async (_, lie) => {
    slack.faults.replaceAnswer({ method: 'chat.postEphemeral', times: 1, ...lie, done });
    const statement = notice('failed-inside', { reference: 'r' });
    const shown = await thread.post({ kind: 'notice', user: 'U0DANA', statement }, place, 'k');

    expect(shown.type).toMatch(/^(?:doubtful|unavailable)$/);
  });
});

describe('an answer to a search that is not from Slack', () => {
  it.each(lies)('(%s) does not count as an absent message', async (_, lie) => {
    for (const threadTs of [undefined, '1700000000.000100']) {
      const method = threadTs === undefined ? 'conversations.history' : 'conversations.replies';
      slack.faults.replaceAnswer({ method, times: 1, ...lie });

      expect(await thread.find({ ...place, threadTs }, 'k', new Date().toISOString())).toBe('unknown');
    }
  });
});

describe('an answer to a request about people that is not from Slack', () => {
  it.each(lies)('(%s) grants no right', async (_, lie) => {
    const people = createSlackPeopleDirectory({
      ...installationOf(client, { now: () => new Date() }),
      defaultLanguage: 'en',
    });
    slack.faults.replaceAnswer({ method: 'usergroups.list', ...lie });
    slack.faults.replaceAnswer({ method: 'users.info', ...lie });
    slack.faults.replaceAnswer({ method: 'auth.test', ...lie });

    await expect(people.groupsOf('U0DANA')).rejects.toMatchObject({ code: 'slack-unavailable' });
    await expect(createSlackIdentity(client).identity()).rejects.toMatchObject({ code: 'slack-unavailable' });
    expect((await people.person('U0DANA').catch(() => undefined))?.isMember).not.toBe(true);
  });
});

describe('a Retry-After header of Slack', () => {
  it.each(['0', '-5', '1e12', '999999999999', 'NaN', 'soon', '', 'Sun, 22 Nov 2099 10:00:00 GMT'])(
    'with the value "%s" delays a delivery by two minutes at most',
    async (header) => {
      slack.faults.replaceAnswer({
        method: 'chat.postMessage',
        times: 1,
        status: 429,
        body: '{"ok":false,"error":"ratelimited"}',
        headers: { ...json, 'retry-after': header },
      });
      const shown = await thread.post(content, place, 'k');

      expect(shown.type).toBe('throttled');
      if (shown.type !== 'throttled') return;
      expect(shown.retryAfterMs).toBeGreaterThan(0);
      expect(shown.retryAfterMs).toBeLessThanOrEqual(120_000);
    },
  );
});

it('makes as many false answers as docs/security.md states', () => {
  expect(lies.length).toBe(statedCount('false answers of Slack'));
});
