import { describe, expect, it } from 'vitest';
import { isUpdatedDaemonPod, statefulSetRevisions } from '#src/engine/workloads/controller-revisions.js';
import { buildPod } from '../../../support/rollout-builders.js';
import { buildStateOf } from '../../../support/stateful-set-builders.js';
import { buildDaemonSet } from './daemon-set-builders.js';

const generation = 'deprecated.daemonset.template.generation';

describe('a daemon pod belongs to the current template', () => {
  const pod = (labels: Record<string, string>) => buildPod({ name: 'agent-x', labels });

  it.each<readonly [string, Record<string, string>, Record<string, string>, string | undefined, boolean]>([
    ['by its hash', { 'controller-revision-hash': 'h2' }, {}, 'h2', true],
    ['not by another hash', { 'controller-revision-hash': 'h1' }, {}, 'h2', false],
    [
      'not by a hash that the controller has not assigned yet',
      { 'controller-revision-hash': 'h1' },
      {},
      undefined,
      false,
    ],
    ['by the number of its template', { 'pod-template-generation': '3' }, { [generation]: '3' }, 'h2', true],
    [
      'by that number, however it is formatted',
      { 'pod-template-generation': '3' },
      { [generation]: '+03' },
      undefined,
      true,
    ],
    ['not by another number', { 'pod-template-generation': '2' }, { [generation]: '3' }, 'h2', false],
    [
      'not by a text that is not a number',
      { 'pod-template-generation': 'x' },
      { [generation]: 'x' },
      'h2',
      false,
    ],
    ['not by a number that the set does not have', { 'pod-template-generation': '3' }, {}, 'h2', false],
    ['not without any mark', {}, { [generation]: '3' }, 'h2', false],
  ])('%s', (_, labels, annotations, hash, expected) => {
    expect(isUpdatedDaemonPod(pod(labels), buildDaemonSet({ annotations }), hash)).toBe(expected);
  });
});

describe('the previous and the new revision of a StatefulSet', () => {
  const revisions = (status: object, stored: boolean) => {
    const state = buildStateOf({ status }, []);
    return statefulSetRevisions(stored ? state : { ...state, controllerRevisions: [] });
  };

  it.each<readonly [string, object, boolean, object | undefined]>([
    ['are those of its template and its status', {}, true, { current: 'db-1', update: 'db-2' }],
    [
      'are one, where the previous one is no longer stored',
      { currentRevision: 'db-0' },
      true,
      { current: 'db-2', update: 'db-2' },
    ],
    [
      'are one, where no previous one is named',
      { currentRevision: '' },
      true,
      { current: 'db-2', update: 'db-2' },
    ],
    ['are those of the status, where none was read', {}, false, { current: 'db-1', update: 'db-2' }],
    ['are unknown, where the status belongs to an older spec', { observedGeneration: 1 }, false, undefined],
    ['are unknown, where the new one is not named', { updateRevision: '' }, false, undefined],
  ])('%s', (_, status, stored, expected) => {
    expect(revisions(status, stored)).toEqual(expected);
  });
});
