import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { isBlind } from '#src/doctor/policy/view.js';
import { createSlackAudienceDirectory } from '#src/edges/slack/slack-audience-directory.js';
import { createSlackPeopleDirectory } from '#src/edges/slack/slack-people-directory.js';
import type { RequestDiagnosis } from '#src/service/people/conversation.js';
import { createSights } from '#src/service/people/sights.js';
import { installationOf } from '../../support/slack-installation.js';
import { type Mode, type Rig, type RigOptions, startRig } from '../../support/slack-rig.js';

/** The app is in two workspaces of the organization, and not in the third. */
const organization = { id: 'E0STARSHIP', name: 'Starship', workspaces: ['T0BRIDGE', 'T0ENGINE'] };
const workspaces = ['T0BRIDGE', 'T0ENGINE'];

const people: NonNullable<RigOptions['people']> = [
  { name: 'dana', workspaces: ['T0BRIDGE'] },
  { name: 'scott', workspaces: ['T0ENGINE'] },
  { name: 'kim', workspaces: ['T0BRIDGE'], hasTwoIds: true },
  { name: 'temp', workspaces: ['T0ENGINE'], isGuest: true },
  { name: 'cook', workspaces: ['T0KITCHEN'] },
  { name: 'eve', isStranger: true },
];

let rig: Rig;
afterEach(() => rig.close());

async function start(options: RigOptions = {}): Promise<void> {
  rig = await startRig({
    organization,
    people,
    channels: [
      { name: 'bridge' },
      { name: 'engine', workspaces: ['T0ENGINE'] },
      { name: 'ship', workspaces },
      { name: 'mess', workspaces: [...workspaces, 'T0KITCHEN'] },
      { name: 'fleet', shared: 'external' },
      { name: 'soon', shared: 'pending' },
    ],
    userGroups: [
      { handle: 'oncall', workspace: 'T0BRIDGE', members: ['dana'] },
      { handle: 'engineers', workspace: 'T0ENGINE', members: ['scott', 'W0KIM'] },
      { handle: 'leads', workspace: 'T0BRIDGE', members: ['dana'] },
      { handle: 'leads', workspace: 'T0ENGINE', members: ['scott'] },
    ],
    ...options,
  });
}

type RequestedDiagnosis = Parameters<RequestDiagnosis>[0];

const clock = { now: () => new Date() };
const directories = () => {
  const installation = installationOf(rig.clients.lookup, clock);
  return {
    people: createSlackPeopleDirectory({ ...installation, defaultLanguage: 'en' }),
    audiences: createSlackAudienceDirectory(installation),
  };
};

describe.each(['http', 'socket'] satisfies Mode[])('an installation of an organization over %s', (mode) => {
  beforeEach(() => start({ mode }));

  it('takes commands, mentions, buttons and Home pages of all its workspaces', async () => {
    const { slack } = rig;
    for (const [name, channel] of [
      ['dana', 'bridge'],
      ['scott', 'engine'],
    ] as const) {
      const { type } = await slack.as(name).runs('/rollout-doctor deploy/inference -n ml', { channel });
      expect(type).toBe('acknowledged');
      await slack.as(name).opensHome();
    }
    slack.as('scott').says(`@rollout-doctor deploy/web -n ml`, { channel: 'engine' });
    const requests = await rig.untilAsked('requestDiagnosis', 3);
    const asked = requests.map((request) => {
      const { channel, origin } = request as RequestedDiagnosis;
      return `${channel} ${origin.by} ${origin.via}`;
    });
    expect(asked.sort()).toEqual([
      'C0BRIDGE U0DANA command',
      'C0ENGINE U0SCOTT command',
      'C0ENGINE U0SCOTT mention',
    ]);
    const home = await slack.until(() => slack.home('scott'), { what: 'the Home page of scott' });
    expect(JSON.stringify(home.blocks)).toContain('U0SCOTT');
  });
});

describe('people of an organization', () => {
  beforeEach(() => start());

  it.each([
    ['U0DANA', 'member'],
    ['U0SCOTT', 'member'],
    ['W0KIM', 'member'],
    ['U0TEMP', 'guest'],
    ['U0COOK', 'stranger'],
    ['U0EVE', 'stranger'],
  ])('%s is a %s', async (id, kind) => {
    expect(await directories().people.person(id)).toMatchObject({ kind, isMember: kind === 'member' });
  });

  it('have the groups of every workspace, and no group by a handle that two workspaces have', async () => {
    const { people: directory } = directories();
    expect(await directory.groupsOf('U0DANA')).toEqual(['S0ONCALL', 'oncall', 'S0LEADS']);
    expect(await directory.groupsOf('U0SCOTT')).toEqual([
      'S0ENGINEERST0ENGINE',
      'engineers',
      'S0LEADST0ENGINE',
    ]);
  });

  it('have the groups of each of their ids', async () => {
    const { people: directory } = directories();
    expect(await directory.groupsOf('U0KIM')).toContain('engineers');
    expect(await directory.groupsOf('W0KIM')).toContain('engineers');
  });

  it('may see what the policy allows to either of their ids', async () => {
    const policy = Policy.parse({ grants: [], view: [{ users: ['W0KIM'], namespaces: ['ml'] }] });
    const sights = createSights({ ...directories(), policy: () => policy });
    expect(isBlind(await sights.ofPerson('U0KIM'))).toBe(false);
    expect(isBlind(await sights.ofPerson('U0DANA'))).toBe(true);
  });

  it('are not guessed while Slack does not list the workspaces', async () => {
    rig.slack.faults.serverError({ method: 'auth.teams.list' });
    await expect(directories().people.person('U0DANA')).rejects.toMatchObject({ code: 'slack-unavailable' });
  });

  it('belong to nothing when Slack names no workspaces of theirs', async () => {
    rig.slack.faults.replaceAnswer({
      method: 'users.info',
      body: JSON.stringify({ ok: true, user: { id: 'U0DANA', team_id: 'T0BRIDGE' } }),
    });
    expect(await directories().people.person('U0DANA')).toMatchObject({ kind: 'stranger' });
  });
});

describe('a channel of an organization', () => {
  beforeEach(() => start());

  it.each([
    ['C0BRIDGE', 'own-workspace'],
    ['C0SHIP', 'own-workspace'],
    ['C0MESS', 'shared'],
    ['C0FLEET', 'shared'],
    ['C0SOON', 'shared'],
  ])('%s is %s', async (channel, audience) => {
    expect(await directories().audiences.audienceOf(channel)).toMatchObject({ audience });
  });

  it('of which Slack names no workspaces is unknown', async () => {
    rig.slack.faults.replaceAnswer({
      method: 'conversations.info',
      body: JSON.stringify({
        ok: true,
        channel: { id: 'C0SHIP', is_shared: true, is_ext_shared: false, is_org_shared: true },
      }),
    });
    expect(await directories().audiences.audienceOf('C0SHIP')).toEqual({ audience: 'unknown' });
  });
});
