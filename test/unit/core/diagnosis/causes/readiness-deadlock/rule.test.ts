import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { HorizontalPodAutoscaler, type Lease } from '#src/core/cluster/policy.js';
import type { Snapshot, Unseen } from '#src/core/cluster/snapshot.js';
import { readinessDeadlock as rule } from '#src/core/diagnosis/causes/readiness-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/readiness-deadlock/text.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, podEvent, renderFinding, snapshotOf } from '../run-rule.js';

const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };
const spec = { containers: [{ name: 'app', image: 'web:1', readinessProbe }] };
const running = { running: { startedAt: ago(1500) } };

function newPod(fields: Partial<PodFields> = {}, container: object = {}): Pod {
  return buildPod({
    name: 'new',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    ready: false,
    age: 1500,
    spec,
    ...fields,
    status: {
      containerStatuses: [
        { name: 'app', ready: false, started: true, restartCount: 0, state: running, ...container },
      ],
      ...fields.status,
    },
  });
}

interface LeaseShape {
  readonly name?: string;
  readonly holder?: string;
  readonly renewed?: number;
  readonly namespace?: string;
}

function lease({
  name = 'web',
  holder = 'old_5b1c',
  renewed = 2,
  namespace = 'shop',
}: LeaseShape = {}): Lease {
  return schemas.Lease.parse({
    metadata: { name, namespace },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: ago(renewed) },
  });
}

const leaseWithoutRenewTime = schemas.Lease.parse({
  metadata: { name: 'web', namespace: 'shop' },
  spec: { holderIdentity: 'old_5b1c', leaseDurationSeconds: 15 },
});

interface Fields {
  readonly log?: readonly string[];
  readonly leases?: readonly Lease[];
  readonly answers?: readonly string[];
  readonly waiting?: Pod;
  readonly old?: readonly Pod[];
  readonly deployment?: DeploymentFields;
  readonly unseen?: readonly Unseen[];
  readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  readonly nodes?: readonly ReturnType<typeof node>[];
}

const oldPod = (fields: Partial<PodFields> = {}) => buildPod({ name: 'old', spec, ...fields });

/** `shop/web`: the old pod is ready, the new one has run for 25 minutes and is not. */
function stuck(fields: Fields = {}): Snapshot {
  const log = fields.log ?? [
    'attempting to acquire leader lease shop/web...',
    'not ready: waiting for leadership',
  ];
  const old = fields.old ?? [oldPod()];
  const first = buildReplicaSet({ revision: 1, replicas: old.length, available: old.length });
  const second = buildReplicaSet({ revision: 2, replicas: 1 });
  const answers = fields.answers ?? ['HTTP probe failed with statuscode: 503'];
  return snapshotOf(
    buildDeployment({ replicas: old.length, ...fields.deployment }),
    {
      ReplicaSet: [first, second],
      Pod: [...old, fields.waiting ?? newPod()],
      Node: fields.nodes ?? [node('n-a')],
      Lease: fields.leases ?? [lease()],
      HorizontalPodAutoscaler: fields.autoscalers ?? [],
      Event: answers.map((answer) => podEvent('new', 'Unhealthy', `Readiness probe failed: ${answer}`)),
    },
    {
      logs: [
        { namespace: 'shop', pod: 'new', container: 'app', previous: false, lines: log, truncated: false },
      ],
      unseen: fields.unseen ?? [],
    },
  );
}

describe('a lease that the old pod holds and the new one waits for', () => {
  it('is proven by the lease and the log of the pod', () => {
    const finding = mustFind(rule, stuck());

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'critical',
      holders: [{ name: 'old' }],
      weakenedBy: [],
    });
    expect(keysOf(finding.reasoning)).toEqual([
      'runs',
      'probe',
      'says',
      'holds',
      'strategy-forbids',
      'counterfactual',
      'expiry',
      'served',
    ]);
    expect(finding.evidence.map(({ object }) => object.kind)).toContain('Lease');
  });

  it.each([
    [600, 'likely', ['pods-may-leave']],
    [undefined, 'proven', []],
  ] as const)('whose holder tolerates a taint for %s seconds is %s', (seconds, confidence, doubts) => {
    const taint = { key: 'drain', value: '', effect: 'NoExecute', timeAdded: ago(60) };
    const tolerations = [{ key: 'drain', operator: 'Exists', tolerationSeconds: seconds }];
    const finding = mustFind(
      rule,
      stuck({
        nodes: [node('n-a', { taints: [taint] })],
        old: [oldPod({ spec: { ...spec, tolerations }, node: 'n-a' })],
      }),
    );

    expect(finding.confidence).toBe(confidence);
    expect(keysOf(finding.weakenedBy)).toEqual(doubts);
    renderFinding(finding, text);
  });

  it.each([
    [0, 'likely', ['autoscaler-may-shrink']],
    [1, 'proven', []],
  ] as const)('beside an autoscaler with a minimum of %i is %s', (minReplicas, confidence, doubts) => {
    const autoscaler = HorizontalPodAutoscaler.parse({
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
    });
    const finding = mustFind(rule, stuck({ autoscalers: [autoscaler] }));

    expect(finding.confidence).toBe(confidence);
    expect(keysOf(finding.weakenedBy)).toEqual(doubts);
  });

  it('is freed by stopping the old pod first, and fixes that would race are withheld', () => {
    const { remediations, withheld } = mustFind(rule, stuck());

    expect(remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      strategy: { maxSurge: 0, maxUnavailable: 1 },
      prediction: { ends: 'complete', victims: [{ name: 'old' }] },
    });
    expect(withheld.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['restart-rollout', 'delete-pod']),
    );
  });

  it('is proven by the response of the probe when the log does not mention it', () => {
    const finding = mustFind(rule, stuck({ log: [], answers: ['not the leader (leader is old)'] }));

    expect(finding.confidence).toBe('proven');
    expect(keysOf(finding.reasoning)).toContain('answers-itself');
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(mustFind(rule, stuck()), text);

    expect(en.join('\n')).toContain('old, the old pod of the same workload, holds the lease shop/web');
    expect(ko).toHaveLength(en.length);
  });

  it.each([
    ['its name only', 'old'],
    ['name and random part', 'old_5b1c-77'],
    ['namespace and name', 'shop/old'],
    ['uid', 'old-uid'],
  ])('identifies the pod by %s', (_, holder) => {
    expect(mustFind(rule, stuck({ leases: [lease({ holder })] })).holders).toMatchObject([{ name: 'old' }]);
  });

  it('is found among other leases by its name in the log', () => {
    const leases = [lease({ name: 'a', holder: 'somebody' }), lease(), lease({ name: 'z', holder: 'old' })];

    expect(mustFind(rule, stuck({ leases }))).toMatchObject({ confidence: 'proven', resource: 'Lease' });
  });

  it.each([
    ['names its lease', 'not ready: waiting for leader lease shop/web'],
    ['names its lease after it tried to get another one', 'not ready: waiting for lease shop/web'],
  ])('is proven where the reason %s', (_, reason) => {
    const log = ['attempting to acquire leader lease shop/jobs', reason];
    const leases = [lease({ name: 'jobs', holder: 'batch-7' }), lease()];

    expect(mustFind(rule, stuck({ log, leases })).confidence).toBe('proven');
  });

  it.each(['shop/redis-operator', 'shop/etcd', 'shop/kafka.strimzi'])(
    'is proven where its name has the name of other software: %s',
    (lock) => {
      const log = [`attempting to acquire leader lease ${lock}...`, 'not ready: waiting for leadership'];
      const leases = [lease({ name: lock.replace('shop/', '') })];

      expect(mustFind(rule, stuck({ log, leases })).confidence).toBe('proven');
    },
  );

  it.each(['old', 'old.', 'old...'])('is proven where the reason names its holder as %s', (holder) => {
    const log = [`not ready: waiting for leader ${holder}`];

    expect(mustFind(rule, stuck({ log })).confidence).toBe('proven');
  });

  it('stays proven where later lines only repeat the attempt', () => {
    const log = [
      'attempting to acquire leader lease shop/web...',
      'not ready: waiting for leadership',
      'failed to acquire lease shop/web',
      'GET /ready 503',
    ];

    expect(mustFind(rule, stuck({ log })).confidence).toBe('proven');
  });

  it('is freed by stopping all old pods where several serve at once and free the lock only together', () => {
    const old = [oldPod(), oldPod({ name: 'old-2' })];
    const [patch] = mustFind(rule, stuck({ old })).remediations;

    expect(patch).toMatchObject({ kind: 'patch-strategy', strategy: { type: 'Recreate' } });
  });

  it('is freed, and advised, without Recreate where the owner could not apply it', () => {
    const old = [oldPod(), oldPod({ name: 'old-2' })];
    const labels = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    };
    const { remediations, advice } = mustFind(rule, stuck({ old, deployment: { labels } }));

    expect(remediations[0]).toMatchObject({
      id: 'patch-strategy-all-at-once',
      title: { key: 'title-all-at-once' },
      strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: '100%' },
    });
    const snippets = advice.map(({ snippet }) => snippet ?? '').join('');
    expect(snippets).toContain('maxSurge: 0\n      maxUnavailable: 100%\n');
    expect(snippets).not.toContain('Recreate');
  });

  it('has no fix where only one of several replicas can ever be ready', () => {
    const old = [oldPod(), oldPod({ name: 'old-2', ready: false })];
    const finding = mustFind(rule, stuck({ old }));

    expect(finding.remediations).toEqual([]);
    expect(finding.withheld.map(({ kind }) => kind)).toContain('patch-strategy');
  });
});

describe('missing evidence lowers the confidence', () => {
  const forbidden: Unseen[] = [{ what: 'Lease', namespace: 'shop', because: 'forbidden', message: '' }];
  const acquiring = 'attempting to acquire leader lease shop/web...';

  it.each<readonly [string, Fields, string, readonly string[]]>([
    ['no lease, but the pod waits for leadership', { leases: [] }, 'possible', ['lease-unseen']],
    ['leases forbidden', { leases: [], unseen: forbidden }, 'possible', ['leases-unread']],
    [
      'no lease, and a lock with an unknown holder',
      { leases: [], log: ['Waiting for changelog lock....'] },
      'possible',
      ['lease-unseen'],
    ],
    [
      'the pod tries to get the lease, and logs nothing after that',
      { log: [acquiring] },
      'possible',
      ['not-named'],
    ],
    [
      'the pod tries to get the lease as standbys do, and continues',
      { log: [acquiring, 'GET /ready 503 db unreachable'] },
      'possible',
      ['not-named'],
    ],
    ['only the lease', { log: ['listening on :8080'] }, 'possible', ['lease-alone']],
    [
      'the pod waits, and two leases are possible',
      { log: ['not ready: waiting for leadership'], leases: [lease(), lease({ name: 'other' })] },
      'possible',
      ['not-named'],
    ],
    [
      'a raft member without peers, beside a lease of the old pod',
      { log: ['[WARN] raft: no known peers', 'not ready: waiting for leader election'] },
      'possible',
      ['not-named'],
    ],
    [
      'a stale changelog lock, while the pod is a standby for the lease too',
      { log: [acquiring, 'not ready: waiting for changelog lock held by old'] },
      'possible',
      ['not-named'],
    ],
    [
      'a standby that reports another reason for not being ready',
      { log: [acquiring, 'not ready: flag --peers is missing (standby)'] },
      'possible',
      ['not-named'],
    ],
    [
      'a standby whose later line gives another reason',
      { log: [acquiring, 'not ready: waiting for leadership', 'not ready: dial tcp 10.0.0.7:5432: refused'] },
      'possible',
      ['not-named'],
    ],
    [
      'a raft member that tries to get a lease for something else as well',
      { log: [acquiring, 'raft: cannot reach peer web-1:8300', 'not ready: standby'] },
      'possible',
      ['not-named'],
    ],
    [
      'a standby that does not name which of two leases it waits for',
      {
        log: [acquiring, 'attempting to acquire leader lease shop/jobs', 'not ready: waiting for leadership'],
        leases: [lease(), lease({ name: 'jobs', holder: 'batch-7' })],
      },
      'possible',
      ['not-named'],
    ],
    [
      'a pod that waits for a lease of another namespace, while its log names the holder of this one',
      { log: ['lock is held by old', 'not ready: waiting for leader lease infra/jobs'] },
      'possible',
      ['not-named'],
    ],
    [
      'a pod that waits for a lease that was not read, while its log names the holder of another one',
      { log: ['lock is held by old', 'not ready: waiting for leader lease shop/jobs'] },
      'possible',
      ['not-named'],
    ],
    [
      'a member of a raft cluster whose leader holds a lease as well',
      { log: [acquiring, 'not ready: standby, raft leader is old'] },
      'possible',
      ['not-named'],
    ],
    [
      'a sentence that ends with the name of another lease',
      {
        log: [acquiring, 'not ready: waiting for leadership of jobs.'],
        leases: [lease(), lease({ name: 'jobs', holder: 'batch-7' })],
      },
      'possible',
      ['not-named'],
    ],
    [
      'a pod that names the holder only behind what is read of a line',
      { log: [`not ready: waiting for leadership ${'. '.repeat(400)}old`] },
      'possible',
      ['not-named'],
    ],
    [
      'a lease without the time of its last renewal',
      { leases: [leaseWithoutRenewTime] },
      'possible',
      ['never-renewed'],
    ],
    [
      'a standby whose later lines report failures of something else',
      { log: [acquiring, 'not ready: waiting for leadership', 'dial tcp 10.0.0.7:5432: connection refused'] },
      'possible',
      ['later-failure'],
    ],
    [
      'a standby whose probe gives another reason',
      {
        log: [acquiring, 'not ready: waiting for leadership'],
        answers: ['dial tcp 10.0.0.9:8080: connect: connection refused'],
      },
      'possible',
      ['not-named'],
    ],
  ])('%s', (_, fields, confidence, weakenedBy) => {
    const finding = mustFind(rule, stuck(fields));

    expect(finding.confidence).toBe(confidence);
    expect(keysOf(finding.weakenedBy)).toEqual(weakenedBy);
    expect(keysOf(finding.advice.map(({ title }) => title))).toContain('advice-tell-title');
    renderFinding(finding, text);
  });

  it('and a merely possible deadlock has no fix and hides no other finding', () => {
    const snapshot = stuck({ log: ['listening on :8080'] });
    const other = { ...rule, id: 'readiness-failing', supersedes: [] } as const;
    const failing = {
      ...other,
      detect: () => ({ ...mustFind(rule, snapshot), cause: 'readiness-failing' as const, facts: {} }),
    };

    const { severity, remediations } = mustFind(rule, snapshot);
    expect(severity).toBe('warning');
    expect(remediations.map(({ kind }) => kind)).toEqual(['undo-rollout']);
    expect(diagnose(snapshot, [rule, failing]).findings).toHaveLength(2);
    expect(diagnose(stuck(), [rule, failing]).findings.map(({ cause }) => cause)).toEqual([
      'readiness-deadlock',
    ]);
  });
});

describe('no readiness deadlock is reported', () => {
  it.each<readonly [string, Fields]>([
    ['when the new pod holds the lease', { leases: [lease({ holder: 'new_1' })] }],
    ['when another pod holds it', { leases: [lease({ holder: 'batch-7' })] }],
    ['when its holder has stopped renewing it', { leases: [lease({ renewed: 300 })] }],
    [
      'when the pod waits for another lease, which another pod holds',
      {
        log: ['attempting to acquire leader lease shop/web', 'not ready: waiting for leader lease shop/jobs'],
        leases: [lease(), lease({ name: 'jobs', holder: 'batch-7' })],
      },
    ],
    ['when no pod holds it', { leases: [lease({ holder: '' })] }],
    [
      'when the new pod has got the lease since',
      {
        log: [
          'attempting to acquire leader lease shop/web...',
          'not ready: waiting for leadership',
          'successfully acquired lease shop/web',
        ],
      },
    ],
    [
      'when neither lease nor log mention a lock',
      { leases: [], log: ['connection to db refused'], answers: ['HTTP probe failed with statuscode: 500'] },
    ],
    [
      'when the lease is of another namespace',
      { leases: [lease({ namespace: 'kube-system' })], log: ['connection to db refused'] },
    ],
    [
      'when the container was restarted: it is a crash loop',
      { waiting: newPod({ restarts: 4 }, { restartCount: 4 }) },
    ],
    [
      'when the container waits for its image',
      { waiting: newPod({}, { state: { waiting: { reason: 'ImagePullBackOff' } } }) },
    ],
    [
      'when it has no readiness probe',
      { waiting: newPod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } }) },
    ],
    ['within the time that a start may take', { waiting: newPod({ age: 20 }) }],
    ['when the old pod is leaving', { old: [oldPod({ terminating: true })] }],
    ['when no old pod serves', { old: [oldPod({ ready: false })] }],
    ['while the rollout is paused', { deployment: { paused: true } }],
    ['when the controller may stop the old pod', { deployment: { maxUnavailable: 1 } }],
  ])('%s', (_, fields) => {
    expect(foundBy(rule, stuck(fields))).toBeUndefined();
  });
});
