import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startArgoRollouts } from '../argo-rollouts/start-controller.js';
import type { Beside } from '../harness/beside.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import type { StrategyName } from './argo-rollout-strategies.js';
import { argoRolloutSubject } from './argo-rollout-subject.js';
import { drawFrom } from './draw.js';
import { comparisonTimeoutMs, rolloutStepsWanted, seed } from './extent.js';
import { openStage, type Stage } from './rollout-stage.js';
import { emptyRolloutScore, tryRollout } from './rollout-trial.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const nodes = Array.from({ length: 5 }, (_, index) => ({ name: `n-${index}` }));

const strategies: readonly { readonly strategy: StrategyName; readonly share: number }[] = [
  { strategy: 'canary', share: 0.4 },
  { strategy: 'routed canary', share: 0.3 },
  { strategy: 'blueGreen', share: 0.3 },
];

describe(`Rollouts compared with the controller of Argo Rollouts on ${version}`, () => {
  let cluster: Cluster;
  let argo: Beside;
  let stage: Stage;
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    await cluster.createNodes(...nodes);
    argo = await startArgoRollouts(cluster);
    stage = await openStage(cluster, {}, ['Rollout', 'Service']);
  });
  afterAll(async () => {
    stage?.mirror.stop();
    await argo?.stop();
    await cluster?.stop();
  });

  it.for(strategies)(
    `agrees on the next step of a $strategy (seed ${seed})`,
    { timeout: comparisonTimeoutMs },
    async ({ strategy, share }) => {
      const score = emptyRolloutScore();
      const subject = argoRolloutSubject(strategy);
      const wanted = Math.ceil(rolloutStepsWanted * share);
      for (let number = 0; score.steps < wanted; number += 1) {
        await tryRollout(stage, subject, drawFrom(seed + number), number, score);
        if (score.disagreements.length > 20) break;
      }
      const { disagreements, ...counts } = score;
      console.log(
        `Rollout, ${strategy}: ${JSON.stringify(counts)}, ${disagreements.length} disagreements, seed ${seed}`,
      );
      expect(disagreements.length, disagreements.slice(0, 3).join('\n\n')).toBe(0);
    },
  );
});
