import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { isAlone, startRecovering } from '../forms/applied-fix.js';
import { drawnFixes, fixesSeed } from '../forms/drawn-fixes.js';
import type { Beside } from '../harness/beside.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { deadlockedRollouts } from './deadlocks.js';
import { heldUpdates } from './held-updates.js';
import { otherDeadlockedRollouts } from './other-deadlocks.js';
import { rolloutName } from './recorded-rollout.js';
import { isPromoted, untilReadyPods, untilRollout } from './rolling.js';
import type { RolloutObject } from './rollout-manifest.js';
import { startArgoRollouts } from './start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const isAborted = ({ status }: RolloutObject): boolean => status?.abort === true;

const ends = {
  'patch-strategy-in-place': isPromoted,
  'abort-rollout': isAborted,
  'undo-rollout': isPromoted,
  'resume-rollout': isPromoted,
} as const;
type Fix = keyof typeof ends;
const patchOrBack: readonly Fix[] = ['patch-strategy-in-place', 'abort-rollout', 'undo-rollout'];
const back: readonly Fix[] = ['abort-rollout', 'undo-rollout'];

/** Fixes that a Rollout is offered, and how many pods its real controller then has. */
const fixes = [
  ...of('canary-without-steps', 1, ['patch-strategy-in-place', 'undo-rollout']),
  ...of('canary-of-four-replicas', 4, ['patch-strategy-in-place']),
  ...of('third-revision', 1, ['patch-strategy-in-place']),
  ...of('template-of-a-deployment', 1, ['patch-strategy-in-place']),
  ...of('canary-at-a-low-weight', 1, ['abort-rollout']),
  ...of('routed-canary', 1, ['abort-rollout']),
  ...of('blue-green', 1, ['abort-rollout']),
  ...of('quota-canary', 1, patchOrBack),
  ...of('quota-of-four-replicas', 4, patchOrBack),
  ...of('quota-routed-canary', 1, back),
  ...of('quota-blue-green', 1, back),
  ...of('lock-canary', 1, patchOrBack),
  ...of('lock-blue-green', 1, back),
  ...of('volume-canary', 1, patchOrBack),
  ...of('volume-routed-canary', 1, back),
  ...of('host-port-canary', 1, patchOrBack),
  ...of('one-pod-volume-blue-green', 1, back),
  ...of('paused-before-the-update', 1, ['resume-rollout']),
  ...of('analysis-without-a-conclusion', 2, ['abort-rollout']),
];

function of(incident: string, pods: number, offered: readonly Fix[]) {
  return offered.map((fix) => ({ incident, fix, pods }));
}

const chosen = drawnFixes(fixes, 8);

describe(`approved fixes of Rollouts (${chosen.length} of ${fixes.length}, seed ${fixesSeed}) on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let argo: Beside;
  let program: Program;
  let namespace: string;
  withProgram(
    {
      version,
      prepare: async (started) => {
        argo = await startArgoRollouts(started);
        return argo;
      },
      rights: ['argo-rollouts/rollouts.yaml'],
      cancelSeconds: 0,
    },
    (started) => {
      ({ cluster, program } = started);
    },
  );
  beforeEach(async () => {
    namespace = await cluster.createNamespace('shop');
  });

  it.each(chosen)(
    '$fix ends $incident, and undo restores the previous state',
    { timeout: 240_000 },
    async ({ incident, fix, pods }) => {
      const all = [...deadlockedRollouts, ...otherDeadlockedRollouts, ...heldUpdates];
      const found = all.find(({ id }) => id === incident);
      await found?.reproduce(cluster, namespace, argo);
      program.dateDiagnoses(found?.diagnoseAfterSeconds ?? 0);
      const workload: WorkloadRef = { cluster: 'test', kind: 'Rollout', namespace, name: rolloutName };
      const { incident: opened, diagnosis } = await program.diagnose(workload);
      expect(diagnosis.findings[0]).toMatchObject({ cause: found?.expected.cause, confidence: 'proven' });

      const remediation = diagnosis.findings[0]?.remediations.find(({ id }) => id.startsWith(fix));
      const stopRecovering = startRecovering(cluster, { heals: isAlone }, { namespaces: [namespace] });

      const settled = await program.approve(await program.review(opened, remediation?.id ?? fix));

      expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
      await untilRollout(cluster, namespace, rolloutName, 'as the fix makes it', ends[fix]);
      await untilReadyPods(cluster, namespace, rolloutName, pods);
      await stopRecovering();

      const undone = await program.approve(await program.review(settled, 'undo'));

      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
      await cluster.objects.delete({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Rollout',
        metadata: { namespace, name: rolloutName },
      });
    },
  );
});
