import { describe, expect, it } from 'vitest';
import { terminationGraceExceeded } from '#src/doctor/causes/termination-grace-exceeded.js';
import { node } from '../../../support/kubernetes-objects.js';
import { ago, type ContainerShape, crashSnapshot, ended, failingPod } from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

/** A pod that was to be gone ten minutes ago, with these containers. */
function leaving(...containers: readonly ContainerShape[]) {
  const pod = failingPod({
    containers,
    metadata: { deletionTimestamp: ago(600), deletionGracePeriodSeconds: 30 },
    spec: {
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'settings', configMap: { name: 'settings' } },
      ],
    },
  });
  return told(mustFind(terminationGraceExceeded, crashSnapshot({ pods: [pod], nodes: [node('n-a')] })));
}

const stopped = { state: ended({ exitCode: 143 }), ready: false };

describe('a pod past its grace period', () => {
  it('waits for what the kubelet cleans up where all containers have ended', () => {
    const { steps, reasoning, advice } = leaving(stopped);
    expect(steps).toContainEqual(
      expect.objectContaining({ key: 'all-ended', values: { pod: 'web-1-a', volumes: ['data'] } }),
    );
    expect(reasoning).not.toContain('no-pre-stop');
    expect(advice).toEqual(['advice-clean-title']);
  });

  it('waits for its processes where a container still runs', () => {
    const { reasoning, advice } = leaving(stopped, { name: 'proxy' });
    expect(reasoning).toContain('no-pre-stop');
    expect(advice).toEqual(['advice-title']);
  });
});
