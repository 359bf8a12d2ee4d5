import { describe, expect, it } from 'vitest';
import type { PatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import type { FieldChange, Plan, UndoPlan } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { isPlanOfKind, planRemediation } from '#src/doctor/fixes/remediation.js';
import { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { buildArgoRollout } from '../../../../support/argo-rollout-builders.js';
import { buildPatchStrategy } from '../../../../support/records.js';
import { buildSnapshot, planned } from '../../../../support/remediation-builders.js';

type Strategy = PatchStrategy['strategy'];
const inPlace: Strategy = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 };

function groups(rolloutStrategy: object = {}, workers: object = {}): LeaderWorkerSet {
  return LeaderWorkerSet.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 2 },
    spec: {
      replicas: 2,
      rolloutStrategy,
      leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'app' }] } }, ...workers },
    },
  });
}
const canary = (fields: object = {}, spec: object = {}) => buildArgoRollout({ canary: fields, spec });
const rolling = (fields: object) => groups({ rollingUpdateConfiguration: fields });

const planFor = (workload: Workload, strategy: Strategy = inPlace) =>
  planRemediation(buildPatchStrategy({ strategy }), buildSnapshot(workload));

const inCanary = (bounds: object) => ({ spec: { strategy: { canary: bounds } } });
const inGroups = (bounds: object) => ({ spec: { rolloutStrategy: { rollingUpdateConfiguration: bounds } } });
const change = (path: string, before: unknown, after: unknown): FieldChange => ({ path, before, after });
const inCanaryPath = 'spec.strategy.canary.maxSurge';
const inGroupsPath = 'spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge';

interface Case {
  readonly workload: Workload;
  readonly body: object;
  readonly former: object;
  readonly changes: readonly FieldChange[];
}
const cases: Readonly<Record<string, Case>> = {
  'of a canary that surges': {
    workload: canary({ maxSurge: '25%', maxUnavailable: 1, steps: [{ setWeight: 20 }] }),
    body: inCanary({ maxSurge: 0, maxUnavailable: 1 }),
    former: inCanary({ maxSurge: '25%', maxUnavailable: 1 }),
    changes: [change(inCanaryPath, '25%', 0)],
  },
  'of a canary without its own': {
    workload: canary(),
    body: inCanary({ maxSurge: 0, maxUnavailable: 1 }),
    former: inCanary({ maxSurge: null, maxUnavailable: null }),
    changes: [
      change(inCanaryPath, undefined, 0),
      change('spec.strategy.canary.maxUnavailable', undefined, 1),
    ],
  },
  'of groups that surge': {
    workload: rolling({ maxSurge: 1, maxUnavailable: 0, partition: 1 }),
    body: inGroups({ maxSurge: 0, maxUnavailable: 1 }),
    former: inGroups({ maxSurge: 1, maxUnavailable: 0 }),
    changes: [
      change(inGroupsPath, 1, 0),
      change('spec.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable', 0, 1),
    ],
  },
};
const named = Object.entries(cases);

describe('a plan for the two bounds', () => {
  it.each(named)('%s sets them and nothing else, and its undo puts back what was there', (_, each) => {
    const plan = planned(planFor(each.workload));

    expect(plan.request).toEqual({ verb: 'patch', patchType: 'merge', body: each.body });
    expect(plan.undo?.request).toEqual({ verb: 'patch', patchType: 'merge', body: each.former });
    expect(plan.changes).toEqual(each.changes);
    expect(plan.undo?.expects).toEqual(each.changes);
    expect(plan.target).toMatchObject({ kind: each.workload.kind, uid: 'web-uid', generation: 2 });
  });

  it.each<[string, Workload, Strategy, string]>([
    ['of blue and green', buildArgoRollout({ blueGreen: {} }), inPlace, 'not-applicable'],
    ['of a router of traffic', canary({ trafficRouting: { smi: {} } }), inPlace, 'not-applicable'],
    ['for Recreate', canary(), { type: 'Recreate' }, 'not-applicable'],
    ['of a paused Rollout', canary({}, { paused: true }), inPlace, 'paused'],
    ['of a canary that has them', canary({ maxSurge: 0, maxUnavailable: 1 }), inPlace, 'already-applied'],
    ['of groups that have them', rolling({ maxSurge: 0, maxUnavailable: 1 }), inPlace, 'already-applied'],
  ])('%s is refused', (_, workload, strategy, reason) => {
    expect(planFor(workload, strategy)).toMatchObject({
      type: 'refusal',
      reason,
      because: { key: reason, values: { workload: 'shop/web' } },
    });
  });
});

const claimOf = ({ kind }: Workload, plan: Plan, strategy: Strategy = inPlace) => ({
  workload: { cluster: 'prod', kind, namespace: 'shop', name: 'web' },
  remediation: buildPatchStrategy({ strategy }),
  undoes: false,
  plan,
});

describe('a stored plan for the two bounds', () => {
  it.each(named)('%s is one that the kind makes, and so is its undo', (_, { workload }) => {
    const plan = planned(planFor(workload));
    expect(isPlanOfKind(claimOf(workload, plan))).toBe(true);
    const set = planned(planFor(workload)).request;
    if (plan.undo === undefined || set.verb !== 'patch') throw new Error('must be a patch with an undo');
    const after = workload.kind === 'Rollout' ? canary(bounds) : rolling(bounds);
    const undo = planUndo('patch-strategy-0-1', plan.undo, buildSnapshot(after));
    if (undo.type !== 'plan') throw new Error(JSON.stringify(undo));
    const remediation = buildPatchStrategy({ strategy: inPlace, id: 'patch-strategy-0-1' });
    expect(isPlanOfKind({ ...claimOf(workload, undo), remediation, undoes: true })).toBe(true);
  });
  const bounds = { maxSurge: 0, maxUnavailable: 1 };

  it.each(named)('%s is forged where anything else differs', (_, { workload, changes, former }) => {
    const plan = planned(planFor(workload));
    const undo = plan.undo as UndoPlan;
    const [first] = changes;
    if (first === undefined) throw new Error('changes nothing');
    const patch = (body: unknown) => ({ verb: 'patch', patchType: 'merge', body }) as Plan['request'];
    const formerly = (before: unknown): UndoPlan => ({
      request: patch(
        JSON.parse(
          JSON.stringify(former, (key, value: unknown) => (key === 'maxSurge' ? (before ?? null) : value)),
        ),
      ),
      expects: [{ ...first, before }, ...changes.slice(1)],
    });
    // What is put back may be any count or percentage, with or without its sign.
    const amounts = [3, 0, '10%', '10', undefined];
    const withUndo = (one: UndoPlan): Plan => ({ ...plan, changes: one.expects, undo: one });
    const shown = (one: Plan) => isPlanOfKind(claimOf(workload, one));
    const changed = amounts.filter((before) => before !== first.after);
    expect(changed.map((before) => [before, shown(withUndo(formerly(before)))])).toEqual(
      changed.map((before) => [before, true]),
    );
    const others = [-1, 1.5, '1.5%', 'x', '%', ' 1', '12345678901', {}, true];
    expect(others.map((before) => [before, shown(withUndo(formerly(before)))])).toEqual(
      others.map((before) => [before, false]),
    );
    const wrong: Readonly<Record<string, Plan>> = {
      'no change': { ...plan, changes: [] },
      'a change of another field': { ...plan, changes: [...changes, change('spec.replicas', 1, 0)] },
      'a change to another value': { ...plan, changes: [{ ...first, after: 7 }, ...changes.slice(1)] },
      'the bounds of another kind': {
        ...plan,
        request: patch(workload.kind === 'Rollout' ? inGroups(bounds) : inCanary(bounds)),
      },
      'another bound': {
        ...plan,
        request: patch(workload.kind === 'Rollout' ? inCanary({ ...bounds, maxSurge: 9 }) : inGroups({})),
      },
      'an undo that expects nothing': withUndo({ ...undo, expects: [] }),
      'an undo that puts back something else': { ...plan, undo: { ...undo, request: patch({ spec: {} }) } },
      'an undo that expects another value': {
        ...plan,
        undo: { ...undo, expects: [{ ...first, after: 7 }, ...changes.slice(1)] },
      },
      'an undo that waits for a template': {
        ...plan,
        undo: { ...undo, expectsTemplateOf: { kind: 'ReplicaSet', name: 'web-1', uid: 'u' } },
      },
      'another object': { ...plan, target: { ...plan.target, name: 'db' } },
    };
    expect(Object.entries(wrong).filter(([, one]) => shown(one))).toEqual([]);
    expect(isPlanOfKind(claimOf(workload, plan, { type: 'Recreate' }))).toBe(false);
  });
});
