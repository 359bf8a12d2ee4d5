import { describe, expect, it } from 'vitest';
import { Deployment } from '#src/engine/objects/workload.js';

function deployment(spec: object): object {
  const template = { metadata: {}, spec: { containers: [] } };
  return { metadata: { name: 'web' }, spec: { selector: {}, template, ...spec } };
}

const strategy = (rollingUpdate: object): object => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });

describe('an integer that the API server cannot store', () => {
  it.each([
    ['replicas', { replicas: -1 }],
    ['replicas', { replicas: 1.5 }],
    ['replicas', { replicas: Number.POSITIVE_INFINITY }],
    ['replicas', { replicas: '3' }],
    ['replicas', { replicas: 2_147_483_648 }],
    ['minReadySeconds', { minReadySeconds: -1 }],
    ['revisionHistoryLimit', { revisionHistoryLimit: -1 }],
    ['progressDeadlineSeconds', { progressDeadlineSeconds: 9e15 }],
    ['strategy.rollingUpdate.maxSurge', strategy({ maxSurge: -5 })],
    ['strategy.rollingUpdate.maxUnavailable', strategy({ maxUnavailable: 0.5 })],
  ])('makes the object unreadable, and %s is named (%o)', (field, spec) => {
    const parsed = Deployment.safeParse(deployment(spec));

    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.path.join('.')).toBe(`spec.${field}`);
  });

  it('is distinct from the largest one that it stores', () => {
    expect(Deployment.safeParse(deployment({ replicas: 2_147_483_647 })).success).toBe(true);
  });
});
