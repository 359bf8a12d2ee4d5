import { describe, expect, it } from 'vitest';
import type { OfferedRemediation } from '#src/doctor/fixes/offered-fields.js';
import {
  hasReachedWorkload,
  isExperiment,
  isIrreversible,
  kindName,
  needsConfirmation,
  planRemediation,
  type Remediation,
  remediationKinds,
} from '#src/doctor/fixes/remediation.js';
import { isRequestedId, isSameChange, requestedId } from '#src/doctor/fixes/requested-change.js';
import { restoredTemplate, templateText } from '#src/doctor/fixes/template-changes.js';
import { plain } from '#src/engine/language/prose.js';
import { InferenceService } from '#src/engine/objects/inference-service.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot, planned, stuckOnGpu } from '../../../support/remediation-builders.js';

const strategy = buildPatchStrategy();
const { kind: _kind, strategy: _strategy, ...offered } = strategy;
const of = (kind: string, fields: object = {}) => ({ ...offered, kind, ...fields }) as unknown as Remediation;

describe('the kinds of changes', () => {
  it.each(['en', 'ko'] as const)('have a name each in %s', (language) => {
    const names = remediationKinds.map((kind) => plain(kindName(kind, language)));
    expect(new Set(names).size).toBe(remediationKinds.length);
    expect(names.filter((name, at) => name === '' || name === remediationKinds[at])).toEqual([]);
  });

  it('of another version have their id as a name, and no plan', () => {
    expect(plain(kindName('of-tomorrow', 'en'))).toBe('of-tomorrow');
    const unknown = of('of-tomorrow') as OfferedRemediation;
    const { workload } = stuckOnGpu();
    expect(planRemediation(unknown, buildSnapshot(workload))).toMatchObject({
      type: 'refusal',
      reason: 'not-applicable',
      because: { key: 'not-applicable', values: { workload: 'shop/web', kind: 'of-tomorrow' } },
    });
  });

  it.each<[string, Remediation, boolean, boolean]>([
    ['a change of the strategy', strategy, false, false],
    ['one that would replace all pods again', { ...strategy, hasNoUndo: true }, false, true],
    ['a restart', of('restart-rollout'), false, true],
    ['the end of a pause', of('promote-rollout'), false, true],
    ['an abort', of('abort-rollout'), false, false],
    ['the deletion of a pod', of('delete-pod', { purpose: 'fix' }), false, true],
    [
      'the deletion of a pod that decides between causes',
      of('delete-pod', { purpose: 'experiment' }),
      true,
      true,
    ],
    ['another change with a purpose', of('restart-rollout', { purpose: 'experiment' }), false, true],
  ])('%s', (_, remediation, experiment, irreversible) => {
    expect(isExperiment(remediation)).toBe(experiment);
    expect(isIrreversible(remediation)).toBe(irreversible);
  });

  it.each<[Remediation['prediction']['ends'], 'none' | 'gap', boolean]>([
    ['complete', 'none', false],
    ['complete', 'gap', true],
    ['stuck', 'none', true],
    ['unknown', 'none', true],
  ])('that end %s with downtime "%s" need the name of the workload: %s', (ends, kind, expected) => {
    const { price, prediction } = strategy;
    const downtime = { ...price.downtime, kind } as Remediation['price']['downtime'];
    expect(
      needsConfirmation({ price: { ...price, downtime }, prediction: { ...prediction, ends } as never }),
    ).toBe(expected);
  });
});

describe('a change that a person asked for', () => {
  const asked = { ...strategy, id: requestedId(strategy.id) };

  it('is known by its id', () => {
    expect(isRequestedId(asked.id)).toBe(true);
    expect(isRequestedId(strategy.id)).toBe(false);
    expect(isRequestedId(`x-${asked.id}`)).toBe(false);
  });

  it('is the same as an offered one of its id and title', () => {
    expect(isSameChange(strategy, asked)).toBe(true);
    expect(isSameChange(asked, asked)).toBe(false);
    expect(isSameChange({ ...strategy, id: 'other' }, asked)).toBe(false);
    const title = { ...strategy.title, values: { to: 'x' } };
    expect(isSameChange({ ...strategy, title }, asked)).toBe(false);
  });
});

describe('the text of a template', () => {
  it('is the same whatever the order of its fields, and without the hash of the controller', () => {
    const labels = { app: 'web' };
    expect(templateText({ spec: { a: 1, b: 2 }, metadata: { labels } })).toBe(
      templateText({ metadata: { labels: { ...labels, 'pod-template-hash': 'x' } }, spec: { b: 2, a: 1 } }),
    );
    expect(templateText({ spec: { a: 1 } })).not.toBe(templateText({ spec: { a: 2 } }));
  });

  it('is that of the revision which a plan restores', () => {
    const snapshot = stuckOnGpu();
    const [old] = snapshot.index.objects.ReplicaSet;
    if (old === undefined) throw new Error('has no revision');
    const { name, uid } = old.metadata;
    const plan = planned(planRemediation(strategy, snapshot));
    const restoring = (of: string) => ({
      ...plan,
      request: { verb: 'restore-template', from: { kind: 'ReplicaSet', name, uid: of } } as const,
    });
    expect(restoredTemplate(restoring(uid), snapshot)).toBe(templateText(old.spec.template.raw));
    expect(restoredTemplate(restoring('gone'), snapshot)).toBeUndefined();
    expect(restoredTemplate(plan, snapshot)).toBeUndefined();
  });
});

describe('what was changed in an owner', () => {
  const notIn = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['gpu-a'] };
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [notIn] }] },
    },
  };
  const restartedAt = (at: string) => ({ 'kubectl.kubernetes.io/restartedAt': at });
  const predictor = (annotations: object = {}, spec: object = {}) =>
    Deployment.parse({
      metadata: {
        ...{ name: 'llm-predictor', namespace: 'ml', uid: 'd1', generation: 3 },
        ownerReferences: [
          {
            controller: true,
            apiVersion: 'serving.kserve.io/v1beta1',
            kind: 'InferenceService',
            name: 'llm',
          },
        ],
      },
      spec: { selector: {}, template: { metadata: { annotations }, spec: { containers: [], ...spec } } },
    });
  const service = (fields: object) =>
    InferenceService.parse({
      metadata: { name: 'llm', namespace: 'ml', uid: 'o1', generation: 7 },
      spec: { predictor: fields },
    });
  const seen = (workload: Deployment, ...owners: readonly InferenceService[]) =>
    buildSnapshot(workload, { InferenceService: owners });
  const exclude = of('exclude-nodes', { nodes: [{ name: 'gpu-a', hostname: 'gpu-a' }] });
  const restart = of('restart-rollout');

  it.each<[string, Remediation, ReturnType<typeof seen>, boolean | undefined]>([
    ['of other fields', strategy, seen(predictor(), service({})), true],
    [
      'of an exclusion that the Deployment has',
      exclude,
      seen(predictor({}, { affinity }), service({ affinity })),
      true,
    ],
    ['of an exclusion that only the owner has', exclude, seen(predictor(), service({ affinity })), false],
    ['of an exclusion where neither has one', exclude, seen(predictor(), service({})), true],
    ['of an owner that is gone', exclude, seen(predictor()), undefined],
    [
      'of a restart that the Deployment has',
      restart,
      seen(predictor(restartedAt('t1')), service({ annotations: restartedAt('t1') })),
      true,
    ],
    [
      'of a restart that only the owner has',
      restart,
      seen(predictor(restartedAt('t0')), service({ annotations: restartedAt('t1') })),
      false,
    ],
    [
      'of a restart that the owner has lost',
      restart,
      seen(predictor(restartedAt('t1')), service({})),
      undefined,
    ],
    ['of no owner', restart, stuckOnGpu(), true],
  ])('has reached the workload, %s', (_, remediation, snapshot, expected) => {
    expect(hasReachedWorkload(remediation, snapshot)).toBe(expected);
  });
});
