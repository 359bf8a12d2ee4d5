import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSlackClients } from '#src/edges/slack/clients.js';
import { createSlackAudienceDirectory } from '#src/edges/slack/slack-audience-directory.js';
import { createSlackPeopleDirectory } from '#src/edges/slack/slack-people-directory.js';
import type { AudienceDirectory } from '#src/service/people/sights.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { installationOf } from '../../support/slack-installation.js';
import { manifest } from '../../support/slack-rig.js';

let slack: LocalSlack;
let now: number;
beforeEach(async () => {
  now = Date.parse('2026-11-20T09:00:00Z');
  slack = await start(manifest);
});
afterEach(() => slack.close());

const start = (withManifest: unknown) =>
  createLocalSlack({
    manifest: withManifest,
    page: false,
    userGroups: [],
    people: [
      { name: 'dana' },
      { name: 'guest', isGuest: true },
      { name: 'single', isSingleChannelGuest: true },
      { name: 'stranger', isStranger: true },
      { name: 'gone', deleted: true },
    ],
    channels: [
      { name: 'own' },
      { name: 'private', isPrivate: true },
      { name: 'partner', shared: 'external' },
      { name: 'sister', shared: 'organization' },
      { name: 'invited', shared: 'pending' },
    ],
  });

const clock = { now: () => new Date(now) };
const lookup = () =>
  createSlackClients({
    token: () => slack.botToken,
    slackApiUrl: slack.apiUrl,
    log: pino({ level: 'silent' }),
  }).lookup;
const directory = (): AudienceDirectory => createSlackAudienceDirectory(installationOf(lookup(), clock));

describe('the audience of a channel', () => {
  it.each([
    ['C0OWN', 'own-workspace'],
    ['C0PRIVATE', 'own-workspace'],
    ['C0PARTNER', 'shared'],
    ['C0SISTER', 'shared'],
    ['C0INVITED', 'shared'],
    ['C0NOWHERE', 'unknown'],
  ])('%s is %s', async (channel, audience) => {
    expect(await directory().audienceOf(channel)).toEqual({ audience });
  });

  it('is requested once for concurrent callers, and again after a minute', async () => {
    const audiences = directory();
    await Promise.all(Array.from({ length: 20 }, () => audiences.audienceOf('C0OWN')));
    now += 60_000;
    await audiences.audienceOf('C0OWN');
    expect(slack.calls('conversations.info')).toHaveLength(1);
    now += 1_000;
    await audiences.audienceOf('C0OWN');
    expect(slack.calls('conversations.info')).toHaveLength(2);
  });

  it('is unknown when the app lacks the scope, which is reported', async () => {
    await slack.close();
    const { oauth_config, ...rest } = manifest as { oauth_config: { scopes: { bot: readonly string[] } } };
    const bot = oauth_config.scopes.bot.filter(
      (scope) => scope !== 'channels:read' && scope !== 'groups:read',
    );
    slack = await start({ ...rest, oauth_config: { scopes: { bot } } });
    expect(await directory().audienceOf('C0OWN')).toEqual({ audience: 'unknown', lacksScope: true });
  });

  it('is not guessed while Slack does not answer', async () => {
    const audiences = directory();
    await slack.close();
    await expect(audiences.audienceOf('C0OWN')).rejects.toMatchObject({ retryable: true });
  });
});

describe('the membership of a person', () => {
  it.each([
    ['U0DANA', 'member'],
    ['U0GUEST', 'guest'],
    ['U0SINGLE', 'guest'],
    ['U0STRANGER', 'stranger'],
    ['U0GONE', 'deleted'],
    ['USLACKBOT', undefined],
  ])('%s is %s', async (id, kind) => {
    const people = createSlackPeopleDirectory({ ...installationOf(lookup(), clock), defaultLanguage: 'en' });
    expect((await people.person(id))?.kind).toBe(kind);
  });
});
