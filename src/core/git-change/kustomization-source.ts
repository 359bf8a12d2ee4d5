import type { GitRepository, Kustomization } from '../cluster/gitops.js';
import { refusedSource, type StatedSource } from './stated-source.js';

/** What a Kustomization and its GitRepository state about the source. */
export function kustomizationSource(
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
export function commitIn(revision: string): string {
  return /(?:^|[@/:])([0-9a-f]{40}(?:[0-9a-f]{24})?)$/u.exec(revision)?.[1] ?? '';
}
