import { describe, expect, it, type TestContext } from 'vitest';
import { eventually, isChanged, type Rig, startRig } from '#support/faults-rig.js';

async function started(
  { onTestFinished }: TestContext,
  options: Parameters<typeof startRig>[0] = {},
): Promise<Rig> {
  const rig = await startRig(options);
  onTestFinished(() => rig.stop());
  return rig;
}

const worker = ({ workers: [first] }: Rig) => {
  if (first === undefined) throw new Error('no worker');
  return first;
};

async function deadlocked(rig: Rig) {
  await rig.ask('deploy/inference -n shop');
  return rig.untilCard('is deadlocked');
}

/** The change is made once, verified, and told once. */
async function endsWellOnce(rig: Rig) {
  const healed = await rig.untilCard('recovered');
  expect(rig.cards()).toHaveLength(1);
  expect(isChanged(rig)).toBe(true);
  const events = rig.cluster
    .list('v1', 'Event', 'shop')
    .filter(({ reason }) => reason === 'RemediationApplied');
  expect(events).toHaveLength(1);
  const thread = () => rig.slack.thread(healed).map(({ text }) => text);
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

/** The pods were replaced by those of one further revision, and people heard of one change. */
async function restartsOnce(rig: Rig) {
  await rig.untilCard('recovered');
  expect(rig.cards()).toHaveLength(1);
  const inNamespace = (apiVersion: string, kind: string) =>
    rig.cluster.list(apiVersion, kind, 'lost-readiness');
  expect(inNamespace('apps/v1', 'ReplicaSet')).toHaveLength(2);
  expect(inNamespace('v1', 'Event').filter(({ reason }) => reason === 'RemediationApplied')).toHaveLength(1);
}

const ofLooks = { verbs: ['list'], resources: ['nodes'] };

describe.concurrent('a worker that is killed', () => {
  it('before the patch reached the object is followed by one that patches once', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    await worker(rig).kill();
    expect(isChanged(rig)).toBe(false);
    rig.cluster.faults.clear();
    await worker(rig).start();

    await endsWellOnce(rig);
    expect(rig.changes()).toHaveLength(2);
  });

  it('after the patch and before its record is followed by one that does not patch again', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    await rig.approve('dana', card);
    await eventually('the object is changed', () => isChanged(rig));
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await endsWellOnce(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before a restart reached the object is followed by one that restarts once', async (context) => {
    const { rig, card } = await needsRestart(context);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card, restart.id);
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    await worker(rig).kill();
    expect(restartedAt(rig)).toBeUndefined();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await restartsOnce(rig);
    expect(rig.changes()).toHaveLength(2);
  });

  it('after a restart and before its record is followed by one that does not restart again', async (context) => {
    const { rig, card } = await needsRestart(context);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    await rig.approve('dana', card, restart.id);
    await eventually('the pods are being replaced', () => restartedAt(rig) !== undefined);
    const first = restartedAt(rig);
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await restartsOnce(rig);
    expect(restartedAt(rig)).toBe(first);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before the answer to a dry run is recorded is followed by one that tries again', async (context) => {
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
    // A busy machine may need longer than the person waits; then the next review shows the answer.
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

    await endsWellOnce(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('before a review leaves a plan without a button, and the next review has it', async (context) => {
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

    await endsWellOnce(rig);
  });

  it('during the verification is followed by one that gives the verdict', async (context) => {
    const rig = await started(context, { cluster: { kubelet: { usual: { startMs: 4_000 } } } });
    const card = await deadlocked(rig);
    await rig.approve('dana', card);
    await rig.untilCard('Verifying whether it helps');
    const before = rig.cluster.requests.length;
    rig.cluster.faults.add({ match: ofLooks, effect: { type: 'hang' } });
    await eventually('a look of the verification is under way', () =>
      rig.cluster.requests.slice(before).some(({ resource }) => resource === 'nodes'),
    );
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await endsWellOnce(rig);
    expect(rig.changes()).toHaveLength(1);
  });

  it('while it looks is followed by one that finishes the diagnosis', async (context) => {
    const rig = await started(context);
    rig.cluster.faults.add({ match: ofLooks, effect: { type: 'hang' } });
    await rig.ask('deploy/inference -n shop');
    await eventually('the look has begun', () =>
      rig.cluster.requests.some(({ resource }) => resource === 'nodes'),
    );
    await worker(rig).kill();
    rig.cluster.faults.clear();
    await worker(rig).start();

    await rig.untilCard('is deadlocked');
    expect(rig.cards()).toHaveLength(1);
  });
});
