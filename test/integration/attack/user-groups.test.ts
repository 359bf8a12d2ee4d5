import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { createSlackClients } from '#src/edges/slack/clients.js';
import { createSlackPeopleDirectory } from '#src/edges/slack/slack-people-directory.js';
import { reportGroups } from '#src/edges/slack/user-groups.js';
import { createMayApprove } from '#src/service/approve/may-approve.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { installationOf } from '../../support/slack-installation.js';
import { manifest } from '../../support/slack-rig.js';

let slack: LocalSlack;
let client: ReturnType<typeof createSlackClients>['lookup'];

beforeEach(async () => {
  slack = await createLocalSlack({
    manifest,
    page: false,
    people: [{ name: 'dana' }, { name: 'min-jun' }, { name: 'robin' }, { name: 'guest', isGuest: true }],
  });
  slack.setUserGroup('ml-oncall', ['dana', 'guest']);
  const log = pino({ level: 'silent' });
  client = createSlackClients({ token: () => slack.botToken, slackApiUrl: slack.apiUrl, log }).lookup;
});
afterEach(() => slack.close());

const subject = {
  workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' },
} as const;

function asks(...grants: readonly { readonly users?: string[]; readonly groups?: string[] }[]) {
  const people = createSlackPeopleDirectory({
    ...installationOf(client, { now: () => new Date() }),
    defaultLanguage: 'en',
  });
  const policy = Policy.parse({
    grants: grants.map((grant) => ({ ...grant, namespaces: ['ml'], actions: '*' })),
  });
  const mayApprove = createMayApprove({ people, policy: () => policy });
  return async (by: string) => {
    const answer = await mayApprove(subject, by, 'delete-pod');
    return answer.type === 'allowed' ? 'allowed' : answer.because.key;
  };
}

const users = ['U0MINJUN'];

describe('when Slack does not list user groups', () => {
  it.each(['paid_teams_only', 'plan_upgrade_required', 'missing_scope', 'unknown_method', 'access_denied'])(
    '(%s) people named by id may approve, and groups grant nothing',
    async (error) => {
      slack.faults.fail({ method: 'usergroups.list', error });
      const mixed = asks({ users, groups: ['ml-oncall', 'S0MLONCALL'] });

      expect(await mixed('U0MINJUN')).toBe('allowed');
      expect(await mixed('U0DANA')).toBe('groups-unknown');
      expect(await mixed('U0MINJUN')).toBe('allowed');
    },
  );

  it('(method not served) people named by id may approve, and groups grant nothing', async () => {
    slack.faults.serverError({ method: 'usergroups.list', status: 404 });
    const mixed = asks({ users }, { groups: ['ml-oncall'] });

    expect(await mixed('U0MINJUN')).toBe('allowed');
    expect(await mixed('U0DANA')).toBe('groups-unknown');
  });

  it('a policy that names only people does not request user groups', async () => {
    slack.faults.fail({ method: 'usergroups.list', error: 'paid_teams_only' });
    const named = asks({ users });

    expect(await named('U0MINJUN')).toBe('allowed');
    expect(await named('U0DANA')).toBe('not-authorised');
    expect(slack.calls('usergroups.list')).toHaveLength(0);
  });

  it('(server error) people named by id may approve, and approvals by groups fail', async () => {
    slack.faults.serverError({ method: 'usergroups.list' });
    const mixed = asks({ users, groups: ['ml-oncall'] });

    expect(await mixed('U0MINJUN')).toBe('allowed');
    await expect(mixed('U0DANA')).rejects.toMatchObject({ code: 'slack-unavailable' });
  });

  it.each(['missing_scope', 'fatal_error'])(
    'a person whom Slack does not return may not approve (%s)',
    async (error) => {
      slack.faults.fail({ method: 'users.info', error });
      await expect(asks({ users })('U0MINJUN')).rejects.toMatchObject({ code: 'slack-unavailable' });
    },
  );
});

describe('a user group of the policy', () => {
  it.each(['S0MLONCALL', 'ml-oncall'])(
    'grants by id and by handle (%s), and never to guests',
    async (group) => {
      const may = asks({ groups: [group] });
      expect(await may('U0DANA')).toBe('allowed');
      expect(await may('U0MINJUN')).toBe('not-authorised');
      expect(await may('U0GUEST')).toBe('not-a-member');
    },
  );

  it('is reported as unknown when Slack does not have it', async () => {
    expect(await reportGroups(client, ['S0MLONCALL', 'ml-oncall', 'web-oncall', 'S0NONE'])).toEqual({
      unknown: undefined,
      problems: [
        { group: 'web-oncall', problem: 'unknown' },
        { group: 'S0NONE', problem: 'unknown' },
      ],
    });
  });
});
