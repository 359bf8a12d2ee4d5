import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sourceOf } from '#src/doctor/git-edits/git-settings.js';
import { hasGitSource } from '#src/settings/config.js';
import { loadGit } from '#src/settings/load-git.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-git-settings-'));
const path = join(folder, 'git.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString();

function load(
  yaml: string,
  { env = {}, needsKey = true }: { env?: Record<string, string>; needsKey?: boolean } = {},
) {
  writeFileSync(path, yaml);
  return loadGit(path, env, needsKey);
}

const settings = (more = ''): string =>
  `github: { appId: 7, privateKey: { env: KEY } }\nrepositories: [acme/deploy]\n${more}`;

describe('the settings of Git', () => {
  it('are none without a file', () => {
    expect(loadGit(undefined, {}, true)).toEqual({ git: undefined });
  });

  it('hold the key apart, in the form that the App needs, also with escaped line ends', () => {
    const loaded = load(settings(), { env: { KEY: key.replaceAll('\n', '\\n') } });
    const git = 'git' in loaded ? loaded.git : undefined;
    expect(git?.privateKey).toContain('BEGIN PRIVATE KEY');
    expect(JSON.stringify(git?.settings)).not.toContain('PRIVATE KEY-----');
  });

  it('need no key in a process that opens no pull requests', () => {
    expect(load(settings(), { needsKey: false })).toMatchObject({ git: { privateKey: undefined } });
  });

  it.each([
    ['a file that is none', '{ a: [', 'file-unusable'],
    ['a key that is missing', settings(), 'in PEM, in `KEY`'],
    [
      'a repository that is not allowed',
      settings('sources: [{ namespaces: [ml], repository: acme/other }]'),
      'sources[0].repository',
    ],
    ['a repository without an owner', 'repositories: [deploy]', 'acme/deploy'],
    [
      'a path that leaves the repository',
      settings('sources: [{ namespaces: [ml], repository: acme/deploy, path: ../x }]'),
      'clusters/prod',
    ],
    [
      'a branch that Git does not allow',
      settings('sources: [{ namespaces: [ml], repository: acme/deploy, branch: a..b }]'),
      'a branch such as main',
    ],
    ['a word that is unknown', settings('source: []'), 'source'],
  ])('are refused with what was expected: %s', (_, yaml, expected) => {
    const loaded = load(yaml, { env: { KEY: 'canary' } });
    const problems = 'problems' in loaded ? JSON.stringify(loaded.problems) : '';
    expect(problems).toContain(expected);
    expect(problems).not.toContain('canary');
  });

  it('take a token of GitLab beside the App or alone, and keep it apart', () => {
    const gitlab = 'gitlab: { token: { env: TOKEN }, repositories: [acme/platform/deploy] }\n';
    const source = 'sources: [{ namespaces: [ml], repository: acme/platform/deploy }]';
    const alone = load(gitlab + source, { env: { TOKEN: ' glpat-canary\n' } });
    const git = 'git' in alone ? alone.git : undefined;
    expect(git).toMatchObject({ token: 'glpat-canary', privateKey: undefined });
    expect(git?.settings.gitlab?.apiUrl).toBe('https://gitlab.com/api/v4');
    expect(JSON.stringify(git?.settings)).not.toContain('canary');
    const both = load(settings(gitlab), { env: { TOKEN: 'glpat-canary', KEY: key } });
    expect('git' in both && both.git?.privateKey).toContain('PRIVATE KEY');
    expect(load(gitlab, { needsKey: false })).toMatchObject({ git: { token: undefined } });
  });

  it.each([
    ['neither host', 'repositories: []', '`github` or `gitlab`'],
    ['an App without repositories', 'github: { appId: 7, privateKey: { env: KEY } }', 'both `github` and'],
    [
      'a token that is missing',
      'gitlab: { token: { env: TOKEN }, repositories: [acme/deploy] }',
      'access token of GitLab in `TOKEN`',
    ],
    [
      'a repository of both hosts',
      settings('gitlab: { token: { env: KEY }, repositories: [acme/deploy] }'),
      'each repository once',
    ],
    [
      'a project that leaves its group',
      'gitlab: { token: { env: KEY }, repositories: [acme/../deploy] }',
      'group/sub/deploy',
    ],
  ])('are refused with what was expected: %s', (_, yaml, expected) => {
    const loaded = load(yaml, { env: { KEY: key } });
    expect('problems' in loaded ? JSON.stringify(loaded.problems) : '').toContain(expected);
  });

  it('name the first source that matches cluster, namespace and workload', () => {
    const loaded = load(
      settings(
        'sources:\n  - { clusters: [prod-*], namespaces: [ml], workloads: [a*], repository: acme/deploy, path: ml/ }\n  - { namespaces: ["*"], repository: acme/deploy, branch: live }',
      ),
      { needsKey: false },
    );
    if (!('git' in loaded) || loaded.git === undefined) throw new Error('refused');
    const found = (cluster: string, name: string) =>
      sourceOf(loaded.git?.settings ?? { sources: [], repositories: [] }, { cluster, namespace: 'ml', name });
    expect(found('prod-eu', 'api')).toEqual({ repository: 'acme/deploy', branch: 'main', path: 'ml' });
    expect(found('prod-eu', 'web')).toEqual({ repository: 'acme/deploy', branch: 'live', path: '' });
    expect(found('staging', 'api')).toMatchObject({ branch: 'live' });
  });

  it('offer pull requests where a source matches or an owner reads Git', () => {
    const loaded = load(settings('sources: [{ namespaces: [ml], repository: acme/deploy }]'), {
      needsKey: false,
    });
    if (!('git' in loaded)) throw new Error('refused');
    const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
    const owner = (by: 'Argo CD' | 'Flux' | 'Helm', kind: string) => [{ by, kind, namespace: '', name: 'a' }];
    const offered = (owners: Parameters<typeof hasGitSource>[2], git = loaded.git, namespace = 'shop') =>
      hasGitSource({ git }, { ...workload, namespace }, owners);

    expect(offered([])).toBe(false);
    expect(offered([], loaded.git, 'ml')).toBe(true);
    expect(offered(owner('Argo CD', 'Application'))).toBe(true);
    expect(offered(owner('Flux', 'Kustomization'))).toBe(true);
    expect(offered(owner('Flux', 'HelmRelease'))).toBe(false);
    expect(offered(owner('Helm', 'Release'))).toBe(false);
    expect(hasGitSource({ git: undefined }, workload, owner('Argo CD', 'Application'))).toBe(false);
  });
});
