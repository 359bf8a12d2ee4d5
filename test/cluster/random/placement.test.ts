import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { drawFrom } from './draw.js';
import { comparisonTimeoutMs, placementsWanted, seed } from './extent.js';
import { furnish } from './furnish.js';
import { emptyScore, inBrief, tryCase } from './placement-trial.js';
import { type SchedulerUnderTest, startScheduler } from './scheduler-under-test.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`placement compared with kube-scheduler ${version}`, () => {
  let cluster: Cluster;
  let scheduler: SchedulerUnderTest;
  let namespaces: readonly unknown[];
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    namespaces = await furnish(cluster);
    scheduler = await startScheduler(cluster);
  });
  afterAll(async () => {
    scheduler?.stop();
    await cluster?.stop();
  });

  it(
    `agrees on ${placementsWanted} placements of random pods (seed ${seed})`,
    async () => {
      const score = emptyScore();
      for (let number = 0; score.placements < placementsWanted; number += 1) {
        // Each case has a seed of its own, so that one can be repeated alone.
        await tryCase(scheduler, namespaces, drawFrom(seed + number), number, score);
      }
      const { disagreements, reasons, ...counts } = score;
      const byFrequency = [...reasons].sort(([, a], [, b]) => b - a);
      console.log(
        [
          `placements: ${JSON.stringify(counts)}, ${disagreements.length} disagreements, seed ${seed}`,
          ...byFrequency.map(([reason, count]) => `  ${count} ${reason}`),
        ].join('\n'),
      );
      const shown = disagreements.slice(0, 3).map(inBrief);
      expect(disagreements.length, shown.join('\n\n')).toBe(0);
      expect(score.unanswered).toBe(0);
      expect(score.repeatedQuestions).toBeLessThanOrEqual(placementsWanted / 100);
    },
    comparisonTimeoutMs,
  );
});
