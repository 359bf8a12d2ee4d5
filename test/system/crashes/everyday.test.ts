import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployment, opened, podsOf, quick } from '#support/crashes-stage.js';
import { eventually, type Rig, startRig } from '#support/faults-rig.js';
import type { JsonObject } from '../../../demo/cluster/json.js';
import { listAt, objectAt, textAt } from '../../../demo/cluster/json.js';
import { seedDemo } from '../../../demo/cluster/seed/demo-incidents.js';

/** The demo's everyday incidents, on real parts over HTTP. */
describe('an everyday crash', () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await startRig({ mode: 'http', scenario: 'none', cluster: { kubelet: quick } });
    await seedDemo(rig.cluster);
  });

  afterAll(async () => {
    await rig?.stop();
  });

  const container = (name: string): JsonObject | undefined =>
    listAt(deployment(rig, 'shop', name), 'spec', 'template', 'spec', 'containers')[0];

  it('is shown with the changes of the failing revision, its last log lines and the serving pods', async () => {
    await rig.ask('deploy/checkout -n shop');
    const card = await rig.untilCard('has been crash-looping since revision 2');
    const says = rig.says(card);

    expect(says).toContain('2 of 2 new pods crash. 3 pods of the previous revision still serve traffic.');
    expect(says).toContain('time: missing unit in duration');
    expect(says).toContain('Ready 3/4');
    const proof = await rig.proof('dana', card);
    expect(proof).toMatch(/env `PAYMENT_TIMEOUT` of `[\w-]+` from `5s` to `5`/);
    expect(proof).toContain('from `registry.example/shop/checkout:2.3.1` to');
    expect(proof).toContain('`crash-loop-on-node`:');
  });

  it('is resolved by a roll back after an approval, and verified', async () => {
    const card = await rig.untilCard('has been crash-looping since revision 2');
    const review = await opened(
      rig,
      'dana',
      card,
      'Review for shop/checkout: Roll back to revision 1',
      'the pod template will differ from the manifest',
    );
    expect(JSON.stringify(review)).toContain('PAYMENT_TIMEOUT');
    await rig.slack.as('dana').submits(review, { reason: 'timeouts need a unit' });
    await rig.untilCard('shop/checkout recovered');

    expect(textAt(container('checkout'), 'image')).toBe('registry.example/shop/checkout:2.3.1');
    expect(listAt(container('checkout'), 'env')).toEqual([{ name: 'PAYMENT_TIMEOUT', value: '5s' }]);
    await eventually('four ready pods', () => {
      const pods = podsOf(rig, 'shop', 'checkout');
      return pods.length === 4 && pods.every(({ ready }) => ready);
    });
  });

  it('of a missing image is shown with the answer of the registry and the running image', async () => {
    await rig.ask('deploy/worker -n shop');
    const card = await rig.untilCard('does not exist in the registry');
    const says = rig.says(card);

    expect(says).toContain('image registry.example/shop/worker:1.9.1 does not exist');
    expect(says).toContain('proven');
    const proof = await rig.proof('dana', card);
    expect(proof).toContain('failed to resolve reference');
    expect(proof).toContain('The previous revision runs `registry.example/shop/worker:1.9.0`.');
    expect(proof).toContain('rollout restart: New pods would pull the same image.');
  });

  it('of a missing image is resolved by a roll back, which removes the failed pod', async () => {
    const card = await rig.untilCard('does not exist in the registry');
    const review = await opened(
      rig,
      'dana',
      card,
      'Review for shop/worker: Roll back to revision 1',
      'registry.example/shop/worker:1.9.0',
    );
    await rig.slack.as('dana').submits(review, { reason: 'the tag was never pushed' });
    await rig.untilCard('shop/worker recovered');

    expect(podsOf(rig, 'shop', 'worker').filter(({ ready }) => ready)).toHaveLength(2);
  });

  it('gets no recommended exclusion when the other nodes lack capacity, with the reason', async () => {
    for (const name of ['api-a', 'api-b']) {
      const node = rig.cluster.find('v1', 'Node', '', name);
      if (node === undefined) throw new Error(`no node ${name}`);
      const amounts = { ...objectAt(node, 'status', 'allocatable'), cpu: '4' };
      rig.cluster.load([
        { ...node, status: { ...objectAt(node, 'status'), allocatable: amounts, capacity: amounts } },
      ]);
    }
    await rig.ask('deploy/api -n ml');
    const card = await rig.untilCard('crashes only on');
    const says = rig.says(card);

    expect(await rig.proof('dana', card)).toContain(
      'Without `api-c`, the other nodes have capacity for only 7 of 9 pods.',
    );
    expect(says).not.toContain('Review for ml/api: Move off');
    expect(says).toContain('*No one-click fix.* Check `api-c` itself');
    expect(rig.changes().filter(({ name }) => name === 'api')).toEqual([]);
  });
});
