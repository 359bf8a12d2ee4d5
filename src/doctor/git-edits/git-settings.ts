import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { matchesAny } from '../policy/weekly-windows.js';
import type { GitTarget } from './git-target.js';
import type { GitReach } from './owner-source.js';

const repository = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/, 'a repository such as acme/deploy');

/** As `git check-ref-format --branch` takes it, as far as people use it. */
const branch = z
  .string()
  .max(200)
  .regex(/^(?!.*(?:\.\.|\/\/|@\{|\.lock$|\/$))[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'a branch such as main');

const path = z
  .string()
  .max(500)
  .regex(
    /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\p{Cc}][^\p{Cc}]*$|^$/u,
    'a path from the root such as clusters/prod',
  )
  .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text));

const patterns = z.array(z.string().min(1)).min(1);

/** Groups may be nested. */
const project = z
  .string()
  .max(500)
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/,
    'a project such as group/sub/deploy',
  );

/** Where a key or a token is: never in the file itself. */
const KeyFrom = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'the name of an environment variable') }),
  z.strictObject({ file: z.string().min(1) }),
]);
export type KeyFrom = Immutable<z.output<typeof KeyFrom>>;

/** Where Git declares workloads, and the GitHub App that may propose changes there. */
export const GitSettings = z.strictObject({
  github: z
    .strictObject({
      appId: z.number().int().min(1),
      privateKey: KeyFrom,
      /** Of GitHub Enterprise: `https://HOST/api/v3`. */
      apiUrl: z.url({ protocol: /^https?$/ }).default('https://api.github.com'),
    })
    .meta({ example: '{ appId: 12345, privateKey: { env: GITHUB_PRIVATE_KEY } }' })
    .optional(),
  gitlab: z
    .strictObject({
      token: KeyFrom,
      /** Of an installation of its own: `https://HOST/api/v4`. */
      apiUrl: z.url({ protocol: /^https?$/ }).default('https://gitlab.com/api/v4'),
      /** Projects in which merge requests may be opened. */
      repositories: z.array(project).min(1),
    })
    .meta({ example: '{ token: { env: GITLAB_TOKEN }, repositories: [group/deploy] }' })
    .optional(),
  /** Repositories on GitHub in which pull requests may be opened. */
  repositories: z.array(repository).default([]).meta({ example: '[acme/deploy]' }),
  /** The first one that matches a workload counts. */
  sources: z
    .array(
      z.strictObject({
        /** Names or patterns with `*`. */
        clusters: patterns.default(['*']),
        namespaces: patterns.meta({ example: '[ml]' }),
        workloads: patterns.default(['*']),
        repository: project,
        branch: branch.default('main'),
        /** A folder, with those below it, or a file; the whole repository when absent. */
        path: path.default(''),
      }),
    )
    .default([]),
});
export type GitSettings = Immutable<z.output<typeof GitSettings>>;

/** What pull requests may reach: the repositories of the settings, each on its host. */
export function gitReachOf({ github, gitlab, repositories }: Reached): GitReach {
  const hostOf = (apiUrl: string): string => /^https?:\/\/([^/:?#]+)/u.exec(apiUrl.toLowerCase())?.[1] ?? '';
  const onGitHub = github && hostOf(github.apiUrl);
  return [
    ...(onGitHub === undefined
      ? []
      : [{ host: onGitHub === 'api.github.com' ? 'github.com' : onGitHub, repositories }]),
    ...(gitlab === undefined ? [] : [{ host: hostOf(gitlab.apiUrl), repositories: gitlab.repositories }]),
  ];
}

type Reached = Pick<GitSettings, 'github' | 'gitlab' | 'repositories'>;

/** Repositories in which pull requests may be opened, whatever their host. */
export function allowedRepositories({ gitlab, repositories }: Omit<Reached, 'github'>): readonly string[] {
  return [...repositories, ...(gitlab?.repositories ?? [])];
}

/**
 * Where Git declares a workload, as far as the settings say; `undefined` where they do not.
 *
 * @param object the name of the object that is declared, where it is not the workload
 */
export function sourceOf(
  settings: Pick<GitSettings, 'sources' | 'repositories'> & Partial<Pick<GitSettings, 'gitlab'>>,
  { cluster, namespace, name }: Pick<WorkloadRef, 'cluster' | 'namespace' | 'name'>,
  object = name,
): GitTarget | undefined {
  const source = settings.sources.find(
    (each) =>
      matchesAny(each.clusters, cluster) &&
      matchesAny(each.namespaces, namespace) &&
      (matchesAny(each.workloads, object) || matchesAny(each.workloads, name)),
  );
  const allowed = allowedRepositories({ gitlab: undefined, ...settings });
  if (source === undefined || !allowed.includes(source.repository)) return undefined;
  const { repository: of, branch: base, path: below } = source;
  return { repository: of, branch: base, path: below };
}
