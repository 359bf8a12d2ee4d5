import type { Application, GitRepository, HelmRelease, Kustomization } from '../../engine/objects/gitops.js';
import type { OwnerObjects, OwnerRead } from '../../engine/owners/owner-objects.js';
import type { SourceRefused, StatedFile, StatedSource } from './application-source.js';
import {
  applicationSource,
  branchNamedBy,
  pathFrom,
  pathInRepository,
  refusedSource,
} from './application-source.js';
import type { ChartSource, GitChart, GitPlace, GitTarget } from './git-target.js';

/** What pull requests may reach. */
export type GitReach = readonly {
  /** In lower case. */
  readonly host: string;
  readonly repositories: readonly string[];
}[];

type OwnerSource =
  | { readonly type: 'found'; readonly target: GitTarget }
  | (SourceRefused & { readonly owner: string });

/**
 * Where the owner of a workload reads it from: the sources of an Argo CD Application, or the GitRepository of
 * a Flux Kustomization. With several sources, those in allowed repositories are all returned: which one
 * declares the workload is in the tree. `undefined` where neither tool manages the workload.
 */
export function ownerSourceOf(owners: OwnerObjects, reach: GitReach): OwnerSource | undefined {
  const { application, kustomization, helmRelease, gitRepository } = owners;
  if (application !== undefined) {
    const read = objectOr(application, 'Application');
    if (read.type === 'refused') return read;
    const source = placesOf(applicationSource(read.object), read.owner, reach);
    const parent = owners.parent && objectOr(owners.parent, 'Application');
    return source.type === 'found' && parent?.type === 'object'
      ? withInlineValues(source, read.object, placesOf(applicationSource(parent.object), parent.owner, reach))
      : source;
  }
  if (helmRelease !== undefined) {
    const read = objectOr(helmRelease, 'HelmRelease');
    return read.type === 'refused' ? read : releaseSourceOf(read, owners.release ?? {}, reach);
  }
  if (kustomization === undefined) return undefined;
  const read = objectOr(kustomization, 'Kustomization');
  if (read.type === 'refused') return read;
  return kustomizationPlace(read, gitRepository, reach);
}

/**
 * An Application that holds values itself is edited where its parent declares it, since those values count
 * more than files. With several sources the place in the object would be an item of a list, which is left as
 * it is.
 */
function withInlineValues(
  source: Extract<OwnerSource, { readonly type: 'found' }>,
  { metadata: { namespace, name }, spec }: Application,
  parent: OwnerSource,
): OwnerSource {
  const { chart, others } = source.target;
  const hasValues = (spec.source?.helm?.valuesObject ?? []).length > 0 && spec.sources.length === 0;
  if (chart === undefined || others !== undefined || !hasValues || parent.type === 'refused') return source;
  const { target } = parent;
  if (target.chart !== undefined || target.others !== undefined) return source;
  const holder = {
    apiGroup: 'argoproj.io',
    kind: 'Application',
    namespace,
    name,
    field: ['spec', 'source', 'helm', 'valuesObject'],
  };
  const overrides = chart.overrides.filter(({ by }) => by !== 'helm.valuesObject' && by !== 'helm.values');
  return { type: 'found', target: { ...target, chart: { ...chart, overrides, holder } } };
}

function kustomizationPlace(
  { object, owner }: { object: Kustomization; owner: string },
  gitRepository: OwnerObjects['gitRepository'],
  reach: GitReach,
): OwnerSource {
  const { sourceRef } = object.spec;
  if (sourceRef === undefined) return { ...refusedSource('no-source'), owner };
  if (sourceRef.kind !== 'GitRepository') return { ...refusedSource('not-git', sourceRef.kind), owner };
  const source = objectOr(gitRepository ?? unread, 'GitRepository');
  if (source.type === 'refused') return source;
  return placesOf([kustomizationSource(object, source.object)], owner, reach);
}

const unread = { type: 'unread', because: 'not-read' } as const;

/** The values of a HelmRelease are edited where Git declares it; its chart is read from a GitRepository. */
function releaseSourceOf(
  { object, owner }: { object: HelmRelease; owner: string },
  { kustomization, gitRepository, chartRepository }: NonNullable<OwnerObjects['release']>,
  reach: GitReach,
): OwnerSource {
  const stated = releaseChart(object);
  if (stated.type === 'refused') return { ...stated, owner };
  if (kustomization === undefined) return { ...refusedSource('undeclared-release'), owner };
  const declaring = objectOr(kustomization, 'Kustomization');
  if (declaring.type === 'refused') return declaring;
  const repository = objectOr(chartRepository ?? unread, 'GitRepository');
  if (repository.type === 'refused') return repository;
  const place = kustomizationPlace(declaring, gitRepository, reach);
  if (place.type === 'refused') return place;
  const { target } = place;
  const folder = chartFolder(stated.path, repository.object, reach);
  if (folder.type === 'refused') return { ...folder, owner: repository.owner };
  return { type: 'found', target: { ...target, chart: { ...stated.chart, folder: folder.source } } };
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
  const { isFlat, readsOutside, helm } = source;
  const own = sourceAt(source, reach);
  if (own.type === 'refused') return own;
  if (helm === undefined) {
    return {
      type: 'place',
      place: { ...own.source, ...(isFlat ? { isFlat } : {}), ...(readsOutside ? { readsOutside } : {}) },
    };
  }
  const files: ChartSource[] = [];
  for (const each of helm.files) {
    const file = sourceAt(each, reach);
    if (file.type === 'refused') return file;
    files.push(file.source);
  }
  // The file that counts most decides which repository is edited.
  const edited = files.at(-1) ?? own.source;
  return { type: 'place', place: { ...edited, chart: { ...helm, folder: own.source, files } } };
}

/** The repository, branch, path and commit that an owner names, if pull requests may reach them. */
function sourceAt(
  { address, revision, applied, path: named }: StatedFile,
  reach: GitReach,
): { readonly type: 'source'; readonly source: ChartSource } | SourceRefused {
  const allowed = repositoryAt(address, reach);
  if (allowed.type === 'refused') return allowed;
  const branch = branchNamedBy(revision);
  if (branch === undefined) return refusedSource('pinned', revision);
  if (!isCommit(applied)) return refusedSource('not-synced');
  const path = pathInRepository(named);
  if (path === undefined) return refusedSource('path', named);
  return { type: 'source', source: { repository: allowed.repository, branch, path, revision: applied } };
}

/** The folder of a chart as its GitRepository has it; its branch is not changed, so it may be a tag. */
function chartFolder(
  path: string,
  { spec: { url }, status }: GitRepository,
  reach: GitReach,
): { readonly type: 'folder'; readonly source: ChartSource } | SourceRefused {
  const allowed = repositoryAt(url, reach);
  if (allowed.type === 'refused') return allowed;
  const revision = commitIn(status.artifact?.revision ?? '');
  if (!isCommit(revision)) return refusedSource('not-synced');
  const { repository } = allowed;
  return { type: 'folder', source: { repository, branch: 'HEAD', path, revision, isPinned: true } };
}

function repositoryAt(
  address: StatedFile['address'],
  reach: GitReach,
): { readonly type: 'allowed'; readonly repository: string } | SourceRefused {
  if (address === undefined) return refusedSource('not-git');
  const hosts = reach.filter(({ host }) => host === address.host);
  if (hosts.length === 0) return refusedSource('other-host', address.host);
  const named = address.path.toLowerCase();
  const repository = hosts
    .flatMap(({ repositories }) => repositories)
    .find((each) => each.toLowerCase() === named);
  return repository === undefined
    ? refusedSource('not-allowed', address.path)
    : { type: 'allowed', repository };
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(text);
}

/** What a Kustomization and its GitRepository state about the source. */
function kustomizationSource(
  { spec, status }: Kustomization,
  { spec: { url, ref } }: GitRepository,
): StatedSource {
  const transformed = (['patches', 'components', 'namePrefix', 'nameSuffix'] as const).find(
    (name) => spec[name].length > 0,
  );
  if (transformed !== undefined) return refusedSource('transformed', transformed);
  const pinned = [ref?.commit, ref?.semver, ref?.tag].find((each) => each !== undefined && each !== '');
  if (pinned !== undefined) return refusedSource('pinned', pinned);
  const name = ref?.name ?? '';
  const branch = ref?.branch ?? '';
  return {
    type: 'stated',
    address: url,
    // The default branch of a GitRepository is `master`, whatever the host says.
    revision: name === '' ? branch || 'master' : name,
    applied: commitIn(appliedRevision(status)),
    path: spec.path,
    isFlat: false,
    // Flux builds without load restrictions, in the tree of the artifact (fluxcd/pkg
    // `kustomize_generator.go: SecureBuild`).
    readsOutside: true,
  };
}

/**
 * `lastAppliedRevision` is written only after the health checks. While a rollout hangs, the cluster has the
 * revision that was attempted (fluxcd/kustomize-controller `kustomization_controller.go: reconcile`).
 */
function appliedRevision({
  lastAppliedRevision,
  lastAttemptedRevision,
  conditions,
}: Kustomization['status']): string {
  const isHanging = conditions.some(
    ({ type, status, reason }) =>
      (type === 'Ready' && reason === 'HealthCheckFailed') || (type === 'Healthy' && status === 'Unknown'),
  );
  return isHanging ? lastAttemptedRevision : lastAppliedRevision;
}

/** The commit in `main@sha1:COMMIT`, `sha1:COMMIT` or, of older versions, `main/COMMIT`. */
function commitIn(revision: string): string {
  return /(?:^|[@/:])([0-9a-f]{40}(?:[0-9a-f]{24})?)$/u.exec(revision)?.[1] ?? '';
}

/** Helm allows no longer name of a release; Flux shortens longer ones with a digest. */
const maxReleaseName = 53;

/**
 * What a HelmRelease states about its chart. Its `values` count most, so they are edited; values of
 * ConfigMaps and Secrets are not followed (fluxcd/helm-controller `docs/spec/v2/helmreleases.md`).
 */
function releaseChart({
  metadata,
  spec,
  status,
}: HelmRelease):
  | { readonly type: 'chart'; readonly path: string; readonly chart: Omit<GitChart, 'folder'> }
  | SourceRefused {
  const { releaseName, targetNamespace, valuesFrom, postRenderers, chartRef } = spec;
  const chart = spec.chart?.spec;
  if (chartRef || chart === undefined) return refusedSource('chart', 'chartRef');
  if (chart.sourceRef?.kind !== 'GitRepository') return refusedSource('chart', chart.chart);
  if (valuesFrom.length > 0) return refusedSource('values-from');
  if (postRenderers.length > 0) return refusedSource('transformed', 'postRenderers');
  const others = chart.valuesFile !== '' || chart.valuesFiles.length > 0;
  if (others) return refusedSource('transformed', 'chart.spec.valuesFiles');
  const path = pathFrom('', chart.chart);
  if (path === undefined) return refusedSource('path', chart.chart);
  const { name, namespace } = metadata;
  const composed = targetNamespace === '' ? name : `${targetNamespace}-${name}`;
  const release = releaseName === '' ? composed : releaseName;
  if (release.length > maxReleaseName) return refusedSource('transformed', 'releaseName');
  const [newest] = status.history;
  return {
    type: 'chart',
    path,
    chart: {
      release: { name: release, namespace: targetNamespace === '' ? namespace : targetNamespace },
      files: [],
      overrides: [],
      holder: {
        apiGroup: 'helm.toolkit.fluxcd.io',
        kind: 'HelmRelease',
        namespace,
        name,
        field: ['spec', 'values'],
      },
      version: newest?.chartVersion ?? '',
    },
  };
}
