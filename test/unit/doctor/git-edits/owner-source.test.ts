import { describe, expect, it } from 'vitest';
import { ownerSourceOf } from '#src/doctor/git-edits/owner-source.js';
import { Application, GitRepository, HelmRelease, Kustomization } from '#src/engine/objects/gitops.js';
import type { OwnerObjects } from '#src/engine/owners/owner-objects.js';

const reach = [
  { host: 'github.com', repositories: ['acme/deploy', 'acme/Shared'] },
  { host: 'gitlab.example', repositories: ['acme/platform/deploy'] },
];
const commit = 'a'.repeat(40);
const newer = 'b'.repeat(40);
const place = { repository: 'acme/deploy', branch: 'main', path: 'prod', revision: commit };
const metadata = { name: 'shop', namespace: 'tools' };

const source = { repoURL: 'https://github.com/acme/deploy.git', path: 'prod', targetRevision: 'main' };
const synced = { sync: { status: 'Synced', revision: commit } };

function application(spec: object, status: object = synced): OwnerObjects {
  return { application: { type: 'found', object: Application.parse({ metadata, spec, status }) } };
}

const found = (owners: OwnerObjects) => ownerSourceOf(owners, reach);

describe('the source of an Argo CD Application', () => {
  it.each<[string, object, object, object]>([
    ['a folder that is not read recursively', source, synced, { ...place, isFlat: true }],
    ['a recursive folder', { ...source, directory: { recurse: true } }, synced, place],
    ['an SSH address', { ...source, repoURL: 'git@github.com:acme/deploy.git' }, synced, place],
    [
      'a project in nested groups of another host',
      { ...source, repoURL: 'git@gitlab.example:acme/platform/deploy.git' },
      synced,
      { repository: 'acme/platform/deploy' },
    ],
    [
      'a repository in another case',
      { ...source, repoURL: 'https://github.com/ACME/shared' },
      synced,
      { repository: 'acme/Shared' },
    ],
    ['the default branch', { ...source, targetRevision: undefined }, synced, { branch: 'HEAD' }],
    ['HEAD', { ...source, targetRevision: 'HEAD' }, synced, { branch: 'HEAD' }],
    [
      'a full name of a branch',
      { ...source, targetRevision: 'refs/heads/release/1.2' },
      synced,
      { branch: 'release/1.2' },
    ],
    ['the root', { ...source, path: '.' }, synced, { path: '' }],
    ['a path with slashes', { ...source, path: './prod/' }, synced, { path: 'prod' }],
    ['images that Kustomize sets', { ...source, kustomize: { images: ['a=b'], patches: [] } }, synced, place],
    [
      'the revision of the last sync where a newer one was only compared',
      source,
      {
        sync: { status: 'OutOfSync', revision: newer },
        operationState: { phase: 'Succeeded', syncResult: { revision: commit } },
      },
      place,
    ],
    [
      'the compared revision where nothing differs from it',
      source,
      {
        sync: { status: 'Synced', revision: commit },
        operationState: { phase: 'Succeeded', syncResult: { revision: newer } },
      },
      place,
    ],
  ])('is found: %s', (_, of, status, expected) => {
    expect(found(application({ source: of }, status))).toMatchObject({ type: 'found', target: expected });
  });

  it.each<[string, object, object, string, string]>([
    ['a chart', { ...source, chart: 'app' }, synced, 'chart', 'app'],
    [
      'a values file by its URL',
      { ...source, helm: { valueFiles: ['https://x.example/v.yaml'] } },
      synced,
      'chart-file',
      'https://x.example/v.yaml',
    ],
    [
      'a pattern of values files',
      { ...source, helm: { valueFiles: ['envs/*.yaml'] } },
      synced,
      'chart-file',
      'envs/*.yaml',
    ],
    [
      'a values file of no source',
      { ...source, helm: { valueFiles: ['$live/v.yaml'] } },
      synced,
      'chart-file',
      '$live/v.yaml',
    ],
    [
      'a values file outside',
      { ...source, helm: { valueFiles: ['../../v.yaml'] } },
      synced,
      'chart-file',
      '../../v.yaml',
    ],
    ['a plugin', { ...source, plugin: { name: 'x' } }, synced, 'plugin', ''],
    [
      'patches in the Application',
      { ...source, kustomize: { patches: [{ patch: 'x' }] } },
      synced,
      'transformed',
      'kustomize.patches',
    ],
    [
      'a filter of files',
      { ...source, directory: { exclude: 'a.yaml' } },
      synced,
      'transformed',
      'directory.exclude',
    ],
    ['a commit', { ...source, targetRevision: commit }, synced, 'pinned', commit],
    ['a tag', { ...source, targetRevision: 'refs/tags/v1' }, synced, 'pinned', 'refs/tags/v1'],
    ['a range', { ...source, targetRevision: '^1.2' }, synced, 'pinned', '^1.2'],
    [
      'another host',
      { ...source, repoURL: 'https://user:ghp_secret@git.example/a/b' },
      synced,
      'other-host',
      'git.example',
    ],
    [
      'a repository that the settings do not allow',
      { ...source, repoURL: 'https://user:ghp_secret@github.com/acme/other' },
      synced,
      'not-allowed',
      'acme/other',
    ],
    ['an address that is none', { ...source, repoURL: 'oci://ghp_secret' }, synced, 'not-git', ''],
    ['a path that leaves the repository', { ...source, path: '../x' }, synced, 'path', '../x'],
    ['no sync', source, {}, 'not-synced', ''],
    [
      'a sync that failed',
      source,
      {
        sync: { status: 'OutOfSync', revision: newer },
        operationState: { phase: 'Failed', syncResult: { revision: commit } },
      },
      'not-synced',
      '',
    ],
  ])('is refused: %s', (_, of, status, because, detail) => {
    const read = found(application({ source: of }, status));

    expect(read).toEqual({ type: 'refused', because, detail, owner: 'Application tools/shop' });
    expect(JSON.stringify(read)).not.toContain('ghp_secret');
  });

  it.each<[string, object, object]>([
    ['a chart in the folder', {}, { files: [], overrides: [], release: { name: 'shop', namespace: 'web' } }],
    [
      'names of the release',
      { releaseName: 'api', namespace: 'other' },
      { release: { name: 'api', namespace: 'other' } },
    ],
    [
      'values files beside it, above it and from the root',
      { valueFiles: ['a.yaml', '../b.yaml', '/c/d.yaml'], ignoreMissingValueFiles: true },
      { files: [{ path: 'prod/a.yaml' }, { path: 'b.yaml' }, { path: 'c/d.yaml' }], mayLackFiles: true },
    ],
    [
      'values and parameters, without what they are',
      {
        values: 'a: {b: ghp_secret}\nc: 1',
        valuesObject: { d: { e: 'ghp_secret' }, f: {} },
        parameters: [{ name: 'g.h', value: 'ghp_secret' }, { name: 'i[0].j' }, { name: 'k\\.l.m' }],
        fileParameters: [{ name: 'n', path: 'x' }],
      },
      {
        overrides: [
          { by: 'helm.valuesObject', path: ['d', 'e'] },
          { by: 'helm.valuesObject', path: ['f'] },
          { by: 'helm.values', path: ['a', 'b'] },
          { by: 'helm.values', path: ['c'] },
          { by: 'helm.parameters', path: ['g', 'h'] },
          { by: 'helm.parameters', path: ['i'] },
          { by: 'helm.parameters', path: ['k.l', 'm'] },
          { by: 'helm.fileParameters', path: ['n'] },
        ],
      },
    ],
    ['values that are no map', { values: '- a' }, { overrides: [{ by: 'helm.values', path: [] }] }],
    ['values that are no YAML', { values: 'a: [' }, { overrides: [{ by: 'helm.values', path: [] }] }],
    ['a merge key', { values: 'a: {<<: {b: 1}}' }, { overrides: [{ by: 'helm.values', path: ['a'] }] }],
  ])('renders a chart: %s', (_, helm, expected) => {
    const destination = { namespace: 'web' };
    const spec = { destination, source: { ...source, helm } };
    const read = found(application(spec, { ...synced, sourceType: 'Helm' }));

    expect(read).toMatchObject({ type: 'found', target: { repository: 'acme/deploy', chart: expected } });
    expect(JSON.stringify(read)).not.toContain('ghp_secret');
  });

  it('edits the repository of the values file that counts most, and reads the chart in its own', () => {
    const sources = [
      { ...source, path: 'web', helm: { valueFiles: ['values.yaml', '$live/envs/prod.yaml'] } },
      { repoURL: 'https://github.com/acme/Shared', targetRevision: 'live', ref: 'live' },
    ];
    expect(
      found(application({ sources }, { sync: { status: 'Synced', revisions: [commit, newer] } })),
    ).toMatchObject({
      target: {
        ...{ repository: 'acme/Shared', branch: 'live', path: 'envs/prod.yaml', revision: newer },
        chart: {
          folder: { repository: 'acme/deploy', branch: 'main', path: 'web', revision: commit },
          files: [{ path: 'web/values.yaml' }, { repository: 'acme/Shared', path: 'envs/prod.yaml' }],
        },
      },
    });
  });

  it('is each of several ones that may hold the object, with its own revision', () => {
    const sources = [
      { repoURL: 'https://charts.example', chart: 'app', targetRevision: '1.2.3' },
      { repoURL: 'https://github.com/acme/values', ref: 'values' },
      { repoURL: 'https://github.com/acme/other', path: 'x' },
      source,
      { repoURL: 'https://github.com/acme/Shared', path: 'all', directory: { recurse: true } },
    ];
    const revisions = ['1.2.3', newer, newer, commit, newer];

    expect(found(application({ source, sources }, { sync: { status: 'Synced', revisions } }))).toEqual({
      type: 'found',
      target: {
        ...place,
        isFlat: true,
        others: [{ repository: 'acme/Shared', branch: 'HEAD', path: 'all', revision: newer }],
      },
    });
    expect(
      found(application({ sources: sources.slice(0, 2) }, { sync: { status: 'Synced', revisions } })),
    ).toMatchObject({ because: 'chart', detail: 'app' });
  });

  it('is refused where the tree is generated, missing or not readable', () => {
    expect(found(application({ source, sourceHydrator: { drySource: {} } }))).toMatchObject({
      because: 'hydrated',
    });
    expect(found(application({}))).toMatchObject({ because: 'no-source' });
    expect(found({ application: { type: 'missing' } })).toMatchObject({ because: 'missing' });
    expect(found({ application: { type: 'unread', because: 'forbidden' } })).toMatchObject({
      because: 'unread',
      detail: 'forbidden',
      owner: 'Application',
    });
  });
});

const sourceRef = { kind: 'GitRepository', name: 'deploy' };
const applied = { lastAppliedRevision: `main@sha1:${commit}` };

function flux(
  { spec = {}, status = applied }: { readonly spec?: object; readonly status?: object } = {},
  repository: object | 'unread' = { url: 'ssh://git@github.com/acme/deploy', ref: { branch: 'main' } },
): OwnerObjects {
  const object = Kustomization.parse({
    metadata,
    spec: { sourceRef, path: './prod', ...spec },
    status,
  });
  return {
    kustomization: { type: 'found', object },
    gitRepository:
      repository === 'unread'
        ? { type: 'unread', because: 'forbidden' }
        : { type: 'found', object: GitRepository.parse({ metadata, spec: repository }) },
  };
}

describe('the source of a Flux Kustomization', () => {
  const url = 'https://github.com/acme/deploy';

  it.each<[string, OwnerObjects, object]>([
    ['an SSH address', flux(), place],
    [
      'an address with credentials',
      flux({}, { url: 'https://x:ghs_1@github.com/acme/deploy', ref: { branch: 'main' } }),
      place,
    ],
    ['the default branch of Flux', flux({}, { url }), { branch: 'master' }],
    [
      'a name in place of the branch',
      flux({}, { url, ref: { branch: 'main', name: 'refs/heads/live' } }),
      { branch: 'live' },
    ],
    ['the root', flux({ spec: { path: undefined } }), { path: '' }],
    ['a revision of older versions', flux({ status: { lastAppliedRevision: `main/${commit}` } }), place],
    [
      'the attempted revision while its health checks fail',
      flux({
        status: {
          lastAppliedRevision: `main@sha1:${newer}`,
          lastAttemptedRevision: `main@sha1:${commit}`,
          conditions: [{ type: 'Ready', status: 'False', reason: 'HealthCheckFailed' }],
        },
      }),
      place,
    ],
    [
      'the attempted revision while its health checks run',
      flux({
        status: {
          lastAppliedRevision: `main@sha1:${newer}`,
          lastAttemptedRevision: `main@sha1:${commit}`,
          conditions: [{ type: 'Healthy', status: 'Unknown', reason: 'Progressing' }],
        },
      }),
      place,
    ],
    [
      'the applied revision while another one cannot be applied',
      flux({
        status: {
          ...applied,
          lastAttemptedRevision: `main@sha1:${newer}`,
          conditions: [{ type: 'Ready', status: 'False', reason: 'ReconciliationFailed' }],
        },
      }),
      place,
    ],
  ])('is found: %s', (_, owners, expected) => {
    expect(found(owners)).toMatchObject({ type: 'found', target: expected });
  });

  it.each<[string, OwnerObjects, string, string]>([
    [
      'an OCI artifact',
      flux({ spec: { sourceRef: { ...sourceRef, kind: 'OCIRepository' } } }),
      'not-git',
      'OCIRepository',
    ],
    ['a commit', flux({}, { url, ref: { branch: 'main', commit } }), 'pinned', commit],
    ['a range of tags', flux({}, { url, ref: { semver: '1.x' } }), 'pinned', '1.x'],
    ['a tag', flux({}, { url, ref: { tag: 'v1' } }), 'pinned', 'v1'],
    ['patches in the Kustomization', flux({ spec: { patches: [{ patch: 'x' }] } }), 'transformed', 'patches'],
    ['nothing applied', flux({ status: {} }), 'not-synced', ''],
    ['a GitRepository that may not be read', flux({}, 'unread'), 'unread', 'forbidden'],
    ['no source', flux({ spec: { sourceRef: undefined } }), 'no-source', ''],
  ])('is refused: %s', (_, owners, because, detail) => {
    expect(found(owners)).toMatchObject({ type: 'refused', because, detail });
  });
});

describe('the source of a workload', () => {
  const chart = { chart: './charts/web/', sourceRef: { kind: 'GitRepository', name: 'charts' } };
  const releaseOf = (
    spec: object,
    kustomization: OwnerObjects['kustomization'] | 'none' = flux().kustomization,
  ) => {
    const object = HelmRelease.parse({
      metadata,
      spec: { chart: { spec: chart }, ...spec },
      status: { history: [{ chartVersion: '1.2.3' }, { chartVersion: '1.2.2' }] },
    });
    const charts = GitRepository.parse({
      metadata,
      spec: { url: 'https://github.com/acme/Shared', ref: { tag: 'v1' } },
      status: { artifact: { revision: `v1@sha1:${newer}` } },
    });
    return found({
      helmRelease: { type: 'found', object },
      release: {
        kustomization: kustomization === 'none' ? undefined : kustomization,
        gitRepository: flux().gitRepository,
        chartRepository: { type: 'found', object: charts },
      },
    });
  };
  const holder = {
    apiGroup: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    namespace: 'tools',
    name: 'shop',
    field: ['spec', 'values'],
  };

  it.each<[string, object, string]>([
    ['of its own name', {}, 'shop'],
    ['in another namespace', { targetNamespace: 'web' }, 'web-shop'],
    ['of a stated name', { targetNamespace: 'web', releaseName: 'api' }, 'api'],
  ])('is where the HelmRelease is declared, with the chart as it was read: a release %s', (_, spec, name) => {
    const folder = { repository: 'acme/Shared', path: 'charts/web', revision: newer, isPinned: true };
    expect(releaseOf(spec)).toMatchObject({
      type: 'found',
      target: {
        ...place,
        readsOutside: true,
        chart: { release: { name }, folder, holder, version: '1.2.3' },
      },
    });
  });

  it.each<[string, object, object]>([
    [
      'another kind of chart',
      { chart: undefined, chartRef: { kind: 'OCIRepository' } },
      { because: 'chart' },
    ],
    [
      'a chart of a chart repository',
      { chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository' } } } },
      { because: 'chart', detail: 'web' },
    ],
    ['values of a Secret', { valuesFrom: [{ kind: 'Secret', name: 'x' }] }, { because: 'values-from' }],
    [
      'other defaults',
      { chart: { spec: { ...chart, valuesFiles: ['a.yaml'] } } },
      { because: 'transformed', detail: 'chart.spec.valuesFiles' },
    ],
    ['patches after it', { postRenderers: [{}] }, { because: 'transformed', detail: 'postRenderers' }],
    ['a chart outside', { chart: { spec: { ...chart, chart: '../web' } } }, { because: 'path' }],
    ['a long name', { releaseName: 'x'.repeat(54) }, { because: 'transformed', detail: 'releaseName' }],
  ])('is refused for a HelmRelease with %s', (_, spec, expected) => {
    expect(releaseOf(spec)).toMatchObject({ type: 'refused', owner: 'HelmRelease tools/shop', ...expected });
  });

  it('is refused for a HelmRelease that no Kustomization is known to declare', () => {
    expect(releaseOf({}, 'none')).toMatchObject({ because: 'undeclared-release' });
    expect(releaseOf({}, { type: 'unread', because: 'forbidden' })).toMatchObject({
      because: 'unread',
      owner: 'Kustomization',
    });
  });

  it('is not looked for without an owner that reads Git', () => {
    expect(found({})).toBeUndefined();
  });
});
