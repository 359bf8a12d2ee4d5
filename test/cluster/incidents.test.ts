import type { V1Deployment, V1Pod, V1VolumeAttachment } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { incidentsFor } from './incidents/all-incidents.js';
import { deadlocks, type Happened, type Known } from './incidents/incident.js';
import { mistakesIn, wanted } from './incidents/mistakes-in-diagnosis.js';
import { untilRolledOut } from './incidents/rolling.js';

/** Deletes the blocked pods once the holders and what was attached for them are gone. */
async function replace(
  cluster: Cluster,
  namespace: string,
  holders: readonly string[],
  blocked: readonly string[],
): Promise<void> {
  await cluster.until<V1Pod, true>({
    what: 'the holders to be gone',
    selection: { kind: 'Pod', namespace },
    check: (pods) => !pods.some((pod) => holders.includes(pod.metadata?.name ?? '')),
  });
  await cluster.until<V1VolumeAttachment, true>({
    what: 'their volumes to be detached',
    selection: { kind: 'VolumeAttachment' },
    check: (attachments) => attachments.length === 0,
  });
  for (const name of blocked) await cluster.remove({ kind: 'Pod', namespace, name });
}

/**
 * Diagnoses until the answer is the known one: right after the last event the controllers may not have
 * counted it yet. No diagnosis on the way may contain a forbidden cause.
 */
async function diagnosed(program: Program, known: Known, happened: Happened): Promise<DiagnosedIncident> {
  program.dateDiagnoses(known.stuckAfterSeconds ?? 0);
  const expiry = Date.now() + 90_000;
  let latest = await program.diagnose(happened.workload);
  for (;;) {
    const mistakes = mistakesIn(latest.diagnosis, known, happened);
    const isFinal = wanted(known).length === 0 || mistakes.some((mistake) => mistake.endsWith('it is not'));
    if (mistakes.length === 0) return latest;
    if (isFinal || Date.now() > expiry) {
      throw new Error(`${mistakes.join('\n')}\n${JSON.stringify(latest.diagnosis.findings, undefined, 1)}`);
    }
    latest = await program.diagnoseAgain(latest.incident);
  }
}

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`incidents on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  it.for(incidentsFor(version))('$id: $title', async (incident) => {
    const { known } = incident;
    const happened = await incident.reproduce(cluster);
    const { workload, holders, blocked, messages } = happened;
    for (const part of known.messages) expect(messages.join('\n')).toContain(part);
    const { namespace, name } = workload;
    const isDeadlock = known.cause !== undefined && deadlocks.includes(known.cause);
    if (isDeadlock) expect(holders, 'a deadlock has a holder').not.toEqual([]);
    for (const holder of holders) {
      const pod = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: holder });
      expect(pod.status?.conditions?.find((one) => one.type === 'Ready')?.status, holder).toBe('True');
    }
    const { diagnosis } = await diagnosed(program, known, happened);
    expect(diagnosis.unseen, 'the shipped rights suffice').toEqual([]);
    if (known.freedByStrategy === undefined) return;

    const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
    await cluster.patch({ kind: 'Deployment', namespace, name }, { spec: { strategy: { rollingUpdate } } });
    if (known.freedByStrategy) {
      if (known.placesOnlyNewPods) await replace(cluster, namespace, holders, blocked);
      await untilRolledOut(cluster, namespace, name);
      return;
    }
    // The controller stops an old pod without effect: now one pod less runs.
    const worse = await cluster.until<V1Deployment, V1Deployment>({
      what: 'the controller to have stopped an old pod without effect',
      selection: { kind: 'Deployment', namespace },
      check: (all) =>
        all.find(
          (one) =>
            one.metadata?.name === name &&
            (one.status?.availableReplicas ?? 0) < (one.spec?.replicas ?? 1) &&
            (one.status?.observedGeneration ?? 0) >= (one.metadata.generation ?? 0),
        ),
    });
    expect(worse.status?.conditions?.find((one) => one.type === 'Available')).toBeDefined();
    for (const pod of blocked) {
      const still = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: pod });
      expect(still.spec?.nodeName, `${pod} has no node`).toBeUndefined();
    }
  });
});
