import { createApiCall } from '#src/adapters/kubernetes/cluster-connection.js';
import { parseServerVersion } from '#src/core/cluster/server-version.js';
import { ruleOfVersion } from '#src/core/rollout/max-unavailable-rule.js';
import { startArgoRollouts } from '../argo-rollouts/start-controller.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import type { Kind } from '../harness/resources.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { argoRolloutSubject } from '../random/argo-rollout-subject.js';
import { drawFrom } from '../random/draw.js';
import { furnish } from '../random/furnish.js';
import { emptyScore, tryCase } from '../random/placement-trial.js';
import { tryQuotas } from '../random/quota-trial.js';
import { openStage, type Stage } from '../random/rollout-stage.js';
import type { Subject } from '../random/rollout-subject.js';
import { emptyRolloutScore, tryRollout } from '../random/rollout-trial.js';
import { startScheduler } from '../random/scheduler-under-test.js';
import { subjectOf } from './rollout-step.js';
import type { Step } from './step-file.js';

/** How many steps of each kind are recorded, of which some are chosen. */
export interface Extent {
  readonly seed: number;
  readonly rollouts: number;
  readonly placements: number;
  readonly quotas: number;
}

/** What was recorded, beside which programs. */
export interface Pool {
  readonly kubernetes: string;
  readonly argoRollouts: string;
  readonly leaderWorkerSets: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}

const poolsOfNodes = ['a', 'a', 'b', 'b', 'a'];

/** Starts control planes, one after the other, and lets the real controllers act on random changes. */
export async function recordPool({ seed, rollouts, placements, quotas }: Extent): Promise<Pool> {
  const steps: Step[] = [];
  const versions = { kubernetes: '', argoRollouts: '', leaderWorkerSets: '' };

  async function withCluster(what: string, act: (cluster: Cluster) => Promise<void>): Promise<void> {
    const cluster = await startCluster({ kubelets: 'none' });
    versions.kubernetes = cluster.controlPlane.version;
    try {
      await act(cluster);
    } finally {
      await cluster.stop();
      console.log(`${what}: ${steps.length} steps so far`);
    }
  }

  async function withStage(cluster: Cluster, kinds: readonly Kind[], act: (stage: Stage) => Promise<void>) {
    await cluster.createNodes(
      ...poolsOfNodes.map((pool, index) => ({ name: `n-${index}`, labels: { pool } })),
    );
    const stage = await openStage(cluster, {}, kinds);
    try {
      await act(stage);
    } finally {
      stage.mirror.stop();
    }
  }

  async function rollOut(stage: Stage, subject: Subject, wanted: number, first: number): Promise<void> {
    const until = steps.length + wanted;
    for (let number = 0; steps.length < until; number += 1) {
      await tryRollout(
        stage,
        subject,
        drawFrom(seed + first + number),
        first + number,
        emptyRolloutScore(),
        (step) => steps.push({ of: 'rollout', step }),
      );
    }
  }

  await withCluster('placements and quotas', async (cluster) => {
    const namespaces = (await furnish(cluster)).map(justLabels);
    const call = createApiCall(cluster.config);
    const isDone = (of: Step['of'], wanted: number): boolean =>
      steps.filter((each) => each.of === of).length >= wanted;
    for (let number = 0; !isDone('quota', quotas); number += 1) {
      await tryQuotas(cluster, call, drawFrom(seed + number), number, (step) =>
        steps.push({ of: 'quota', step }),
      );
    }
    const scheduler = await startScheduler(cluster);
    for (let number = 0; !isDone('placement', placements); number += 1) {
      await tryCase(scheduler, namespaces, drawFrom(seed + number), number, emptyScore(), (step) =>
        steps.push({ of: 'placement', step }),
      );
    }
    scheduler.stop();
  });
  await withCluster('Deployments, StatefulSets and DaemonSets', async (cluster) => {
    const rule = ruleOfVersion(parseServerVersion(`v${cluster.controlPlane.version}`));
    await withStage(cluster, ['Deployment', 'StatefulSet', 'DaemonSet'], async (stage) => {
      for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet'] as const) {
        await rollOut(stage, subjectOf(kind, rule), rollouts, 0);
      }
    });
  });
  await withCluster('Rollouts', async (cluster) => {
    const argo = await startArgoRollouts(cluster);
    versions.argoRollouts = argo.version;
    await withStage(cluster, ['Rollout', 'Service'], async (stage) => {
      for (const [position, strategy] of (['canary', 'routed canary', 'blueGreen'] as const).entries()) {
        await rollOut(stage, argoRolloutSubject(strategy), rollouts, position * 1_000);
      }
    });
    await argo.stop();
  });
  await withCluster('LeaderWorkerSets', async (cluster) => {
    const controller = await startLeaderWorkerSets(cluster);
    versions.leaderWorkerSets = controller.version;
    const rule = ruleOfVersion(parseServerVersion(`v${cluster.controlPlane.version}`));
    await withStage(cluster, ['LeaderWorkerSet', 'StatefulSet'], (stage) =>
      rollOut(stage, subjectOf('LeaderWorkerSet', rule), rollouts, 0),
    );
    await controller.stop();
  });
  return { ...versions, seed, steps };
}

/** Of a namespace, the scheduler reads nothing else. */
function justLabels(namespace: unknown): unknown {
  const { metadata } = namespace as {
    readonly metadata: { readonly name: string; readonly labels?: object };
  };
  return { metadata: { name: metadata.name, labels: metadata.labels } };
}
