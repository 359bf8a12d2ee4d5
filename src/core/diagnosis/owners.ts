import type { ObjectMeta } from '../cluster/metadata.js';
import { controllerOf } from '../cluster/metadata.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Owner } from './finding.js';

/**
 * Who else writes the workload and may put a changed field back, surest first. Helm's and `kubectl apply`'s own
 * marks are also on objects that Argo CD or Flux manage; then only the one that acts by itself is named.
 *
 * Sources: Argo CD resource tracking (annotation `argocd.argoproj.io/tracking-id`), Flux kustomize-controller and
 * helm-controller labels, Helm's release annotations, `metav1.OwnerReference.controller`.
 */
export function ownersOf({ workload, index }: Snapshot): readonly Owner[] {
  const { metadata } = workload;
  const owners: Owner[] = [];
  const operator = controllerOf(workload);
  if (operator !== undefined) {
    const { kind, name } = operator;
    owners.push({ by: 'operator', kind, namespace: metadata.namespace, name, reverts: 'yes' });
  }
  const gitops = argoOf(metadata) ?? fluxOf(metadata);
  if (gitops !== undefined) owners.push(gitops);
  else {
    const plain = helmOf(metadata) ?? applyOf(metadata);
    if (plain !== undefined) owners.push(plain);
  }
  const autoscaler = index.objects.HorizontalPodAutoscaler.find(
    ({ metadata: own, spec }) =>
      own.namespace === metadata.namespace &&
      spec.scaleTargetRef.kind === workload.kind &&
      spec.scaleTargetRef.name === metadata.name,
  );
  if (autoscaler !== undefined) {
    const { namespace, name } = autoscaler.metadata;
    owners.push({
      by: 'HorizontalPodAutoscaler',
      kind: 'HorizontalPodAutoscaler',
      namespace,
      name,
      reverts: 'replicas-only',
    });
  }
  return owners;
}

function argoOf({ annotations, labels, managedFields }: ObjectMeta): Owner | undefined {
  const tracking = annotations['argocd.argoproj.io/tracking-id'];
  const application = tracking?.split(':')[0] ?? undefined;
  const managed = managedFields.some(({ manager }) => manager === 'argocd-controller');
  if (application !== undefined && application !== '') return argo(application);
  return managed ? argo(labels['app.kubernetes.io/instance'] ?? '') : undefined;
}

/** Argo CD reverts at once only with self-heal, which is off by default; the next sync does in any case. */
function argo(name: string): Owner {
  return { by: 'Argo CD', kind: 'Application', namespace: '', name, reverts: 'on-next-sync' };
}

function fluxOf({ labels, annotations }: ObjectMeta): Owner | undefined {
  const kustomization = labels['kustomize.toolkit.fluxcd.io/name'];
  if (kustomization !== undefined) {
    const disabled = annotations['kustomize.toolkit.fluxcd.io/reconcile'] === 'disabled';
    return {
      by: 'Flux',
      kind: 'Kustomization',
      namespace: labels['kustomize.toolkit.fluxcd.io/namespace'] ?? '',
      name: kustomization,
      reverts: disabled ? 'unknown' : 'only-if-declared',
    };
  }
  const release = labels['helm.toolkit.fluxcd.io/name'];
  if (release === undefined) return undefined;
  const namespace = labels['helm.toolkit.fluxcd.io/namespace'] ?? '';
  return { by: 'Flux', kind: 'HelmRelease', namespace, name: release, reverts: 'on-next-sync' };
}

function helmOf({ labels, annotations }: ObjectMeta): Owner | undefined {
  const release = annotations['meta.helm.sh/release-name'];
  if (release === undefined || labels['app.kubernetes.io/managed-by'] !== 'Helm') return undefined;
  const namespace = annotations['meta.helm.sh/release-namespace'] ?? '';
  return { by: 'Helm', kind: 'Release', namespace, name: release, reverts: 'on-next-sync' };
}

function applyOf({ annotations, namespace, name }: ObjectMeta): Owner | undefined {
  if (annotations['kubectl.kubernetes.io/last-applied-configuration'] === undefined) return undefined;
  return { by: 'kubectl apply', kind: 'manifest', namespace, name, reverts: 'only-if-declared' };
}
