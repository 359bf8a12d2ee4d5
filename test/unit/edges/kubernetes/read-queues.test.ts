import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readQueues } from '#src/edges/kubernetes/read-add-ons.js';
import { queuedRollout } from '../../../support/kueue-builders.js';

const { oldPods, newPod } = queuedRollout();
const v1beta2 = '/apis/kueue.x-k8s.io/v1beta2';
const v1beta1 = '/apis/kueue.x-k8s.io/v1beta1';

async function reading(
  statusOf: (path: string) => number,
  pods = [...oldPods, newPod],
  queues: readonly object[] = [{ metadata: { name: 'team' }, spec: {} }],
) {
  const asked: string[] = [];
  const call: ApiCall = async ({ path }) => {
    asked.push(path);
    const status = statusOf(path);
    const items = path.endsWith('/clusterqueues') ? queues : [];
    return {
      status,
      body: status === 200 ? { items } : { message: String(status) },
      retryAfterMs: undefined,
    };
  };
  const gathering = createGathering(call, new AbortController().signal);
  await readQueues(gathering, pods);
  return {
    asked: asked.sort(),
    queues: gathering.objects().ClusterQueue.map(({ metadata, spec }) => [metadata.name, spec.cohort]),
    unseen: gathering.unseen().map(({ what, namespace, because }) => `${what} ${namespace} ${because}`),
  };
}

const lists = ['clusterqueues', 'localqueues', 'resourceflavors', 'workloads'];

describe('the queues of Kueue', () => {
  it("are read where a pod waits at Kueue's gate", async () => {
    const { asked, queues, unseen } = await reading(() => 200);

    expect(asked).toEqual(lists.map((each) => `${v1beta2}/${each}`));
    expect({ queues, unseen }).toEqual({ queues: [['team', undefined]], unseen: [] });
  });

  it('are not read where no pod does', async () => {
    expect((await reading(() => 200, [...oldPods])).asked).toEqual([]);
  });

  it('are read in the older version where the newer one is not served', async () => {
    const old = [{ metadata: { name: 'team' }, spec: { cohort: 'all' } }];
    const { queues, unseen, asked } = await reading(
      (path) => (path.startsWith(v1beta2) ? 404 : 200),
      undefined,
      old,
    );

    expect({ queues, unseen }).toEqual({ queues: [['team', 'all']], unseen: [] });
    expect(asked).toContain(`${v1beta1}/cohorts`);
  });

  it('do not exist where neither version is served', async () => {
    expect(await reading(() => 404)).toMatchObject({ queues: [], unseen: [] });
  });

  it('are read in the namespace of the pods where RBAC denies all namespaces, and the rest is unseen', async () => {
    const { asked, unseen } = await reading((path) =>
      /v1beta2\/(?:workloads|localqueues)$/u.test(path) ? 403 : 200,
    );

    expect(asked).toContain(`${v1beta2}/namespaces/shop/workloads`);
    expect(unseen).toEqual(['Workload  forbidden', 'LocalQueue  forbidden']);
  });

  it('read cohorts only where a ClusterQueue is in one', async () => {
    const cohort = [{ metadata: { name: 'team' }, spec: { cohortName: 'all' } }];

    expect((await reading(() => 200, undefined, cohort)).asked).toContain(`${v1beta2}/cohorts`);
  });
});
