import { describe, expect, it } from 'vitest';
import { requiredPath } from '#src/doctor/fixes/kinds/exclude-nodes/plan.js';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';
import { restartedAtPath } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import { type ChangeRequest, type FieldChange, Plan, type UndoPlan } from '#src/doctor/fixes/plan.js';
import { type ClaimedPlan, isPlanOfKind, type Remediation } from '#src/doctor/fixes/remediation.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { buildPatchStrategy } from '../../support/records.js';

const workload: WorkloadRef = { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' };
const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();
const own = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'ml',
  name: 'inference',
  uid: 'u1',
  generation: 2,
};
const merge = (body: unknown): ChangeRequest => ({ verb: 'patch', patchType: 'merge', body });

interface Case {
  /** Absent: the Deployment. */
  readonly workload?: WorkloadRef;
  readonly remediation: Remediation;
  readonly target?: Plan['target'];
  readonly request: ChangeRequest;
  readonly changes: readonly FieldChange[];
  readonly undo?: UndoPlan;
}

const surge: FieldChange = { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%', after: 0 };
const strategyBody = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
const from = { kind: 'ReplicaSet', name: 'inference-1', uid: 'rs1' } as const;
const present = { kind: 'ReplicaSet', name: 'inference-2', uid: 'rs2' } as const;
const image: FieldChange = { path: 'spec.template.spec.containers[app].image', before: 'a:2', after: 'a:1' };
const excluded = {
  nodeSelectorTerms: [
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['host-a'] }] },
  ],
};
const exclusion: FieldChange = { path: requiredPath, after: excluded };
const affinity = (value: unknown) => merge({ spec: { template: { spec: { affinity: value } } } });
const required = (value: unknown) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: value },
});

const rollout = { cluster: 'prod', kind: 'Rollout', namespace: 'ml', name: 'inference' } as const;
const ownRollout = { ...own, apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };
const held = (...values: [string, unknown][]) =>
  values.map(([field, value]) => ({ path: `status.${field}`, value }));
const ofUpdate = { ...ownRollout, mustHold: held(['currentPodHash', 'abc'], ['abortedAt', undefined]) };
const ofPause = {
  ...ownRollout,
  mustHold: [...ofUpdate.mustHold, ...held(['pauseConditions', []], ['currentStepIndex', 1])],
};
const status = (body: object): ChangeRequest => ({
  verb: 'patch',
  patchType: 'merge',
  subresource: 'status',
  body: { status: body },
});
const abort: FieldChange = { path: 'status.abort', before: false, after: true };
const retry: FieldChange = { path: 'status.abort', before: true, after: false };
const pauses: FieldChange = {
  path: 'status.pauseConditions',
  before: [{ reason: 'CanaryPauseStep', startTime: '2026-11-25T01:05:28Z' }],
};

/** One plan of each kind, as its planner makes it. */
const cases: Readonly<Record<string, Case>> = {
  'patch-strategy': {
    remediation: buildPatchStrategy(),
    request: merge({ spec: { strategy: strategyBody } }),
    changes: [surge],
    undo: {
      request: merge({
        spec: { strategy: { ...strategyBody, rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } },
      }),
      expects: [surge],
    },
  },
  'patch-strategy to Recreate': {
    remediation: buildPatchStrategy({ strategy: { type: 'Recreate' } }),
    request: merge({ spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }),
    changes: [
      { path: 'spec.strategy.type', before: 'RollingUpdate', after: 'Recreate' },
      { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%' },
      { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: 1 },
    ],
  },
  'scale-down-old': {
    remediation: {
      ...offered,
      kind: 'scale-down-old',
      replicaSet: 'inference-1',
      uid: 'rs1',
      from: 1,
      to: 0,
    },
    target: { ...own, kind: 'ReplicaSet', name: 'inference-1', uid: 'rs1' },
    request: { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: 0 } } },
    changes: [{ path: 'spec.replicas', before: 1, after: 0 }],
  },
  'undo-rollout': {
    remediation: { ...offered, kind: 'undo-rollout', toRevision: 1, from },
    request: { verb: 'restore-template', from },
    changes: [image],
    undo: { request: { verb: 'restore-template', from: present }, expects: [], expectsTemplateOf: from },
  },
  'delete-pod': {
    remediation: {
      ...offered,
      kind: 'delete-pod',
      pod: 'inference-x',
      uid: 'p1',
      purpose: 'unstick',
      mustStayReadySeconds: 9,
    },
    target: { apiVersion: 'v1', kind: 'Pod', namespace: 'ml', name: 'inference-x', uid: 'p1' },
    request: { verb: 'delete' },
    changes: [],
  },
  'exclude-nodes': {
    remediation: {
      ...offered,
      kind: 'exclude-nodes',
      nodes: [{ name: 'n-a', hostname: 'host-a' }],
      remindAfterHours: 24,
    },
    request: affinity(required(excluded)),
    changes: [exclusion],
    undo: { request: affinity(null), expects: [exclusion] },
  },
  'restart-rollout': {
    remediation: { ...offered, kind: 'restart-rollout' },
    request: { verb: 'restart' },
    changes: [{ path: restartedAtPath('Deployment'), after: '<now>' }],
  },
  'resume-rollout': {
    remediation: { ...offered, kind: 'resume-rollout' },
    request: merge({ spec: { paused: false } }),
    changes: [{ path: 'spec.paused', before: true, after: false }],
    undo: {
      request: merge({ spec: { paused: true } }),
      expects: [{ path: 'spec.paused', before: true, after: false }],
    },
  },
  'abort-rollout': {
    workload: rollout,
    remediation: { ...offered, kind: 'abort-rollout' },
    target: ofUpdate,
    request: status({ abort: true }),
    changes: [abort],
    undo: { request: status({ abort: false }), expects: [abort] },
  },
  'retry-rollout': {
    workload: rollout,
    remediation: { ...offered, kind: 'retry-rollout' },
    target: ofUpdate,
    request: status({ abort: false }),
    changes: [retry],
    undo: { request: status({ abort: true }), expects: [retry] },
  },
  'promote-rollout': {
    workload: rollout,
    remediation: { ...offered, kind: 'promote-rollout' },
    target: ofPause,
    request: status({ pauseConditions: null }),
    changes: [pauses],
  },
  'promote-rollout after an analysis without a conclusion': {
    workload: rollout,
    remediation: { ...offered, kind: 'promote-rollout' },
    target: ofPause,
    request: status({ pauseConditions: null, controllerPause: false, currentStepIndex: 2 }),
    changes: [
      pauses,
      { path: 'status.controllerPause', before: true, after: false },
      { path: 'status.currentStepIndex', before: 1, after: 2 },
    ],
  },
};

function claimed({ workload: of = workload, ...each }: Case): ClaimedPlan {
  const { remediation, target = own, request, changes, undo } = each;
  const plan: Plan = {
    type: 'plan',
    remediationId: remediation.id,
    target,
    request,
    changes,
    ...(undo === undefined ? {} : { undo }),
  };
  return { workload: of, remediation, undoes: false, plan };
}

/** The plan that undoes the change, as it is computed from the stored undo. */
function undone(each: Case): ClaimedPlan {
  const { remediation, undo } = each;
  if (undo === undefined) throw new Error('has no undo');
  const changes =
    undo.request.verb === 'restore-template'
      ? each.changes
      : undo.expects.map(({ path, before, after }) => ({ path, before: after, after: before }));
  const plan: Plan = {
    type: 'plan',
    remediationId: `undo-${remediation.id}`,
    target: each.target ?? own,
    request: undo.request,
    changes,
  };
  return { workload: each.workload ?? workload, remediation, undoes: true, plan };
}

const named = Object.entries(cases);
const undoable = named.filter(([, { undo }]) => undo !== undefined);
const everyPlan = [
  ...named.map(([name, each]) => [name, each, claimed(each)] as const),
  ...undoable.map(([name, each]) => [`undo of ${name}`, each, undone(each)] as const),
];
const evilBody = { spec: { template: { spec: { containers: [{ name: 'app', image: 'evil' }] } } } };
const requests: readonly ChangeRequest[] = [
  { verb: 'delete' },
  { verb: 'restart' },
  { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'evil', uid: 'evil' } },
  { verb: 'restore-template', from: { kind: 'ControllerRevision', name: 'evil', uid: 'evil' } },
  merge(evilBody),
  merge({}),
  merge({ spec: {} }),
  merge({ spec: { replicas: 0 } }),
  merge({ spec: { paused: true } }),
  merge({ metadata: { annotations: { 'rollout-doctor.dev/approval': 'x' } } }),
  { verb: 'patch', patchType: 'json', body: [{ op: 'remove', path: '/spec/template' }] },
  { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: 7 } } },
  status({ abort: true, promoteFull: true }),
  status({ pauseConditions: null, currentStepIndex: 7 }),
  status({ promoteFull: true }),
];

describe('the plan of a kind', () => {
  it('is tried for every kind', () => {
    const tried = new Set(named.map(([, { remediation }]) => remediation.kind));
    expect([...tried].toSorted()).toEqual(kinds.map(({ kind }) => kind).toSorted());
  });

  it.each(named)('%s is recognized as one that the kind makes', (_, each) => {
    expect(isPlanOfKind(claimed(each))).toBe(true);
  });

  it.each(undoable)('%s is undone by a plan that the kind makes', (_, each) => {
    expect(isPlanOfKind(undone(each))).toBe(true);
  });

  it.each(everyPlan)('%s is the same after it was stored', (_, _each, { plan }) => {
    expect(Plan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it('is not recognized as a plan of another kind', () => {
    for (const [name, each] of named) {
      for (const [otherName, other] of named) {
        if (
          name === otherName ||
          (each.remediation.kind === other.remediation.kind && each.workload !== undefined)
        )
          continue;
        expect(
          isPlanOfKind(claimed({ ...each, remediation: other.remediation })),
          `${name} as ${otherName}`,
        ).toBe(false);
      }
    }
  });
});

describe('a forged plan', () => {
  const own = (each: Case, request: ChangeRequest) =>
    JSON.stringify(each.request) === JSON.stringify(request);

  it.each(everyPlan)('%s is refused with any other request', (name, each, { plan, ...claim }) => {
    for (const request of requests) {
      // Rolling forward names the abandoned revision: its seal and the seal of the template identify it.
      const isOtherRevision = request.verb === 'restore-template' && request.from.kind === 'ReplicaSet';
      if (name === 'undo of undo-rollout' && isOtherRevision) continue;
      if (own(each, request) || JSON.stringify(plan.request) === JSON.stringify(request)) continue;
      expect(isPlanOfKind({ ...claim, plan: { ...plan, request } }), JSON.stringify(request)).toBe(false);
    }
  });

  it.each(['ml/../kube-system', '-ml', 'ML', ''])(
    'is refused for %j, which is no name of an object',
    (bad) => {
      const { plan, ...claim } = claimed(cases['patch-strategy'] as Case);
      for (const named of [{ namespace: bad }, { name: bad }]) {
        const target = { ...plan.target, ...named };
        const of = { ...claim, workload: { ...claim.workload, ...named } };
        expect(isPlanOfKind({ ...of, plan: { ...plan, target } })).toBe(false);
      }
    },
  );

  it.each(everyPlan)('%s is refused with another field in its body', (_, _each, { plan, ...claim }) => {
    if (plan.request.verb !== 'patch') return;
    const body = plan.request.body as Readonly<Record<string, object>>;
    const [[part = '', fields] = []] = Object.entries(body);
    for (const forged of [
      { [part]: { ...fields, replicas: 5 } },
      { ...body, metadata: { labels: {} } },
      { ...body, kind: 'x' },
    ]) {
      const request = { ...plan.request, body: forged };
      expect(isPlanOfKind({ ...claim, plan: { ...plan, request } }), JSON.stringify(forged)).toBe(false);
    }
  });

  it.each(everyPlan)('%s is refused for any other object', (_, _each, { plan, ...claim }) => {
    const { target } = plan;
    const { generation: _any, ...anyGeneration } = target;
    const targets: readonly Plan['target'][] = [
      { ...target, namespace: 'payments' },
      { ...target, name: 'web' },
      { ...target, name: '../../secrets/x' },
      { ...target, name: '..' },
      { ...target, kind: 'Secret' },
      { ...target, kind: 'StatefulSet' },
      { ...target, kind: 'Namespace' },
      { ...target, apiVersion: 'batch/v1' },
      ...(target.generation === undefined ? [] : [anyGeneration]),
    ];
    for (const each of targets) {
      expect(isPlanOfKind({ ...claim, plan: { ...plan, target: each } }), JSON.stringify(each)).toBe(false);
    }
  });

  it.each(everyPlan)(
    '%s is refused when it shows other fields than it writes',
    (_, _each, { plan, ...claim }) => {
      const extra = { path: 'metadata.labels.x', before: 'a', after: 'b' };
      expect(isPlanOfKind({ ...claim, plan: { ...plan, changes: [...plan.changes, extra] } })).toBe(false);
      if (plan.changes.length === 0 || plan.request.verb === 'restore-template') return;
      expect(isPlanOfKind({ ...claim, plan: { ...plan, changes: [] } })).toBe(false);
      const changes = plan.changes.map((change) => ({ ...change, after: 'another' }));
      expect(isPlanOfKind({ ...claim, plan: { ...plan, changes } })).toBe(false);
    },
  );

  it.each(everyPlan)('%s is refused with any other undo', (_, _each, { plan, ...claim }) => {
    const undoPlans: readonly UndoPlan[] = [
      { request: merge(evilBody), expects: plan.undo?.expects ?? [] },
      { request: merge(evilBody), expects: [] },
      { request: { verb: 'delete' }, expects: plan.undo?.expects ?? [] },
      { request: { verb: 'restart' }, expects: [] },
      {
        request: { verb: 'restore-template', from: { kind: 'ControllerRevision', name: 'x', uid: 'x' } },
        expects: [],
      },
      ...(plan.undo === undefined ? [] : [{ ...plan.undo, expects: [...plan.undo.expects, image] }]),
    ];
    for (const undo of undoPlans) {
      expect(isPlanOfKind({ ...claim, plan: { ...plan, undo } }), JSON.stringify(undo)).toBe(false);
    }
  });

  it.each(everyPlan)('%s is refused for any other workload, remediation or direction', (_, each, claim) => {
    expect(isPlanOfKind({ ...claim, undoes: !claim.undoes })).toBe(false);
    expect(isPlanOfKind({ ...claim, workload: { ...claim.workload, namespace: 'payments' } })).toBe(false);
    expect(isPlanOfKind({ ...claim, remediation: { ...each.remediation, id: 'another' } })).toBe(false);
    expect(isPlanOfKind({ ...claim, plan: { ...claim.plan, remediationId: 'another' } })).toBe(false);
  });
});

describe('a plan in two steps', () => {
  const set: WorkloadRef = { cluster: 'prod', kind: 'StatefulSet', namespace: 'ml', name: 'db' };
  const source = { kind: 'ControllerRevision', name: 'db-1', uid: 'cr1' } as const;
  const remediation: Remediation = {
    ...offered,
    kind: 'undo-rollout',
    toRevision: 1,
    from: source,
    thenDelete: ['db-1', 'db-2'],
  };
  const pods = [
    { name: 'db-1', uid: 'p1' },
    { name: 'db-2', uid: 'p2' },
  ];
  const plan: Plan = {
    type: 'plan',
    remediationId: remediation.id,
    target: { ...own, kind: 'StatefulSet', name: 'db' },
    request: { verb: 'restore-template', from: source },
    changes: [image],
    afterwards: { verb: 'delete-pods', pods },
  };
  const isMade = (
    steps: readonly { readonly name: string; readonly uid: string }[],
    more: Partial<ClaimedPlan> = {},
  ) =>
    isPlanOfKind({
      workload: set,
      remediation,
      undoes: false,
      plan: { ...plan, afterwards: { verb: 'delete-pods', pods: [...steps] } },
      ...more,
    });

  it('is recognized as one that undo-rollout makes for a StatefulSet, with and without the second step', () => {
    const { afterwards: _none, ...oneStep } = plan;

    expect(isMade(pods)).toBe(true);
    expect(isPlanOfKind({ workload: set, remediation, undoes: false, plan: oneStep })).toBe(true);
  });

  it.each<[string, readonly { readonly name: string; readonly uid: string }[]]>([
    ['no pod', []],
    ['fewer pods than the remediation names', pods.slice(0, 1)],
    ['a pod more', [...pods, { name: 'db-3', uid: 'p3' }]],
    ['the same pod twice', [pods[0], pods[0]].flatMap((pod) => pod ?? [])],
    ['two pods of one uid', pods.map((pod) => ({ ...pod, uid: 'p1' }))],
    ['a pod without uid', pods.map(({ name }, at) => ({ name, uid: at === 0 ? '' : 'p2' }))],
    ['another order', pods.toReversed()],
  ])('is refused as forged with %s', (_, steps) => {
    expect(isMade(steps)).toBe(false);
  });

  it.each(['web-1', 'db-x', 'db', 'db-', 'db-01', 'db-1/../../secrets/x', 'adb-1', 'db-1-2'])(
    'is refused when it deletes a pod %s, whatever the remediation names',
    (name) => {
      const claim = { remediation: { ...remediation, thenDelete: [name] } };

      expect(isMade([{ name, uid: 'p1' }], claim)).toBe(false);
    },
  );

  it('is refused for any other workload, kind or undo', () => {
    const ofDeployment = { ...set, kind: 'Deployment' } as const;
    expect(isMade(pods, { workload: ofDeployment, plan: { ...plan, target: own } })).toBe(false);
    expect(isMade(pods, { plan: { ...plan, remediationId: `undo-${remediation.id}` }, undoes: true })).toBe(
      false,
    );
    for (const [name, each] of named) {
      const claim = claimed(each);
      const forged = { ...claim.plan, afterwards: { verb: 'delete-pods' as const, pods } };
      expect(isPlanOfKind({ ...claim, plan: forged }), name).toBe(false);
    }
  });
});
