import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { shippedIn } from '../../../demo/stack.js';
import { testKeyText } from '../../support/authority.js';
import { bareEnvironment, shippedFolder } from '../../support/shipped-programs.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-settings-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Runs a process until it ends, and stops it after it has started. */
async function run(entry: 'app' | 'worker', env: Readonly<Record<string, string>>) {
  const program = await shippedIn(join(shippedFolder('image'), 'dist'), entry);
  const child = spawn(process.execPath, program.args, {
    cwd: program.cwd,
    env: { ...bareEnvironment(), ...program.env, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
    if (/(?:app|worker) started/.test(out)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, err };
}

describe('a process with the given settings', () => {
  let redis: PrivateRedis;
  let slack: LocalSlack;
  let cluster: LocalCluster;
  let kubeconfig: string;

  beforeAll(async () => {
    redis = await startPrivateRedis({ appendOnly: true });
    const manifest: unknown = JSON.parse(await readFile(`${root}manifest.json`, 'utf8'));
    slack = await createLocalSlack({ manifest, delivery: 'socket', page: false });
    cluster = await createLocalCluster({});
    kubeconfig = file('kubeconfig', cluster.kubeconfig());
    mkdirSync(join(folder, 'a-folder'));
  });
  afterAll(async () => {
    await cluster.close();
    await slack.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const works = () => ({
    REDIS_URL: redis.url,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    KUBECONFIG: kubeconfig,
    APPROVAL_KEYS: testKeyText,
    STATUS_PORT: '0',
  });

  async function expectReport(
    entry: 'app' | 'worker',
    env: Readonly<Record<string, string>>,
    line: string,
  ): Promise<void> {
    const { status, err } = await run(entry, { ...works(), ...env });
    expect(err).toBe(`The configuration is not complete. Set or correct:\n  ${line}\n`);
    expect(status).toBe(2);
  }

  it.each<[string, () => Readonly<Record<string, string>>, () => string, (readonly ('app' | 'worker')[])?]>([
    [
      'no kubeconfig',
      () => ({ KUBECONFIG: '' }),
      () =>
        'KUBECONFIG: expected a readable kubeconfig (KUBECONFIG is not set, /nonexistent/.kube/config does not exist, and this process does not run in a pod)',
      ['app', 'worker'],
    ],
    [
      'a kubeconfig that does not exist',
      () => ({ KUBECONFIG: '/nonexistent/kubeconfig' }),
      () =>
        'KUBECONFIG: expected a readable kubeconfig (/nonexistent/kubeconfig: there is no such file or folder)',
    ],
    [
      'a folder as kubeconfig',
      () => ({ KUBECONFIG: join(folder, 'a-folder') }),
      () => `KUBECONFIG: expected a readable kubeconfig (${join(folder, 'a-folder')}: it is a folder)`,
    ],
    [
      'a kubeconfig that is no YAML',
      () => ({ KUBECONFIG: file('no.yaml', 'contexts: [') }),
      () =>
        `KUBECONFIG: expected a readable kubeconfig (${join(folder, 'no.yaml')}, line 1, column 12: unexpected end of the stream within a flow collection)`,
    ],
    [
      'a kubeconfig without a context',
      () => ({ KUBECONFIG: file('empty.yaml', 'apiVersion: v1\nkind: Config\n') }),
      () => 'KUBECONFIG: expected a kubeconfig with at least one context, found none',
    ],
    [
      'a context that the kubeconfig does not have',
      () => ({ CLUSTERS: 'locla' }),
      () => 'CLUSTERS: the kubeconfig has no context "locla" (did you mean "local"?). Its contexts: local',
    ],
    [
      'a bot token that Slack refuses',
      () => ({ SLACK_BOT_TOKEN: 'xoxb-no' }),
      () => 'SLACK_BOT_TOKEN: expected a token that Slack accepts, and Slack answered invalid_auth',
      ['app', 'worker'],
    ],
  ])('ends with one line and status 2 for %s', async (_, env, line, entries = ['worker']) => {
    // Both read the kubeconfig by the same function.
    for (const entry of entries) await expectReport(entry, env(), line());
  });

  it('ends with one line and status 2 for an app token that Slack rejects', async () => {
    await expectReport(
      'app',
      { SLACK_APP_TOKEN: 'xapp-no' },
      'SLACK_APP_TOKEN: expected a token that Slack accepts, and Slack answered invalid_auth',
    );
  });

  it('ends with one line and status 2 for a port that is in use', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expectReport(
      'worker',
      { STATUS_PORT: String(port) },
      `STATUS_PORT: expected a free port, but port ${port} cannot be opened (EADDRINUSE)`,
    );
  });

  it('ends with one line and status 2 for a Redis that evicts keys', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      for (const entry of ['app', 'worker'] as const) {
        await expectReport(
          entry,
          {},
          'REDIS_URL: expected a Redis with maxmemory-policy noeviction, found allkeys-lru, which deletes approvals and jobs when memory is short',
        );
      }
    } finally {
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      client.disconnect();
    }
  });

  it('ends with one line and status 2 for a Redis that rejects the login', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'requirepass', 'right');
    try {
      const { status, err } = await run('worker', works());
      expect(err).toContain(
        '\n  REDIS_URL: expected a user and password that Redis accepts, and Redis answered NOAUTH',
      );
      expect(err).not.toContain('    at ');
      expect(status).toBe(2);
    } finally {
      await client.config('SET', 'requirepass', '');
      client.disconnect();
    }
  });

  it('reports in Korean when the environment requests it', async () => {
    const env = { ...works(), CLUSTERS: 'locla', LANG: 'ko_KR.UTF-8' };
    const { status, err } = await run('worker', env);
    expect(err).toBe(
      '설정이 완전하지 않습니다. 다음 설정을 추가하거나 고치세요:\n  CLUSTERS: kubeconfig에 "locla" 컨텍스트가 없습니다 (혹시 "local"인가요?). 컨텍스트 목록: local\n',
    );
    expect(status).toBe(2);
  });

  it.each(['app', 'worker'] as const)(
    'and entry %s logs each check of the doctor once when all settings are valid',
    async (entry) => {
      const { out, err } = await run(entry, works());
      const checks = out
        .split('\n')
        .filter((line) => line.includes('checked at start'))
        .map((line) => JSON.parse(line) as { readonly part: string; readonly result: string });
      const results = checks.map(({ result }) => result);

      expect(err).toBe('');
      expect(new Set(results).size).toBe(results.length);
      expect(results).toContain('Redis evicts no keys (noeviction).');
      expect(results).toContain('The bot has all required scopes.');
    },
  );
});
