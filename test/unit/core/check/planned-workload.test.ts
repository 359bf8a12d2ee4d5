import { describe, expect, it } from 'vitest';
import { plannedWorkload } from '../../../../src/core/check/planned-workload.js';
import { Deployment } from '../../../../src/core/cluster/workload.js';
import { sameTemplate } from '../../../../src/core/rollout/template-equality.js';

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
    ['takes the replicas of the manifest', { replicas: 3 }, live({ replicas: 7 }), { replicas: 3 }],
    [
      'goes back to the default of what the manifest said before and says no more',
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
      'gives the default to a bound that the manifest said before',
      { strategy: { rollingUpdate: { maxSurge: 1 } } },
      live({ strategy: surge }, { strategy: surge }),
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } },
    ],
    [
      'forgets the bounds under Recreate',
      { strategy: { type: 'Recreate' } },
      live({ strategy: surge }),
      { strategy: { type: 'Recreate', rollingUpdate: undefined } },
    ],
    ['keeps a pause', {}, live({ paused: true }), { paused: true }],
  ])('%s', (_, spec, before, expected) => {
    expect(planned(spec, before).spec).toMatchObject(expected);
  });

  it('keeps uid and status, counts the generation on, and takes the annotation of a restart for no change', () => {
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T08:00:00Z' };
    const before = live({ template: template({ annotations: restartedAt }) });
    const after = planned({}, before);
    expect(after.metadata).toMatchObject({ uid: 'u', generation: 5, namespace: 'shop' });
    expect(after.status.readyReplicas).toBe(2);
    expect(sameTemplate(after.spec.template, before.spec.template)).toBe(true);
  });

  it('takes an annotation away that the manifest said before', () => {
    const annotated = template({ annotations: { team: 'a' } });
    const before = live({ template: annotated }, { template: annotated });
    expect(planned({}, before).spec.template.metadata.annotations).toEqual({});
  });

  it('gives a new workload a uid of its own and the defaults', () => {
    const after = planned({}, undefined);
    expect(after.metadata.uid).toBe('planned:shop/web');
    expect(after.spec.strategy.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: '25%' });
  });

  it('is not misled by an annotation that is no JSON', () => {
    const before = live({ replicas: 7 });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{' };
    expect(planned({}, { ...before, metadata: { ...before.metadata, annotations } }).spec.replicas).toBe(7);
  });
});
