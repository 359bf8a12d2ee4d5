import { setTimeout as delay } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { rollOut, untilUnschedulable, update } from '../incidents/rolling.js';
import { gpu } from './contention-case.js';
import { type Draw, drawFrom } from './draw.js';
import { comparisonTimeoutMs, queueOrdersWanted, seed } from './extent.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const engine = createEngine();

/**
 * No pod preempts another here: what is compared is the order in which waiting pods are tried. A pod without
 * a class would preempt those of a lower priority.
 */
const classes = [
  { name: 'usual', value: 0 },
  { name: 'behind', value: -10 },
  { name: 'ahead', value: 500 },
  { name: 'first', value: 1_000 },
] as const;

const drawClass = (draw: Draw) => draw.pick(['usual', 'usual', 'behind', 'ahead', 'first']);
const classed = (priorityClassName: string) => ({ pod: { priorityClassName } });

describe(`the waiting pod that is placed after a fix on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let reader: ClusterReader;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    reader = createClusterReader({
      connections: connectClusters({ kubeconfig: cluster.controlPlane.adminKubeconfig, contexts: [] }),
      clock: { now: () => new Date() },
      timeoutMs: 30_000,
      findTimeoutMs: 10_000,
    });
  });
  afterAll(() => cluster?.stop());

  it(`is one that the forecast names (${queueOrdersWanted} cases, seed ${seed})`, {
    timeout: comparisonTimeoutMs,
  }, async () => {
    const winners: string[] = [];
    let certain = 0;
    for (let number = 0; number < queueOrdersWanted; number += 1) {
      const drawn = await tryOrder(drawFrom(seed + number), number);
      if (drawn.possible.length === 1) certain += 1;
      winners.push(`${drawn.winner} of ${drawn.possible.join(', ')}`);
      expect(drawn.possible, drawn.text).toContain(drawn.winner);
      await cluster.clear();
    }
    console.log(`queue order: ${certain} of ${winners.length} certain, seed ${seed}\n${winners.join('\n')}`);
  });

  /** `web` is deadlocked on the only card, and pods of others wait for it, older and younger ones. */
  async function tryOrder(draw: Draw, number: number) {
    for (const fields of classes) {
      const { name, value } = fields;
      await cluster.create({
        ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } },
        ...{ value, preemptionPolicy: 'Never' },
      });
    }
    const namespace = await cluster.createNamespace(`order-${number}`);
    await cluster.createNodes({ name: `o${number}-gpu`, allocatable: { [gpu]: '1' } });
    const own = drawClass(draw);
    const rivals = draw.some(1, 4, (at) => ({
      name: `rival-${at}`,
      gpus: draw.chance(80) ? '1' : '2',
      priority: drawClass(draw),
      isOlder: draw.chance(50),
      afterMs: draw.pick([0, 300, 1_500]),
    }));
    const old = await rollOut(cluster, { namespace, name: 'web', requests: { [gpu]: '1' }, ...classed(own) });
    const wait = async (isOlder: boolean): Promise<void> => {
      for (const { name, gpus, priority, afterMs } of rivals.filter((each) => each.isOlder === isOlder)) {
        await delay(afterMs);
        const requests = { [gpu]: gpus };
        await cluster.create(deploymentManifest({ namespace, name, requests, ...classed(priority) }));
      }
    };
    await wait(true);
    await update(cluster, namespace, 'web');
    await untilUnschedulable(cluster, namespace, 'web', old, [`Insufficient ${gpu}`]);
    await wait(false);
    for (const { name } of rivals) {
      await untilUnschedulable(cluster, namespace, name, [], [`Insufficient ${gpu}`]);
    }
    const { prediction, strategy } = await offeredPatch(namespace);
    const { type, ...rollingUpdate } = strategy;
    await delay(draw.pick([0, 1_000, 4_000]));
    await cluster.patch(
      { kind: 'Deployment', namespace, name: 'web' },
      { spec: { strategy: { type, rollingUpdate: type === 'Recreate' ? null : rollingUpdate } } },
    );
    const winner = await cluster.until<V1Pod, string>({
      what: 'a waiting pod to get the card',
      selection: { kind: 'Pod', namespace },
      check: (pods) =>
        pods.find(({ metadata, spec }) => spec?.nodeName && !old.includes(metadata?.name ?? ''))?.metadata
          ?.labels?.app,
      deadlineMilliseconds: 60_000,
    });
    const competitors = prediction.competitors.map(({ name }) => name.split('-').slice(0, 2).join('-'));
    const text = JSON.stringify({ number, own, rivals, prediction, winner });
    return { winner, possible: ['web', ...competitors], text };
  }

  async function offeredPatch(namespace: string) {
    const ref = { cluster: 'test', kind: 'Deployment', namespace, name: 'web' } as const;
    const expiry = Date.now() + 60_000;
    for (;;) {
      const answer = await reader.snapshot(ref, engine.needs);
      if (answer.type !== 'snapshot') throw new Error(JSON.stringify(answer));
      const { findings } = engine.diagnose(answer.snapshot);
      const patch = findings
        .flatMap(({ remediations }): readonly Remediation[] => remediations)
        .find((each) => each.kind === 'patch-strategy');
      if (patch !== undefined) return patch;
      if (Date.now() > expiry) throw new Error(`not offered: ${JSON.stringify(findings)}`);
      await delay(300);
    }
  }
});
