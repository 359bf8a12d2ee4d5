import type { OwnerObjects, OwnerRead } from '../survival/owner-objects.js';
import { applicationSource } from './application-source.js';
import type { GitPlace, GitTarget } from './git-target.js';
import { kustomizationSource } from './kustomization-source.js';
import {
  branchNamedBy,
  pathInRepository,
  refusedSource,
  type SourceRefused,
  type StatedSource,
} from './stated-source.js';

/** What pull requests may reach. */
export type GitReach = readonly {
  /** In lower case. */
  readonly host: string;
  readonly repositories: readonly string[];
}[];

export type OwnerSource =
  | { readonly type: 'found'; readonly target: GitTarget }
  | (SourceRefused & { readonly owner: string });

/**
 * Where the owner of a workload reads it from: the sources of an Argo CD Application, or the GitRepository of a Flux
 * Kustomization. With several sources, those in allowed repositories are all returned: which one declares the workload
 * is in the tree. `undefined` where neither tool manages the workload.
 */
export function ownerSourceOf(owners: OwnerObjects, reach: GitReach): OwnerSource | undefined {
  const { application, kustomization, helmRelease, gitRepository } = owners;
  if (application !== undefined) {
    const read = objectOr(application, 'Application');
    return read.type === 'refused' ? read : placesOf(applicationSource(read.object), read.owner, reach);
  }
  if (helmRelease !== undefined) {
    const read = objectOr(helmRelease, 'HelmRelease');
    const owner = read.type === 'refused' ? 'HelmRelease' : read.owner;
    return { ...refusedSource('chart', 'HelmRelease'), owner };
  }
  if (kustomization === undefined) return undefined;
  const read = objectOr(kustomization, 'Kustomization');
  if (read.type === 'refused') return read;
  const { sourceRef } = read.object.spec;
  if (sourceRef === undefined) return { ...refusedSource('no-source'), owner: read.owner };
  if (sourceRef.kind !== 'GitRepository') {
    return { ...refusedSource('not-git', sourceRef.kind), owner: read.owner };
  }
  const source = objectOr(gitRepository ?? { type: 'unread', because: 'not-read' }, 'GitRepository');
  if (source.type === 'refused') return source;
  return placesOf([kustomizationSource(read.object, source.object)], read.owner, reach);
}

interface OwnerObject {
  readonly kind: string;
  readonly metadata: { readonly namespace: string; readonly name: string };
}

function objectOr<Kind extends OwnerObject>(
  read: OwnerRead<Kind>,
  kind: string,
): { readonly type: 'object'; readonly object: Kind; readonly owner: string } | Refused {
  if (read.type === 'found') {
    const { namespace, name } = read.object.metadata;
    return { type: 'object', object: read.object, owner: `${kind} ${namespace}/${name}` };
  }
  return read.type === 'missing'
    ? { ...refusedSource('missing', kind), owner: kind }
    : { ...refusedSource('unread', read.because), owner: kind };
}

type Refused = Extract<OwnerSource, { readonly type: 'refused' }>;

function placesOf(sources: readonly StatedSource[], owner: string, reach: GitReach): OwnerSource {
  const read = sources.map((source) => placeOf(source, reach));
  const [place, ...others] = read.flatMap((each) => (each.type === 'place' ? [each.place] : []));
  if (place !== undefined) {
    return { type: 'found', target: { ...place, ...(others.length === 0 ? {} : { others }) } };
  }
  const refused = read.find((each) => each.type === 'refused');
  return { ...(refused ?? refusedSource('no-source')), owner };
}

function placeOf(
  source: StatedSource,
  reach: GitReach,
): { readonly type: 'place'; readonly place: GitPlace } | SourceRefused {
  if (source.type === 'refused') return source;
  const { address, revision, applied, isFlat, readsOutside } = source;
  if (address === undefined) return refusedSource('not-git');
  const hosts = reach.filter(({ host }) => host === address.host);
  if (hosts.length === 0) return refusedSource('other-host', address.host);
  const named = address.path.toLowerCase();
  const repository = hosts
    .flatMap(({ repositories }) => repositories)
    .find((each) => each.toLowerCase() === named);
  if (repository === undefined) return refusedSource('not-allowed', address.path);
  const branch = branchNamedBy(revision);
  if (branch === undefined) return refusedSource('pinned', revision);
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(applied)) return refusedSource('not-synced');
  const path = pathInRepository(source.path);
  if (path === undefined) return refusedSource('path', source.path);
  return {
    type: 'place',
    place: {
      ...{ repository, branch, path, revision: applied },
      ...(isFlat ? { isFlat } : {}),
      ...(readsOutside ? { readsOutside } : {}),
    },
  };
}
