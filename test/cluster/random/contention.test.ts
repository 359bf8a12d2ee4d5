import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClusters, createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { priorityClasses } from './contention-case.js';
import type { Arena } from './contention-scene.js';
import { emptyContentionScore, tryContention } from './contention-trial.js';
import { drawFrom } from './draw.js';
import { comparisonTimeoutMs, contentionsWanted, seed } from './extent.js';
import { mirrorObjects } from './object-mirror.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`rollouts that share nodes and a quota on ${version}`, () => {
  let cluster: Cluster;
  let arena: Arena;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    const kubeconfig = cluster.controlPlane.adminKubeconfig;
    arena = {
      cluster,
      call: createApiCall(cluster.config),
      mirror: await mirrorObjects(cluster, [
        'Pod',
        'ReplicaSet',
        'Deployment',
        'StatefulSet',
        'ControllerRevision',
      ]),
      reader: createClusterReader({
        connections: connectClusters({ kubeconfig, contexts: [] }),
        clock: { now: () => new Date() },
        timeoutMs: 30_000,
        findTimeoutMs: 10_000,
      }),
      engine: createEngine(),
    };
  });
  afterAll(async () => {
    arena?.mirror.stop();
    await cluster?.stop();
  });

  it(`end as each diagnosis forecasts (${contentionsWanted} cases, seed ${seed})`, {
    timeout: comparisonTimeoutMs,
  }, async () => {
    const score = emptyContentionScore();
    for (let number = 0; score.cases < contentionsWanted; number += 1) {
      for (const { name, ...fields } of priorityClasses) {
        await cluster.create({
          ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } },
          ...fields,
        });
      }
      await tryContention(arena, drawFrom(seed + number), number, score);
    }
    const { disagreements, applied, ...counts } = score;
    const changes = JSON.stringify(Object.fromEntries(applied));
    console.log(
      `contention: ${JSON.stringify(counts)}, changes ${changes}, ${disagreements.length} disagreements, seed ${seed}`,
    );
    expect(disagreements.length, disagreements.slice(0, 10).join('\n\n')).toBe(0);
  });
});
