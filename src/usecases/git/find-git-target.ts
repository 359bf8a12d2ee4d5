import type { Snapshot } from '../../core/cluster/snapshot.js';
import { type GitSettings, gitReachOf, sourceOf } from '../../core/git-change/git-settings.js';
import type { GitTarget } from '../../core/git-change/git-target.js';
import { ownerSourceOf } from '../../core/git-change/owner-source.js';
import { ownerObjectsOf } from '../../core/survival/owner-objects.js';
import type { Refused } from '../people/conversation.js';
import { gitStatement } from './git-text.js';

/** Where Git declares the workload of a snapshot. */
export type FindGitTarget = (snapshot: Snapshot) => FoundTarget | Refused;

export interface FoundTarget {
  readonly type: 'found';
  readonly target: GitTarget;
}

/** The settings decide where they name the workload; otherwise its owner in the cluster does. */
export function createFindGitTarget(settings: GitSettings): FindGitTarget {
  return (snapshot) => {
    const { namespace, name } = snapshot.workload.metadata;
    const target = sourceOf(settings, { cluster: snapshot.cluster, namespace, name });
    if (target !== undefined) return { type: 'found', target };
    const workload = `${namespace}/${name}`;
    const source = ownerSourceOf(ownerObjectsOf(snapshot), gitReachOf(settings));
    if (source === undefined) return { type: 'refused', because: gitStatement('no-source', { workload }) };
    if (source.type === 'found') return source;
    const { owner, because: reason, detail } = source;
    return { type: 'refused', because: gitStatement('source-refused', { workload, owner, reason, detail }) };
  };
}
