import { describe, expect, it } from 'vitest';
import { sandboxFailure } from '#src/doctor/causes/sandbox-failure.js';
import { examined } from '../../../support/remediation-builders.js';
import { crashSnapshot, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

/** A container that the runtime could not create for five minutes. */
function refused(message: string) {
  return crashSnapshot({
    pods: [
      failingPod({
        phase: 'Pending',
        containers: [{ state: { waiting: { reason: 'CreateContainerError', message } }, ready: false }],
      }),
    ],
    events: [kubeletEvent('Failed', `Error: ${message}`, { container: 'app', first: 300, last: 4 })],
  });
}

const originOf = (message: string) =>
  [sandboxFailure.detect(examined(refused(message)))].flat()[0]?.origin ?? sandboxFailure.origin;

describe('a security profile that the node does not have', () => {
  it.each([
    'failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/audit.json": open /var/lib/kubelet/seccomp/audit.json: no such file or directory',
    'setup seccomp: unable to load local profile "/var/lib/kubelet/seccomp/audit.json": open /var/lib/kubelet/seccomp/audit.json: no such file or directory',
    'failed to create containerd container: apparmor profile not found k8s-deny-write',
    'runc create failed: unable to start container process: apparmor failed to apply profile: write /proc/self/attr/apparmor/exec: no such file or directory',
  ])('is what the pod template names: %s', (message) => {
    const finding = told(mustFind(sandboxFailure, refused(message)));
    expect(finding).toMatchObject({ summary: 'summary-profile' });
    expect(finding.reasoning).toContain('profile-missing');
    expect(finding.advice[0]).toBe('advice-profile-title');
    expect(originOf(message)).toBe('template');
  });

  it.each([
    'failed to create shim task: seccomp is not supported by the kernel',
    'failed to create containerd task: failed to open the cgroup profile of the shim',
  ])('is not another failure of the runtime: %s', (message) => {
    expect(told(mustFind(sandboxFailure, refused(message)))).toMatchObject({ summary: 'summary' });
    expect(originOf(message)).toBe('surroundings');
  });
});
