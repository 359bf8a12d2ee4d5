import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { badCommand } from '#src/doctor/causes/bad-command.js';
import { configMissing } from '#src/doctor/causes/config-missing.js';
import { evicted } from '#src/doctor/causes/evicted.js';
import { imagePullFailure } from '#src/doctor/causes/image-pull-failure/rule.js';
import { initContainerStuck } from '#src/doctor/causes/init-container-stuck.js';
import { kubeletRejected } from '#src/doctor/causes/kubelet-rejected/rule.js';
import { livenessProbeKill } from '#src/doctor/causes/liveness-probe-kill.js';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { nodeOutOfMemory } from '#src/doctor/causes/node-out-of-memory.js';
import { outOfMemory } from '#src/doctor/causes/out-of-memory/rule.js';
import { podStartStalled } from '#src/doctor/causes/pod-start-stalled.js';
import { probeConfiguration } from '#src/doctor/causes/probe-configuration.js';
import { processExitsZero } from '#src/doctor/causes/process-exits-zero.js';
import { readinessFailing } from '#src/doctor/causes/readiness-failing.js';
import { resourceConfiguration } from '#src/doctor/causes/resource-configuration.js';
import { sandboxFailure } from '#src/doctor/causes/sandbox-failure.js';
import { startupProbeKill } from '#src/doctor/causes/startup-probe-kill.js';
import { terminationGraceExceeded } from '#src/doctor/causes/termination-grace-exceeded.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node as madeNode } from '../../../support/kubernetes-objects.js';
import { node } from '../../../support/placement-builders.js';
import {
  ago,
  backingOff,
  type CrashSnapshotShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  readyFor,
} from '../findings/crashes/build.js';
import {
  expectFindings,
  foundBy,
  has,
  lacks,
  mustFind,
  type Row,
  step,
  type Told,
  told,
} from './run-rule.js';

type End = Parameters<typeof ended>[0];
const one = (container: object, more: FailingPodShape = {}): FailingPodShape => ({
  containers: [container],
  ...more,
});
const looping = (end: End, container: object = {}) =>
  one({ state: backingOff, lastState: ended(end), ready: false, ...container });
const held = (reason: string, message = '', container: object = {}) =>
  one({ state: { waiting: { reason, message } }, ...container }, { phase: 'Pending' });
const creating = held('ContainerCreating');
const failed = (reason: string, message: string, seconds = 300): FailingPodShape => ({
  phase: 'Failed',
  metadata: { creationTimestamp: ago(seconds) },
  status: { phase: 'Failed', reason, message, startTime: ago(seconds), qosClass: 'Burstable' },
});
const leaving = (seconds: number, more: object = {}, container: object = {}): FailingPodShape =>
  one(container, {
    metadata: { deletionTimestamp: ago(seconds), deletionGracePeriodSeconds: 30, ...more },
  });

const oom = { exitCode: 137, reason: 'OOMKilled' };
const memory = (limit: string, java?: string) => ({
  spec: {
    resources: { limits: { memory: limit }, requests: { memory: '128Mi' } },
    env: java === undefined ? [] : [{ name: 'JAVA_TOOL_OPTIONS', value: java }],
  },
});
const probe = { httpGet: { port: 8080, path: '/live' } };
const killed = (which: 'liveness' | 'startup') => {
  const said = which === 'startup' ? 'Startup' : 'Liveness';
  return {
    events: [
      kubeletEvent('Unhealthy', `${said} probe failed: connection refused`, { container: 'app' }),
      kubeletEvent('Killing', `Container app failed ${which} probe, will be restarted`, {
        container: 'app',
        last: 62,
        type: 'Normal',
      }),
    ],
  };
};
const said = (reason: string, message: string, times: object = {}) => ({
  events: [kubeletEvent(reason, message, times)],
});
const ready: { readonly nodes: readonly Node[] } = { nodes: [madeNode('n-a')] };
const refusedCpu = "Pod was rejected: Node didn't have enough resource: cpu";
const asking = (cpu: string): FailingPodShape => ({
  containers: [{ spec: { resources: { requests: { cpu } } } }],
});
/** Uses half of the four CPUs of the node. */
const neighbour = schemas.Pod.parse({
  metadata: { name: 'db-0', namespace: 'shop', uid: 'db-0-uid' },
  spec: { nodeName: 'n-a', containers: [{ name: 'db', resources: { requests: { cpu: '2' } } }] },
  status: { phase: 'Running' },
});
const lowOnMemory = 'The node was low on resource: memory. Threshold 100Mi';
const pressed = {
  nodes: [
    madeNode('n-a', {
      status: {
        allocatable: { memory: '8Gi', cpu: '4', pods: '110' },
        nodeInfo: { architecture: 'arm64' },
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'MemoryPressure', status: 'True' },
        ],
      },
    }),
  ],
};

type Case = [
  what: string,
  rule: AnyRule,
  shape: FailingPodShape,
  more?: Partial<CrashSnapshotShape>,
  expected?: Told,
];
const snapshotOf = (shape: FailingPodShape, more: Partial<CrashSnapshotShape> = {}): Snapshot =>
  crashSnapshot({ pods: [failingPod(shape)], ...more });

const env = [
  { name: 'DB_URL', valueFrom: { configMapKeyRef: { name: 'web-config', key: 'DB_URL' } } },
  { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'web-token', key: 'token' } } },
];
const lacking = (message: string) => held('CreateContainerConfigError', message, { spec: { env } });
const files = 'MountVolume.SetUp failed for volume "files" : configmap "web-files" not found';
const preStop = { exec: { command: ['drain', '--token=s3cret'] } };
const image = "web:1 --overrides='{}'; rm -rf $HOME";

describe('each crash cause is found', () => {
  it.each<Case>([
    ['a program that fails', applicationCrash, looping({ exitCode: 3 })],
    ['a program that finishes', processExitsZero, looping({ exitCode: 0, reason: 'Completed' })],
    [
      'a missing command',
      badCommand,
      looping({ exitCode: 127 }),
      {},
      { confidence: 'likely', adviceValues: has(expect.objectContaining({ problem: 'not-found' })) },
    ],
    [
      'a file that may not be executed',
      badCommand,
      looping({ exitCode: 128, reason: 'StartError', message: 'exec: "/etc": permission denied: unknown' }),
      {},
      { adviceValues: has(expect.objectContaining({ problem: 'not-executable' })) },
    ],
    [
      'a command that the program itself reports as missing',
      badCommand,
      looping({ exitCode: 127, message: 'exec: "/nope": written by the program itself' }),
      {},
      { confidence: 'likely' },
    ],
    [
      'a command that the runtime reports as missing',
      badCommand,
      looping({ exitCode: 128, reason: 'StartError', message: 'exec: "/nope": no such file or directory' }),
      {},
      { confidence: 'proven' },
    ],
    [
      'a program of another architecture',
      badCommand,
      looping({ exitCode: 128, reason: 'StartError', message: 'exec /app: exec format error' }),
      pressed,
      {
        facts: { architectures: ['arm64'], exitCode: 128 },
        adviceValues: has(expect.objectContaining({ problem: 'other-architecture' })),
      },
    ],
    [
      'a command, to be looked for with a command line that an image name could not extend',
      badCommand,
      looping({ exitCode: 127 }, { spec: { image } }),
      {},
      {
        snippets: expect.stringContaining(`--image='web:1 --overrides='\\''{}'\\''; rm -rf $HOME' --command`),
      },
    ],
    [
      'a SIGKILL of unknown origin, which may be memory',
      applicationCrash,
      looping({ exitCode: 137 }),
      {},
      { confidence: 'possible', ruledOut: lacks('out-of-memory') },
    ],
    [
      'a limit that is met',
      outOfMemory,
      looping(oom, memory('512Mi')),
      {},
      { reasoning: has('killed'), facts: { limit: '512Mi', jvmHeap: undefined } },
    ],
    [
      'a limit that the share of the heap leaves little of',
      outOfMemory,
      looping(oom, memory('1Gi', '-XX:MaxRAMPercentage=95')),
      {},
      {
        reasoning: has('jvm-fills'),
        facts: { limit: '1Gi', jvmHeap: { flag: '-XX:MaxRAMPercentage=95', from: 'JAVA_TOOL_OPTIONS' } },
      },
    ],
    [
      'a limit below a fixed heap',
      outOfMemory,
      looping(oom, memory('512Mi', '-Xms64m -Xmx1g')),
      {},
      { reasoning: has('jvm-exceeds') },
    ],
    [
      "the pod's limit where it is smaller than the container's",
      outOfMemory,
      { ...looping(oom, memory('1Gi')), spec: { resources: { limits: { memory: '256Mi' } } } },
      {},
      { facts: { limit: '256Mi' }, where: has('spec.resources.limits.memory') },
    ],
    [
      'a limit that a child process may have met where the main process ended otherwise',
      outOfMemory,
      looping({ exitCode: 1, reason: 'OOMKilled' }, memory('512Mi')),
      {},
      { reasoning: has('process-killed') },
    ],
    [
      'a node that ran out',
      nodeOutOfMemory,
      looping(oom),
      pressed,
      { facts: { nodesUnderPressure: ['n-a'], allocatable: '8Gi' } },
    ],
    [
      'a liveness probe that kills, on a port that the container does not declare',
      livenessProbeKill,
      looping(
        { exitCode: 143, before: 60 },
        { spec: { livenessProbe: probe, ports: [{ containerPort: 80 }] } },
      ),
      killed('liveness'),
      { reasoning: has('port-not-declared') },
    ],
    [
      'a liveness probe on a declared port',
      livenessProbeKill,
      looping(
        { exitCode: 143, before: 60 },
        { spec: { livenessProbe: probe, ports: [{ containerPort: 8080 }] } },
      ),
      killed('liveness'),
      { reasoning: lacks('port-not-declared') },
    ],
    [
      'a liveness probe on a port by its name',
      livenessProbeKill,
      looping(
        { exitCode: 143, before: 60 },
        {
          spec: { livenessProbe: { httpGet: { port: 'web' } }, ports: [{ name: 'web', containerPort: 80 }] },
        },
      ),
      killed('liveness'),
      { reasoning: lacks('port-not-declared') },
    ],
    [
      'a liveness probe, compared with the earliest end that it allows',
      livenessProbeKill,
      looping(
        { exitCode: 143, before: 60, seconds: 30 },
        {
          spec: {
            livenessProbe: { ...probe, initialDelaySeconds: 15, periodSeconds: 5, failureThreshold: 4 },
          },
        },
      ),
      killed('liveness'),
      { steps: has(expect.objectContaining({ key: 'arithmetic', values: { seconds: 30, earliest: 30 } })) },
    ],
    [
      'a startup probe that kills',
      startupProbeKill,
      looping({ exitCode: 137, before: 60 }, { spec: { startupProbe: probe } }),
      killed('startup'),
    ],
    [
      'a pod that does not become ready',
      readinessFailing,
      one({ ready: false, state: { running: { startedAt: ago(900) } }, spec: { readinessProbe: probe } }),
    ],
    ...(
      [
        ["couldn't find key DB_URL in ConfigMap shop/web-config", 'ConfigMap', 'web-config', 'DB_URL'],
        ["couldn't find key token in Secret shop/web-token", 'Secret', 'web-token', 'token'],
        ['configmap "web-config" not found', 'ConfigMap', 'web-config', undefined],
        ['secret "web-token" not found', 'Secret', 'web-token', undefined],
      ] as const
    ).map(
      ([message, kind, name, key]): Case => [
        `configuration that is missing: ${message}`,
        configMissing,
        lacking(message),
        {},
        { confidence: 'proven', holders: [name], facts: { missing: { kind, name, key } } },
      ],
    ),
    ...[
      'secret "somebody-elses" not found',
      'container has runAsNonRoot and image will run as root',
      `couldn't find key ${'k'.repeat(10_000)} in ConfigMap shop/web-config`,
    ].map(
      (message): Case => [
        `configuration of another name than the template has: ${message.slice(0, 60)}`,
        configMissing,
        lacking(message),
        {},
        { confidence: 'likely', summary: 'summary-other', holders: [] },
      ],
    ),
    [
      'an image that cannot be pulled, with the names of its secrets',
      imagePullFailure,
      {
        ...held('ImagePullBackOff', '401 Unauthorized'),
        spec: { imagePullSecrets: [{ name: 'registry' }], serviceAccountName: 'web' },
      },
      {},
      {
        facts: { refusal: 'not-authorised', imagePullSecrets: ['registry'], serviceAccount: 'web' },
        fixes: [],
        withheld: has('restart-rollout'),
      },
    ],
    [
      'a volume that does not mount',
      mountFailure,
      creating,
      said('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out'),
    ],
    [
      'a volume whose ConfigMap is missing',
      mountFailure,
      { ...creating, spec: { volumes: [{ name: 'files', configMap: { name: 'web-files' } }] } },
      said('FailedMount', files),
      { confidence: 'proven', holders: ['web-files'] },
    ],
    [
      'a sandbox that is not made',
      sandboxFailure,
      creating,
      said('FailedCreatePodSandBox', 'plugin type="calico" failed (add): no route'),
    ],
    [
      'an init container that does not end',
      initContainerStuck,
      {
        phase: 'Pending',
        inits: [{ name: 'wait', state: { running: { startedAt: ago(1200) } }, ready: false }],
        containers: [{ state: { waiting: { reason: 'PodInitializing', message: '' } } }],
      },
    ],
    [
      'an eviction, with the request and the pressure behind it, and a clean-up that spares other workloads',
      evicted,
      {
        ...failed('Evicted', lowOnMemory),
        containers: [{ spec: { resources: { requests: { memory: '64Mi' } } } }],
      },
      pressed,
      {
        facts: {
          requests: ['64Mi'],
          qosClass: 'Burstable',
          pressures: [{ node: 'n-a', condition: 'MemoryPressure' }],
        },
        snippets: expect.stringContaining('kubectl -n shop delete pod web-1-a\n'),
      },
    ],
    [
      "an eviction by the pod's own limit, which is not attributed to the node",
      evicted,
      failed('Evicted', 'Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". '),
      {},
      { summary: 'summary-own-limit', reasoning: lacks('no-pressure-now') },
    ],
    [
      'a kubelet that refuses',
      kubeletRejected,
      failed('OutOfcpu', "Pod was rejected: Node didn't have enough resource: cpu"),
    ],
    [
      'a kubelet that refuses what its node can never give, for which no pod has to leave',
      kubeletRejected,
      { ...failed('OutOfcpu', refusedCpu), ...asking('50') },
      { others: { Pod: [neighbour] } },
      {
        reasoning: has('too-large'),
        holders: [],
        advice: ['advice-smaller-title'],
      },
    ],
    [
      'a kubelet that refuses what another pod uses',
      kubeletRejected,
      { ...failed('OutOfcpu', refusedCpu), ...asking('3') },
      { others: { Pod: [neighbour] } },
      { reasoning: lacks('too-large'), holders: ['db-0'], advice: has('advice-holder-title') },
    ],
    [
      'a pod that does not stop, with its hooks',
      terminationGraceExceeded,
      leaving(600, {}, { spec: { lifecycle: { preStop } } }),
      ready,
      {
        facts: { preStop: [{ container: 'app', what: expect.stringContaining('drain') }], graceSeconds: 30 },
      },
    ],
  ])('%s', (_, rule, shape, more, expected = {}) => {
    const finding = mustFind(rule, snapshotOf(shape, more));

    expect(told(finding)).toMatchObject({
      cause: rule.id,
      subject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      nodes: ['n-a'],
      evidence: has(expect.any(String)),
      ruledOut: has(expect.any(String)),
      ...expected,
    });
    expect(JSON.stringify(finding.facts)).not.toContain('s3cret');
  });

  it.each<Case>([
    ['a healthy pod', applicationCrash, {}],
    ['a crash of yesterday', applicationCrash, one({ lastState: ended({ before: 90_000 }), ready: true })],
    [
      'a liveness kill without its event',
      livenessProbeKill,
      looping({ exitCode: 143 }, { spec: { livenessProbe: probe } }),
    ],
    [
      'a mount that has just begun',
      mountFailure,
      creating,
      said('FailedMount', 'timed out', { first: 20, last: 5 }),
    ],
    [
      'a sandbox that failed once',
      sandboxFailure,
      creating,
      said('FailedCreatePodSandBox', 'cni', { first: 10, last: 10 }),
    ],
    ['an eviction of last week', evicted, failed('Evicted', '', 700_000)],
    ['a refusal of hours ago', kubeletRejected, failed('OutOfcpu', '', 3 * 3600)],
    [
      'a refusal before a later pod of the revision ran',
      kubeletRejected,
      failed('OutOfcpu', 'Pod was rejected: cpu', 600),
      { others: { Pod: [failingPod({ name: 'web-1-b', metadata: { creationTimestamp: ago(300) } })] } },
    ],
    ['a pod that still has time to stop', terminationGraceExceeded, leaving(-20), ready],
    [
      'a pod held by a finalizer',
      terminationGraceExceeded,
      leaving(600, { finalizers: ['example.com/hold'] }),
      ready,
    ],
    ['a pod on a node that is not ready', terminationGraceExceeded, leaving(600), { nodes: [node('n-a')] }],
    ['OOM that the node caused', outOfMemory, looping(oom)],
    ['OOM under its own limit', nodeOutOfMemory, looping(oom, memory('512Mi'))],
    [
      'exit 0 of an init container',
      processExitsZero,
      { inits: [{ name: 'migrate', state: ended({ exitCode: 0 }), ready: true }] },
    ],
  ])('not for %s', (_, rule, shape, more) => {
    expect(foundBy(rule, snapshotOf(shape, more))).toBeUndefined();
  });
});

describe('the log of the ended run', () => {
  const log = (previous: boolean, ...lines: string[]) => ({
    namespace: 'shop',
    pod: 'web-1-a',
    container: 'app',
    previous,
    lines,
    truncated: false,
  });
  const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expectFindings<Snapshot['logs']>(applicationCrash, (logs) => snapshotOf(looping({}), { logs }), [
    [
      'is quoted from the previous run, the last lines only',
      [log(false, 'starting'), log(true, ...many)],
      {
        steps: has(
          expect.objectContaining({
            key: 'last-lines',
            values: expect.objectContaining({ lines: many.slice(-6) }),
          }),
        ),
      },
    ],
    ['is reported as missing where none was read', [], { reasoning: has('no-log') }],
  ] satisfies readonly Row<Snapshot['logs']>[]);
});

it('a rollback is offered where the previous revision is healthy', () => {
  const healthy = failingPod({ name: 'web-1-old', status: readyFor(86_400) });
  const ill = failingPod({ name: 'web-2-new', revision: '2', ...held('ImagePullBackOff', 'not found') });

  expect(told(mustFind(imagePullFailure, crashSnapshot({ pods: [healthy, ill] }))).fixes).toEqual([
    'undo-rollout',
  ]);
});

it.each<[string, object | undefined, object, readonly string[]]>([
  [
    'waits for its sandbox, in the words of a kubelet of 1.37',
    { status: 'False', reason: 'PodSandboxNotReady', message: 'no pod sandbox exists' },
    { hasSandbox: false },
    ['no-sandbox', 'volumes'],
  ],
  [
    'waits for its sandbox, of which an older kubelet gives no reason',
    { status: 'False' },
    { hasSandbox: false },
    ['no-sandbox', 'volumes'],
  ],
  [
    'waits for no volume once its sandbox is ready',
    { status: 'True' },
    { hasSandbox: true },
    ['has-sandbox'],
  ],
  ['has no sandbox in its finding where no kubelet reports it', undefined, {}, ['volumes']],
])('a pod that does not start %s', (_, condition, facts, said) => {
  const conditions = [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(43_200) },
    ...(condition === undefined ? [] : [{ type: 'PodReadyToStartContainers', ...condition }]),
  ];
  const pod = failingPod({
    ...creating,
    spec: { volumes: [{ name: 'files', configMap: { name: 'web-files' } }] },
    status: { ...creating.status, phase: 'Pending', conditions } as FailingPodShape['status'],
    metadata: { creationTimestamp: ago(43_200) },
  });
  const found = told(mustFind(podStartStalled, crashSnapshot({ pods: [pod], nodes: [madeNode('n-a')] })));
  expect(found.facts).toMatchObject(facts);
  expect(found.reasoning.filter((key) => ['no-sandbox', 'has-sandbox', 'volumes'].includes(key))).toEqual(
    said,
  );
});

it('a container whose rule restarts all others is named, and the others did not crash', () => {
  const lastState = ended({ exitCode: 137, reason: 'RestartingAllContainers' });
  const restartPolicyRules = [
    { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } },
  ];
  const watcher = { name: 'watcher', lastState, ready: true, spec: { restartPolicyRules } };
  const snapshotOf = (more: object) =>
    crashSnapshot({
      pods: [
        failingPod({
          containers: [
            { lastState, ready: true },
            { ...watcher, ...more },
          ],
        }),
      ],
    });
  const restarted = told(mustFind(applicationCrash, snapshotOf({})));
  const down = told(mustFind(applicationCrash, snapshotOf({ state: ended({ exitCode: 42 }), ready: false })));

  const says = (isEndKept: boolean) =>
    has(step('restarts-all', { container: 'watcher', others: ['app'], isEndKept }));
  expect(restarted).toMatchObject({ container: 'watcher', steps: says(false) });
  expect(restarted.facts).not.toHaveProperty('exitCode', 137);
  expect(down).toMatchObject({ container: 'watcher', facts: { exitCode: 42 }, steps: says(true) });
});

describe('an image that a pod on the same node runs', () => {
  const other = { spec: { imagePullSecrets: [{ name: 'registry' }] }, status: readyFor(86_400) };
  const told401 = held('ImagePullBackOff', '401 Unauthorized');
  const never = held('ErrImageNeverPull', 'is not present with pull policy of Never');
  const foundFor = (shape: FailingPodShape, kubelet: string, on = 'n-a') =>
    told(
      mustFind(
        imagePullFailure,
        crashSnapshot({
          pods: [
            failingPod({ name: 'web-1-old', node: on, ...other }),
            failingPod({ name: 'web-2-new', revision: '2', ...shape }),
          ],
          nodes: [madeNode('n-a', { status: { nodeInfo: { kubeletVersion: kubelet } } })],
        }),
      ),
    );

  it.each<[string, FailingPodShape, string, string, string, readonly string[]]>([
    [
      'is refused to a pod without its credentials',
      told401,
      'v1.36.3',
      'n-a',
      'not-authorised',
      ['on-the-node', 'secrets-of-holders'],
    ],
    [
      'is not present by the word of the kubelet alone',
      never,
      'v1.36.3',
      'n-a',
      'not-for-this-pod',
      ['on-the-node', 'secrets-of-holders'],
    ],
    ['is free for every pod under a kubelet of 1.34', never, 'v1.34.1', 'n-a', 'never-pull', []],
    ['states nothing about another node', never, 'v1.36.3', 'n-b', 'never-pull', []],
  ])('%s', (_, shape, kubelet, on, refusal, said) => {
    const found = foundFor(shape, kubelet, on);
    expect(found.facts).toMatchObject({ refusal });
    expect(found.reasoning.filter((key) => key === 'on-the-node' || key === 'secrets-of-holders')).toEqual(
      said,
    );
  });
});

it('the risky settings of probes and resources are found one by one', () => {
  const container = {
    name: 'app',
    image: 'web:1',
    livenessProbe: { httpGet: { port: 'admin', path: '/' }, periodSeconds: 1, timeoutSeconds: 2 },
    readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 10, failureThreshold: 6 },
    resources: { requests: { memory: '1Gi' }, limits: { memory: '8Gi', cpu: '100m' } },
    env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Xmx7500m' }],
  };
  const snapshot = crashSnapshot({ pods: [failingPod()], template: { containers: [container] } });
  const problemsOf = (rule: AnyRule) => ({ facts: { problems: mustFind(rule, snapshot).facts?.problems } });
  const expected = (...problems: readonly string[]) => ({
    facts: { problems: problems.map((problem) => ({ problem })) },
  });

  expect(problemsOf(probeConfiguration)).toMatchObject(
    expected('readiness-slower', 'liveness-strict', 'named-port-missing', 'timeout-over-period'),
  );
  expect(problemsOf(resourceConfiguration)).toMatchObject(
    expected('memory-overcommitted', 'cpu-throttled', 'jvm-fills'),
  );
});
