import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  EventsV1Api,
  KubeConfig,
  type ListWatch,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
  type V1Pod,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEverything } from '../../../demo/cluster/api/access.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { eventually } from '../../support/eventually.js';

let cluster: LocalCluster;

beforeAll(async () => {
  cluster = await createLocalCluster({
    namespaces: ['ml'],
    users: [{ name: 'reader', token: 'reader', rules: [{ ...readEverything, namespaces: ['ml'] }] }],
    withoutCredentials: 'none',
  });
});

afterAll(() => cluster.close());

beforeEach(() => cluster.faults.clear());

function config(user = 'admin'): KubeConfig {
  const result = new KubeConfig();
  result.loadFromString(cluster.kubeconfig(user));
  return result;
}

function deployment(name: string): V1Deployment {
  return {
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
      },
    },
  };
}

async function refusal(call: Promise<unknown>): Promise<{
  readonly code: number;
  readonly status: Record<string, unknown>;
  readonly headers: Record<string, string>;
}> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    const body: unknown = error.body;
    const status = typeof body === 'string' ? JSON.parse(body) : body;
    return { code: error.code, status, headers: error.headers };
  }
  throw new Error('the call was not refused');
}

const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const jsonPatch = setHeaderOptions('Content-Type', PatchStrategy.JsonPatch);

describe('reading and writing with client-node', () => {
  it('creates, reads, lists by label and field, and deletes', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    const made = await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('crud') });
    expect(made.spec?.strategy).toMatchObject({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } });
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const byLabel = await apps.listNamespacedDeployment({ namespace: 'ml', labelSelector: 'app in (crud)' });
    const byName = await apps.listDeploymentForAllNamespaces({ fieldSelector: 'metadata.name=crud' });
    expect([byLabel, byName].map(({ items }) => items.map(({ metadata }) => metadata?.uid))).toEqual([
      [made.metadata?.uid],
      [made.metadata?.uid],
    ]);
    await apps.deleteNamespacedDeployment({ namespace: 'ml', name: 'crud' });
    const gone = await refusal(apps.readNamespacedDeployment({ namespace: 'ml', name: 'crud' }));
    expect(gone).toMatchObject({
      code: 404,
      status: { kind: 'Status', reason: 'NotFound', details: { name: 'crud', group: 'apps' } },
    });
  });

  it('patches with merge and JSON patch, and dry runs change nothing', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    const at = { namespace: 'ml', name: 'patched' };
    const made = await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('patched') });
    const body = { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } };
    const dry = await apps.patchNamespacedDeployment({ ...at, body, dryRun: 'All' }, mergePatch);
    expect(dry.spec?.strategy?.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 });
    expect((await apps.readNamespacedDeployment(at)).metadata?.generation).toBe(1);
    const real = await apps.patchNamespacedDeployment(
      { ...at, body, fieldManager: 'rollout-doctor' },
      mergePatch,
    );
    expect(real.metadata?.generation).toBe(2);
    expect(real.metadata?.managedFields?.map(({ manager }) => manager)).toContain('rollout-doctor');
    const stale = [
      { op: 'test', path: '/metadata/generation', value: made.metadata?.generation },
      { op: 'replace', path: '/spec/paused', value: true },
    ];
    const refused = await refusal(apps.patchNamespacedDeployment({ ...at, body: stale }, jsonPatch));
    expect(refused).toMatchObject({ code: 422, status: { reason: 'Invalid' } });
  });

  it('answers a write on an old version with 409, and an invalid write with 422 and its causes', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    const at = { namespace: 'ml', name: 'conflict' };
    const made = await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('conflict') });
    await apps.patchNamespacedDeployment({ ...at, body: { spec: { paused: true } } }, mergePatch);
    const old = { metadata: { resourceVersion: made.metadata?.resourceVersion }, spec: { paused: false } };
    expect(await refusal(apps.patchNamespacedDeployment({ ...at, body: old }, mergePatch))).toMatchObject({
      code: 409,
    });
    const replaced = apps.replaceNamespacedDeployment({ ...at, body: made });
    expect(await refusal(replaced)).toMatchObject({ code: 409, status: { reason: 'Conflict' } });
    const both = { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } };
    expect(await refusal(apps.patchNamespacedDeployment({ ...at, body: both }, mergePatch))).toMatchObject({
      code: 422,
      status: {
        details: {
          causes: [{ field: 'spec.strategy.rollingUpdate.maxUnavailable', reason: 'FieldValueInvalid' }],
        },
      },
    });
  });

  it('scales through the subresource', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    const at = { namespace: 'ml', name: 'scaled' };
    await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('scaled') });
    const scale = await apps.readNamespacedDeploymentScale(at);
    expect(scale.status?.selector).toBe('app=scaled');
    await apps.patchNamespacedDeploymentScale({ ...at, body: { spec: { replicas: 2 } } }, mergePatch);
    expect((await apps.readNamespacedDeployment(at)).spec?.replicas).toBe(2);
  });

  it('pages through a list, and reports an expired page', async () => {
    const core = config().makeApiClient(CoreV1Api);
    for (const name of ['p-1', 'p-2', 'p-3']) {
      await core.createNamespacedConfigMap({
        namespace: 'ml',
        body: { metadata: { name, labels: { paged: 'yes' } } },
      });
    }
    const query = { namespace: 'ml', labelSelector: 'paged=yes', limit: 2 };
    const first = await core.listNamespacedConfigMap(query);
    const next = first.metadata?._continue;
    const second = await core.listNamespacedConfigMap({
      ...query,
      ...(next === undefined ? {} : { _continue: next }),
    });
    expect([...first.items, ...second.items].map(({ metadata }) => metadata?.name)).toEqual([
      'p-1',
      'p-2',
      'p-3',
    ]);
    cluster.registry.store.compact();
    await core.createNamespacedConfigMap({ namespace: 'ml', body: { metadata: { name: 'p-4' } } });
    cluster.registry.store.compact();
    const expired = await refusal(
      core.listNamespacedConfigMap({ ...query, ...(next === undefined ? {} : { _continue: next }) }),
    );
    expect(expired).toMatchObject({ code: 410, status: { reason: 'Expired' } });
  });

  it('shows the same Event in both groups', async () => {
    const { uid, name } = { uid: 'u-1', name: 'seen' };
    await config()
      .makeApiClient(CoreV1Api)
      .createNamespacedEvent({
        namespace: 'ml',
        body: {
          metadata: { name: 'seen.1' },
          involvedObject: { kind: 'Deployment', namespace: 'ml', name, uid },
          reason: 'RemediationApplied',
          message: 'done',
          type: 'Normal',
        },
      });
    const core = await config()
      .makeApiClient(CoreV1Api)
      .listNamespacedEvent({ namespace: 'ml', fieldSelector: `involvedObject.uid=${uid}` });
    const events = await config()
      .makeApiClient(EventsV1Api)
      .listNamespacedEvent({ namespace: 'ml', fieldSelector: `regarding.uid=${uid}` });
    expect(core.items.map(({ message }) => message)).toEqual(['done']);
    expect(events.items.map(({ note, regarding }) => [note, regarding?.name])).toEqual([['done', name]]);
  });
});

describe('watching with client-node', () => {
  it('reports additions, changes and deletions after a version', async () => {
    const core = config().makeApiClient(CoreV1Api);
    const { metadata } = await core.listNamespacedConfigMap({ namespace: 'ml' });
    const seen: string[] = [];
    const controller = await new Watch(config()).watch(
      '/api/v1/namespaces/ml/configmaps',
      { resourceVersion: metadata?.resourceVersion, labelSelector: 'watched=yes' },
      (phase, object: { metadata: { name: string } }) => seen.push(`${phase} ${object.metadata.name}`),
      () => undefined,
    );
    await core.createNamespacedConfigMap({
      namespace: 'ml',
      body: { metadata: { name: 'w', labels: { watched: 'yes' } } },
    });
    await core.patchNamespacedConfigMap(
      { namespace: 'ml', name: 'w', body: { data: { a: 'b' } } },
      mergePatch,
    );
    await core.deleteNamespacedConfigMap({ namespace: 'ml', name: 'w' });
    await eventually('three watch events', () => seen.length === 3);
    controller.abort();
    expect(seen).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
  });

  it('keeps an informer up to date', async () => {
    const core = config().makeApiClient(CoreV1Api);
    const list = () => core.listNamespacedPod({ namespace: 'ml' });
    const informer: ListWatch<V1Pod> = makeInformer(
      config(),
      '/api/v1/namespaces/ml/pods',
      list,
    ) as ListWatch<V1Pod>;
    await informer.start();
    await core.createNamespacedPod({
      namespace: 'ml',
      body: { metadata: { name: 'informed' }, spec: { containers: [{ name: 'a', image: 'x:1' }] } },
    });
    await eventually('the informer knows the pod', () => informer.get('informed', 'ml') !== undefined);
    await core.deleteNamespacedPod({ namespace: 'ml', name: 'informed' });
    await eventually(
      'the informer has forgotten the pod',
      () => informer.get('informed', 'ml') === undefined,
    );
    await informer.stop();
  });
});

describe('authentication and authorization', () => {
  it('answers an unknown token and a missing one with 401', async () => {
    const wrong = config();
    wrong.users = [{ name: 'admin@local', token: 'wrong' }];
    expect(await refusal(wrong.makeApiClient(CoreV1Api).listNode())).toMatchObject({ code: 401 });
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      const answer = await fetch(`${cluster.url}/api/v1/nodes`, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized' });
    }
  });

  it('lets a reader read its namespace only, and words refusals as RBAC does', async () => {
    const apps = config('reader').makeApiClient(AppsV1Api);
    await apps.listNamespacedDeployment({ namespace: 'ml' });
    const patched = apps.patchNamespacedDeployment({ namespace: 'ml', name: 'x', body: {} }, mergePatch);
    expect(await refusal(patched)).toMatchObject({
      code: 403,
      status: {
        reason: 'Forbidden',
        message:
          'deployments.apps "x" is forbidden: User "reader" cannot patch resource "deployments" in API group "apps" in the namespace "ml"',
      },
    });
    expect((await refusal(config('reader').makeApiClient(CoreV1Api).listNode())).status.message).toBe(
      'nodes is forbidden: User "reader" cannot list resource "nodes" in API group "" at the cluster scope',
    );
  });

  it('answers a SelfSubjectAccessReview', async () => {
    const authorization = config('reader').makeApiClient(AuthorizationV1Api);
    const ask = async (verb: string): Promise<boolean | undefined> => {
      const body = {
        spec: { resourceAttributes: { verb, group: 'apps', resource: 'deployments', namespace: 'ml' } },
      };
      return (await authorization.createSelfSubjectAccessReview({ body })).status?.allowed;
    };
    expect([await ask('get'), await ask('patch')]).toEqual([true, false]);
  });
});

describe('a fault of the local cluster', () => {
  it('throttles one request with Retry-After', async () => {
    cluster.faults.add({
      match: { resources: ['nodes'] },
      effect: { type: 'status', code: 429, retryAfterSeconds: 7 },
      times: 1,
    });
    const core = config().makeApiClient(CoreV1Api);
    const refused = await refusal(core.listNode());
    expect(refused).toMatchObject({
      code: 429,
      status: { reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } },
    });
    expect(refused.headers['retry-after']).toBe('7');
    expect((await core.listNode()).items).toEqual([]);
  });

  it('refuses a patch and its dry run as a webhook does', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('denied') });
    cluster.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'] },
      effect: { type: 'deny', webhook: 'policy.example.com', message: 'no changes on Friday' },
    });
    const at = { namespace: 'ml', name: 'denied', body: { spec: { paused: true } } };
    for (const more of [{}, { dryRun: 'All' }]) {
      expect(
        (await refusal(apps.patchNamespacedDeployment({ ...at, ...more }, mergePatch))).status.message,
      ).toBe('admission webhook "policy.example.com" denied the request: no changes on Friday');
    }
  });

  it('lets a webhook refuse only dry runs, and another one change the written object', async () => {
    const apps = config().makeApiClient(AppsV1Api);
    const at = { namespace: 'ml', name: 'hooked' };
    await apps.createNamespacedDeployment({ namespace: 'ml', body: deployment('hooked') });
    const match = { verbs: ['patch'], resources: ['deployments'] };
    const remove = cluster.faults.add({ match, effect: { type: 'no-dry-run', webhook: 'side.example.com' } });
    const body = { spec: { minReadySeconds: 5 } };
    const dry = apps.patchNamespacedDeployment({ ...at, body, dryRun: 'All' }, mergePatch);
    expect(await refusal(dry)).toMatchObject({
      code: 400,
      status: { message: 'admission webhook "side.example.com" does not support dry run' },
    });
    remove();
    cluster.faults.add({
      match,
      effect: {
        type: 'mutate',
        mutate: (object) => Object.assign(object.spec as object, { minReadySeconds: 9 }),
      },
    });
    expect((await apps.patchNamespacedDeployment({ ...at, body }, mergePatch)).spec?.minReadySeconds).toBe(9);
  });

  it('hangs, cuts connections, loses answers and sends garbage', async () => {
    const match = { resources: ['nodes'] };
    const headers = { Authorization: 'Bearer admin' };
    const ask = (): Promise<Response> =>
      fetch(`${cluster.url}/api/v1/nodes`, { headers, signal: AbortSignal.timeout(300) });
    cluster.faults.add({ match, effect: { type: 'hang' }, times: 1 });
    await expect(ask()).rejects.toMatchObject({ name: 'TimeoutError' });
    cluster.faults.add({ match, effect: { type: 'reset' }, times: 1 });
    await expect(ask()).rejects.toThrow('fetch failed');
    cluster.faults.add({ match, effect: { type: 'garbage' }, times: 1 });
    expect(await (await ask()).text()).toContain('<html>');
    cluster.faults.add({ match: { resources: ['configmaps'] }, effect: { type: 'lose-answer' }, times: 1 });
    const created = fetch(`${cluster.url}/api/v1/namespaces/ml/configmaps`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'written' } }),
    });
    await expect(created).rejects.toThrow('fetch failed');
    expect(cluster.find('v1', 'ConfigMap', 'ml', 'written')).toBeDefined();
  });

  it('refuses connections until it accepts them again, on the same port', async () => {
    const { url } = cluster;
    await cluster.refuse();
    await expect(fetch(`${url}/readyz`)).rejects.toThrow('fetch failed');
    await cluster.accept();
    expect(await (await fetch(`${url}/readyz`)).text()).toBe('ok');
  });
});
