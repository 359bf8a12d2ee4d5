import { describe, expect, it } from 'vitest';
import { Application, GitRepository, HelmRelease, Kustomization } from '#src/core/cluster/gitops.js';
import { ownerSourceOf } from '#src/core/git-change/owner-source.js';
import type { OwnerObjects } from '#src/core/survival/owner-objects.js';

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
    ['Helm settings', { ...source, helm: { values: 'a: 1' } }, synced, 'chart', 'prod'],
    ['a chart in the folder', source, { ...synced, sourceType: 'Helm' }, 'chart', 'prod'],
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
  it('is refused for a HelmRelease: its chart declares the fields', () => {
    const object = HelmRelease.parse({ metadata, spec: {} });
    expect(found({ helmRelease: { type: 'found', object } })).toMatchObject({ because: 'chart' });
  });

  it('is not looked for without an owner that reads Git', () => {
    expect(found({})).toBeUndefined();
  });
});
