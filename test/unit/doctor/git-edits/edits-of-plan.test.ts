import { describe, expect, it } from 'vitest';
import type { PatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import {
  editsOfPlan,
  hasGitForm,
  isRefusedByApply,
  mayHaveGitForm,
} from '#src/doctor/git-edits/edits-of-plan.js';
import { buildPatchStrategy, buildUndoRollout } from '../../../support/records.js';
import { buildSnapshot, planned } from '../../../support/remediation-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

const owned = buildDeployment({ labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } });
const unowned = buildDeployment();
const planOf = (strategy: PatchStrategy['strategy'], workload = owned) =>
  planned(planRemediation(buildPatchStrategy({ strategy }), buildSnapshot(workload)));

const recreate = { type: 'Recreate' } as const;
const allAtOnce = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: '100%' } as const;

describe('a strategy in a manifest', () => {
  it('is refused by the apply only as Recreate, and only for owners that apply server-side', () => {
    expect(isRefusedByApply(planOf(recreate), owned)).toBe(true);
    expect(isRefusedByApply(planOf(recreate, unowned), unowned)).toBe(false);
    expect(isRefusedByApply(planOf(allAtOnce), owned)).toBe(false);
  });

  it('states type and both counts', () => {
    expect(editsOfPlan(planOf(allAtOnce))).toEqual([
      { path: ['spec', 'strategy', 'type'], value: 'RollingUpdate' },
      { path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: 0 },
      { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], value: '100%' },
    ]);
  });
});

describe('a plan in a manifest', () => {
  const patchOf = (body: unknown, apiVersion = 'apps/v1', more: object = {}): Plan =>
    ({
      ...planOf(allAtOnce),
      target: { ...planOf(allAtOnce).target, apiVersion },
      request: { verb: 'patch', patchType: 'merge', body, ...more },
    }) as Plan;
  const affinity = { nodeAffinity: { terms: [{ key: 'kubernetes.io/hostname', values: ['n-1'] }] } };
  const inPod = { spec: { template: { spec: { affinity } } } };
  const terms = ['nodeAffinity', 'terms'];

  it.each<[string, unknown, string, unknown]>([
    ['a count', { spec: { replicas: 3 } }, 'apps/v1', [{ path: ['spec', 'replicas'], value: 3 }]],
    ['a pause', { spec: { paused: false } }, 'apps/v1', [{ path: ['spec', 'paused'], value: false }]],
    ['a percentage', { spec: { a: '25%' } }, 'argoproj.io/v1alpha1', [{ path: ['spec', 'a'], value: '25%' }]],
    ['a field that goes', { spec: { a: null } }, 'apps/v1', [{ path: ['spec', 'a'], value: undefined }]],
    [
      'the affinity of pods',
      inPod,
      'apps/v1',
      [
        {
          path: ['spec', 'template', 'spec', 'affinity', ...terms],
          value: affinity.nodeAffinity.terms,
        },
      ],
    ],
    [
      'the affinity of the pods of a Rollout',
      inPod,
      'argoproj.io/v1alpha1',
      [{ path: ['spec', 'template', 'spec', 'affinity', ...terms], value: affinity.nodeAffinity.terms }],
    ],
    [
      'the strategy of a LeaderWorkerSet',
      { spec: { rolloutStrategy: { type: 'RollingUpdate' } } },
      'leaderworkerset.x-k8s.io/v1',
      [{ path: ['spec', 'rolloutStrategy', 'type'], value: 'RollingUpdate' }],
    ],
    [
      'the strategy of a predictor of KServe',
      { spec: { predictor: { deploymentStrategy: { type: 'Recreate' } } } },
      'serving.kserve.io/v1beta1',
      [{ path: ['spec', 'predictor', 'deploymentStrategy', 'type'], value: 'Recreate' }],
    ],
    [
      'the affinity of a predictor of KServe',
      { spec: { predictor: { affinity } } },
      'serving.kserve.io/v1beta1',
      [{ path: ['spec', 'predictor', 'affinity', ...terms], value: affinity.nodeAffinity.terms }],
    ],
  ])('has %s', (_, body, apiVersion, edits) => {
    expect(editsOfPlan(patchOf(body, apiVersion))).toEqual(edits);
    expect(hasGitForm(patchOf(body, apiVersion))).toBe(true);
  });

  it.each<[string, Plan]>([
    ['another kind', patchOf({ spec: { replicas: 3 } }, 'batch/v1')],
    ['a core kind', patchOf({ spec: { replicas: 3 } }, 'v1')],
    ['a field outside the spec', patchOf({ metadata: { labels: { a: 'b' } } })],
    ['one field outside the spec beside others', patchOf({ spec: { replicas: 3 }, status: { a: 1 } })],
    ['other fields of pods', patchOf({ spec: { template: { spec: { nodeName: 'a' } } } })],
    ['labels of pods', patchOf({ spec: { template: { metadata: { labels: { a: 'b' } } } } })],
    ['pods of a LeaderWorkerSet', patchOf(inPod, 'leaderworkerset.x-k8s.io/v1')],
    [
      'the leader of a LeaderWorkerSet',
      patchOf({ spec: { leaderWorkerTemplate: { size: 2 } } }, 'leaderworkerset.x-k8s.io/v1'),
    ],
    ['a count of KServe', patchOf({ spec: { predictor: { replicas: 2 } } }, 'serving.kserve.io/v1beta1')],
    [
      'a field of KServe far below',
      patchOf({ spec: { a: { b: { c: { affinity: 1 } } } } }, 'serving.kserve.io/v1beta1'),
    ],
    ['a text of several words', patchOf({ spec: { a: 'b c' } })],
    ['a text of several lines in a list', patchOf({ spec: { a: ['b\nc'] } })],
    ['a text of 301 characters in a list', patchOf({ spec: { a: ['b'.repeat(301)] } })],
    ['nothing in a list', patchOf({ spec: { a: [null] } })],
    ['no field', patchOf({ spec: {} })],
    ['no value', patchOf({ spec: { a: undefined } })],
    ['a JSON patch', patchOf({ spec: { replicas: 3 } }, 'apps/v1', { patchType: 'json' })],
    ['a scale', patchOf({ spec: { replicas: 3 } }, 'apps/v1', { subresource: 'scale' })],
    ['a deletion', patchOf({ spec: { replicas: 3 } }, 'apps/v1', { verb: 'delete' })],
    [
      'a second step',
      { ...patchOf({ spec: { replicas: 3 } }), afterwards: { verb: 'delete-pods', pods: [] } },
    ],
  ])('has no form for %s', (_, plan) => {
    expect(editsOfPlan(plan)).toBeUndefined();
    expect(hasGitForm(plan)).toBe(false);
  });

  it('keeps texts, numbers, switches and maps of a list', () => {
    const list = ['a b, c', 'b'.repeat(300), 3, true, { key: 'zone', values: ['x'] }, []];
    expect(editsOfPlan(patchOf({ spec: { a: list } }))).toEqual([{ path: ['spec', 'a'], value: list }]);
  });

  it('can be the pod template of an earlier revision, of a built-in kind and in one step', () => {
    const restore = { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'web-1', uid: 'u' } };
    const plan = (apiVersion: string, more: object = {}): Plan => ({
      ...patchOf({}, apiVersion, restore),
      ...more,
    });
    expect(hasGitForm(plan('apps/v1'))).toBe(true);
    expect(hasGitForm(plan('argoproj.io/v1alpha1'))).toBe(false);
    expect(hasGitForm(plan('apps/v1', { afterwards: { verb: 'delete-pods', pods: [] } }))).toBe(false);
  });

  it.each<[string, Remediation, boolean]>([
    ['a strategy', buildPatchStrategy(), true],
    ['a roll-back', buildUndoRollout(undefined), true],
    ['a roll-back that deletes pods', buildUndoRollout(['db-0']), false],
    ['a restart', { ...buildPatchStrategy(), kind: 'restart-rollout' } as unknown as Remediation, false],
  ])('is possible or not for %s', (_, fix, expected) => {
    expect(mayHaveGitForm(fix)).toBe(expected);
  });
});
