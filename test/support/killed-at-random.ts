import { connect } from 'node:net';
import type { TestContext } from 'vitest';
import type { Part, StackOptions } from '../../demo/stack.js';
import { eventually, type Rig, startRig } from './faults-rig.js';

export type Target = 'app' | 'diagnosis' | 'remediation';

export interface Kill {
  readonly target: Target;
  /** How many commands to Redis or requests to the API server are awaited before the kill. */
  readonly steps: number;
  readonly of: 'redis' | 'cluster';
}

export interface KilledRig {
  readonly rig: Rig;
  /** Kills and starts again until all kills are done or the incident is over; returns what was killed. */
  kill(kills: readonly Kill[], isOver: () => boolean): Promise<readonly string[]>;
}

/**
 * Of one approval. BullMQ hands a job of a killed worker on after some 20 s; a diagnosis is given up at its
 * second.
 */
const killsOfRound: readonly Target[] = [
  ...Array.from({ length: 7 }, () => 'app' as const),
  ...Array.from({ length: 4 }, () => 'remediation' as const),
  ...Array.from({ length: 2 }, () => 'diagnosis' as const),
];
/** A process sends some 200 commands and requests from its start to the end of an approval. */
const maxSteps = 50;

export const targetOf = (kill: string): string => kill.split(' ')[0] ?? '';

/** A linear congruential generator (Numerical Recipes), so that a seed repeats its moments. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function killsOf(seed: number): readonly Kill[] {
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

/** Starts an app, a worker that diagnoses and one that makes changes; without a test, the caller ends them. */
export async function startKilledRig(context?: TestContext, options: StackOptions = {}): Promise<KilledRig> {
  const rig = await startRig({
    ...options,
    workers: 0,
    furtherWorkers: [{ WORKERS: 'alert,diagnosis,verification,delivery' }, { WORKERS: 'remediation' }],
  });
  context?.onTestFinished(() => rig.stop());
  const [diagnosis, remediation] = rig.workers;
  if (diagnosis === undefined || remediation === undefined) throw new Error('two workers');
  const parts: Readonly<Record<Target, Part>> = { app: rig.app, diagnosis, remediation };
  return {
    rig,
    async kill(kills, isOver) {
      const { steps, stop } = countSteps(rig);
      const killed: string[] = [];
      for (const { target, steps: wanted, of } of kills) {
        const from = steps(of);
        const isReached = () => steps(of) - from >= wanted || isOver();
        await eventually(`${wanted} steps of ${of}`, isReached, 4_000).catch(() => undefined);
        if (isOver()) break;
        await parts[target].kill();
        killed.push(`${target} after ${steps(of) - from} of ${of}`);
        await parts[target].start();
      }
      stop();
      return killed;
    },
  };
}

/** Counts commands that processes of this rig send to Redis, and their requests to the API server. */
function countSteps(rig: Rig) {
  const { hostname, port } = new URL(rig.redis.url);
  let commands = 0;
  // Plain lines: the client's own monitor mistakes commands that others send meanwhile for its answer.
  const monitor = connect(Number(port), hostname, () => monitor.write('MONITOR\r\n'));
  monitor.on('error', () => undefined);
  monitor.on('data', (lines) => {
    commands += lines.toString('latin1').split(rig.prefix).length - 1;
  });
  return {
    steps: (of: Kill['of']) => (of === 'redis' ? commands : rig.cluster.requests.length),
    stop: () => void monitor.destroy(),
  };
}

/** What a change leaves: events of it, and the generation of the Deployment. */
export const effectsOf = ({ cluster, namespace }: Rig) => ({
  events: cluster.list('v1', 'Event', namespace).filter(({ reason }) => reason === 'RemediationApplied')
    .length,
  generation: cluster.find('apps/v1', 'Deployment', namespace, 'inference')?.metadata.generation ?? 0,
});

/** The modal of the person, where it can be submitted. */
export function submittable(rig: Rig, person: string) {
  const view = rig.slack.as(person).modal();
  return view?.submit !== undefined ? view : undefined;
}
