import { afterAll, describe, expect, it } from 'vitest';
import { approvePatiently, askPatiently } from '../../support/approve-patiently.js';
import { seeds } from '../../support/at-night.js';
import { isChanged } from '../../support/faults-rig.js';
import { effectsOf, killsOf, startKilledRig, targetOf } from '../../support/killed-at-random.js';

/**
 * Kills processes at moments that a seed chooses, while an approval goes through. `KILL_ROUNDS` makes more
 * rounds than a usual run has time for; the seeds go on from those of the usual run.
 */
const rounds = seeds(process.env.KILL_ROUNDS, { night: 3, usual: 1 });

const total = new Map<string, number>();
let done = 0;

/** The numbers of docs/faults.md. */
afterAll(() => {
  const kills = [...total].map(([target, count]) => `${target} ${count}`).join(', ');
  process.stdout.write(`killed: ${kills}; approvals with exactly one change: ${done} of ${rounds.length}\n`);
});

describe.concurrent('an approval during which app and workers are killed', () => {
  it.for(rounds)('makes exactly one change, of the approved object: seed %d', async (seed, context) => {
    const { rig, kill } = await startKilledRig(context);
    await askPatiently(rig);
    const before = effectsOf(rig);
    const isOver = () => rig.cards().some((card) => rig.says(card).includes('recovered'));

    const [killed] = await Promise.all([kill(killsOf(seed), isOver), approvePatiently(rig, isOver)]);
    await rig.untilRecovered();

    const after = effectsOf(rig);
    expect(isChanged(rig), `lost: ${killed.join(', ')}`).toBe(true);
    expect(after.events, `doubled: ${killed.join(', ')}`).toBe(1);
    expect(after.generation - before.generation).toBe(1);
    const written = new Set(rig.changes().map(({ resource, name }) => `${resource}/${name}`));
    expect([...written]).toEqual(['deployments/inference']);
    expect(rig.cards()).toHaveLength(1);
    for (const each of killed) total.set(targetOf(each), (total.get(targetOf(each)) ?? 0) + 1);
    done += 1;
  });
});
