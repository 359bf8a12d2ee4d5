import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { neededScopes } from '../../../src/adapters/slack/inspect-slack.js';
import { type LocalIncident, startLocalIncident } from './local-kubeconfig.js';
import { rolloutDoctor } from './run.js';

const manifest = JSON.parse(readFileSync(new URL('../../../manifest.json', import.meta.url), 'utf8')) as {
  readonly oauth_config: { readonly scopes: { readonly bot: string[] } };
};

interface Answer {
  readonly items: readonly { readonly part: string; readonly state: string; readonly key: string }[];
}

describe('rollout-doctor doctor', () => {
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
  });

  const environment = () => ({
    REDIS_URL: redis.url,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    KUBECONFIG: incident.kubeconfig,
  });

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
      'configuration note policy-empty',
      'redis works redis-works',
      'redis works redis-keeps-keys',
      'redis works redis-appends',
      'slack works slack-works',
      'slack works slack-scopes-work',
      'slack works slack-socket-works',
      'kubernetes works cluster-works',
      'kubernetes works cluster-readable',
      'kubernetes works cluster-changeable',
    ]);
    expect(status).toBe(0);
  });

  it('finds a Redis that evicts keys and forgets', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await client.config('SET', 'appendonly', 'no');
    try {
      const { status, items } = await inspect(['--only', 'redis'], environment());
      expect(items.slice(1)).toEqual(['redis missing redis-evicts', 'redis missing redis-forgets']);
      expect(status).toBe(1);
    } finally {
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      await client.config('SET', 'appendonly', 'yes');
      client.disconnect();
    }
  });

  it('finds the scopes that the app lacks', async () => {
    const bot = manifest.oauth_config.scopes.bot.filter((scope) => scope !== 'usergroups:read');
    const lacking = await createLocalSlack({
      manifest: { ...manifest, oauth_config: { scopes: { bot } } },
      delivery: 'socket',
      page: false,
    });
    try {
      const env = { ...environment(), SLACK_API_URL: lacking.apiUrl, SLACK_BOT_TOKEN: lacking.botToken };
      const ran = await rolloutDoctor(['doctor', '--only', 'slack'], {
        env: { ...env, SLACK_APP_TOKEN: lacking.appToken },
      });
      expect(ran.status).toBe(1);
      expect(ran.out).toContain('The bot lacks usergroups:read.');
    } finally {
      await lacking.close();
    }
  });

  it('knows a token that Slack refuses, and never prints it', async () => {
    const env = { ...environment(), SLACK_BOT_TOKEN: 'xoxb-nobody-knows-this' };
    const ran = await rolloutDoctor(['doctor', '--only', 'slack', 'configuration'], { env });
    expect(ran.out).toContain('Slack refuses the bot token (invalid_auth)');
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
    expect([...neededScopes].sort()).toEqual([...manifest.oauth_config.scopes.bot].sort());
  });
});
