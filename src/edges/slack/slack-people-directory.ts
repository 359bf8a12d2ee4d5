import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import { groupIdOf, groupNamesByMember, type ListedGroup } from '../../doctor/policy/group-names.js';
import type { PersonKind } from '../../doctor/policy/view.js';
import { type Language, languageOfLocale } from '../../engine/language/language.js';
import { DoctorError } from '../../service/errors.js';
import type { PeopleDirectory, Person } from '../../service/people/people-ports.js';
import type { Clock } from '../../service/records/process-ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack, type SlackFailure } from './call-slack.js';
import type { SlackIdentity, SlackIdentityLookup } from './slack-identity.js';
import type { ReadWorkspaces } from './slack-workspaces.js';
import { listUserGroups } from './user-groups.js';

interface SlackPeopleDirectoryOptions {
  readonly client: WebClient;
  readonly clock: Clock;
  /** Where the app is installed: people of elsewhere are strangers. */
  readonly identity: Pick<SlackIdentityLookup, 'identity'>;
  readonly workspaces: ReadWorkspaces;
  /** For people whose locale is not known. */
  readonly defaultLanguage: Language;
  /** How old an answer about a person or a group may be, in milliseconds; a minute when absent. */
  readonly rightsMs?: number;
}

export interface SlackPeopleDirectory extends PeopleDirectory {
  /** What is known of the person's language without asking anybody. */
  cachedLanguage(id: string): Language;
  /** The person's language; the default when Slack does not tell. */
  languageOf(id: string): Promise<Language>;
  /**
   * Full names, for readers outside of Slack. Somebody whom Slack does not name now is left out. Never
   * throws.
   */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface KnownGroups {
  /** Names of the groups of each member, as a policy may give them. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly listed: readonly ListedGroup[];
  /** Slack's code for showing none. */
  readonly unknown: string | undefined;
}

/** Membership decides who may approve: for a question of the app never older than this. */
const defaultRightsMs = 60_000;
const localeMs = 86_400_000;
const maxPeople = 5_000;

/**
 * People and user groups as Slack knows them. Needs the scope users:read, and usergroups:read for a policy
 * that names groups: a workspace or token without them leaves everybody without groups.
 *
 * @throws DoctorError `slack-unavailable` or `slack-throttled` when Slack cannot be asked: nobody is let in
 *   by a guess
 */
export function createSlackPeopleDirectory({
  client,
  clock,
  identity,
  workspaces,
  defaultLanguage,
  rightsMs = defaultRightsMs,
}: SlackPeopleDirectoryOptions): SlackPeopleDirectory {
  const now = () => clock.now().getTime();
  const people = createBoundedCache<Person>(maxPeople, now);
  const fullNames = createBoundedCache<string>(maxPeople, now);
  const groups = createBoundedCache<KnownGroups>(1, now);
  const asking = new Map<string, Promise<unknown>>();

  /** Several who ask the same at the same time share one call. */
  function once<Result>(key: string, ask: () => Promise<Result>): Promise<Result> {
    const running = asking.get(key) as Promise<Result> | undefined;
    if (running !== undefined) return running;
    const started = ask().finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  }

  async function fetchPerson(id: string): Promise<Person | undefined> {
    const answer = await callSlack(() => client.users.info({ user: id, include_locale: true }));
    if (answer.type !== 'answered') {
      if (answer.type === 'refused' && unknownPerson.has(answer.error)) return undefined;
      throw asError(answer);
    }
    const { user } = answer.result;
    if (user?.id === undefined) return undefined;
    const kind = kindOf(user, await identity.identity(), await workspaces());
    const organisationId = user.enterprise_user?.id;
    const person: Person = {
      id: user.id,
      ids: [...new Set([id, user.id, ...(organisationId === undefined ? [] : [organisationId])])],
      organisationId,
      name: user.profile?.display_name || user.real_name || user.name || user.id,
      locale: user.locale,
      timeZone: user.tz,
      email: user.profile?.email,
      kind,
      isMember: kind === 'member',
    };
    people.set(id, person);
    fullNames.set(id, user.profile?.real_name || user.real_name || person.name);
    return person;
  }

  async function fetchGroups(): Promise<KnownGroups> {
    const answer = await listUserGroups(client, await workspaces());
    if (answer.type === 'failed') throw asError(answer.failure);
    const known: KnownGroups =
      answer.type === 'listed'
        ? { names: groupNamesByMember(answer.groups), listed: answer.groups, unknown: undefined }
        : { names: new Map(), listed: [], unknown: answer.error };
    groups.set('all', known);
    return known;
  }

  const personOf = async (id: string): Promise<Person | undefined> =>
    people.get(id, rightsMs) ?? (await once(`person ${id}`, () => fetchPerson(id)));

  return {
    person: personOf,
    async groupsOf(id) {
      const all = groups.get('all', rightsMs) ?? (await once('groups', fetchGroups));
      const ids = (await personOf(id))?.ids ?? [id];
      return [...new Set(ids.flatMap((each) => all.names.get(each) ?? []))];
    },
    async groupIds(names) {
      if (names.length === 0) return new Map();
      const { listed } = groups.get('all', rightsMs) ?? (await once('groups', fetchGroups));
      return new Map(
        names.flatMap((name): readonly [string, string][] => {
          const id = groupIdOf(name, listed);
          return id === undefined ? [] : [[name, id]];
        }),
      );
    },
    groupsUnknown: () => groups.get('all', rightsMs)?.unknown,
    cachedLanguage(id) {
      const person = people.get(id, localeMs);
      return person?.locale === undefined ? defaultLanguage : languageOfLocale(person.locale);
    },
    async namesOf(ids) {
      const named = await Promise.all(
        ids.map(async (id): Promise<readonly [string, string][]> => {
          if (fullNames.get(id, localeMs) === undefined) await personOf(id).catch(() => undefined);
          const name = fullNames.get(id, localeMs);
          return name === undefined || name === id ? [] : [[id, name]];
        }),
      );
      return new Map(named.flat());
    },
    async languageOf(id) {
      const known = people.get(id, localeMs);
      const person = known ?? (await once(`person ${id}`, () => fetchPerson(id)).catch(() => undefined));
      return person?.locale === undefined ? defaultLanguage : languageOfLocale(person.locale);
    },
  };
}

type SlackUser = NonNullable<UsersInfoResponse['user']>;

/** Where several flags are set, the one that allows less decides. */
function kindOf(
  user: SlackUser,
  installation: SlackIdentity,
  workspaces: ReadonlySet<string> | undefined,
): PersonKind {
  if (user.is_bot === true || user.id === 'USLACKBOT') return 'bot';
  if (user.deleted === true) return 'deleted';
  if (user.is_stranger === true || !isOwn(user, installation, workspaces)) return 'stranger';
  return user.is_restricted === true || user.is_ultra_restricted === true ? 'guest' : 'member';
}

/**
 * Of an organisation, people of the workspaces that an administrator added the app to. Of members of an
 * organisation Slack may name the workspaces only, also to an app that is installed in one of them. Nothing
 * that Slack leaves out counts as belonging to it.
 */
function isOwn(
  user: SlackUser,
  { teamId, enterpriseId }: SlackIdentity,
  workspaces: ReadonlySet<string> | undefined,
): boolean {
  const { enterprise_id: organisation, teams = [] } = user.enterprise_user ?? {};
  if (enterpriseId === undefined || workspaces === undefined) {
    return user.team_id === teamId || teams.includes(teamId);
  }
  return organisation === enterpriseId && teams.some((team) => workspaces.has(team));
}

const unknownPerson: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);

function asError(failure: SlackFailure): DoctorError {
  return failure.type === 'throttled'
    ? new DoctorError({
        code: 'slack-throttled',
        message: 'Slack asks to wait before it returns the list of people',
        retryable: true,
        retryAfterMs: failure.retryAfterMs,
      })
    : new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not return the list of people',
        retryable: failure.type !== 'refused',
        cause: failure.error,
      });
}
