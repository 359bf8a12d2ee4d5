import type { Action, Policy } from './policy.js';
import { matchesAny } from './weekly-windows.js';

/** A person as the policy judges them. */
export interface Actor {
  /** Every id of the person. */
  readonly ids: readonly string[];
  /** Ids of the user groups they are in, and handles that name exactly one of them. */
  readonly groups: readonly string[];
  /** False for bots, guests, deleted people and people of other workspaces. */
  readonly isMember: boolean;
}

export interface Attempt {
  readonly actor: Actor;
  readonly action: Action;
  readonly cluster: string;
  readonly namespace: string;
}

type Authorization =
  | { readonly allowed: true }
  /** `users` and `groups` are those who may; both empty when nobody may. */
  | { readonly allowed: false; readonly users: readonly string[]; readonly groups: readonly string[] };

export interface Demands {
  readonly approvers: number;
  readonly notRequester: boolean;
  readonly typeName: boolean;
  readonly login: boolean;
}

/** Default deny: allowed only by a grant that matches person, cluster, namespace and action. */
export function authorize(policy: Policy, { actor, action, cluster, namespace }: Attempt): Authorization {
  const relevant = policy.grants.filter(
    (grant) =>
      matchesAny(grant.clusters, cluster) &&
      matchesAny(grant.namespaces, namespace) &&
      (grant.actions === '*' || grant.actions.includes(action)),
  );
  const allowed =
    actor.isMember &&
    relevant.some(
      ({ users, groups }) =>
        users.some((user) => actor.ids.includes(user)) ||
        groups.some((group) => actor.groups.includes(group)),
    );
  if (allowed) return { allowed: true };
  return {
    allowed: false,
    users: [...new Set(relevant.flatMap(({ users }) => users))],
    groups: [...new Set(relevant.flatMap(({ groups }) => groups))],
  };
}

/** What an approval for this cluster and namespace asks for beyond one allowed person. */
export function demandsOn(policy: Policy, cluster: string, namespace: string): Demands {
  const relevant = policy.demands.filter(
    (demand) => matchesAny(demand.clusters, cluster) && matchesAny(demand.namespaces, namespace),
  );
  return {
    approvers: Math.max(1, ...relevant.map(({ approvers }) => approvers)),
    notRequester: relevant.some(({ notRequester }) => notRequester),
    typeName: relevant.some(({ typeName }) => typeName),
    login: relevant.some(({ login }) => login),
  };
}
