import { describe, expect, it } from 'vitest';
import {
  type AccessRequest,
  type AccessRule,
  everything,
  isAllowed,
} from '../../../../../demo/cluster/api/access.js';
import { createFaults } from '../../../../../demo/cluster/api/faults.js';
import { parseResourcePath } from '../../../../../demo/cluster/api/request-info.js';

const patch: AccessRequest = {
  verb: 'patch',
  group: 'apps',
  resource: 'deployments',
  subresource: '',
  namespace: 'ml',
  name: 'inference',
};
const rule: AccessRule = { verbs: ['patch'], apiGroups: ['apps'], resources: ['deployments'] };

describe('access rules', () => {
  it.each<readonly [string, AccessRule | undefined, Partial<AccessRequest>, boolean]>([
    ['the rule for everything allows it', everything, {}, true],
    ['a matching rule allows it', rule, {}, true],
    ['no rules allow no request', undefined, {}, false],
    ['another verb is not allowed', rule, { verb: 'delete' }, false],
    ['another group is not allowed', rule, { group: '' }, false],
    ['a subresource is not allowed by its resource', rule, { subresource: 'scale' }, false],
    [
      'a subresource is allowed by name',
      { ...rule, resources: ['deployments/scale'] },
      { subresource: 'scale' },
      true,
    ],
    [
      'a subresource of anything is allowed',
      { ...rule, resources: ['*/scale'] },
      { subresource: 'scale' },
      true,
    ],
    ['its own namespace is allowed', { ...rule, namespaces: ['ml'] }, {}, true],
    ['another namespace is not allowed', { ...rule, namespaces: ['shop'] }, {}, false],
    [
      'the whole cluster is not allowed by a namespace',
      { ...rule, namespaces: ['ml'] },
      { namespace: '' },
      false,
    ],
    ['another name is not allowed', { ...rule, resourceNames: ['web'] }, {}, false],
  ])('%s', (_sentence, allowed, change, outcome) => {
    expect(isAllowed(allowed === undefined ? [] : [allowed], { ...patch, ...change })).toBe(outcome);
  });
});

describe('paths', () => {
  it.each([
    ['/api/v1/namespaces/ml/pods/p/log', 'pods ml p log'],
    ['/api/v1/namespaces/ml/pods', 'pods ml  '],
    ['/api/v1/pods', 'pods   '],
    ['/api/v1/nodes/n', 'nodes  n '],
    ['/api/v1/namespaces/ml', 'namespaces  ml '],
    ['/api/v1/namespaces/ml/status', 'namespaces  ml status'],
    ['/apis/apps/v1/namespaces/ml/deployments/d%2Fx/scale', 'deployments ml d/x scale'],
    ['/apis/apps/v1/namespaces/ml/foos', 'unknown'],
    ['/apis/apps/v1/namespaces/ml/deployments/d/log', 'unknown'],
    ['/api/v1/namespaces/ml/nodes/n', 'unknown'],
    ['/apis/apps/v1/deployments/d', 'unknown'],
    ['/apis/apps/v1', 'none'],
    ['/version', 'none'],
  ])('%s', (path, wanted) => {
    const parsed = parseResourcePath(path);
    const rules =
      parsed === undefined || parsed === 'unknown'
        ? (parsed ?? 'none')
        : `${parsed.type.plural} ${parsed.namespace} ${parsed.name} ${parsed.subresource}`;
    expect(rules).toBe(wanted);
  });
});

describe('injected faults', () => {
  const request = {
    verb: 'patch',
    resource: 'deployments',
    namespace: 'ml',
    name: 'x',
    user: 'u',
    dryRun: false,
  };

  it('affect matching requests as often as configured', () => {
    const faults = createFaults();
    faults.add({ match: { verbs: ['patch'], namespace: 'ml' }, effect: { type: 'hang' }, times: 2 });
    const strikes = [
      faults.strike({ ...request, verb: 'get' }, ['hang']),
      faults.strike(request, ['reset']),
      faults.strike(request, ['hang']),
      faults.strike(request, ['hang']),
      faults.strike(request, ['hang']),
    ];
    expect(strikes.map(({ length }) => length)).toEqual([0, 0, 1, 1, 0]);
  });

  it('stop when they are removed', () => {
    const faults = createFaults();
    const remove = faults.add({ effect: { type: 'reset' } });
    remove();
    expect(faults.strike(request, ['reset'])).toEqual([]);
  });
});
