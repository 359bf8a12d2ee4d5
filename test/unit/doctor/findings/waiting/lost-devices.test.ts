import { describe, expect, it } from 'vitest';
import { lostDevices, wouldFitAgain } from '#src/doctor/findings/waiting/unhealthy-devices.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Reason } from '#src/engine/scheduler/reason.js';
import { node, pod } from '../../../../support/placement-builders.js';

const card = 'example.com/fpga';

/** A node that has, offers and is short of cards, as the scheduler's engine refuses it for them. */
function refused({
  capacity,
  offered,
  used,
  asks,
  nominated = 0,
}: Record<'capacity' | 'offered' | 'used' | 'asks', number> & { readonly nominated?: number }) {
  const bare = node('n-a', { allocatable: { [card]: String(offered) } });
  const reason = {
    id: 'extended-resource',
    resource: card,
    requested: String(asks),
    free: String(offered - used - nominated),
    allocatable: String(offered),
    short: String(asks - offered + used + nominated),
    resolvable: asks <= offered,
    holders: [],
  } as unknown as Reason;
  const found = { ...bare, status: { ...bare.status, capacity: { [card]: String(capacity) } } };
  const users = Array.from({ length: used }, (_, at) =>
    pod(`user-${at}`, { on: 'n-a', requests: { [card]: '1' } }),
  );
  return { index: indexObjects(clusterObjects({ Node: [found], Pod: users })), reason };
}

describe('devices that a node does not offer any more', () => {
  it.each([
    ['unhealthy ones', { capacity: 4, offered: 2, used: 2, asks: 1 }, { had: 4, offered: 2 }],
    ['ones that the plug-in no longer reports', { capacity: 2, offered: 2, used: 3, asks: 1 }, { had: 3 }],
    ['both', { capacity: 4, offered: 1, used: 5, asks: 1 }, { had: 5, offered: 1 }],
  ])('are %s', (_, shape, found) => {
    const world = refused(shape);
    expect(lostDevices(world.index, 'n-a', world.reason)).toMatchObject({
      node: 'n-a',
      resource: card,
      ...found,
    });
  });

  it.each([
    ['the node offers what it has', { capacity: 4, offered: 4, used: 4, asks: 1 }],
    ['the rest is kept for a nominated pod', { capacity: 1, offered: 1, used: 1, asks: 1, nominated: 1 }],
    ['the node offers none, which has words of its own', { capacity: 4, offered: 0, used: 0, asks: 1 }],
  ])('are none where %s', (_, shape) => {
    const world = refused(shape);
    expect(lostDevices(world.index, 'n-a', world.reason)).toBeUndefined();
  });

  it('are none of another resource', () => {
    const { index } = refused({ capacity: 4, offered: 2, used: 2, asks: 1 });
    const reason = { ...refused({ capacity: 4, offered: 2, used: 2, asks: 1 }).reason, id: 'cpu' } as Reason;
    expect(lostDevices(index, 'n-a', reason)).toBeUndefined();
  });

  it.each([
    [{ capacity: 4, offered: 2, used: 3, asks: 1 }, true],
    [{ capacity: 4, offered: 2, used: 3, asks: 2 }, false],
    [{ capacity: 2, offered: 2, used: 3, asks: 1 }, false],
  ])('make room for the request once the node offers them again: %j', (shape, fits) => {
    const world = refused(shape);
    const lost = lostDevices(world.index, 'n-a', world.reason);
    expect(lost).toBeDefined();
    expect(lost && wouldFitAgain(lost, world.reason)).toBe(fits);
  });
});
