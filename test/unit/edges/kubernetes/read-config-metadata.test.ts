import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import {
  type ConfigMetadata,
  readConfigMetadata,
  readLeaders,
} from '#src/edges/kubernetes/read-dependencies.js';
import { Lease } from '#src/engine/objects/policy.js';
import { type FailingPodShape, failingPod, readyFor } from '../../doctor/findings/crashes/build.js';

const spec = {
  envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'keys' } }],
  env: [{ name: 'URL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'url' } } }],
};
const failing: FailingPodShape = { name: 'a', containers: [{ spec }] };
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"url":"hidden"}}' };

/** All requests, the objects that are kept, and the kinds that count as unread. */
async function reads(allowed: ConfigMetadata, pods: readonly FailingPodShape[], status = 200) {
  const requests: ApiRequest[] = [];
  const gathering = createGathering(async (request) => {
    requests.push(request);
    const name = request.path.split('/').at(-1);
    const metadata = { name, namespace: 'shop', annotations };
    const body = status === 200 ? { kind: 'PartialObjectMetadata', metadata, data: { url: 'hidden' } } : {};
    return { status, body, retryAfterMs: undefined };
  }, AbortSignal.timeout(5_000));
  await readConfigMetadata(
    gathering,
    pods.map((shape) => failingPod(shape)),
    allowed,
  );
  return { requests, objects: gathering.objects(), unseen: gathering.unseen() };
}

describe('the metadata of ConfigMaps and Secrets', () => {
  it.each<readonly [string, ConfigMetadata, readonly FailingPodShape[], readonly string[]]>([
    ['of neither without a setting', [], [failing], []],
    ['of ConfigMaps alone', ['ConfigMap'], [failing], ['configmaps/settings']],
    ['of both', ['ConfigMap', 'Secret'], [failing], ['configmaps/settings', 'secrets/keys']],
    ['of pods that are ready: not at all', ['ConfigMap'], [{ ...failing, status: readyFor(60) }], []],
    ['once for several pods', ['Secret'], [failing, { ...failing, name: 'b' }], ['secrets/keys']],
    ['for a pod that is not started: not at all', ['ConfigMap'], [{ ...failing, node: '' }], []],
  ])('is read %s', async (_title, allowed, pods, paths) => {
    const { requests } = await reads(allowed, pods);

    expect(requests.map(({ path }) => path.replace('/api/v1/namespaces/shop/', '')).sort()).toEqual(paths);
    expect(requests.map(({ accept }) => accept)).toEqual(
      paths.map(() => 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'),
    );
  });

  it('is kept without data and annotations, whatever the API server sends', async () => {
    const { objects } = await reads(['ConfigMap', 'Secret'], [failing]);

    expect(objects.Secret).toMatchObject([{ kind: 'Secret', metadata: { name: 'keys', annotations: {} } }]);
    expect(JSON.stringify([objects.ConfigMap, objects.Secret])).not.toContain('hidden');
  });

  it.each([
    [403, ['ConfigMap', 'Secret']],
    [404, []],
  ])('counts as unread after status %s: %s', async (status, what) => {
    const { unseen } = await reads(['ConfigMap', 'Secret'], [failing], status);

    expect(unseen.map((each) => each.what)).toEqual(what);
  });
});

const acquiring = 'attempting to acquire leader lease shop/controller...';
const unready: FailingPodShape = { name: 'new', containers: [{ ready: false }] };
const leader: FailingPodShape = { name: 'old', status: readyFor(3_600) };

/** What is asked for where the pod `new` logs this line, and who leads by it. */
async function readsLeaders(
  line: string,
  {
    allowed = [],
    pods = [unready, leader],
    leases = [],
    status = 200,
  }: {
    readonly allowed?: ConfigMetadata;
    readonly pods?: readonly FailingPodShape[];
    readonly leases?: readonly string[];
    readonly status?: number;
  } = {},
) {
  const requests: ApiRequest[] = [];
  const gathering = createGathering(async (request) => {
    requests.push(request);
    const name = request.path.split('/').at(-1);
    const record = JSON.stringify({ holderIdentity: 'old_1', leaseDurationSeconds: 15 });
    const metadata = {
      name,
      namespace: 'shop',
      annotations: { ...annotations, 'control-plane.alpha.kubernetes.io/leader': record },
    };
    const body = status === 200 ? { kind: 'PartialObjectMetadata', metadata, data: { url: 'hidden' } } : {};
    return { status, body, retryAfterMs: undefined };
  }, AbortSignal.timeout(5_000));
  gathering.keep(
    'Lease',
    leases.map((name) => Lease.parse({ metadata: { name, namespace: 'shop' }, spec: {} })),
  );
  const log = { namespace: 'shop', pod: 'new', container: 'app', previous: false, truncated: false };
  await readLeaders(
    gathering,
    pods.map((shape) => failingPod(shape)),
    [{ ...log, lines: [line] }],
    allowed,
  );
  return { requests, objects: gathering.objects(), unseen: gathering.unseen() };
}

describe('a leader that no Lease records', () => {
  it.each<readonly [string, string, Parameters<typeof readsLeaders>[1], readonly string[]]>([
    ['in the Endpoints that the pod names', acquiring, {}, ['endpoints/controller']],
    [
      'in the ConfigMap too where its metadata may be read',
      acquiring,
      { allowed: ['ConfigMap'] },
      ['configmaps/controller', 'endpoints/controller'],
    ],
    ['not where a Lease has the name', acquiring, { leases: ['controller'] }, []],
    ['beside a Lease of another name', acquiring, { leases: ['jobs'] }, ['endpoints/controller']],
    ['not where no pod is ready', acquiring, { pods: [unready] }, []],
    ['not where every pod is ready', acquiring, { pods: [leader, { ...leader, name: 'new' }] }, []],
    ['not in another namespace', 'attempting to acquire leader lease infra/controller...', {}, []],
    ['not where the log names no election', 'not the leader, waiting', {}, []],
  ])('is read %s', async (_title, line, more, paths) => {
    const { requests } = await readsLeaders(line, more);

    expect(requests.map(({ path }) => path.replace('/api/v1/namespaces/shop/', '')).sort()).toEqual(paths);
    expect(new Set(requests.map(({ accept }) => accept))).toEqual(
      new Set(paths.map(() => 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1')),
    );
  });

  it('is kept with the record of the election alone', async () => {
    const { objects } = await readsLeaders(acquiring, { allowed: ['ConfigMap'] });

    expect(objects.Endpoints).toMatchObject([{ kind: 'Endpoints', leader: { holderIdentity: 'old_1' } }]);
    expect(objects.ConfigMap).toMatchObject([{ leader: { holderIdentity: 'old_1' } }]);
    expect(JSON.stringify([objects.ConfigMap, objects.Endpoints])).not.toContain('hidden');
  });

  it.each([
    [403, ['Endpoints']],
    [404, []],
  ])('counts as unread after status %s: %s', async (status, what) => {
    const { unseen } = await readsLeaders(acquiring, { status });

    expect(unseen.map((each) => each.what)).toEqual(what);
  });
});
