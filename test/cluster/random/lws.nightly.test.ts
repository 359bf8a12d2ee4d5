import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import type { Beside } from '../harness/beside.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { drawFrom } from './draw.js';
import { comparisonTimeoutMs, leaderWorkerSetStepsWanted, seed } from './extent.js';
import { leaderWorkerSetSubject } from './leader-worker-set-subject.js';
import { openStage, type Stage } from './rollout-stage.js';
import { emptyRolloutScore, tryRollout } from './rollout-trial.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const nodes = Array.from({ length: 5 }, (_, index) => ({ name: `n-${index}` }));

describe(`LeaderWorkerSets compared with their controller on ${version}`, () => {
  let cluster: Cluster;
  let controller: Beside;
  let stage: Stage;
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    await cluster.createNodes(...nodes);
    controller = await startLeaderWorkerSets(cluster);
    stage = await openStage(cluster, {}, ['LeaderWorkerSet', 'StatefulSet']);
  });
  afterAll(async () => {
    stage?.mirror.stop();
    await controller?.stop();
    await cluster?.stop();
  });

  it(`agrees on the next step (seed ${seed})`, { timeout: comparisonTimeoutMs }, async () => {
    const score = emptyRolloutScore();
    const subject = leaderWorkerSetSubject(ruleOfVersion(parseServerVersion(`v${version}`)));
    for (let number = 0; score.steps < leaderWorkerSetStepsWanted; number += 1) {
      await tryRollout(stage, subject, drawFrom(seed + number), number, score);
      if (score.disagreements.length > 20) break;
    }
    const { disagreements, ...counts } = score;
    console.log(
      `LeaderWorkerSet: ${JSON.stringify(counts)}, ${disagreements.length} disagreements, seed ${seed}`,
    );
    expect(disagreements.length, disagreements.slice(0, 10).join('\n\n')).toBe(0);
  });
});
