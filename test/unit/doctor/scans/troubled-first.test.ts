import { describe, expect, it } from 'vitest';
import { troubledFirst } from '#src/doctor/scans/scan-record.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

const named = (workload: Workload, name: string, namespace = 'shop'): Workload =>
  ({ ...workload, metadata: { ...workload.metadata, name, namespace } }) as Workload;

const fine = {
  replicas: 3,
  readyReplicas: 3,
  updatedReplicas: 3,
  availableReplicas: 3,
  observedGeneration: 7,
};
const meta = { namespace: 'shop', uid: 'u1', generation: 7 };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app' }] } };
const selector = { matchLabels: { app: 'web' } };

const deployment = (status: object = {}): Workload =>
  schemas.Deployment.parse({
    metadata: { ...meta, name: 'web' },
    spec: { replicas: 3, selector, template },
    status: { ...fine, ...status },
  });
const statefulSet = (status: object = {}): Workload =>
  schemas.StatefulSet.parse({
    metadata: { ...meta, name: 'web' },
    spec: { replicas: 3, selector, template },
    status: { ...fine, ...status },
  });
const daemonSet = (status: object = {}): Workload =>
  schemas.DaemonSet.parse({
    metadata: { ...meta, name: 'web' },
    spec: { selector, template },
    status: {
      observedGeneration: 7,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberReady: 3,
      updatedNumberScheduled: 3,
      ...status,
    },
  });

const order = (...workloads: readonly Workload[]): readonly string[] =>
  troubledFirst(workloads.map((workload) => buildSnapshot(workload))).map(
    ({ workload: { metadata } }) => `${metadata.namespace}/${metadata.name}`,
  );

/** Whether `workload` is diagnosed before a complete one with an earlier name. */
const isTroubled = (workload: Workload): boolean =>
  order(named(deployment(), 'a-complete'), named(workload, 'z'))[0] === 'shop/z';

describe('a status with missing pods', () => {
  it.each<readonly [string, Workload, boolean]>([
    ['a Deployment with all its pods shows none', deployment(), false],
    ['a Deployment with fewer pods ready', deployment({ readyReplicas: 2 }), true],
    [
      'a Deployment with more pods ready than wanted, without old ones',
      deployment({ readyReplicas: 4 }),
      false,
    ],
    ['a Deployment with fewer pods of the new revision', deployment({ updatedReplicas: 2 }), true],
    ['a Deployment with old pods left over', deployment({ replicas: 4 }), true],
    ['a Deployment with fewer pods than it reports as ready', deployment({ replicas: 2 }), false],
    [
      'a Deployment whose latest spec no controller has observed',
      deployment({ observedGeneration: 6 }),
      true,
    ],
    ['a Deployment whose controller is ahead of it', deployment({ observedGeneration: 8 }), false],
    ['a StatefulSet with all its pods shows none', statefulSet(), false],
    ['a StatefulSet with fewer pods ready', statefulSet({ readyReplicas: 0 }), true],
    ['a DaemonSet with a pod on each node shows none', daemonSet(), false],
    ['a DaemonSet with fewer pods ready', daemonSet({ numberReady: 2 }), true],
    ['a DaemonSet with fewer pods of the new revision', daemonSet({ updatedNumberScheduled: 2 }), true],
    [
      'a DaemonSet on more nodes than it should be',
      daemonSet({ numberReady: 4, updatedNumberScheduled: 4 }),
      false,
    ],
    ['a DaemonSet for no node shows none', daemonSet({ desiredNumberScheduled: 0, numberReady: 0 }), false],
    ['a DaemonSet whose latest spec no controller has observed', daemonSet({ observedGeneration: 6 }), true],
  ])('%s', (_, workload, troubled) => {
    expect(isTroubled(workload)).toBe(troubled);
  });

  it('is not outdated without a generation from the API server', () => {
    const { generation: _, ...metadata } = deployment().metadata;

    expect(isTroubled({ ...deployment(), metadata } as Workload)).toBe(false);
  });

  it('includes an empty status', () => {
    expect(isTroubled(buildDeployment({ replicas: 2, status: {} }))).toBe(true);
  });
});

describe('workloads in the same state', () => {
  it('are sorted by namespace, then by name', () => {
    expect(
      order(
        named(deployment(), 'b', 'shop'),
        named(deployment(), 'c', 'ml'),
        named(deployment(), 'a', 'shop'),
        named(deployment(), 'd', 'ml'),
      ),
    ).toEqual(['ml/c', 'ml/d', 'shop/a', 'shop/b']);
  });

  it('come after every affected workload, whatever their names', () => {
    const short = deployment({ readyReplicas: 0 });

    expect(
      order(named(deployment(), 'a'), named(short, 'y'), named(deployment(), 'b'), named(short, 'x', 'zoo')),
    ).toEqual(['shop/y', 'zoo/x', 'shop/a', 'shop/b']);
  });

  it('are returned in another list', () => {
    const snapshots = [named(deployment(), 'b'), named(deployment(), 'a')].map((each) => buildSnapshot(each));
    troubledFirst(snapshots);

    expect(snapshots.map(({ workload }) => workload.metadata.name)).toEqual(['b', 'a']);
  });
});
