import { describe, expect, it } from 'vitest';
import { readinessDeadlock as rule } from '#src/doctor/causes/readiness-deadlock/rule.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { ConfigMap, type HorizontalPodAutoscaler, type Lease } from '#src/engine/objects/policy.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import {
  autoscalerOf,
  expectFindings,
  foundBy,
  has,
  mustFind,
  podEvent,
  type Row,
  snapshotOf,
} from '../run-rule.js';

const spec = {
  containers: [{ name: 'app', image: 'web:1', readinessProbe: { httpGet: { path: '/ready', port: 8080 } } }],
};

function newPod(fields: Partial<PodFields> = {}, container: object = {}): Pod {
  const running = { running: { startedAt: ago(1500) } };
  const app = { name: 'app', ready: false, started: true, restartCount: 0, state: running, ...container };
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  return buildPod({
    name: 'new',
    owner,
    ready: false,
    age: 1500,
    spec,
    status: { containerStatuses: [app] },
    ...fields,
  });
}
const at = (podIP: string): Pod => ({ ...newPod(), status: { ...newPod().status, podIP } });
const oldPod = (fields: Partial<PodFields> = {}) => buildPod({ name: 'old', spec, ...fields });
const two = (second: Partial<PodFields> = {}) => [oldPod(), oldPod({ name: 'old-2', ...second })];

const lease = (
  name = 'web',
  holderIdentity = 'old_5b1c',
  renewed: number | undefined = 2,
  namespace = 'shop',
): Lease =>
  build('Lease', name, {
    metadata: { namespace },
    spec: {
      holderIdentity,
      leaseDurationSeconds: 15,
      renewTime: renewed === undefined ? undefined : ago(renewed),
    },
  });
const heldBy = (holder: string) => ({ leases: [lease('web', holder)] });
const jobs = lease('jobs', 'batch-7');
/** As client-go wrote the record of an election before it used Leases. */
const leaderMap = (renewed: number, holderIdentity = 'old_5b1c') =>
  ConfigMap.parse({
    metadata: {
      name: 'web',
      namespace: 'shop',
      annotations: {
        'control-plane.alpha.kubernetes.io/leader': JSON.stringify({
          holderIdentity,
          leaseDurationSeconds: 15,
          renewTime: ago(renewed),
        }),
      },
    },
  });
const neverRenewed = { ...lease(), spec: { ...lease().spec, renewTime: undefined } };

interface Fields {
  readonly log?: readonly string[];
  readonly leases?: readonly Lease[];
  readonly configMaps?: readonly ReturnType<typeof leaderMap>[];
  readonly answers?: readonly string[];
  readonly waiting?: Pod;
  readonly old?: readonly Pod[];
  readonly deployment?: DeploymentFields;
  readonly unseen?: readonly Unseen[];
  readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  readonly nodes?: readonly ReturnType<typeof node>[];
  /** Pods of other workloads. */
  readonly others?: readonly Pod[];
}

const acquiring = 'attempting to acquire leader lease shop/web...';
const acquiringJobs = 'attempting to acquire leader lease shop/jobs';
const standby = 'not ready: waiting for leadership';

/** Nothing listens at the address of the new pod. */
const closedPort = {
  waiting: at('10.2.0.9'),
  answers: ['dial tcp 10.2.0.9:8080: connect: connection refused'],
};

/** `shop/web`: the old pod is ready, the new one has run for 25 minutes and is not. */
function stuck(fields: Fields): Snapshot {
  const {
    log = [acquiring, standby],
    old = [oldPod()],
    answers = ['HTTP probe failed with statuscode: 503'],
  } = fields;
  const said = {
    namespace: 'shop',
    pod: 'new',
    container: 'app',
    previous: false,
    lines: log,
    truncated: false,
  };
  return snapshotOf(
    buildDeployment({ replicas: old.length, ...fields.deployment }),
    {
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: old.length, available: old.length }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Pod: [...old, fields.waiting ?? newPod(), ...(fields.others ?? [])],
      Node: fields.nodes ?? [node('n-a')],
      Lease: fields.leases ?? [lease()],
      ConfigMap: fields.configMaps ?? [],
      HorizontalPodAutoscaler: fields.autoscalers ?? [],
      Event: answers.map((answer) => podEvent('new', 'Unhealthy', `Readiness probe failed: ${answer}`)),
    },
    { logs: [said], unseen: fields.unseen ?? [] },
  );
}

const flocked = 'db file is flocked by another process, or taking too long';
const mounting = (claimName: string) => ({
  containers: [{ ...spec.containers[0], volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});
/** Each pod mounts a claim, and the new one logs that another process has its file. */
const waitingIn = (claim: string, log = [flocked]): Fields => ({
  log,
  leases: [],
  old: [oldPod({ spec: mounting('data') })],
  waiting: newPod({ spec: mounting(claim) }),
});

const drained = (tolerationSeconds?: number): Fields => ({
  nodes: [
    node('n-a', { taints: [{ key: 'drain', value: '', effect: 'NoExecute', timeAdded: ago(60) } as never] }),
  ],
  old: [
    oldPod({ spec: { ...spec, tolerations: [{ key: 'drain', operator: 'Exists', tolerationSeconds }] } }),
  ],
});
const kustomized = {
  'kustomize.toolkit.fluxcd.io/name': 'apps',
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
};
const proven = { confidence: 'proven', doubts: [], holders: ['old'] };
const likely = (doubt: string) => ({ confidence: 'likely', doubts: [doubt] });

describe('a lease that the old pod holds and the new one waits for', () => {
  expectFindings<Fields>(rule, stuck, [
    [
      'is proven by the lease and the log, and freed by stopping the old pod first, where other fixes would race',
      {},
      {
        ...proven,
        severity: 'critical',
        resource: 'Lease',
        reasoning: [
          'runs',
          'probe',
          'says',
          'holds',
          'strategy-forbids',
          'counterfactual',
          'expiry',
          'served',
        ],
        facts: { lease: { name: 'shop/web', holder: 'old', durationSeconds: 15 } },
        shownBy: has('Lease'),
        fix: {
          kind: 'patch-strategy',
          strategy: { maxSurge: 0, maxUnavailable: 1 },
          prediction: { ends: 'complete', victims: [{ name: 'old' }] },
        },
        withheld: has('restart-rollout', 'delete-pod'),
      },
    ],
    [
      'is likely where the log names no lease and the namespace has only this one',
      { log: [standby] },
      { ...likely('inferred'), fix: { kind: 'patch-strategy' } },
    ],
    [
      'is likely where the log names no lease and the old pod holds all of the namespace',
      { log: [standby], leases: [lease(), lease('other')] },
      { ...likely('inferred'), fix: { kind: 'patch-strategy' } },
    ],
    [
      'is likely where the log names no lease and a pod of another workload holds the others',
      {
        log: [standby],
        leases: [lease(), jobs],
        others: [buildPod({ name: 'batch-7', owner: { name: 'batch', uid: 'batch-uid' } })],
      },
      { ...likely('inferred'), fix: { kind: 'patch-strategy' } },
    ],
    [
      'is likely where the pod tries to get the lease and opens no port, where the old pod is ready with the probe',
      { log: [acquiring], ...closedPort },
      { ...likely('stalled'), fix: { kind: 'patch-strategy' } },
    ],
    ...[
      'time="2026-11-20T08:46:10Z" level=info msg="started HTTP server" address="127.0.0.1:6060" context=debugsvc',
      '{"level":"info","msg":"Serving metrics server","bindAddress":":8080"}',
      '{"level":"info","ts":1795166770.6,"logger":"controller-runtime.manager","msg":"starting metrics server","path":"/metrics"}',
    ].map(
      (opened): Row<Fields> => [
        `is likely where the program opens another port after the attempt: ${opened}`,
        { log: [acquiring, opened], ...closedPort },
        { ...likely('stalled'), fix: { kind: 'patch-strategy' } },
      ],
    ),
    [
      'is only possible where the program goes on with something else after the attempt',
      { log: [acquiring, 'connecting to the database at db.shop:5432'], ...closedPort },
      { confidence: 'possible' },
    ],
    ...['HTTP probe failed with statuscode: 503', 'HTTP probe failed with statuscode: 500'].map(
      (answer): Row<Fields> => [
        `is likely where the last line tries to get the lease, and the probe returns no more: ${answer}`,
        { log: [acquiring], answers: [answer] },
        { ...likely('last-attempt'), fix: { kind: 'patch-strategy' } },
      ],
    ),
    ...['', 'cat: /tmp/ready: No such file or directory'].map(
      (answer): Row<Fields> => [
        `is likely where a field of the last line names the lease that it waits for, and a command says: ${answer}`,
        {
          log: ['{"level":"info","message":"waiting for leadership","lease":"web-lease"}'],
          leases: [lease('web-lease'), lease('backup-lease')],
          answers: [answer],
        },
        { ...likely('last-attempt'), fix: { kind: 'patch-strategy' } },
      ],
    ),
    [
      'is proven where the log names the lease without its namespace, beside others of the old pod',
      {
        log: ["Attempting to acquire leader lease 'LeaseLock: shop - web-lease (3b1f)'...", standby],
        leases: [lease('web-lease'), lease('backup-lease')],
      },
      { ...proven, facts: { lease: { name: 'shop/web-lease', holder: 'old' } } },
    ],
    [
      'is proven by the same record in an annotation of a ConfigMap',
      { leases: [], configMaps: [leaderMap(2)] },
      { ...proven, resource: 'ConfigMap', shownBy: has('ConfigMap') },
    ],
    [
      'is likely where its holder tolerates a taint for some time',
      drained(600),
      likely('evictions-may-free'),
    ],
    ['is proven where its holder tolerates the taint without a limit', drained(), proven],
    [
      'is likely where its holder restarted before, and the new pod may be first at the next time',
      { old: [oldPod({ restarts: 1 })] },
      likely('holder-restarts'),
    ],
    [
      'is likely beside an autoscaler that may remove every pod',
      { autoscalers: [autoscalerOf('Deployment', 'web', 0)] },
      likely('autoscaler-may-shrink'),
    ],
    [
      'is proven beside an autoscaler that keeps one pod',
      { autoscalers: [autoscalerOf('Deployment', 'web', 1)] },
      proven,
    ],
    ...[
      'service unhealthy (responded with "NOT_SERVING")',
      'Get "http://10.2.0.7:8080/ready": dial tcp 10.2.0.7:8080: connect: connection refused',
    ].map(
      (answer): Row<Fields> => [
        `is proven by the log where the probe gives no reason: ${answer}`,
        { answers: [answer], waiting: at('10.2.0.7') },
        proven,
      ],
    ),
    [
      'is proven by the response of the probe where the log does not mention it',
      { log: [], answers: ['not the leader (leader is old)'] },
      { ...proven, reasoning: has('answers-itself') },
    ],
    ...['old', 'old_5b1c-77', 'shop/old', 'old-uid'].map(
      (holder): Row<Fields> => [`is proven where its holder is ${holder}`, heldBy(holder), proven],
    ),
    [
      'is found among other leases by its name in the log',
      { leases: [lease('a', 'somebody'), lease(), lease('z', 'old')] },
      proven,
    ],
    ...['waiting for leader lease shop/web', 'waiting for lease shop/web'].map(
      (reason): Row<Fields> => [
        `is proven after an attempt to get another one, where the reason is ${reason}`,
        { log: [acquiringJobs, `not ready: ${reason}`], leases: [jobs, lease()] },
        proven,
      ],
    ),
    ...['redis-operator', 'etcd', 'kafka.strimzi'].map(
      (name): Row<Fields> => [
        `is proven where its name has the name of other software: ${name}`,
        { log: [`attempting to acquire leader lease shop/${name}...`, standby], leases: [lease(name)] },
        proven,
      ],
    ),
    ...['old', 'old.', 'old...'].map(
      (holder): Row<Fields> => [
        `is proven where the reason names its holder as ${holder}`,
        { log: [`not ready: waiting for leader ${holder}`] },
        proven,
      ],
    ),
    [
      'stays proven where later lines only repeat the attempt',
      { log: [acquiring, standby, 'failed to acquire lease shop/web', 'GET /ready 503'] },
      proven,
    ],
    [
      'is freed by stopping all old pods where several serve at once and free the lock only together',
      { old: two() },
      { fix: { kind: 'patch-strategy', strategy: { type: 'Recreate' } } },
    ],
    [
      'is freed, and advised, without Recreate where the owner could not apply it',
      { old: two(), deployment: { labels: kustomized } },
      {
        fix: {
          id: 'patch-strategy-all-at-once',
          title: { key: 'title-all-at-once' },
          strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: '100%' },
        },
        snippets: expect.stringMatching(/^(?!.*Recreate).*maxSurge: 0\n {6}maxUnavailable: 100%\n/s),
      },
    ],
    [
      'has no fix where only one of several replicas can ever be ready',
      { old: two({ ready: false }) },
      { fixes: [], withheld: has('patch-strategy') },
    ],
  ]);
});

const unread: Unseen = { what: 'Lease', namespace: 'shop', because: 'forbidden', message: '' };
const possible: Readonly<Record<string, readonly (readonly [string, Fields])[]>> = {
  'lease-unseen': [
    ['no lease, but the pod waits for leadership', { leases: [] }],
    ['no lease, and a lock with an unknown holder', { leases: [], log: ['Waiting for changelog lock....'] }],
  ],
  'leases-unread': [['leases forbidden', { leases: [], unseen: [unread] }]],
  'lease-alone': [['only the lease', { log: ['listening on :8080'] }]],
  'never-renewed': [['a lease without the time of its last renewal', { leases: [neverRenewed] }]],
  'later-failure': [
    [
      'a standby whose later lines report failures of something else',
      { log: [acquiring, standby, 'dial tcp 10.0.0.7:5432: connection refused'] },
    ],
  ],
  'not-named': [
    [
      'the pod tries to get the lease, and another old pod is ready without it',
      { log: [acquiring], old: two() },
    ],
    [
      'the pod tries to get the lease, and the old pod was ready before it had it',
      { log: [acquiring], leases: [{ ...lease(), spec: { ...lease().spec, acquireTime: ago(30) } }] },
    ],
    [
      'the pod tries to get the lease, and does not know the path of its probe',
      { log: [acquiring], answers: ['HTTP probe failed with statuscode: 404'] },
    ],
    [
      'the pod tries to get the lease, and has a probe that the old pod does not have',
      {
        log: [acquiring],
        old: [oldPod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } })],
      },
    ],
    [
      'the pod opens no port, and logs more after the attempt',
      { log: [acquiring, 'loading'], ...closedPort },
    ],
    [
      'the line of the log names no lease, and the command prints nothing',
      { log: ['waiting for leadership'], leases: [lease(), jobs], answers: [''] },
    ],
    [
      'the pod waits for a named lease, and a command reports another failure',
      {
        log: ['{"message":"waiting for leadership","lease":"web-lease"}'],
        leases: [lease('web-lease'), lease('backup-lease')],
        answers: ['psql: error: connection to server failed'],
      },
    ],
    [
      'the pod opens no port for a probe that the old pod does not have',
      {
        log: [acquiring],
        ...closedPort,
        old: [oldPod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } })],
      },
    ],
    [
      'the pod tries to get the lease as standbys do, and continues',
      { log: [acquiring, 'GET /ready 503 db unreachable'] },
    ],
    [
      'the pod waits, and one of two leases is of a pod that was not read',
      { log: [standby], leases: [lease(), jobs] },
    ],
    [
      'the pod waits, and each of two old pods holds a lease',
      { log: [standby], old: two(), leases: [lease(), lease('other', 'old-2')] },
    ],
    [
      'a raft member without peers, beside a lease of the old pod',
      { log: ['[WARN] raft: no known peers', 'not ready: waiting for leader election'] },
    ],
    [
      'a stale changelog lock, while the pod is a standby for the lease too',
      { log: [acquiring, 'not ready: waiting for changelog lock held by old'] },
    ],
    [
      'a standby that reports another reason for not being ready',
      { log: [acquiring, 'not ready: flag --peers is missing (standby)'] },
    ],
    [
      'a standby whose later line gives another reason',
      { log: [acquiring, standby, 'not ready: dial tcp 10.0.0.7:5432: refused'] },
    ],
    [
      'a raft member that tries to get a lease for something else as well',
      { log: [acquiring, 'raft: cannot reach peer web-1:8300', 'not ready: standby'] },
    ],
    [
      'a standby that does not name which of two leases it waits for',
      { log: [acquiring, acquiringJobs, standby], leases: [lease(), jobs] },
    ],
    [
      'a pod that waits for a lease of another namespace, while its log names the holder of this one',
      { log: ['lock is held by old', 'not ready: waiting for leader lease infra/jobs'] },
    ],
    [
      'a pod that waits for a lease that was not read, while its log names the holder of another one',
      { log: ['lock is held by old', 'not ready: waiting for leader lease shop/jobs'] },
    ],
    [
      'a member of a raft cluster whose leader holds a lease as well',
      { log: [acquiring, 'not ready: standby, raft leader is old'] },
    ],
    [
      'a sentence that ends with the name of another lease',
      { log: [acquiring, 'not ready: waiting for leadership of jobs.'], leases: [lease(), jobs] },
    ],
    [
      'a pod that names the holder only behind what is read of a line',
      {
        log: [`not ready: waiting for leadership ${'. '.repeat(400)}old`],
        leases: [lease(), jobs],
      },
    ],
    [
      'a standby whose probe gives another reason',
      {
        log: [acquiring, standby],
        answers: ['dial tcp 10.0.0.9:8080: connect: connection refused'],
        waiting: at('10.2.0.7'),
      },
    ],
  ],
};

describe('a lock of data on a claim for which the new pod waits', () => {
  expectFindings<Fields>(rule, stuck, [
    [
      'is likely where both pods mount the claim, although nothing fails',
      waitingIn('data'),
      { confidence: 'likely', holders: ['old'], fixes: has('patch-strategy') },
    ],
    [
      'is likely where the new pod stands by, and both pods mount the claim',
      waitingIn('data', ['[INF] STREAM: Starting in standby mode']),
      { confidence: 'likely', holders: ['old'], fixes: has('patch-strategy') },
    ],
  ]);
});

describe('a pod that stands by', () => {
  expectFindings<Fields>(rule, stuck, [
    [
      'is only possibly deadlocked where each pod has a claim of its own',
      waitingIn('own', ['[INF] STREAM: Starting in standby mode']),
      { confidence: 'possible' },
    ],
  ]);
  it.each<[string, readonly string[]]>([
    ['became the leader', ['Starting in standby mode', 'became leader']],
    ['fails at something else', ['Starting in standby mode', 'error: license of region eu-9 denied']],
    ['prints a setting about others', ['num.standby.replicas = 0']],
    ['prints a setting that is off', ['start in standby mode: false']],
  ])('waits for no data of the old pod where it %s', (_, log) => {
    const { remediations = [] } = foundBy(rule, stuck(waitingIn('data', [...log]))) ?? {};
    expect(remediations.map(({ kind }) => kind)).not.toContain('patch-strategy');
  });
});

describe('a readiness deadlock is only possible with', () => {
  const unproven = { confidence: 'possible', severity: 'warning', fixes: ['undo-rollout'] };
  for (const [doubt, rows] of Object.entries(possible))
    expectFindings<Fields>(
      rule,
      stuck,
      rows.map(([what, fields]) => [
        what,
        fields,
        { ...unproven, doubts: [doubt], advice: has('advice-tell-title') },
      ]),
    );

  it('hides no other finding then', () => {
    const alone = stuck({ log: ['listening on :8080'] });
    const detect = () => ({ ...mustFind(rule, alone), cause: 'readiness-failing' as const, facts: {} });
    const failing = { ...rule, id: 'readiness-failing', supersedes: [], detect } as const;
    const causesIn = (snapshot: Snapshot) =>
      diagnose(snapshot, [rule, failing]).findings.map(({ cause }) => cause);

    expect(causesIn(alone)).toHaveLength(2);
    expect(causesIn(stuck({}))).toEqual(['readiness-deadlock']);
  });
});

describe('no readiness deadlock is reported', () => {
  const noLock: Fields = {
    log: ['connection to db refused'],
    answers: ['HTTP probe failed with statuscode: 500'],
  };
  expectFindings<Fields>(rule, stuck, [
    ['where the new pod holds the lease', heldBy('new_1')],
    ['where another pod holds it', heldBy('batch-7')],
    [
      'where another pod holds the lease that the log names without its namespace',
      {
        log: [acquiring.replace('shop/web', 'jobs-lease'), 'not ready: waiting for leadership of jobs-lease'],
        leases: [lease(), lease('jobs-lease', 'batch-7')],
      },
    ],
    [
      'where each pod holds a lease of its own and the log mentions no lock',
      { ...noLock, leases: [lease('member-old', 'old'), lease('member-new', 'new')] },
    ],
    ['where no pod holds it', heldBy('')],
    [
      'where the annotation names a leader that has stopped renewing it',
      { log: [acquiring], leases: [], configMaps: [leaderMap(300)] },
    ],
    ['where its holder has stopped renewing it', { leases: [lease('web', 'old_5b1c', 300)] }],
    [
      'where the pod waits for another lease, which another pod holds',
      { log: [acquiring, 'not ready: waiting for leader lease shop/jobs'], leases: [lease(), jobs] },
    ],
    [
      'where the new pod has got the lease since',
      { log: [acquiring, standby, 'successfully acquired lease shop/web'] },
    ],
    ['where neither lease nor log mention a lock', { ...noLock, leases: [] }],
    [
      'where the lease is of another namespace',
      { log: ['connection to db refused'], leases: [lease('web', 'old_5b1c', 2, 'kube-system')] },
    ],
    ['where the container was restarted: it is a crash loop', { waiting: newPod({}, { restartCount: 4 }) }],
    [
      'where the container waits for its image',
      { waiting: newPod({}, { state: { waiting: { reason: 'ImagePullBackOff' } } }) },
    ],
    [
      'where it has no readiness probe',
      { waiting: newPod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } }) },
    ],
    ['where each pod has a claim of its own', waitingIn('own')],
    [
      'where the pod fails at something else after it waited for the claim',
      waitingIn('data', [flocked, 'error: license of region eu-9 denied']),
    ],
    ['within the time that a start may take', { waiting: newPod({ age: 20 }) }],
    ['where the old pod is leaving', { old: [oldPod({ terminating: true })] }],
    ['where no old pod serves', { old: [oldPod({ ready: false })] }],
    ['while the rollout is paused', { deployment: { paused: true } }],
    ['where the controller may stop the old pod', { deployment: { maxUnavailable: 1 } }],
  ]);
});
