import type { Application, GitRepository, HelmRelease, Kustomization } from '../objects/gitops.js';
import type { KserveKind } from '../objects/inference-service.js';
import { isObjectName } from '../objects/metadata.js';
import type { Snapshot, UnreadOwner } from '../objects/snapshot.js';
import type { RestsOn } from './field-drift.js';
import type { WrittenObject } from './writers.js';
import { parseTrackingId, trackingIdAnnotation, writersOf } from './writers.js';

/** What the reader found of the object that a tool's marks on the workload name. */
export type OwnerRead<Kind> =
  | { readonly type: 'found'; readonly object: Kind }
  | { readonly type: 'missing' }
  /** `because` as in `UnreadOwner`. */
  | { readonly type: 'unread'; readonly because: string };

/** The objects behind the marks; a kind is left out where nobody asked for it. */
export interface OwnerObjects {
  readonly application?: OwnerRead<Application> | undefined;
  readonly kustomization?: OwnerRead<Kustomization> | undefined;
  readonly helmRelease?: OwnerRead<HelmRelease> | undefined;
  /** The source of the Kustomization. */
  readonly gitRepository?: OwnerRead<GitRepository> | undefined;
  /** The Application that applies the Application. */
  readonly parent?: OwnerRead<Application> | undefined;
  /** What declares the HelmRelease, and where its chart is. */
  readonly release?: {
    readonly kustomization?: OwnerRead<Kustomization> | undefined;
    readonly gitRepository?: OwnerRead<GitRepository> | undefined;
    readonly chartRepository?: OwnerRead<GitRepository> | undefined;
  };
}

/** The object, or what a verdict without it rests on. */
export function objectOf<
  Kind extends {
    readonly kind: string;
    readonly metadata: { readonly namespace: string; readonly name: string };
  },
>(
  read: OwnerRead<Kind> | undefined,
  kind: string,
): { readonly object: Kind | undefined; readonly restsOn: RestsOn } {
  if (read?.type === 'found') {
    const { namespace, name } = read.object.metadata;
    return { object: read.object, restsOn: { type: 'owner-object', kind, namespace, name } };
  }
  const because = read === undefined ? 'not-read' : read.type === 'missing' ? 'not-found' : read.because;
  return { object: undefined, restsOn: { type: 'owner-unread', kind, because } };
}

type OwnerKind = Exclude<UnreadOwner['kind'], KserveKind>;

export type OwnerRef = { readonly kind: OwnerKind; readonly namespace: string; readonly name: string };

/** The objects that the marks of the workload name; `namespace` is '' where a mark states none. */
export function ownerRefsOf(workload: WrittenObject): readonly OwnerRef[] {
  return writersOf(workload).flatMap(({ owner: { kind, namespace, name } }) =>
    isOwnerKind(kind) && isObjectName(name) && (namespace === '' || isObjectName(namespace))
      ? [{ kind, namespace, name }]
      : [],
  );
}

/** The GitRepository from which Flux reads what a Kustomization applies. */
export function gitRepositoryOf({ metadata, spec }: Kustomization): OwnerRef | undefined {
  return refOf(spec.sourceRef, 'GitRepository', metadata.namespace);
}

/** The GitRepository of the chart that a HelmRelease installs. */
export function chartRepositoryOf({ metadata, spec }: HelmRelease): OwnerRef | undefined {
  return refOf(spec.chart?.spec?.sourceRef, 'GitRepository', metadata.namespace);
}

/** The Kustomization that applies a HelmRelease. */
export function kustomizationOf({ metadata: { labels } }: HelmRelease): OwnerRef | undefined {
  const name = labels['kustomize.toolkit.fluxcd.io/name'] ?? '';
  const namespace = labels['kustomize.toolkit.fluxcd.io/namespace'] ?? '';
  return refOf({ kind: 'Kustomization', name, namespace }, 'Kustomization', '');
}

/** The Application whose tracking id an Application has. */
export function parentOf({ metadata }: Application): OwnerRef | undefined {
  const id = parseTrackingId(metadata.annotations[trackingIdAnnotation] ?? '');
  const isOwn =
    id?.group === 'argoproj.io' &&
    id.kind === 'Application' &&
    id.namespace === metadata.namespace &&
    id.name === metadata.name;
  if (id === undefined || !isOwn) return undefined;
  const { name, namespace } = id.application;
  const isNamed = isObjectName(name) && (namespace === '' || isObjectName(namespace));
  return isNamed && name !== metadata.name ? { kind: 'Application', namespace, name } : undefined;
}

function refOf(
  ref: Kustomization['spec']['sourceRef'],
  kind: OwnerKind,
  namespace: string,
): OwnerRef | undefined {
  const { name, namespace: stated, kind: named } = { ...noRef, ...ref };
  const within = stated === '' ? namespace : stated;
  const isNamed = named === kind && isObjectName(name) && isObjectName(within);
  return isNamed ? { kind, name, namespace: within } : undefined;
}

/** What Flux does with an upgrade whose objects are not ready in time. */
interface Remediation {
  /** How long it waits, as Flux writes it: `5m`. */
  readonly timeout: string;
  readonly does: 'rollback' | 'uninstall';
}

/** As the definition of a HelmRelease allows it; anybody who may write one chooses the text. */
const fluxDuration = /^(?:[0-9]{1,9}(?:\.[0-9]{1,9})?(?:ms|s|m|h)){1,4}$/u;

/**
 * Until when Flux waits for the objects of an upgrade that is running, where it takes the upgrade back
 * afterwards (helm-controller `api/v2/helmrelease_types.go: MustRemediateLastFailure, RetriesExhausted`).
 * `undefined` where it does not wait, or leaves a failed upgrade as it is.
 */
export function remediationOf({ spec, status }: HelmRelease): Remediation | undefined {
  const isRunning = status.conditions.some(
    ({ type, status: is, reason }) => type === 'Ready' && is === 'Unknown' && reason === 'Progressing',
  );
  const { remediation, disableWait = false, strategy, timeout = '' } = spec.upgrade ?? {};
  if (!isRunning || disableWait || remediation === undefined) return undefined;
  if (strategy?.name === 'RetryOnFailure') return undefined;
  const { retries, remediateLastFailure = retries > 0 } = remediation;
  if (retries === 0 && !remediateLastFailure) return undefined;
  return {
    timeout: [timeout, spec.timeout].find((each) => fluxDuration.test(each)) ?? '5m',
    does: remediation.strategy === 'uninstall' ? 'uninstall' : 'rollback',
  };
}

const noRef = { kind: '', name: '', namespace: '' } as const;

/** What the snapshot holds of those objects. */
export function ownerObjectsOf(
  { workload, index, unreadOwners = [] }: Snapshot,
  object: WrittenObject = workload,
): OwnerObjects {
  const refs = ownerRefsOf(object);
  function read<Kind extends Application | Kustomization | HelmRelease | GitRepository>(
    kind: OwnerKind,
    objects: readonly Kind[],
    ref = refs.find((each) => each.kind === kind),
  ): OwnerRead<Kind> | undefined {
    if (ref === undefined) return undefined;
    const because = unreadOwners.find((each) => each.kind === kind)?.because;
    if (because !== undefined)
      return because === 'missing' ? { type: 'missing' } : { type: 'unread', because };
    const named = objects.filter(
      ({ metadata }) =>
        metadata.name === ref.name && (ref.namespace === '' || metadata.namespace === ref.namespace),
    );
    const [object] = named;
    return object === undefined || named.length > 1 ? undefined : { type: 'found', object };
  }
  const { Application, Kustomization, HelmRelease, GitRepository } = index.objects;
  const kustomization = read('Kustomization', Kustomization);
  const helmRelease = read('HelmRelease', HelmRelease);
  const application = read('Application', Application);
  const above = application?.type === 'found' ? parentOf(application.object) : undefined;
  return {
    application,
    ...(above === undefined ? {} : { parent: read('Application', Application, above) }),
    kustomization,
    helmRelease,
    ...withSource(kustomization),
    ...(helmRelease?.type === 'found' ? { release: declarationOf(helmRelease.object) } : {}),
  };

  function withSource(of: OwnerRead<Kustomization> | undefined): Pick<OwnerObjects, 'gitRepository'> {
    const source = of?.type === 'found' ? gitRepositoryOf(of.object) : undefined;
    return source === undefined ? {} : { gitRepository: read('GitRepository', GitRepository, source) };
  }

  function declarationOf(release: HelmRelease): NonNullable<OwnerObjects['release']> {
    const [by, chart] = [kustomizationOf(release), chartRepositoryOf(release)];
    const declaring = by && read('Kustomization', Kustomization, by);
    const chartRepository = chart && read('GitRepository', GitRepository, chart);
    return { kustomization: declaring, ...withSource(declaring), chartRepository };
  }
}

/** Kinds that declare workloads; a GitRepository is only where they are from. */
const declaring = ['Application', 'Kustomization', 'HelmRelease'] as const satisfies readonly OwnerKind[];

function isOwnerKind(kind: string): kind is OwnerKind {
  return declaring.some((each) => each === kind);
}
