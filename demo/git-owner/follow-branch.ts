import type { LocalCluster } from '../cluster/local-cluster.js';
import type { BareRepository } from '../git-host/bare-repository.js';
import { applyManifest, kustomizationName } from './apply-manifest.js';
import { demoPath } from './declared-in-git.js';

const tickMs = 1_000;
/** As `spec.interval` of the Kustomization states. */
const intervalMs = 600_000;

/**
 * A stand-in for Flux: applies the manifests of `main` when the branch has a new commit, and again at each
 * interval, which reverts direct changes of declared fields. It waits while the cluster has no Kustomization.
 *
 * @returns ends it
 */
export function followBranch(
  { registry, find }: Pick<LocalCluster, 'registry' | 'find'>,
  repository: BareRepository,
): () => void {
  let applied: { readonly head: string; readonly uid: string; readonly at: number } | undefined;
  const { namespace, name } = kustomizationName;
  const timer = setInterval(() => {
    const owner = find('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', namespace, name);
    const head = repository.headOf('main');
    if (owner === undefined || head === undefined) return;
    const { uid } = owner.metadata;
    const now = Date.now();
    const isApplied = applied?.head === head && applied.uid === uid && now - applied.at < intervalMs;
    if (isApplied) return;
    applied = { head, uid, at: now };
    for (const { path } of repository.entriesOf(head)) {
      if (!path.startsWith(`${demoPath}/`)) continue;
      try {
        applyManifest(registry, repository.textOf('main', path));
      } catch (error) {
        // As the owner does: people read why in its log, and the next commit is tried again.
        process.stderr.write(`Flux (stand-in) could not apply ${path}: ${String(error)}\n`);
      }
    }
  }, tickMs);
  timer.unref();
  return () => clearInterval(timer);
}
