import { describe, expect, it } from 'vitest';
import { plannedWorkload } from '#src/doctor/forecasts/planned-workload.js';
import { Deployment, StatefulSet } from '#src/engine/objects/workload.js';
import { sameTemplate } from '#src/engine/workloads/template-equality.js';

const selector = { matchLabels: { app: 'web' } };
const template = (more: object = {}) => ({
  metadata: { labels: { app: 'web' }, ...more },
  spec: { containers: [{ name: 'app', image: 'web:1' }] },
});

function live(spec: object, lastApplied?: object): Deployment {
  const annotations =
    lastApplied === undefined
      ? {}
      : { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: lastApplied }) };
  return Deployment.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'u', generation: 4, annotations },
    spec: { selector, template: template(), ...spec },
    status: { readyReplicas: 2 },
  });
}

function planned(spec: object, before: Deployment | undefined): Deployment {
  const raw = {
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector, template: template(), ...spec },
  };
  const workload = plannedWorkload({ kind: 'Deployment', namespace: 'shop', name: 'web', raw }, before);
  if (workload.kind !== 'Deployment') throw new Error('the kind changed');
  return workload;
}

const surge = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } };

describe('plannedWorkload', () => {
  it.each<[string, object, Deployment, object]>([
    ['keeps replicas that an autoscaler set', {}, live({ replicas: 7 }), { replicas: 7 }],
    ['uses the replicas of the manifest', { replicas: 3 }, live({ replicas: 7 }), { replicas: 3 }],
    [
      'restores the default of a field that the manifest no longer contains',
      {},
      live({ replicas: 7 }, { replicas: 7 }),
      { replicas: 1 },
    ],
    ['keeps a strategy that was patched by hand', {}, live({ strategy: surge }), { strategy: surge }],
    [
      'keeps the bound that the manifest leaves out',
      { strategy: { rollingUpdate: { maxSurge: 1 } } },
      live({ strategy: surge }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    ],
    [
      'gives the default to a bound that the manifest contained before',
      { strategy: { rollingUpdate: { maxSurge: 1 } } },
      live({ strategy: surge }, { strategy: surge }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } },
    ],
    [
      'drops the bounds under Recreate',
      { strategy: { type: 'Recreate' } },
      live({ strategy: surge }),
      { strategy: { type: 'Recreate', rollingUpdate: undefined } },
    ],
    ['keeps a pause', {}, live({ paused: true }), { paused: true }],
    ['treats null as omitted', { replicas: null }, live({ replicas: 7 }), { replicas: 7 }],
    ['keeps the time that a pod must be ready', {}, live({ minReadySeconds: 5 }), { minReadySeconds: 5 }],
    ['keeps the deadline', {}, live({ progressDeadlineSeconds: 60 }), { progressDeadlineSeconds: 60 }],
    ['keeps how many revisions are kept', {}, live({ revisionHistoryLimit: 3 }), { revisionHistoryLimit: 3 }],
    [
      'takes both bounds of the manifest',
      { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 4 } } },
      live({ strategy: surge }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 4 } } },
    ],
    [
      'gives the default to a surge that the manifest contained before',
      { strategy: { rollingUpdate: { maxUnavailable: 1 } } },
      live({ strategy: surge }, { strategy: surge }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } },
    ],
    [
      'gives the defaults to missing bounds',
      { strategy: { rollingUpdate: {} } },
      live({ strategy: { type: 'Recreate' } }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } },
    ],
    [
      'treats null bounds as missing',
      { strategy: { type: 'Recreate', rollingUpdate: null } },
      live({ strategy: surge }),
      { strategy: { type: 'Recreate' } },
    ],
  ])('%s', (_, spec, before, expected) => {
    expect(planned(spec, before).spec).toMatchObject(expected);
  });

  it('keeps uid and status, increments the generation, and does not count the restart annotation as a change', () => {
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T08:00:00Z' };
    const before = live({ template: template({ annotations: restartedAt }) });
    const after = planned({}, before);
    expect(after.metadata).toMatchObject({ uid: 'u', generation: 5, namespace: 'shop' });
    expect(after.status.readyReplicas).toBe(2);
    expect(sameTemplate(after.spec.template, before.spec.template)).toBe(true);
  });

  it('removes an annotation that the manifest contained before', () => {
    const annotated = template({ annotations: { team: 'a' } });
    const before = live({ template: annotated }, { template: annotated });
    expect(planned({}, before).spec.template.metadata.annotations).toEqual({});
  });

  it('gives a new workload its own uid and the defaults', () => {
    const after = planned({}, undefined);
    expect(after.metadata.uid).toBe('planned:shop/web');
    expect(after.spec.strategy.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: '25%' });
  });

  it('ignores a last-applied annotation that is not JSON', () => {
    const before = live({ replicas: 7 });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{' };
    expect(planned({}, { ...before, metadata: { ...before.metadata, annotations } }).spec.replicas).toBe(7);
  });

  it.each<[string, object, object | undefined, object]>([
    [
      'keeps those that other writers set',
      {},
      undefined,
      { labels: { app: 'web', x: 'live' }, annotations: { y: 'live' } },
    ],
    [
      'takes the values of the manifest',
      { labels: { app: 'web', x: 'new' }, annotations: { y: 'new' } },
      undefined,
      { labels: { app: 'web', x: 'new' }, annotations: { y: 'new' } },
    ],
    [
      'drops those that the manifest contained before',
      {},
      { template: { metadata: { labels: { x: 'live' }, annotations: { y: 'live' } } } },
      { labels: { app: 'web' }, annotations: {} },
    ],
  ])('for the labels and annotations of the template %s', (_, metadata, lastApplied, expected) => {
    const marked = template({ labels: { app: 'web', x: 'live' }, annotations: { y: 'live' } });
    const after = planned({ template: template(metadata) }, live({ template: marked }, lastApplied));
    const { labels, annotations } = after.spec.template.metadata;
    expect({ labels, annotations }).toEqual(expected);
  });

  it('merges labels and annotations of the manifest into those of the workload', () => {
    const before = live({});
    const metadata = { ...before.metadata, labels: { a: '1', b: '1' }, annotations: { c: '1', d: '1' } };
    const raw = {
      metadata: { name: 'other', labels: { b: '2' }, annotations: { d: '2' } },
      spec: { selector, template: template() },
    };
    const after = plannedWorkload(
      { kind: 'Deployment', namespace: 'shop', name: 'web', raw },
      { ...before, metadata },
    );
    expect(after.metadata).toMatchObject({
      name: 'web',
      namespace: 'shop',
      labels: { a: '1', b: '2' },
      annotations: { c: '1', d: '2' },
      creationTimestamp: before.metadata.creationTimestamp,
    });
  });

  it.each([
    ['a list', '[]'],
    ['nothing', 'null'],
    ['without a spec', '{}'],
  ])('ignores a last-applied annotation that is %s', (_, text) => {
    const before = live({ replicas: 7 });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text };
    expect(planned({}, { ...before, metadata: { ...before.metadata, annotations } }).spec.replicas).toBe(7);
  });

  it('keeps the numbering, order and update settings of a StatefulSet', () => {
    const kept = {
      replicas: 3,
      ordinals: { start: 5 },
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'OnDelete' },
      minReadySeconds: 7,
    };
    const raw = { metadata: { name: 'db' }, spec: { selector, template: template(), serviceName: 'db' } };
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: {} }];
    const before = StatefulSet.parse({ ...raw, spec: { ...raw.spec, ...kept, volumeClaimTemplates } });
    const after = plannedWorkload({ kind: 'StatefulSet', namespace: 'shop', name: 'db', raw }, before);
    expect(after.spec).toMatchObject({ ...kept, volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
  });

  it('counts the generation of a workload without one from 1', () => {
    const before = live({});
    const { generation: _, ...metadata } = before.metadata;
    expect(planned({}, { ...before, metadata } as Deployment).metadata.generation).toBe(1);
  });
});
