import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noChange } from '#src/edges/redis/audited-write.js';
import { neededScopes, optionalScopes } from '#src/edges/slack/inspect-slack.js';
import { type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { testKeyText } from '../../support/authority.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { openDecisions, silenceEntry } from '../../support/redis-records.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

const manifest = JSON.parse(readFileSync(new URL('../../../manifest.json', import.meta.url), 'utf8')) as {
  readonly oauth_config: { readonly scopes: { readonly bot: string[] } };
};

const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' } as const;

interface Answer {
  readonly items: readonly { readonly part: string; readonly state: string; readonly key: string }[];
}

describe('rollout-doctor doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-policies-'));
  let redis: PrivateRedis;
  let slack: LocalSlack;
  let incident: LocalIncident;
  beforeAll(async () => {
    redis = await startPrivateRedis({ appendOnly: true });
    slack = await createLocalSlack({ manifest, delivery: 'socket', page: false });
    incident = await startLocalIncident();
  });
  afterAll(async () => {
    await incident.close();
    await slack.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    REDIS_URL: redis.url,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    KUBECONFIG: incident.kubeconfig,
    APPROVAL_KEYS: testKeyText,
  });

  /** A policy whose only grant is this one. */
  function policyOf(grant: string): string {
    const path = join(folder, `${grant.length}.yaml`);
    writeFileSync(path, `grants: [{ ${grant}, namespaces: ['*'], actions: '*' }]\n`);
    return path;
  }

  async function inspect(args: readonly string[], env: Readonly<Record<string, string>>) {
    const ran = await rolloutDoctor(['doctor', '-o', 'json', ...args], { env });
    expect(ran.err).toBe('');
    const { items } = JSON.parse(ran.out) as Answer;
    return { status: ran.status, items: items.map(({ part, state, key }) => `${part} ${state} ${key}`) };
  }

  it('finds everything in order where it is', async () => {
    const { status, items } = await inspect([], environment());
    expect(items).toEqual([
      'configuration works config-works',
      'configuration works approval-keys-work',
      'configuration note policy-empty',
      'redis works redis-works',
      'redis works redis-keeps-keys',
      'redis works redis-appends',
      'redis works audit-intact',
      'slack works slack-works',
      'slack works slack-scopes-work',
      'slack works slack-socket-works',
      'kubernetes works cluster-works',
      'kubernetes works cluster-readable',
      'kubernetes works cluster-changeable',
    ]);
    expect(status).toBe(0);
  });

  it('finds that recorded decisions were changed from outside', async () => {
    const client = new Redis(redis.url);
    const prefix = 'tampered';
    try {
      const record = openDecisions(client, prefix);
      for (const by of ['U0DANA', 'U0MIN', 'U0SAM']) {
        const silence = { workload, by, at: '2026-11-20T09:30:00Z', until: '', reason: '' };
        await record(silenceEntry('silenced', silence), noChange);
      }
      const env = { ...environment(), REDIS_PREFIX: prefix };
      expect((await inspect(['--only', 'redis'], env)).items).toContain('redis works audit-intact');

      const [, second] = await client.xrange(`${prefix}:audit-decisions`, '-', '+');
      await client.xdel(`${prefix}:audit-decisions`, second?.[0] ?? '');
      const { status, items } = await inspect(['--only', 'redis'], env);
      expect(items).toContain('redis missing audit-broken');
      expect(status).toBe(1);
    } finally {
      client.disconnect();
    }
  });

  it('finds a Redis that evicts keys and forgets', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await client.config('SET', 'appendonly', 'no');
    try {
      const { status, items } = await inspect(['--only', 'redis'], environment());
      expect(items.slice(1)).toEqual([
        'redis missing redis-evicts',
        'redis missing redis-forgets',
        'redis works audit-intact',
      ]);
      expect(status).toBe(1);
    } finally {
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      await client.config('SET', 'appendonly', 'yes');
      client.disconnect();
    }
  });

  it('names the groups of the policy that grant nothing', async () => {
    const env = { ...environment(), POLICY_FILE: policyOf('groups: [ml-oncall, web-oncall]') };
    const { status, items } = await inspect(['--only', 'slack'], env);
    expect(items).toContain('slack missing slack-group-ignored');
    expect(items.filter((item) => item.includes('group'))).toHaveLength(1);
    expect(status).toBe(1);
  });

  it.each([
    ['misses the scope of user groups where the policy names groups', 'groups: [ml-oncall]', 1],
    ['needs no scope of user groups where the policy names people', 'users: [U0DANA]', 0],
  ])('%s', async (_, grant, status) => {
    const bot = manifest.oauth_config.scopes.bot.filter((scope) => scope !== 'usergroups:read');
    const lacking = await createLocalSlack({
      manifest: { ...manifest, oauth_config: { scopes: { bot } } },
      delivery: 'socket',
      page: false,
    });
    try {
      const env = { ...environment(), SLACK_API_URL: lacking.apiUrl, SLACK_BOT_TOKEN: lacking.botToken };
      const ran = await rolloutDoctor(['doctor', '--only', 'slack'], {
        env: { ...env, SLACK_APP_TOKEN: lacking.appToken, POLICY_FILE: policyOf(grant) },
      });
      expect(ran.status).toBe(status);
      expect(ran.out.includes('The bot lacks scopes: usergroups:read (user groups in the policy).')).toBe(
        status === 1,
      );
      expect(ran.out.includes('Slack returned no user groups (missing_scope)')).toBe(status === 1);
    } finally {
      await lacking.close();
    }
  });

  it('notes that pictures are text without the optional scope', async () => {
    const bot = manifest.oauth_config.scopes.bot.filter(
      (scope) => !optionalScopes.some((each) => each === scope),
    );
    const lacking = await createLocalSlack({
      manifest: { ...manifest, oauth_config: { scopes: { bot } } },
      delivery: 'socket',
      page: false,
    });
    try {
      const { status, items } = await inspect(['--only', 'slack'], {
        ...environment(),
        SLACK_API_URL: lacking.apiUrl,
        SLACK_BOT_TOKEN: lacking.botToken,
        SLACK_APP_TOKEN: lacking.appToken,
      });
      expect(items).toContain('slack note slack-no-images');
      expect(items).toContain('slack note slack-no-reactions');
      expect(status).toBe(0);
    } finally {
      await lacking.close();
    }
  });

  it.each([
    [['T0BRIDGE', 'T0ENGINE'], 0, 'added to 2 workspaces'],
    [[], 1, 'An administrator must add it to workspaces'],
  ])('tells of an organization that added the app to %j', async (workspaces, status, words) => {
    const organization = { id: 'E0STARSHIP', name: 'Starship', workspaces };
    const company = await createLocalSlack({ manifest, organization, delivery: 'socket', page: false });
    try {
      const env = { ...environment(), SLACK_API_URL: company.apiUrl, SLACK_BOT_TOKEN: company.botToken };
      const ran = await rolloutDoctor(['doctor', '--only', 'slack'], {
        env: { ...env, SLACK_APP_TOKEN: company.appToken },
      });
      expect(ran.out).toContain('in Starship');
      expect(ran.out).toContain(words);
      expect(ran.status).toBe(status);
    } finally {
      await company.close();
    }
  });

  it('knows a token that Slack refuses, and never prints it', async () => {
    const env = { ...environment(), SLACK_BOT_TOKEN: 'xoxb-nobody-knows-this' };
    const ran = await rolloutDoctor(['doctor', '--only', 'slack', 'configuration'], { env });
    expect(ran.out).toContain('Slack rejected the bot token (invalid_auth)');
    expect(ran.out).not.toContain('nobody-knows-this');
    expect(ran.status).toBe(1);
  });

  it('looks at each part though others are not set up, and says what could not be asked', async () => {
    const { status, items } = await inspect([], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(items).toContain('configuration missing config-wrong');
    expect(items).toContain('redis unknown redis-away');
    expect(items).toContain('slack missing slack-unset');
    expect(items.at(-1)).toMatch(/^kubernetes unknown /);
    expect(status).toBe(1);
    const away = await inspect(['--only', 'redis'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(away.status).toBe(3);
  });

  it('asks for the scopes that the manifests ask for', () => {
    expect([...neededScopes, ...optionalScopes].sort()).toEqual([...manifest.oauth_config.scopes.bot].sort());
  });
});
