import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../../demo/cluster/api/faults.js';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf, type KilledRig, startKilledRig } from '../../support/killed-at-random.js';

const nodeLists = { verbs: ['list'], resources: ['nodes'] };
const lists = (rig: Rig) =>
  rig.cluster.requests.filter(({ verb, resource }) => verb === 'list' && resource === 'nodes').length;

describe('two apps and three workers', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ apps: 2, workers: 3, env: { READ_TIMEOUT_SECONDS: '60' } });
  });
  afterAll(() => rig?.stop());

  it('post one card, make one change and record one verdict', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        rig.ask('deploy/inference -n shop', n % 2 === 0 ? 'dana' : 'min-jun'),
      ),
    );
    const card = await rig.untilDeadlock();
    const views = [await rig.review('dana', card), await rig.review('min-jun', card)];
    await Promise.all([
      rig.slack.as('dana').submits(views[0] as never, { reason: 'deadlock' }),
      rig.slack.as('min-jun').submits(views[1] as never, { reason: 'deadlock' }),
    ]);
    const recovered = await rig.untilRecovered();

    expect(rig.cards()).toHaveLength(1);
    expect(rig.changes()).toHaveLength(1);
    expect(isChanged(rig)).toBe(true);
    const verdicts = () => rig.slack.thread(recovered).filter(({ text }) => text.includes('recovered'));
    await rig.slack.until(() => verdicts().length > 0, { what: 'the verdict' });
    expect(verdicts()).toHaveLength(1);
    expect(rig.slack.sockets.acknowledged().filter((count) => count > 0)).toHaveLength(2);
    expect(await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' })).toBe(1);
    expect(await rig.counted('rollout_doctor_approvals_total', { state: 'done' })).toBe(1);
    expect(
      await rig.counted('rollout_doctor_findings_total', { cause: 'surge-deadlock', confidence: 'proven' }),
    ).toBeGreaterThanOrEqual(1);
    expect(
      await rig.counted('rollout_doctor_diagnosis_read_duration_seconds_count', { outcome: 'snapshot' }),
    ).toBeGreaterThan(0);
  });

  describe('of which one app and two workers are left', () => {
    beforeAll(async () => {
      await Promise.all([rig.apps[1], rig.workers[2]].map((part) => part?.stop()));
    });

    /** Requests a diagnosis in a namespace of its own, and waits until it has begun. */
    async function diagnosing(namespace: string, effect: FaultEffect): Promise<Rig> {
      const at = await rig.also(namespace);
      const before = lists(rig);
      rig.cluster.faults.add({ match: nodeLists, effect, times: 1 });
      await at.ask(`deploy/inference -n ${namespace}`);
      await eventually('the diagnosis has begun', () => lists(rig) > before);
      return at;
    }
    const saying = (words: string) =>
      rig.workers.filter(({ name }) =>
        rig.logged.some((line) => line.process === name && line.msg === words),
      );

    it('finish a running diagnosis after a SIGTERM', async () => {
      const [worker, other] = rig.workers;
      await other?.stop();
      rig.logged.length = 0;
      const before = lists(rig);
      const at = await diagnosing('ended-once', { type: 'delay', ms: 1_000 });

      expect(await worker?.stop()).toBe(0);
      expect(saying('worker stopped')).toEqual([worker]);
      await worker?.start();
      await at.untilDeadlock();
      expect(lists(rig)).toBe(before + 1);
      await other?.start();
    });

    it('end at once after a second SIGTERM, and another worker takes up the job', async () => {
      rig.logged.length = 0;
      const at = await diagnosing('ended-twice', { type: 'hang' });
      const running = rig.workers.slice(0, 2);
      for (const worker of running) worker.signal('SIGTERM');
      await eventually('both workers stop', () => saying('worker stops').length === 2);
      await Promise.all(running.map((worker) => worker.stop()));
      await running[1]?.start();

      await at.untilDeadlock();
      expect(at.cards()).toHaveLength(1);
    });

    it('finish an acknowledged request of the app after a SIGTERM', async () => {
      const at = await rig.also('acknowledged');
      rig.cluster.faults.add({
        match: { verbs: ['list'], resources: ['deployments'] },
        effect: { type: 'delay', ms: 1_500 },
        times: 1,
      });
      expect(await at.ask(`deploy/inference -n ${at.namespace}`)).toBe('acknowledged');

      expect(await rig.app.stop()).toBe(0);
      await at.untilDeadlock();
    });
  });
});

describe('an app that is killed between a click and its answer', () => {
  let killed: KilledRig;
  let namespaces = 0;
  beforeAll(async () => {
    killed = await startKilledRig();
  });
  afterAll(() => killed?.rig.stop());

  /** `CLICK_FAULTS=all` kills it after each of these. */
  const steps = process.env.CLICK_FAULTS === 'all' ? [1, 2, 3, 4, 6, 8, 11, 15] : [1, 6];
  const clicks = (['Review', 'Apply'] as const).flatMap((click) => steps.map((after) => ({ click, after })));
  it.each(usualCases(clicks, ({ click, after }) => (click === 'Apply') === after > 1))(
    'on $click, after $after commands to Redis, leaves one change',
    async ({ click, after }) => {
      namespaces += 1;
      const at = await killed.rig.also(`killed-${namespaces}`);
      await at.ask(`deploy/inference -n ${at.namespace}`);
      const card = await at.untilDeadlock();
      const before = effectsOf(at);
      const view = click === 'Apply' ? await at.review('dana', card) : undefined;
      const kill = killed.kill([{ target: 'app', steps: after, of: 'redis' }], () => false);
      // Slack tells the person of a click that nobody answers; the local one rejects.
      if (view === undefined) await at.opensReview('dana', card).catch(() => undefined);
      else
        await at.slack
          .as('dana')
          .submits(view, { reason: 'deadlock' })
          .catch(() => undefined);
      expect(await kill).toHaveLength(1);
      if (view === undefined) expect(at.changes()).toEqual([]);

      await approvePatiently(at, () => at.cards().some((each) => at.says(each).includes('recovered')));
      await at.untilRecovered();
      expect(isChanged(at)).toBe(true);
      expect(effectsOf(at).generation - before.generation).toBe(1);
      expect(at.cards()).toHaveLength(1);
    },
  );

  it('starts over without waiting for a job, whose record goes anyway', async () => {
    const { rig } = killed;
    rig.logged.length = 0;
    const before = lists(rig);
    rig.cluster.faults.add({ match: nodeLists, effect: { type: 'hang' } });
    await rig.ask('deploy/inference -n shop');
    await eventually('the diagnosis has begun', () => lists(rig) > before);
    await rig.startOver(async () => {
      rig.slack.forgetMessages();
      rig.cluster.faults.clear();
    });

    expect(rig.logged.filter(({ msg }) => msg === 'worker stops')).toEqual([]);
    await rig.ask('deploy/inference -n shop');
    await rig.untilDeadlock();
    expect(rig.cards()).toHaveLength(1);
  });
});
