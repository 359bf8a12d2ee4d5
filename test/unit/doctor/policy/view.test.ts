import { describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import {
  type Audience,
  isBlind,
  isClusterVisible,
  isUnlimited,
  mayView,
  namesGroups,
  type PersonKind,
  sightOfChannel,
  sightOfPerson,
  type Viewer,
} from '#src/doctor/policy/view.js';

const viewer = (kind: PersonKind, groups: readonly string[] = []): Viewer => ({ ids: ['U1'], kind, groups });
const policyOf = (sections: object): Policy => Policy.parse({ grants: [], ...sections });
const place = { cluster: 'prod', namespace: 'ml' };
const both = { workload: true, logs: true };
const workloadOnly = { workload: true, logs: false };
const neither = { workload: false, logs: false };
const ml = { namespaces: ['ml', 'ml-*'] };

describe('under a policy without view rules, the details are shown to', () => {
  it.each<[PersonKind, Audience, object]>([
    ['member', 'own-workspace', both],
    ['member', 'shared', neither],
    ['member', 'unknown', neither],
    ...(['guest', 'stranger', 'bot', 'deleted'] as const).flatMap((kind) =>
      (['own-workspace', 'shared', 'unknown'] as const).map((audience): [PersonKind, Audience, object] => [
        kind,
        audience,
        neither,
      ]),
    ),
  ])('a %s in a channel that is %s', (kind, audience, sees) => {
    expect(mayView(policyOf({}), { viewer: viewer(kind), channel: 'C1', audience, ...place })).toEqual(sees);
  });
});

describe('an entry for the channel allows', () => {
  it.each<[string, object[], Audience, object]>([
    ['the reader what its entry allows', [{ channels: ['C1'], ...ml, logs: true }], 'own-workspace', both],
    [
      'no log lines unless its entry allows them',
      [{ channels: ['C1'], ...ml }],
      'own-workspace',
      workloadOnly,
    ],
    ['nothing beyond its entry', [{ channels: ['C1'], namespaces: ['shop'] }], 'own-workspace', neither],
    [
      'nothing of another cluster',
      [{ channels: ['C1'], clusters: ['dev'], ...ml }],
      'own-workspace',
      neither,
    ],
    ['nothing by its entry while it is shared', [{ channels: ['C1'], ...ml }], 'shared', neither],
    [
      'nothing by its entry while Slack does not know whether it is shared',
      [{ channels: ['C1'], ...ml }],
      'unknown',
      neither,
    ],
    ['its entry for shared channels', [{ channels: ['C1'], ...ml, shared: true }], 'shared', workloadOnly],
    [
      'its entry for shared channels, unknown',
      [{ channels: ['C1'], ...ml, shared: true }],
      'unknown',
      workloadOnly,
    ],
    [
      'nothing by the entry of another channel',
      [{ channels: ['C2'], ...ml, shared: true }],
      'shared',
      neither,
    ],
    ['the default beside an entry of another channel', [{ channels: ['C2'], ...ml }], 'own-workspace', both],
    [
      'what one of its entries allows',
      [
        { channels: ['C1'], namespaces: ['shop'] },
        { channels: ['C1', 'C2'], ...ml, logs: true },
      ],
      'own-workspace',
      both,
    ],
    [
      'only those of its entries that hold while it is shared',
      [
        { channels: ['C1'], namespaces: ['shop'], shared: true },
        { channels: ['C1'], ...ml },
      ],
      'shared',
      neither,
    ],
  ])('%s', (_, channels, audience, sees) => {
    const policy = policyOf({ channels });
    expect(mayView(policy, { viewer: viewer('member'), channel: 'C1', audience, ...place })).toEqual(sees);
  });
});

describe('view rules allow, whatever the channel,', () => {
  it.each<[string, object[], Viewer, object]>([
    ['nothing by an empty list', [], viewer('member'), neither],
    ['a person who is named', [{ users: ['U1'], ...ml }], viewer('member'), workloadOnly],
    ['log lines by a rule that allows them', [{ users: ['U1'], ...ml, logs: true }], viewer('member'), both],
    ['no other person', [{ users: ['U2'], ...ml }], viewer('member'), neither],
    ['a guest who is named', [{ users: ['U1'], ...ml }], viewer('guest'), workloadOnly],
    ['a stranger who is named', [{ users: ['U1'], ...ml }], viewer('stranger'), workloadOnly],
    ['no bot, though named', [{ users: ['U1'], ...ml }], viewer('bot'), neither],
    ['no deleted person, though named', [{ users: ['U1'], ...ml }], viewer('deleted'), neither],
    [
      'a member of a named group',
      [{ groups: ['oncall'], ...ml }],
      viewer('member', ['oncall']),
      workloadOnly,
    ],
    ['a group by its id', [{ groups: ['S012'], ...ml }], viewer('member', ['S012']), workloadOnly],
    ['no guest by a group', [{ groups: ['oncall'], ...ml }], viewer('guest', ['oncall']), neither],
    ['no stranger by a group', [{ groups: ['oncall'], ...ml }], viewer('stranger', ['oncall']), neither],
    ['every member by everyone', [{ everyone: 'members', ...ml }], viewer('member'), workloadOnly],
    ['no guest by everyone', [{ everyone: 'members', ...ml }], viewer('guest'), neither],
    ['no other namespace', [{ users: ['U1'], namespaces: ['ml-*'] }], viewer('member'), neither],
    ['no other cluster', [{ users: ['U1'], clusters: ['dev'], ...ml }], viewer('member'), neither],
    [
      'nothing by two rules that match one half each',
      [
        { users: ['U1'], clusters: ['dev'], namespaces: ['ml'] },
        { users: ['U1'], clusters: ['prod'], namespaces: ['shop'] },
      ],
      viewer('member'),
      neither,
    ],
    [
      'no log lines by the rule of another namespace',
      [
        { users: ['U1'], namespaces: ['ml'] },
        { users: ['U1'], namespaces: ['shop'], logs: true },
      ],
      viewer('member'),
      workloadOnly,
    ],
  ])('%s', (_, view, who, sees) => {
    const channels = [{ channels: ['C1'], namespaces: ['*'], logs: true, shared: true }];
    const policy = policyOf({ view, channels });
    expect(mayView(policy, { viewer: who, channel: 'C1', audience: 'shared', ...place })).toEqual(sees);
  });
});

describe('a channel that the policy does not list', () => {
  it('shows what every member may read', () => {
    const view = [
      { users: ['U1'], namespaces: ['*'] },
      { everyone: 'members', namespaces: ['web'] },
    ];
    const readers = { viewer: viewer('member'), channel: 'C9', audience: 'own-workspace' } as const;
    expect(mayView(policyOf({ view }), { ...readers, ...place })).toEqual(neither);
    expect(mayView(policyOf({ view }), { ...readers, cluster: 'prod', namespace: 'web' })).toEqual(
      workloadOnly,
    );
  });
});

describe('the view permissions of a reader', () => {
  it('are empty, limited or unlimited', () => {
    const limited = sightOfChannel(
      policyOf({ channels: [{ channels: ['C1'], ...ml }] }),
      'C1',
      'own-workspace',
    );
    const open = sightOfPerson(policyOf({}), viewer('member'));
    const blind = sightOfPerson(policyOf({}), viewer('guest'));
    expect([limited, open, blind].map(isBlind)).toEqual([false, false, true]);
    expect([limited, open, blind].map(isUnlimited)).toEqual([false, true, false]);
  });

  it('include clusters by name', () => {
    const sight = sightOfPerson(
      policyOf({ view: [{ users: ['U1'], clusters: ['prod-*'], ...ml }] }),
      viewer('member'),
    );
    expect(isClusterVisible(sight, 'prod-eu')).toBe(true);
    expect(isClusterVisible(sight, 'dev')).toBe(false);
  });

  it('is shown only where each of several sights allows it', () => {
    const rule = (clusters: readonly string[]) => ({ clusters, namespaces: ['*'], logs: false });
    const sight = { allOf: [[rule(['*'])], [rule(['prod'])]] };
    expect(isClusterVisible(sight, 'prod')).toBe(true);
    expect(isClusterVisible(sight, 'dev')).toBe(false);
  });
});

describe('the groups of a person can change what the person sees', () => {
  const view = (...rules: object[]) => policyOf({ view: rules });

  it.each<[string, Policy, boolean]>([
    ['where a rule names a group', view({ ...ml, users: ['U1'] }, { ...ml, groups: ['oncall'] }), true],
    ['not where rules name people alone', view({ ...ml, users: ['U1'] }), false],
    ['not without rules', policyOf({}), false],
  ])('%s', (_, policy, answer) => {
    expect(namesGroups(policy)).toBe(answer);
  });
});

describe('the sections view and channels of a policy', () => {
  it.each<[string, object]>([
    ['a rule without people', { view: [{ namespaces: ['*'] }] }],
    ['an unknown word for everyone', { view: [{ everyone: 'guests', namespaces: ['*'] }] }],
    ['a rule without namespaces', { view: [{ users: ['U1'] }] }],
    ['an unknown field', { view: [{ users: ['U1'], namespaces: ['*'], log: true }] }],
    ['a mention in place of a user id', { view: [{ users: ['<@U1>'], namespaces: ['*'] }] }],
    ['a user id behind other letters', { view: [{ users: ['xU1'], namespaces: ['*'] }] }],
    ['a user id with a suffix', { view: [{ users: ['U1|dana'], namespaces: ['*'] }] }],
    ['a group with @', { view: [{ groups: ['@oncall'], namespaces: ['*'] }] }],
    ['a group with a space', { view: [{ groups: ['on call'], namespaces: ['*'] }] }],
    ['a group with a space at its end', { view: [{ groups: ['oncall '], namespaces: ['*'] }] }],
    ['a channel by name', { channels: [{ channels: ['#ops'], namespaces: ['*'] }] }],
    ['a direct conversation', { channels: [{ channels: ['D012'], namespaces: ['*'] }] }],
    ['no channel', { channels: [{ channels: [], namespaces: ['*'] }] }],
  ])('refuse %s', (_, sections) => {
    expect(Policy.safeParse({ grants: [], ...sections }).success).toBe(false);
  });
});
