import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Part, shippedIn } from '../../../demo/stack.js';
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
      ...clockAt(minutes),
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

const clockAt = (minutes: number) => ({
  NODE_OPTIONS: `--import ${preload}`,
  CLOCK_OFFSET_MS: String(minutes * 60_000),
});

let rig: Rig;
let right: Part;
let ahead: Part;
let behind: Part;
let began: number;
let stories = 0;

beforeAll(async () => {
  began = Date.now();
  rig = await startRig({ scenario: 'none', furtherWorkers: [clockAt(5), clockAt(-5)] });
  const [first, second, third] = rig.workers;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three workers');
  [right, ahead, behind] = [first, second, third];
});
afterAll(() => rig?.stop());

/** Stops every worker but these, and starts these where they do not run. */
async function runOnly(...wanted: readonly Part[]): Promise<void> {
  await Promise.all(rig.workers.filter((each) => !wanted.includes(each)).map((each) => each.stop()));
  for (const each of wanted) if (each.pid === undefined) await each.start();
}

/** A copy of the deadlock for one story. */
function fresh(): Promise<Rig> {
  stories += 1;
  return rig.also(`clocks-${stories}`);
}
const ask = (at: Rig, person?: string) => at.ask(`deploy/inference -n ${at.namespace}`, person);

/**
 * As far as Kubernetes itself lets clocks differ without harm: tokens are accepted, and leases outlive it.
 */
describe.each([
  { title: 'five minutes ahead of the app', minutes: 5, worker: () => ahead },
  { title: 'five minutes behind the app', minutes: -5, worker: () => behind },
])('a worker whose clock is $title', ({ minutes, worker }) => {
  it('makes one approved change, once, and verifies it', async () => {
    await runOnly(worker());
    const logged = rig.logged.length;
    const at = await fresh();
    await ask(at);
    const card = await at.untilDeadlock();
    await at.approve('dana', card);
    await at.untilRecovered();
    expect(isChanged(at)).toBe(true);
    expect(at.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
    expect(at.cards()).toHaveLength(1);
    const written = rig.logged
      .filter(({ process: name }) => name === worker().name)
      .map(({ time }) => Number(time) - minutes * 60_000);
    const duringTest = written.filter((time) => time >= began && time <= Date.now());
    expect(written).not.toEqual([]);
    expect(duringTest).toEqual(written);
    const failed = rig.logged.slice(logged).filter(({ level }) => level >= 50);
    expect(failed).toEqual([]);
  });
});

describe('two workers whose clocks are ten minutes apart', () => {
  it.each(
    usualCases(
      [
        { minutes: 5, workers: () => [ahead, behind] as const },
        { minutes: -5, workers: () => [behind, ahead] as const },
      ],
      ({ minutes }) => minutes < 0,
    ),
  )(
    'make one change and state one verdict when the one that began is killed: first $minutes minutes from the app',
    async ({ workers }) => {
      const [first, second] = workers();
      await runOnly(first);
      const at = await fresh();
      await ask(at);
      const card = await at.untilDeadlock();
      const before = effectsOf(at);
      rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' }, times: 1 });
      await at.approve('dana', card);
      await eventually('the object is changed', () => isChanged(at));
      await first.kill();
      await second.start();

      await at.untilRecovered();
      await first.start();
      await ask(at, 'min-jun');
      await at.untilRecovered();
      const after = effectsOf(at);
      expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
      expect(at.changes()).toHaveLength(1);
      expect(at.cards()).toHaveLength(1);
    },
  );
});

describe.each(usualCases([-60, 60], (minutes) => minutes > 0))(
  'a worker whose clock is off by %d minutes',
  (minutes) => {
    it('ends before it takes a job, and names the difference', async () => {
      await runOnly();
      const at = await fresh();
      await ask(at);
      const { status, out } = await runWorkerBeside(rig, minutes);
      expect(status).toBe(1);
      expect(out).toContain('the clock of this machine differs from that of Redis; no work is done');
      expect(out).not.toContain('worker started');
      expect(at.cards()).toEqual([]);

      // What waited is done by a worker whose clock is right.
      await right.start();
      const card = await at.untilDeadlock();
      await at.approve('dana', card);
      await at.untilRecovered();
      expect(at.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
      expect(at.cards()).toHaveLength(1);
    });
  },
);
