import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { oneSnapshot, recordedSource } from '#src/edges/cli/sources.js';
import { createThreadedEngine } from '#src/edges/threads/threaded-engine.js';
import { createPlanAgain } from '#src/service/approve/plan-again.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { testAuthority } from '../../support/authority.js';
import { buildIncident } from '../../support/records.js';

it('a review whose diagnosis loops is refused with a reason, and other reviews are answered meanwhile', async () => {
  const source = await recordedSource(join(import.meta.dirname, '../../scenarios/gpu-one-node'));
  const pure = createEngine();
  const snapshot = await oneSnapshot(source, { namespace: 'shop', name: 'inference' }, pure.needs);
  const { workload } = snapshot;
  const metadata = { ...workload.metadata, name: 'poison', namespace: 'team', uid: 'another' };
  const poison = { ...snapshot, workload: { ...workload, metadata } as typeof workload };
  const engine = createThreadedEngine({
    entry: new URL('../../system/attack/looping-thread.ts', import.meta.url),
    maxThreads: 2,
    needs: pure.needs,
    deadlineSeconds: 10,
  });
  onTestFinished(() => engine.close());
  const cluster: Pick<ClusterReader, 'snapshot' | 'clusters' | 'find'> = {
    clusters: ['prod'],
    find: async () => ({ type: 'found', workloads: [] }),
    snapshot: async ({ name }) => ({ type: 'snapshot', snapshot: name === 'poison' ? poison : snapshot }),
  };
  const planAgain = createPlanAgain({
    cluster,
    engine,
    authority: testAuthority,
    approvals: { get: async () => undefined },
  });
  const diagnosis = pure.diagnose(snapshot);
  const [remediation] = diagnosis.findings.flatMap(({ remediations }) => remediations);
  const incident = (name: string, id: string) =>
    buildIncident({
      id,
      phase: 'diagnosed',
      diagnosis,
      workload: { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name },
    });
  const looping = Array.from({ length: 3 }, (_, n) => planAgain(incident('poison', `p${n}`), 'any'));
  const refused = Promise.allSettled(looping);

  for (let n = 0; n < 3; n += 1) {
    const fresh = await planAgain(incident('inference', `i${n}`), remediation?.id ?? '');
    expect(fresh.type).toBe('fresh');
  }
  await engine.close();
  expect((await refused).every(({ status }) => status === 'rejected')).toBe(true);
});
