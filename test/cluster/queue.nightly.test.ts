import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { deploymentManifest } from './incidents/deployment-manifest.js';
import { deployment } from './incidents/incident.js';
import { rollOut, untilRolledOut, untilUnschedulable, update } from './incidents/rolling.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const gpu = 'nvidia.com/gpu';
const lacksGpu = [`Insufficient ${gpu}`];

/** A Deployment of another team that waits beside a rollout that is deadlocked on the only GPU. */
interface Rival {
  readonly title: string;
  readonly gpus: string;
  readonly waits: 'before the new pod' | 'after the new pod';
  readonly priorityClass?: { readonly value: number; readonly preemptionPolicy: 'Never' };
  /** Whether the scheduler gives it the GPU once the old pod is gone; `undefined`: either may get it. */
  readonly getsIt: false | undefined;
}

const rivals: readonly Rival[] = [
  { title: 'an older pod of the same priority', gpus: '1', waits: 'before the new pod', getsIt: undefined },
  {
    title: 'a younger pod of higher priority',
    gpus: '1',
    waits: 'after the new pod',
    priorityClass: { value: 1000, preemptionPolicy: 'Never' },
    // The scheduler has just refused it. During its back-off, a pod of lower priority is tried first.
    getsIt: undefined,
  },
  { title: 'an older pod that needs two GPUs', gpus: '2', waits: 'before the new pod', getsIt: false },
];

describe(`the pod that gets the freed GPU on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  it.for(rivals)('$title: the outcome matches the forecast', async (rival) => {
    const namespace = await cluster.createNamespace('queue');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { [gpu]: '1' } }, { name: 'cpu-a' });
    const requests = { [gpu]: '1' };
    const old = await rollOut(cluster, { namespace, name: 'inference', requests });
    const wait = async (): Promise<void> => {
      await createRival(namespace, rival);
      await untilUnschedulable(cluster, namespace, 'training', [], lacksGpu);
    };
    if (rival.waits === 'before the new pod') await wait();
    await update(cluster, namespace, 'inference');
    await untilUnschedulable(cluster, namespace, 'inference', old, lacksGpu);
    if (rival.waits === 'after the new pod') await wait();

    const patch = await offeredPatch(namespace);
    const expected = rival.getsIt === false ? 'complete' : 'contested';
    expect(patch.all[0]?.kind).toBe(expected === 'complete' ? 'patch-strategy' : 'undo-rollout');
    expect(patch.remediation.prediction.ends).toBe(expected);
    expect(patch.remediation.prediction.competitors.map(({ name }) => name.replace(/-.*/, ''))).toEqual(
      expected === 'complete' ? [] : ['training'],
    );

    const { strategy } = patch.remediation;
    if (strategy.type !== 'RollingUpdate') throw new Error('the gentle strategy should be enough');
    const { type, ...rollingUpdate } = strategy;
    await cluster.patch(
      { kind: 'Deployment', namespace, name: 'inference' },
      { spec: { strategy: { type, rollingUpdate } } },
    );
    const winner = await untilTaken(namespace, old);
    expect(rival.getsIt === false ? ['inference'] : ['inference', 'training']).toContain(winner);
    if (winner === 'inference') await untilRolledOut(cluster, namespace, 'inference');
  });

  async function createRival(namespace: string, { gpus, priorityClass }: Rival): Promise<void> {
    const named = priorityClass === undefined ? {} : { priorityClassName: 'ahead' };
    if (priorityClass !== undefined) {
      await cluster.create({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'ahead' },
        ...priorityClass,
      });
    }
    await cluster.create(
      deploymentManifest({ namespace, name: 'training', requests: { [gpu]: gpus }, pod: named }),
    );
  }

  /**
   * Diagnoses until the fix is offered: right after the last event the controllers may not have counted it.
   */
  async function offeredPatch(namespace: string) {
    const expiry = Date.now() + 90_000;
    let latest = await program.diagnose(deployment(namespace, 'inference'));
    for (;;) {
      const all: readonly Remediation[] = latest.diagnosis.findings.flatMap(
        ({ remediations }) => remediations,
      );
      const remediation = all.find((each) => each.kind === 'patch-strategy');
      if (remediation !== undefined) return { all, remediation };
      if (Date.now() > expiry) throw new Error(`not offered: ${JSON.stringify(latest.diagnosis)}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }

  /** The app whose pod gets the GPU once the old pods are gone. */
  async function untilTaken(namespace: string, old: readonly string[]): Promise<string> {
    return cluster.until<V1Pod, string>({
      what: 'another pod to get the GPU',
      selection: { kind: 'Pod', namespace },
      check: (pods) =>
        pods.find(({ metadata, spec }) => spec?.nodeName === 'gpu-a' && !old.includes(metadata?.name ?? ''))
          ?.metadata?.labels?.app,
    });
  }
});
