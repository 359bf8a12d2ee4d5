import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shippedIn } from '../../../demo/stack.js';
import { usualCases } from '../../support/at-night.js';
import { testKeyText } from '../../support/authority.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf } from '../../support/killed-at-random.js';
import { shippedFolder } from '../../support/shipped-programs.js';

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };
const preload = new URL('../../support/shifted-clock.mjs', import.meta.url).href;

/** A worker of the same installation, until it ends or does its work. */
async function runWorkerBeside(rig: Rig, minutes: number) {
  const program = await shippedIn(join(shippedFolder('image'), 'dist'), 'worker');
  const child = spawn(process.execPath, program.args, {
    cwd: program.cwd,
    env: {
      ...{ PATH: process.env.PATH, HOME: '/nonexistent', ...program.env },
      ...{ REDIS_URL: rig.redis.url, REDIS_PREFIX: rig.prefix, KUBECONFIG: rig.kubeconfigPath },
      ...{ SLACK_BOT_TOKEN: rig.slack.botToken, SLACK_APP_TOKEN: rig.slack.appToken },
      ...{ SLACK_API_URL: rig.slack.apiUrl, APPROVAL_KEYS: testKeyText, STATUS_PORT: '0' },
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_OFFSET_MS: String(minutes * 60_000),
    },
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
    if (out.includes('"msg":"worker started"')) child.kill('SIGTERM');
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out };
}

describe.each(usualCases([-60, 60], (minutes) => minutes > 0))(
  'a worker whose clock is off by %d minutes',
  (minutes) => {
    it('ends before it takes a job, and names the difference', async ({ onTestFinished }) => {
      const rig = await startRig();
      onTestFinished(() => rig.stop());
      await rig.workers[0]?.stop();
      await rig.ask('deploy/inference -n shop');
      const { status, out } = await runWorkerBeside(rig, minutes);
      expect(status).toBe(1);
      expect(out).toContain('the clock of this machine differs from that of Redis; no work is done');
      expect(out).not.toContain('worker started');
      expect(rig.cards()).toEqual([]);

      // What waited is done by a worker whose clock is right.
      await rig.workers[0]?.start();
      const card = await rig.untilDeadlock();
      await rig.approve('dana', card);
      await rig.untilRecovered();
      expect(rig.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
      expect(rig.cards()).toHaveLength(1);
    });
  },
);

/**
 * As far as Kubernetes itself lets clocks differ without harm: tokens are accepted, and leases outlive it.
 */
describe.concurrent.each([
  { title: 'five minutes ahead of the app', minutes: 5 },
  { title: 'five minutes behind the app', minutes: -5 },
])('a worker whose clock is $title', ({ minutes }) => {
  it('makes one approved change, once, and verifies it', async ({ onTestFinished }) => {
    const clock = {
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_OFFSET_MS: String(minutes * 60_000),
    };
    const began = Date.now();
    const rig = await startRig({ workers: 0, furtherWorkers: [clock] });
    onTestFinished(() => rig.stop());
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    await rig.approve('dana', card);
    await rig.untilRecovered();
    expect(isChanged(rig)).toBe(true);
    expect(rig.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
    expect(rig.cards()).toHaveLength(1);
    const written = rig.logged
      .filter(({ process: name }) => name.startsWith('worker'))
      .map(({ time }) => Number(time) - minutes * 60_000);
    const duringTest = written.filter((time) => time >= began && time <= Date.now());
    expect(written).not.toEqual([]);
    expect(duringTest).toEqual(written);
    const failed = rig.logged.filter(({ level }) => level >= 50);
    expect(failed).toEqual([]);
  });
});

describe('two workers whose clocks are ten minutes apart', () => {
  it.each(usualCases([5, -5], (minutes) => minutes > 0))(
    'make one change and state one verdict when the one that began is killed: first %d minutes from the app',
    async (minutes) => {
      const clockAt = (apart: number) => ({
        NODE_OPTIONS: `--import ${preload}`,
        CLOCK_OFFSET_MS: String(apart * 60_000),
      });
      const rig = await startRig({ workers: 0, furtherWorkers: [clockAt(minutes), clockAt(-minutes)] });
      onTestFinished(() => rig.stop());
      const [first, second] = rig.workers;
      await second?.stop();
      await rig.ask('deploy/inference -n shop');
      const card = await rig.untilDeadlock();
      const before = effectsOf(rig);
      rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' }, times: 1 });
      await rig.approve('dana', card);
      await eventually('the object is changed', () => isChanged(rig));
      await first?.kill();
      await second?.start();

      await rig.untilRecovered();
      await first?.start();
      await rig.ask('deploy/inference -n shop', 'min-jun');
      await rig.untilRecovered();
      const after = effectsOf(rig);
      expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
      expect(rig.changes()).toHaveLength(1);
      expect(rig.cards()).toHaveLength(1);
    },
  );
});
