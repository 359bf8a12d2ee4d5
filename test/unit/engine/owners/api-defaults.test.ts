import { describe, expect, it } from 'vitest';
import { isApiDefault } from '#src/engine/owners/declaration.js';

const container = 'spec.template.spec.containers[app]';

describe('a value that the API server would have set by itself', () => {
  it.each<[string, string, unknown]>([
    ['Deployment', 'spec.strategy.type', 'RollingUpdate'],
    ['Deployment', 'spec.strategy.rollingUpdate.maxSurge', '25%'],
    ['Deployment', 'spec.paused', false],
    ['Deployment', 'spec.replicas', 1],
    ['DaemonSet', 'spec.updateStrategy.rollingUpdate.maxUnavailable', 1],
    ['StatefulSet', 'spec.updateStrategy.rollingUpdate.partition', 0],
    ['Deployment', `${container}.imagePullPolicy`, 'Always'],
    ['Deployment', `${container}.imagePullPolicy`, 'IfNotPresent'],
    ['Rollout', `${container}.livenessProbe.periodSeconds`, 10],
  ])('of a %s, in %s: %j', (kind, path, value) => {
    expect(isApiDefault(kind, path, value)).toBe(true);
  });

  it.each<[string, string, unknown]>([
    ['Deployment', 'spec.strategy.type', 'Recreate'],
    ['Deployment', 'spec.strategy.rollingUpdate.maxSurge', 0],
    ['Deployment', 'spec.replicas', 2],
    ['Deployment', 'spec.paused', undefined],
    ['DaemonSet', 'spec.updateStrategy.rollingUpdate.maxUnavailable', '25%'],
    // No default of this kind, so a value there was declared.
    ['Rollout', 'spec.strategy.type', 'RollingUpdate'],
    ['StatefulSet', 'spec.paused', false],
    ['Deployment', `${container}.image`, 'web:1'],
    ['Deployment', `${container}.imagePullPolicy`, 'Never'],
    ['Deployment', `${container}.livenessProbe.periodSeconds`, 5],
    // Only fields of the pod template have the defaults of a pod.
    ['Deployment', 'spec.periodSeconds', 10],
    ['Deployment', 'spec.template.metadata.annotations.toString', undefined],
  ])('is not, of a %s, in %s: %j', (kind, path, value) => {
    expect(isApiDefault(kind, path, value)).toBe(false);
  });
});
