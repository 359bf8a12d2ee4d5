import { describe, expect, it } from 'vitest';
import { daemonSetBudgetUsed } from '#src/doctor/causes/daemon-set-budget-used.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { DaemonSet } from '#src/engine/objects/workload.js';
import { objectsOf } from '../../../support/scenarios/objects-of.js';
import { foundBy, snapshotOf, told } from './run-rule.js';

/** Recorded beside the real controller: n-d is down, its old pod is deleted, and n-a to n-c keep theirs. */
const recorded = objectsOf('daemon-set-budget-on-a-dead-node');
const downSince = Date.parse('2026-11-28T21:24:11Z');

type Change = (objects: ClusterObjects) => Partial<ClusterObjects>;

function findAfter(change: Change, secondsLater = 600) {
  const objects = { ...recorded, ...change(recorded) };
  const [daemonSet] = objects.DaemonSet;
  if (daemonSet === undefined) throw new Error('the recording lacks its DaemonSet');
  const takenAt = new Date(downSince + secondsLater * 1000).toISOString();
  const found = foundBy(daemonSetBudgetUsed, snapshotOf(daemonSet, objects, { takenAt }));
  return found && told(found);
}

const withStrategy =
  (updateStrategy: Partial<DaemonSet['spec']['updateStrategy']>): Change =>
  ({ DaemonSet: sets }) => ({
    DaemonSet: sets.map((set) => ({
      ...set,
      spec: { ...set.spec, updateStrategy: { ...set.spec.updateStrategy, ...updateStrategy } },
    })),
  });

const withReadyNode =
  (name: string, status: string): Change =>
  ({ Node }) => ({
    Node: Node.map((node) =>
      node.metadata.name === name
        ? {
            ...node,
            status: {
              ...node.status,
              conditions: node.status.conditions.map((each) =>
                each.type === 'Ready'
                  ? { ...each, status, lastTransitionTime: new Date(downSince).toISOString() }
                  : each,
              ),
            },
          }
        : node,
    ),
  });

const withPodOn =
  (name: string, change: (pod: Pod) => Pod): Change =>
  ({ Pod: pods }) => ({ Pod: pods.map((pod) => (pod.spec.nodeName === name ? change(pod) : pod)) });

const unready = (pod: Pod): Pod => ({
  ...pod,
  status: { ...pod.status, conditions: [] },
});
const leaving = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2026-11-28T21:24:41Z' },
});

describe('a DaemonSet whose maxUnavailable is used up by nodes that are down', () => {
  it('is found, with the arithmetic of the controller and two ways on', () => {
    expect(findAfter(() => ({}))).toMatchObject({
      confidence: 'proven',
      nodes: ['n-d'],
      holders: ['agent-6dzs8'],
      facts: {
        maxUnavailable: 1,
        downNodes: ['n-d'],
        stoppingPods: ['agent-6dzs8'],
        newPods: [],
        waitingPods: 3,
      },
      advice: ['advice-budget-title', 'advice-nodes-title'],
      firstSnippet: expect.stringContaining('maxUnavailable: 2'),
    });
  });

  it('counts every such node, and raises the budget by all of them', () => {
    const second: Change = (objects) => ({
      ...withReadyNode('n-c', 'False')(objects),
      ...withPodOn('n-c', leaving)(objects),
    });
    expect(findAfter(second)).toMatchObject({
      nodes: ['n-c', 'n-d'],
      firstSnippet: expect.stringContaining('maxUnavailable: 3'),
    });
  });

  it.each<readonly [string, Change]>([
    [
      'while the budget allows another pod',
      withStrategy({ rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }),
    ],
    ['with a surge', withStrategy({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })],
    ['where people delete the pods', withStrategy({ type: 'OnDelete', rollingUpdate: undefined })],
    ['on a node that is Ready: the pod is still stopping', withReadyNode('n-d', 'True')],
    ['by an old pod that fails on a living node, which the controller replaces', withPodOn('n-a', unready)],
    [
      'with no healthy old pod left',
      ({ Pod: pods }) => ({ Pod: pods.filter(({ spec }) => spec.nodeName === 'n-d') }),
    ],
    [
      'by the deleted pods of a Node that is gone',
      ({ Node }) => ({ Node: Node.filter(({ metadata }) => metadata.name !== 'n-d') }),
    ],
  ])('is not found %s', (_, change) => {
    expect(findAfter(change)).toBeUndefined();
  });

  it('is not found before the node has been down for five minutes', () => {
    expect(findAfter(() => ({}), 299)).toBeUndefined();
    expect(findAfter(() => ({}), 300)).toMatchObject({ confidence: 'proven' });
  });
});
