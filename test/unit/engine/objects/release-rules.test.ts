import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion, releaseRules } from '#src/engine/objects/release-rules.js';
import { podRequests } from '#src/engine/scheduler/pod-requests.js';
import { podQuotaUsage } from '#src/engine/workloads/quota-admission.js';
import { node, type PodShape, placementOf, pod } from '../../../support/placement-builders.js';

describe('what releases of Kubernetes do differently', () => {
  it.each([
    ['v1.34.9', 'largest-of-each-container', 'deallocation', 'off'],
    ['v1.35.3', 'largest-of-each-container', 'deallocation', 'on'],
    ['v1.36.3', 'largest-of-each-container', 'deallocation', 'off'],
    ['v1.37.0', 'largest-sum', 'preempted-node', 'on'],
    ['v1.37.2-eks-1', 'largest-sum', 'preempted-node', 'on'],
    ['v2.0.0', 'largest-sum', 'preempted-node', 'on'],
  ])('%s', (version, resizedPods, refusalStates, maxUnavailableGate) => {
    expect(releaseRules(parseServerVersion(version))).toMatchObject({
      resizedPods,
      refusalStates,
      maxUnavailableGate,
    });
  });

  it('counts a resize by the former rule and states no words of a release where the version was not read', () => {
    expect(releaseRules(undefined)).toMatchObject({
      resizedPods: 'largest-of-each-container',
      refusalStates: undefined,
    });
  });
});

const cpu = (amount: string) => ({ requests: { cpu: amount } });
const status = (name: string, allocated: string | undefined, actuated: string | undefined) => ({
  name,
  ...(allocated === undefined ? {} : { allocatedResources: { cpu: allocated } }),
  ...(actuated === undefined ? {} : { resources: cpu(actuated) }),
});
const asked = (name: string, amount: string, more: object = {}) => ({
  name,
  resources: cpu(amount),
  ...more,
});

describe('a pod that is resized', () => {
  /** One CPU moves from b to a; the kubelet has done half of it. */
  const moving = {
    on: 'n1',
    spec: { containers: [asked('a', '2'), asked('b', '1')] },
    status: { containerStatuses: [status('a', '2', '1'), status('b', '1', '2')] },
  };
  const infeasible = { conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] };
  const rows: readonly (readonly [string, PodShape, number, number])[] = [
    ['an amount that moves between containers counts once', moving, 4, 3],
    [
      'an allocation of which nothing runs yet counts',
      {
        on: 'n1',
        spec: { containers: [asked('a', '1')] },
        status: { containerStatuses: [status('a', '3', undefined)] },
      },
      1,
      3,
    ],
    [
      'an init container that ends counts with its status, too',
      {
        on: 'n1',
        spec: { containers: [asked('a', '1')], initContainers: [asked('i', '1')] },
        status: { initContainerStatuses: [status('i', '4', '4')] },
      },
      1,
      4,
    ],
    [
      'the sums that the kubelet states for the pod replace those of its containers',
      {
        on: 'n1',
        spec: moving.spec,
        status: { ...moving.status, allocatedResources: { cpu: '5' }, resources: cpu('4') },
      },
      4,
      5,
    ],
    [
      'what a node can never give does not count',
      {
        on: 'n1',
        spec: { containers: [asked('a', '9'), asked('b', '9')] },
        status: { ...moving.status, ...infeasible },
      },
      4,
      3,
    ],
    [
      'a pod-level resize counts by the whole pod in both',
      {
        on: 'n1',
        spec: { containers: [asked('a', '1')], resources: cpu('2') },
        status: { allocatedResources: { cpu: '3' }, resources: cpu('4') },
      },
      4,
      4,
    ],
    [
      'a pod that runs with what it requests counts with that',
      {
        on: 'n1',
        spec: { containers: [asked('a', '2'), asked('b', '1')] },
        status: { containerStatuses: [status('a', '2', '2'), status('b', '1', '1')] },
      },
      3,
      3,
    ],
  ];

  const indexed = (shape: PodShape, version: string) =>
    indexObjects(clusterObjects({ Pod: [pod('p', shape)] }), undefined, parseServerVersion(version)).objects
      .Pod[0];

  it.each(rows)('%s', (_, shape, before, since) => {
    const counted = (['v1.36.3', 'v1.37.2'] as const).map((version) => {
      const found = indexed(shape, version);
      return found === undefined ? undefined : Number(podRequests(found, true).get('cpu')) / 1000;
    });
    expect(counted).toEqual([before, since]);
  });

  it.each([
    ['1.36.3', 'refused'],
    ['1.37.2', 'fits'],
  ])('leaves room for another pod by the rule of %s', (version, outcome) => {
    const placement = placementOf(
      { Node: [node('n1', { allocatable: { cpu: '4' } })], Pod: [pod('p', moving)] },
      version,
    );
    expect(placement.evaluate(pod('new', { requests: { cpu: '1' } })).outcome).toBe(outcome);
  });

  it('is charged in a ResourceQuota by the same rule', () => {
    const charged = (['v1.36.3', 'v1.37.2'] as const).map((version) => {
      const found = indexed(moving, version);
      return found && podQuotaUsage(found, 0).get('requests.cpu')?.nano;
    });
    expect(charged).toEqual([4_000_000_000n, 3_000_000_000n]);
  });
});

describe('the message of a refusal', () => {
  const small = { Node: [node('n1', { allocatable: { cpu: '1' } })] };
  const reasons = '0/1 nodes are available: 1 Insufficient cpu.';
  const unhelpful = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';

  it.each([
    ['1.36.3', `${reasons} no new claims to deallocate, ${unhelpful}`],
    ['1.37.2', `${reasons} ${unhelpful}`],
    ['an unread version', reasons],
  ])('is that of %s', (version, message) => {
    expect(
      placementOf(small, version)
        .evaluate(pod('p', { requests: { cpu: '2' } }))
        .message(),
    ).toBe(message);
  });

  it.each([
    ['1.36.3', [reasons]],
    [
      '1.37.2',
      [`${reasons} preemption: found a potential placement for pod on node n1, preempting 1 victims`],
    ],
  ])('names the node that preemption frees as %s does', (version, messages) => {
    const low = pod('low', { on: 'n1', requests: { cpu: '1' }, priority: 0 });
    const placement = placementOf({ ...small, Pod: [low] }, version);
    expect(placement.evaluate(pod('p', { requests: { cpu: '1' }, priority: 9 })).messages()).toEqual(
      messages,
    );
  });
});
