import * as z from 'zod';

/** A user group as the chat lists it. */
export interface ListedGroup {
  readonly id: string;
  /** Without `@`. */
  readonly handle: string;
  readonly isDisabled: boolean;
  /** Of another organisation, through a shared channel. */
  readonly isExternal: boolean;
  readonly members: readonly string[];
}

/** Why a group of the policy grants nothing. */
export type GroupProblem = 'unknown' | 'ambiguous' | 'disabled' | 'external';

const groupId = /^S[A-Z0-9]{1,20}$/u;

/**
 * By member, the names under which a policy may grant them something: ids, and handles that only one group
 * has. Disabled and external groups grant nothing; a handle that looks like an id is none.
 */
export function groupNamesByMember(groups: readonly ListedGroup[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const group of groups) {
    if (group.isDisabled || group.isExternal) continue;
    const isClear = !groupId.test(group.handle) && bearersOf(group.handle, groups).length === 1;
    for (const member of new Set(group.members)) {
      const known = names.get(member) ?? [];
      names.set(member, [...known, group.id, ...(isClear ? [group.handle] : [])]);
    }
  }
  return names;
}

/** Whether a policy's name for a group is an id. */
export function isGroupId(name: string): boolean {
  return groupId.test(name);
}

/** @param name an id or a handle, as a policy names it */
export function groupProblem(name: string, groups: readonly ListedGroup[]): GroupProblem | undefined {
  const found = groupId.test(name) ? groups.filter(({ id }) => id === name) : bearersOf(name, groups);
  const active = found.filter(({ isDisabled }) => !isDisabled);
  if (active.length > 1) return 'ambiguous';
  const [group] = active;
  if (group === undefined) return found.length > 0 ? 'disabled' : 'unknown';
  if (group.isExternal) return 'external';
  return groupId.test(name) || group.handle === name ? undefined : 'unknown';
}

/** The id of the one group that a policy means by this name, if the group grants anything. */
export function groupIdOf(name: string, groups: readonly ListedGroup[]): string | undefined {
  if (groupProblem(name, groups) !== undefined) return undefined;
  return groups.find(({ id, handle, isDisabled }) => !isDisabled && (id === name || handle === name))?.id;
}

/** Groups in use under this handle; Slack's handles differ in more than case. */
function bearersOf(handle: string, groups: readonly ListedGroup[]): readonly ListedGroup[] {
  const wanted = handle.toLowerCase();
  const all = groups.filter((group) => group.handle.toLowerCase() === wanted);
  const active = all.filter(({ isDisabled }) => !isDisabled);
  return active.length > 0 ? active : all;
}

/** The id of a public or private channel; a name may be given to another channel, an id never is. */
export const ChannelId = z
  .string()
  .regex(/^[CG][A-Z0-9]{2,20}$/, 'the id of a Slack channel, such as C012ABCDEF');
