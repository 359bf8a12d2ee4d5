import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PrivateRedis, startPrivateRedis } from '../../demo/redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { eventually } from '../support/eventually.js';
import { shippedFolder } from '../support/shipped-programs.js';
import { isDeadlocked } from '../support/shown-words.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { type PodProcess, startPodProcess } from './harness/pod-process.js';
import { blocks, type Clone, makeClone, read, stepLines } from './harness/readme-install.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

const run = promisify(execFile);

const [lines = []] = blocks;
const commands = lines.flatMap((line) => line.split(' && '));

const channel = 'ml-oncall';

it('README.md installs with at most six commands', () => {
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.length).toBeLessThanOrEqual(6);
});

describe.each([
  ['README.md', 'helm-3'],
  ['README.md', 'helm-4'],
  ['docs/install.md', 'helm-4'],
] as const)('the commands of %s, with %s', (page, helm) => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-install-'));
  const image = shippedFolder('image');
  const processes: PodProcess[] = [];
  let cluster: Cluster;
  let redis: PrivateRedis;
  let slack: LocalSlack;
  let clone: Clone;

  beforeAll(async () => {
    cluster = await startCluster();
    redis = await startPrivateRedis({ appendOnly: true });
    const manifest: unknown = JSON.parse(read('manifest.json'));
    slack = await createLocalSlack({ manifest, delivery: 'socket', page: false });
    const tools = { kubectl: 'kubectl', helm } as const;
    clone = await makeClone(folder, cluster, {
      ...{ slack, tools, settings: [`REDIS_URL=${redis.url}`] },
      ...(page === 'README.md' ? { example: '.env.helm.example' } : {}),
    });
  });
  afterAll(async () => {
    for (const each of processes) await each.stop();
    await slack?.close();
    await redis?.stop();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('succeed one after the other, and push the image that is installed', async () => {
    const types = (line: string) => run('sh', ['-ec', line], { cwd: clone.folder, env: clone.env });
    if (page === 'README.md') for (const line of lines) await types(line);
    else {
      for (const line of stepLines.copy) await types(line);
      clone.fill();
      // No container runs, so the app is not ready: what the page waits for has to exist.
      const waits = stepLines.install.at(-1) ?? '';
      for (const line of stepLines.install.slice(0, -1)) await types(line);
      await types(waits.replace('rollout status', 'get'));
    }
    const [build = '', push = ''] = clone.docker();
    const [, tag = ''] = /^build -t (\S+) \.$/.exec(build) ?? [];
    expect(push).toBe(`push ${tag}`);
    const images = (await podsOf()).flatMap(({ spec }) => spec?.containers.map((each) => each.image) ?? []);
    expect(images).toEqual([tag, tag, tag]);
  });

  it.runIf(page === 'docs/install.md')(
    'may run again with changed settings, and keep what was filled in',
    async () => {
      const types = (line: string) => run('sh', ['-ec', line], { cwd: clone.folder, env: clone.env });
      const settings = join(clone.folder, '.env');
      appendFileSync(settings, 'LOG_LEVEL=warn\n');
      const filledIn = readFileSync(settings, 'utf8');
      const template = `kubectl -n rollout-doctor get deployment rollout-doctor-app -o 'jsonpath={.spec.template}'`;
      const before = await types(template);
      const again = stepLines.install.filter((line) => /^(?:docker|helm)/u.test(line));
      expect(again).toHaveLength(2);
      expect(stepLines.replace).toHaveLength(1);
      for (const line of [...stepLines.copy, ...stepLines.replace, ...again]) await types(line);
      expect(readFileSync(settings, 'utf8')).toBe(filledIn);
      expect((await types(template)).stdout).not.toBe(before.stdout);
    },
  );

  it('lead to the first card, when the pods of the release run', async () => {
    const { workload } = await surgeExtendedResource.reproduce(cluster);
    const env = { PORT: '0', ALERTS_PORT: '0', STATUS_PORT: '0', SLACK_API_URL: slack.apiUrl };
    for (const [at, pod] of (await podsOf()).entries()) {
      processes.push(await startPodProcess(cluster, pod, { image, folder: join(folder, `pod-${at}`), env }));
    }
    const asks = `/rollout-doctor ${workload.namespace}/${workload.name}`;
    await eventually('the app receives the command', async () => {
      const { type } = await slack.as('dana').runs(asks, { channel });
      return type === 'acknowledged';
    });
    const card = await slack.until(
      () => slack.messages(channel).find(({ text }) => text.includes(isDeadlocked)),
      { withinMs: 300_000, what: `the card: ${processes.map((each) => each.output()).join('\n')}` },
    );
    expect(card.text).toContain(`${workload.namespace}/${workload.name}`);
    expect(JSON.stringify(card.blocks)).toContain('nvidia.com/gpu');
  }, 600_000);

  /** Of the app and the two workers, as the controllers created them. */
  async function podsOf(): Promise<readonly V1Pod[]> {
    return cluster.until<V1Pod, readonly V1Pod[]>({
      what: 'a pod of each Deployment of the release',
      selection: { kind: 'Pod', namespace: 'rollout-doctor' },
      check: (pods) => {
        const ours = ['app', 'diagnosis', 'remediation'].map((component) =>
          pods.find(({ metadata }) => metadata?.labels?.['app.kubernetes.io/component'] === component),
        );
        return ours.every((pod) => pod !== undefined) ? ours : undefined;
      },
    });
  }
});
