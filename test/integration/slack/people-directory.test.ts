import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSlackClients } from '#src/edges/slack/clients.js';
import {
  createSlackPeopleDirectory,
  type SlackPeopleDirectory,
} from '#src/edges/slack/slack-people-directory.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { installationOf } from '../../support/slack-installation.js';
import { manifest } from '../../support/slack-rig.js';

let slack: LocalSlack;
let people: SlackPeopleDirectory;
let now: number;
beforeEach(async () => {
  now = Date.parse('2026-11-20T09:00:00Z');
  slack = await createLocalSlack({
    manifest,
    page: false,
    people: [
      { name: 'dana', realName: 'Dana Reyes', locale: 'en-US' },
      { name: 'min-jun', locale: 'ko-KR', timeZone: 'Asia/Seoul' },
      { name: 'guest', isGuest: true },
      { name: 'gone', deleted: true },
      { name: 'robin' },
    ],
  });
  const log = pino({ level: 'silent' });
  const { lookup } = createSlackClients({ token: () => slack.botToken, slackApiUrl: slack.apiUrl, log });
  const clock = { now: () => new Date(now) };
  people = createSlackPeopleDirectory({ ...installationOf(lookup, clock), defaultLanguage: 'en' });
});
afterEach(() => slack.close());

function later(seconds: number): void {
  now += seconds * 1_000;
}

describe('a person of the directory', () => {
  it('has one id, a name, locale and time zone', async () => {
    expect(await people.person('U0MINJUN')).toMatchObject({
      id: 'U0MINJUN',
      ids: ['U0MINJUN'],
      locale: 'ko-KR',
      timeZone: 'Asia/Seoul',
      isMember: true,
    });
  });

  it.each(['U0GUEST', 'U0GONE', 'B0NOBODY'])('is not a member: %s', async (id) => {
    expect((await people.person(id))?.isMember ?? false).toBe(false);
  });

  it('is not a member when it is the bot itself', async () => {
    expect((await people.person(slack.botUserId))?.isMember).toBe(false);
  });

  it('is requested once for concurrent callers, and again after a minute', async () => {
    await Promise.all(Array.from({ length: 50 }, () => people.person('U0DANA')));
    later(59);
    await people.person('U0DANA');
    expect(slack.calls('users.info')).toHaveLength(1);
    later(2);
    await people.person('U0DANA');
    expect(slack.calls('users.info')).toHaveLength(2);
  });

  it('is not guessed when Slack does not answer after that minute', async () => {
    await people.person('U0DANA');
    slack.faults.serverError({ method: 'users.info' });
    later(61);
    await expect(people.person('U0DANA')).rejects.toMatchObject({ code: 'slack-unavailable' });
  });

  it('is reported as throttled with the Retry-After of Slack', async () => {
    slack.faults.rateLimit({ method: 'users.info', retryAfterSeconds: 9 });
    await expect(people.person('U0DANA')).rejects.toMatchObject({
      code: 'slack-throttled',
      retryAfterMs: 9_000,
    });
  });
});

describe('an app that is installed in one workspace of an organization', () => {
  /** Of members of an organization Slack may leave the `team_id` out, or name another workspace of theirs. */
  const answers = (user: object) =>
    slack.faults.replaceAnswer({
      method: 'users.info',
      body: JSON.stringify({ ok: true, user: { id: 'U0DANA', name: 'dana', ...user } }),
    });
  const organization = { id: 'W0DANA', enterprise_id: 'E0STARSHIP', enterprise_name: 'Starship' };

  it.each([
    ['no workspace but those of the organization', {}],
    ['another workspace first', { team_id: 'T0ENGINE' }],
    ['the organization in place of a workspace', { team_id: 'E0STARSHIP' }],
  ])('knows its members where Slack names %s', async (_, named) => {
    answers({ ...named, enterprise_user: { ...organization, teams: ['T0ENGINE', slack.teamId] } });
    expect(await people.person('U0DANA')).toMatchObject({ kind: 'member', isMember: true });
  });

  it.each([
    ['another workspace of the organization', { enterprise_user: { ...organization, teams: ['T0ENGINE'] } }],
    ['no workspace', { enterprise_user: { ...organization, teams: [] } }],
    ['nothing', {}],
  ])('takes people of whom Slack names %s for strangers', async (_, named) => {
    answers(named);
    expect(await people.person('U0DANA')).toMatchObject({ kind: 'stranger', isMember: false });
  });

  it.each([
    ['guest', { is_restricted: true }],
    ['stranger', { is_stranger: true }],
    ['deleted', { deleted: true }],
  ])('keeps a %s what they are', async (kind, flags) => {
    answers({ ...flags, enterprise_user: { ...organization, teams: [slack.teamId] } });
    expect(await people.person('U0DANA')).toMatchObject({ kind, isMember: false });
  });
});

describe('the language of a person', () => {
  it('is the default until it is read, and is then kept for a day', async () => {
    expect(people.cachedLanguage('U0MINJUN')).toBe('en');
    expect(await people.languageOf('U0MINJUN')).toBe('ko');
    later(86_000);
    expect(people.cachedLanguage('U0MINJUN')).toBe('ko');
    expect(slack.calls('users.info')).toHaveLength(1);
  });

  it('is the default when Slack refuses the request', async () => {
    slack.faults.fail({ method: 'users.info', error: 'fatal_error' });
    expect(await people.languageOf('U0MINJUN')).toBe('en');
  });
});

describe('the names of people', () => {
  it('are full ones, which people outside of Slack know', async () => {
    expect(await people.namesOf(['U0DANA', 'U0NOBODY'])).toEqual(new Map([['U0DANA', 'Dana Reyes']]));
  });

  it('are left out while Slack refuses the request', async () => {
    slack.faults.fail({ method: 'users.info', error: 'missing_scope', times: 2 });
    expect(await people.namesOf(['U0DANA', 'U0MINJUN'])).toEqual(new Map());
  });
});

describe('user groups of the directory', () => {
  it('are returned by id and by handle', async () => {
    slack.setUserGroup('ml-oncall', ['dana', 'min-jun']);
    slack.setUserGroup('platform-admins', ['dana']);
    expect(await people.groupsOf('U0DANA')).toEqual([
      'S0MLONCALL',
      'ml-oncall',
      'S0PLATFORMADMINS',
      'platform-admins',
    ]);
    expect(await people.groupsOf('U0GUEST')).toEqual([]);
  });

  it('are read once for all people, and a change applies after a minute', async () => {
    slack.setUserGroup('ml-oncall', ['dana']);
    await Promise.all(['U0DANA', 'U0MINJUN', 'U0ROBIN'].map((id) => people.groupsOf(id)));
    expect(slack.calls('usergroups.list')).toHaveLength(1);
    slack.setUserGroup('ml-oncall', []);
    later(61);
    expect(await people.groupsOf('U0DANA')).toEqual([]);
  });

  it('are not guessed when Slack refuses the request', async () => {
    slack.faults.fail({ method: 'usergroups.list', error: 'fatal_error' });
    await expect(people.groupsOf('U0DANA')).rejects.toMatchObject({ code: 'slack-unavailable' });
  });
});
