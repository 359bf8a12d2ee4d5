import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../demo/cluster/json.js';
import { listAt, numberAt, textAt } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { pod } from '../builders.js';
import { type LiveCluster, liveCluster, node } from './live-cluster.js';

const cpu = (amount: string): JsonObject => ({
  containers: [{ name: 'app', image: 'x:1', resources: { requests: { cpu: amount } } }],
});
const merge = (body: JsonObject) => (object: JsonObject) => applyMergePatch(object, body);

function scheduled(cluster: LiveCluster, name: string): JsonObject | undefined {
  return listAt(cluster.find('v1', 'Pod', name), 'status', 'conditions').find(
    ({ type }) => type === 'PodScheduled',
  );
}

describe('the scheduler', () => {
  it('spreads pods over the nodes that accept them', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1'), node('n-2')]);
    for (const name of ['a', 'b', 'c', 'd']) cluster.apply(pod(name));
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['a Ready n-1', 'b Ready n-2', 'c Ready n-1', 'd Ready n-2']);
    expect(cluster.events('Scheduled')).toContain('Scheduled: Successfully assigned shop/a to n-1');
  });

  it('reports that there are no nodes', () => {
    const cluster = liveCluster();
    cluster.apply(pod('a'));
    cluster.pass(1);
    expect(scheduled(cluster, 'a')).toMatchObject({
      status: 'False',
      message: 'no nodes available to schedule pods',
    });
  });

  it('ignores a cordoned node until it is uncordoned', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    const only = cluster.find('v1', 'Node', 'n-1');
    if (only !== undefined) cluster.change(only, merge({ spec: { unschedulable: true } }));
    cluster.apply(pod('a'));
    cluster.pass(1);
    expect(scheduled(cluster, 'a')?.message).toContain('1 node(s) were unschedulable');
    if (only !== undefined) cluster.change(only, merge({ spec: { unschedulable: null } }));
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['a Ready n-1']);
  });

  it('holds a gated pod without an Event', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    cluster.apply(pod('a', {}, { schedulingGates: [{ name: 'example.com/wait' }] }));
    cluster.pass(10);
    expect(scheduled(cluster, 'a')).toMatchObject({ reason: 'SchedulingGated' });
    expect(cluster.events('FailedScheduling')).toEqual([]);
  });

  it('reports an unschedulable pod in one Event series, every five minutes, with its first message', () => {
    const cluster = liveCluster();
    cluster.apply(pod('a'));
    cluster.pass(16 * 60);
    const [refusalEvent, ...others] = cluster
      .list('v1', 'Event')
      .filter(({ reason }) => reason === 'FailedScheduling');
    expect(others).toEqual([]);
    expect(numberAt(refusalEvent, 'series', 'count')).toBe(4);
    expect(textAt(refusalEvent, 'series', 'lastObservedTime')).toBe('2026-11-20T09:15:00.000000Z');
  });

  it('preempts a pod of lower priority, and nominates its node meanwhile', () => {
    const cluster = liveCluster({ usual: { terminationMs: 5_000 } });
    cluster.state.load([node('n-1', {}, '1')]);
    cluster.apply({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
    });
    cluster.apply(pod('low', {}, cpu('1')));
    cluster.pass(10);
    cluster.apply(pod('urgent', {}, { ...cpu('1'), priorityClassName: 'high' }));
    cluster.pass(1);
    expect(cluster.pods()).toEqual(['low Terminating n-1', 'urgent Pending -']);
    expect(textAt(cluster.find('v1', 'Pod', 'urgent'), 'status', 'nominatedNodeName')).toBe('n-1');
    expect(listAt(cluster.find('v1', 'Pod', 'low'), 'status', 'conditions')).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' }),
    );
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['urgent Ready n-1']);
  });
});
