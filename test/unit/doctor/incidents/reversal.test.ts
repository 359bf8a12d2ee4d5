import { describe, expect, it } from 'vitest';
import type { Change } from '#src/doctor/incidents/incident.js';
import { reversalOf } from '#src/doctor/incidents/incident.js';
import { judge } from '#src/doctor/incidents/judge.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { ManagedFieldsEntry } from '#src/engine/objects/metadata.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

const surge = 'spec.strategy.rollingUpdate.maxSurge';
const unavailable = 'spec.strategy.rollingUpdate.maxUnavailable';
const appliedAt = '2026-11-20T09:31:00.400Z';
const change: Change = {
  approvalId: 'a1',
  cause: 'surge-deadlock',
  remediation: buildPatchStrategy(),
  undoes: false,
  approvedBy: ['U0DANA'],
  approvedAt: '2026-11-20T09:30:58Z',
  appliedAt,
  undo: {
    request: { verb: 'patch', patchType: 'merge', body: {} },
    expects: [
      { path: surge, before: 1, after: 0 },
      { path: unavailable, before: 0, after: 1 },
    ],
  },
};
const { cause: _, ...withoutCause } = change;
const requested: Change = { ...withoutCause, requested: { by: 'U0DANA', at: change.approvedAt } };

const both = { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} };

interface EntryOptions {
  readonly operation?: string;
  readonly time?: string | undefined;
  readonly owned?: object;
  readonly subresource?: string;
}

function entry(
  manager: string,
  { operation = 'Update', time = '2026-11-20T09:31:02Z', owned = both, subresource = '' }: EntryOptions = {},
): ManagedFieldsEntry {
  return ManagedFieldsEntry.parse({
    manager,
    operation,
    subresource,
    apiVersion: 'apps/v1',
    ...(time === undefined ? {} : { time }),
    fieldsV1: { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': owned } } },
  });
}

interface Live {
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly annotations?: Record<string, string>;
  readonly ownerReferences?: Workload['metadata']['ownerReferences'];
  readonly status?: object;
}

const argoCd = { 'argocd.argoproj.io/tracking-id': 'team_shop:apps/Deployment:shop/web' };
const healed: Live = {
  maxSurge: 1,
  maxUnavailable: 0,
  annotations: argoCd,
  managedFields: [entry('rollout-doctor', { owned: {} }), entry('argocd-controller')],
};

function snapshotOf({ managedFields = [], ownerReferences = [], ...fields }: Live): Snapshot {
  const built = buildDeployment({ maxSurge: 0, maxUnavailable: 1, ...fields });
  return {
    takenAt: '2026-11-20T09:31:05Z',
    cluster: 'prod',
    workload: { ...built, metadata: { ...built.metadata, managedFields, ownerReferences } },
    index: indexObjects(clusterObjects({})),
    logs: [],
    unseen: [],
  };
}

describe('a change that another client wrote over', () => {
  it('names the owner behind the field manager, the fields, and the time of the write', () => {
    expect(reversalOf(change, snapshotOf(healed))).toEqual({
      paths: [surge, unavailable],
      isFormer: true,
      by: {
        manager: 'argocd-controller',
        operation: 'Update',
        at: '2026-11-20T09:31:02Z',
        owner: { by: 'Argo CD', kind: 'Application', namespace: 'team', name: 'shop' },
      },
    });
  });

  it('names the client that wrote last', () => {
    const managedFields = [
      entry('argocd-controller', { time: '2026-11-20T09:31:02Z' }),
      entry('kubectl-edit', { time: '2026-11-20T09:31:04Z' }),
    ];
    const by = reversalOf(change, snapshotOf({ ...healed, managedFields }))?.by;

    expect(by).toMatchObject({ manager: 'kubectl-edit' });
    expect(by).not.toHaveProperty('owner');
  });

  it('names only the field that another client wrote, and that its value is a new one', () => {
    const managedFields = [
      entry('rollout-doctor', { owned: { 'f:maxUnavailable': {} } }),
      entry('argocd-controller', { operation: 'Apply', owned: { 'f:maxSurge': {} } }),
    ];

    expect(
      reversalOf(change, snapshotOf({ ...healed, maxSurge: 2, maxUnavailable: 1, managedFields })),
    ).toMatchObject({ paths: [surge], isFormer: false, by: { operation: 'Apply' } });
  });

  it('names the controller above the workload behind a manager that is not known', () => {
    const ownerReferences = [
      {
        apiVersion: 'serving.kserve.io/v1',
        kind: 'InferenceService',
        name: 'llm',
        uid: 'x',
        controller: true,
      },
    ];
    const operated = { ...healed, annotations: {}, ownerReferences, managedFields: [entry('manager')] };

    expect(reversalOf(change, snapshotOf(operated))?.by).toMatchObject({
      manager: 'manager',
      owner: { by: 'operator', kind: 'InferenceService', name: 'llm' },
    });
  });

  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['nobody owns the fields', []],
    ['the entry is older than the change', [entry('argocd-controller', { time: '2026-11-20T09:30:00Z' })]],
    ['the entry is of a subresource', [entry('kube-controller-manager', { subresource: 'status' })]],
    ['older entries were merged', [entry('ancient-changes')]],
  ])('names nobody where %s', (__, managedFields) => {
    expect(reversalOf(change, snapshotOf({ ...healed, managedFields }))).toEqual({
      paths: [surge, unavailable],
      isFormer: true,
    });
  });

  it.each<[string, Live, Partial<Change>]>([
    ['while its fields hold', { managedFields: [entry('rollout-doctor')] }, {}],
    ['where a webhook made other values of it', { ...healed, managedFields: [entry('rollout-doctor')] }, {}],
    ['before it is sent', healed, { appliedAt: undefined }],
    ['without an undo', healed, { undo: undefined }],
    ['as an undo', healed, { undoes: true }],
  ])('is none %s', (__, live, fields) => {
    expect(reversalOf({ ...change, ...fields } as Change, snapshotOf(live))).toBeUndefined();
  });
});

describe('the verdict on a change that another client wrote over', () => {
  interface Look {
    readonly change?: Change;
    readonly live?: Live;
    readonly found?: boolean;
    readonly ready?: number;
    readonly late?: boolean;
  }

  const complete = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

  function judged({ change: of = change, live = healed, found = true, ready = 1, late = false }: Look) {
    return judge({
      change: of,
      before: buildDiagnosis({ ready: { pods: 1, wanted: 1 } }),
      now: buildDiagnosis({ findings: found ? [buildFinding()] : [], ready: { pods: ready, wanted: 1 } }),
      snapshot: snapshotOf(live),
      late,
    });
  }

  const calm = { ...healed, status: complete };
  it.each<[string, Look, string | undefined]>([
    ['reverted before the deadline, while the cause is found', {}, 'reverted'],
    ['recovered where it helped all the same', { live: calm, found: false }, 'recovered'],
    ['open while fewer pods are ready', { ready: 0 }, undefined],
    ['worse at the deadline with fewer pods ready', { ready: 0, late: true }, 'worse'],
    [
      'open until the controller has observed it',
      { live: { ...healed, status: { observedGeneration: 1 } } },
      undefined,
    ],
    [
      'reverted at the deadline, observed or not',
      { live: { ...healed, status: { observedGeneration: 1 } }, late: true },
      'reverted',
    ],
    [
      'unchanged where the fields hold',
      { live: { managedFields: [entry('rollout-doctor')] }, late: true },
      'unchanged',
    ],
    [
      'reverted for a change that a person requested, although the rollout is complete',
      { change: requested, live: calm, found: false },
      'reverted',
    ],
  ])('is %s', (__, look, verdict) => {
    const judgement = judged(look);

    expect(judgement.verdict).toBe(verdict);
    expect(judgement.reversal?.by?.manager).toBe(verdict === 'reverted' ? 'argocd-controller' : undefined);
  });
});
