import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FaultEffect } from '../../../demo/cluster/api/faults.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { idle, noise } from '../../support/idle-objects.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { isDeadlocked } from '../../support/shown-words.js';

let rig: Rig;

const reads = { verbs: ['get'], resources: ['deployments'] };

/** Each effect applies to the workload of the same name, and stays. */
const unreadable: readonly { readonly name: string; readonly effect: FaultEffect; readonly says: string }[] =
  [
    {
      name: 'unauthorized',
      effect: { type: 'status', code: 401, message: 'Unauthorized' },
      says: 'the cluster rejected the credentials',
    },
    {
      name: 'forbidden',
      effect: { type: 'status', code: 403, message: 'deployments.apps is forbidden' },
      says: 'the service account may not read it',
    },
    { name: 'throttled', effect: { type: 'status', code: 429 }, says: 'the cluster throttled the requests' },
    { name: 'failing', effect: { type: 'status', code: 500 }, says: 'the cluster does not answer' },
    { name: 'unavailable', effect: { type: 'status', code: 503 }, says: 'the cluster does not answer' },
    { name: 'hanging', effect: { type: 'hang' }, says: 'the cluster did not answer in time' },
    { name: 'cut', effect: { type: 'reset' }, says: 'the cluster does not answer' },
    { name: 'garbled', effect: { type: 'garbage' }, says: 'the response could not be parsed' },
  ];

beforeAll(async () => {
  // One read hangs. The others must end before, also on a busy machine.
  rig = await startRig({ startPart: inThisProcess, env: { READ_TIMEOUT_SECONDS: '8' } });
  rig.cluster.create([...unreadable.map(({ name }) => idle(name)), idle('last')]);
});

afterEach(() => rig.cluster.faults.clear());

afterAll(() => rig.stop());

describe('a diagnosis that the cluster does not allow', () => {
  it.each([
    ['unknown namespace', 'web -n nowhere', 'Namespace `nowhere` does not exist'],
    ['unknown workload', 'inferense -n shop', 'No workload is named'],
    ['unknown cluster', 'mars/shop/inference', 'Unknown cluster `mars`'],
  ])('is answered at once for an %s', async (_, asked, says) => {
    await rig.ask(asked, 'sam');
    expect(await rig.untilTold('sam', says)).not.toContain('undefined');
  });

  it.each([
    [401, 'the API server rejected the credentials'],
    [403, 'the service account lacks permission'],
    [500, 'the API server does not answer'],
  ])('is answered at once when names cannot be listed (%d)', async (code, says) => {
    rig.cluster.faults.add({ match: { verbs: ['list'] }, effect: { type: 'status', code } });
    await rig.ask('deploy/inference -n shop', 'robin');

    expect(await rig.untilTold('robin', says)).toContain('shop/inference');
    expect(rig.cards()).toEqual([]);
  });

  it('is answered at once while the cluster refuses connections', async () => {
    await rig.cluster.refuse();
    await rig.ask('deploy/inference -n shop', 'min-jun');
    await rig.untilTold('min-jun', 'API 서버가 응답하지 않');
    await rig.cluster.accept();
  });

  it('shows the answer of the API server on the card', async () => {
    for (const { name, effect } of unreadable) rig.cluster.faults.add({ match: { ...reads, name }, effect });
    await Promise.all(unreadable.map(({ name }) => rig.ask(`deploy/${name} -n shop`)));
    for (const { name, says } of unreadable) {
      const card = await rig.untilCard(`shop/${name} could not be diagnosed`);
      expect.soft(rig.says(card), name).toContain(says);
    }
    expect(rig.cards()).toHaveLength(unreadable.length);
    expect(
      await rig.counted('rollout_doctor_diagnosis_read_duration_seconds_count', { outcome: 'forbidden' }),
    ).toBeGreaterThan(0);
  });
});

describe('a diagnosis that reads only a part', () => {
  it.each([
    ['nodes may not be read', { verbs: ['list'], resources: ['nodes'] }, 403, 'Node'],
    ['events cannot be listed', { verbs: ['list'], resources: ['events'] }, 500, 'Event'],
  ])('names the unread objects when %s', async (_, match, code, unseen) => {
    rig.cluster.faults.add({ match, effect: { type: 'status', code } });
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilCard(`Not read: \`${unseen}\``);

    if (unseen === 'Node') expect(rig.says(card)).toMatch(/· (likely|possible)/);
    rig.cluster.faults.clear();
    await rig.ask('deploy/inference -n shop');
    const whole = await eventuallyWithout(`Not read: \`${unseen}\``);
    expect(rig.says(whole)).toContain('· proven');
  });

  it('lists no nodes when its worker watches them', async () => {
    const watching = await startRig({ startPart: inThisProcess, env: { NODE_WATCH: 'on' } });
    onTestFinished(() => watching.stop());
    const asked = (verb: string): number =>
      watching.cluster.requests.filter((each) => each.resource === 'nodes' && each.verb === verb).length;
    await eventually('the worker watches the nodes', () => asked('watch') > 0);
    const before = asked('list');

    await watching.ask('deploy/inference -n shop');
    const card = await watching.untilDeadlock();
    expect(watching.says(card)).toContain('· proven');
    expect(asked('list')).toBe(before);
  });

  it('starts a long list again when it expires half-way (410), and is complete', async () => {
    rig.cluster.load(Array.from({ length: 600 }, (__, n) => noise(`noise-${n}`)));
    rig.cluster.faults.add({
      match: { verbs: ['list'], resources: ['events'], continued: true },
      effect: { type: 'status', code: 410 },
      times: 2,
    });
    const pages = () =>
      rig.cluster.requests.filter(
        ({ resource, query }) => resource === 'events' && query.includes('continue'),
      );
    const before = pages().length;
    await rig.ask('deploy/last -n shop');

    const card = await rig.untilCard('shop/last is scaled to 0');
    expect(rig.says(card)).not.toContain('Not read:');
    expect(pages().length - before).toBe(3);
  });
});

async function eventuallyWithout(words: string) {
  const found = () =>
    rig.cards().find((card) => {
      const says = rig.says(card);
      return says.includes(isDeadlocked) && !says.includes(words) && says.includes('Review');
    });
  return rig.slack.until(found, { what: `the card without "${words}"` });
}
