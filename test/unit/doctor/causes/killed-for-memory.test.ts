import { describe, expect, it } from 'vitest';
import { badCommand } from '#src/doctor/causes/bad-command.js';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { nodeOutOfMemory } from '#src/doctor/causes/node-out-of-memory.js';
import { outOfMemory } from '#src/doctor/causes/out-of-memory/rule.js';
import { sandboxFailure } from '#src/doctor/causes/sandbox-failure.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  failingPod,
  kubeletEvent,
} from '../findings/crashes/build.js';
import { foundBy, mustFind, told } from './run-rule.js';

const limits = { memory: '48Mi' };
const mounted = { resources: { limits }, volumeMounts: [{ name: 'data', mountPath: '/data' }] };
const volume = (medium: string) => ({ volumes: [{ name: 'data', emptyDir: { medium } }] });
/** containerd 1.6.20 with runc 1.1.5, and containerd 2.4.2 with the same runc. */
const tooLow = [
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?): unknown',
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?)',
];
const notStarted = (message: string) => ended({ exitCode: 128, reason: 'StartError', message, seconds: 0 });

const snapshotOf = (container: ContainerShape, spec: object = {}) =>
  crashSnapshot({
    pods: [failingPod({ containers: [{ state: backingOff, ready: false, ...container }], spec })],
  });

describe('a container that cannot start again within its memory limit', () => {
  it.each(tooLow)('has filled its memory-backed volume, where it ran before: %s', (message) => {
    const container = { lastState: notStarted(message), restarts: 3, spec: mounted };
    const finding = told(mustFind(outOfMemory, snapshotOf(container, volume('Memory'))));
    expect(finding.reasoning).toContain('volume-stays');
    expect(finding.reasoning).not.toContain('before-start');
    expect(finding).toMatchObject({
      confidence: 'proven',
      becauseOf: expect.arrayContaining(['restart-withheld-volume']),
    });
    expect(finding.advice[0]).toBe('advice-volume-title');
    expect(finding.facts).toMatchObject({ memoryVolumes: ['data'] });
    expect(foundBy(sandboxFailure, snapshotOf(container, volume('Memory')))).toBeUndefined();
  });

  it.each<[string, ContainerShape, object]>([
    ['never ran', { restarts: 0, spec: mounted }, volume('Memory')],
    ['has its volume on disk', { restarts: 3, spec: mounted }, volume('')],
    ['does not mount the volume', { restarts: 3, spec: { resources: { limits } } }, volume('Memory')],
  ])('has a limit that is too low, where it %s', (_, container, spec) => {
    const shape = { lastState: notStarted(tooLow[0] ?? ''), ...container };
    const finding = told(mustFind(outOfMemory, snapshotOf(shape, spec)));
    expect(finding.reasoning).toContain('before-start');
    expect(finding.reasoning).not.toContain('volume-stays');
  });
});

describe('a container of which the kernel killed one process', () => {
  const oom = (exitCode: number) => ended({ exitCode, reason: 'OOMKilled', seconds: 40 });
  it.each([0, 7, 143])('ended on its own with exit code %i', (exitCode) => {
    const finding = told(
      mustFind(
        outOfMemory,
        snapshotOf({ lastState: oom(exitCode), restarts: 4, spec: { resources: { limits } } }),
      ),
    );
    expect(finding).toMatchObject({ confidence: 'likely', summary: 'summary-process' });
    expect(finding.reasoning).toContain('process-killed');
    expect(finding.reasoning).not.toContain('killed');
  });

  it('was killed as a whole where its exit code is that of SIGKILL', () => {
    const finding = told(
      mustFind(outOfMemory, snapshotOf({ lastState: oom(137), spec: { resources: { limits } } })),
    );
    expect(finding).toMatchObject({ confidence: 'proven', summary: 'summary' });
    expect(finding.reasoning).not.toContain('process-killed');
  });

  it('differs from a killed container on a node that ran out of memory', () => {
    expect(told(mustFind(nodeOutOfMemory, snapshotOf({ lastState: oom(7) }))).summary).toBe(
      'summary-process',
    );
    expect(told(mustFind(nodeOutOfMemory, snapshotOf({ lastState: oom(137) }))).summary).toBe('summary');
  });
});

describe('a container that ended by SIGKILL while its node had no memory left', () => {
  const systemOom = (last: number, nodeName = 'n-a') => {
    const event = kubeletEvent('SystemOOM', 'System OOM encountered, victim process: java, pid: 25113', {
      last,
    });
    const involvedObject = { ...event.involvedObject, kind: 'Node', name: nodeName, uid: nodeName };
    return { ...event, involvedObject };
  };
  const endedBy = (exitCode: number, resources: object, event: ReturnType<typeof systemOom>) =>
    crashSnapshot({
      pods: [
        failingPod({
          containers: [
            { state: backingOff, lastState: ended({ exitCode }), ready: false, spec: { resources } },
          ],
        }),
      ],
      events: [event],
    });

  it('was killed for the memory of the node', () => {
    const finding = told(mustFind(nodeOutOfMemory, endedBy(137, {}, systemOom(119))));
    expect(finding).toMatchObject({ confidence: 'likely', summary: 'summary' });
    expect(finding.reasoning).toContain('kubelet-says');
  });

  it.each<[string, number, object, ReturnType<typeof systemOom>]>([
    ['the kill was minutes later', 137, {}, systemOom(10)],
    ['another node reports it', 137, {}, systemOom(119, 'n-b')],
    ['the container has a limit of its own', 137, { limits }, systemOom(119)],
    ['it ended with another code', 1, {}, systemOom(119)],
  ])('was not, where %s', (_, exitCode, resources, event) => {
    expect(foundBy(nodeOutOfMemory, endedBy(exitCode, resources, event))).toBeUndefined();
  });
});

describe('a container that the runtime cannot start', () => {
  const oci =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process:';
  type Case = [what: string, rule: AnyRule, message: string, spec?: object, key?: string];
  it.each<Case>([
    [
      'has a file as its working directory',
      badCommand,
      `${oci} error during container init: mkdir /etc/passwd: not a directory: unknown`,
      { workingDir: '/etc/passwd' },
      'directory',
    ],
    [
      'has a file as its working directory, and a description does not state it',
      badCommand,
      `${oci} error during container init: mkdir /etc/passwd: not a directory: unknown`,
      {},
      'directory',
    ],
    [
      'may not enter the working directory of its image',
      badCommand,
      `${oci} chdir to cwd ("/root/app") set in config.json failed: permission denied`,
      {},
      'directory',
    ],
    [
      'has a command that does not exist',
      badCommand,
      `${oci} exec: "/bin/nope": stat /bin/nope: no such file or directory: unknown`,
      { workingDir: '/srv' },
      'start-error',
    ],
    [
      'has a path to mount that is a file',
      mountFailure,
      `${oci} error during container init: error mounting "/var/lib/kubelet/x" to rootfs at "/etc/passwd": mkdir /etc/passwd: not a directory: unknown`,
      { workingDir: '/etc/passwd' },
    ],
    [
      'lacks a device of the node',
      sandboxFailure,
      `${oci} error during container init: error running prestart hook #0: exit status 1: nvidia-container-cli: device error: unknown`,
      { workingDir: '/srv' },
    ],
  ])('%s', (_, rule, message, spec = {}, key = undefined) => {
    const snapshot = snapshotOf({ lastState: notStarted(message), restarts: 3, spec });
    const finding = told(mustFind(rule, snapshot));
    if (key !== undefined) expect(finding.reasoning).toContain(key);
    if (rule === badCommand)
      expect(finding.summary).toBe(key === 'directory' ? 'summary-directory' : 'summary');
  });
});
