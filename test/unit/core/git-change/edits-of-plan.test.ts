import { describe, expect, it } from 'vitest';
import { editsOfPlan, isRefusedByApply } from '#src/core/git-change/edits-of-plan.js';
import type { PatchStrategy } from '#src/core/remediation/kinds/patch-strategy/record.js';
import { planRemediation } from '#src/core/remediation/plan-remediation.js';
import { buildPatchStrategy } from '#support/records.js';
import { buildSnapshot, planned } from '#support/remediation-builders.js';
import { buildDeployment } from '#support/rollout-builders.js';

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
