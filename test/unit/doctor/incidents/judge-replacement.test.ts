import { describe, expect, it } from 'vitest';
import type { DeletePod } from '#src/doctor/fixes/kinds/delete-pod.js';
import type { Change, Verdict } from '#src/doctor/incidents/incident.js';
import { judge } from '#src/doctor/incidents/judge.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../support/rollout-builders.js';

const { title, effects, price, prediction } = buildPatchStrategy();

function deletion(fields: Partial<DeletePod> = {}): Change {
  return {
    approvalId: 'a1',
    cause: 'crash-loop-on-node',
    remediation: {
      kind: 'delete-pod',
      id: 'delete-pod-bad',
      title,
      effects,
      price,
      prediction,
      pod: 'bad',
      uid: 'bad-uid',
      purpose: 'experiment',
      mustStayReadySeconds: 60,
      ...fields,
    },
    undoes: false,
    approvedBy: ['U0DANA'],
    approvedAt: ago(121),
    appliedAt: ago(120),
  };
}

const owner = { name: 'web-2', uid: 'web-2-uid' };
const pod = (name: string, fields: Partial<PodFields> = {}): Pod => buildPod({ name, owner, ...fields });
const sibling = pod('sibling', { age: 7200 });

function computeVerdict(
  pods: readonly Pod[],
  { found = false, late = false, ready = 1, change = deletion() } = {},
) {
  const snapshot = buildSnapshot(buildDeployment({ replicas: 2 }), {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2 })],
    Pod: [sibling, ...pods],
  });
  const findings = found ? [buildFinding({ cause: 'crash-loop-on-node' })] : [];
  return judge({
    change,
    before: buildDiagnosis({ ready: { pods: 1, wanted: 2 } }),
    now: buildDiagnosis({ findings, ready: { pods: ready, wanted: 2 } }),
    snapshot,
    late,
  });
}

describe('the verdict after a pod was deleted is', () => {
  it.each<[string, readonly Pod[], Verdict | undefined, string]>([
    ['open while the pod stops', [pod('bad', { terminating: true })], undefined, 'replacement-stopping'],
    ['open while the pod still exists', [pod('bad')], undefined, 'replacement-stopping'],
    ['open while no replacement exists', [], undefined, 'replacement-awaited'],
    [
      'open while its replacement waits for a node',
      [pod('new', { age: 100, node: undefined })],
      undefined,
      'replacement-starting',
    ],
    [
      'open while its replacement starts',
      [pod('new', { age: 100, ready: false })],
      undefined,
      'replacement-starting',
    ],
    [
      'open while its replacement crashes',
      [pod('new', { age: 100, ready: false, restarts: 2 })],
      undefined,
      'replacement-failing',
    ],
    [
      'open while its replacement is ready between two crashes',
      [pod('new', { age: 100, readyFor: 90, restarts: 1 })],
      undefined,
      'replacement-failing',
    ],
    [
      'open before its replacement was ready for long enough',
      [pod('new', { age: 100, readyFor: 59 })],
      undefined,
      'replacement-not-yet',
    ],
    [
      'recovered once its replacement was ready for long enough',
      [pod('new', { age: 100, readyFor: 60 })],
      'recovered',
      'replacement-ready',
    ],
  ])('%s', (_, pods, verdict, key) => {
    expect(computeVerdict(pods)).toMatchObject({ verdict, progress: { key } });
  });

  it.each<[string, readonly Pod[], object]>([
    ['the pod that is stopping', [pod('bad', { terminating: true })], { pod: 'bad' }],
    ['the pod that is gone', [], { pod: 'bad' }],
    ['a replacement without a node', [pod('new', { age: 100, node: undefined })], { pod: 'new', node: '' }],
    [
      'a replacement that starts, and where',
      [pod('new', { age: 100, node: 'n2', ready: false })],
      { pod: 'new', node: 'n2' },
    ],
    [
      'a replacement that crashes, where and how often',
      [pod('new', { age: 100, node: 'n2', ready: false, restarts: 2 })],
      { pod: 'new', node: 'n2', restarts: 2 },
    ],
    [
      'how long a replacement has to stay ready',
      [pod('new', { age: 100, node: 'n2', readyFor: 59 })],
      { pod: 'new', node: 'n2', wanted: 60 },
    ],
    [
      'a replacement that has proven itself',
      [pod('new', { age: 100, node: 'n2', readyFor: 60 })],
      { pod: 'new', node: 'n2' },
    ],
  ])('names %s', (_, pods, values) => {
    expect(computeVerdict(pods).progress.values).toEqual(values);
  });

  it('depends on the replacement, not on the pods that existed before', () => {
    expect(computeVerdict([pod('older', { age: 130, readyFor: 130 })])).toMatchObject({ verdict: undefined });
  });

  it('accepts a pod of the same name as the replacement, whatever the clocks say', () => {
    const successor = pod('bad', { uid: 'successor', age: 3600, readyFor: 100 });

    expect(computeVerdict([successor])).toMatchObject({ verdict: 'recovered' });
  });

  it('depends on the rule too where the deletion was meant to unblock the rollout', () => {
    const change = deletion({ purpose: 'unstick' });
    const pods = [pod('new', { age: 100, readyFor: 60 })];

    expect(computeVerdict(pods, { found: true, change })).toMatchObject({ verdict: undefined });
    expect(computeVerdict(pods, { found: true })).toMatchObject({ verdict: 'recovered' });
    expect(computeVerdict(pods, { change })).toMatchObject({ verdict: 'recovered' });
  });

  it.each<[string, number, Verdict]>([
    ['as many pods are ready as before', 1, 'unchanged'],
    ['fewer pods are ready than before', 0, 'worse'],
  ])('is given at the deadline, with a failing replacement, when %s', (_, ready, verdict) => {
    const failing = [pod('new', { age: 100, ready: false, restarts: 3 })];

    expect(computeVerdict(failing, { late: true, ready })).toMatchObject({ verdict });
  });
});
