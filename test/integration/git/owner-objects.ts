import type { LocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { repository } from './git-stage.js';

/** The owner that every stage names, of Argo CD or Flux. */
export const ownerMetadata = { name: 'shop', namespace: 'tools' };

/** What Argo CD writes on what it applies. */
export const tracked = {
  annotations: { 'argocd.argoproj.io/tracking-id': 'tools_shop:apps/Deployment:shop/api' },
};

/** What Flux writes on what a Kustomization of this name applies. */
export const kustomizedBy = (name: string) => ({
  labels: {
    'kustomize.toolkit.fluxcd.io/name': name,
    'kustomize.toolkit.fluxcd.io/namespace': ownerMetadata.namespace,
  },
});

export const headOf = (git: LocalGitHost, name = repository): string =>
  git.repository(name).headOf('main') ?? '';

export type ApplicationSource = Readonly<Record<string, unknown>>;

/** An Application of one or several sources, applied at the head of each repository. */
export function applicationOf(
  git: LocalGitHost,
  sources: readonly ApplicationSource[],
  revisions: readonly string[] = sources.map(({ repoURL }) =>
    headOf(git, new URL(String(repoURL)).pathname.slice(1).replace('.git', '')),
  ),
) {
  const [source] = sources;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: ownerMetadata,
    spec: { destination: { namespace: 'shop' }, ...(sources.length > 1 ? { sources } : { source }) },
    status: { sync: { status: 'Synced', revision: revisions[0], revisions } },
  } as const;
}

/** A Kustomization of a folder of the repository, applied at its head, and its source. */
export const kustomizationOf = (git: LocalGitHost, name: string, path: string, url: string) => [
  {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { ...ownerMetadata, name },
    spec: { interval: '10m', path, sourceRef: { kind: 'GitRepository', name: 'deploy' } },
    status: { lastAppliedRevision: `main@sha1:${headOf(git)}` },
  },
  {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { ...ownerMetadata, name: 'deploy' },
    spec: { url, ref: { branch: 'main' } },
    status: { artifact: { revision: `main@sha1:${headOf(git)}` } },
  },
];
