import { describe, expect, it } from 'vitest';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { snapshotOf } from '../support/scenarios/snapshot-of.js';
import { nextUpdate } from './properties/certain-shapes.js';

describe('a shape that is said to deadlock on every cluster', () => {
  async function recorded(id: string): Promise<Snapshot> {
    const found = scenarios().find(({ expect: { id: each } }) => each === id);
    if (found === undefined) throw new Error(`${id} is gone`);
    return snapshotOf(found);
  }

  it('is a deadlock of a healthy DaemonSet, and ends with the advice', async () => {
    const snapshot = await recorded('before-daemon-set-surge');
    const { workload } = snapshot;
    expect(nextUpdate(snapshot, workload)?.outcome).toBe('deadlock');
    const inPlace = nextUpdate(snapshot, workload, (spec) => {
      spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    });
    expect(inPlace?.outcome).toBe('completes');
  });

  it('is a deadlock of a Deployment on the one node that it names', async () => {
    const snapshot = await recorded('before-surge-host-port');
    const pinned = nextUpdate(snapshot, snapshot.workload, (spec) => {
      spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': 'edge-a' };
    });
    expect(pinned?.outcome).toBe('deadlock');
  });
});
