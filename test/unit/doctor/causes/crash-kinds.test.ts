import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { JsonObject } from '../../../../demo/cluster/json.js';
import { createClusterViews } from '../../../../demo/cluster/loops/cluster-view.js';
import { type Conduct, conductObject } from '../../../../demo/cluster/loops/conduct.js';
import { type LiveCluster, liveCluster, node, withImage } from '../../demo/cluster/loops/live-cluster.js';

type Kind = 'Deployment' | 'StatefulSet' | 'DaemonSet';

const nodes = ['n-a', 'n-b', 'n-c', 'n-d'];
const image = (name: string, version: number) => `registry.example/${name}:${version}`;
const fails = { afterMs: 1_000, exitCode: 1 };

/** A workload of any kind with one container, as its controller in the local cluster carries it out. */
function workload(kind: Kind, name: string, replicas?: number, container: JsonObject = {}): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'app', image: image(name, 1), ...container }] },
      },
    },
  };
}

function clusterWith(conduct: readonly Conduct[], ...objects: readonly JsonObject[]): LiveCluster {
  const cluster = liveCluster();
  cluster.state.load([...nodes.map((name) => node(name)), kubeSystem, conductObject(conduct)]);
  for (const object of objects) cluster.apply(object);
  cluster.pass(600);
  return cluster;
}

const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } };

function diagnosed(cluster: LiveCluster, kind: Kind, name: string): Diagnosis {
  const { index } = createClusterViews(cluster.state.registry.store)();
  const found = index.objects[kind].find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  const snapshot: Snapshot = {
    takenAt: new Date(cluster.clock.now()).toISOString(),
    cluster: 'local',
    workload: found,
    index,
    logs: [],
    unseen: [],
  };
  return diagnose(snapshot, [...causes]);
}

const serious = ({ findings }: Diagnosis) => findings.filter(({ severity }) => severity !== 'info');

describe('a crash is reported for every kind of workload', () => {
  it('on one node, for a DaemonSet, when another workload crashes there too', () => {
    const bad = { nodes: ['n-b'], ready: false, crash: fails };
    const cluster = clusterWith(
      [
        { image: 'registry.example/agent', ...bad },
        { image: 'registry.example/api', ...bad },
      ],
      workload('Deployment', 'api', 12),
      workload('DaemonSet', 'agent'),
    );
    const [finding, ...others] = serious(diagnosed(cluster, 'DaemonSet', 'agent'));

    expect(finding).toMatchObject({ cause: 'crash-loop-on-node', confidence: 'likely', nodes: ['n-b'] });
    expect(JSON.stringify(finding?.reasoning)).toContain('shop/api');
    expect(others).toEqual([]);
  });

  it('and for a DaemonSet only, with the note that one pod per node is too little evidence', () => {
    const cluster = clusterWith(
      [{ image: 'registry.example/agent', nodes: ['n-b'], ready: false, crash: fails }],
      workload('DaemonSet', 'agent'),
    );
    const { findings } = diagnosed(cluster, 'DaemonSet', 'agent');

    expect(findings).toContainEqual(expect.objectContaining({ cause: 'application-crash' }));
    expect(findings).not.toContainEqual(
      expect.objectContaining({ cause: 'crash-loop-on-node', severity: 'critical' }),
    );
  });

  it.each(['Deployment', 'StatefulSet', 'DaemonSet'] as const)(
    'after a rollout, for a %s, with the changes and the rollback',
    (kind) => {
      const cluster = clusterWith(
        [{ image: image('db', 2), ready: false, crash: fails }],
        workload(kind, 'db', kind === 'DaemonSet' ? undefined : 3),
      );
      const stored = cluster.find('apps/v1', kind, 'db');
      if (stored === undefined) throw new Error('must be there');
      cluster.change(stored, withImage(image('db', 2)));
      cluster.pass(900);
      const [finding] = serious(diagnosed(cluster, kind, 'db'));

      expect(finding).toMatchObject({ cause: 'crash-loop-after-rollout', subject: { kind } });
      const facts = JSON.stringify(finding?.reasoning);
      expect(facts).toContain(image('db', 1));
      expect(facts).toContain(image('db', 2));
      const undo = finding?.remediations.find((each) => each.kind === 'undo-rollout');
      // An OrderedReady StatefulSet waits for the broken pod: the second step deletes it.
      expect(undo?.prediction.ends).toBe('complete');
      expect(undo?.kind === 'undo-rollout' ? undo.thenDelete : undefined).toEqual(
        kind === 'StatefulSet' ? ['db-2'] : undefined,
      );
    },
  );

  it.each(['Deployment', 'StatefulSet', 'DaemonSet'] as const)(
    'with the missing ConfigMap, for a %s, and its key',
    (kind) => {
      const cluster = clusterWith([], workload(kind, 'web', kind === 'DaemonSet' ? undefined : 3));
      const stored = cluster.find('apps/v1', kind, 'web');
      if (stored === undefined) throw new Error('must be there');
      cluster.state.load([config]);
      cluster.change(stored, (current) => {
        const changed = structuredClone(current) as {
          spec: { template: { spec: { containers: JsonObject[] } } };
        };
        const [container] = changed.spec.template.spec.containers;
        if (container !== undefined)
          container.env = [{ name: 'DB_URL', valueFrom: { configMapKeyRef: key } }];
        return changed as unknown as JsonObject;
      });
      cluster.pass(900);
      const [finding] = serious(diagnosed(cluster, kind, 'web'));

      expect(finding).toMatchObject({ cause: 'config-missing', confidence: 'proven', subject: { kind } });
      expect(JSON.stringify(finding?.summary)).toContain('DB_URL');
    },
  );
});

const key = { name: 'web-config', key: 'DB_URL' };
const config = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web-config', namespace: 'shop' },
  data: { OTHER: 'x' },
};
