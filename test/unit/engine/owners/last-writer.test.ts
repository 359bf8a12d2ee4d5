import { describe, expect, it } from 'vitest';
import { isStillOurs, lastWriterOf } from '#src/engine/owners/declaration.js';
import {
  deployment,
  entry,
  type ObjectOptions,
  tracked,
  typeOnly,
  wholeStrategy,
  withoutStrategy,
} from './builders.js';

const since = '2026-11-20T09:30:00Z';
const paths = ['spec.strategy.rollingUpdate.maxSurge', 'spec.strategy.rollingUpdate.maxUnavailable'];

function written(
  manager: string,
  time: string | undefined,
  fields: object = wholeStrategy,
  more: object = {},
) {
  return { ...entry(manager, 'Apply', fields), ...(time === undefined ? {} : { time }), ...more };
}
const lastOf = (managedFields: readonly object[], options: ObjectOptions = {}) =>
  lastWriterOf(deployment({ ...options, managedFields }), paths, since);

describe('the last writer of changed fields', () => {
  const later = '2026-11-20T09:31:00Z';
  it.each<[string, readonly object[], string | undefined]>([
    ['is nobody where nobody owns them', [], undefined],
    ['is the one who wrote them since', [written('argocd-controller', later)], 'argocd-controller'],
    ['is the later one of two', [written('a', later), written('b', '2026-11-20T09:32:00Z')], 'b'],
    ['is one with a time rather than one without', [written('a', undefined), written('b', later)], 'b'],
    ['is one without a time where there is no other', [written('a', undefined)], 'a'],
    ['is not the program itself', [written('rollout-doctor', later)], undefined],
    [
      'is not an entry into which the API server merged others',
      [written('ancient-changes', later)],
      undefined,
    ],
    ['is not one of a status', [written('a', later, wholeStrategy, { subresource: 'status' })], undefined],
    ['is not one who wrote other fields', [written('a', later, withoutStrategy)], undefined],
    ['is not one who wrote another field of the strategy', [written('a', later, typeOnly)], undefined],
    [
      'is one who wrote one of several fields',
      [written('a', later, { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } })],
      'a',
    ],
    ['is not one from before the change', [written('a', '2026-11-20T09:29:54Z')], undefined],
    ['is one within the difference of two clocks', [written('a', '2026-11-20T09:29:55Z')], 'a'],
  ])('%s', (_, managedFields, manager) => {
    expect(lastOf(managedFields)?.manager).toBe(manager);
  });

  it('has the time of its entry, and none where the entry has none', () => {
    expect(lastOf([written('a', later)])).toEqual({ manager: 'a', operation: 'Apply', at: later });
    expect(lastOf([written('a', undefined)])).toEqual({ manager: 'a', operation: 'Apply' });
  });

  const controller = {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    name: 'llm',
    uid: 'x',
    controller: true,
  };
  it.each<[string, string, ObjectOptions, string | undefined]>([
    ['the tool that signs so', 'argocd-controller', { annotations: tracked }, 'Argo CD'],
    ['the controller above the workload', 'manager', { ownerReferences: [controller] }, 'operator'],
    ['no controller where kubectl signs', 'kubectl-edit', { ownerReferences: [controller] }, undefined],
    ['nobody where nothing is above', 'manager', { annotations: tracked }, undefined],
  ])('is behind its manager: %s', (_, manager, options, by) => {
    expect(lastOf([written(manager, later)], options)?.owner?.by).toBe(by);
  });
});

describe('fields that the program owns', () => {
  it.each<[string, readonly object[], boolean]>([
    ['are still its own', [written('rollout-doctor', since)], true],
    [
      'are no more where its entry has other fields',
      [written('rollout-doctor', since, withoutStrategy)],
      false,
    ],
    ['are no more where another client owns them', [written('kubectl-edit', since)], false],
    ['are no more without entries', [], false],
  ])('%s', (_, managedFields, isOurs) => {
    expect(isStillOurs(deployment({ managedFields }), paths[0] ?? '')).toBe(isOurs);
  });
});
