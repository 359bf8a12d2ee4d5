import type { Incident } from '../../doctor/incidents/incident.js';
import type { Action, CurrentPolicy, Demands } from '../../doctor/policy/policy.js';
import { authorize, demandsOn } from '../../doctor/policy/policy.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { notice } from '../notices/notices.js';
import { idsOfPerson } from '../people/assign-incident.js';
import type { Refused } from '../people/conversation.js';
import type { PeopleDirectory } from '../people/people-ports.js';

type MayApproveDeps = { readonly people: PeopleDirectory; readonly policy: CurrentPolicy };

export type MayApprove = (
  subject: Pick<Incident, 'workload'>,
  by: string,
  action: Action,
) => Promise<Allowed | NotAllowed>;

export interface Allowed {
  readonly type: 'allowed';
  readonly demands: Demands;
  /**
   * Of these ids, those of this person: somebody with two ids is one person, who decides once.
   *
   * @throws DoctorError when Slack cannot be asked at the moment
   */
  readonly idsAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** `approvers`: who may, present where the policy denies it to a member of the workspace. */
interface NotAllowed extends Refused {
  readonly approvers?: { readonly users: readonly string[]; readonly groups: readonly string[] };
}

/**
 * Asks the policy, each time anew; somebody the directory does not know may nothing. Groups are asked for
 * only where they can decide: people the policy names by id do not depend on them.
 *
 * @throws DoctorError when Slack cannot be asked at the moment
 */
export function createMayApprove({ people, policy }: MayApproveDeps): MayApprove {
  return async (subject, by, action) => {
    const { cluster, namespace } = subject.workload;
    const workload = nameOf(subject);
    const person = await people.person(by);
    if (person?.isMember !== true) return { type: 'refused', because: notice('not-a-member', { workload }) };
    const counts = policy();
    const judge = (groups: readonly string[]) =>
      authorize(counts, { actor: { ids: person.ids, groups, isMember: true }, action, cluster, namespace });
    const byId = judge([]);
    const answer = byId.allowed || byId.groups.length === 0 ? byId : judge(await people.groupsOf(by));
    if (answer.allowed) {
      const demands = demandsOn(counts, cluster, namespace);
      return { type: 'allowed', demands, idsAmong: (ids) => idsOfPerson(people, by, ids) };
    }
    const { users, groups } = answer;
    const unknown = groups.length === 0 ? undefined : people.groupsUnknown?.();
    if (action === 'stop-changes' && unknown === undefined) {
      return { type: 'refused', because: notice('may-not-stop-changes', { users, groups }) };
    }
    const because =
      unknown === undefined
        ? notice(action === 'silence' ? 'may-not-silence' : 'not-authorised', {
            workload,
            cluster,
            users,
            groups,
          })
        : notice('groups-unknown', { workload, cluster, users, error: unknown });
    return { type: 'refused', because, ...(unknown === undefined ? { approvers: { users, groups } } : {}) };
  };
}
