import { describe, expect, it } from 'vitest';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { applyConfiguration } from '../../../../../demo/cluster/patch/server-side-apply.js';
import { updateObject } from '../../../../../demo/cluster/registry/update-object.js';
import { requireResourceType } from '../../../../../demo/cluster/resources/resource-types.js';
import { create, current, deployment, patch, refusalOf, testCluster } from '../builders.js';

const type = requireResourceType('apps', 'deployments');

describe('managed fields', () => {
  it('belong to the manager that created the object, defaults included', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    expect(made.metadata.managedFields).toHaveLength(1);
    expect(made.metadata.managedFields?.[0]).toMatchObject({
      manager: 'test',
      operation: 'Update',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:replicas': {},
          'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { 'f:maxSurge': {} } },
          'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:image': {} } } } },
        },
      },
    });
  });

  it('move to the manager that changes them', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    updateObject(
      state.registry,
      type,
      'shop',
      'web',
      (object) => applyMergePatch(object, { spec: { strategy: { rollingUpdate: { maxSurge: 0 } } } }),
      { manager: 'rollout-doctor', user: 'admin', dryRun: false, subresource: '', replaces: false },
    );
    const entries = current(state, made)?.metadata.managedFields ?? [];
    expect(entries.map(({ manager }) => manager)).toEqual(['test', 'rollout-doctor']);
    expect(entries[1]?.fieldsV1).toEqual({
      'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } },
    });
    expect(JSON.stringify(entries[0]?.fieldsV1)).not.toContain('f:maxSurge');
  });

  it('are separate for the status', () => {
    const { state } = testCluster();
    const made = create(state, deployment());
    patch(state, made, (object) => ({ ...object, status: { replicas: 1 } }), 'status');
    const entries = current(state, made)?.metadata.managedFields ?? [];
    expect(entries.map(({ subresource }) => subresource)).toEqual([undefined, 'status']);
  });
});

describe('server-side apply', () => {
  const apply = {
    manager: 'argocd-controller',
    operation: 'Apply',
    subresource: '',
    time: '2026-11-20T09:00:00Z',
  } as const;

  it('refuses to take over a field that another manager set to another value, and names both', () => {
    const { state } = testCluster();
    const live = create(state, deployment({ replicas: 1 }));
    const refusal = refusalOf(() => applyConfiguration(live, { spec: { replicas: 3 } }, apply, false));
    expect(refusal).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "test" using apps/v1: .spec.replicas',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] },
    });
  });

  it('shares a field that already has the wanted value', () => {
    const { state } = testCluster();
    const live = create(state, deployment({ replicas: 2 }));
    const { object, taken } = applyConfiguration(live, { spec: { replicas: 2 } }, apply, false);
    expect(object.spec).toEqual(live.spec);
    expect(taken.size).toBe(0);
  });

  it('removes the fields that the manager applied before and no longer sends', () => {
    const { state } = testCluster();
    const live = create(state, deployment());
    const withOwn = {
      ...live,
      metadata: {
        ...live.metadata,
        labels: { team: 'ml' },
        managedFields: [
          ...(live.metadata.managedFields ?? []),
          {
            manager: apply.manager,
            operation: 'Apply' as const,
            apiVersion: 'apps/v1',
            time: apply.time,
            fieldsType: 'FieldsV1' as const,
            fieldsV1: { 'f:metadata': { 'f:labels': { 'f:team': {} } } },
          },
        ],
      },
    };
    const { object } = applyConfiguration(withOwn, { spec: { paused: true } }, apply, false);
    expect(object.metadata).not.toHaveProperty('labels.team');
    expect(object.spec).toMatchObject({ paused: true });
  });
});
