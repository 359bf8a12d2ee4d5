import type { KubernetesObject, V1Deployment, V1ReplicaSet } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import { applied, isComplete, withStatus } from '#src/engine/workloads/deployment-writes.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { deploymentSubject } from './deployment-subject.js';
import { type Draw, drawFrom } from './draw.js';
import { comparisonTimeoutMs, largeRolloutStepsWanted, seed } from './extent.js';
import {
  barrier,
  clear,
  openStage,
  type Stage,
  sent,
  untilCaughtUp,
  viewOf,
  waitedFor,
} from './rollout-stage.js';
import {
  appLabels,
  counts,
  imageOf,
  images,
  type RolloutView,
  subjectName,
  template,
} from './rollout-subject.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const counted = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];
const sizes = [1_000, 100_000] as const;
const maxEngineRounds = 100;

/** The fields that are compared. */
interface Outcome {
  /** Wanted pods of each ReplicaSet, by its image. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly status: Readonly<Record<string, number>>;
}

const sizesOf = (sets: readonly { readonly image: string; readonly replicas: number }[]): Outcome['sizes'] =>
  Object.fromEntries(
    [...sets].sort((a, b) => (a.image < b.image ? -1 : 1)).map((one) => [one.image, one.replicas]),
  );

/**
 * What the engine's Deployment controller does until nothing changes, with the ReplicaSets' statuses as they
 * are.
 */
function predicted({ workload, replicaSets }: RolloutView, now: number): Outcome {
  let state: DeploymentState = {
    kind: 'Deployment',
    deployment: Deployment.parse(workload),
    replicaSets: replicaSets.map((one) => ReplicaSet.parse(one)),
    pods: [],
    now,
  };
  for (let round = 0; round < maxEngineRounds; round += 1) {
    const sync = syncDeployment(state);
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    state = withStatus(applied(state, sync.actions), sync);
    if (sync.actions.length === 0 && !hasJustCompleted) {
      const sets = state.replicaSets.map(({ spec }) => ({
        image: spec.template.spec.containers[0]?.image ?? '',
        replicas: spec.replicas,
      }));
      return { sizes: sizesOf(sets), status: counts(state.deployment.status, counted) };
    }
  }
  throw new Error(`the engine is not at rest after ${maxEngineRounds} rounds`);
}

function seen({ workload, replicaSets }: RolloutView): Outcome {
  const sets = (replicaSets as readonly V1ReplicaSet[]).map(({ spec }) => ({
    image: imageOf({ spec: { containers: spec?.template?.spec?.containers ?? [] } }),
    replicas: spec?.replicas ?? 0,
  }));
  return { sizes: sizesOf(sets), status: counts((workload as V1Deployment).status, counted) };
}

const bound = (draw: Draw, size: number): number | string =>
  draw.chance(50) ? `${draw.below(101)}%` : draw.below(Math.ceil(size / (1 + draw.below(20))));

function strategy(draw: Draw, size: number): object {
  const maxSurge = bound(draw, size);
  const maxUnavailable = bound(draw, size);
  const allowsNoChange = [maxSurge, maxUnavailable].every((each) => each === 0 || each === '0%');
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable: allowsNoChange ? 1 : maxUnavailable },
  };
}

const deployment = (draw: Draw, namespace: string, size: number): KubernetesObject =>
  Object.assign(
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: subjectName, namespace } },
    {
      spec: {
        replicas: size,
        revisionHistoryLimit: 10,
        selector: { matchLabels: appLabels },
        strategy: strategy(draw, size),
        template: template(images[0]),
      },
    },
  );

function patched(namespace: string, spec: object): ApiRequest {
  return {
    method: 'PATCH',
    path: `${collectionPath('Deployment', namespace)}/${subjectName}`,
    contentType: 'application/merge-patch+json',
    body: { spec },
  };
}

/** As the ReplicaSet controller would report it: all pods created, some of them available. */
function reported(draw: Draw, namespace: string, { metadata, spec, status }: V1ReplicaSet): ApiRequest {
  const replicas = spec?.replicas ?? 0;
  const before = Math.min(replicas, status?.availableReplicas ?? 0);
  const fewer = draw.chance(15) && before > 0;
  const availableReplicas = fewer
    ? draw.below(before)
    : draw.chance(50)
      ? replicas
      : before + draw.below(replicas - before + 1);
  return {
    method: 'PATCH',
    path: `${collectionPath('ReplicaSet', namespace)}/${metadata?.name}/status`,
    contentType: 'application/merge-patch+json',
    body: {
      status: {
        replicas,
        fullyLabeledReplicas: replicas,
        readyReplicas: availableReplicas,
        availableReplicas,
        observedGeneration: metadata?.generation ?? 1,
      },
    },
  };
}

/** One change of one object, so that the controller acts on nothing in between. */
function change(draw: Draw, view: RolloutView, namespace: string, size: number): ApiRequest {
  const sets = view.replicaSets as readonly V1ReplicaSet[];
  const behind = sets.filter(
    ({ spec, status }) =>
      status?.replicas !== (spec?.replicas ?? 0) || (status?.availableReplicas ?? 0) < (spec?.replicas ?? 0),
  );
  const [first, ...others] = behind.length > 0 && draw.chance(80) ? behind : sets;
  const kind = draw.below(100);
  if (first !== undefined && kind < 75) return reported(draw, namespace, draw.pick([first, ...others]));
  if (kind < 87) return patched(namespace, { template: template(draw.pick(images)) });
  if (kind < 94) return patched(namespace, { replicas: 1 + draw.below(2 * size) });
  return patched(namespace, { strategy: strategy(draw, size) });
}

describe(`large rollouts compared with the Deployment controller of ${version}`, () => {
  let cluster: Cluster;
  let stage: Stage;
  beforeAll(async () => {
    cluster = await startCluster({
      version,
      kubelets: 'none',
      withoutControllers: ['replicaset-controller'],
    });
    stage = await openStage(cluster);
  });
  afterAll(async () => {
    stage?.mirror.stop();
    await cluster?.stop();
  });

  async function tryOne(draw: Draw, size: number, steps: number): Promise<readonly string[]> {
    const namespace = await cluster.createNamespace('large');
    const view = (): RolloutView => viewOf(stage, namespace, deploymentSubject);
    const disagreements: string[] = [];
    await cluster.create(deployment(draw, namespace, size));
    const isSeen = (): boolean => view().workload.metadata !== undefined && view().replicaSets.length > 0;
    await stage.mirror.until('the Deployment and its first ReplicaSet', isSeen);
    await barrier(stage, deploymentSubject, view());
    for (let step = 0; step < steps; step += 1) {
      const request = change(draw, view(), namespace, size);
      const before = view();
      const object = (await sent(stage, request)) as KubernetesObject;
      const isSame = ({ metadata }: KubernetesObject): boolean => metadata?.uid === object.metadata?.uid;
      const changed: RolloutView = {
        ...before,
        workload: isSame(before.workload) ? object : before.workload,
        replicaSets: before.replicaSets.map((one) => (isSame(one) ? object : one)),
      };
      const expected = predicted(changed, Date.now());
      const text = JSON.stringify(expected);
      const isAsExpected = (): boolean => JSON.stringify(seen(view())) === text;
      await waitedFor(stage.mirror, isAsExpected, 5_000);
      await barrier(stage, deploymentSubject, view());
      await untilCaughtUp(stage, deploymentSubject, namespace);
      // An earlier status may be equal to the last one for a moment.
      await waitedFor(stage.mirror, isAsExpected, 5_000);
      const found = JSON.stringify(seen(view()));
      if (found !== text) {
        disagreements.push(
          `${request.path} ${JSON.stringify(request.body)}\nengine ${text}\nreal   ${found}`,
        );
      }
    }
    await clear(stage, deploymentSubject, namespace);
    return disagreements;
  }

  it.for(sizes)(
    `agrees on each step of %i replicas (seed ${seed})`,
    { timeout: comparisonTimeoutMs },
    async (size) => {
      const perRollout = 25;
      const disagreements: string[] = [];
      let steps = 0;
      for (let number = 0; steps < largeRolloutStepsWanted; number += 1) {
        disagreements.push(...(await tryOne(drawFrom(seed + size + number), size, perRollout)));
        steps += perRollout;
      }
      console.log(`${size} replicas: ${steps} steps, ${disagreements.length} disagreements, seed ${seed}`);
      expect(disagreements.length, disagreements.slice(0, 3).join('\n\n')).toBe(0);
    },
  );
});
