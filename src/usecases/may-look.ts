import type { Refused } from './conversation.js';
import { notice } from './notices.js';
import type { PeopleDirectory } from './ports.js';

export interface MayLookDeps {
  readonly people: Pick<PeopleDirectory, 'person'>;
  /** The workspace whose people may look; others are guests here. */
  readonly teamId: () => Promise<string>;
}

/**
 * Whether somebody may see what is known of all workloads: full members of the workspace. Guests are let into single
 * channels, and these answers would tell them of the others.
 *
 * @throws DoctorError when Slack cannot be asked who it is
 */
export type MayLook = (by: string) => Promise<{ readonly type: 'allowed' } | Refused>;

export function createMayLook({ people, teamId }: MayLookDeps): MayLook {
  return async (by) => {
    const person = await people.person(by);
    const isMember = person?.isMember === true && person.teamId === (await teamId());
    return isMember ? { type: 'allowed' } : { type: 'refused', because: notice('members-only', {}) };
  };
}
