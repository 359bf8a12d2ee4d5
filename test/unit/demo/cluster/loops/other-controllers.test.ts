import { describe, expect, it } from 'vitest';
import { type JsonObject, numberAt, textAt, valueAt } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { deployment, pod } from '../builders.js';
import { liveCluster, node, withImage } from './live-cluster.js';

const merge = (body: JsonObject) => (object: JsonObject) => applyMergePatch(object, body);

function workload(kind: 'StatefulSet' | 'DaemonSet', spec: JsonObject = {}): JsonObject {
  return { ...deployment(spec), kind, metadata: { name: 'db' } };
}

describe('a StatefulSet', () => {
  it('starts its pods in order and updates them from the highest ordinal down', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    const made = cluster.apply(workload('StatefulSet', { replicas: 3 }));
    cluster.pass(1);
    expect(cluster.pods()).toEqual(['db-0 Pending n-1']);
    cluster.pass(20);
    expect(cluster.pods()).toEqual(['db-0 Ready n-1', 'db-1 Ready n-1', 'db-2 Ready n-1']);
    const uids = cluster.list('v1', 'Pod').map(({ metadata }) => metadata.uid);
    cluster.change(made, withImage('registry.example/web:2'));
    cluster.pass(0);
    expect(cluster.pods()).toEqual(['db-0 Ready n-1', 'db-1 Ready n-1', 'db-2 Terminating n-1']);
    cluster.pass(60);
    const updated = cluster.list('v1', 'Pod');
    expect(updated.filter(({ metadata }) => uids.includes(metadata.uid))).toEqual([]);
    const status = cluster.find('apps/v1', 'StatefulSet', 'db')?.status as JsonObject;
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, currentReplicas: 3 });
    expect(status.currentRevision).toBe(status.updateRevision);
    expect(cluster.list('apps/v1', 'ControllerRevision').map((each) => each.revision)).toHaveLength(2);
    expect(cluster.events('SuccessfulCreate')).toContain(
      'SuccessfulCreate: create Pod db-0 in StatefulSet db successful',
    );
  });

  it('waits for a broken pod before it continues', () => {
    const cluster = liveCluster({
      behaviourOf: ({ metadata }) => (metadata.name === 'db-1' ? { readyMs: undefined } : undefined),
    });
    cluster.state.load([node('n-1')]);
    cluster.apply(workload('StatefulSet', { replicas: 3 }));
    cluster.pass(60);
    expect(cluster.pods()).toEqual(['db-0 Ready n-1', 'db-1 Running n-1']);
  });
});

describe('a DaemonSet', () => {
  it('runs one pod on each node, also on a node that is added later', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1'), node('n-2')]);
    cluster.apply(workload('DaemonSet'));
    cluster.pass(20);
    cluster.state.load([node('n-3')]);
    cluster.pass(20);
    const nodes = cluster.list('v1', 'Pod').map((each) => textAt(each, 'spec', 'nodeName'));
    expect(nodes.sort()).toEqual(['n-1', 'n-2', 'n-3']);
    expect(cluster.find('apps/v1', 'DaemonSet', 'db')?.status).toMatchObject({
      desiredNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
      updatedNumberScheduled: 3,
    });
  });

  it('updates the nodes one after another', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1'), node('n-2'), node('n-3')]);
    const made = cluster.apply(workload('DaemonSet'));
    cluster.pass(20);
    cluster.change(made, withImage('registry.example/web:2'));
    let fewest = 3;
    for (let second = 0; second < 60; second += 1) {
      cluster.pass(1);
      fewest = Math.min(
        fewest,
        numberAt(cluster.find('apps/v1', 'DaemonSet', 'db'), 'status', 'numberAvailable') ?? 0,
      );
    }
    expect(fewest).toBe(2);
    expect(cluster.find('apps/v1', 'DaemonSet', 'db')?.status).toMatchObject({
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    });
  });
});

describe('a deletion', () => {
  function running() {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    const made = cluster.apply(deployment({ replicas: 2 }));
    cluster.pass(10);
    return { cluster, made };
  }

  it.each(['Background', 'Foreground'] as const)('removes the owned objects too (%s)', (propagation) => {
    const { cluster, made } = running();
    cluster.remove(made, { propagation });
    cluster.pass(10);
    expect(['Deployment', 'ReplicaSet'].map((kind) => cluster.list('apps/v1', kind).length)).toEqual([0, 0]);
    expect(cluster.pods()).toEqual([]);
  });

  it('keeps the owned objects as orphans where that is requested', () => {
    const { cluster, made } = running();
    cluster.remove(made, { propagation: 'Orphan' });
    cluster.pass(10);
    const [replicaSet] = cluster.list('apps/v1', 'ReplicaSet');
    expect(replicaSet?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.pods()).toHaveLength(2);
  });

  it('of a namespace removes everything in it, and refuses new objects meanwhile', () => {
    const { cluster } = running();
    const shop = cluster.find('v1', 'Namespace', 'shop');
    if (shop !== undefined) cluster.remove(shop);
    expect(valueAt(cluster.find('v1', 'Namespace', 'shop'), 'status', 'phase')).toBe('Terminating');
    expect(() => cluster.apply(pod('late'))).toThrow('because it is being terminated');
    cluster.pass(10);
    expect(cluster.find('v1', 'Namespace', 'shop')).toBeUndefined();
    expect(cluster.list('v1', 'Pod')).toEqual([]);
  });

  it('spares an object whose owner never existed', () => {
    const cluster = liveCluster();
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'gone', controller: true };
    cluster.state.load([
      { ...pod('a'), metadata: { name: 'a', namespace: 'shop', ownerReferences: [owner] } },
    ]);
    cluster.pass(10);
    expect(cluster.list('v1', 'Pod')).toHaveLength(1);
  });
});

describe('Events', () => {
  it('expire one hour after their last occurrence', () => {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    cluster.apply(pod('a'));
    cluster.pass(10);
    expect(cluster.events('Started')).toHaveLength(1);
    cluster.pass(3600);
    expect(cluster.events('Started')).toEqual([]);
  });
});

it('an idle cluster writes nothing, however often its loops run', () => {
  const cluster = liveCluster();
  cluster.state.load([node('n-1', { 'nvidia.com/gpu': '1' })]);
  const made = cluster.apply(deployment({ replicas: 2 }));
  cluster.apply(workload('StatefulSet', { replicas: 2 }));
  cluster.pass(60);
  cluster.change(made, merge({ spec: { template: { spec: { nodeSelector: { 'no.such/label': 'x' } } } } }));
  cluster.pass(60);
  const { revision } = cluster.state.registry.store;
  cluster.pass(0);
  cluster.pass(30);
  expect(cluster.state.registry.store.revision).toBe(revision);
});
