import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { RemediationKind } from '#src/doctor/fixes/remediation.js';
import { runStatefulSet } from './controls/workloads.js';
import { recordReady } from './forms/applied-fix.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { kubeletAnnotation } from './harness/kubelet-stages.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { statefulSetLowerOrdinals } from './incidents/stateful-set-lower-ordinals.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const name = 'db';

describe(`roll back of an OrderedReady StatefulSet with a broken pod on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  /** Diagnoses until a finding offers it. */
  async function offered(latest: DiagnosedIncident, kind: RemediationKind) {
    const expiry = Date.now() + 60_000;
    for (let now = latest; ; now = await program.diagnoseAgain(now.incident)) {
      const all = now.diagnosis.findings.flatMap(({ remediations }) => remediations);
      const remediation = all.find((each) => each.kind === kind);
      if (remediation !== undefined) return { incident: now.incident, remediation };
      if (Date.now() > expiry) throw new Error(`${kind} is not offered: ${JSON.stringify(now.diagnosis)}`);
    }
  }

  /** The pods of `db` by ordinal. */
  const podsOf = (namespace: string) =>
    Promise.all(
      ['db-0', 'db-1', 'db-2'].map((pod) => cluster.read<V1Pod>({ kind: 'Pod', namespace, name: pod })),
    );

  it('restores the template and deletes the broken pod under one approval', async () => {
    const namespace = await cluster.createNamespace('roll-back');
    await cluster.createNodes({ name: 'n-a' });
    const container = { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } };
    const workload = await runStatefulSet(cluster, { namespace, name, container, spec: { replicas: 3 } });
    const before = await podsOf(namespace);
    const bad = { labels: { release: 'bad' }, annotations: { [kubeletAnnotation.start]: 'not-ready' } };
    await cluster.patch({ kind: 'StatefulSet', namespace, name }, { spec: { template: { metadata: bad } } });
    const broken = await cluster.until<V1Pod, V1Pod>({
      what: 'db-2 to run the new revision and not to be ready',
      selection: { kind: 'Pod', namespace },
      check: (pods) =>
        pods.find(
          ({ metadata, status }) =>
            metadata?.labels?.release === 'bad' &&
            status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'False'),
        ),
    });
    expect(broken.metadata?.name).toBe('db-2');

    program.dateDiagnoses(900);
    const { incident, remediation } = await offered(await program.diagnose(workload), 'undo-rollout');
    expect(remediation).toMatchObject({
      thenDelete: ['db-2'],
      prediction: { ends: 'complete', victims: [{ name: 'db-2' }] },
      price: { downtime: { readyAtLeast: 2 }, blastRadius: { pods: 1 } },
    });
    const record = await recordReady(cluster, { workload });
    const review = await program.review(incident, remediation.id);
    expect(review.approval.plan.afterwards?.pods).toEqual([{ name: 'db-2', uid: broken.metadata?.uid }]);
    const recovered = await program.approve(review);
    record.stop();

    expect(recovered.change?.failure).toBeUndefined();
    expect(recovered.change?.secondStep).toMatchObject({ deleted: ['db-2'], skipped: [] });
    expect(recovered.change?.verdict, JSON.stringify(recovered.change?.progress)).toBe('recovered');
    expect(record.least()).toBe(2);
    const pods = await podsOf(namespace);
    expect(pods.map(({ metadata }) => metadata?.labels?.release)).toEqual([undefined, undefined, undefined]);
    const uidsOf = (all: readonly V1Pod[]) => all.slice(0, 2).map(({ metadata }) => metadata?.uid);
    expect(uidsOf(pods)).toEqual(uidsOf(before));
  });

  it('does the same where lower ordinals use what the updated pod needs', async () => {
    program.dateDiagnoses(0);
    const { workload, blocked } = await statefulSetLowerOrdinals.reproduce(cluster);
    const { incident, remediation } = await offered(await program.diagnose(workload), 'undo-rollout');
    expect(remediation).toMatchObject({ thenDelete: blocked, prediction: { ends: 'complete' } });
    const recovered = await program.approve(await program.review(incident, remediation.id));

    expect(recovered.change?.failure).toBeUndefined();
    expect(recovered.change?.secondStep).toMatchObject({ deleted: blocked });
    expect(recovered.change?.verdict, JSON.stringify(recovered.change?.progress)).toBe('recovered');
  });
});
