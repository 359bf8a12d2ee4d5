import { describe, expect, it } from 'vitest';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';

const bearer = { type: 'bearer', token: { env: 'A_TOKEN' } };
const webhook = { name: 'a', source: 'alertmanager', auth: bearer };
const generic = (mapping: object) => ({ webhooks: [{ ...webhook, source: 'generic', mapping }] });
const file = (more: object): object => ({ channel: 'C012ABC', ...more });
const withAuth = (auth: object): object => file({ webhooks: [{ ...webhook, auth }] });
const hmac = (more: object): object => withAuth({ type: 'hmac', secret: { env: 'S' }, ...more });
const withToken = (token: unknown): object => withAuth({ type: 'bearer', token });

describe('a settings file may omit', () => {
  it('every field', () => {
    expect(AlertSettings.parse({})).toEqual({
      apiVersion: 'rollout-doctor/v1',
      routes: [],
      clusters: {},
      rules: [],
      webhooks: [],
      slack: [],
      assistants: [],
    });
  });

  it('the header and prefix of a signature, which default to those of Grafana', () => {
    expect(AlertSettings.parse(hmac({})).webhooks[0]?.auth).toEqual({
      type: 'hmac',
      secret: { env: 'S' },
      header: 'X-Grafana-Alerting-Signature',
      prefix: '',
    });
  });

  it('the words that mark an alert as resolved', () => {
    expect(AlertSettings.parse(file(generic({}))).webhooks[0]?.mapping).toEqual({
      resolvedWhen: ['resolved', 'ok', 'recovered', 'closed'],
      labels: {},
    });
  });

  it('the common channel, when each webhook has its own', () => {
    const own = { webhooks: [{ ...webhook, channel: 'C0OWN' }] };
    expect(AlertSettings.parse(own).webhooks[0]?.channel).toBe('C0OWN');
  });
});

describe('settings accept', () => {
  it.each<[string, object]>([
    ['the version', { apiVersion: 'rollout-doctor/v1' }],
    ['a public channel', { channel: 'C012ABCDEF' }],
    ['a private channel', { channel: 'G012ABCDEF' }],
    ['the shortest channel id', { channel: 'C01' }],
    ['the longest channel id', { channel: `C${'A'.repeat(20)}` }],
    ['a secret from a file', withToken({ file: '/etc/secrets/token' })],
    ['a variable of one letter', withToken({ env: 'T' })],
    ['a variable with digits', withToken({ env: 'TOKEN_2' })],
    ['basic authentication', withAuth({ type: 'basic', user: 'am', password: { env: 'P' } })],
    ['PagerDuty signatures', withAuth({ type: 'pagerduty', secret: { env: 'P' } })],
    ['the signatures of Standard Webhooks', withAuth({ type: 'standard-webhooks', secret: { env: 'P' } })],
    ['another header and prefix', hmac({ header: 'X-Hub-Signature-256', prefix: 'sha256=' })],
    ['a header for the time', hmac({ timestampHeader: 'X-Timestamp' })],
    ['a header of 64 characters', hmac({ header: 'h'.repeat(64) })],
    ['a prefix of 20 characters', hmac({ prefix: 'p'.repeat(20) })],
    ['a webhook name with digits and dashes', file({ webhooks: [{ ...webhook, name: 'am-2' }] })],
    ['a webhook name of 40 characters', file({ webhooks: [{ ...webhook, name: 'a'.repeat(40) }] })],
    ['two webhooks', file({ webhooks: [webhook, { ...webhook, name: 'b' }] })],
    ['a pointer to the whole', file(generic({ name: '' }))],
    ['a pointer', file(generic({ alerts: '/a/0/b' }))],
    ['a pointer with escapes', file(generic({ labels: { pod: '/a~1b/c~0d' } }))],
    ['a pointer of 200 characters', file(generic({ tags: `/${'a'.repeat(199)}` }))],
    ['routes, rules and clusters', { routes: [{ when: { team: 'ml*' }, channel: 'C0ML' }] }],
    ['rules', { rules: [{ when: { title: '*' }, labels: { namespace: 'shop' } }] }],
    ['clusters', { clusters: { 'eu-1': 'prod-eu' } }],
    ['a digest in a channel of its own', { digest: { channel: 'C012ABC', day: 'fri', at: '16:00' } }],
    ['a digest in the channel of the file', { channel: 'C012ABC', digest: {} }],
    ['a Slack channel with any bot', { slack: [{ channel: 'C012ABC' }] }],
    ['a bot and an app', { slack: [{ channel: 'C012ABC', bots: ['B01', `A${'0'.repeat(20)}`] }] }],
  ])('%s', (_, settings) => {
    expect(AlertSettings.safeParse(settings).error?.issues).toBeUndefined();
  });

  it.each(['alertmanager', 'grafana', 'pagerduty', 'opsgenie', 'incident-io', 'robusta', 'argo-cd'])(
    'webhooks of %s, which need no mapping',
    (source) => {
      expect(AlertSettings.safeParse(file({ webhooks: [{ ...webhook, source }] })).success).toBe(true);
    },
  );
});

describe('settings refuse', () => {
  it.each<[sentence: string, settings: object, path: string, says?: RegExp]>([
    ['another version', { apiVersion: 'rollout-doctor/v2' }, 'apiVersion'],
    ['the name of a channel', { channel: '#incidents' }, 'channel', /id of a Slack channel/],
    ['a direct message', { channel: 'D012ABC' }, 'channel'],
    ['a channel id in small letters', { channel: 'C012abc' }, 'channel'],
    ['a channel id after something', { channel: '#C012ABC' }, 'channel'],
    ['a channel id before something', { channel: 'C012ABC|incidents' }, 'channel'],
    ['a channel id that is too short', { channel: 'C0' }, 'channel'],
    ['a channel id that is too long', { channel: `C${'A'.repeat(21)}` }, 'channel'],
    ['a variable in small letters', withToken({ env: 'token' }), 'webhooks.0.auth.token'],
    ['a variable that begins with a digit', withToken({ env: '2TOKEN' }), 'webhooks.0.auth.token'],
    ['a variable with its dollar', withToken({ env: '$TOKEN' }), 'webhooks.0.auth.token'],
    ['a variable with an assignment', withToken({ env: 'TOKEN=abc' }), 'webhooks.0.auth.token'],
    ['a file without a name', withToken({ file: '' }), 'webhooks.0.auth.token'],
    ['a secret from two places', withToken({ env: 'A', file: '/a' }), 'webhooks.0.auth.token'],
    [
      'an unknown authentication type',
      withAuth({ type: 'none', token: { env: 'A' } }),
      'webhooks.0.auth.type',
    ],
    ['a word too many beside a token', withAuth({ ...bearer, user: 'x' }), 'webhooks.0.auth'],
    [
      'basic authentication without a user',
      withAuth({ type: 'basic', user: '', password: { env: 'P' } }),
      'webhooks.0.auth.user',
    ],
    [
      'a word too many beside a user',
      withAuth({ type: 'basic', user: 'x', password: { env: 'P' }, token: 1 }),
      'webhooks.0.auth',
    ],
    [
      'a word too many for PagerDuty',
      withAuth({ type: 'pagerduty', secret: { env: 'P' }, header: 'X' }),
      'webhooks.0.auth',
    ],
    ['a word too many for a signature', hmac({ algorithm: 'md5' }), 'webhooks.0.auth'],
    ['a header with a space', hmac({ header: 'X Sig' }), 'webhooks.0.auth.header', /HTTP header/],
    ['a header with its colon', hmac({ header: 'X-Sig:' }), 'webhooks.0.auth.header'],
    ['a header that begins with a colon', hmac({ header: ':path' }), 'webhooks.0.auth.header'],
    ['no header', hmac({ header: '' }), 'webhooks.0.auth.header'],
    ['a header of 65 characters', hmac({ timestampHeader: 'h'.repeat(65) }), 'webhooks.0.auth.timestamp'],
    ['a prefix of 21 characters', hmac({ prefix: 'p'.repeat(21) }), 'webhooks.0.auth.prefix'],
    [
      'a webhook in capitals',
      file({ webhooks: [{ ...webhook, name: 'Alertmanager' }] }),
      'webhooks.0.name',
      /lower-case/,
    ],
    ['a webhook with a slash', file({ webhooks: [{ ...webhook, name: 'a/b' }] }), 'webhooks.0.name'],
    ['a webhook after a slash', file({ webhooks: [{ ...webhook, name: '/a' }] }), 'webhooks.0.name'],
    ['a webhook without a name', file({ webhooks: [{ ...webhook, name: '' }] }), 'webhooks.0.name'],
    [
      'a webhook name of 41 characters',
      file({ webhooks: [{ ...webhook, name: 'a'.repeat(41) }] }),
      'webhooks.0.name',
    ],
    [
      'a webhook of messages in Slack',
      file({ webhooks: [{ ...webhook, source: 'slack' }] }),
      'webhooks.0.source',
    ],
    ['a word too many in a webhook', file({ webhooks: [{ ...webhook, url: 'x' }] }), 'webhooks.0'],
    [
      'a mapping for a source with a shape of its own',
      file({ webhooks: [{ ...webhook, mapping: {} }] }),
      'webhooks.0.mapping',
      /generic/,
    ],
    [
      'a generic webhook without a mapping',
      file({ webhooks: [{ ...webhook, source: 'generic' }] }),
      'webhooks.0.mapping',
      /generic/,
    ],
    ['two webhooks with one name', file({ webhooks: [webhook, webhook] }), 'webhooks', /same name/],
    [
      'a second webhook that has no channel',
      {
        webhooks: [
          { ...webhook, channel: 'C0OWN' },
          { ...webhook, name: 'b' },
        ],
      },
      'channel',
      /channel/,
    ],
    [
      'a pointer without its slash',
      file(generic({ name: 'alert/name' })),
      'webhooks.0.mapping.name',
      /JSON pointer/,
    ],
    ['a pointer with a lone tilde', file(generic({ text: '/a~' })), 'webhooks.0.mapping.text'],
    ['a pointer with an unknown escape', file(generic({ link: '/a~2' })), 'webhooks.0.mapping.link'],
    [
      'a pointer of 201 characters',
      file(generic({ status: `/${'a'.repeat(200)}` })),
      'webhooks.0.mapping.status',
    ],
    ['a JSONPath', file(generic({ startsAt: '$.a' })), 'webhooks.0.mapping.startsAt'],
    ['a state without a name', file(generic({ resolvedWhen: [''] })), 'webhooks.0.mapping.resolvedWhen'],
    ['a label without a name', file(generic({ labels: { '': '/a' } })), 'webhooks.0.mapping.labels'],
    ['a word too many in a mapping', file(generic({ title: '/a' })), 'webhooks.0.mapping'],
    ['a word too many in a route', { routes: [{ when: {}, channel: 'C012ABC', to: 'x' }] }, 'routes.0'],
    ['a route to nowhere', { routes: [{ when: {} }] }, 'routes.0.channel'],
    ['a route by a label without a name', { routes: [{ when: { '': 'x' }, channel: 'C0A' }] }, 'routes.0'],
    ['a word too many in a rule', { rules: [{ when: {}, labels: {}, channel: 'C012ABC' }] }, 'rules.0'],
    ['a rule without labels to add', { rules: [{ when: {} }] }, 'rules.0.labels'],
    ['a person in the place of a bot', { slack: [{ channel: 'C0A', bots: ['U012ABC'] }] }, 'slack.0.bots'],
    ['the name of a bot', { slack: [{ channel: 'C0A', bots: ['@B012ABC'] }] }, 'slack.0.bots', /bot/],
    ['a bot id with more', { slack: [{ channel: 'C0A', bots: ['B012ABC x'] }] }, 'slack.0.bots'],
    ['a bot id that is too short', { slack: [{ channel: 'C0A', bots: ['B0'] }] }, 'slack.0.bots'],
    ['a word too many beside a Slack channel', { slack: [{ channel: 'C0A', bot: 'B01' }] }, 'slack.0'],
    ['an unknown field', { chanel: 'C012ABC' }, ''],
  ])('%s', (_, settings, path, expected) => {
    const issues = AlertSettings.safeParse(settings).error?.issues ?? [];

    expect(issues.length).toBeGreaterThan(0);
    expect(issues[0]?.path.join('.').startsWith(path)).toBe(true);
    if (expected !== undefined) expect(issues[0]?.message).toMatch(expected);
  });
});
