import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';

let rig: Rig;
/** Cards at different stages when the only worker is killed, each in a namespace of its own. */
let unsent: Rig;
let unrecorded: Rig;
let unsentRestart: Rig;
let unrecordedRestart: Rig;
let tried: Rig;
let unreviewed: Rig;
let verified: Rig;
let diagnosed: Rig;
let firstRestart: string | undefined;
/** Patches of `unsent` and `unsentRestart` before the kill; a busy machine may let one time out and try again. */
let sent: readonly number[];

const fromCommand = ({ namespace }: Rig) => rig.ask(`deploy/inference -n ${namespace}`);
const ofTheChange = ({ namespace }: Rig) => ({ verbs: ['patch'], namespace, dryRun: false });
const lists = { verbs: ['list'], resources: ['nodes'] };
const requests = (resource: string) =>
  rig.cluster.requests.filter((sent) => sent.resource === resource).length;
const restart = { what: 'deploy/api', words: 'not ready', id: 'restart-rollout' } as const;

function restartedAt({ cluster, namespace }: Rig): string | undefined {
  const spec = cluster.find('apps/v1', 'Deployment', namespace, 'api')?.spec as
    | {
        readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
      }
    | undefined;
  return spec?.template.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'];
}

const appliedIn = ({ cluster, namespace }: Rig) =>
  cluster.list('v1', 'Event', namespace).filter(({ reason }) => reason === 'RemediationApplied');

/** Expects one change, verified and reported once. */
async function expectOneChange(at: Rig) {
  const recovered = await at.untilRecovered();
  expect(at.cards()).toHaveLength(1);
  expect(isChanged(at)).toBe(true);
  expect(appliedIn(at)).toHaveLength(1);
  const thread = () => rig.slack.thread(recovered).map(({ text }) => text);
  await rig.slack.until(() => thread().some((text) => text.includes('recovered')), { what: 'the verdict' });
  expect(new Set(thread()).size).toBe(thread().length);
}

/** Expects one new revision and one reported change. */
async function expectOneRestart(at: Rig) {
  await at.untilRecovered();
  expect(at.cards()).toHaveLength(1);
  expect(rig.cluster.list('apps/v1', 'ReplicaSet', at.namespace)).toHaveLength(2);
  expect(appliedIn(at)).toHaveLength(1);
}

beforeAll(async () => {
  // What hangs goes on to hang until the worker is killed.
  rig = await startRig({
    cluster: { kubelet: { usual: { startMs: 4_000 } } },
    env: { READ_TIMEOUT_SECONDS: '60' },
  });
  const [worker] = rig.workers;
  const { faults } = rig.cluster;
  unsent = await rig.also('unsent');
  unrecorded = await rig.also('unrecorded');
  unsentRestart = await rig.also('unsent-restart', 'lost-readiness');
  unrecordedRestart = await rig.also('unrecorded-restart', 'lost-readiness');
  tried = await rig.also('tried');
  unreviewed = await rig.also('unreviewed');
  verified = await rig.also('verified');
  diagnosed = await rig.also('diagnosed');
  for (const at of [unsent, unrecorded, tried, unreviewed, verified]) await fromCommand(at);
  for (const at of [unsentRestart, unrecordedRestart]) await rig.ask(`${restart.what} -n ${at.namespace}`);

  for (const at of [unsent, unsentRestart]) faults.add({ match: ofTheChange(at), effect: { type: 'hang' } });
  for (const at of [unrecorded, unrecordedRestart])
    faults.add({ match: ofTheChange(at), effect: { type: 'withhold-answer' } });
  for (const at of [unsent, unrecorded]) await at.approve('dana', await at.untilDeadlock());
  for (const at of [unsentRestart, unrecordedRestart])
    await at.approve('dana', await at.untilCard(restart.words), restart.id);
  for (const at of [unsent, unsentRestart])
    await eventually(`the patch in ${at.namespace} is on its way`, () => at.changes().length === 1);
  await eventually('an object is changed', () => isChanged(unrecorded));
  await eventually('the pods are being replaced', () => restartedAt(unrecordedRestart) !== undefined);
  firstRestart = restartedAt(unrecordedRestart);

  faults.add({ match: { verbs: ['patch'], namespace: tried.namespace }, effect: { type: 'hang' } });
  await tried.opensReview('min-jun', await tried.untilDeadlock());
  const dryRuns = () =>
    rig.cluster.requests.filter(
      (sent) => sent.namespace === tried.namespace && sent.query.includes('dryRun'),
    );
  await eventually('the dry run is on its way', () => dryRuns().length === 1);

  await verified.approve('dana', await verified.untilDeadlock());
  await verified.untilCard('Verifying whether it helps');
  const before = requests('nodes');
  const listAgain = faults.add({ match: lists, effect: { type: 'hang' } });
  await eventually('a diagnosis of the verification is running', () => requests('nodes') > before);
  await fromCommand(diagnosed);
  await eventually('the diagnosis has begun', () =>
    rig.cluster.requests.some(({ namespace }) => namespace === diagnosed.namespace),
  );

  await worker?.kill();
  sent = [unsent, unsentRestart].map((at) => at.changes().length);
  listAgain();
  expect(isChanged(unsent)).toBe(false);
  expect(restartedAt(unsentRestart)).toBeUndefined();
  await rig.untilModal('min-jun', 'maxSurge');
  await closeModal('min-jun');

  await unreviewed.opensReview('dana', await unreviewed.untilDeadlock());
  await rig.untilModal('dana', 'Running a dry run of this change on the API server');
  expect(await rig.untilModal('dana', 'no result arrived within 30 seconds')).toContain('maxSurge');
  await closeModal('dana');
  faults.clear();
  await worker?.start();
}, 600_000);

afterAll(() => rig?.stop());

/** Closes a plan, which has no button. */
async function closeModal(person: string): Promise<void> {
  const view = rig.slack.as(person).modal();
  if (view === undefined) throw new Error('no plan');
  expect(view.submit).toBeUndefined();
  await rig.slack.as(person).closes(view);
}

describe('a worker that is killed while eight cards are at different stages', () => {
  it('before a patch reached the object is replaced by one that patches once', async () => {
    await expectOneChange(unsent);
    expect(unsent.changes()).toHaveLength((sent[0] ?? 0) + 1);
  });

  it('after a patch and before its record is replaced by one that does not patch again', async () => {
    await expectOneChange(unrecorded);
    expect(unrecorded.changes()).toHaveLength(1);
  });

  it('before a restart reached the object is replaced by one that restarts once', async () => {
    await expectOneRestart(unsentRestart);
    expect(unsentRestart.changes()).toHaveLength((sent[1] ?? 0) + 1);
  });

  it('after a restart and before its record is replaced by one that does not restart again', async () => {
    await expectOneRestart(unrecordedRestart);
    expect(restartedAt(unrecordedRestart)).toBe(firstRestart);
    expect(unrecordedRestart.changes()).toHaveLength(1);
  });

  it.each([
    ['before it recorded the answer to a dry run is replaced by one that tries again', () => tried],
    ['before a review leaves a plan without a button, and the next review has the button', () => unreviewed],
  ])('%s', async (_, at) => {
    expect(at().changes()).toEqual([]);
    await at().approve('dana', await at().untilDeadlock());
    await expectOneChange(at());
    expect(at().changes()).toHaveLength(1);
  });

  it('during the verification is replaced by one that records the verdict', async () => {
    await expectOneChange(verified);
    expect(verified.changes()).toHaveLength(1);
  });

  it('during a diagnosis is replaced by one that finishes it', async () => {
    await diagnosed.untilDeadlock();
    expect(diagnosed.cards()).toHaveLength(1);
  });
});
