import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Application, GitRepository, HelmRelease, Kustomization } from '#src/engine/objects/gitops.js';
import type { UnreadOwner } from '#src/engine/objects/snapshot.js';
import {
  chartRepositoryOf,
  gitRepositoryOf,
  kustomizationOf,
  objectOf,
  ownerObjectsOf,
  ownerRefsOf,
  parentOf,
  remediationOf,
} from '#src/engine/owners/owner-objects.js';
import { deployment, helm, kustomized, type ObjectOptions, released, tracked } from './builders.js';

const trackingId = (annotation: string): ObjectOptions => ({
  annotations: { 'argocd.argoproj.io/tracking-id': annotation },
});
const kustomization = (sourceRef?: object, name = 'apps', namespace = 'flux-system') =>
  Kustomization.parse({ metadata: { name, namespace }, spec: { interval: '1m', sourceRef } });
const application = (name: string, namespace: string, annotations: object = {}) =>
  Application.parse({ metadata: { name, namespace, annotations }, spec: {} });
const repository = (name: string, namespace = 'flux-system') =>
  GitRepository.parse({ metadata: { name, namespace }, spec: { url: 'https://git.example.com/a/b' } });
const release = (sourceRef?: object, labels: object = {}) =>
  HelmRelease.parse({
    metadata: { name: 'shop', namespace: 'flux-system', labels },
    spec: { interval: '5m', ...(sourceRef && { chart: { spec: { sourceRef } } }) },
  });

describe('the objects that marks on a workload name', () => {
  it.each<[string, ObjectOptions, readonly object[]]>([
    ['none', {}, []],
    [
      'an Application in an unknown namespace',
      { annotations: tracked },
      [{ kind: 'Application', namespace: '', name: 'shop' }],
    ],
    [
      'an Application with its namespace',
      trackingId('team-a_shop:apps/Deployment:ml/inference'),
      [{ kind: 'Application', namespace: 'team-a', name: 'shop' }],
    ],
    [
      'a Kustomization',
      { labels: kustomized },
      [{ kind: 'Kustomization', namespace: 'flux-system', name: 'apps' }],
    ],
    [
      'a HelmRelease',
      { labels: released },
      [{ kind: 'HelmRelease', namespace: 'flux-system', name: 'shop' }],
    ],
    ['not a release of Helm, which is no object', helm, []],
    ['no object without a name', { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': '' } }, []],
    [
      'no object outside its path',
      { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': 'a/../b' } },
      [],
    ],
    [
      'no object in a namespace that cannot be one',
      { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/namespace': 'a?b' } },
      [],
    ],
    [
      'no object with a name in capitals',
      { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': 'Apps' } },
      [],
    ],
    [
      'no object whose name ends in a hyphen',
      { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': 'apps-' } },
      [],
    ],
    [
      'an object whose name has a single letter',
      { labels: { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': 'a' } },
      [{ kind: 'Kustomization', namespace: 'flux-system', name: 'a' }],
    ],
  ])('are %s', (_, options, refs) => {
    expect(ownerRefsOf(deployment(options))).toEqual(refs);
  });
});

describe('the repository that a Flux object reads', () => {
  it.each<[string, object | undefined, object | undefined]>([
    [
      'in the namespace of the object',
      { kind: 'GitRepository', name: 'deploy' },
      { kind: 'GitRepository', name: 'deploy', namespace: 'flux-system' },
    ],
    [
      'in another namespace',
      { kind: 'GitRepository', name: 'deploy', namespace: 'git' },
      { kind: 'GitRepository', name: 'deploy', namespace: 'git' },
    ],
    ['not a bucket', { kind: 'Bucket', name: 'deploy' }, undefined],
    ['not one with an invalid name', { kind: 'GitRepository', name: 'a/b' }, undefined],
    ['not one in an invalid namespace', { kind: 'GitRepository', name: 'a', namespace: 'b/c' }, undefined],
    ['none where none is stated', undefined, undefined],
  ])('is %s', (_, sourceRef, ref) => {
    expect(gitRepositoryOf(kustomization(sourceRef))).toEqual(ref);
    expect(chartRepositoryOf(release(sourceRef))).toEqual(ref);
  });
});

describe('what declares an owner', () => {
  it.each<[string, object, object | undefined]>([
    ['a Kustomization', kustomized, { kind: 'Kustomization', name: 'apps', namespace: 'flux-system' }],
    ['nothing without its namespace', { 'kustomize.toolkit.fluxcd.io/name': 'apps' }, undefined],
    ['nothing without labels', {}, undefined],
  ])('is, of a HelmRelease, %s', (_, labels, ref) => {
    expect(kustomizationOf(release(undefined, labels))).toEqual(ref);
  });

  it.each<[string, string | undefined, object | undefined]>([
    [
      'another Application',
      'argocd_root:argoproj.io/Application:argocd/shop',
      { kind: 'Application', namespace: 'argocd', name: 'root' },
    ],
    [
      'another one in an unknown namespace',
      'root:argoproj.io/Application:argocd/shop',
      { kind: 'Application', namespace: '', name: 'root' },
    ],
    ['nothing without a tracking id', undefined, undefined],
    ['nothing where the id is broken', 'root', undefined],
    ['nothing where the id is of another group', 'root:apps/Application:argocd/shop', undefined],
    ['nothing where the id is of another kind', 'root:argoproj.io/AppProject:argocd/shop', undefined],
    ['nothing where the id is of another namespace', 'root:argoproj.io/Application:other/shop', undefined],
    ['nothing where the id is of another name', 'root:argoproj.io/Application:argocd/other', undefined],
    ['never itself', 'shop:argoproj.io/Application:argocd/shop', undefined],
    ['nothing with an invalid name', 'ro%ot:argoproj.io/Application:argocd/shop', undefined],
  ])('is, of an Application, %s', (_, id, ref) => {
    const annotations = id === undefined ? {} : { 'argocd.argoproj.io/tracking-id': id };
    expect(parentOf(application('shop', 'argocd', annotations))).toEqual(ref);
  });
});

describe('the owners in a snapshot', () => {
  function read(
    options: ObjectOptions,
    objects: Partial<ClusterObjects>,
    unreadOwners: readonly UnreadOwner[] = [],
  ) {
    const workload = deployment(options);
    const index = indexObjects(clusterObjects(objects));
    const snapshot = {
      takenAt: '2026-11-20T09:30:00Z',
      cluster: 'prod',
      workload,
      index,
      logs: [],
      unseen: [],
      unreadOwners,
    };
    return ownerObjectsOf(snapshot);
  }
  const found = (object: object) => ({ type: 'found', object });

  it('are absent without marks', () => {
    expect(read({}, { Application: [application('shop', 'argocd')] })).toEqual({});
  });

  it('are the named objects, each with where its declaration is read from', () => {
    const own = kustomization({ kind: 'GitRepository', name: 'deploy' });
    const charts = release({ kind: 'GitRepository', name: 'charts' }, kustomized);
    const [deploy, chartSource] = [repository('deploy'), repository('charts')];
    const owners = read(
      { labels: { ...kustomized, ...released } },
      {
        Kustomization: [own, kustomization(undefined, 'other')],
        HelmRelease: [charts],
        GitRepository: [deploy, chartSource],
      },
    );
    expect(owners).toEqual({
      kustomization: found(own),
      gitRepository: found(deploy),
      helmRelease: found(charts),
      release: {
        kustomization: found(own),
        gitRepository: found(deploy),
        chartRepository: found(chartSource),
      },
    });
  });

  it('include the Application above the Application', () => {
    const id = { 'argocd.argoproj.io/tracking-id': 'argocd_root:argoproj.io/Application:argocd/shop' };
    const [shop, root] = [application('shop', 'argocd', id), application('root', 'argocd')];
    expect(read({ annotations: tracked }, { Application: [shop, root] })).toMatchObject({
      application: found(shop),
      parent: found(root),
    });
  });

  it('of which two have the name count as not read where the mark states no namespace', () => {
    const Application = [application('shop', 'a'), application('shop', 'b')];
    expect(read({ annotations: tracked }, { Application }).application).toBeUndefined();
    const inB = trackingId('b_shop:apps/Deployment:ml/inference');
    expect(read(inB, { Application }).application).toEqual(found(Application[1] ?? {}));
  });

  it.each([
    ['missing', { type: 'missing' }],
    ['forbidden', { type: 'unread', because: 'forbidden' }],
  ] as const)('that are %s keep that reason', (because, expected) => {
    const unread = [{ kind: 'Application', because }] as unknown as readonly UnreadOwner[];
    expect(read({ annotations: tracked }, {}, unread).application).toEqual(expected);
    // The reason belongs to its kind alone.
    expect(
      read({ labels: kustomized }, { Kustomization: [kustomization()] }, unread).kustomization,
    ).toMatchObject({ type: 'found' });
  });
});

describe('what a verdict without the object rests on', () => {
  const shop = application('shop', 'argocd');
  it.each<[string, Parameters<typeof objectOf<Application>>[0], object | undefined, object]>([
    [
      'the object',
      { type: 'found', object: shop },
      shop,
      { type: 'owner-object', kind: 'Application', namespace: 'argocd', name: 'shop' },
    ],
    [
      'that it does not exist',
      { type: 'missing' },
      undefined,
      { type: 'owner-unread', kind: 'Application', because: 'not-found' },
    ],
    [
      'why it was not read',
      { type: 'unread', because: 'forbidden' },
      undefined,
      { type: 'owner-unread', kind: 'Application', because: 'forbidden' },
    ],
    [
      'that nobody read it',
      undefined,
      undefined,
      { type: 'owner-unread', kind: 'Application', because: 'not-read' },
    ],
  ])('is %s', (_, given, object, restsOn) => {
    expect(objectOf(given, 'Application')).toEqual({ object, restsOn });
  });
});

describe('Flux takes a running upgrade back that is not complete in time', () => {
  const upgrading = [{ type: 'Ready', status: 'Unknown', reason: 'Progressing' }];
  const of = (spec: object, conditions: readonly object[] = upgrading) =>
    remediationOf(
      HelmRelease.parse({
        metadata: { name: 'shop', namespace: 'flux-system' },
        spec,
        status: { conditions },
      }),
    );
  const retried = { remediation: { retries: 3 } };

  it.each<readonly [string, object, string]>([
    ['after five minutes, where nothing is set', { upgrade: retried }, '5m'],
    ['after the timeout of the release', { timeout: '10m', upgrade: retried }, '10m'],
    ['after that of the upgrade', { timeout: '10m', upgrade: { ...retried, timeout: '90s' } }, '90s'],
    ['where it tries again without end', { upgrade: { remediation: { retries: -1 } } }, '5m'],
    ['where it remediates the only try', { upgrade: { remediation: { remediateLastFailure: true } } }, '5m'],
  ])('%s', (_, spec, timeout) => {
    expect(of(spec)).toEqual({ timeout, does: 'rollback' });
  });

  it('or uninstalls the release, where its strategy is that', () => {
    const remediation = { retries: 3, strategy: 'uninstall' };
    expect(of({ upgrade: { remediation } })).toEqual({ timeout: '5m', does: 'uninstall' });
  });

  it('and does not repeat a timeout that is none', () => {
    const timeout = 'x'.repeat(100_000);
    expect(of({ timeout, upgrade: { ...retried, timeout } })?.timeout).toBe('5m');
  });

  it.each<readonly [string, object, readonly object[]]>([
    ['it does not remediate', {}, upgrading],
    ['it tries once, and leaves what failed', { upgrade: { remediation: { retries: 0 } } }, upgrading],
    ['it does not wait for the objects', { upgrade: { ...retried, disableWait: true } }, upgrading],
    ['it tries again in place', { upgrade: { ...retried, strategy: { name: 'RetryOnFailure' } } }, upgrading],
    [
      'no upgrade is running',
      { upgrade: retried },
      [{ ...upgrading[0], status: 'False', reason: 'UpgradeFailed' }],
    ],
    ['its state is not known', { upgrade: retried }, []],
  ])('but not where %s', (_, spec, conditions) => {
    expect(of(spec, conditions)).toBeUndefined();
  });
});
