import type { CurrentPolicy } from '../../doctor/policy/policy.js';
import {
  type Audience,
  isBlind,
  isChannelNamedForAll,
  isUnlimited,
  namesGroups,
  noSight,
  type Sight,
  sharedSight,
  sightOfChannel,
  sightOfPerson,
} from '../../doctor/policy/view.js';
import { notice } from '../notices/notices.js';
import type { Refused } from './conversation.js';
import type { PeopleDirectory } from './people-ports.js';

/** Who reads a channel, as far as the chat says. */
export interface KnownAudience {
  readonly audience: Audience;
  /** The app lacks the right to ask. */
  readonly lacksScope?: true;
}

export interface AudienceDirectory {
  /**
   * @throws DoctorError `slack-unavailable` or `slack-throttled`, retryable, while the chat gives no answer
   */
  audienceOf(channel: string): Promise<KnownAudience>;
}

/** What may be posted in a channel. */
interface ChannelSight extends KnownAudience {
  readonly sight: Sight;
}

/** What people and channels may see, asked anew for every answer and every message. */
export interface Sights {
  /**
   * What a person may see in an answer that only they read.
   *
   * @throws DoctorError when the chat cannot be asked who it is: nobody is let in by a guess
   */
  ofPerson(id: string): Promise<Sight>;
  /**
   * What the policy shows to a member of a user group, for an assistant that asks for nobody in particular.
   */
  ofGroup(group: string): Sight;
  /**
   * What a channel may show to everybody in it.
   *
   * @param by who asked: a direct conversation with the app is read by that person alone
   * @throws DoctorError when the chat cannot be asked who reads the channel
   */
  ofChannel(channel: string, by?: string): Promise<ChannelSight>;
}

interface SightsDeps {
  readonly audiences: AudienceDirectory;
  readonly people: PeopleDirectory;
  readonly policy: CurrentPolicy;
}

/** Slack's id of a direct conversation. The app can post in those with itself only. */
const direct = /^D/;

export function createSights({ audiences, people, policy }: SightsDeps): Sights {
  const ofPerson = async (id: string): Promise<Sight> => {
    const person = await people.person(id);
    if (person === undefined) return noSight;
    const { ids, kind } = person;
    const counts = policy();
    const groups = kind === 'member' && namesGroups(counts) ? await people.groupsOf(id) : [];
    return sightOfPerson(counts, { ids, kind, groups });
  };
  return {
    ofPerson,
    ofGroup: (group) => sightOfPerson(policy(), { ids: [], kind: 'member', groups: [group] }),
    async ofChannel(channel, by) {
      if (direct.test(channel)) {
        const sight = by === undefined ? noSight : await ofPerson(by);
        return { audience: by === undefined ? 'unknown' : 'own-workspace', sight };
      }
      const counts = policy();
      const known: KnownAudience = isChannelNamedForAll(counts, channel)
        ? { audience: 'unknown' }
        : await audiences.audienceOf(channel);
      return { ...known, sight: sightOfChannel(counts, channel, known.audience) };
    },
  };
}

/** What a person may see, or that it is nothing at all. */
export async function sightOrRefused(
  sights: Pick<Sights, 'ofPerson'>,
  by: string,
): Promise<{ readonly type: 'sight'; readonly sight: Sight } | Refused> {
  const sight = await sights.ofPerson(by);
  if (!isBlind(sight)) return { type: 'sight', sight };
  return { type: 'refused', because: notice('nothing-visible') };
}

function sightOfGroup(
  sights: Pick<Sights, 'ofGroup'>,
  group: string | undefined,
): Awaited<ReturnType<typeof sightOrRefused>> {
  const sight = group === undefined ? noSight : sights.ofGroup(group);
  if (!isBlind(sight)) return { type: 'sight', sight };
  return { type: 'refused', because: notice('nothing-visible') };
}

/** Why a channel shows nothing at all; `undefined` where it may show something. */
export function whyChannelIsBlind({ sight, audience, lacksScope }: ChannelSight): Refused | undefined {
  if (!isBlind(sight)) return undefined;
  if (lacksScope === true) return { type: 'refused', because: notice('channel-unknown-scope') };
  if (audience === 'unknown') return { type: 'refused', because: notice('channel-unknown') };
  return {
    type: 'refused',
    because: notice(audience === 'shared' ? 'channel-shared' : 'channel-not-listed'),
  };
}

/** What both a person and the channel that will show the answer may see. */
interface SightHere {
  readonly type: 'sight';
  readonly sight: Sight;
  /** The channel shows some namespaces only. */
  readonly limitedHere: boolean;
}

/**
 * What may be shown in a channel to somebody who asks there, or why nothing at all. A refusal depends on the
 * person and the channel alone, never on what was asked for.
 */
export async function sightIn(
  sights: Sights,
  { by, group, channel }: { by: string | undefined; group?: string; channel: string },
): Promise<SightHere | Refused> {
  const person = await (by === undefined ? sightOfGroup(sights, group) : sightOrRefused(sights, by));
  if (person.type === 'refused') return person;
  const shown = await sights.ofChannel(channel, by);
  const refused = whyChannelIsBlind(shown);
  if (refused !== undefined) return refused;
  const sight = sharedSight(person.sight, shown.sight);
  return { type: 'sight', sight, limitedHere: !isUnlimited(shown.sight) };
}
