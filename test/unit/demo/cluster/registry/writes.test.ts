import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../demo/cluster/json.js';
import { objectAt, textAt, valueAt } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { deleteObject } from '../../../../../demo/cluster/registry/delete-object.js';
import { updateObject } from '../../../../../demo/cluster/registry/update-object.js';
import {
  create,
  current,
  deployment,
  patch,
  pod,
  refusalOf,
  startAt,
  testCluster,
  typeOf,
  writer,
} from '../builders.js';

const merge = (body: JsonObject) => (object: JsonObject) => applyMergePatch(object, body);

describe('a new object', () => {
  it('has the same defaults as a Deployment in the real API server', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    expect(made.spec).toEqual({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            {
              name: 'app',
              image: 'registry.example/web:1',
              imagePullPolicy: 'IfNotPresent',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          dnsPolicy: 'ClusterFirst',
          securityContext: {},
          schedulerName: 'default-scheduler',
        },
      },
    });
    expect(made.metadata).toMatchObject({
      generation: 1,
      creationTimestamp: '2026-11-20T09:00:00Z',
      namespace: 'shop',
    });
  });

  it('has the same fields that admission adds to a Pod', () => {
    const { state } = testCluster();
    const limits = { 'nvidia.com/gpu': '1', memory: '1Gi' };
    const containers = [{ name: 'a', image: 'x:1', resources: { limits }, ports: [{ containerPort: 80 }] }];
    const made = create(state, pod('p', {}, { containers, hostNetwork: true }));
    expect(made.spec).toMatchObject({
      serviceAccountName: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      enableServiceLinks: true,
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
        {
          key: 'node.kubernetes.io/unreachable',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
      ],
      containers: [
        {
          resources: { limits, requests: limits },
          ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
        },
      ],
    });
    expect(made.status).toEqual({ phase: 'Pending', qosClass: 'Burstable' });
  });

  it('gets an unused name from generateName', () => {
    const { state } = testCluster();
    const names = Array.from({ length: 20 }, () => {
      const { metadata: _named, ...rest } = pod('x');
      return create(state, { ...rest, metadata: { generateName: 'web-' } }).metadata.name;
    });
    expect(new Set(names).size).toBe(20);
    expect(names[0]).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('is refused in a namespace that does not exist', () => {
    const { state } = testCluster();
    expect(refusalOf(() => create(state, pod('p'), 'nope'))).toMatchObject({
      code: 404,
      message: 'namespaces "nope" not found',
    });
  });

  it('is refused under a name that is in use', () => {
    const { state } = testCluster();
    create(state, deployment());
    expect(refusalOf(() => create(state, deployment()))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'deployments.apps "web" already exists',
    });
  });
});

describe('a change', () => {
  it('of the spec raises the generation, one of labels or status does not', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    patch(state, made, merge({ metadata: { labels: { a: 'b' } } }));
    patch(state, made, merge({ status: { replicas: 1 } }), 'status');
    expect(current(state, made)?.metadata.generation).toBe(1);
    patch(state, made, merge({ spec: { replicas: 2 } }));
    expect(current(state, made)?.metadata.generation).toBe(2);
  });

  it('that changes nothing writes nothing', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    patch(state, made, merge({ spec: { replicas: 1 } }));
    expect(current(state, made)?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it('of the object does not change its status, and one of the status does not change its spec', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    patch(state, made, merge({ status: { replicas: 9 } }));
    patch(state, made, merge({ spec: { replicas: 9 }, status: { replicas: 1 } }), 'status');
    const now = current(state, made);
    expect(valueAt(now, 'spec', 'replicas')).toBe(1);
    expect(now?.status).toEqual({ replicas: 1 });
  });

  it('with an old resourceVersion is a conflict', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    patch(state, made, merge({ spec: { replicas: 2 } }));
    const { resourceVersion } = made.metadata;
    const refusal = refusalOf(() =>
      patch(state, made, merge({ metadata: { resourceVersion }, spec: { replicas: 3 } })),
    );
    expect(refusal).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
    });
  });

  it('by replacement with another uid is a conflict', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    const replace = () =>
      updateObject(state.registry, typeOf(made), 'shop', 'web', merge({ metadata: { uid: 'abc' } }), {
        ...writer,
        subresource: '',
        replaces: true,
      });
    expect(refusalOf(replace)).toMatchObject({ code: 409 });
    expect(refusalOf(replace).message).toContain('Precondition failed: UID in precondition: abc');
  });

  it('as a dry run is answered and not stored', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    const answered = updateObject(
      state.registry,
      typeOf(made),
      'shop',
      'web',
      merge({ spec: { replicas: 7 } }),
      {
        ...writer,
        dryRun: true,
        subresource: '',
        replaces: false,
      },
    );
    expect(valueAt(answered, 'spec', 'replicas')).toBe(7);
    expect(answered.metadata).toMatchObject({
      generation: 2,
      resourceVersion: made.metadata.resourceVersion,
    });
    expect(current(state, made)).toEqual(made);
  });

  it('of a pod may change its image and no other container field', () => {
    const { state } = testCluster();
    const made = create(state, pod('p'));
    const containers = objectAt(made, 'spec').containers as readonly JsonObject[];
    patch(state, made, merge({ spec: { containers: [{ ...containers[0], image: 'y:2' }] } }));
    const refusal = refusalOf(() =>
      patch(state, made, merge({ spec: { containers: [{ ...containers[0], command: ['x'] }] } })),
    );
    expect(refusal).toMatchObject({ code: 422 });
    expect(refusal.message).toContain('spec: Forbidden: pod updates may not change fields other than');
  });
});

describe('a deletion', () => {
  const remove = (
    state: ReturnType<typeof testCluster>['state'],
    object: { kind: string; apiVersion: string; metadata: { name: string } },
    more = {},
  ) => deleteObject(state.registry, typeOf(object), 'shop', object.metadata.name, { ...writer, ...more });

  it('of a pod on a node waits for its grace period', () => {
    const { state } = testCluster();
    const made = create(state, pod('p', {}, { nodeName: 'n' }));
    remove(state, made);
    expect(current(state, made)?.metadata).toMatchObject({
      deletionTimestamp: '2026-11-20T09:00:30Z',
      deletionGracePeriodSeconds: 30,
    });
    remove(state, made, { gracePeriodSeconds: 0 });
    expect(current(state, made)).toBeUndefined();
  });

  it('of a pod without a node is complete at once', () => {
    const { state } = testCluster();
    const made = create(state, pod('p'));
    expect(remove(state, made)).toMatchObject({ kind: 'Pod' });
    expect(current(state, made)).toBeUndefined();
  });

  it('of any other object is answered with a Status', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    expect(remove(state, made)).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'web', group: 'apps', kind: 'deployments', uid: made.metadata.uid },
    });
  });

  it('waits for finalizers, and is complete when the last of them is removed', () => {
    const { state } = testCluster();
    const made = create(state, {
      ...deployment(),
      metadata: { name: 'web', finalizers: ['example.com/hold'] },
    });
    remove(state, made);
    expect(current(state, made)?.metadata.deletionTimestamp).toBeDefined();
    patch(state, made, merge({ metadata: { finalizers: null } }));
    expect(current(state, made)).toBeUndefined();
  });

  it('of another incarnation is a conflict', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    expect(refusalOf(() => remove(state, made, { uid: 'abc' }))).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on Deployment.apps "web": the UID in the precondition (abc) does not match the UID in record (${made.metadata.uid}). The object might have been deleted and then recreated`,
    });
  });

  it('as a dry run removes nothing', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    remove(state, made, { dryRun: true });
    expect(current(state, made)).toEqual(made);
  });
});

describe('a ResourceQuota', () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team' },
    spec: { hard: { 'requests.memory': '2Gi' } },
  };
  const gigabyte = { containers: [{ name: 'a', image: 'x', resources: { requests: { memory: '1Gi' } } }] };

  it('refuses the pod that would exceed it, in the words of the real API server', () => {
    const { state } = testCluster();
    create(state, quota);
    create(state, pod('a', {}, gigabyte));
    create(state, pod('b', {}, gigabyte));
    expect(refusalOf(() => create(state, pod('c', {}, gigabyte)))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "c" is forbidden: exceeded quota: team, requested: requests.memory=1Gi, used: requests.memory=2Gi, limited: requests.memory=2Gi',
    });
  });

  it('counts the defaults of a LimitRange', () => {
    const { state } = testCluster();
    create(state, quota);
    create(state, {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults' },
      spec: { limits: [{ type: 'Container', defaultRequest: { memory: '3Gi' } }] },
    });
    expect(refusalOf(() => create(state, pod('a')))).toMatchObject({ code: 403 });
  });
});

describe('a loaded object', () => {
  it('keeps uid, times and status and gets a new resourceVersion', () => {
    const { state } = testCluster();
    const status = { replicas: 3 };
    state.load([
      {
        ...deployment(),
        metadata: {
          name: 'old',
          namespace: 'shop',
          uid: 'u-1',
          creationTimestamp: '2020-01-01T00:00:00Z',
          resourceVersion: '7',
          generation: 4,
        },
        status,
      },
    ]);
    const found = state.registry.store.get('apps/deployments', 'shop/old');
    expect(found?.metadata).toMatchObject({
      uid: 'u-1',
      creationTimestamp: '2020-01-01T00:00:00Z',
      generation: 4,
    });
    expect(Number(found?.metadata.resourceVersion)).toBeGreaterThan(1000);
    expect(found?.status).toEqual(status);
  });

  it('of a kind that is not served is refused with an error that names it', () => {
    const { state } = testCluster();
    expect(() => state.load([{ apiVersion: 'x.io/v1', kind: 'Foo', metadata: { name: 'a' } }])).toThrow(
      'the local cluster serves no Foo of x.io/v1',
    );
  });

  it('without a creation time is created at the current time of the cluster', () => {
    const { state } = testCluster();
    state.load([pod('p')]);
    const found = state.registry.store.get('/pods', 'default/p');
    expect(Date.parse(textAt(found, 'metadata', 'creationTimestamp') ?? '')).toBe(startAt);
  });
});
