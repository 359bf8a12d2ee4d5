import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import { startArgoRollouts } from '../argo-rollouts/start-controller.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import type { Kind } from '../harness/resources.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { argoRolloutSubject } from '../random/argo-rollout-subject.js';
import { drawFrom } from '../random/draw.js';
import { furnish } from '../random/furnish.js';
import { emptyScore, tryCase } from '../random/placement-trial.js';
import { tryQuotas } from '../random/quota-trial.js';
import { openStage } from '../random/rollout-stage.js';
import type { Subject } from '../random/rollout-subject.js';
import { emptyRolloutScore, tryRollout } from '../random/rollout-trial.js';
import { startScheduler } from '../random/scheduler-under-test.js';
import { subjectOf } from './rollout-step.js';
import type { Step } from './step-file.js';

/** How many steps are recorded, of which some are chosen. */
export interface Extent {
  readonly seed: number;
  /** Of each kind of workload. */
  readonly rollouts: number;
  readonly placements: number;
  readonly quotas: number;
}

/** What was recorded, and the versions of the programs that acted. */
export interface Pool {
  readonly programs: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly steps: readonly Step[];
}

type Act = (cluster: Cluster, extent: Extent, note: (step: Step) => void) => Promise<Pool['programs']>;

const nodes = ['a', 'a', 'b', 'b', 'a'].map((pool, index) => ({ name: `n-${index}`, labels: { pool } }));

/** Lets the controllers act on changes of these workloads, one after the other. */
async function rollOut(
  cluster: Cluster,
  kinds: readonly Kind[],
  subjects: readonly Subject[],
  { seed, rollouts }: Extent,
  note: (step: Step) => void,
): Promise<void> {
  await cluster.createNodes(...nodes);
  const stage = await openStage(cluster, {}, kinds);
  let number = 0;
  for (const subject of subjects) {
    for (let recorded = 0; recorded < rollouts; number += 1) {
      await tryRollout(stage, subject, drawFrom(seed + number), number, emptyRolloutScore(), (step) => {
        recorded += 1;
        note({ of: 'rollout', step });
      });
    }
  }
  stage.mirror.stop();
}

const maxUnavailableOf = ({ controlPlane }: Cluster) =>
  ruleOfVersion(parseServerVersion(`v${controlPlane.version}`));

/** Each is recorded in a control plane of its own. */
const acts = {
  'kube-scheduler': async (cluster, { seed, placements }, note) => {
    const namespaces = (await furnish(cluster)).map(justLabels);
    const scheduler = await startScheduler(cluster);
    let recorded = 0;
    for (let number = 0; recorded < placements; number += 1) {
      await tryCase(scheduler, namespaces, drawFrom(seed + number), number, emptyScore(), (step) => {
        recorded += 1;
        note({ of: 'placement', step });
      });
    }
    scheduler.stop();
    return {};
  },
  'resource-quotas': async (cluster, { seed, quotas }, note) => {
    await furnish(cluster);
    const call = createApiCall(cluster.config);
    let recorded = 0;
    for (let number = 0; recorded < quotas; number += 1) {
      await tryQuotas(cluster, call, drawFrom(seed + number), number, (step) => {
        recorded += 1;
        note({ of: 'quota', step });
      });
    }
    return {};
  },
  workloads: async (cluster, extent, note) => {
    const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;
    const rule = maxUnavailableOf(cluster);
    await rollOut(
      cluster,
      kinds,
      kinds.map((kind) => subjectOf(kind, rule)),
      extent,
      note,
    );
    return {};
  },
  'argo-rollouts': async (cluster, extent, note) => {
    const controller = await startArgoRollouts(cluster);
    const subjects = (['canary', 'routed canary', 'blueGreen'] as const).map(argoRolloutSubject);
    await rollOut(cluster, ['Rollout', 'Service'], subjects, extent, note);
    await controller.stop();
    return { 'Argo Rollouts': controller.version };
  },
  'leader-worker-sets': async (cluster, extent, note) => {
    const controller = await startLeaderWorkerSets(cluster);
    const subject = subjectOf('LeaderWorkerSet', maxUnavailableOf(cluster));
    await rollOut(cluster, ['LeaderWorkerSet', 'StatefulSet'], [subject], extent, note);
    await controller.stop();
    return { LeaderWorkerSet: controller.version };
  },
} satisfies Readonly<Record<string, Act>>;

export type Part = keyof typeof acts;
export const parts = Object.keys(acts) as Part[];

export function partOf({ of, step }: Step): Part {
  if (of === 'placement') return 'kube-scheduler';
  if (of === 'quota') return 'resource-quotas';
  if (step.kind === 'Rollout') return 'argo-rollouts';
  return step.kind === 'LeaderWorkerSet' ? 'leader-worker-sets' : 'workloads';
}

/** Starts a control plane, and lets the real programs act on random changes. */
export async function recordPart(part: Part, extent: Extent): Promise<Pool> {
  const cluster = await startCluster({ kubelets: 'none' });
  const steps: Step[] = [];
  try {
    const programs = await acts[part](cluster, extent, (step) => steps.push(step));
    return { programs: { Kubernetes: cluster.controlPlane.version, ...programs }, seed: extent.seed, steps };
  } finally {
    await cluster.stop();
  }
}

/** Of a namespace, the scheduler reads nothing else. */
function justLabels(namespace: unknown): unknown {
  const { metadata } = namespace as {
    readonly metadata: { readonly name: string; readonly labels?: object };
  };
  return { metadata: { name: metadata.name, labels: metadata.labels } };
}
