import { describe, expect, it } from 'vitest';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { approvalAnnotation } from '#src/edges/kubernetes/change-body.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { trusting } from '../../support/authority.js';

const mark = 'approval-1';
const target = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  namespace: 'shop',
  name: 'db',
  uid: 'uid-of-db',
  generation: 2,
};

/** After the first step: restored, observed, and `db-2` still broken. */
function restoredSet(
  more: { readonly spec?: object; readonly status?: object; readonly metadata?: object } = {},
) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name: 'db',
      namespace: 'shop',
      uid: target.uid,
      generation: 3,
      annotations: { [approvalAnnotation]: mark },
      ...more.metadata,
    },
    spec: { podManagementPolicy: 'OrderedReady', ...more.spec },
    status: { observedGeneration: 3, updateRevision: 'db-1', ...more.status },
  };
}

const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: target.uid, controller: true };

function brokenPod(metadata: object = {}, ready = 'False') {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'db-2',
      namespace: 'shop',
      uid: 'uid-of-db-2',
      resourceVersion: '7',
      labels: { 'controller-revision-hash': 'db-2' },
      ownerReferences: [owner],
      ...metadata,
    },
    spec: { containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
  };
}

interface World {
  set?: object | undefined;
  pod?: object | undefined;
  /** Answers deletions that are not a dry run in place of the API server. */
  onDelete?: () => ApiAnswer | undefined;
}

const answer = (status: number, body: unknown): ApiAnswer => ({ status, body, retryAfterMs: undefined });

function clusterWith(world: World, fields: Partial<VerifiedApproval> = {}) {
  const deletions: ApiRequest[] = [];
  const call = async (request: ApiRequest): Promise<ApiAnswer> => {
    const { method = 'GET', path, query = {} } = request;
    if (method === 'POST') return answer(201, {});
    if (method === 'GET') {
      const stored = path.endsWith('/statefulsets/db') ? world.set : world.pod;
      return stored === undefined ? answer(404, {}) : answer(200, stored);
    }
    const { pod } = world;
    if (query.dryRun !== undefined) return answer(200, pod);
    deletions.push(request);
    const instead = world.onDelete?.();
    if (instead !== undefined) return instead;
    world.pod = undefined;
    return answer(200, pod);
  };
  const patcher = createWorkloadPatcher({
    connections: [{ name: 'prod', call, stream: async () => answer(500, '') }],
    clock: { now: () => new Date() },
    ...trusting,
    timeoutMs: 10_000,
  });
  const approval = {
    id: mark,
    workload: { cluster: 'prod' },
    plan: {
      target,
      request: { verb: 'restore-template' },
      changes: [],
      afterwards: { verb: 'delete-pods', pods: [{ name: 'db-2', uid: 'uid-of-db-2' }] },
    },
    applied: { at: '', generation: 3 },
    decisions: [],
    remediation: { kind: 'undo-rollout' },
    cause: 'application-crash',
    expiresAt: '2100-01-01T00:00:00Z',
    undoes: false,
    ...fields,
  } as unknown as VerifiedApproval;
  return { patcher, approval, deletions, world };
}

describe('the second step of a plan', () => {
  it('deletes the broken pod by uid and resourceVersion, once', async () => {
    const { patcher, approval, deletions } = clusterWith({ set: restoredSet(), pod: brokenPod() });

    expect(await patcher.applySecondStep(approval)).toEqual({ deleted: ['db-2'], skipped: [] });
    expect(deletions.map(({ body }) => body)).toMatchObject([
      { preconditions: { uid: 'uid-of-db-2', resourceVersion: '7' } },
    ]);
    expect(await patcher.applySecondStep(approval)).toEqual({
      deleted: [],
      skipped: [{ pod: 'db-2', because: 'gone' }],
    });
    expect(deletions).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['without the mark of the first step', restoredSet({ metadata: { annotations: {} } })],
    [
      'with the mark of another approval',
      restoredSet({ metadata: { annotations: { [approvalAnnotation]: 'x' } } }),
    ],
    ['before the first step', restoredSet({ metadata: { generation: 2 } })],
    ['that was changed since', restoredSet({ metadata: { generation: 4 } })],
    ['that was replaced', restoredSet({ metadata: { uid: 'another' } })],
    ['that is Parallel now', restoredSet({ spec: { podManagementPolicy: 'Parallel' } })],
    ['whose controller has not observed it', restoredSet({ status: { observedGeneration: 2 } })],
  ])('deletes no pod of a StatefulSet %s', async (_, set) => {
    const { patcher, approval, deletions } = clusterWith({ set, pod: brokenPod() });

    expect(await patcher.applySecondStep(approval)).toMatchObject({
      deleted: [],
      failed: { type: 'refused', because: 'stale' },
    });
    expect(deletions).toEqual([]);
  });

  it('deletes no pod where the record contains no response to the first step', async () => {
    const { patcher, approval, deletions } = clusterWith(
      { set: restoredSet(), pod: brokenPod() },
      { applied: undefined },
    );

    expect(await patcher.applySecondStep(approval)).toMatchObject({ failed: { because: 'stale' } });
    expect(deletions).toEqual([]);
  });

  it.each<[string, object]>([
    ['of another StatefulSet', brokenPod({ ownerReferences: [{ ...owner, uid: 'another' }] })],
    ['of a Deployment', brokenPod({ ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] })],
    ['without a controller', brokenPod({ ownerReferences: [{ ...owner, controller: false }] })],
  ])('does not delete a pod %s', async (_, pod) => {
    const { patcher, approval, deletions } = clusterWith({ set: restoredSet(), pod });

    expect(await patcher.applySecondStep(approval)).toMatchObject({ failed: { because: 'stale' } });
    expect(deletions).toEqual([]);
  });

  it.each<[string, object | undefined, string]>([
    ['that is ready', brokenPod({}, 'True'), 'ready'],
    ['of the restored revision', brokenPod({ labels: { 'controller-revision-hash': 'db-1' } }), 'updated'],
    ['that was replaced under its name', brokenPod({ uid: 'another' }), 'gone'],
    ['that is being deleted', brokenPod({ deletionTimestamp: '2026-11-20T09:30:00Z' }), 'gone'],
    ['that is gone', undefined, 'gone'],
  ])('skips a pod %s', async (_, pod, because) => {
    const { patcher, approval, deletions } = clusterWith({ set: restoredSet(), pod });

    expect(await patcher.applySecondStep(approval)).toEqual({
      deleted: [],
      skipped: [{ pod: 'db-2', because }],
    });
    expect(deletions).toEqual([]);
  });

  it('sends no request after the approval expired', async () => {
    const { patcher, approval, deletions } = clusterWith(
      { set: restoredSet(), pod: brokenPod() },
      { expiresAt: '2020-01-01T00:00:00Z' },
    );

    expect(await patcher.applySecondStep(approval)).toMatchObject({
      failed: { type: 'lapsed', because: 'expired' },
    });
    expect(deletions).toEqual([]);
  });

  it('reads the pod again after a write conflict, and skips it when it became ready', async () => {
    const { patcher, approval, deletions, world } = clusterWith({
      set: restoredSet(),
      pod: brokenPod(),
      onDelete: () => {
        world.pod = brokenPod({ resourceVersion: '8' }, 'True');
        return answer(409, { message: 'the object has been modified' });
      },
    });

    expect(await patcher.applySecondStep(approval)).toMatchObject({ skipped: [{ because: 'ready' }] });
    expect(deletions).toHaveLength(1);
  });

  it.each(
    [200, 400, 403, 404, 409, 422, 429, 500, 504, 'no answer' as const].flatMap((status) =>
      (['gone', 'terminating', 'left'] as const).map((becomes) => ({ status, becomes })),
    ),
  )('looks at the pod after a proxy answered with $status: it is $becomes', async ({ status, becomes }) => {
    const { patcher, approval, world, deletions } = clusterWith({
      set: restoredSet(),
      pod: brokenPod(),
      onDelete: () => {
        if (becomes === 'gone') world.pod = undefined;
        if (becomes === 'terminating') world.pod = brokenPod({ deletionTimestamp: '2026-11-20T09:30:00Z' });
        if (status === 'no answer') throw new TypeError('fetch failed');
        return answer(status, '<!doctype html>');
      },
    });

    const outcome = await patcher.applySecondStep(approval);
    expect(outcome.deleted).toEqual(becomes === 'left' ? [] : ['db-2']);
    expect(outcome.failed !== undefined).toBe(becomes === 'left');
    // What was overtaken is sent again.
    if (status !== 404 && status !== 409) expect(deletions).toHaveLength(1);
  });
});
