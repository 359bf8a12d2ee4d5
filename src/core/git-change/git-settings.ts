import * as z from 'zod';
import { matchesAny } from '../authorization/name-pattern.js';
import type { Immutable } from '../cluster/wire.js';
import type { WorkloadRef } from '../cluster/workload.js';
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

/** Where the key of the App is: never in the file itself. */
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
    .meta({ example: '{ appId: 12345, privateKey: { env: GITHUB_PRIVATE_KEY } }' }),
  /** Repositories in which pull requests may be opened. */
  repositories: z.array(repository).min(1).meta({ example: '[acme/deploy]' }),
  /** The first one that matches a workload counts. */
  sources: z
    .array(
      z.strictObject({
        /** Names or patterns with `*`. */
        clusters: patterns.default(['*']),
        namespaces: patterns.meta({ example: '[ml]' }),
        workloads: patterns.default(['*']),
        repository,
        branch: branch.default('main'),
        /** A folder, with those below it, or a file; the whole repository when absent. */
        path: path.default(''),
      }),
    )
    .default([]),
});
export type GitSettings = Immutable<z.output<typeof GitSettings>>;

/** What pull requests may reach: the repositories of the settings, on the host of the App. */
export function gitReachOf({ github, repositories }: Pick<GitSettings, 'github' | 'repositories'>): GitReach {
  const host = /^https?:\/\/([^/:?#]+)/u.exec(github.apiUrl.toLowerCase())?.[1] ?? '';
  return { host: host === 'api.github.com' ? 'github.com' : host, repositories };
}

/** Where Git declares a workload, as far as the settings say; `undefined` where they do not. */
export function sourceOf(
  { sources, repositories }: Pick<GitSettings, 'sources' | 'repositories'>,
  { cluster, namespace, name }: Pick<WorkloadRef, 'cluster' | 'namespace' | 'name'>,
): GitTarget | undefined {
  const source = sources.find(
    (each) =>
      matchesAny(each.clusters, cluster) &&
      matchesAny(each.namespaces, namespace) &&
      matchesAny(each.workloads, name),
  );
  if (source === undefined || !repositories.includes(source.repository)) return undefined;
  const { repository: of, branch: base, path: below } = source;
  return { repository: of, branch: base, path: below };
}
