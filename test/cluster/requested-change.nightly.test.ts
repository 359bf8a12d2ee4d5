import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { healthyRollout } from './incidents/moving-rollouts.js';
import { podNames } from './incidents/rolling.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const restart = { kind: 'restart-rollout' } as const;

/** A person asks for a change of a real workload: forecast, review, dry run, approval, change and verdict. */
describe(`requested changes on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;

  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  it('restarts a healthy Deployment and verifies the complete rollout', async () => {
    const { workload } = await healthyRollout.reproduce(cluster);
    const { namespace, name } = workload;
    const before = await podNames(cluster, namespace, name);
    const { incident, diagnosis } = await program.diagnose(workload, restart);
    expect(diagnosis.requested).toMatchObject({
      type: 'possible',
      warnings: [],
      remediation: { id: 'requested-restart-rollout', prediction: { ends: 'complete' } },
    });

    const settled = await program.approve(await program.review(incident, 'requested-restart-rollout'));

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    expect(settled.change?.requested?.by).toBeDefined();
    await cluster.until<V1Pod, true>({
      what: 'only new pods to be left',
      selection: { kind: 'Pod', namespace },
      check: (pods) => pods.every((pod) => !before.includes(pod.metadata?.name ?? '')),
    });
  });

  it('forecasts that a restart would deadlock, and demands the name', async () => {
    const { workload } = await surgeExtendedResource.reproduce(cluster);
    const { incident, diagnosis } = await program.diagnose(workload, restart);

    expect(diagnosis.requested).toMatchObject({
      type: 'possible',
      remediation: { prediction: { ends: 'stuck' } },
    });
    expect(JSON.stringify(diagnosis.requested)).toContain('would-deadlock');
    const review = await program.review(incident, 'requested-restart-rollout');
    expect(review.demands.typeName).toBe(true);
    await expect(program.approve(review)).rejects.toThrow('name-not-typed');
  });
});
