import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { isBlind } from '#src/doctor/policy/view.js';
import { createMayApprove } from '#src/service/approve/may-approve.js';
import { createSights } from '#src/service/people/sights.js';
import { buildIncident } from '../../support/slack-builders.js';
import { type Rig, startRig } from '../../support/slack-rig.js';

/**
 * One app can be installed in workspaces that have nothing to do with each other: Slack signs for all with
 * one secret.
 */
let rig: Rig;
afterEach(() => rig.close());

const organization = { id: 'E0STARSHIP', name: 'Starship', workspaces: ['T0BRIDGE'] };
const installations = [
  ['one workspace', {}],
  ['an organization', { organization }],
] as const;

/** The same id as that of our member, in a workspace where the app is installed as well. */
const user = { id: 'U0DANA', username: 'dana', name: 'dana', team_id: 'T0RIVAL' };
const theirs = {
  user,
  team: { id: 'T0RIVAL', domain: 'rival' },
  enterprise: null,
  is_enterprise_install: false,
};

function payloads(): readonly (readonly [string, 'command' | 'interaction' | 'event', object])[] {
  const { slack } = rig;
  const trigger_id = randomUUID();
  const common = { ...theirs, api_app_id: slack.appId, token: 'unused', trigger_id };
  const actions = [{ type: 'button', action_id: 'remediation.review', block_id: 'b', value: 'i1.patch' }];
  const channel = { id: 'C0MLONCALL', name: 'ml-oncall' };
  const container = { type: 'message', message_ts: '1.2', channel_id: channel.id, is_ephemeral: false };
  const response_url = `${slack.url}/response/none`;
  const view = {
    id: 'V1',
    type: 'modal',
    callback_id: 'review',
    private_metadata: '{}',
    state: { values: {} },
  };
  const envelope = {
    ...{ type: 'event_callback', team_id: 'T0RIVAL', api_app_id: slack.appId, event_id: trigger_id },
    ...{ event_time: 1, token: 'unused' },
    authorizations: [
      {
        enterprise_id: null,
        team_id: 'T0RIVAL',
        user_id: 'U0BOT',
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
  };
  return [
    [
      'a command',
      'command',
      {
        ...{ command: '/rollout-doctor', text: 'deploy/inference -n ml', trigger_id, token: 'unused' },
        ...{ user_id: user.id, user_name: 'dana', team_id: 'T0RIVAL', team_domain: 'rival' },
        ...{ channel_id: channel.id, channel_name: channel.name, api_app_id: slack.appId, response_url },
        is_enterprise_install: 'false',
      },
    ],
    [
      'a click',
      'interaction',
      { type: 'block_actions', ...common, channel, container, actions, response_url },
    ],
    ['a submission', 'interaction', { type: 'view_submission', ...common, view }],
    [
      'a mention',
      'event',
      {
        ...envelope,
        event: {
          type: 'app_mention',
          user: user.id,
          text: '<@U0BOT> deploy/x -n ml',
          channel: channel.id,
          ts: '1.3',
        },
      },
    ],
    [
      'a Home page',
      'event',
      { ...envelope, event: { type: 'app_home_opened', user: user.id, channel: 'D0DANA', tab: 'home' } },
    ],
  ];
}

describe.each(installations)('an app that is installed in %s', (_, options) => {
  it('does nothing for requests of another installation, and ends them', async () => {
    rig = await startRig(options);
    const before = rig.slack.calls().length;
    for (const [what, kind, payload] of payloads()) {
      const delivered = await rig.slack.dispatch({ kind, payload } as never);
      expect(delivered.type, what).toBe('acknowledged');
      if (kind === 'command') expect(JSON.stringify(delivered)).toContain('not set up for this workspace');
    }
    expect(rig.asked).toEqual([]);
    expect(rig.slack.home('dana')).toBeUndefined();
    expect(
      rig.slack
        .calls()
        .slice(before)
        .map(({ method }) => method),
    ).toEqual([]);
    expect(rig.logged.filter(({ msg }) => /not known to be for this installation/.test(msg))).toHaveLength(5);
  });
});

describe('an app that does not know yet where it is installed', () => {
  it('does nothing, tells so for a command, and lets Slack show that a click or a form failed', async () => {
    rig = await startRig({ beforeStart: (slack) => slack.faults.serverError({ method: 'auth.test' }) });
    for (const [what, kind, payload] of payloads()) {
      const delivered = await rig.slack.dispatch({ kind, payload } as never);
      expect(delivered.type, what).toBe(kind === 'interaction' ? 'failed' : 'acknowledged');
      if (kind === 'command') expect(JSON.stringify(delivered)).toContain('Nothing was done');
    }
    expect(rig.asked).toEqual([]);
  });
});

describe.each(installations)('somebody of another company, in a channel shared with %s', (_, options) => {
  it('never approves, also where the policy names them and the request states our workspace', async () => {
    const people = [{ name: 'dana' }, { name: 'eve', isStranger: true }];
    rig = await startRig({ ...options, people, userGroups: [] });
    const policy = Policy.parse({
      grants: [{ users: ['U0EVE', 'U0DANA'], namespaces: ['*'], actions: '*' }],
    });
    const mayApprove = createMayApprove({ people: rig.people, policy: () => policy });
    const sights = createSights({
      ...{ people: rig.people, policy: () => policy },
      audiences: { audienceOf: async () => ({ audience: 'shared' }) },
    });
    const subject = buildIncident();

    expect(await mayApprove(subject, 'U0DANA', 'undo')).toMatchObject({ type: 'allowed' });
    expect(await mayApprove(subject, 'U0EVE', 'undo')).toMatchObject({ because: { key: 'not-a-member' } });
    expect(isBlind(await sights.ofPerson('U0EVE'))).toBe(true);
  });
});
