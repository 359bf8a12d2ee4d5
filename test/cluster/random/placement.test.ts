import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { drawFrom } from './draw.js';
import { placementsWanted, seed } from './extent.js';
import { furnish } from './furnish.js';
import { emptyScore, inBrief, tryCase } from './placement-trial.js';
import { openCourt, type SchedulerCourt } from './scheduler-court.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`the placement engine beside kube-scheduler ${version}`, () => {
  let cluster: Cluster;
  let court: SchedulerCourt;
  let namespaces: readonly unknown[];
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    namespaces = await furnish(cluster);
    court = await openCourt(cluster);
  });
  afterAll(async () => {
    court?.stop();
    await cluster?.stop();
  });

  it(`agrees on ${placementsWanted} placements of random pods (seed ${seed})`, async () => {
    const score = emptyScore();
    for (let number = 0; score.placements < placementsWanted; number += 1) {
      // Each case has its own seed, so that a single case can be repeated.
      await tryCase(court, namespaces, drawFrom(seed + number), number, score);
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
    expect(score.secondLooks).toBeLessThanOrEqual(placementsWanted / 100);
  }, 3_600_000);
});
