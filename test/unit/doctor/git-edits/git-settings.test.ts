import { describe, expect, it } from 'vitest';
import {
  allowedRepositories,
  GitSettings,
  gitReachOf,
  sourceOf,
} from '#src/doctor/git-edits/git-settings.js';

const key = { env: 'GITHUB_KEY' };
const github = { appId: 1, privateKey: key };
const gitlab = { token: key, repositories: ['group/sub/deploy'] };
const source = { namespaces: ['ml'], repository: 'acme/deploy' };
const settings = (fields: object) => GitSettings.parse(fields);
const accepts = (fields: object): boolean => GitSettings.safeParse(fields).success;

describe('the repositories in which pull requests may be opened', () => {
  it.each<[string, object, readonly object[]]>([
    ['none without a host', { repositories: ['acme/deploy'] }, []],
    [
      'those of GitHub',
      { github, repositories: ['acme/deploy'] },
      [{ host: 'github.com', repositories: ['acme/deploy'] }],
    ],
    [
      'those of GitHub Enterprise',
      { github: { ...github, apiUrl: 'https://Git.Example:8443/api/v3' }, repositories: ['acme/deploy'] },
      [{ host: 'git.example', repositories: ['acme/deploy'] }],
    ],
    ['those of GitLab', { gitlab }, [{ host: 'gitlab.com', repositories: ['group/sub/deploy'] }]],
    [
      'each on its own host',
      { github, gitlab, repositories: ['acme/deploy'] },
      [
        { host: 'github.com', repositories: ['acme/deploy'] },
        { host: 'gitlab.com', repositories: ['group/sub/deploy'] },
      ],
    ],
  ])('are %s', (_, fields, reach) => {
    expect(gitReachOf(settings(fields))).toEqual(reach);
  });

  it('are those of both hosts together', () => {
    expect(allowedRepositories(settings({ github, gitlab, repositories: ['acme/deploy'] }))).toEqual([
      'acme/deploy',
      'group/sub/deploy',
    ]);
  });
});

describe('the source of a workload in the settings', () => {
  const of = (sources: readonly object[], workload = {}, object?: string) =>
    sourceOf(
      settings({ gitlab, repositories: ['acme/deploy'], sources }),
      { cluster: 'prod', namespace: 'ml', name: 'inference', ...workload },
      object,
    );
  const found = { repository: 'acme/deploy', branch: 'main', path: '' };

  it.each<[string, object, object]>([
    ['its namespace', source, {}],
    ['a pattern of its namespace', { ...source, namespaces: ['m*'] }, {}],
    ['its cluster', { ...source, clusters: ['prod'] }, {}],
    ['its name', { ...source, workloads: ['other', 'inf*'] }, {}],
  ])('matches %s', (_, each, workload) => {
    expect(of([each], workload)).toEqual(found);
  });

  it.each<[string, object, object]>([
    ['another namespace', source, { namespace: 'ml-dev' }],
    ['another cluster', { ...source, clusters: ['prod'] }, { cluster: 'dev' }],
    ['another name', { ...source, workloads: ['inference'] }, { name: 'inference-2' }],
    ['a repository in which no pull request may be opened', { ...source, repository: 'acme/other' }, {}],
  ])('does not match %s', (_, each, workload) => {
    expect(of([each], workload)).toBeUndefined();
  });

  it('matches by the declared object or by the workload', () => {
    expect(of([{ ...source, workloads: ['llm'] }], {}, 'llm')).toEqual(found);
    expect(of([{ ...source, workloads: ['inference'] }], {}, 'llm')).toEqual(found);
    expect(of([{ ...source, workloads: ['other'] }], {}, 'llm')).toBeUndefined();
  });

  it('is the first one that matches, and no later one where the first is not allowed', () => {
    const inFolder = { ...source, branch: 'live', path: 'clusters/prod/' };
    expect(of([{ ...source, namespaces: ['web'] }, inFolder, source])).toEqual({
      ...found,
      branch: 'live',
      path: 'clusters/prod',
    });
    expect(of([{ ...source, repository: 'acme/other' }, source])).toBeUndefined();
  });

  it('may be a project of GitLab', () => {
    expect(of([{ ...source, repository: 'group/sub/deploy' }])).toMatchObject({
      repository: 'group/sub/deploy',
    });
  });
});

describe('settings for Git', () => {
  const withSource = (fields: object) => ({ sources: [{ ...source, ...fields }] });

  it.each<[string, object]>([
    ['an Enterprise host', { github: { ...github, apiUrl: 'https://git.example/api/v3' } }],
    ['a repository', { repositories: ['acme/deploy'] }],
    ['a repository with dots', { repositories: ['a-1/de.ploy_2'] }],
    ['a branch with slashes', withSource({ branch: 'release/1.x' })],
    ['a file', withSource({ path: 'prod/app.yaml' })],
    ['a folder with a leading dot', withSource({ path: '.github/prod' })],
    ['a key from a file', { github: { appId: 1, privateKey: { file: '/keys/app.pem' } } }],
  ])('may name %s', (_, fields) => {
    expect(accepts(fields)).toBe(true);
  });

  it.each<[string, object]>([
    ['an unknown field', { githib: github }],
    ['an address without http', { github: { ...github, apiUrl: 'ftp://git.example' } }],
    ['the key itself', { github: { appId: 1, privateKey: 'secret' } }],
    ['a key from two places', { github: { appId: 1, privateKey: { env: 'A', file: 'b' } } }],
    ['a variable that cannot be one', { github: { appId: 1, privateKey: { env: 'a-b' } } }],
    ['an App without a number', { github: { appId: 0, privateKey: key } }],
    ['GitLab without a project', { gitlab: { token: key, repositories: [] } }],
    ['a project without a group', { gitlab: { token: key, repositories: ['deploy'] } }],
    ['a project outside its group', { gitlab: { token: key, repositories: ['group/../deploy'] } }],
    ['a project with a blank', { gitlab: { token: key, repositories: ['group/deploy x'] } }],
    ['a project behind a blank', { gitlab: { token: key, repositories: [' group/deploy'] } }],
    ['a repository without an owner', { repositories: ['deploy'] }],
    ['a repository with another path', { repositories: ['acme/deploy/x'] }],
    ['an owner that starts with a hyphen', { repositories: ['-acme/deploy'] }],
    ['a source without namespaces', withSource({ namespaces: [] })],
    ['an empty pattern', withSource({ namespaces: [''] })],
    ['a branch with two dots', withSource({ branch: 'a..b' })],
    ['a branch with two slashes', withSource({ branch: 'a//b' })],
    ['a branch that ends in a slash', withSource({ branch: 'a/' })],
    ['a branch that ends in .lock', withSource({ branch: 'a.lock' })],
    ['a branch with @{', withSource({ branch: 'a@{1' })],
    ['a branch that starts with a hyphen', withSource({ branch: '-a' })],
    ['a path from the root of the machine', withSource({ path: '/prod' })],
    ['a path out of the repository', withSource({ path: 'prod/../../x' })],
    ['a path that is only a dot', withSource({ path: '.' })],
    ['a path with a line break', withSource({ path: 'prod\nx' })],
  ])('never name %s', (_, fields) => {
    expect(accepts(fields)).toBe(false);
  });
});
