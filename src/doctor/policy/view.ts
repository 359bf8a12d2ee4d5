import type { Policy } from './policy.js';
import { matchesAny } from './weekly-windows.js';

/** How a person belongs to the workspace of the app. `stranger`: a person of another workspace. */
export type PersonKind = 'member' | 'guest' | 'stranger' | 'bot' | 'deleted';

export interface Viewer {
  /** Every id of the person. */
  readonly ids: readonly string[];
  readonly kind: PersonKind;
  /** Handles and ids of the user groups they are in. */
  readonly groups: readonly string[];
}

/** Who reads what is posted in a channel. `unknown`: Slack did not say. */
export type Audience = 'own-workspace' | 'shared' | 'unknown';

/** What is looked at. */
type ViewedPlace = { readonly cluster: string; readonly namespace: string };

interface Visible {
  readonly workload: boolean;
  /** Never true where `workload` is false. */
  readonly logs: boolean;
}

/** Clusters and namespaces that one rule opens. */
interface ViewRule {
  readonly clusters: readonly string[];
  readonly namespaces: readonly string[];
  readonly logs: boolean;
}

/**
 * What somebody may see: each list must have a rule that matches. Plain data, so that it can be combined and
 * compared.
 */
export type Sight = { readonly allOf: readonly (readonly ViewRule[])[] };

const everything: ViewRule = { clusters: ['*'], namespaces: ['*'], logs: true };

/** Sees everything: for those who read with rights of their own, such as the command line. */
export const fullSight: Sight = { allOf: [] };

/** Sees nothing at all. */
export const noSight: Sight = { allOf: [[]] };

/** What a person may see in an answer that only they read. */
export function sightOfPerson(policy: Policy, { ids, kind, groups }: Viewer): Sight {
  if (kind === 'bot' || kind === 'deleted') return noSight;
  const isMember = kind === 'member';
  const { view } = policy;
  if (view === undefined) return { allOf: [isMember ? [everything] : []] };
  const rules = view.filter(
    (rule) =>
      rule.users.some((user) => ids.includes(user)) ||
      (isMember && (rule.everyone === 'members' || rule.groups.some((group) => groups.includes(group)))),
  );
  return { allOf: [rules.map(ruleOf)] };
}

/** Whether the groups of a person can change what the person may see. */
export function namesGroups({ view = [] }: Policy): boolean {
  return view.some(({ groups }) => groups.length > 0);
}

/**
 * What a channel may show to everybody in it. Its own entries decide, where it has any. A channel without an
 * entry shows what every member of the workspace may see, and nothing while it is shared with another
 * workspace or Slack cannot tell.
 */
export function sightOfChannel(policy: Policy, channel: string, audience: Audience): Sight {
  const entries = (policy.channels ?? []).filter(({ channels }) => channels.includes(channel));
  if (entries.length > 0) {
    const usable = entries.filter(({ shared }) => shared || audience === 'own-workspace');
    return { allOf: [usable.map(ruleOf)] };
  }
  if (audience !== 'own-workspace') return noSight;
  if (policy.view === undefined) return { allOf: [[everything]] };
  return { allOf: [policy.view.filter(({ everyone }) => everyone === 'members').map(ruleOf)] };
}

/** Whether every entry of the channel holds for any reader, so that Slack need not be asked. */
export function isChannelNamedForAll({ channels = [] }: Policy, channel: string): boolean {
  const entries = channels.filter((each) => each.channels.includes(channel));
  return entries.length > 0 && entries.every(({ shared }) => shared);
}

/** What both may see. */
export function sharedSight(one: Sight, other: Sight): Sight {
  return { allOf: [...one.allOf, ...other.allOf] };
}

/** Whether workloads and log lines of a namespace may be shown. */
export function visibleIn({ allOf }: Sight, { cluster, namespace }: ViewedPlace): Visible {
  const matching = allOf.map((rules) =>
    rules.filter((rule) => matchesAny(rule.clusters, cluster) && matchesAny(rule.namespaces, namespace)),
  );
  const workload = matching.every((rules) => rules.length > 0);
  return { workload, logs: workload && matching.every((rules) => rules.some(({ logs }) => logs)) };
}

/** Whether anything of a cluster may be shown, its name included. */
export function isClusterVisible({ allOf }: Sight, cluster: string): boolean {
  return allOf.every((rules) => rules.some(({ clusters }) => matchesAny(clusters, cluster)));
}

/** Whether no namespace of any cluster can be seen. */
export function isBlind({ allOf }: Sight): boolean {
  return allOf.some((rules) => rules.length === 0);
}

/** Whether every namespace of every cluster can be seen. */
export function isUnlimited({ allOf }: Sight): boolean {
  return allOf.every((rules) =>
    rules.some(({ clusters, namespaces }) => clusters.includes('*') && namespaces.includes('*')),
  );
}

/** Whether a person may see a namespace in a channel: the channel and the person must both allow it. */
export function mayView(
  policy: Policy,
  {
    viewer,
    channel,
    audience,
    ...place
  }: ViewedPlace & { readonly viewer: Viewer; readonly channel: string; readonly audience: Audience },
): Visible {
  const sight = sharedSight(sightOfPerson(policy, viewer), sightOfChannel(policy, channel, audience));
  return visibleIn(sight, place);
}

function ruleOf({ clusters, namespaces, logs }: ViewRule): ViewRule {
  return { clusters, namespaces, logs };
}
