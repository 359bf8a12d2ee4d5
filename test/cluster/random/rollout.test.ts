import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { daemonSetSubject } from './daemon-set-subject.js';
import { deploymentSubject } from './deployment-subject.js';
import { drawFrom } from './draw.js';
import { comparisonTimeoutMs, rolloutStepsWanted, seed } from './extent.js';
import { openStage, type Stage } from './rollout-stage.js';
import { emptyRolloutScore, tryRollout } from './rollout-trial.js';
import { statefulSetSubject } from './stateful-set-subject.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const maxUnavailable = ruleOfVersion(parseServerVersion(`v${version}`));

const nodes = ['a', 'a', 'b', 'b', 'a'].map((pool, index) => ({ name: `n-${index}`, labels: { pool } }));

describe(`rollouts compared with the controllers of ${version}`, () => {
  let cluster: Cluster;
  let stage: Stage;
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    await cluster.createNodes(...nodes);
    stage = await openStage(cluster);
  });
  afterAll(async () => {
    stage?.mirror.stop();
    await cluster?.stop();
  });

  it.for([
    { subject: deploymentSubject, share: 0.5 },
    { subject: statefulSetSubject(maxUnavailable), share: 0.25 },
    { subject: daemonSetSubject, share: 0.25 },
  ])(
    `agrees on the next step of a $subject.kind (seed ${seed})`,
    { timeout: comparisonTimeoutMs },
    async ({ subject, share }) => {
      const score = emptyRolloutScore();
      const wanted = Math.ceil(rolloutStepsWanted * share);
      for (let number = 0; score.steps < wanted; number += 1) {
        await tryRollout(stage, subject, drawFrom(seed + number), number, score);
        if (score.disagreements.length > 20) break;
      }
      const { disagreements, ...counts } = score;
      console.log(
        `${subject.kind}: ${JSON.stringify(counts)}, ${disagreements.length} disagreements, seed ${seed}`,
      );
      expect(disagreements.length, disagreements.slice(0, 3).join('\n\n')).toBe(0);
    },
  );
});
