import { describe, expect, it } from 'vitest';
import { isChanged, startRig } from '#support/faults-rig.js';

const preload = new URL('../../support/shifted-clock.mjs', import.meta.url).href;

/** As far as Kubernetes itself lets clocks differ without harm: tokens are accepted, and leases outlive it. */
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
