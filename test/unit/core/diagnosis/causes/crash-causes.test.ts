import { describe, expect, it } from 'vitest';
import type { Event } from '#src/core/cluster/event.js';
import { applicationCrash } from '#src/core/diagnosis/causes/application-crash/rule.js';
import { badCommand } from '#src/core/diagnosis/causes/bad-command/rule.js';
import { configMissing } from '#src/core/diagnosis/causes/config-missing/rule.js';
import { evicted } from '#src/core/diagnosis/causes/evicted/rule.js';
import { imagePullFailure } from '#src/core/diagnosis/causes/image-pull-failure/rule.js';
import { initContainerStuck } from '#src/core/diagnosis/causes/init-container-stuck/rule.js';
import { kubeletRejected } from '#src/core/diagnosis/causes/kubelet-rejected/rule.js';
import { livenessProbeKill } from '#src/core/diagnosis/causes/liveness-probe-kill/rule.js';
import { mountFailure } from '#src/core/diagnosis/causes/mount-failure/rule.js';
import { nodeOutOfMemory } from '#src/core/diagnosis/causes/node-out-of-memory/rule.js';
import { outOfMemory } from '#src/core/diagnosis/causes/out-of-memory/rule.js';
import { processExitsZero } from '#src/core/diagnosis/causes/process-exits-zero/rule.js';
import { readinessFailing } from '#src/core/diagnosis/causes/readiness-failing/rule.js';
import { sandboxFailure } from '#src/core/diagnosis/causes/sandbox-failure/rule.js';
import { startupProbeKill } from '#src/core/diagnosis/causes/startup-probe-kill/rule.js';
import { terminationGraceExceeded } from '#src/core/diagnosis/causes/termination-grace-exceeded/rule.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import type { AnyRule } from '#src/core/diagnosis/rule.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  backingOff,
  type CrashSnapshotShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  found,
  kubeletEvent,
  readyFor,
  reasons,
} from '../crashes/build.js';
import { foundBy } from './run-rule.js';

const looping = (end: Parameters<typeof ended>[0], container: object = {}): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false, ...container }],
});
const held = (reason: string, message = '', container: object = {}): FailingPodShape => ({
  phase: 'Pending',
  containers: [{ state: { waiting: { reason, message } }, ...container }],
});
const oom = { exitCode: 137, reason: 'OOMKilled' };
const memory = (limit: string, env: readonly object[] = []) => ({
  spec: { resources: { limits: { memory: limit }, requests: { memory: '128Mi' } }, env },
});
const probe = { httpGet: { port: 8080, path: '/live' } };
const killed = (which: 'liveness' | 'startup'): readonly Event[] => [
  kubeletEvent(
    'Unhealthy',
    `${which === 'startup' ? 'Startup' : 'Liveness'} probe failed: connection refused`,
    { container: 'app' },
  ),
  kubeletEvent('Killing', `Container app failed ${which} probe, will be restarted`, {
    container: 'app',
    last: 62,
    type: 'Normal',
  }),
];
const failed = (reason: string, message: string, fields: FailingPodShape = {}): FailingPodShape => ({
  ...fields,
  phase: 'Failed',
  status: { phase: 'Failed', reason, message, startTime: ago(300) },
});

function findCause(
  rule: AnyRule,
  shape: FailingPodShape,
  more: Partial<CrashSnapshotShape> = {},
): Finding | undefined {
  return found(rule, crashSnapshot({ pods: [failingPod(shape)], ...more }));
}

describe('each crash cause', () => {
  it.each<[string, AnyRule, FailingPodShape, Partial<CrashSnapshotShape>]>([
    ['a program that fails', applicationCrash, looping({ exitCode: 3 }), {}],
    ['a program that finishes', processExitsZero, looping({ exitCode: 0, reason: 'Completed' }), {}],
    ['a missing command', badCommand, looping({ exitCode: 127 }), {}],
    ['a limit that is met', outOfMemory, looping(oom, memory('512Mi')), {}],
    ['a node that ran out', nodeOutOfMemory, looping(oom), {}],
    [
      'a liveness probe that kills',
      livenessProbeKill,
      looping({ exitCode: 143, before: 60 }, { spec: { livenessProbe: probe } }),
      { events: killed('liveness') },
    ],
    [
      'a startup probe that kills',
      startupProbeKill,
      looping({ exitCode: 137, before: 60 }, { spec: { startupProbe: probe } }),
      { events: killed('startup') },
    ],
    [
      'a pod that does not become ready',
      readinessFailing,
      {
        containers: [
          { ready: false, state: { running: { startedAt: ago(900) } }, spec: { readinessProbe: probe } },
        ],
      },
      {},
    ],
    [
      'configuration that is missing',
      configMissing,
      held('CreateContainerConfigError', 'secret "x" not found'),
      {},
    ],
    [
      'an image that cannot be pulled',
      imagePullFailure,
      held('ImagePullBackOff', 'Back-off pulling image "web:1"'),
      {},
    ],
    [
      'a volume that does not mount',
      mountFailure,
      held('ContainerCreating'),
      { events: [kubeletEvent('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out')] },
    ],
    [
      'a sandbox that is not made',
      sandboxFailure,
      held('ContainerCreating'),
      { events: [kubeletEvent('FailedCreatePodSandBox', 'plugin type="calico" failed (add): no route')] },
    ],
    [
      'an init container that does not end',
      initContainerStuck,
      {
        phase: 'Pending',
        inits: [{ name: 'wait', state: { running: { startedAt: ago(1200) } }, ready: false }],
        containers: [{ state: { waiting: { reason: 'PodInitializing', message: '' } } }],
      },
      {},
    ],
    ['an eviction', evicted, failed('Evicted', 'The node was low on resource: memory. Threshold 100Mi'), {}],
    [
      'a kubelet that refuses',
      kubeletRejected,
      failed('OutOfcpu', "Pod was rejected: Node didn't have enough resource: cpu"),
      {},
    ],
    [
      'a pod that does not stop',
      terminationGraceExceeded,
      { metadata: { deletionTimestamp: ago(600), deletionGracePeriodSeconds: 30 } },
      { nodes: [readyNode('n-a')] },
    ],
  ])('is found: %s', (_, rule, shape, more) => {
    const finding = findCause(rule, shape, more);

    expect(finding).toMatchObject({
      cause: rule.id,
      subject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      nodes: ['n-a'],
    });
    expect(finding?.evidence.length).toBeGreaterThan(0);
    expect(finding?.ruledOut.length).toBeGreaterThan(0);
  });

  it.each<[string, AnyRule, FailingPodShape, Partial<CrashSnapshotShape>]>([
    ['a healthy pod', applicationCrash, {}, {}],
    [
      'a crash of yesterday',
      applicationCrash,
      { containers: [{ lastState: ended({ before: 90_000 }), ready: true }] },
      {},
    ],
    [
      'a liveness kill without its event',
      livenessProbeKill,
      looping({ exitCode: 143 }, { spec: { livenessProbe: probe } }),
      {},
    ],
    [
      'a mount that has just begun',
      mountFailure,
      held('ContainerCreating'),
      { events: [kubeletEvent('FailedMount', 'timed out', { first: 20, last: 5 })] },
    ],
    [
      'a sandbox that failed once',
      sandboxFailure,
      held('ContainerCreating'),
      { events: [kubeletEvent('FailedCreatePodSandBox', 'cni', { first: 10, last: 10 })] },
    ],
    [
      'an eviction of last week',
      evicted,
      {
        ...failed('Evicted', 'low on resource: memory'),
        status: { phase: 'Failed', reason: 'Evicted', message: '', startTime: ago(700_000) },
      },
      {},
    ],
    [
      'a pod that still has time to stop',
      terminationGraceExceeded,
      { metadata: { deletionTimestamp: ago(-20), deletionGracePeriodSeconds: 30 } },
      { nodes: [readyNode('n-a')] },
    ],
    [
      'a pod held by a finalizer',
      terminationGraceExceeded,
      { metadata: { deletionTimestamp: ago(600), finalizers: ['example.com/hold'] } },
      { nodes: [readyNode('n-a')] },
    ],
    [
      'a pod on a deleted node',
      terminationGraceExceeded,
      { metadata: { deletionTimestamp: ago(600) } },
      { nodes: [node('n-a')] },
    ],
    ['OOM that the node caused', outOfMemory, looping(oom), {}],
    ['OOM under its own limit', nodeOutOfMemory, looping(oom, memory('512Mi')), {}],
    [
      'exit 0 of an init container',
      processExitsZero,
      { inits: [{ name: 'migrate', state: ended({ exitCode: 0 }), ready: true }] },
      {},
    ],
  ])('is not found for %s', (_, rule, shape, more) => {
    expect(findCause(rule, shape, more)).toBeUndefined();
  });

  it('are no longer reported for a refusal after a later pod of the revision runs', () => {
    const refused = failingPod(
      failed('OutOfcpu', 'Pod was rejected: cpu', { metadata: { creationTimestamp: ago(600) } }),
    );
    const later = failingPod({ name: 'web-1-b', metadata: { creationTimestamp: ago(300) } });

    expect(found(kubeletRejected, crashSnapshot({ pods: [refused] }))?.cause).toBe('kubelet-rejected');
    expect(found(kubeletRejected, crashSnapshot({ pods: [refused, later] }))).toBeUndefined();
  });
});

describe('the memory evidence of a crash', () => {
  it.each<[string, object, string]>([
    [
      'a share of the limit that leaves little',
      memory('512Mi', [{ name: 'JAVA_TOOL_OPTIONS', value: '-XX:MaxRAMPercentage=90' }]),
      'jvm-fills',
    ],
    [
      'a fixed heap above the limit',
      memory('512Mi', [{ name: 'JAVA_OPTS', value: '-Xms64m -Xmx1g' }]),
      'jvm-exceeds',
    ],
  ])('names %s', (_, container, key) => {
    expect(reasons(findCause(outOfMemory, looping(oom, container)))).toContain(key);
  });

  it('omits Java where no flag is visible', () => {
    const sentences = reasons(findCause(outOfMemory, looping(oom, memory('512Mi'))));

    expect(sentences).toContain('killed');
    expect(sentences.filter((key) => key.startsWith('jvm'))).toEqual([]);
  });

  it("uses the smaller of the container's and the pod's limit", () => {
    const finding = findCause(outOfMemory, {
      ...looping(oom, memory('1Gi')),
      spec: { resources: { limits: { memory: '256Mi' } } },
    });

    expect(finding?.summary.values).toMatchObject({ limit: '256Mi' });
    expect(finding?.evidence[0]?.field).toBe('spec.resources.limits.memory');
  });

  it('states that a child process may have been killed when the main process ended otherwise', () => {
    expect(
      reasons(findCause(outOfMemory, looping({ exitCode: 1, reason: 'OOMKilled' }, memory('512Mi')))),
    ).toContain('by-child');
  });
});

describe('the probe evidence of a crash', () => {
  const kill = (container: object, end: object = {}) =>
    findCause(
      livenessProbeKill,
      looping({ exitCode: 143, before: 60, seconds: 30, ...end }, { spec: container }),
      { events: killed('liveness') },
    );

  it('names a port that the container does not declare', () => {
    expect(reasons(kill({ livenessProbe: probe, ports: [{ containerPort: 80 }] }))).toContain(
      'port-not-declared',
    );
    expect(reasons(kill({ livenessProbe: probe, ports: [{ containerPort: 8080 }] }))).not.toContain(
      'port-not-declared',
    );
  });

  it('resolves a port by its name', () => {
    const named = {
      livenessProbe: { httpGet: { port: 'web' } },
      ports: [{ name: 'web', containerPort: 80 }],
    };

    expect(reasons(kill(named))).not.toContain('port-not-declared');
  });

  it('compares the run with the earliest end the probe allows', () => {
    const slow = {
      livenessProbe: { ...probe, initialDelaySeconds: 15, periodSeconds: 5, failureThreshold: 4 },
    };
    const finding = kill(slow);

    expect(finding?.reasoning.find(({ key }) => key === 'arithmetic')?.values).toEqual({
      seconds: 30,
      earliest: 30,
    });
  });
});

describe('the evidence of a missing object', () => {
  const env = [
    { name: 'DB_URL', valueFrom: { configMapKeyRef: { name: 'web-config', key: 'DB_URL' } } },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'web-token', key: 'token' } } },
  ];

  it.each([
    [
      "couldn't find key DB_URL in ConfigMap shop/web-config",
      { kind: 'ConfigMap', name: 'web-config', key: 'DB_URL' },
    ],
    ["couldn't find key token in Secret shop/web-token", { kind: 'Secret', name: 'web-token', key: 'token' }],
    ['configmap "web-config" not found', { kind: 'ConfigMap', name: 'web-config', key: undefined }],
    ['secret "web-token" not found', { kind: 'Secret', name: 'web-token', key: undefined }],
  ])('is parsed: %s', (message, values) => {
    const finding = findCause(configMissing, held('CreateContainerConfigError', message, { spec: { env } }));

    expect(finding?.summary.values).toEqual({ workload: 'shop/web', ...values });
    expect(finding?.confidence).toBe('proven');
  });

  it.each([
    ['secret "somebody-elses" not found'],
    ['container has runAsNonRoot and image will run as root'],
    [`couldn't find key ${'k'.repeat(10_000)} in ConfigMap shop/web-config`],
  ])('ignores a name that the template does not contain: %s', (message) => {
    const finding = findCause(configMissing, held('CreateContainerConfigError', message, { spec: { env } }));

    expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-other' }, holders: [] });
  });

  it('names the ConfigMap of a volume', () => {
    const finding = findCause(
      mountFailure,
      {
        ...held('ContainerCreating'),
        spec: { volumes: [{ name: 'files', configMap: { name: 'web-files' } }] },
      },
      {
        events: [
          kubeletEvent(
            'FailedMount',
            'MountVolume.SetUp failed for volume "files" : configmap "web-files" not found',
          ),
        ],
      },
    );

    expect(finding).toMatchObject({
      confidence: 'proven',
      holders: [{ kind: 'ConfigMap', namespace: 'shop', name: 'web-files' }],
    });
  });
});

describe('the log of the ended run', () => {
  const pods = [failingPod(looping({}))];
  const log = (previous: boolean, ...lines: string[]) => ({
    namespace: 'shop',
    pod: 'web-1-a',
    container: 'app',
    previous,
    lines,
    truncated: false,
  });

  it('is quoted from the previous run, the last lines only', () => {
    const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const finding = found(
      applicationCrash,
      crashSnapshot({ pods, logs: [log(false, 'starting'), log(true, ...many)] }),
    );
    const sentences = finding?.reasoning.find(({ key }) => key === 'last-lines')?.values.lines;

    expect(sentences).toEqual(many.slice(-6));
  });

  it('is reported as missing where none was read', () => {
    expect(reasons(found(applicationCrash, crashSnapshot({ pods })))).toContain('no-log');
  });
});

describe('the fixes of a crash', () => {
  const healthy = failingPod({ name: 'web-1-old', revision: '1', status: readyFor(86_400) });
  const ill = failingPod({ name: 'web-2-new', revision: '2', ...held('ImagePullBackOff', 'not found') });

  it('include a rollback where the previous revision is healthy', () => {
    const finding = foundBy(imagePullFailure, crashSnapshot({ pods: [healthy, ill] }));

    expect(finding?.remediations.map(({ kind }) => kind)).toEqual(['undo-rollout']);
  });

  it('include no rollback where no pod of the previous revision runs', () => {
    const finding = foundBy(imagePullFailure, crashSnapshot({ pods: [ill] }));

    expect(finding?.remediations).toEqual([]);
    expect(finding?.withheld.map(({ kind }) => kind)).toContain('restart-rollout');
  });
});

function readyNode(name: string) {
  const made = node(name);
  return {
    ...made,
    status: {
      ...made.status,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: '',
          message: '',
          lastTransitionTime: undefined,
          lastUpdateTime: undefined,
          lastHeartbeatTime: undefined,
        },
      ],
    },
  };
}
