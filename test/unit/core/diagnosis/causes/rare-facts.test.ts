import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import { badCommand } from '#src/core/diagnosis/causes/bad-command/rule.js';
import { evicted } from '#src/core/diagnosis/causes/evicted/rule.js';
import { imagePullFailure } from '#src/core/diagnosis/causes/image-pull-failure/rule.js';
import { nodeOutOfMemory } from '#src/core/diagnosis/causes/node-out-of-memory/rule.js';
import { outOfMemory } from '#src/core/diagnosis/causes/out-of-memory/rule.js';
import { probeConfiguration } from '#src/core/diagnosis/causes/probe-configuration/rule.js';
import { resourceConfiguration } from '#src/core/diagnosis/causes/resource-configuration/rule.js';
import { terminationGraceExceeded } from '#src/core/diagnosis/causes/termination-grace-exceeded/rule.js';
import type { AnyRule } from '#src/core/diagnosis/rule.js';
import { withDescribedFacts } from '#support/described-facts.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  found,
} from '../crashes/build.js';

const underPressure = schemas.Node.parse({
  metadata: { name: 'n-a', uid: 'n-a-uid' },
  status: {
    allocatable: { memory: '8Gi', cpu: '4', pods: '110' },
    nodeInfo: { architecture: 'arm64' },
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'MemoryPressure', status: 'True' },
    ],
  },
});

const crashed = (run: Parameters<typeof ended>[0], spec: object = {}): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(run), spec }],
});

/** Fields that the other tables and the recorded incidents do not have. */
describe('facts of a finding', () => {
  it.each<readonly [string, AnyRule, FailingPodShape, object]>([
    [
      'architectures of the nodes that cannot execute the program',
      badCommand,
      crashed({ exitCode: 128, reason: 'StartError', message: 'exec /app: exec format error' }),
      { architectures: ['arm64'], exitCode: 128 },
    ],
    [
      'the request and the pressure behind an eviction',
      evicted,
      {
        phase: 'Failed',
        containers: [{ spec: { resources: { requests: { memory: '64Mi' } } } }],
        status: {
          phase: 'Failed',
          reason: 'Evicted',
          message: 'The node was low on resource: memory.',
          startTime: ago(300),
          qosClass: 'Burstable',
        },
      },
      {
        requests: ['64Mi'],
        qosClass: 'Burstable',
        pressures: [{ node: 'n-a', condition: 'MemoryPressure' }],
      },
    ],
    [
      'the names of the imagePullSecrets',
      imagePullFailure,
      {
        phase: 'Pending',
        containers: [{ state: { waiting: { reason: 'ImagePullBackOff', message: '401 Unauthorized' } } }],
        spec: { imagePullSecrets: [{ name: 'registry' }], serviceAccountName: 'web' },
      },
      { refusal: 'not-authorised', imagePullSecrets: ['registry'], serviceAccount: 'web' },
    ],
    [
      'the nodes under memory pressure',
      nodeOutOfMemory,
      crashed({ exitCode: 137, reason: 'OOMKilled' }),
      { nodesUnderPressure: ['n-a'], allocatable: '8Gi' },
    ],
    [
      'the limit that was reached, and the heap that fills it',
      outOfMemory,
      crashed(
        { exitCode: 137, reason: 'OOMKilled' },
        {
          resources: { limits: { memory: '1Gi' } },
          env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-XX:MaxRAMPercentage=95' }],
        },
      ),
      { limit: '1Gi', jvmHeap: { flag: '-XX:MaxRAMPercentage=95', from: 'JAVA_TOOL_OPTIONS' } },
    ],
    [
      'the hooks of a pod that does not end',
      terminationGraceExceeded,
      {
        containers: [
          { spec: { lifecycle: { preStop: { exec: { command: ['drain', '--token=s3cret'] } } } } },
        ],
        metadata: { deletionTimestamp: ago(600), deletionGracePeriodSeconds: 30 },
      },
      { preStop: [{ container: 'app', what: expect.stringContaining('drain') }], graceSeconds: 30 },
    ],
  ])('are %s', (_, rule, shape, facts) => {
    const finding = found(rule, crashSnapshot({ pods: [failingPod(shape)], nodes: [underPressure] }));

    expect(withDescribedFacts(rule, finding)?.facts).toMatchObject(facts);
    expect(JSON.stringify(finding?.facts)).not.toContain('s3cret');
  });

  it('include the risky settings of probes and resources, one by one', () => {
    const container = {
      name: 'app',
      image: 'web:1',
      livenessProbe: { httpGet: { port: 'admin', path: '/' }, periodSeconds: 1, timeoutSeconds: 2 },
      readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 10, failureThreshold: 6 },
      resources: { requests: { memory: '1Gi' }, limits: { memory: '8Gi', cpu: '100m' } },
      env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Xmx7500m' }],
    };
    const snapshot = crashSnapshot({ pods: [failingPod()], template: { containers: [container] } });
    const problemsFoundBy = (rule: AnyRule): readonly unknown[] => {
      const { problems = [] } = found(rule, snapshot)?.facts ?? {};
      return (problems as readonly { readonly problem: string }[]).map(({ problem }) => problem);
    };

    expect(problemsFoundBy(probeConfiguration)).toEqual([
      'readiness-slower',
      'liveness-strict',
      'named-port-missing',
      'timeout-over-period',
    ]);
    expect(problemsFoundBy(resourceConfiguration)).toEqual([
      'memory-overcommitted',
      'cpu-throttled',
      'jvm-fills',
    ]);
  });
});
