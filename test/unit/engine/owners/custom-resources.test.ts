import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { predictDrift } from '#src/engine/owners/predict-drift.js';
import { application, kustomization, kustomized, selfHeal } from './builders.js';

const canary = { 'f:strategy': { 'f:canary': { 'f:maxSurge': {}, 'f:maxUnavailable': {} } } };
const bounds = [
  { path: 'spec.strategy.canary.maxSurge', before: 1, after: 0 },
  { path: 'spec.strategy.canary.maxUnavailable', before: 0, after: 1 },
];

function rollout(metadata: object, manager: string, version = 'argoproj.io/v1alpha1') {
  const entry = { manager, operation: 'Apply', apiVersion: version, fieldsV1: { 'f:spec': canary } };
  return schemas.Rollout.parse({
    metadata: { name: 'inference', namespace: 'ml', uid: 'u', managedFields: [entry], ...metadata },
    spec: { selector: {}, template: {}, strategy: { canary: { maxSurge: 1, maxUnavailable: 0 } } },
  });
}

const trackedAs = (id: string): object => ({ annotations: { 'argocd.argoproj.io/tracking-id': id } });

describe('declared fields of a Rollout', () => {
  it.each([
    [
      'return at once where Argo CD heals it',
      rollout(trackedAs('shop:argoproj.io/Rollout:ml/inference'), 'argocd-controller'),
      application(selfHeal),
      { type: 'reverted-at-once' },
    ],
    [
      'are not said to return where the tracking id came with a copy of a Deployment',
      rollout(trackedAs('shop:apps/Deployment:ml/inference'), 'somebody'),
      application(selfHeal),
      { type: 'unknown', because: 'other-manager' },
    ],
    [
      'stay where Argo CD ignores the field of Rollouts',
      rollout(trackedAs('shop:argoproj.io/Rollout:ml/inference'), 'argocd-controller'),
      application({
        syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
        ignoreDifferences: [
          { group: 'argoproj.io', kind: 'Rollout', jsonPointers: ['/spec/strategy/canary'] },
        ],
      }),
      { type: 'stays', while: 'difference-ignored' },
    ],
    [
      'return within the interval of a Kustomization',
      rollout({ labels: kustomized }, 'kustomize-controller'),
      kustomization(),
      { type: 'reverted-within', seconds: 600 },
    ],
    [
      'are unknown where they were declared in another version',
      rollout(trackedAs('shop:argoproj.io/Rollout:ml/inference'), 'argocd-controller', 'argoproj.io/v2'),
      application(selfHeal),
      { type: 'unknown', because: 'other-version' },
    ],
  ])('%s', (_title, workload, owners, verdict) => {
    const plan = { target: { kind: 'Rollout' }, changes: bounds };
    const found = predictDrift({ workload, plan, owners });
    expect(found.map((each) => each.verdict)).toEqual([verdict, verdict]);
  });
});
