import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { remediationKinds } from '../fixes/remediation.js';
import { Brakes } from './brakes.js';
import { matchesAny } from './weekly-windows.js';

/**
 * What a policy can allow: each remediation kind, putting a change back, opening a pull request with a fix,
 * silencing a workload, and the stop switch.
 */
export const actions = [...remediationKinds, 'undo', 'open-pull-request', 'silence', 'stop-changes'] as const;
export const Action = z.enum(actions);
export type Action = z.output<typeof Action>;

const patterns = z.array(z.string().min(1)).min(1);
/** Fields that a file must hold carry an example for those who left them out. */
const namespaces = patterns.meta({ example: '["ml"]' });

const Grant = z
  .strictObject({
    /** Slack user ids. */
    users: z.array(z.string().regex(/^[UW][A-Z0-9]+$/, 'a Slack user id such as U012ABCDEF')).default([]),
    /** Slack user groups: ids (`S…`), or handles without `@` that name exactly one group. */
    groups: z
      .array(z.string().regex(/^[^@\s]+$/, 'a user group id such as S012ABCDEF, or a handle without @'))
      .default([]),
    /** Names or patterns with `*`. */
    clusters: patterns.default(['*']),
    namespaces,
    actions: z.union([z.literal('*'), z.array(Action).min(1)]).meta({ example: '["undo-rollout"]' }),
  })
  .refine(({ users, groups }) => users.length + groups.length > 0, 'names neither users nor groups');

const Demand = z.strictObject({
  clusters: patterns.default(['*']),
  namespaces: patterns.default(['*']),
  /** How many distinct people must approve. */
  approvers: z.number().int().min(1).max(5).default(1),
  /** Whether those who asked for or triggered the diagnosis, or opened the review, may not approve. */
  notRequester: z.boolean().default(false),
  /** Whether the approver types the workload's name. */
  typeName: z.boolean().default(false),
  /** Whether each approver confirms the approval with the company's login. */
  login: z.boolean().default(false),
});

const channelId = z.string().regex(/^[CG][A-Z0-9]+$/, 'a Slack channel id such as C0123456789');

/** Namespaces that named people may see. */
const View = z
  .strictObject({
    /** Slack user ids. Guests and people of other workspaces see only what a rule with their id allows. */
    users: z.array(z.string().regex(/^[UW][A-Z0-9]+$/, 'a Slack user id such as U012ABCDEF')).default([]),
    /** User groups, by handle without `@` or by id; they count for full members only. */
    groups: z.array(z.string().regex(/^[^@\s]+$/, 'a user group handle without @, or its id')).default([]),
    /** Every full member of the workspace. */
    everyone: z.literal('members').optional(),
    /** Names or patterns with `*`. */
    clusters: patterns.default(['*']),
    namespaces,
    /** Whether they may also read log lines. */
    logs: z.boolean().default(false),
  })
  .refine(
    ({ users, groups, everyone }) => users.length + groups.length > 0 || everyone !== undefined,
    'names neither users nor groups nor everyone',
  );

/** Namespaces that a channel may show to everybody in it. */
const ChannelView = z.strictObject({
  channels: z.array(channelId).min(1).meta({ example: '["C0123456789"]' }),
  clusters: patterns.default(['*']),
  namespaces,
  /** Whether log lines may be shown there. */
  logs: z.boolean().default(false),
  /** Whether this also holds while the channel is shared with another workspace, or Slack cannot tell. */
  shared: z.boolean().default(false),
});

/**
 * Who may approve what, and who may see what. Nothing is allowed that no grant allows. Demands add up: the
 * strictest matching one of each kind holds.
 */
export const Policy = z.strictObject({
  apiVersion: z.literal('rollout-doctor/v1').default('rollout-doctor/v1'),
  grants: z.array(Grant).meta({ example: '[{ groups: [ml-oncall], namespaces: [ml], actions: "*" }]' }),
  demands: z.array(Demand).default([]),
  brakes: Brakes.prefault({}),
  /** Absent: every full member of the workspace sees everything, log lines included. */
  view: z.array(View).optional(),
  channels: z.array(ChannelView).optional(),
});
export type Policy = Immutable<z.output<typeof Policy>>;

/** The policy that counts now: its file may change while a process runs. */
export type CurrentPolicy = () => Policy;

/** Every user group that a grant names, each once. */
export function groupsIn({ grants }: Policy): readonly string[] {
  return [...new Set(grants.flatMap(({ groups }) => groups))];
}

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
