import { describe, expect, it } from 'vitest';
import { type Companions, liveWorkload, withManifests } from '#src/doctor/forecasts/check-manifests.js';
import { claimsOf } from '#src/doctor/forecasts/claims-of.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { claim, pod } from '../../../support/placement-builders.js';
import { now, quota } from './build.js';

const index = (objects: Partial<ClusterObjects>) => indexObjects(clusterObjects(objects));
const storageClass = (name: string, isDefault: string) =>
  schemas.StorageClass.parse({
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault } },
    provisioner: 'csi.example.com',
  });

describe('the claims that the controller of a StatefulSet would create', () => {
  const data = (spec: object = {}) => ({
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], ...spec },
  });
  const raw = (templates: unknown = [data()], spec: object = {}) => ({
    metadata: { name: 'db', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      volumeClaimTemplates: templates,
      ...spec,
    },
  });
  const made = (objects: Partial<ClusterObjects>, manifest: ReturnType<typeof raw>) =>
    claimsOf(
      index(objects),
      schemas.StatefulSet.parse({ ...manifest, spec: { ...manifest.spec, volumeClaimTemplates: [] } }),
      manifest,
    );
  const namesOf = (objects: Partial<ClusterObjects>, manifest: ReturnType<typeof raw>) =>
    made(objects, manifest).map(({ metadata }) => metadata.name);

  it.each<[string, Partial<ClusterObjects>, ReturnType<typeof raw>, readonly string[]]>([
    ['one for each ordinal', {}, raw(), ['data-db-0', 'data-db-1']],
    ['from the first ordinal on', {}, raw([data()], { ordinals: { start: 5 } }), ['data-db-5', 'data-db-6']],
    [
      'for each template',
      {},
      raw([data(), { metadata: { name: 'log' }, spec: {} }]),
      ['data-db-0', 'data-db-1', 'log-db-0', 'log-db-1'],
    ],
    ['none that exists', { PersistentVolumeClaim: [claim('data-db-0')] }, raw(), ['data-db-1']],
    [
      'but one that exists only in another namespace',
      {
        PersistentVolumeClaim: [
          { ...claim('data-db-0'), metadata: { ...claim('data-db-0').metadata, namespace: 'other' } },
        ],
      },
      raw(),
      ['data-db-0', 'data-db-1'],
    ],
    ['none without templates', {}, raw([]), []],
    ['none where the templates are no list', {}, raw({ data: 1 }), []],
    ['none for no replicas', {}, raw([data()], { replicas: 0 }), []],
  ])('are %s', (_, objects, manifest, names) => {
    expect(namesOf(objects, manifest)).toEqual(names);
  });

  it('are at most a thousand', () => {
    expect(namesOf({}, raw([data()], { replicas: 1_001 }))).toHaveLength(1_000);
  });

  it.each<[string, Partial<ClusterObjects>, object, string | undefined]>([
    [
      'the default one',
      { StorageClass: [storageClass('slow', 'false'), storageClass('fast', 'true')] },
      {},
      'fast',
    ],
    ['their own', { StorageClass: [storageClass('fast', 'true')] }, { storageClassName: 'slow' }, 'slow'],
    ['none where none is the default', { StorageClass: [storageClass('slow', 'false')] }, {}, undefined],
  ])('have as StorageClass %s', (_, objects, spec, name) => {
    const [first] = made(objects, raw([data(spec)]));
    expect([first?.spec.storageClassName, first?.metadata.namespace]).toEqual([name, 'shop']);
  });

  it('are empty for a Deployment', () => {
    const manifest = raw();
    const deployment = schemas.Deployment.parse({ ...manifest, spec: { ...manifest.spec } });
    expect(claimsOf(index({}), deployment, manifest)).toEqual([]);
  });
});

describe('the cluster after the manifests are applied', () => {
  const none: Companions = {
    ResourceQuota: [],
    LimitRange: [],
    PriorityClass: [],
    PersistentVolumeClaim: [],
  };
  const elsewhere = (hard: Readonly<Record<string, string>>) => ({
    ...quota(hard, hard),
    metadata: { ...quota(hard, hard).metadata, namespace: 'other' },
  });
  const Pod = [
    pod('a', { on: 'n1', requests: { cpu: '1500m' } }),
    pod('b', { on: 'n1', requests: { cpu: '500m' } }),
    pod('c', { on: 'n1', requests: { cpu: '1' }, namespace: 'other' }),
  ];

  it.each<[string, Partial<ClusterObjects>, Partial<Companions>, readonly object[]]>([
    [
      'charges a new quota with the pods of its namespace',
      { Pod },
      { ResourceQuota: [quota({ pods: '9', 'requests.cpu': '4' }, {})] },
      [{ status: { hard: { pods: '9', 'requests.cpu': '4' }, used: { pods: '2', 'requests.cpu': '2' } } }],
    ],
    [
      'keeps the usage of an existing quota',
      { Pod, ResourceQuota: [quota({ pods: '1' }, { pods: '7' })] },
      { ResourceQuota: [quota({ pods: '9' }, {})] },
      [{ spec: { hard: { pods: '9' } }, status: { hard: { pods: '9' }, used: { pods: '7' } } }],
    ],
    [
      'leaves a quota of the same name in another namespace',
      { ResourceQuota: [elsewhere({ pods: '3' })] },
      { ResourceQuota: [quota({ pods: '9' }, {})] },
      [{ metadata: { namespace: 'other' }, spec: { hard: { pods: '3' } } }, { status: { used: {} } }],
    ],
    [
      'keeps quotas that no manifest contains',
      { ResourceQuota: [quota({ pods: '1' }, {})] },
      {},
      [{ spec: { hard: { pods: '1' } } }],
    ],
  ])('%s', (_, objects, companions, quotas) => {
    const { ResourceQuota } = withManifests(index(objects), { ...none, ...companions }, now).objects;
    expect(ResourceQuota).toMatchObject(quotas);
    expect(ResourceQuota).toHaveLength(quotas.length);
  });

  it('keeps an existing claim with its binding, and adds others', () => {
    const bound = claim('data', { volumeName: 'pv' });
    const { PersistentVolumeClaim } = withManifests(
      index({ PersistentVolumeClaim: [bound] }),
      { ...none, PersistentVolumeClaim: [claim('data'), claim('log')] },
      now,
    ).objects;
    expect(PersistentVolumeClaim.map(({ metadata, spec }) => [metadata.name, spec.volumeName])).toEqual([
      ['data', 'pv'],
      ['log', ''],
    ]);
  });

  it('replaces classes and limits of the same name', () => {
    const made = (value: number) => schemas.PriorityClass.parse({ metadata: { name: 'high' }, value });
    const limit = (name: string, cpu: string) =>
      schemas.LimitRange.parse({
        metadata: { name, namespace: 'shop' },
        spec: { limits: [{ type: 'Container', default: { cpu } }] },
      });
    const { PriorityClass, LimitRange } = withManifests(
      index({ PriorityClass: [made(1)], LimitRange: [limit('a', '1'), limit('b', '1')] }),
      { ...none, PriorityClass: [made(2)], LimitRange: [limit('a', '2')] },
      now,
    ).objects;
    expect(PriorityClass.map(({ value }) => value)).toEqual([2]);
    expect(LimitRange).toHaveLength(2);
    expect(LimitRange).toContainEqual(limit('a', '2'));
    expect(LimitRange).toContainEqual(limit('b', '1'));
  });
});

describe('the workload that a manifest changes', () => {
  const live = (name: string, namespace: string) =>
    schemas.Deployment.parse({
      metadata: { name, namespace, uid: `${namespace}/${name}` },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    });
  const cluster = index({ Deployment: [live('web', 'other'), live('api', 'shop'), live('web', 'shop')] });

  it.each([
    ['has its kind, namespace and name', { kind: 'Deployment', namespace: 'shop', name: 'web' }, 'shop/web'],
    [
      'is no other workload of the namespace',
      { kind: 'Deployment', namespace: 'shop', name: 'db' },
      undefined,
    ],
    ['is none of another kind', { kind: 'StatefulSet', namespace: 'shop', name: 'web' }, undefined],
  ] as const)('%s', (_, named, uid) => {
    expect(liveWorkload(cluster, named)?.metadata.uid).toBe(uid);
  });
});
