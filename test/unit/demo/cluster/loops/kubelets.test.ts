import { describe, expect, it } from 'vitest';
import { type JsonObject, listAt, numberAt, textAt, valueAt } from '../../../../../demo/cluster/json.js';
import { conductObject } from '../../../../../demo/cluster/loops/conduct.js';
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

  it('stops a pod after its grace period at the latest', () => {
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

  it('restarts a crashed container at once, then with growing delays, and keeps the log of the previous run', () => {
    const crash = { afterMs: 1_000, exitCode: 137, reason: 'OOMKilled', log: 'out of memory\n' };
    const cluster = started({ usual: { startMs: 0, crash, log: 'hello\n' } }, pod('a'));
    cluster.pass(1);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 1,
      state: { running: { startedAt: '2026-11-20T09:00:01Z' } },
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-20T09:00:01Z' } },
    });
    cluster.pass(1);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 1,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { finishedAt: '2026-11-20T09:00:02Z' } },
    });
    expect(textAt(container(cluster, 'a'), 'state', 'waiting', 'message')).toMatch(
      /^back-off 10s restarting failed container=app pod=a_shop\(/,
    );
    cluster.pass(11);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 2,
      state: { waiting: { message: expect.stringMatching(/^back-off 20s /) as string } },
    });
    const found = cluster.find('v1', 'Pod', 'a');
    cluster.pass(20);
    expect(found && cluster.state.logs.read(found, 'app', true)).toBe('hello\nout of memory\n');
    const [event] = cluster.list('v1', 'Event').filter(({ reason }) => reason === 'BackOff');
    expect(numberAt(event, 'count')).toBe(2);
    expect(valueAt(event, 'involvedObject', 'fieldPath')).toBe('spec.containers{app}');
  });

  it('resets the restart delay after a run of more than ten minutes', () => {
    const crash = { afterMs: 601_000, exitCode: 1, reason: 'Error' };
    const cluster = started({ usual: { startMs: 0, crash } }, pod('a'));
    cluster.pass(601 * 4 + 5);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 4,
      state: { running: { startedAt: '2026-11-20T09:40:04Z' } },
    });
    expect(cluster.events('BackOff')).toEqual([]);
  });

  it('reports the result of a failing probe and the termination message of the program', () => {
    const crash = {
      afterMs: 30_000,
      exitCode: 0,
      reason: 'Completed',
      message: 'leaving',
      probe: { kind: 'Liveness', says: 'HTTP probe failed with statuscode: 503' },
    } as const;
    const cluster = started({ usual: { startMs: 0, crash } }, pod('a'));
    cluster.pass(31);
    expect(container(cluster, 'a')).toMatchObject({ lastState: { terminated: { message: 'leaving' } } });
    expect(cluster.events('Unhealthy')).toEqual([
      'Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 503',
    ]);
    expect(cluster.events('Killing')).toEqual([
      'Killing: Container app failed liveness probe, will be restarted',
    ]);
  });

  it('crashes pods only on the node that is configured for crashes', () => {
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

  it('does not change a pod that was loaded with a status until it is adopted', () => {
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

describe('programs whose behaviour a ConfigMap describes', () => {
  const conducted = (...conduct: Parameters<typeof conductObject>[0]) => {
    const cluster = started({}, pod('a'));
    cluster.state.load([conductObject(conduct)]);
    return cluster;
  };

  it('cannot start while their image cannot be pulled, and pulls are retried with growing delays', () => {
    const cluster = conducted({ image: 'registry.example/', pullError: 'registry.example/app:1: not found' });
    cluster.pass(2);
    expect(container(cluster, 'a')).toMatchObject({
      restartCount: 0,
      imageID: '',
      state: { waiting: { reason: 'ErrImagePull', message: 'registry.example/app:1: not found' } },
    });
    expect(textAt(cluster.find('v1', 'Pod', 'a'), 'status', 'phase')).toBe('Pending');
    cluster.pass(10);
    const image = textAt(listAt(cluster.find('v1', 'Pod', 'a'), 'spec', 'containers')[0], 'image');
    expect(container(cluster, 'a')).toMatchObject({
      state: {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image "${image}": ErrImagePull: registry.example/app:1: not found`,
        },
      },
    });
    cluster.pass(60);
    const pulling = cluster.list('v1', 'Event').find(({ reason }) => reason === 'Pulling');
    expect(numberAt(pulling, 'count')).toBe(3);
    cluster.state.load([conductObject([])]);
    cluster.pass(120);
    expect(cluster.pods()).toEqual(['a Ready n-1']);
  });

  it('fail only with the image, node and environment named, and recover with the ConfigMap', () => {
    const crash = { afterMs: 1_000, exitCode: 1 };
    const elsewhere = conducted(
      { image: 'other/', crash },
      { image: 'registry.example/', nodes: ['n-2'], crash },
      { image: 'registry.example/', env: { MODE: 'broken' }, crash },
    );
    elsewhere.pass(60);
    expect(elsewhere.pods()).toEqual(['a Ready n-1']);

    const here = conducted({ image: 'registry.example/', nodes: ['n-1'], crash });
    here.pass(60);
    expect(here.pods()).toEqual(['a Running n-1']);
    here.state.load([conductObject([])]);
    here.pass(120);
    expect(here.pods()).toEqual(['a Ready n-1']);
  });

  it('run normally where the ConfigMap cannot be read', () => {
    const cluster = started({}, pod('a'));
    const object = conductObject([]);
    cluster.state.load([{ ...object, data: { 'conduct.json': '[{' } }]);
    cluster.pass(10);
    expect(cluster.pods()).toEqual(['a Ready n-1']);
  });
});

describe('a container that needs a ConfigMap', () => {
  const env = [{ name: 'DB_URL', valueFrom: { configMapKeyRef: { name: 'web-config', key: 'DB_URL' } } }];
  const config = (data: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web-config', namespace: 'shop' },
    data,
  });
  const needing = (container: JsonObject): JsonObject =>
    pod('a', {}, { containers: [{ name: 'app', image: 'registry.example/web:1', ...container }] });

  it.each([
    ['the key is missing', { env }, [config({})], "couldn't find key DB_URL in ConfigMap shop/web-config"],
    ['the ConfigMap is missing', { env }, [], 'configmap "web-config" not found'],
    [
      'all of its keys are asked for',
      { envFrom: [{ configMapRef: { name: 'web-config' } }] },
      [],
      'configmap "web-config" not found',
    ],
  ])(
    'does not start while %s, and starts once the ConfigMap is complete',
    (_, container_, objects, message) => {
      const cluster = started({}, ...objects, needing(container_));
      cluster.pass(5);
      expect(container(cluster, 'a')).toMatchObject({
        state: { waiting: { reason: 'CreateContainerConfigError', message } },
      });
      expect(cluster.events('Failed')).toEqual([`Failed: Error: ${message}`]);
      cluster.state.load([config({ DB_URL: 'db:5432' })]);
      cluster.pass(12);
      expect(cluster.pods()).toEqual(['a Ready n-1']);
    },
  );

  it('starts without an optional ConfigMap', () => {
    const optional = { ...env[0], valueFrom: { configMapKeyRef: { name: 'x', key: 'y', optional: true } } };
    const cluster = started({}, needing({ env: [optional] }));
    cluster.pass(5);
    expect(cluster.pods()).toEqual(['a Ready n-1']);
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

  it('prevents a pod on another node from starting until it is detached', () => {
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
])('the restart delay after %i restarts is %i ms', (restarts, ms) => {
  expect(backOffMs(restarts)).toBe(ms);
});
