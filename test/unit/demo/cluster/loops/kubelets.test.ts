import { describe, expect, it } from 'vitest';
import { type JsonObject, listAt, numberAt, textAt, valueAt } from '../../../../../demo/cluster/json.js';
import type { KubeletOptions } from '../../../../../demo/cluster/loops/kubelet-adoption.js';
import { backOffMs } from '../../../../../demo/cluster/loops/pod-behaviour.js';
import { pod } from '../builders.js';
import { type LiveCluster, liveCluster, node } from './live-cluster.js';

function started(options: KubeletOptions, ...objects: readonly JsonObject[]): LiveCluster {
  const cluster = liveCluster(options);
  cluster.state.load([node('n-1')]);
  for (const object of objects) cluster.apply(object);
  return cluster;
}

function container(cluster: LiveCluster, name: string): JsonObject | undefined {
  return listAt(cluster.find('v1', 'Pod', name), 'status', 'containerStatuses')[0];
}

describe('a kubelet', () => {
  it('takes a pod through creating, running and ready', () => {
    const cluster = started({ usual: { startMs: 3_000, readyMs: 2_000 } }, pod('a'));
    cluster.pass(1);
    expect(container(cluster, 'a')).toMatchObject({
      ready: false,
      state: { waiting: { reason: 'ContainerCreating' } },
    });
    cluster.pass(2);
    expect(container(cluster, 'a')).toMatchObject({
      ready: false,
      started: true,
      state: { running: { startedAt: '2026-11-20T09:00:03Z' } },
    });
    expect(textAt(cluster.find('v1', 'Pod', 'a'), 'status', 'phase')).toBe('Running');
    cluster.pass(2);
    expect(cluster.pods()).toEqual(['a Ready n-1']);
    expect(cluster.events().map((event) => event.split(':')[0])).toEqual([
      'Scheduled',
      'Pulled',
      'Created',
      'Started',
    ]);
  });

  it('stops a deleted pod within its grace period', () => {
    const cluster = started({ usual: { terminationMs: 4_000 } }, pod('a'));
    cluster.pass(10);
    const found = cluster.find('v1', 'Pod', 'a');
    if (found !== undefined) cluster.remove(found);
    cluster.pass(3);
    expect(cluster.pods()).toEqual(['a Terminating n-1']);
    cluster.pass(1);
    expect(cluster.pods()).toEqual([]);
    expect(cluster.events('Killing')).toEqual(['Killing: Stopping container app']);
  });

  it('keeps a pod no longer than its grace period', () => {
    const cluster = started(
      { usual: { terminationMs: 600_000 } },
      pod('a', {}, { terminationGracePeriodSeconds: 5 }),
    );
    cluster.pass(10);
    const found = cluster.find('v1', 'Pod', 'a');
    if (found !== undefined) cluster.remove(found);
    cluster.pass(6);
    expect(cluster.pods()).toEqual([]);
  });

  it('restarts what crashes with a growing pause, and keeps the log of the run before', () => {
    const crash = { afterMs: 1_000, exitCode: 137, reason: 'OOMKilled', log: 'out of memory\n' };
    const cluster = started({ usual: { startMs: 0, crash, log: 'hello\n' } }, pod('a'));
    cluster.pass(2);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 1,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-20T09:00:01Z' } },
    });
    expect(textAt(container(cluster, 'a'), 'state', 'waiting', 'message')).toMatch(
      /^back-off 10s restarting failed container=app pod=a_shop\(/,
    );
    cluster.pass(10);
    expect(numberAt(container(cluster, 'a'), 'restartCount')).toBe(2);
    const found = cluster.find('v1', 'Pod', 'a');
    expect(found && cluster.state.logs.read(found, 'app', true)).toBe('hello\nout of memory\n');
    const [event] = cluster.list('v1', 'Event').filter(({ reason }) => reason === 'BackOff');
    expect(numberAt(event, 'count')).toBe(2);
    expect(valueAt(event, 'involvedObject', 'fieldPath')).toBe('spec.containers{app}');
  });

  it('lets pods crash on the node that they are said to crash on', () => {
    const crash = { afterMs: 1_000, exitCode: 1, reason: 'Error' };
    const cluster = liveCluster({
      behaviourOf: (_pod, where) => (where?.metadata.name === 'bad' ? { crash } : undefined),
    });
    cluster.state.load([node('bad'), node('good')]);
    for (const name of ['a', 'b']) cluster.apply(pod(name));
    cluster.pass(60);
    expect(numberAt(container(cluster, 'a'), 'restartCount')).toBeGreaterThan(1);
    expect(numberAt(container(cluster, 'b'), 'restartCount')).toBe(0);
  });

  it('does nothing on a node that is not ready', () => {
    const cluster = started({});
    const broken = node('n-0');
    listAt(broken, 'status', 'conditions')
      .filter(({ type }) => type === 'Ready')
      .forEach((condition) => {
        condition.status = 'Unknown';
      });
    cluster.state.load([broken]);
    cluster.apply(pod('a'));
    cluster.pass(30);
    expect(cluster.pods()).toEqual(['a Pending n-0']);
  });

  it('leaves a pod that came with a status as it is, until it is adopted', () => {
    const options = {
      adopts: ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name === 'b',
    };
    const cluster = liveCluster(options);
    const recorded = (name: string): JsonObject => ({
      ...pod(name, {}, { nodeName: 'n-1' }),
      metadata: { name, namespace: 'shop' },
      status: {
        phase: 'Running',
        startTime: '2026-11-20T08:00:00Z',
        conditions: [{ type: 'PodScheduled', status: 'True' }],
        containerStatuses: [
          { name: 'app', restartCount: 3, state: { running: { startedAt: '2026-11-20T08:00:02Z' } } },
        ],
      },
    });
    cluster.state.load([node('n-1'), recorded('a'), recorded('b')]);
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['a Running n-1', 'b Ready n-1']);
    expect(container(cluster, 'b')).toMatchObject({
      restartCount: 3,
      state: { running: { startedAt: '2026-11-20T08:00:02Z' } },
    });
  });
});

describe('a ReadWriteOnce volume', () => {
  const using: JsonObject = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const objects: readonly JsonObject[] = [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'd.example', volumeHandle: 'v' },
      },
      status: { phase: 'Bound' },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'shop' },
      spec: { accessModes: ['ReadWriteOnce'], volumeName: 'pv-data' },
      status: { phase: 'Bound' },
    },
  ];

  it('keeps a pod on another node from starting until it is let go', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1'), node('n-2'), ...objects]);
    cluster.apply(pod('a', {}, { ...using, nodeSelector: { 'kubernetes.io/hostname': 'n-1' } }));
    cluster.pass(10);
    cluster.apply(pod('b', {}, { ...using, nodeSelector: { 'kubernetes.io/hostname': 'n-2' } }));
    cluster.pass(60);
    expect(cluster.pods()).toEqual(['a Ready n-1', 'b Pending n-2']);
    expect(cluster.events('FailedAttachVolume')).toEqual([
      'FailedAttachVolume: Multi-Attach error for volume "pv-data" Volume is already used by pod(s) a',
    ]);
    const holder = cluster.find('v1', 'Pod', 'a');
    if (holder !== undefined) cluster.remove(holder);
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['b Ready n-2']);
  });
});

it.each([
  [0, 0],
  [1, 10_000],
  [2, 20_000],
  [5, 160_000],
  [6, 300_000],
  [60, 300_000],
])('the pause before restart %i is %i ms', (restarts, ms) => {
  expect(backOffMs(restarts)).toBe(ms);
});
