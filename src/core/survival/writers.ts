import { apiKindOf } from '../cluster/cluster-objects.js';
import { controllerOf, type ObjectMeta } from '../cluster/metadata.js';
import { apiGroupOf } from '../cluster/workload.js';
import type { Owner } from './field-survival.js';
import { lastAppliedAnnotation } from './last-applied.js';
import { parseTrackingId, trackingIdAnnotation } from './tracking-id.js';
import type { WrittenObject } from './written-object.js';

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

function argo({ namespace, name }: { readonly namespace: string; readonly name: string }): Writer {
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
