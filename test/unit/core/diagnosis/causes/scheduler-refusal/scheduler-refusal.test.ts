import { describe, expect, it } from 'vitest';
import { schedulerRefusal } from '#src/core/diagnosis/causes/scheduler-refusal/rule.js';
import { text } from '#src/core/diagnosis/causes/scheduler-refusal/text.js';
import { unsatisfiablePlacement } from '#src/core/diagnosis/causes/unsatisfiable-placement/rule.js';
import { node } from '#support/placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Refused {
  readonly message: string;
  readonly reason?: string;
  readonly seconds?: number;
  readonly spec?: object;
  readonly on?: string;
}

function refused({ message, reason = 'Unschedulable', seconds = 300, spec = {}, on }: Refused) {
  const second = buildReplicaSet({ revision: 2, replicas: 1 });
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastTransitionTime: ago(seconds),
  };
  const pod = buildPod({
    name: 'new-0',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: on,
    spec: { containers: [{ name: 'app', image: 'web:2' }], ...spec },
    status: { conditions: [condition] },
  });
  return snapshotOf(buildDeployment(), {
    ReplicaSet: [second],
    Pod: [pod],
    Node: [node('n-a'), node('n-b')],
  });
}

const sentence = (reason: string) => `0/2 nodes are available: 2 ${reason}.`;
const words = 'node(s) rejected by FairShare';

describe('a refusal with the message of a plugin', () => {
  it.each<[string, Refused, string]>([
    ['of kube-scheduler', { message: sentence(words) }, words],
    ['of another scheduler', { message: sentence(words), spec: { schedulerName: 'fair' } }, words],
    [
      'that is no sentence of kube-scheduler',
      { message: 'queue research has no share left' },
      'no share left',
    ],
    [
      'beside a reason that is known',
      { message: `0/2 nodes are available: 1 Insufficient cpu, 1 ${words}.` },
      words,
    ],
    [
      'that is an error of the scheduler',
      { message: 'binding rejected: timeout', reason: 'SchedulerError' },
      'timeout',
    ],
  ])('is quoted: %s', (_, fields, expected) => {
    const finding = mustFind(schedulerRefusal, refused(fields));

    expect(finding).toMatchObject({ confidence: 'possible', remediations: [] });
    const { en, ko } = renderFinding(finding, text);
    expect(en.join(' ')).toContain(expected);
    expect(ko.join(' ')).toContain(expected);
    expect(ko).toHaveLength(en.length);
  });

  it('is shortened to a limit', () => {
    const finding = mustFind(schedulerRefusal, refused({ message: sentence(`x${'y'.repeat(5000)}`) }));

    expect(String(finding.reasoning[0]?.values.words).length).toBeLessThanOrEqual(301);
  });

  it.each<[string, Refused]>([
    ['it is ten seconds old', { message: sentence(words), seconds: 10 }],
    ['the words are known, and the next attempt succeeds', { message: sentence('Insufficient cpu') }],
    ['the pod has a node by now', { message: sentence(words), on: 'n-a' }],
    ['a gate holds the pod back', { message: 'blocked', reason: 'SchedulingGated' }],
    ['a known rule refuses the pod', { message: sentence(words), spec: { nodeSelector: { disk: 'ssd' } } }],
  ])('is not reported while %s', (_, fields) => {
    expect(foundBy(schedulerRefusal, refused(fields))).toBeUndefined();
  });

  it('is quoted by the finding that explains the pod, and lowers its confidence', () => {
    const both = `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 ${words}.`;
    const snapshot = refused({ message: both, spec: { nodeSelector: { disk: 'ssd' } } });
    const finding = mustFind(unsatisfiablePlacement, snapshot);

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual(['plugin-words']);
  });
});
