import { apiKindOf } from '../objects/cluster-objects.js';
import type { KserveService } from '../objects/inference-service.js';
import { controllerOf, type ObjectMeta } from '../objects/metadata.js';
import { isObject, type JsonObject } from '../objects/wire.js';
import { apiGroupOf, hasDeploymentStrategy, type Workload } from '../objects/workload.js';
import type { Owner } from './field-drift.js';
import { stepsOf } from './field-drift.js';

/** A tool or controller that the object's own marks name, and how it signs its writes in `managedFields`. */
export interface Writer {
  readonly type:
    | 'operator'
    | 'argo-cd'
    | 'kustomization'
    | 'helm-release'
    | 'helm'
    | 'kubectl'
    | 'kubectl-server';
  readonly owner: Owner;
  readonly manager: string;
}

/**
 * Who writes the workload, surest first. Marks of Helm and `kubectl apply` are also on objects that Argo CD
 * or Flux manage; then only the tools that act by themselves count.
 *
 * Sources: Argo CD resource tracking, labels of Flux kustomize-controller and helm-controller, Helm's release
 * annotations, `metav1.OwnerReference.controller`.
 */
export function writersOf(workload: WrittenObject): readonly Writer[] {
  const { metadata } = workload;
  const acting = [argoOf(workload), kustomizationOf(metadata), helmReleaseOf(metadata)].flatMap(
    (each) => each ?? [],
  );
  const plain = [helmOf(metadata) ?? applyOf(metadata), serverApplyOf(metadata)].flatMap(
    (each) => each ?? [],
  );
  return [...operatorOf(workload), ...(acting.length > 0 ? acting : plain)];
}

function operatorOf(workload: WrittenObject): readonly Writer[] {
  const controller = controllerOf(workload);
  if (controller === undefined) return [];
  const { kind, name } = controller;
  const { namespace } = workload.metadata;
  return [{ type: 'operator', owner: { by: 'operator', kind, namespace, name }, manager: '' }];
}

const argoManager = 'argocd-controller';

/** A tracking id of another object came with a copy: Argo CD does not manage this one. */
function argoOf({ kind, metadata }: WrittenObject): Writer | undefined {
  const { annotations, labels, managedFields } = metadata;
  const text = annotations[trackingIdAnnotation];
  if (text !== undefined) {
    const id = parseTrackingId(text);
    const isOwn =
      id?.group === apiGroupOf(kind)[0] &&
      id.kind === apiKindOf(kind) &&
      id.namespace === metadata.namespace &&
      id.name === metadata.name;
    return isOwn ? argo(id.application) : undefined;
  }
  const name = labels['app.kubernetes.io/instance'] ?? '';
  // The label alone is on every chart's objects.
  return managedFields.some(({ manager }) => manager === argoManager)
    ? argo({ namespace: '', name })
    : undefined;
}

function argo({ namespace, name }: { namespace: string; name: string }): Writer {
  return {
    type: 'argo-cd',
    owner: { by: 'Argo CD', kind: 'Application', namespace, name },
    manager: argoManager,
  };
}

function kustomizationOf({ labels }: ObjectMeta): Writer | undefined {
  const name = labels['kustomize.toolkit.fluxcd.io/name'];
  if (name === undefined) return undefined;
  const namespace = labels['kustomize.toolkit.fluxcd.io/namespace'] ?? '';
  return {
    type: 'kustomization',
    owner: { by: 'Flux', kind: 'Kustomization', namespace, name },
    manager: 'kustomize-controller',
  };
}

function helmReleaseOf({ labels }: ObjectMeta): Writer | undefined {
  const name = labels['helm.toolkit.fluxcd.io/name'];
  if (name === undefined) return undefined;
  const namespace = labels['helm.toolkit.fluxcd.io/namespace'] ?? '';
  return {
    type: 'helm-release',
    owner: { by: 'Flux', kind: 'HelmRelease', namespace, name },
    manager: 'helm-controller',
  };
}

function helmOf({ labels, annotations }: ObjectMeta): Writer | undefined {
  const name = annotations['meta.helm.sh/release-name'];
  if (name === undefined || labels['app.kubernetes.io/managed-by'] !== 'Helm') return undefined;
  const namespace = annotations['meta.helm.sh/release-namespace'] ?? '';
  return { type: 'helm', owner: { by: 'Helm', kind: 'Release', namespace, name }, manager: 'helm' };
}

function applyOf({ annotations, namespace, name }: ObjectMeta): Writer | undefined {
  if (annotations[lastAppliedAnnotation] === undefined) return undefined;
  const owner = { by: 'kubectl apply', kind: 'manifest', namespace, name } as const;
  return { type: 'kubectl', owner, manager: 'kubectl-client-side-apply' };
}

function serverApplyOf({ managedFields, namespace, name }: ObjectMeta): Writer | undefined {
  const manager = 'kubectl';
  const isApplied = managedFields.some((entry) => entry.manager === manager && entry.operation === 'Apply');
  const owner = { by: 'kubectl apply', kind: 'manifest', namespace, name } as const;
  return isApplied ? { type: 'kubectl-server', owner, manager } : undefined;
}

export const trackingIdAnnotation = 'argocd.argoproj.io/tracking-id';

/** The object and the Application that a tracking id of Argo CD names. */
interface TrackingId {
  /** `namespace` is '' where the Application is in the namespace of Argo CD itself. */
  readonly application: { readonly namespace: string; readonly name: string };
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * `APP:GROUP/KIND:NAMESPACE/NAME`, with `NAMESPACE_NAME` for an Application outside the namespace of Argo CD
 * (argo-cd `util/argo/resource_tracking.go`, `types.go: InstanceName`). Whatever has another shape is no
 * tracking id.
 */
export function parseTrackingId(text: string): TrackingId | undefined {
  const [instance, type, object, ...more] = text.split(':');
  if (instance === undefined || type === undefined || object === undefined || more.length > 0)
    return undefined;
  const [group, kind, ...otherTypes] = type.split('/');
  const [namespace, name, ...otherNames] = object.split('/');
  if (group === undefined || kind === undefined || namespace === undefined || name === undefined)
    return undefined;
  if (otherTypes.length > 0 || otherNames.length > 0 || instance === '') return undefined;
  return { application: applicationIn(instance), group, kind, namespace, name };
}

/** Names of Kubernetes objects have no underscore. */
function applicationIn(instance: string): TrackingId['application'] {
  const at = instance.indexOf('_');
  return at < 0
    ? { namespace: '', name: instance }
    : { namespace: instance.slice(0, at), name: instance.slice(at + 1) };
}

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** What `kubectl apply` or Argo CD sent last, client-side; `undefined` where it is absent or not readable. */
export function lastAppliedOf({ metadata }: Pick<Workload, 'metadata'>): JsonObject | undefined {
  const text = metadata.annotations[lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** A declared field; without a value where an apply puts back the default of the API server. */
type Declared = { readonly value?: unknown };

/**
 * Whether the next client-side apply of this manifest writes the field. `spec.strategy` of a Deployment has
 * `patchStrategy: retainKeys`: a manifest that declares any key of it clears all others, which the API server
 * then sets to their defaults (k8s.io/api `apps/v1/types.go`). Below a declared key, the rest stays. No other
 * update strategy has it.
 */
export function declaredIn(manifest: JsonObject, path: string, kind: string): Declared | undefined {
  const steps = stepsOf(path);
  let value: unknown = manifest;
  for (const step of steps) {
    const next = childOf(value, step);
    if (next === undefined) return clearsRest(manifest, steps, kind) ? {} : undefined;
    value = next.value;
  }
  return { value };
}

function clearsRest(manifest: JsonObject, [first, second, key]: readonly string[], kind: string): boolean {
  if (!hasDeploymentStrategy({ kind }) || first !== 'spec' || second !== 'strategy') return false;
  const strategy = childOf(manifest.spec, 'strategy')?.value;
  if (!isObject(strategy) || Object.keys(strategy).length === 0) return false;
  return key === undefined || !Object.hasOwn(strategy, key);
}

function childOf(value: unknown, step: string): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) {
    const item: unknown = value.find((each) => isObject(each) && each.name === step);
    return item === undefined ? undefined : { value: item };
  }
  return isObject(value) && Object.hasOwn(value, step) ? { value: value[step] } : undefined;
}

/**
 * An object of which a change may be reverted by others: a workload, or the object that people own above it.
 */
export type WrittenObject = Workload | KserveService;
