import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../../demo/cluster/api/faults.js';
import { listAt, textAt } from '../../../demo/cluster/json.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { effectsOf } from '../../support/killed-at-random.js';

let rig: Rig;

const changes = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

beforeAll(async () => {
  rig = await startRig({ startPart: inThisProcess });
  await rig.ask('deploy/inference -n shop');
});

afterEach(() => rig.cluster.faults.clear());

afterAll(() => rig.stop());

describe('a change that the cluster does not allow', () => {
  it.each([
    [
      '403',
      { type: 'status', code: 403, message: 'deployments.apps is forbidden' },
      'the service account lacks permission',
    ],
    ['a webhook', { type: 'deny', webhook: 'policy.example', message: 'not on Fridays' }, 'not on Fridays'],
    [
      'a strategy that validation rejects',
      { type: 'status', code: 422, reason: 'Invalid' },
      'the object would not be valid',
    ],
    ['409 every time', { type: 'status', code: 409 }, 'the object changed in the meantime'],
  ] as const)('is reported on the card after %s, and nothing is changed', async (_, effect, says) => {
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    rig.cluster.faults.add({ match: changes, effect });
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });

    await rig.untilCard(says);
    expect(rig.strategy()).not.toContain('"maxSurge":0');
    rig.cluster.faults.clear();
    await rig.diagnoseAgain(card);
  });

  it('is not sent when its last dry run is refused, and the card states the reason', async () => {
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    const before = rig.changes().length;
    rig.cluster.faults.add({
      match: { verbs: ['patch'], dryRun: true },
      effect: { type: 'deny', webhook: 'policy.example', message: 'not after six' },
    });
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });

    await rig.untilCard('not after six');
    expect(rig.changes()).toHaveLength(before);
  });

  it('has no button in the next review when its dry run is refused', async () => {
    const card = await rig.untilDeadlock();
    rig.cluster.faults.add({
      match: { verbs: ['patch'], dryRun: true },
      effect: { type: 'deny', webhook: 'policy.example', message: 'needs a ticket' },
    });
    await rig.opensReview('dana', card);

    const says = await rig.untilModal('dana', 'needs a ticket');
    expect(says).toContain('an admission webhook or policy rejected it');
    const refused = rig.slack.as('dana').modal();
    expect(refused?.submit).toBeUndefined();
    if (refused !== undefined) await rig.slack.as('dana').closes(refused);
    rig.cluster.faults.clear();
    const again = await rig.review('dana', card);
    await rig.slack.as('dana').closes(again);
  });
});

/** Writes as kubectl or a controller does. */
async function write(body: object, subresource = ''): Promise<void> {
  const path = `/apis/apps/v1/namespaces/shop/deployments/inference${subresource}`;
  const answer = await fetch(`${rig.cluster.url}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json', authorization: 'Bearer admin' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** Writes, and waits until the controllers and the scheduler have finished. */
async function writeAndSettle(body: object): Promise<void> {
  await write(body);
  await eventually('the controllers have caught up', () => {
    const deployment = rig.cluster.find('apps/v1', 'Deployment', 'shop', 'inference');
    const pods = rig.cluster
      .list('v1', 'Pod', 'shop')
      .filter((pod) => textAt(pod, 'metadata', 'deletionTimestamp') === undefined);
    const status = deployment?.status as { observedGeneration?: number; replicas?: number } | undefined;
    return (
      status?.observedGeneration === deployment?.metadata.generation &&
      status?.replicas === pods.length &&
      pods.every(
        (pod) =>
          textAt(pod, 'spec', 'nodeName') !== undefined ||
          listAt(pod, 'status', 'conditions').some(({ reason }) => reason === 'Unschedulable'),
      )
    );
  });
}

const ours = () =>
  rig.cluster.requests.filter(
    ({ verb, body, query }) =>
      verb === 'patch' && body.includes('rollout-doctor') && !query.includes('dryRun'),
  );
const rolled = (how: string | null) => ({
  spec: { template: { metadata: { annotations: { rolled: how } } } },
});

describe('a workload that changes after its card', () => {
  it.each([
    ['is paused', { spec: { paused: true } }, 'is paused', { spec: { paused: null } }],
    ['is rolled again', rolled('again'), 'The rollout to revision 3', rolled(null)],
  ])('and %s after the review is not changed', async (_, change, then, back) => {
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    const before = ours().length;
    await write(change);
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });

    await rig.untilModal('dana', 'changed since this card was created');
    expect(ours()).toHaveLength(before);
    await rig.untilCard(then);
    await writeAndSettle(back);
    await rig.diagnoseAgain(card);
  });

  it('while the change is being sent is not changed, and is diagnosed again', async () => {
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    rig.cluster.faults.add({ match: changes, effect: { type: 'delay', ms: 500 }, times: 1 });
    const before = ours().length;
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    await eventually('the change is on its way', () => ours().length > before);
    await write(rolled('meanwhile'));

    await rig.untilCard('the object changed in the meantime');
    expect(rig.strategy()).not.toContain('"maxSurge":0');
    await writeAndSettle(rolled(null));
    await rig.diagnoseAgain(card);
  });

  it('only in its status is changed as approved', async () => {
    const card = await rig.untilDeadlock();
    const view = await rig.review('dana', card);
    rig.cluster.faults.add({ match: changes, effect: { type: 'delay', ms: 500 }, times: 1 });
    const before = ours().length;
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    await eventually('the change is on its way', () => ours().length > before);
    await write({ status: { conditions: [] } }, '/status');

    await rig.untilRecovered();
    expect(ours()).toHaveLength(before + 2);
  });

  it('by its deletion is reported as deleted', async () => {
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilRecovered();
    await fetch(`${rig.cluster.url}/apis/apps/v1/namespaces/shop/deployments/inference`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer admin' },
    });
    await rig.slack.as('dana').clicks(rig.slack.message(card) ?? card, 'Undo');

    await rig.untilModal('dana', 'no longer exists in cluster `local`');
  });
});

/** Last, since the words of the tests above are about every card of the channel. */
describe('a change that is made although the answer denies it', () => {
  it.each<readonly [string, string, FaultEffect]>([
    ...[403, 404, 409, 422, 429, 500, 504].map(
      (code) => [`${code}`, `answered-${code}`, { type: 'status', code, isDone: true }] as const,
    ),
    ['the end of the connection', 'answered-by-reset', { type: 'lose-answer' }],
  ])('is made once and verified after %s', async (_, namespace, effect) => {
    const at = await rig.also(namespace);
    await at.ask(`deploy/inference -n ${namespace}`);
    const card = await at.untilDeadlock();
    const view = await at.review('dana', card);
    rig.cluster.faults.add({ match: { ...changes, namespace }, effect, times: 1 });
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });

    await at.untilRecovered();
    expect(isChanged(at)).toBe(true);
    expect(at.changes()).toHaveLength(1);
    expect(effectsOf(at).events).toBe(1);
    expect(at.cards()).toHaveLength(1);
  });
});
