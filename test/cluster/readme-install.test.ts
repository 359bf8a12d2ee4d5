import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#support/eventually.js';
import { type PrivateRedis, startPrivateRedis } from '../../demo/redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { type PodProcess, startPodProcess } from './harness/pod-process.js';
import { surgeExtendedResource } from './incidents/surge-extended-resource.js';
import { ensureTool } from './owners/harness/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The first block of commands in the section Install of README.md, as people copy it. */
const [, block = ''] = /^## Install\n.*?^```\n(.*?)^```$/msu.exec(read('README.md')) ?? [];
const lines = block.split('\n').filter((line) => line !== '');
const commands = lines.flatMap((line) => line.split(' && '));

const policy =
  'apiVersion: rollout-doctor/v1\ngrants: [{ groups: [ml-oncall], namespaces: ["*"], actions: "*" }]\n';
const channel = 'ml-oncall';

it('README.md installs with at most six commands', () => {
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.length).toBeLessThanOrEqual(6);
});

describe.each(['helm-3', 'helm-4'] as const)('the commands of README.md, with %s', (helm) => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-install-'));
  const image = join(folder, 'image');
  const clone = join(folder, 'clone');
  const bin = join(folder, 'bin');
  const built = join(folder, 'docker');
  const processes: PodProcess[] = [];
  let cluster: Cluster;
  let redis: PrivateRedis;
  let slack: LocalSlack;

  beforeAll(async () => {
    mkdirSync(clone);
    mkdirSync(bin);
    cluster = await startCluster();
    redis = await startPrivateRedis({ appendOnly: true });
    const manifest: unknown = JSON.parse(read('manifest.json'));
    slack = await createLocalSlack({ manifest, delivery: 'socket', page: false });
    await run('node', ['scripts/assemble-image.mjs', image], { cwd: root });
    for (const name of ['deploy', 'Dockerfile']) symlinkSync(join(root, name), join(clone, name));
    writeFileSync(join(clone, 'policy.yaml'), policy);
    const filled: Readonly<Record<string, string>> = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      APPROVAL_KEYS: `main:${randomBytes(32).toString('base64')}`,
    };
    const example = read('.env.example').replaceAll(
      /^([A-Z_]+)=$/gm,
      (line, name: string) => `${line}${filled[name] ?? ''}`,
    );
    writeFileSync(join(clone, '.env'), `${example}\nREDIS_URL=${redis.url}\n`);
    for (const [name, tool] of [
      ['kubectl', 'kubectl'],
      ['helm', helm],
    ] as const) {
      symlinkSync((await ensureTool(tool)).file, join(bin, name));
    }
    // No container engine is here: this one notes what it is asked for.
    writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho "$@" >> ${built}\n`, { mode: 0o755 });
  });
  afterAll(async () => {
    for (const each of processes) await each.stop();
    await slack?.close();
    await redis?.stop();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('succeed one after the other, and push the image that is installed', async () => {
    const env = {
      PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      KUBECONFIG: cluster.controlPlane.adminKubeconfig,
    };
    for (const line of lines) await run('sh', ['-ec', line], { cwd: clone, env });
    const [build = '', push = ''] = readFileSync(built, 'utf8').split('\n');
    const [, tag = ''] = /^build -t (\S+) \.$/.exec(build) ?? [];
    expect(push).toBe(`push ${tag}`);
    const images = (await podsOf()).flatMap(({ spec }) => spec?.containers.map((each) => each.image) ?? []);
    expect(images).toEqual([tag, tag, tag]);
  });

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
      () => slack.messages(channel).find(({ text }) => text.includes('is deadlocked')),
      { withinMs: 60_000, what: `the card: ${processes.map((each) => each.output()).join('\n')}` },
    );
    expect(card.text).toContain(`${workload.namespace}/${workload.name}`);
    expect(JSON.stringify(card.blocks)).toContain('nvidia.com/gpu');
  });

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
