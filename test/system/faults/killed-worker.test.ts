import { describe, expect, it, type TestContext } from 'vitest';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';

async function started(
  { onTestFinished }: TestContext,
  options: Parameters<typeof startRig>[0] = {},
): Promise<Rig> {
  const rig = await startRig({ ...options, env: { READ_TIMEOUT_SECONDS: '2', ...options.env } });
  onTestFinished(() => rig.stop());
  return rig;
}

const worker = ({ workers: [first] }: Rig) => {
  if (first === undefined) throw new Error('no worker');
  return first;
};

async function deadlocked(rig: Rig) {
  await rig.ask('deploy/inference -n shop');
  return rig.untilDeadlock();
}

/** Expects one change, verified and reported once. */
async function expectOneChange(rig: Rig) {
  const recovered = await rig.untilRecovered();
  expect(rig.cards()).toHaveLength(1);
  expect(isChanged(rig)).toBe(true);
  const events = rig.cluster
    .list('v1', 'Event', 'shop')
    .filter(({ reason }) => reason === 'RemediationApplied');
  expect(events).toHaveLength(1);
  const thread = () => rig.slack.thread(recovered).map(({ text }) => text);
  await rig.slack.until(() => thread().some((text) => text.includes('recovered')), { what: 'the verdict' });
  expect(new Set(thread()).size).toBe(thread().length);
}

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };
const ofTheDryRun = { verbs: ['patch'], resources: ['deployments'], dryRun: true };
/** The restart of the recorded pods that lost their readiness. */
const restart = { what: 'deploy/api -n lost-readiness', words: 'not ready', id: 'restart-rollout' } as const;

function restartedAt(rig: Rig): string | undefined {
  const spec = rig.cluster.find('apps/v1', 'Deployment', 'lost-readiness', 'api')?.spec as
    | {
        readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
      }
    | undefined;
  return spec?.template.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'];
}

async function needsRestart(context: TestContext) {
  const rig = await started(context, { scenario: 'lost-readiness' });
  await rig.ask(restart.what);
  return { rig, card: await rig.untilCard(restart.words) };
}

/** Expects one new revision and one reported change. */
async function expectOneRestart(rig: Rig) {
  await rig.untilRecovered();
  expect(rig.cards()).toHaveLength(1);
  const inNamespace = (apiVersion: string, kind: string) =>
    rig.cluster.list(apiVersion, kind, 'lost-readiness');
  expect(inNamespace('apps/v1', 'ReplicaSet')).toHaveLength(2);
  expect(inNamespace('v1', 'Event').filter(({ reason }) => reason === 'RemediationApplied')).toHaveLength(1);
}

const ofDiagnoses = { verbs: ['list'], resources: ['nodes'] };

describe.concurrent('a worker that is killed', () => {
  it('before the patch reached the object is replaced by one that patches once', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    await worker(rig).kill();
    expect(isChanged(rig)).toBe(false);
    rig.cluster.faults.clear();
    await worker(rig).start();

    await expectOneChange(rig);
    expect(rig.changes()).toHaveLength(2);
  });

  it('after the patch and before its record is replaced by one that does not patch again', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    await rig.approve('dana', card);
    await eventually('the object is changed', () => isChanged(rig));
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await expectOneChange(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before a restart reached the object is replaced by one that restarts once', async (context) => {
    const { rig, card } = await needsRestart(context);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card, restart.id);
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    await worker(rig).kill();
    expect(restartedAt(rig)).toBeUndefined();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await expectOneRestart(rig);
    expect(rig.changes()).toHaveLength(2);
  });

  it('after a restart and before its record is replaced by one that does not restart again', async (context) => {
    const { rig, card } = await needsRestart(context);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    await rig.approve('dana', card, restart.id);
    await eventually('the pods are being replaced', () => restartedAt(rig) !== undefined);
    const first = restartedAt(rig);
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await expectOneRestart(rig);
    expect(restartedAt(rig)).toBe(first);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before it recorded the answer to a dry run is replaced by one that tries again', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    const tried = () => rig.cluster.requests.filter(({ query }) => query.includes('dryRun')).length;
    rig.cluster.faults.add({ match: ofTheDryRun, effect: { type: 'hang' } });
    await rig.opensReview('dana', card);
    await eventually('the dry run is on its way', () => tried() === 1);
    await worker(rig).kill();
    expect(await rig.untilModal('dana', 'Running a dry run')).toContain('maxSurge');
    rig.cluster.faults.clear();
    await worker(rig).start();
    // On a busy machine the answer may come after the time limit, and the next review shows it.
    const outcome = await rig.slack.until(
      () => {
        const view = rig.slack.as('dana').modal();
        const isOver = view?.submit !== undefined || JSON.stringify(view).includes('no result arrived');
        return isOver ? view : undefined;
      },
      { what: 'the answer in the modal' },
    );
    await rig.slack.as('dana').closes(outcome);
    await rig.approve('dana', card);

    await expectOneChange(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before a review leaves a plan without a button, and the next review has the button', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    await worker(rig).kill();
    await rig.opensReview('dana', card);
    await rig.untilModal('dana', 'Running a dry run of this change on the API server');
    const says = await rig.untilModal('dana', 'no result arrived within 30 seconds');
    expect(says).toContain('maxSurge');
    const view = rig.slack.as('dana').modal();
    expect(view?.submit).toBeUndefined();
    expect(rig.cluster.requests.filter(({ verb }) => verb === 'patch')).toEqual([]);
    if (view !== undefined) await rig.slack.as('dana').closes(view);
    await worker(rig).start();
    await rig.approve('dana', card);

    await expectOneChange(rig);
  });

  it('during the verification is replaced by one that records the verdict', async (context) => {
    const rig = await started(context, { cluster: { kubelet: { usual: { startMs: 4_000 } } } });
    const card = await deadlocked(rig);
    await rig.approve('dana', card);
    await rig.untilCard('Verifying whether it helps');
    const before = rig.cluster.requests.length;
    rig.cluster.faults.add({ match: ofDiagnoses, effect: { type: 'hang' } });
    await eventually('a diagnosis of the verification is running', () =>
      rig.cluster.requests.slice(before).some(({ resource }) => resource === 'nodes'),
    );
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await expectOneChange(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('during a diagnosis is replaced by one that finishes it', async (context) => {
    const rig = await started(context);
    rig.cluster.faults.add({ match: ofDiagnoses, effect: { type: 'hang' } });
    await rig.ask('deploy/inference -n shop');
    await eventually('the diagnosis has begun', () =>
      rig.cluster.requests.some(({ resource }) => resource === 'nodes'),
    );
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await rig.untilDeadlock();
    expect(rig.cards()).toHaveLength(1);
  });
});
