import { describe, expect, it } from 'vitest';
import { proposePatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/propose.js';
import { proposeScaleDownOld } from '#src/doctor/fixes/kinds/scale-down-old.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { node, pod } from '../../../support/placement-builders.js';
import {
  examined,
  type RolloutFields,
  stuckOnGpu,
  waitingIn,
} from '../../../support/remediation-builders.js';
import { deviceClaim, deviceClass, slice } from '../scheduler/filters/build-devices.js';

const gpu = 'nvidia.com/gpu';

/**
 * `shop/web`, whose GPUs are devices of a ResourceSlice. Each old pod uses as many as the node has for one of
 * them.
 */
function stuckOnDevices(nodes: Readonly<Record<string, number>>, fields: RolloutFields): Snapshot {
  const snapshot = stuckOnGpu({ ...fields, nodes: Object.keys(nodes).map((name) => node(name)) });
  const used = new Map<string, number>();
  const { old = ['gpu-a'], oldNeeds = 1 } = fields;
  const claims = old.map((on, position) => {
    const from = used.get(on) ?? 0;
    used.set(on, from + oldNeeds);
    const devices = Array.from({ length: oldNeeds }, (_, number) => `d${from + number}`);
    return deviceClaim(`old-${position}`, { devices, on, user: `old-${position}-uid` });
  });
  return {
    ...snapshot,
    index: indexObjects({
      ...snapshot.index.objects,
      DeviceClass: [deviceClass('', { extendedResourceName: gpu })],
      ResourceSlice: Object.entries(nodes).map(([name, count]) => slice(name, count)),
      ResourceClaim: claims,
    }),
  };
}

const rival = (priority: number): Pod =>
  pod('rival', { namespace: 'ml', requests: { [gpu]: '1' }, priority, status: { phase: 'Pending' } });

function fixesOf(snapshot: Snapshot) {
  const input = { ...examined<DeploymentState>(snapshot), waiting: waitingIn(snapshot) };
  const fixes = [...proposePatchStrategy(input).remediations, ...proposeScaleDownOld(input).remediations];
  return fixes.map(({ kind, prediction }) => [kind, prediction.ends]);
}

describe('the forecast of a rollout whose pods use devices', () => {
  it('gives each device to one of the pods that it places', () => {
    const grown = { replicas: 2, old: ['gpu-a', 'gpu-a'], newNeeds: 2 };

    expect(fixesOf(stuckOnDevices({ 'gpu-a': 2 }, grown))).toEqual([]);
    expect(fixesOf(stuckOnDevices({ 'gpu-a': 4 }, { ...grown, oldNeeds: 2 }))).toEqual([
      ['patch-strategy', 'complete'],
    ]);
  });

  it.each([0, -1])('counts a pod of priority %i, which cannot be preempted for a device', (priority) => {
    expect(fixesOf(stuckOnDevices({ 'gpu-a': 1 }, { others: [rival(priority)] }))).toEqual([
      ['patch-strategy', 'contested'],
      ['scale-down-old', 'contested'],
    ]);
  });

  it('counts every claim as work for each pod that is placed, so that a large rollout is given up', () => {
    const workWith = (count: number): number => {
      const snapshot = stuckOnDevices(
        { 'gpu-a': count },
        { old: Array.from({ length: count }, () => 'gpu-a') },
      );
      const { simulator } = examined<DeploymentState>(snapshot);
      const [waiting] = waitingIn(snapshot);
      simulator.takeWork?.();
      if (waiting !== undefined) simulator.placementOf(waiting, { gone: [], placed: [], created: [] });
      return simulator.takeWork?.() ?? 0;
    };

    expect(workWith(30) - workWith(10)).toBeGreaterThanOrEqual(80);
  });

  it('completes where a device is left for the other pod', () => {
    const roomy = { oldNeeds: 2, newNeeds: 1, others: [rival(0)] };

    expect(fixesOf(stuckOnDevices({ 'gpu-a': 2 }, roomy))).toEqual([
      ['patch-strategy', 'complete'],
      ['scale-down-old', 'complete'],
    ]);
  });
});
