import { describe, expect, it } from 'vitest';
import type { LocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { storedBy } from '../../support/remediation-rig.js';
import {
  block,
  manifest,
  merged,
  opened,
  pullRequestOf,
  refusalOf,
  repository,
  review,
  type Stage,
  startStage,
  withStages,
} from './git-stage.js';
import {
  type ApplicationSource,
  applicationOf,
  headOf,
  kustomizationOf,
  kustomizedBy,
  tracked,
} from './owner-objects.js';

withStages();

type Options = Parameters<typeof startStage>[0];

const urlOf = (git: LocalGitHost, name: string): string =>
  `${git.url.replace('http://', 'https://x-access-token:ghs_canary@')}/${name}.git`;

/** The settings allow repositories and map nothing. */
const stageOf = (options: Options): Promise<Stage> => startStage({ sources: [], ...options });

/** Owned by an Application of these sources, at these revisions or at the heads of their repositories. */
const sourcesStage = (
  sources: (git: LocalGitHost) => readonly ApplicationSource[],
  options: Options = {},
  revisions?: (git: LocalGitHost) => readonly string[],
): Promise<Stage> =>
  stageOf({
    marks: tracked,
    owner: (git) => [applicationOf(git, sources(git), revisions?.(git))],
    ...options,
  });

const argoStage = (source: object = {}, options: Options = {}): Promise<Stage> =>
  sourcesStage(
    (git) => [{ repoURL: urlOf(git, repository), path: 'prod', targetRevision: 'HEAD', ...source }],
    options,
    (git) => [headOf(git)],
  );

const fluxStage = (): Promise<Stage> =>
  stageOf({
    marks: kustomizedBy('shop'),
    owner: (git) => kustomizationOf(git, 'shop', './prod', urlOf(git, repository)),
  });

describe('a pull request where the owner names the repository', () => {
  it.each([
    ['an Application of Argo CD', argoStage],
    ['a Kustomization of Flux', fluxStage],
  ])('is opened in the source of %s, on its branch', async (_, start) => {
    const stage = await start();
    const pull = await opened(stage);

    expect(pull).toMatchObject({ base: 'main' });
    expect(pull.textOf('prod/api.yaml')).toBe(manifest.replace('enough\n', `enough\n${block}`));
    expect(await storedBy(stage.rig)).not.toContain('ghs_canary');
  });

  it('is opened in the one of several sources that declares the workload', async () => {
    const stage = await sourcesStage(
      (git) => [
        { repoURL: 'https://charts.example', chart: 'app', targetRevision: '1.2.3' },
        { repoURL: urlOf(git, 'acme/charts'), path: 'all' },
        { repoURL: urlOf(git, repository), path: 'prod' },
      ],
      {
        repositories: {
          'acme/charts': { 'all/web.yaml': 'kind: Service\n' },
          [repository]: { 'prod/api.yaml': manifest },
        },
        allowed: ['acme/charts', repository],
      },
      (git) => ['1.2.3', headOf(git, 'acme/charts'), headOf(git)],
    );
    await opened(stage);

    expect(stage.git.pulls('acme/charts')).toEqual([]);
    expect(stage.git.pulls(repository)).toHaveLength(1);
    expect(await pullRequestOf(stage)).toMatchObject({ target: { repository, branch: 'main' } });
    await merged(stage);
  });

  it('is refused where two sources declare the workload', async () => {
    const file = { 'prod/api.yaml': manifest };
    const both = [repository, 'acme/other'];
    const stage = await sourcesStage(
      (git) => both.map((name) => ({ repoURL: urlOf(git, name), path: 'prod' })),
      { repositories: { 'acme/other': file, [repository]: file }, allowed: ['acme/other', repository] },
      (git) => both.map((name) => headOf(git, name)),
    );

    expect(await refusalOf(stage)).toMatchObject({
      key: 'tree-refused',
      values: { reason: 'declared-twice', repository: 'acme/other' },
    });
  });

  it('is opened from the head of a branch that moved on without the file', async () => {
    const stage = await argoStage();
    const head = stage.git.repository(repository).commitFile('main', 'prod/web.yaml', 'kind: Service\n');
    const pull = await opened(stage);

    const store = stage.git.repository(repository);
    expect(store.isAncestor(head, store.headOf(pull.head) ?? '')).toBe(true);
  });

  it.each([
    ['the file', 'prod/api.yaml', manifest.replace('api:2', 'api:3')],
    ['where the workload is declared', 'prod/other.yaml', manifest],
  ])('is refused where the branch changed %s since the commit that was applied', async (_, path, text) => {
    const stage = await argoStage();
    stage.git.repository(repository).commitFile('main', path, text);

    expect(await refusalOf(stage)).toMatchObject({
      key: 'tree-refused',
      values: { reason: 'stale-base', file: 'prod/api.yaml' },
    });
  });

  it('is refused where the branch has the values already', async () => {
    const stage = await argoStage();
    const fixed = manifest.replace('enough\n', `enough\n${block}`);
    stage.git.repository(repository).commitFile('main', 'prod/api.yaml', fixed);

    expect(await refusalOf(stage)).toMatchObject({ values: { reason: 'as-wanted' } });
  });

  it('is refused where the repository lacks the applied commit', async () => {
    const stage = await argoStage();
    stage.git.fail({ on: `GET /git/commits/${headOf(stage.git)}`, status: 404 });
    stage.git.repository(repository).commitFile('main', 'README.md', 'x');

    expect(await refusalOf(stage)).toMatchObject({ values: { reason: 'no-revision' } });
  });

  it('ignores folders that the Application does not read', async () => {
    const stage = await argoStage({}, { repositories: { [repository]: { 'prod/sub/api.yaml': manifest } } });

    expect(await refusalOf(stage)).toMatchObject({ values: { reason: 'not-declared' } });
  });
});

describe('the review of a pull request without a mapping', () => {
  it.each([
    ['a chart', { chart: 'app' }, { reason: 'chart' }],
    ['a tag', { targetRevision: 'refs/tags/v1' }, { reason: 'pinned' }],
    [
      'a repository that the settings do not allow',
      { repoURL: 'https://127.0.0.1/acme/secret' },
      { reason: 'not-allowed', detail: 'acme/secret' },
    ],
  ])('is refused for %s, and names the owner', async (_, source, values) => {
    const stage = await argoStage(source);

    expect(await review(stage)).toMatchObject({
      type: 'refused',
      because: { key: 'source-refused', values: { owner: 'Application tools/shop', ...values } },
      byHand: expect.stringMatching(/^apiVersion: apps\/v1\nkind: Deployment\n[\s\S]*maxSurge: 0\n/u),
    });
    expect(stage.git.requests).toEqual([]);
  });

  it('is refused where the owner does not exist or nothing owns the workload', async () => {
    const missing = await argoStage({}, { owner: () => [] });
    expect(await review(missing)).toMatchObject({
      because: { key: 'source-refused', values: { reason: 'missing' } },
    });
    const unowned = await stageOf({});
    expect(await review(unowned)).toMatchObject({ because: { key: 'no-source' } });
  });

  it('lets a mapping of the settings win over the owner', async () => {
    const stage = await argoStage(
      { chart: 'app' },
      { sources: [{ namespaces: ['shop'], repository, branch: 'main', path: 'prod' }] },
    );
    await opened(stage);
  });
});
