import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf, type KilledRig, startKilledRig } from '../../support/killed-at-random.js';

async function started(options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig(options);
  onTestFinished(() => rig.stop());
  return rig;
}

const nodeLists = { verbs: ['list'], resources: ['nodes'] };
const lists = (rig: Rig) =>
  rig.cluster.requests.filter(({ verb, resource }) => verb === 'list' && resource === 'nodes');
const isDiagnosing = (rig: Rig) => lists(rig).length > 0;

describe('a SIGTERM', () => {
  it('lets a worker finish its running diagnosis', async () => {
    const rig = await started();
    const [worker] = rig.workers;
    rig.cluster.faults.add({ match: nodeLists, effect: { type: 'delay', ms: 1_000 } });
    await rig.ask('deploy/inference -n shop');
    await eventually('the diagnosis has begun', () => isDiagnosing(rig));

    expect(await worker?.stop()).toBe(0);
    expect(rig.logged.some(({ msg }) => msg === 'worker stopped')).toBe(true);
    await worker?.start();
    await rig.untilDeadlock();
    expect(lists(rig)).toHaveLength(1);
  });

  it('that is sent twice ends a worker at once, and another one takes up its job', async () => {
    const rig = await started({ workers: 2, env: { READ_TIMEOUT_SECONDS: '60' } });
    rig.cluster.faults.add({ match: nodeLists, effect: { type: 'hang' }, times: 1 });
    await rig.ask('deploy/inference -n shop');
    await eventually('the diagnosis has begun', () => isDiagnosing(rig));
    for (const worker of rig.workers) worker.signal('SIGTERM');
    await eventually('both workers stop', () =>
      rig.workers.every(({ name }) =>
        rig.logged.some(({ process, msg }) => process === name && msg === 'worker stops'),
      ),
    );
    await Promise.all(rig.workers.map((worker) => worker.stop()));
    await rig.workers[1]?.start();

    await rig.untilDeadlock();
    expect(rig.cards()).toHaveLength(1);
  });

  it('lets the app finish an acknowledged request', async () => {
    const rig = await started();
    rig.cluster.faults.add({
      match: { verbs: ['list'], resources: ['deployments'] },
      effect: { type: 'delay', ms: 1_500 },
      times: 1,
    });
    expect(await rig.ask('deploy/inference -n shop')).toBe('acknowledged');

    expect(await rig.app.stop()).toBe(0);
    await rig.untilDeadlock();
  });
});

it('a stack that starts over waits for no job, whose record goes anyway', async () => {
  const rig = await started({ env: { READ_TIMEOUT_SECONDS: '60' } });
  rig.cluster.faults.add({ match: nodeLists, effect: { type: 'hang' } });
  await rig.ask('deploy/inference -n shop');
  await eventually('the diagnosis has begun', () => isDiagnosing(rig));
  await rig.startOver(async () => {
    rig.slack.forgetMessages();
    rig.cluster.faults.clear();
  });

  expect(rig.logged.filter(({ msg }) => msg === 'worker stops')).toEqual([]);
  await rig.ask('deploy/inference -n shop');
  await rig.untilDeadlock();
  expect(rig.cards()).toHaveLength(1);
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
});

describe('two apps and three workers', () => {
  it('post one card, make one change and record one verdict', async () => {
    const rig = await started({ apps: 2, workers: 3 });
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
});
