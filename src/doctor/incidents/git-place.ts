import type { GitPlace } from '../git-edits/git-target.js';
import type { Approval } from './approval.js';

/**
 * Where an approval changes Git: the source in which its dry run found the workload, before it the first one.
 */
export function gitPlaceOf({
  gitTarget,
  dryRun,
}: Pick<Approval, 'gitTarget' | 'dryRun'>): GitPlace | undefined {
  if (gitTarget === undefined) return undefined;
  const place = dryRun?.type === 'accepted' ? dryRun.edit?.place : undefined;
  return place ?? gitTarget;
}
