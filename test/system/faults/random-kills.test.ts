import { connect } from 'node:net';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { eventually, isChanged, type Rig, reviewButton, startRig } from '#support/faults-rig.js';
import type { Part } from '../../../demo/stack.js';

/**
 * Kills processes at moments that a seed chooses, while an approval goes through. `KILL_ROUNDS` makes more rounds than a
 * usual run has time for; the seeds go on from those of the usual run.
 */
const rounds = Number(process.env.KILL_ROUNDS ?? 3);

type Target = 'app' | 'diagnosis' | 'remediation';

/** Of one approval. BullMQ hands a job of a killed worker on after some 20 s; a diagnosis is given up at its second. */
const killsOfRound: readonly Target[] = [
  ...Array.from({ length: 7 }, () => 'app' as const),
  ...Array.from({ length: 4 }, () => 'remediation' as const),
  ...Array.from({ length: 2 }, () => 'diagnosis' as const),
];
/** A process sends some 200 commands and requests from its start to the end of an approval. */
const maxSteps = 50;

interface Kill {
  readonly target: Target;
  /** How many commands to Redis or requests to the API server are awaited before the kill. */
  readonly steps: number;
  readonly of: 'redis' | 'cluster';
}

const total = new Map<string, number>();
let done = 0;
const targetOf = (kill: string): string => kill.split(' ')[0] ?? '';

/** The numbers of docs/faults.md. */
afterAll(() => {
  const kills = [...total].map(([target, count]) => `${target} ${count}`).join(', ');
  process.stdout.write(`killed: ${kills}; approvals with exactly one change: ${done} of ${rounds}\n`);
});

/** A linear congruential generator (Numerical Recipes), so that a seed repeats its moments. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function killsOf(seed: number): readonly Kill[] {
  const random = randomOf(seed);
  for (let warm = 0; warm < 5; warm += 1) random();
  return killsOfRound
    .map((target) => ({ target, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ target }) => ({
      target,
      steps: 1 + Math.floor(random() ** 2 * maxSteps),
      of: target !== 'app' && random() < 0.3 ? 'cluster' : 'redis',
    }));
}

async function started({
  onTestFinished,
}: TestContext): Promise<{ readonly rig: Rig; readonly parts: Readonly<Record<Target, Part>> }> {
  const rig = await startRig({
    workers: 0,
    furtherWorkers: [{ WORKERS: 'alert,diagnosis,verification,delivery' }, { WORKERS: 'remediation' }],
  });
  onTestFinished(() => rig.stop());
  const [diagnosis, remediation] = rig.workers;
  if (diagnosis === undefined || remediation === undefined) throw new Error('two workers');
  return { rig, parts: { app: rig.app, diagnosis, remediation } };
}

/** Counts commands that processes of this rig send to Redis, and their requests to the API server. */
function countSteps({ onTestFinished }: TestContext, rig: Rig) {
  const { hostname, port } = new URL(rig.redis.url);
  let commands = 0;
  // Plain lines: the client's own monitor mistakes commands that others send meanwhile for its answer.
  const monitor = connect(Number(port), hostname, () => monitor.write('MONITOR\r\n'));
  monitor.on('error', () => undefined);
  monitor.on('data', (lines) => {
    commands += lines.toString('latin1').split(rig.prefix).length - 1;
  });
  onTestFinished(() => void monitor.destroy());
  // The local cluster keeps the last thousand.
  let requests = 0;
  let last = rig.cluster.requests.at(-1);
  const countRequests = () => {
    const at = last === undefined ? -1 : rig.cluster.requests.lastIndexOf(last);
    requests += rig.cluster.requests.length - 1 - at;
    last = rig.cluster.requests.at(-1);
    return requests;
  };
  return (of: Kill['of']) => (of === 'redis' ? commands : countRequests());
}

/** A person who tries until the card states what became of the change, as people do whose click found no app. */
async function approvePatiently(rig: Rig, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      const slack = rig.slack.as('dana');
      const button = reviewButton(card, 'patch-strategy-in-place');
      if (button === undefined) throw new Error('no button now');
      await slack.clicks(card, button);
      const view = await rig.slack.until(() => (isOver() ? slack.modal() : submittable(rig)), {
        what: 'a review that can be approved',
        withinMs: 10_000,
      });
      if (view?.submit !== undefined) await slack.submits(view, { reason: 'deadlock' });
    } catch {
      // The app was killed, or the card has no button while a change is under way.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function submittable(rig: Rig) {
  const view = rig.slack.as('dana').modal();
  return view?.submit !== undefined ? view : undefined;
}

const effects = (rig: Rig) => ({
  events: rig.cluster.list('v1', 'Event', 'shop').filter(({ reason }) => reason === 'RemediationApplied')
    .length,
  generation: rig.cluster.find('apps/v1', 'Deployment', 'shop', 'inference')?.metadata.generation ?? 0,
});

describe.concurrent('an approval during which app and workers are killed', () => {
  it.for(Array.from({ length: rounds }, (_, at) => at + 1))(
    'makes exactly one change, of the approved object: seed %d',
    async (seed, context) => {
      const { rig, parts } = await started(context);
      await rig.ask('deploy/inference -n shop');
      await rig.untilCard('is deadlocked');
      const before = effects(rig);
      const steps = countSteps(context, rig);
      const killed: string[] = [];
      let isKilling = true;
      const says = () => rig.cards().map(rig.says).join('\n');
      const person = approvePatiently(rig, () => says().includes('recovered'));
      const killing = (async () => {
        for (const { target, steps: wanted, of } of killsOf(seed)) {
          const from = steps(of);
          await eventually(
            `${wanted} steps of ${of}`,
            () => steps(of) - from >= wanted || says().includes('recovered'),
            4_000,
          ).catch(() => undefined);
          if (says().includes('recovered')) break;
          await parts[target].kill();
          killed.push(`${target} after ${steps(of) - from} of ${of}`);
          await parts[target].start();
        }
        isKilling = false;
      })();

      await Promise.all([killing, person]);
      expect(isKilling).toBe(false);
      await rig.untilCard('recovered');

      const after = effects(rig);
      expect(isChanged(rig), `lost: ${killed.join(', ')}`).toBe(true);
      expect(after.events, `doubled: ${killed.join(', ')}`).toBe(1);
      expect(after.generation - before.generation).toBe(1);
      const written = new Set(rig.changes().map(({ resource, name }) => `${resource}/${name}`));
      expect([...written]).toEqual(['deployments/inference']);
      expect(rig.cards()).toHaveLength(1);
      for (const each of killed) total.set(targetOf(each), (total.get(targetOf(each)) ?? 0) + 1);
      done += 1;
    },
  );
});
