import { afterEach, describe, expect, it } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { analysisName, startAnalysisServer } from './analysis-server.js';
import { rolloutName as name } from './recorded-rollout.js';
import {
  isPromoted,
  patchRollout,
  rollOutArgo,
  untilReadyPods,
  untilRollout,
  updateArgo,
} from './rolling.js';
import { type RolloutObject, serviceManifest } from './rollout-manifest.js';
import { startArgoRollouts } from './start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }, { pause: {} }];
const isPausedAt =
  (step: number) =>
  ({ status }: RolloutObject): boolean =>
    status?.phase === 'Paused' && status.currentStepIndex === step;
const isAborted = ({ status }: RolloutObject): boolean =>
  status?.abort === true && status.phase === 'Degraded';

/** A person asks for what `kubectl argo rollouts` can do to an update, beside the real controller. */
describe(`requested changes of updates of Argo Rollouts on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  let namespace: string;

  const rights = ['argo-rollouts/rollouts.yaml'];
  withProgram({ version, prepare: startArgoRollouts, rights, cancelSeconds: 0 }, (started) => {
    ({ cluster, program } = started);
  });
  afterEach(async () => {
    const metadata = { namespace, name };
    await cluster.objects.delete({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata });
  });

  /** A Rollout of two pods with room for four, before its update. */
  async function rolledOut(strategy: object): Promise<void> {
    namespace = await cluster.createNamespace('shop');
    await cluster.createNodes({ name: 'node-a' }, { name: 'node-b' });
    await rollOutArgo(cluster, { namespace, name, replicas: 2, strategy });
  }

  const until = (what: string, check: (rollout: RolloutObject) => boolean) =>
    untilRollout(cluster, namespace, name, what, check);

  /** The change is requested, reviewed, approved, made and verified. */
  async function make(kind: Exclude<RequestedChange['kind'], 'exclude-nodes'>) {
    const workload: WorkloadRef = { cluster: 'test', kind: 'Rollout', namespace, name };
    const { incident, diagnosis } = await program.diagnose(workload, { kind });
    expect(diagnosis.requested).toMatchObject({
      type: 'possible',
      remediation: { id: `requested-${kind}`, prediction: { ends: 'complete' } },
    });
    const settled = await program.approve(await program.review(incident, `requested-${kind}`));
    expect(settled.phase).toBe('settled');
    expect(settled.change?.verdict, JSON.stringify(settled.change?.progress)).toBe('recovered');
    return settled;
  }

  it('promotes a canary from pause to pause up to its promotion', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: { maxSurge: 1, maxUnavailable: 0, steps } });
    await updateArgo(cluster, namespace, name);
    await until('at its first pause', isPausedAt(1));
    await untilReadyPods(cluster, namespace, name, 2);

    const first = await make('promote-rollout');

    await until('at its second pause', isPausedAt(3));
    expect(first.change?.undo).toBeUndefined();
    await make('promote-rollout');
    await until('promoted', isPromoted);
    await untilReadyPods(cluster, namespace, name, 2);
  });

  it('refuses a promotion that was reviewed at an earlier pause', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: { maxSurge: 1, maxUnavailable: 0, steps } });
    await updateArgo(cluster, namespace, name);
    await until('at its first pause', isPausedAt(1));
    await untilReadyPods(cluster, namespace, name, 2);
    const workload: WorkloadRef = { cluster: 'test', kind: 'Rollout', namespace, name };
    const { incident } = await program.diagnose(workload, { kind: 'promote-rollout' });
    const review = await program.review(incident, 'requested-promote-rollout');
    await patchRollout(cluster, namespace, name, { status: { pauseConditions: null } }, '/status');
    await until('at its second pause', isPausedAt(3));

    const outcome = await program.approve(review).then(
      ({ change }) => change?.verdict ?? change?.failure?.key ?? 'none',
      (error: unknown) => String(error),
    );

    expect(outcome).not.toBe('recovered');
    await until('still at its second pause', isPausedAt(3));
  });

  it('promotes a blue-green update', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: {} });
    await cluster.objects.create(serviceManifest(namespace, 'active', name));
    await patchRollout(cluster, namespace, name, {
      spec: {
        strategy: { canary: null, blueGreen: { activeService: 'active', autoPromotionEnabled: false } },
      },
    });
    await updateArgo(cluster, namespace, name);
    await until('before its promotion', ({ status }) => status?.phase === 'Paused');
    await untilReadyPods(cluster, namespace, name, 4);

    await make('promote-rollout');

    await until('promoted', isPromoted);
  });

  it('promotes past an analysis without a conclusion, to the next pause', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: {} });
    const server = await startAnalysisServer(cluster, namespace, 'neither');
    const analysis = { analysis: { templates: [{ templateName: analysisName }] } };
    await patchRollout(cluster, namespace, name, {
      spec: {
        strategy: {
          canary: { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 50 }, analysis, { pause: {} }] },
        },
      },
    });
    await updateArgo(cluster, namespace, name);
    await until('without a conclusion', isPausedAt(1));
    await untilReadyPods(cluster, namespace, name, 2);

    await make('promote-rollout');

    await until('at the pause after the analysis', isPausedAt(2));
    await server.stop();
  });

  it('aborts an update, retries it, and undoes both', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: { maxSurge: 1, maxUnavailable: 0, steps } });
    await updateArgo(cluster, namespace, name);
    await until('at its first pause', isPausedAt(1));
    await untilReadyPods(cluster, namespace, name, 2);

    const aborted = await make('abort-rollout');
    await until('aborted', isAborted);
    await untilReadyPods(cluster, namespace, name, 2);
    const retried = await program.approve(await program.review(aborted, 'undo'));
    expect(retried.change).toMatchObject({ undoes: true, verdict: 'undone' });
    await until('at its first pause again', isPausedAt(1));
    // A change right after a write of the controller is lost to it (argo-rollouts
    // `rollout/controller.go: writeBackToInformer`).
    await untilReadyPods(cluster, namespace, name, 2);

    await patchRollout(cluster, namespace, name, { status: { abort: true } }, '/status');
    await until('aborted', isAborted);
    await untilReadyPods(cluster, namespace, name, 2);
    const again = await make('retry-rollout');
    await until('at its first pause', isPausedAt(1));
    const undone = await program.approve(await program.review(again, 'undo'));
    expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    await until('aborted', isAborted);
  });

  it('resumes a Rollout that a person paused, and undo pauses it', { timeout: 240_000 }, async () => {
    await rolledOut({ canary: { maxSurge: 1, maxUnavailable: 0, steps } });
    await patchRollout(cluster, namespace, name, { spec: { paused: true } });
    await updateArgo(cluster, namespace, name);
    await until('paused', ({ status }) => status?.phase === 'Paused');

    const settled = await make('resume-rollout');

    await until('at its first pause', isPausedAt(1));
    const undone = await program.approve(await program.review(settled, 'undo'));
    expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    await until('paused by its spec', ({ spec }) => spec?.paused === true);
  });
});
