import { describe, expect, it } from 'vitest';
import { remediationKinds } from '#src/doctor/fixes/remediation.js';
import { actions, Policy } from '#src/doctor/policy/policy.js';

const grant = { users: ['U0DANA'], namespaces: ['shop'], actions: '*' };

/** Paths and words of what the policy is refused for. */
function refusals(policy: object): string[] {
  const parsed = Policy.safeParse(policy);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a policy', () => {
  it('is read with the defaults that a short one leaves out', () => {
    expect(Policy.parse({ grants: [grant], demands: [{}] })).toEqual({
      apiVersion: 'rollout-doctor/v1',
      grants: [{ users: ['U0DANA'], groups: [], clusters: ['*'], namespaces: ['shop'], actions: '*' }],
      demands: [
        {
          clusters: ['*'],
          namespaces: ['*'],
          approvers: 1,
          notRequester: false,
          typeName: false,
          login: false,
        },
      ],
      brakes: { freezes: [], limits: [], cancelSeconds: 5 },
    });
    expect(Policy.parse({ grants: [] }).demands).toEqual([]);
  });

  it('can grant each remediation, undo, pull requests, silencing and the stop switch', () => {
    expect(actions).toEqual([...remediationKinds, 'undo', 'open-pull-request', 'silence', 'stop-changes']);
    expect(refusals({ grants: [{ ...grant, actions: [...actions] }] })).toEqual([]);
  });

  it.each<[string, object]>([
    ['a group', { groups: ['on-call'], users: [] }],
    ['a user of an enterprise grid', { users: ['W012ABCDEF'] }],
    ['several people and groups', { users: ['U0DANA', 'U0ERIN'], groups: ['oncall'] }],
  ])('accepts %s', (_, fields) => {
    expect(refusals({ grants: [{ ...grant, ...fields }] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no grants', {}, 'grants'],
    ['another version', { apiVersion: 'rollout-doctor/v2', grants: [] }, 'apiVersion'],
    ['an unknown field', { grants: [], demand: [] }, 'demand'],
    ['a grant without a grantee', { grants: [{ ...grant, users: [] }] }, 'names neither users nor groups'],
    ['a misspelt field of a grant', { grants: [{ ...grant, cluster: ['prod'] }] }, 'grants.0'],
    ['a misspelt field of a demand', { grants: [], demands: [{ approver: 2 }] }, 'demands.0'],
    ['a name in place of a user id', { grants: [{ ...grant, users: ['dana'] }] }, 'a Slack user id such as'],
    ['a user id in small letters', { grants: [{ ...grant, users: ['u0dana'] }] }, 'grants.0.users.0'],
    ['a mention in place of a user id', { grants: [{ ...grant, users: ['<@U0DANA>'] }] }, 'grants.0.users.0'],
    ['a user id with a suffix', { grants: [{ ...grant, users: ['U0DANA|dana'] }] }, 'grants.0.users.0'],
    ['a user id of one letter', { grants: [{ ...grant, users: ['U'] }] }, 'grants.0.users.0'],
    ['a group with @', { grants: [{ ...grant, groups: ['@oncall'] }] }, 'a handle without @'],
    ['a group with @ inside', { grants: [{ ...grant, groups: ['on@call'] }] }, 'grants.0.groups.0'],
    ['a group with a space', { grants: [{ ...grant, groups: ['on call'] }] }, 'grants.0.groups.0'],
    ['an empty group', { grants: [{ ...grant, groups: [''] }] }, 'grants.0.groups.0'],
    ['no namespaces', { grants: [{ users: ['U0DANA'], actions: '*' }] }, 'grants.0.namespaces'],
    ['an empty list of namespaces', { grants: [{ ...grant, namespaces: [] }] }, 'grants.0.namespaces'],
    ['an empty namespace', { grants: [{ ...grant, namespaces: [''] }] }, 'grants.0.namespaces.0'],
    ['an empty list of clusters', { grants: [{ ...grant, clusters: [] }] }, 'grants.0.clusters'],
    ['an empty list of actions', { grants: [{ ...grant, actions: [] }] }, 'grants.0.actions'],
    ['an unknown action', { grants: [{ ...grant, actions: ['delete-cluster'] }] }, 'grants.0.actions'],
    ['an empty requirement', { grants: [], demands: [{ approvers: 0 }] }, 'demands.0.approvers'],
    ['a demand for six people', { grants: [], demands: [{ approvers: 6 }] }, 'demands.0.approvers'],
    ['a demand for half a person', { grants: [], demands: [{ approvers: 1.5 }] }, 'demands.0.approvers'],
    ['a demand on no namespace', { grants: [], demands: [{ namespaces: [] }] }, 'demands.0.namespaces'],
  ])('is refused with %s', (_, policy, words) => {
    expect(refusals(policy).join('\n')).toContain(words);
  });

  it('accepts one to five approvers', () => {
    expect(refusals({ grants: [], demands: [{ approvers: 1 }, { approvers: 5 }] })).toEqual([]);
  });

  const namespaces = ['shop'];
  it.each<[string, object]>([
    ['people', { view: [{ users: ['U0DANA'], namespaces }] }],
    ['groups', { view: [{ groups: ['on-call'], namespaces }] }],
    ['everyone', { view: [{ everyone: 'members', namespaces }] }],
    ['a channel', { channels: [{ channels: ['C0123456789', 'G0123456789'], namespaces }] }],
  ])('can say what %s may see', (_, fields) => {
    expect(refusals({ grants: [], ...fields })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a view of nobody', { view: [{ namespaces }] }, 'names neither users nor groups nor everyone'],
    ['a view of guests', { view: [{ everyone: 'guests', namespaces }] }, 'view.0.everyone'],
    ['a view of no namespace', { view: [{ users: ['U0DANA'] }] }, 'view.0.namespaces'],
    ['a view by a name', { view: [{ users: ['dana'], namespaces }] }, 'view.0.users.0'],
    ['a view by a group with @', { view: [{ groups: ['@oncall'], namespaces }] }, 'view.0.groups.0'],
    ['a list without channels', { channels: [{ channels: [], namespaces }] }, 'channels.0.channels'],
    ['a channel by its name', { channels: [{ channels: ['#ops'], namespaces }] }, 'channels.0.channels.0'],
    ['a direct message', { channels: [{ channels: ['D0123456789'], namespaces }] }, 'channels.0.channels.0'],
  ])('is refused with %s', (_, fields, words) => {
    expect(refusals({ grants: [], ...fields }).join('\n')).toContain(words);
  });
});
