import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Plan, Refusal } from '#src/doctor/fixes/plan.js';
import { lostFields, planUndo } from '#src/doctor/fixes/plan-undo.js';
import { isPlanOfKind, planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import { InferenceService, LLMInferenceService } from '#src/engine/objects/inference-service.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { Deployment, type WorkloadRef } from '#src/engine/objects/workload.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot, gpuNode, stuckOnGpu } from '../../../support/remediation-builders.js';

const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();
const inPlace = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

/** A Deployment that the controller of this service makes. */
function child(
  name: string,
  owner: object,
  fields: { labels?: object; affinity?: object; paused?: boolean } = {},
) {
  const { labels = {}, affinity, paused = false } = fields;
  return Deployment.parse({
    metadata: {
      name,
      namespace: 'ml',
      uid: 'd1',
      generation: 3,
      ownerReferences: [{ controller: true, ...owner }],
    },
    spec: { selector: {}, paused, template: { metadata: { labels }, spec: { containers: [], affinity } } },
  });
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}
const isvcRef: Owner = { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', name: 'llm' };
const llmRef: Owner = { apiVersion: 'serving.kserve.io/v1alpha2', kind: 'LLMInferenceService', name: 'llm' };
const meta = { name: 'llm', namespace: 'ml', uid: 'o1', generation: 7 };
const isvc = (spec: object, metadata: object = {}) =>
  InferenceService.parse({ metadata: { ...meta, ...metadata }, spec });
const llm = (spec: object) => LLMInferenceService.parse({ metadata: meta, spec });

const of = (workload: Deployment, owner?: InferenceService | LLMInferenceService): Snapshot =>
  buildSnapshot(workload, {
    Node: [gpuNode('gpu-a', 1)],
    ...(owner?.kind === 'InferenceService' ? { InferenceService: [owner] } : {}),
    ...(owner?.kind === 'LLMInferenceService' ? { LLMInferenceService: [owner] } : {}),
  });

/** The definition of its owner has the fields, as releases of KServe after 0.20. */
const ofRecent = (...given: Parameters<typeof of>): Snapshot => ({
  ...of(...given),
  servedFields: ['LLMInferenceService spec.rolloutStrategy'],
});

const refOf = ({ metadata }: Deployment): WorkloadRef => ({
  cluster: 'prod',
  kind: 'Deployment',
  namespace: metadata.namespace,
  name: metadata.name,
});

function planned(remediation: Remediation, snapshot: Snapshot): Plan {
  const plan = planRemediation(remediation, snapshot);
  if (plan.type !== 'plan') throw new Error(JSON.stringify(plan));
  return plan;
}

const recreate = buildPatchStrategy({ strategy: { type: 'Recreate' } });
const exclude: Remediation = {
  ...offered,
  kind: 'exclude-nodes',
  nodes: [{ name: 'gpu-a', hostname: 'gpu-a' }],
  remindAfterHours: 24,
};
const restart: Remediation = { ...offered, kind: 'restart-rollout' };

interface Case {
  readonly workload: Deployment;
  readonly owner: InferenceService | LLMInferenceService;
  readonly remediation: Remediation;
  readonly body: unknown;
  readonly former: unknown;
}

const predictor = child('llm-predictor', isvcRef);
const notIn = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['gpu-a'] };
const excluded = { nodeSelectorTerms: [{ matchExpressions: [notIn] }] };
const cases: readonly (readonly [string, Case])[] = [
  [
    'the strategy of a predictor that declares none',
    {
      workload: predictor,
      owner: isvc({ predictor: {} }),
      remediation: buildPatchStrategy(),
      body: { spec: { predictor: { deploymentStrategy: inPlace } } },
      former: { spec: { predictor: { deploymentStrategy: null } } },
    },
  ],
  [
    'the strategy of a transformer that declares Recreate',
    {
      workload: child('llm-transformer', isvcRef),
      owner: isvc({ transformer: { deploymentStrategy: { type: 'Recreate' } } }),
      remediation: buildPatchStrategy(),
      body: { spec: { transformer: { deploymentStrategy: inPlace } } },
      former: { spec: { transformer: { deploymentStrategy: { type: 'Recreate', rollingUpdate: null } } } },
    },
  ],
  [
    'Recreate of an explainer that declares a part of the bounds',
    {
      workload: child('llm-explainer', isvcRef),
      owner: isvc({
        explainer: { deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } },
      }),
      remediation: recreate,
      body: { spec: { explainer: { deploymentStrategy: { type: 'Recreate', rollingUpdate: null } } } },
      former: {
        spec: {
          explainer: {
            deploymentStrategy: {
              type: 'RollingUpdate',
              rollingUpdate: { maxSurge: 2, maxUnavailable: null },
            },
          },
        },
      },
    },
  ],
  [
    'the bounds of an LLMInferenceService that declares none, whose controller would keep ours',
    {
      workload: child('llm-kserve', llmRef),
      owner: llm({}),
      remediation: buildPatchStrategy(),
      body: { spec: { rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 } } },
      former: { spec: { rolloutStrategy: { maxSurge: '25%', maxUnavailable: '25%' } } },
    },
  ],
  [
    'the bounds of its prefill workers',
    {
      workload: child('llm-kserve-prefill', llmRef),
      owner: llm({ prefill: { rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } } }),
      remediation: buildPatchStrategy(),
      body: { spec: { prefill: { rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 } } } },
      former: { spec: { prefill: { rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } } } },
    },
  ],
  [
    'the excluded nodes of a predictor',
    {
      workload: predictor,
      owner: isvc({ predictor: {} }),
      remediation: exclude,
      body: {
        spec: {
          predictor: {
            affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: excluded } },
          },
        },
      },
      former: { spec: { predictor: { affinity: null } } },
    },
  ],
];

describe('a change of a workload of KServe', () => {
  it.each(cases)('is made in its owner: %s', (_, { workload, owner, remediation, body }) => {
    const plan = planned(remediation, ofRecent(workload, owner));

    expect(plan.target).toMatchObject({ kind: owner.kind, name: 'llm', uid: 'o1', generation: 7 });
    expect(plan.request).toEqual({ verb: 'patch', patchType: 'merge', body });
    expect(isPlanOfKind({ workload: refOf(workload), remediation, undoes: false, plan })).toBe(true);
  });

  it.each(cases)('is undone there: %s', (_, { workload, owner, remediation, former }) => {
    const plan = planned(remediation, ofRecent(workload, owner));
    if (plan.undo === undefined) throw new Error('has no undo');
    expect(plan.undo.request).toMatchObject({ body: former });

    // The owner as it is after the change.
    const changed = afterPatch(owner, plan);
    expect(lostFields(plan.undo, ofRecent(workload, changed))).toEqual([]);
    expect(lostFields(plan.undo, ofRecent(workload, owner))).not.toEqual([]);
    const undo = planUndo(remediation.id, plan.undo, ofRecent(workload, changed));

    expect(undo).toMatchObject({ type: 'plan', target: { kind: owner.kind, uid: 'o1' } });
    const claimed = { workload: refOf(workload), remediation, undoes: true, plan: undo as Plan };
    expect(isPlanOfKind(claimed)).toBe(true);
  });

  it('is refused as a plan for another object, another field or another value', () => {
    const snapshot = of(predictor, isvc({ predictor: {} }));
    const remediation = buildPatchStrategy();
    const plan = planned(remediation, snapshot);
    const isAccepted = (forged: Plan): boolean =>
      isPlanOfKind({ workload: refOf(predictor), remediation, undoes: false, plan: forged });
    const request = (body: unknown) => ({ verb: 'patch', patchType: 'merge', body }) as const;
    const forged: readonly Plan[] = [
      { ...plan, target: { ...plan.target, name: 'other' } },
      { ...plan, target: { ...plan.target, kind: 'LLMInferenceService' } },
      { ...plan, target: { ...plan.target, apiVersion: 'example.com/v1' } },
      { ...plan, request: request({ spec: { transformer: { deploymentStrategy: inPlace } } }) },
      { ...plan, request: request({ spec: { predictor: { deploymentStrategy: inPlace, containers: [] } } }) },
      { ...plan, request: request({ spec: { predictor: { deploymentStrategy: { type: 'Recreate' } } } }) },
      { ...plan, changes: [] },
      {
        ...plan,
        undo: {
          ...(plan.undo as NonNullable<Plan['undo']>),
          request: request({ spec: { predictor: null } }),
        },
      },
    ];

    expect(isAccepted(plan)).toBe(true);
    expect(forged.map(isAccepted)).toEqual(forged.map(() => false));
  });

  it('restarts by an annotation of the component, also of an owner', () => {
    const plan = planned(restart, of(predictor, isvc({ predictor: {} })));

    expect(plan).toMatchObject({
      target: { kind: 'InferenceService' },
      request: { verb: 'restart' },
      changes: [{ path: 'spec.predictor.annotations[kubectl.kubernetes.io/restartedAt]', after: '<now>' }],
    });
    expect(isPlanOfKind({ workload: refOf(predictor), remediation: restart, undoes: false, plan })).toBe(
      true,
    );
  });

  it('has no undo where KServe replaces all pods of several nodes at each change', () => {
    const workers = child('llm-predictor-worker', isvcRef, { labels: { 'isvc.generation': '7' } });

    expect(planned(recreate, of(workers, isvc({ predictor: {} }))).undo).toBeUndefined();
  });

  const resume: Remediation = { ...offered, kind: 'resume-rollout' };
  const rollBack: Remediation = {
    ...offered,
    kind: 'undo-rollout',
    toRevision: 1,
    from: { kind: 'ReplicaSet', name: 'llm-predictor-1', uid: 'r1' },
  };
  const required = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
  };
  it.each<[string, Deployment, Remediation, InferenceService | LLMInferenceService | undefined, string]>([
    ['was not read', predictor, buildPatchStrategy(), undefined, 'owner-unread'],
    [
      'is of a release that may lack the field',
      child('llm-kserve', llmRef),
      buildPatchStrategy(),
      llm({}),
      'owner-field-not-served',
    ],
    ['has no field for the workload', child('llm-router', isvcRef), restart, isvc({}), 'owner-has-no-field'],
    ['keeps no revision', predictor, rollBack, isvc({}), 'owner-keeps-no-revision'],
    [
      'has no pause',
      child('llm-predictor', isvcRef, { paused: true }),
      resume,
      isvc({}),
      'owner-has-no-pause',
    ],
    [
      'does not declare the affinity that the pods have',
      child('llm-predictor', isvcRef, { affinity: required }),
      exclude,
      isvc({ predictor: {} }),
      'owner-affinity-elsewhere',
    ],
  ])('is refused where the owner %s', (_, workload, remediation, owner, key) => {
    const refused = planRemediation(remediation, of(workload, owner)) as Refusal;

    expect(refused).toMatchObject({ type: 'refusal', reason: 'not-in-owner' });
    expect(JSON.stringify(refused.because)).toContain(key);
  });

  it('is refused as an undo of an exclusion where somebody has added another affinity since', () => {
    const { undo } = planned(exclude, of(predictor, isvc({ predictor: {} })));
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: excluded };
    const undone = (affinity: object) =>
      planUndo('x', undo as NonNullable<Plan['undo']>, of(predictor, isvc({ predictor: { affinity } })));

    expect(undone({ nodeAffinity })).toMatchObject({ type: 'plan' });
    expect(undone({ nodeAffinity, podAntiAffinity: {} })).toMatchObject({
      type: 'refusal',
      reason: 'drifted',
      because: { values: { path: 'spec.predictor.affinity.podAntiAffinity' } },
    });
  });

  it('is refused as an undo where the owner is another one by now', () => {
    const plan = planned(buildPatchStrategy(), of(predictor, isvc({ predictor: {} })));

    const undo = planUndo(
      'x',
      plan.undo as NonNullable<Plan['undo']>,
      of(predictor, isvc({}, { uid: 'o2' })),
    );

    expect(undo).toMatchObject({ type: 'refusal', reason: 'not-in-owner' });
  });

  it('stays where nobody declares the field of the owner, and is reverted with the next apply where somebody does', () => {
    const applied = JSON.stringify({ spec: { predictor: { deploymentStrategy: { type: 'Recreate' } } } });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied };
    const owner = isvc({ predictor: { deploymentStrategy: { type: 'Recreate' } } }, { annotations });

    expect(planned(buildPatchStrategy(), of(predictor, isvc({ predictor: {} }))).survival).toBeUndefined();
    expect(planned(buildPatchStrategy(), of(predictor, owner)).survival).toContainEqual(
      expect.objectContaining({
        path: 'spec.predictor.deploymentStrategy.type',
        verdict: { type: 'reverted-at-next', event: 'apply' },
      }),
    );
  });
});

describe('a deadlock of a workload of KServe', () => {
  const stuck = stuckOnGpu();
  const owned = (owner: Owner, name: string): Snapshot => {
    const { workload } = stuck;
    const ownerReferences = [{ uid: '', controller: true, ...owner }];
    const metadata = { ...workload.metadata, name, ownerReferences };
    return { ...stuck, workload: { ...workload, metadata } };
  };
  const withOwner = (snapshot: Snapshot): Snapshot => {
    const owner = InferenceService.parse({
      metadata: { ...meta, namespace: snapshot.workload.metadata.namespace },
      spec: { predictor: {} },
    });
    const objects = { ...snapshot.index.objects, InferenceService: [owner] };
    return { ...snapshot, index: { ...snapshot.index, objects } };
  };

  it('offers the strategy of the owner, and names it', () => {
    const diagnosis = diagnose(withOwner(owned(isvcRef, 'llm-predictor')), causes);

    expect(diagnosis.ownedBy).toEqual({ kind: 'InferenceService', name: 'llm' });
    const [first] = diagnosis.findings;
    expect(first?.remediations.map(({ id }) => id)).toContain('patch-strategy-in-place');
  });

  it('withholds it where the owner was not read', () => {
    const [first] = diagnose(owned(isvcRef, 'llm-predictor'), causes).findings;

    expect(first?.remediations.map(({ kind }) => kind)).not.toContain('patch-strategy');
    expect(JSON.stringify(first?.withheld)).toContain('owner-unread');
  });
});

/** RFC 7386, as far as the plans need it. */
function afterPatch<Owner extends InferenceService | LLMInferenceService>(
  owner: Owner,
  { request }: Plan,
): Owner {
  const merged = (target: unknown, patch: unknown): unknown => {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
    const result: Record<string, unknown> = { ...(target as object | undefined) };
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) delete result[key];
      else result[key] = merged(result[key], value);
    }
    return result;
  };
  return merged(owner, request.verb === 'patch' ? request.body : {}) as Owner;
}
