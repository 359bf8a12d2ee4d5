import * as z from 'zod';
import { kserveGroup } from '../../engine/objects/inference-service.js';
import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { ClusterConnection } from './cluster-connection.js';
import { inTurns } from './gathering.js';
import { isServed } from './read-add-ons.js';
import { readingPlans } from './reading-plans.js';
import { resourcePaths } from './resource-paths.js';

interface Permission {
  readonly verb: string;
  readonly group: string;
  /** With a subresource after a slash. */
  readonly resource: string;
}

const allow = (verb: string, group: string, ...resources: readonly string[]): readonly Permission[] =>
  resources.map((resource) => ({ verb, group, resource }));

/**
 * What a diagnosis reads in every cluster; add-ons and newer APIs are left out. deploy/rbac grants the same.
 */
const reads: readonly Permission[] = [
  ...readingPlans.flatMap(({ kind, rights = [] }) =>
    rights.flatMap((verb) => allow(verb, resourcePaths[kind].group, resourcePaths[kind].plural)),
  ),
  ...allow('get', '', 'pods/log'),
];

/** What the crash history, the sentinel and the diagnosis workers watch, where that is on. */
const watches = allow('watch', '', 'pods', 'events', 'nodes');

/** What approved remediations change. */
const changes: readonly Permission[] = [
  ...allow('patch', 'apps', 'deployments', 'statefulsets', 'daemonsets', 'replicasets/scale'),
  ...allow('delete', '', 'pods'),
  ...allow('create', '', 'events'),
];

const clusterScoped: ReadonlySet<string> = new Set(
  Object.values(resourcePaths).flatMap(({ plural, namespaced }) => (namespaced ? [] : [plural])),
);

const atOnce = 8;

/**
 * Whether the cluster answers, and what its authoriser lets us do (SelfSubjectAccessReview, which stores
 * nothing).
 *
 * @param namespace '' asks for all namespaces
 */
export async function inspectCluster(
  { name: cluster, call }: ClusterConnection,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Inspected[]> {
  const version = await versionOf(call, signal);
  if ('because' in version) {
    const because = [version.because, version.message].filter((part) => part !== '').join(': ');
    return [inspected('kubernetes', 'unknown', 'cluster-away', { cluster, because })];
  }
  const answers = await inTurns(atOnce, [...reads, ...watches, ...changes], async (permission) => ({
    permission,
    allowed: await isAllowed(call, permission, namespace, signal),
  }));
  const silent = answers.some(({ allowed }) => allowed === undefined);
  const refused = (wanted: readonly Permission[]): readonly string[] =>
    answers
      .filter(({ permission, allowed }) => allowed === false && wanted.includes(permission))
      .map(({ permission: { verb, resource } }) => `${verb} ${resource}`);
  const unread = refused(reads);
  const unwatched = refused(watches);
  const unchanged = refused(changes);
  return [
    inspected('kubernetes', 'works', 'cluster-works', { cluster, version: version.text }),
    ...(silent ? [inspected('kubernetes', 'unknown', 'cluster-silent', { cluster })] : []),
    ...(unread.length > 0
      ? [inspected('kubernetes', 'missing', 'cluster-unreadable', { cluster, what: unread })]
      : silent
        ? []
        : [inspected('kubernetes', 'works', 'cluster-readable', { cluster })]),
    ...(unwatched.length > 0
      ? [inspected('kubernetes', 'note', 'cluster-unwatchable', { cluster, what: unwatched })]
      : []),
    ...(unchanged.length > 0
      ? [inspected('kubernetes', 'note', 'cluster-unchangeable', { cluster, what: unchanged })]
      : silent
        ? []
        : [inspected('kubernetes', 'works', 'cluster-changeable', { cluster })]),
    ...(await inspectKserve({ name: cluster, call }, namespace, signal)),
  ];
}

/** What fixes of the workloads of KServe read and change. */
const kserveRights: readonly Permission[] = [
  ...allow('get', kserveGroup, 'inferenceservices', 'llminferenceservices'),
  ...allow('patch', kserveGroup, 'inferenceservices', 'llminferenceservices'),
];

/** Nothing, in a cluster without KServe. */
async function inspectKserve(
  { name: cluster, call }: Pick<ClusterConnection, 'name' | 'call'>,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Inspected[]> {
  if (!(await isServed(call, kserveGroup, signal))) return [];
  const answers = await inTurns(atOnce, kserveRights, async (permission) => ({
    permission,
    allowed: await isAllowed(call, permission, namespace, signal),
  }));
  const what = answers
    .filter(({ allowed }) => allowed === false)
    .map(({ permission: { verb, resource } }) => `${verb} ${resource}`);
  if (what.length > 0) return [inspected('kubernetes', 'note', 'kserve-forbidden', { cluster, what })];
  return answers.every(({ allowed }) => allowed === true)
    ? [inspected('kubernetes', 'works', 'kserve-works', { cluster })]
    : [];
}

const Version = z.object({ gitVersion: z.string() });
const Review = z.object({ status: z.object({ allowed: z.boolean() }) });

async function versionOf(call: ApiCall, signal: AbortSignal) {
  try {
    const answer = await call({ path: '/version', signal });
    if (answer.status !== 200) return unreadable(answer);
    return { text: Version.safeParse(answer.body).data?.gitVersion ?? '' };
  } catch (error) {
    return unanswered(error);
  }
}

async function isAllowed(
  call: ApiCall,
  { verb, group, resource: whole }: Permission,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const [resource = '', subresource] = whole.split('/');
  const scope = namespace === '' || clusterScoped.has(resource) ? {} : { namespace };
  const resourceAttributes = {
    ...scope,
    verb,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
  };
  const apiVersion = 'authorization.k8s.io/v1';
  try {
    const answer = await call({
      method: 'POST',
      path: `/apis/${apiVersion}/selfsubjectaccessreviews`,
      body: { apiVersion, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
      signal,
    });
    return Review.safeParse(answer.body).data?.status.allowed;
  } catch {
    return undefined;
  }
}
