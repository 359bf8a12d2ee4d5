import type { WebClient } from '@slack/web-api';
import { type Language, languageOfLocale } from '../../core/language/language.js';
import { DoctorError } from '../../errors.js';
import type { Clock, PeopleDirectory, Person } from '../../usecases/ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack, type SlackFailure } from './call-slack.js';

export interface SlackPeopleDirectoryOptions {
  readonly client: WebClient;
  readonly clock: Clock;
  /** For people whose locale is not known. */
  readonly defaultLanguage: Language;
}

export interface SlackPeopleDirectory extends PeopleDirectory {
  /** What is known of the person's language without asking anybody. */
  cachedLanguage(id: string): Language;
  /** The person's language; the default when Slack does not tell. */
  languageOf(id: string): Promise<Language>;
}

/** Membership decides who may approve: never older than a minute. */
const rightsMs = 60_000;
const localeMs = 86_400_000;
const maxPeople = 5_000;

/**
 * People and user groups as Slack knows them. Needs the scopes users:read and usergroups:read.
 *
 * @throws DoctorError `slack-unavailable` or `slack-throttled` when Slack cannot be asked: nobody is let in by a guess
 */
export function createSlackPeopleDirectory({
  client,
  clock,
  defaultLanguage,
}: SlackPeopleDirectoryOptions): SlackPeopleDirectory {
  const now = () => clock.now().getTime();
  const people = createBoundedCache<Person>(maxPeople, now);
  const groups = createBoundedCache<ReadonlyMap<string, readonly string[]>>(1, now);
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
    const person: Person = {
      id: user.id,
      name: user.profile?.display_name || user.real_name || user.name || user.id,
      teamId: user.team_id ?? '',
      locale: user.locale,
      timeZone: user.tz,
      isMember:
        user.deleted !== true &&
        user.is_bot !== true &&
        user.is_restricted !== true &&
        user.is_ultra_restricted !== true &&
        !('is_stranger' in user && user.is_stranger === true) &&
        user.id !== 'USLACKBOT',
    };
    people.set(id, person);
    return person;
  }

  async function fetchGroups(): Promise<ReadonlyMap<string, readonly string[]>> {
    const answer = await callSlack(() => client.usergroups.list({ include_users: true }));
    if (answer.type !== 'answered') throw asError(answer);
    const handles = new Map<string, string[]>();
    for (const group of answer.result.usergroups ?? []) {
      if (group.handle === undefined || (group.date_delete ?? 0) > 0) continue;
      for (const user of group.users ?? []) handles.set(user, [...(handles.get(user) ?? []), group.handle]);
    }
    groups.set('all', handles);
    return handles;
  }

  return {
    async person(id) {
      return people.get(id, rightsMs) ?? (await once(`person ${id}`, () => fetchPerson(id)));
    },
    async groupsOf(id) {
      const all = groups.get('all', rightsMs) ?? (await once('groups', fetchGroups));
      return all.get(id) ?? [];
    },
    cachedLanguage(id) {
      const person = people.get(id, localeMs);
      return person?.locale === undefined ? defaultLanguage : languageOfLocale(person.locale);
    },
    async languageOf(id) {
      const known = people.get(id, localeMs);
      const person = known ?? (await once(`person ${id}`, () => fetchPerson(id)).catch(() => undefined));
      return person?.locale === undefined ? defaultLanguage : languageOfLocale(person.locale);
    },
  };
}

const unknownPerson: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);

function asError(failure: SlackFailure): DoctorError {
  return failure.type === 'throttled'
    ? new DoctorError({
        code: 'slack-throttled',
        message: 'Slack asks to wait before telling about people',
        retryable: true,
        retryAfterMs: failure.retryAfterMs,
      })
    : new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not tell about people',
        retryable: failure.type !== 'refused',
        cause: failure.error,
      });
}
