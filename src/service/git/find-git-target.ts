import { ownerObjectOf } from '../../doctor/fixes/owner-target.js';
import type { Plan } from '../../doctor/fixes/plan.js';
import { type GitSettings, gitReachOf, sourceOf } from '../../doctor/git-edits/git-settings.js';
import type { GitTarget } from '../../doctor/git-edits/git-target.js';
import { ownerSourceOf } from '../../doctor/git-edits/owner-source.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { ownerObjectsOf } from '../../engine/owners/owner-objects.js';
import type { Refused } from '../people/conversation.js';
import { gitStatement } from './git-text.js';

/**
 * Where Git declares what the plan changes: the workload of the snapshot, or the object that people own above
 * it.
 */
export type FindGitTarget = (snapshot: Snapshot, plan: Pick<Plan, 'target'>) => FoundTarget | Refused;

export interface FoundTarget {
  readonly type: 'found';
  readonly target: GitTarget;
}

/**
 * The settings decide where they name the object or its workload; otherwise the owner of the object in the
 * cluster does.
 */
export function createFindGitTarget(settings: GitSettings): FindGitTarget {
  return (snapshot, plan) => {
    const object = ownerObjectOf(snapshot, plan.target) ?? snapshot.workload;
    const { namespace, name } = object.metadata;
    const { cluster, workload: of } = snapshot;
    const target = sourceOf(settings, { cluster, namespace, name: of.metadata.name }, name);
    if (target !== undefined) return { type: 'found', target };
    const workload = `${namespace}/${name}`;
    const source = ownerSourceOf(ownerObjectsOf(snapshot, object), gitReachOf(settings));
    if (source === undefined) return { type: 'refused', because: gitStatement('no-source', { workload }) };
    if (source.type === 'found') return source;
    const { owner, because: reason, detail } = source;
    return { type: 'refused', because: gitStatement('source-refused', { workload, owner, reason, detail }) };
  };
}
