import { authorize, type Demands, demandsOn } from '../core/authorization/authorize.js';
import type { Action, Policy } from '../core/authorization/policy.js';
import type { Incident } from '../core/incident/incident.js';
import type { Refused } from './conversation.js';
import { nameOf } from './look-again.js';
import { notice } from './notices.js';
import type { PeopleDirectory } from './ports.js';

export interface MayApproveDeps {
  readonly people: PeopleDirectory;
  readonly policy: Policy;
  /** The workspace whose people may approve; others are guests here. */
  readonly teamId: () => Promise<string>;
}

export type MayApprove = (
  incident: Incident,
  by: string,
  action: Action,
) => Promise<{ readonly type: 'allowed'; readonly demands: Demands } | Refused>;

/** Asks the policy, at every click anew; somebody the directory does not know may nothing. */
export function createMayApprove({ people, policy, teamId }: MayApproveDeps): MayApprove {
  return async (incident, by, action) => {
    const { cluster, namespace } = incident.workload;
    const workload = nameOf(incident);
    const person = await people.person(by);
    const isMember = person?.isMember === true && person.teamId === (await teamId());
    if (!isMember) return { type: 'refused', because: notice('not-a-member', { workload }) };
    const actor = { id: by, groups: await people.groupsOf(by), isMember };
    const answer = authorize(policy, { actor, action, cluster, namespace });
    if (answer.allowed) return { type: 'allowed', demands: demandsOn(policy, cluster, namespace) };
    const { users, groups } = answer;
    return { type: 'refused', because: notice('not-authorised', { workload, cluster, users, groups }) };
  };
}
