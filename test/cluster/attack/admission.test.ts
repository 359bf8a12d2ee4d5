import type { KubernetesObject } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Plan, Refusal } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import type { ApiCall, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { type ResourceKind, resourceKinds } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { WorkloadPatcher } from '#src/service/change/workload-patcher.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { buildTrial, trusting } from '../../support/authority.js';
import { type Cluster, startCluster, type Target } from '../harness/cluster.js';
import { applyAdmission } from '../harness/shipped-admission.js';
import { accounts, applyShipped } from '../harness/shipped-rbac.js';
import { createWorkloads, namespace, type WorkloadKind, workloads } from './admission-objects.js';
import { approval, deniedPatches, deniedRequests, patch, pathOf, templatePatches } from './denied-changes.js';
import {
  allowedChanges,
  changeableFields,
  deniedFields,
  deniedWithin,
  fieldsWithoutEffect,
  specWith,
} from './template-fields.js';

interface OpenApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
  };
}

const clock = { now: () => new Date() };
const needs: ReadonlySet<ResourceKind> = new Set(resourceKinds);
const kinds = Object.keys(workloads) as WorkloadKind[];

describe('the admission policies of the patcher', () => {
  let cluster: Cluster;
  let reader: ClusterReader;
  let patcher: WorkloadPatcher;
  let asPatcher: ApiCall;
  let asAdministrator: ApiCall;
  let oldReplicaSet: KubernetesObject;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: 'none' });
    await applyShipped(cluster, [
      'base/service-accounts.yaml',
      'cluster-wide/reader.yaml',
      'cluster-wide/patcher.yaml',
    ]);
    // All rights, so that only the policies deny a request.
    await cluster.objects.create(
      Object.assign(
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'everything' },
        },
        {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: [{ kind: 'ServiceAccount', name: accounts.patcher, namespace: accounts.namespace }],
        },
      ),
    );
    ({ oldReplicaSet } = await createWorkloads(cluster));
    const kubeconfig = await cluster.kubeconfigFor({ namespace: accounts.namespace, name: accounts.patcher });
    const connections = connectClusters({ kubeconfig, contexts: [] });
    const own = connectClusters({ kubeconfig: cluster.controlPlane.adminKubeconfig, contexts: [] });
    asPatcher = callOf(connections);
    asAdministrator = callOf(own);
    reader = createClusterReader({ connections: own, clock, timeoutMs: 30_000, findTimeoutMs: 10_000 });
    patcher = createWorkloadPatcher({ connections, clock, ...trusting, timeoutMs: 30_000 });
    await applyAdmission(cluster, 'base');
    await untilDenied(patch(pathOf('Deployment'), { metadata: { labels: { team: 'x' } } }));
    await untilDenied(patch('/api/v1/nodes/node-a', { spec: { unschedulable: true } }));
    await untilDenied(deniedRequests({})[0]?.[1]);
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  function callOf([first]: readonly { readonly call: ApiCall }[]): ApiCall {
    if (first === undefined) throw new Error('the kubeconfig names no cluster');
    return first.call;
  }

  const tried = (request: ApiRequest): ApiRequest => ({
    ...request,
    query: { ...request.query, dryRun: 'All' },
  });

  /** A policy takes effect shortly after its creation. */
  async function untilDenied(request: ApiRequest | undefined): Promise<void> {
    if (request === undefined) throw new Error('no request');
    await vi.waitUntil(async () => (await asPatcher(tried(request))).status === 403, { timeout: 60_000 });
  }

  async function expectDenied(request: ApiRequest): Promise<void> {
    for (const each of [tried(request), request]) {
      const { status, body } = await asPatcher(each);
      expect([status, JSON.stringify(body)]).toEqual([
        403,
        expect.stringMatching(/ValidatingAdmissionPolicy 'rollout-doctor-patcher-/),
      ]);
    }
  }

  async function snapshotOf(kind: WorkloadKind): Promise<Snapshot> {
    const read = await reader.snapshot({ cluster: 'test', kind, namespace, name: workloads[kind] }, needs);
    if (read.type !== 'snapshot') throw new Error(`no snapshot: ${JSON.stringify(read)}`);
    return read.snapshot;
  }

  let approvals = 0;
  async function carryOut(plan: Plan | Refusal): Promise<Plan> {
    if (plan.type !== 'plan') throw new Error(`no plan: ${JSON.stringify(plan)}`);
    const trial = await patcher.dryRun(buildTrial('test', plan));
    expect(trial, JSON.stringify(trial)).toMatchObject({ type: 'accepted' });
    approvals += 1;
    const consumed = {
      id: `approval-${approvals}`,
      expiresAt: '2100-01-01T00:00:00Z',
      workload: { cluster: 'test', kind: 'Deployment', namespace, name: 'web' },
      cause: 'surge-deadlock',
      remediation: { kind: 'patch-strategy' },
      decisions: [],
      plan,
    };
    // Only the verification makes such an approval; what counts here is the request that the patcher then
    // sends.
    const outcome = await patcher.apply(consumed as unknown as VerifiedApproval);
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ type: 'accepted' });
    return plan;
  }

  /**
   * Plans a change as the product does, then dry-runs, applies and undoes it with the account of the patcher.
   */
  async function expectAllowed(kind: WorkloadKind, remediation: object): Promise<void> {
    const plan = await carryOut(
      planRemediation({ id: 'r1', ...remediation } as unknown as Remediation, await snapshotOf(kind)),
    );
    if (plan.undo !== undefined) await carryOut(planUndo('r1', plan.undo, await snapshotOf(kind)));
  }

  const versionsOf = async (...names: readonly string[]) => {
    const read = async (name: string) => {
      const pod = await cluster.read({ kind: 'Pod', namespace, name } satisfies Target);
      const { uid = '', resourceVersion = '' } = pod.metadata ?? {};
      return [name, { uid, resourceVersion }] as const;
    };
    return Object.fromEntries(await Promise.all(names.map(read)));
  };

  const sourceOf = async (kind: WorkloadKind) => {
    const name = kind === 'Deployment' ? 'web-h1' : `${workloads[kind]}-1`;
    const source = kind === 'Deployment' ? 'ReplicaSet' : 'ControllerRevision';
    const { metadata } = await cluster.read({ kind: source, namespace, name });
    return { kind: source, name, uid: metadata?.uid ?? '' };
  };

  describe.each([
    ['base', true],
    ['without-undo', false],
  ])('as in deploy/admission/%s', (kustomization, allowsUndo) => {
    beforeAll(async () => {
      await applyAdmission(cluster, kustomization);
      if (!allowsUndo) await untilDenied(templatePatches[0]?.[1]);
    });

    it.each([
      ['Deployment', { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 }],
      ['Deployment', { type: 'Recreate' }],
      ['DaemonSet', { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 2 }],
    ] as const)('allow patch-strategy of a %s to %o, and its undo', async (kind, strategy) => {
      await expectAllowed(kind, { kind: 'patch-strategy', strategy });
    });

    it.runIf(allowsUndo).each(kinds)('allow undo-rollout of a %s, and its undo', async (kind) => {
      await expectAllowed(kind, { kind: 'undo-rollout', toRevision: 1, from: await sourceOf(kind) });
    });

    it.each(kinds)('allow exclude-nodes of a %s, and its undo', async (kind) => {
      const nodes = [{ name: 'node-a', hostname: 'node-a' }];
      await expectAllowed(kind, { kind: 'exclude-nodes', nodes, remindAfterHours: 1 });
    });

    it.each(kinds)('allow restart-rollout of a %s', async (kind) => {
      await expectAllowed(kind, { kind: 'restart-rollout' });
    });

    it('allow resume-rollout, and its undo', async () => {
      const paused = { ...patch(pathOf('Deployment'), {}), body: { spec: { paused: true } } };
      expect(await asAdministrator(paused)).toMatchObject({ status: 200 });
      await expectAllowed('Deployment', { kind: 'resume-rollout' });
      const resumed = { ...paused, body: { spec: { paused: false } } };
      expect(await asAdministrator(resumed)).toMatchObject({ status: 200 });
    });

    it('allow one replica less in an old ReplicaSet, and the deletion of a pod', async () => {
      const { metadata } = oldReplicaSet;
      const uid = metadata?.uid ?? '';
      const from = allowsUndo ? 3 : 2;
      await expectAllowed('Deployment', {
        kind: 'scale-down-old',
        uid,
        replicaSet: 'web-h1',
        from,
        to: from - 1,
      });
      const pod = allowsUndo ? 'web-a' : 'web-b';
      const { [pod]: version } = await versionsOf(pod);
      await expectAllowed('Deployment', {
        kind: 'delete-pod',
        pod,
        uid: version?.uid,
        purpose: 'unstick',
        mustStayReadySeconds: 0,
      });
    });

    it('allow the record of a change', async () => {
      const { items } = await cluster.objects.list('v1', 'Event', namespace);
      expect(items.length).toBeGreaterThan(5);
    });

    it.each(deniedPatches)('deny %s', async (_, request) => {
      // The API server would accept this change from another account.
      expect(await asAdministrator(tried(request))).toMatchObject({ status: 200 });
      await expectDenied(request);
    });

    it.runIf(allowsUndo)('deny every other request', async () => {
      await cluster.patch({ kind: 'ReplicaSet', namespace, name: 'web-h1' }, { spec: { replicas: 3 } });
      for (const [what, request] of deniedRequests(await versionsOf('web-b', 'alone'))) {
        await expectDenied(request).catch((error: unknown) => {
          throw new Error(what, { cause: error });
        });
      }
      await cluster.patch({ kind: 'ReplicaSet', namespace, name: 'web-h1' }, { spec: { replicas: 2 } });
    });

    describe.runIf(allowsUndo)('of the fields of a pod template', () => {
      const templatePatch = (kind: WorkloadKind, spec: object) =>
        patch(pathOf(kind), { spec: { template: { spec } } });
      const templateAfter = (body: unknown): unknown =>
        (body as { readonly spec?: { readonly template?: unknown } }).spec?.template;
      const denied = Object.entries(deniedFields).flatMap(([schema, fields]) =>
        Object.entries(fields).map(([field, value]) => [schema, field, value] as const),
      );
      const withoutEffect: string[] = [];

      it.each(Object.keys(deniedFields))('name every field of %s', async (schema) => {
        const { body } = await asAdministrator({ path: '/openapi/v3/apis/apps/v1' });
        const { schemas } = (body as OpenApi).components;
        const fields = Object.keys(schemas[`io.k8s.api.core.v1.${schema}`]?.properties ?? {});
        expect(fields.length).toBeGreaterThan(3);
        const named = [...changeableFields(schema), ...Object.keys(deniedFields[schema] ?? {})];
        expect(named.toSorted()).toEqual(fields.toSorted());
      });

      describe.each(kinds)('of a %s', (kind) => {
        it.each(denied)('deny another %s.%s', async (schema, field, value) => {
          const request = templatePatch(kind, specWith(schema, field, value));
          const before = await asAdministrator({ path: pathOf(kind) });
          const { status, body } = await asAdministrator(tried(request));
          const after = JSON.stringify(templateAfter(body));
          const isKept = value === null || after?.includes(`"${field}"`);
          const isChange = isKept && after !== JSON.stringify(templateAfter(before.body));
          if (status === 200 && isChange) await expectDenied(request);
          else withoutEffect.push(`${schema}.${field}`);
        });

        it.each(Object.entries(deniedWithin))('deny %s', async (_, spec) => {
          const request = templatePatch(kind, spec);
          expect(await asAdministrator(tried(request))).toMatchObject({ status: 200 });
          await expectDenied(request);
        });

        it.each(Object.entries(allowedChanges))('allow %s', async (_, spec) => {
          const { status, body } = await asPatcher(tried(templatePatch(kind, spec)));
          expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()]);
        });
      });

      it('deny an AppArmor profile by annotation', async () => {
        const annotations = { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' };
        const request = patch(pathOf('Deployment'), { spec: { template: { metadata: { annotations } } } });
        expect(await asAdministrator(tried(request))).toMatchObject({ status: 200 });
        await expectDenied(request);
      });

      it('have an effect, but for these', () => {
        expect([...new Set(withoutEffect)].toSorted()).toEqual(fieldsWithoutEffect);
      });
    });

    it.skipIf(allowsUndo).each(templatePatches)('deny %s', async (_, request) => {
      expect(await asAdministrator(tried(request))).toMatchObject({ status: 200 });
      await expectDenied(request);
    });
  });

  it('deny a change without its own approval, and allow its dry run', async () => {
    const request = patch(pathOf('Deployment'), { spec: { strategy: { rollingUpdate: { maxSurge: 0 } } } });
    for (const mark of [null, '', 'two words', `approval-${approvals}`.repeat(9)]) {
      const body = { ...(request.body as object), metadata: { annotations: { [approval]: mark } } };
      expect(await asPatcher({ ...request, body })).toMatchObject({ status: 403 });
    }
    const { body } = await asAdministrator({ path: pathOf('Deployment') });
    const mark = (body as KubernetesObject).metadata?.annotations?.[approval];
    const again = { ...(request.body as object), metadata: { annotations: { [approval]: mark } } };
    expect(await asPatcher({ ...request, body: again })).toMatchObject({ status: 403 });
    const unmarked = { spec: { strategy: { rollingUpdate: { maxSurge: 0 } } } };
    expect(await asPatcher(tried({ ...request, body: unmarked }))).toMatchObject({ status: 200 });
  });
});
