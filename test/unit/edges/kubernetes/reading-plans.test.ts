import { describe, expect, it } from 'vitest';
import { occasionsOf, plansFor, readingPlans } from '#src/edges/kubernetes/reading-plans.js';
import { Pod } from '#src/engine/objects/pod.js';
import { Deployment, ReplicaSet, StatefulSet } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const selector = { matchLabels: { app: 'web' } };

function deployment(status: object, spec: object = {}) {
  return Deployment.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 2 },
    spec: { replicas: 2, selector, template, ...spec },
    status: { observedGeneration: 2, ...status },
  });
}

function replicaSet(wanted: number, made: number) {
  const owner = { kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true };
  return ReplicaSet.parse({
    metadata: { name: 'web-1', namespace: 'shop', uid: 'set', ownerReferences: [owner] },
    spec: { replicas: wanted, selector, template },
    status: { replicas: made },
  });
}

function pod(name: string, nodeName: string | undefined, status: object = {}) {
  return Pod.parse({
    metadata: { name, namespace: 'shop', uid: name },
    spec: { ...template.spec, ...(nodeName === undefined ? {} : { nodeName }) },
    status: { phase: 'Running', ...status },
  });
}

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const container = (rest: object) => ({
  name: 'a',
  image: 'a',
  imageID: '',
  ready: false,
  restartCount: 0,
  ...rest,
});
const starting = { containerStatuses: [container({ state: { running: {} } })] };
const crashed = {
  containerStatuses: [container({ restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } })],
};
const well = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
const underWay = { replicas: 3, updatedReplicas: 1, readyReplicas: 2 };
const both = [pod('one', 'n-1', ready), pod('two', 'n-2', ready)];
const { needs } = createEngine();
const always = ['Event', 'ResourceQuota', 'LimitRange', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'];

describe('the plans of what a diagnosis reads', () => {
  it.each([
    ['nothing is wrong', deployment(well), both, ['rests'], []],
    ['a pod crashes', deployment(underWay), [...both, pod('three', 'n-3', crashed)], [], []],
    [
      'a pod starts and is not ready',
      deployment(underWay),
      [...both, pod('three', 'n-3', starting)],
      ['starts'],
      ['Deployment', 'Lease'],
    ],
    [
      'a pod waits for a node',
      deployment(underWay),
      [...both, pod('three', undefined, { phase: 'Pending' })],
      ['waits'],
      ['Deployment', 'ResourceClaim', 'ResourceClaimTemplate'],
    ],
    ['a pod is missing', deployment(underWay), both.slice(1), ['lacks-pods'], ['Deployment']],
    [
      'the template names device claims',
      deployment(well, {
        template: {
          ...template,
          spec: { ...template.spec, resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] },
        },
      }),
      both,
      ['rests', 'claims-devices'],
      ['ResourceClaim', 'ResourceClaimTemplate'],
    ],
  ])('where %s, read what that question needs', (_, workload, own, occasions, further) => {
    const shown = occasionsOf(workload, own, [replicaSet(2, 2)]);
    expect([...shown]).toEqual(occasions);
    expect(
      plansFor('namespace', shown, needs)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual([...always, ...further].sort());
  });

  it('take a ReplicaSet with fewer pods than it wants for one whose pods were refused', () => {
    expect([...occasionsOf(deployment(underWay), both, [replicaSet(2, 2), replicaSet(1, 0)])]).toEqual([
      'lacks-pods',
    ]);
  });

  it('leave no question of a StatefulSet about pods that were not created', () => {
    const set = StatefulSet.parse({
      metadata: { name: 'db', namespace: 'shop', uid: 'db' },
      spec: { replicas: 2, selector, template, serviceName: 'db' },
    });
    expect(occasionsOf(set, both, []).has('lacks-pods')).toBe(true);
  });

  it('have a row for each kind that rules read in every diagnosis', () => {
    const devices = ['ResourceSlice', 'DeviceClass', 'DeviceTaintRule', 'PodLog'];
    const planned = readingPlans.map(({ kind }) => kind as string);
    expect([...needs].filter((need) => !planned.includes(need) && !devices.includes(need))).toEqual([]);
    expect(new Set(planned).size).toBe(planned.length);
  });
});
