import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RemediationKind } from '../../src/core/remediation/remediation.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { kubeletAnnotation } from './harness/kubelet-stages.js';
import { grantClusterWide, type Looked, type Program, startProgram } from './harness/program.js';
import { statefulSetLowerOrdinals } from './incidents/stateful-set-lower-ordinals.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const name = 'db';

function manifest(namespace: string): V1StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace, name },
    spec: {
      replicas: 3,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, release: 'good' } },
        spec: {
          containers: [
            {
              name: 'app',
              image: 'registry.example/app:1',
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
            },
          ],
        },
      },
    },
  };
}

let cluster: Cluster;
let program: Program;
beforeAll(async () => {
  cluster = await startCluster({ version });
  await grantClusterWide(cluster);
  program = await startProgram(cluster);
});
afterAll(async () => {
  await program?.stop();
  await cluster?.stop();
});

/** Asks until a finding offers it. */
async function offered(looked: Looked, kind: RemediationKind) {
  const expiry = Date.now() + 60_000;
  for (let now = looked; ; now = await program.lookAgain(now.incident)) {
    const all = now.diagnosis.findings.flatMap(({ remediations }) => remediations);
    const remediation = all.find((each) => each.kind === kind);
    if (remediation !== undefined) return { incident: now.incident, remediation };
    if (Date.now() > expiry) throw new Error(`${kind} is not offered: ${JSON.stringify(now.diagnosis)}`);
  }
}

it(`goes back in two steps where an OrderedReady StatefulSet waits for a broken pod (${version})`, async () => {
  const namespace = await cluster.createNamespace('roll-back');
  await cluster.createNodes({ name: 'n-a' });
  await cluster.create(manifest(namespace));
  await cluster.until<V1StatefulSet, true>({
    what: 'three replicas to be available',
    selection: { kind: 'StatefulSet', namespace },
    check: (all) => all.some((one) => one.status?.availableReplicas === 3),
  });
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

  program.dateLooks(900);
  const workload = { cluster: 'test', kind: 'StatefulSet', namespace, name } as const;
  const first = await offered(await program.diagnose(workload), 'undo-rollout');
  expect(first.remediation).toMatchObject({
    thenDelete: ['db-2'],
    prediction: { ends: 'stuck', victims: [] },
  });
  const undone = await program.approve(await program.review(first.incident, first.remediation.id));

  expect(undone.change?.failure).toBeUndefined();
  expect(undone.change?.verdict, JSON.stringify(undone.change?.progress)).toBe('progressing');
  const left = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: 'db-2' });
  expect(left.metadata?.uid, 'the controller does not replace it').toBe(broken.metadata?.uid);
  expect(left.metadata?.deletionTimestamp).toBeUndefined();

  const second = await offered(await program.lookAgain(undone), 'delete-pod');
  const healed = await program.approve(await program.review(second.incident, second.remediation.id));
  expect(healed.change?.verdict, JSON.stringify(healed.change?.progress)).toBe('recovered');
  const pods = await Promise.all(
    ['db-0', 'db-1', 'db-2'].map((pod) => cluster.read<V1Pod>({ kind: 'Pod', namespace, name: pod })),
  );
  expect(pods.map(({ metadata }) => metadata?.labels?.release)).toEqual(['good', 'good', 'good']);
});

it(`goes back in two steps where lower ordinals hold what the updated pod needs (${version})`, async () => {
  program.dateLooks(0);
  const { workload, blocked } = await statefulSetLowerOrdinals.bringAbout(cluster);
  const first = await offered(await program.diagnose(workload), 'undo-rollout');
  expect(first.remediation).toMatchObject({
    thenDelete: blocked,
    prediction: { ends: 'stuck', victims: [] },
  });
  const undone = await program.approve(await program.review(first.incident, first.remediation.id));
  expect(undone.change?.failure).toBeUndefined();

  program.dateLooks(900);
  const second = await offered(await program.lookAgain(undone), 'delete-pod');
  expect(second.remediation).toMatchObject({ prediction: { ends: 'complete' } });
  const healed = await program.approve(await program.review(second.incident, second.remediation.id));
  expect(healed.change?.verdict, JSON.stringify(healed.change?.progress)).toBe('recovered');
});
