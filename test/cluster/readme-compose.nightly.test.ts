import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { V1Deployment } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/free-ports.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { eventually } from '../support/eventually.js';
import { shippedFolder } from '../support/shipped-programs.js';
import { isDeadlocked, reviewOf } from '../support/shown-words.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { type ComposeService, composeServices } from './harness/compose-services.js';
import { type PodProcess, startImageProcess } from './harness/pod-process.js';
import { blocks, type Clone, makeClone, read } from './harness/readme-install.js';
import { accounts } from './harness/shipped-rbac.js';
import { untilRolledOut } from './incidents/rolling.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

const run = promisify(execFile);
/** Of the block for Docker Compose. */
const lines = blocks.find((block) => block.some((line) => line.startsWith('docker compose'))) ?? [];
const channel = 'ml-oncall';
/** For a card, an approval and its verification, where the machine is busy. */
const withinMs = 300_000;

/** No container engine is here: the processes that docker-compose.yml describes run on this machine. */
describe('the commands of README.md for Docker Compose', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-compose-'));
  const image = shippedFolder('image');
  const ends: (() => Promise<unknown>)[] = [];
  const processes: PodProcess[] = [];
  let cluster: Cluster;
  let slack: LocalSlack;
  let clone: Clone;
  let services: Readonly<Record<string, ComposeService>> = {};

  beforeAll(async () => {
    cluster = await startCluster({ auditedGroups: [`system:serviceaccounts:${accounts.namespace}`] });
    const manifest: unknown = JSON.parse(read('manifest.json'));
    slack = await createLocalSlack({ manifest, delivery: 'socket', page: false });
    clone = await makeClone(folder, cluster, {
      slack,
      tools: { kubectl: 'kubectl' },
      example: '.env.example',
    });
  });
  afterAll(async () => {
    for (const each of processes) await each.stop();
    for (const end of ends) await end();
    await slack?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('succeed one after the other, and start all services', async () => {
    for (const line of lines) await run('sh', ['-ec', line], { cwd: clone.folder, env: clone.env });

    expect(clone.docker()).toEqual(['compose up -d']);
    services = composeServices(clone.folder);
    expect(Object.keys(services)).toEqual(['redis', 'app', 'worker', 'patcher']);
  });

  it.each([
    ['app', 'no'],
    ['worker', 'no'],
    ['patcher', 'yes'],
  ])('let the process %s change workloads: %s', async (name, allowed) => {
    const asked = run('kubectl', ['auth', 'can-i', 'patch', 'deployments.apps', '-A'], {
      env: { ...clone.env, KUBECONFIG: services[name]?.env.KUBECONFIG ?? '' },
    }).catch(({ stdout }: { readonly stdout: string }) => ({ stdout }));

    expect((await asked).stdout.trim()).toBe(allowed);
  });

  it('lead to the first card and to an approved change, which the patcher alone makes', async () => {
    const { workload } = await surgeExtendedResource.reproduce(cluster);
    const { namespace, name } = workload;
    const url = await startRedis(services.redis?.command ?? []);
    // The three share the ports and the name of Redis that each container has for itself.
    const own = {
      PORT: '0',
      ALERTS_PORT: '0',
      STATUS_PORT: '0',
      SLACK_API_URL: slack.apiUrl,
      REDIS_URL: url,
    };
    for (const service of ['app', 'worker', 'patcher']) {
      const { command: [program, ...args] = [], env = {} } = services[service] ?? {};
      expect(program).toBe('node');
      processes.push(startImageProcess(image, args, { ...env, ...own }));
    }
    const dana = slack.as('dana');
    await eventually('the app receives the command', async () => {
      const { type } = await dana.runs(`/rollout-doctor ${namespace}/${name}`, { channel });
      return type === 'acknowledged';
    });
    const what = () => processes.map((each) => each.output()).join('\n');
    const card = (words: string) =>
      slack
        .messages(channel)
        .find((message) => JSON.stringify([message.text, message.blocks]).includes(words));
    const first = await slack.until(() => card(isDeadlocked), { withinMs, what: `the card: ${what()}` });

    await dana.clicks(first, reviewOf(`${namespace}/${name}`));
    const review = await slack.until(
      () => {
        const view = dana.modal();
        return view?.submit !== undefined && JSON.stringify(view).includes('maxSurge') ? view : undefined;
      },
      { withinMs, what: `the review: ${what()}` },
    );
    await dana.submits(review, { reason: 'deadlock' });
    await slack.until(() => card('recovered'), { withinMs, what: `the verdict: ${what()}` });

    const { spec }: V1Deployment = await untilRolledOut(cluster, namespace, name);
    expect(spec?.strategy).toMatchObject({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    const writers = cluster.controlPlane
      .audit()
      .filter(({ verb, allowed }) => allowed && ['patch', 'delete', 'create', 'update'].includes(verb))
      .filter(({ apiGroup }) => apiGroup !== 'authorization.k8s.io')
      .map(({ user }) => user);
    expect(new Set(writers)).toEqual(
      new Set([`system:serviceaccount:${accounts.namespace}:${accounts.patcher}`]),
    );
  }, 1_200_000);

  /** With the command of the service, on a port and in a folder of its own. */
  async function startRedis([program = '', ...args]: readonly string[]): Promise<string> {
    const port = String(await freePort());
    const child = spawn(program, [...args, '--port', port, '--dir', folder], { stdio: 'ignore' });
    ends.push(async () => {
      child.kill();
      await once(child, 'exit');
    });
    return (services.app?.env.REDIS_URL ?? '').replace('redis:6379', `127.0.0.1:${port}`);
  }
});
