import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion, serverVersionIn, versionText } from '#src/engine/objects/release-rules.js';
import type { StatefulSet } from '#src/engine/objects/workload.js';
import { podRevisionName } from '#src/engine/workloads/controller-revisions.js';
import { isFixedPoint, restState } from '#src/engine/workloads/fixed-point.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import { nextStatefulSetSteps } from '#src/engine/workloads/revision-forecast.js';
import { maxUnavailableOf, ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import { buildSet, buildStateOf, type SetFields } from '../../../support/stateful-set-builders.js';

describe('the rule for maxUnavailable by version', () => {
  it.each<[string, string, readonly string[], string]>([
    ['v1.23.17', 'ignored', [], 'version'],
    ['v1.34.9', 'ignored', [], 'version'],
    ['v1.35.0', 'as-in-1.35', [], 'version'],
    ['v1.35.3', 'as-in-1.35', [], 'version'],
    ['v1.35.4', 'ignored', [], 'version'],
    ['v1.35.10', 'ignored', [], 'version'],
    ['v1.36.0', 'ignored', [], 'version'],
    ['v1.36.3', 'ignored', [], 'version'],
    ['v1.37.0', 'as-in-1.37', [], 'version'],
    ['v1.40.2', 'as-in-1.37', [], 'version'],
    ['v2.0.0', 'as-in-1.37', [], 'version'],
    ['v1.35.2-eks-3cfe0ce', 'as-in-1.35', ['ignored'], 'distribution'],
    ['v1.35.4-gke.1287000', 'ignored', ['as-in-1.35'], 'distribution'],
    ['v1.37.1+k3s1', 'as-in-1.37', ['ignored'], 'distribution'],
    ['v1.36.3-rc.0', 'ignored', ['as-in-1.35'], 'distribution'],
    ['v1.37.0-alpha.1.12+0123456789abcd', 'as-in-1.37', ['ignored'], 'distribution'],
    ['v1.22.3-eks-1', 'ignored', [], 'version'],
  ])('%s', (text, rule, instead, restsOn) => {
    const version = parseServerVersion(text);
    expect(version && versionText(version)).toBe(text);
    expect(ruleOfVersion(version)).toEqual({ rule, instead, restsOn });
  });

  it.each(['', 'v1.35', '1.35.2', 'v1.35.2 ', 'v1.35.2_x', 'v1.35.99999', `v1.35.2-${'x'.repeat(100)}`])(
    'takes "%s" for no version, so every rule may apply',
    (text) => {
      expect(parseServerVersion(text)).toBeUndefined();
      expect(ruleOfVersion(undefined)).toEqual({
        rule: 'ignored',
        instead: ['as-in-1.35', 'as-in-1.37'],
        restsOn: 'nothing',
      });
    },
  );

  it.each<[string, unknown, string | undefined]>([
    ['kubectl get --raw /version', { major: '1', minor: '35', gitVersion: 'v1.35.2' }, 'v1.35.2'],
    [
      'kubectl version -o json',
      { clientVersion: { gitVersion: 'v1.37.0' }, serverVersion: { gitVersion: 'v1.35.2-eks-1' } },
      'v1.35.2-eks-1',
    ],
    ['kubectl version --client -o json', { clientVersion: { gitVersion: 'v1.37.0' } }, undefined],
    ['anything else', { gitVersion: 135 }, undefined],
    ['no object', 'v1.35.2', undefined],
  ])('reads the server and not the client from %s', (_name, document, text) => {
    const version = serverVersionIn(document);
    expect(version && versionText(version)).toBe(text);
  });
});

describe('the rule for the maxUnavailable of a StatefulSet', () => {
  const ruleFor = (fields: SetFields, version: string, others: readonly StatefulSet[] = []) => {
    const set = buildSet(fields);
    const objects = clusterObjects({ StatefulSet: [set, ...others] });
    return maxUnavailableOf(indexObjects(objects, undefined, parseServerVersion(version)), set);
  };
  const others = (fields: SetFields): StatefulSet => {
    const set = buildSet(fields);
    return { ...set, metadata: { ...set.metadata, name: 'other', uid: 'other-uid' } };
  };

  it.each<[string, SetFields, string, readonly StatefulSet[], object]>([
    [
      'all rules are equal in order, one at a time',
      { rollingUpdate: null },
      '',
      [],
      { restsOn: 'equal-rules', instead: [] },
    ],
    [
      'all rules are equal in order with 1',
      { maxUnavailable: 1 },
      'v1.37.1',
      [],
      { restsOn: 'equal-rules', rule: 'ignored' },
    ],
    [
      'the stored object shows that the gate is off, whatever the version',
      { parallel: true, partition: 0 },
      'v1.37.1-eks-1',
      [],
      { restsOn: 'object', rule: 'ignored', instead: [] },
    ],
    [
      'a stored value where the gate is off by default: somebody may have switched it on',
      { maxUnavailable: 2 },
      'v1.36.3',
      [],
      { restsOn: 'value', rule: 'ignored', instead: ['as-in-1.35'] },
    ],
    [
      'the same before the gate was on anywhere by default',
      { maxUnavailable: 2 },
      'v1.33.1',
      [],
      { restsOn: 'value', rule: 'ignored', instead: ['as-in-1.35'] },
    ],
    ['a stored value with the gate on', { maxUnavailable: 2 }, 'v1.37.1', [], { rule: 'as-in-1.37' }],
    [
      'no rollingUpdate shows nothing',
      { parallel: true, rollingUpdate: null },
      'v1.35.1',
      [],
      { restsOn: 'version', rule: 'as-in-1.35' },
    ],
    [
      'another StatefulSet of the cluster shows it too',
      { maxUnavailable: 2 },
      'v1.37.1-gke.1',
      [others({})],
      { restsOn: 'object', rule: 'ignored', instead: [] },
    ],
    [
      'one that updates on delete shows nothing',
      { maxUnavailable: 2 },
      'v1.37.1',
      [others({ onDelete: true })],
      { rule: 'as-in-1.37' },
    ],
    [
      'no version: all rules may apply',
      { maxUnavailable: 2 },
      '',
      [],
      { restsOn: 'nothing', instead: ['as-in-1.35', 'as-in-1.37'] },
    ],
  ])('%s', (_name, fields, version, beside, expected) => {
    expect(ruleFor(fields, version, beside)).toMatchObject(expected);
  });
});

describe('a rollout whose rule is not certain', () => {
  const anywhere: PodSimulator = {
    placementOf: () => 'n-x',
    becomesReady: (pod) => podRevisionName(pod) === 'db-2',
  };
  const broken = { ready: false, age: 86_400 };
  const waiting = (restsOn: 'distribution' | 'nothing') => ({
    ...buildStateOf({ maxUnavailable: 1, parallel: true }, [[1, broken], [1], [1]]),
    maxUnavailable: { rule: 'as-in-1.35', instead: ['as-in-1.37'], restsOn } as const,
  });

  it('rests under the likely rule of a distribution', () => {
    expect(isFixedPoint(waiting('distribution'))).toBe(true);
  });

  it('is unknown where no version was read and the rules differ', () => {
    expect(restState(waiting('nothing'))).toEqual({ kind: 'unknown' });
  });

  it('is known without a version where all rules agree', () => {
    const state = {
      ...buildStateOf({ maxUnavailable: 1, parallel: true }, [[1], [1], [2, broken]]),
      maxUnavailable: { rule: 'ignored', instead: ['as-in-1.35', 'as-in-1.37'], restsOn: 'nothing' } as const,
    };
    expect(restState(state)).toEqual({ kind: 'fixed' });
  });

  it('is forecast as not complete where one of the rules does not complete it', () => {
    const state = waiting('distribution');
    const completes = {
      ...state,
      maxUnavailable: { ...state.maxUnavailable, rule: 'as-in-1.37', instead: [] },
    } as const;
    const options = { startSeconds: 5 };
    expect(nextStatefulSetSteps(completes, { kind: 'none' }, anywhere, options).ends).toBe('complete');
    expect(nextStatefulSetSteps(state, { kind: 'none' }, anywhere, options).ends).not.toBe('complete');
  });
});
