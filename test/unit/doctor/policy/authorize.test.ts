import { describe, expect, it } from 'vitest';
import { type Actor, type Attempt, authorize, demandsOn, Policy } from '#src/doctor/policy/policy.js';

const dana: Actor = { ids: ['U0DANA'], groups: ['oncall'], isMember: true };

function attempt(fields: Partial<Attempt>): Attempt {
  return { actor: dana, action: 'patch-strategy', cluster: 'prod', namespace: 'shop', ...fields };
}

const everything = { namespaces: ['*'], actions: '*' };
const policyOf = (...grants: object[]): Policy => Policy.parse({ grants });
const demanding = (...demands: object[]): Policy => Policy.parse({ grants: [], demands });

describe('the right to approve', () => {
  it.each<[string, object[], Partial<Attempt>, boolean]>([
    ['to nobody under a policy without grants', [], {}, false],
    ['to a person who is named', [{ users: ['U0DANA'], ...everything }], {}, true],
    ['only to the person who is named', [{ users: ['U0ERIN'], ...everything }], {}, false],
    ['a member of a group that is named', [{ groups: ['oncall'], ...everything }], {}, true],
    ['to no member of another group', [{ groups: ['sre'], ...everything }], {}, false],
    [
      'to a member of one of several groups',
      [{ groups: ['sre', 'oncall'], ...everything }],
      { actor: { ...dana, groups: ['dev', 'oncall'] } },
      true,
    ],
    [
      'no bot, guest or stranger, though named',
      [{ users: ['U0DANA'], groups: ['oncall'], ...everything }],
      { actor: { ...dana, isMember: false } },
      false,
    ],
    [
      'an action that is granted',
      [{ users: ['U0DANA'], namespaces: ['shop'], actions: ['undo', 'patch-strategy'] }],
      {},
      true,
    ],
    [
      'no action that is not granted',
      [{ users: ['U0DANA'], namespaces: ['shop'], actions: ['undo'] }],
      {},
      false,
    ],
    [
      'no other cluster than the one granted',
      [{ users: ['U0DANA'], clusters: ['staging'], namespaces: ['*'], actions: '*' }],
      {},
      false,
    ],
    [
      'any of the clusters granted',
      [{ users: ['U0DANA'], clusters: ['staging', 'prod'], namespaces: ['*'], actions: '*' }],
      {},
      true,
    ],
    [
      'no other namespace than the one granted',
      [{ users: ['U0DANA'], namespaces: ['ml'], actions: '*' }],
      {},
      false,
    ],
    [
      'nothing by two grants that match one half each',
      [
        { users: ['U0DANA'], namespaces: ['ml'], actions: '*' },
        { users: ['U0ERIN'], namespaces: ['shop'], actions: '*' },
      ],
      {},
      false,
    ],
    [
      'whatever one of several grants allows',
      [
        { users: ['U0ERIN'], namespaces: ['shop'], actions: '*' },
        { users: ['U0DANA'], namespaces: ['shop'], actions: '*' },
      ],
      {},
      true,
    ],
  ])('is granted: %s', (_, grants, fields, allowed) => {
    expect(authorize(policyOf(...grants), attempt(fields)).allowed).toBe(allowed);
  });

  it('is refused with the list of approvers for this cluster, namespace and action, each once', () => {
    const policy = policyOf(
      { users: ['U0ERIN', 'U0FINN'], namespaces: ['shop'], actions: '*' },
      { users: ['U0ERIN'], groups: ['sre'], namespaces: ['*'], actions: ['patch-strategy'] },
      { groups: ['sre'], namespaces: ['shop'], actions: '*' },
      { users: ['U0GUS'], namespaces: ['ml'], actions: '*' },
      { users: ['U0HAL'], namespaces: ['shop'], actions: ['undo'] },
      { users: ['U0IDA'], clusters: ['staging'], namespaces: ['shop'], actions: '*' },
    );

    expect(authorize(policy, attempt({}))).toEqual({
      allowed: false,
      users: ['U0ERIN', 'U0FINN'],
      groups: ['sre'],
    });
  });
});

describe('a policy pattern', () => {
  it.each<[string, string, boolean]>([
    ['shop', 'shop', true],
    ['shop', 'shop-eu', false],
    ['shop', 'eshop', false],
    ['*', 'shop', true],
    ['shop-*', 'shop-eu', true],
    ['shop-*', 'shop-', true],
    ['shop-*', 'shop', false],
    ['shop-*', 'eshop-eu', false],
    ['*-eu', 'shop-eu', true],
    ['*-eu', 'shop-eu-1', false],
    ['shop-*-eu', 'shop-web-eu', true],
    ['shop-*-eu', 'shop-eu', false],
    ['shop-*-eu', 'shop--eu', true],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-c-b', false],
    ['a*b*c', 'ac', false],
    ['a*bb*b', 'abb', false],
    ['a*bb*b', 'abbb', true],
    ['a*b*b*c', 'abc', false],
    ['a*b*b*c', 'abbc', true],
    ['ab*bc', 'abc', false],
    ['**', 'shop', true],
    ['sh.p', 'shop', false],
    ['sh?p', 'shop', false],
    ['[a-z]*', 'shop', false],
  ])('%s against %s: %s', (pattern, namespace, allowed) => {
    const policy = policyOf({ users: ['U0DANA'], namespaces: [pattern], actions: '*' });
    expect(authorize(policy, attempt({ namespace })).allowed).toBe(allowed);
  });
});

describe('the required approvals', () => {
  it.each<[string, object[], object]>([
    [
      'one person only, where the policy requires nothing',
      [],
      { approvers: 1, notRequester: false, typeName: false, login: false },
    ],
    ['two people', [{ approvers: 2 }], { approvers: 2, notRequester: false, typeName: false, login: false }],
    [
      'another person',
      [{ notRequester: true }],
      { approvers: 1, notRequester: true, typeName: false, login: false },
    ],
    ['the login', [{ login: true }], { approvers: 1, notRequester: false, typeName: false, login: true }],
    [
      'the typed name',
      [{ typeName: true }],
      { approvers: 1, notRequester: false, typeName: true, login: false },
    ],
    [
      'the strictest requirement of each kind',
      [{ approvers: 3 }, { approvers: 2, notRequester: true }, { typeName: true }],
      { approvers: 3, notRequester: true, typeName: true, login: false },
    ],
    [
      'not those required elsewhere',
      [
        { clusters: ['staging'], approvers: 2 },
        { namespaces: ['ml'], notRequester: true },
        { clusters: ['staging'], namespaces: ['shop'], typeName: true },
      ],
      { approvers: 1, notRequester: false, typeName: false, login: false },
    ],
    [
      'those required for this cluster and namespace',
      [{ clusters: ['pr*'], namespaces: ['sh*'], approvers: 2 }],
      { approvers: 2, notRequester: false, typeName: false, login: false },
    ],
  ])('are %s', (_, demands, expected) => {
    expect(demandsOn(demanding(...demands), 'prod', 'shop')).toEqual(expected);
  });
});
