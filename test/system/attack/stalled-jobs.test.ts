import { describe, expect, it, type TestContext } from 'vitest';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';

async function started({ onTestFinished }: TestContext): Promise<Rig> {
  const rig = await startRig({ env: { READ_TIMEOUT_SECONDS: '2' } });
  onTestFinished(() => rig.stop());
  return rig;
}

const workerOf = ({ workers: [first] }: Rig) => {
  if (first === undefined) throw new Error('no worker');
  return first;
};

async function deadlocked(rig: Rig) {
  await rig.ask('deploy/inference -n shop');
  return rig.untilDeadlock();
}

/** Kills the worker each time its job reaches the cluster again; starts it after each but the last. */
async function killTimes(rig: Rig, times: number, requests: () => number): Promise<void> {
  for (let killed = 1; killed <= times; killed += 1) {
    const before = killed === 1 ? 0 : requests();
    if (killed > 1) await workerOf(rig).start();
    await eventually(`attempt ${killed} is under way`, () => requests() > before);
    await workerOf(rig).kill();
  }
}

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };
const nodeLists = (rig: Rig) =>
  rig.cluster.requests.filter(({ verb, resource }) => verb === 'list' && resource === 'nodes').length;

describe.concurrent('a job whose worker is killed repeatedly', () => {
  it('fails on the card after the second time, if it is a diagnosis', async (context) => {
    const rig = await started(context);
    rig.cluster.faults.add({ match: { verbs: ['list'], resources: ['nodes'] }, effect: { type: 'hang' } });
    await rig.ask('deploy/inference -n shop');
    await killTimes(rig, 2, () => nodeLists(rig));
    const lists = nodeLists(rig);
    await workerOf(rig).start();

    await rig.untilCard('its worker ended unexpectedly more than once');
    expect(nodeLists(rig)).toBe(lists);
    expect(rig.cards()).toHaveLength(1);

    rig.cluster.faults.clear();
    await rig.ask('deploy/inference -n shop');
    await rig.untilDeadlock();
  });

  it('finds the mark of the change that was made, and does not patch again', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    rig.cluster.faults.add({
      match: { verbs: ['get'], resources: ['deployments'] },
      effect: { type: 'delay', ms: 1_000 },
    });
    const reads = () =>
      rig.cluster.requests.filter(({ verb, resource }) => verb === 'get' && resource === 'deployments')
        .length;
    await rig.approve('dana', card);
    await eventually('the object is changed', () => isChanged(rig));
    await workerOf(rig).kill();
    const before = reads();
    await workerOf(rig).start();
    await eventually('the worker searches for the mark', () => reads() > before);
    await workerOf(rig).kill();
    rig.cluster.faults.clear();
    await workerOf(rig).start();

    await rig.untilRecovered();
    expect(rig.changes()).toHaveLength(1);
  });

  it('makes the approved change once, if no killed worker made it', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await killTimes(rig, 3, () => rig.changes().length);
    expect(isChanged(rig)).toBe(false);
    rig.cluster.faults.clear();
    await workerOf(rig).start();

    await rig.untilRecovered();
    const events = rig.cluster
      .list('v1', 'Event', 'shop')
      .filter(({ reason }) => reason === 'RemediationApplied');
    expect(events).toHaveLength(1);
  });

  it('reports that the change is unknown, if the cluster does not answer the last attempt', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await killTimes(rig, 2, () => rig.changes().length);
    await workerOf(rig).start();

    await rig.untilCard('It is unknown whether');
    expect(rig.changes()).toHaveLength(3);
    expect(isChanged(rig)).toBe(false);
  });
});
