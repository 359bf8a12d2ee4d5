import { describe, expect, it } from 'vitest';
import { Event } from '#src/core/cluster/event.js';
import { quotaExceeded } from '#src/core/diagnosis/causes/quota-exceeded/rule.js';
import { text } from '#src/core/diagnosis/causes/quota-exceeded/text.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { ago, buildPod } from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import {
  containerDefaults,
  exceededMessage,
  foreignPod,
  quota,
  type RefusedFields,
  refused,
} from '../../../creation/build.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const memory = (amount: string) => ({ 'requests.memory': amount });

/** The first rollout of a Deployment: no old pods, two new ones that run, one refused. */
const first: RefusedFields = {
  old: 0,
  newPods: [{ name: 'new-0' }, { name: 'new-1' }],
  others: [foreignPod('cache-0', { memory: '2Gi' })],
};

const find = (fields: RefusedFields = {}) => mustFind(quotaExceeded, refused({ ...first, ...fields }));
const findIfAny = (fields: RefusedFields = {}) => foundBy(quotaExceeded, refused({ ...first, ...fields }));

const sumsIn = ({ evidence }: Finding) =>
  evidence.filter(({ says }) => says.key === 'ev-quota').map(({ says }) => says.values);

describe('an exceeded quota', () => {
  it('is reported with its users, and without a fix that would not help', () => {
    const finding = find();

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'warning',
      resource: 'requests.memory',
      remediations: [],
      summary: { values: { workload: 'shop/web', missing: 1, quota: 'team' } },
    });
    expect(finding.reasoning.find(({ key }) => key === 'used-by')?.values.users).toEqual([
      { owner: 'deployment/web', pods: 2, charged: '2Gi' },
      { owner: 'replicaset/cache-1', pods: 1, charged: '2Gi' },
    ]);
    expect(sumsIn(finding)).toEqual([
      {
        requested: '1Gi',
        used: '4Gi',
        hard: '4Gi',
        missing: '1Gi',
        users: [
          { workload: 'shop/web', pods: 2, amount: '2Gi' },
          { workload: 'shop/cache-1', pods: 1, amount: '2Gi' },
        ],
        more: 0,
      },
    ]);
    expect(finding.withheld.map(({ kind }) => kind)).toEqual(['restart-rollout', 'undo-rollout']);
    expect(finding.ruledOut[0]).toMatchObject({
      cause: 'quota-deadlock',
      because: { key: 'because-no-predecessor' },
    });
    expect(finding.advice[0]?.snippet).toContain('requests.memory: "5Gi"');
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(find(), text);

    expect(en).toContain('A pod of web-2 requests 1Gi of requests.memory. Quota team has 4Gi of 4Gi in use.');
    expect(ko).toHaveLength(en.length);
  });

  it('is critical when no pod of the workload is ready', () => {
    expect(find({ newPods: [] }).severity).toBe('critical');
  });

  it('states where a pod requests more than the whole quota', () => {
    const finding = find({
      newAsks: { memory: '8Gi' },
      newPods: [],
      message: exceededMessage('team', memory('8Gi'), memory('0'), memory('4Gi')),
      quotas: [quota({ hard: memory('4Gi'), used: memory('0') })],
    });

    expect(keysOf(finding.reasoning)).toContain('never-fits');
  });

  it('states where part of the usage belongs to pods that were not read', () => {
    expect(keysOf(find({ others: [] }).reasoning)).toContain('used-unseen');
    expect(keysOf(find().reasoning)).not.toContain('used-unseen');
  });

  it('stays the cause where the old pods are not enough, and no fix stops old pods', () => {
    const finding = find({ replicas: 1, old: 1, oldAsks: { memory: '100Mi' }, newPods: [] });

    expect(keysOf(finding.reasoning)).toContain('own-too-small');
    expect(finding.withheld.map(({ kind }) => kind)).toContain('patch-strategy');
  });

  it('is only likely where the quota could not be read, or the requests differ', () => {
    expect(find({ quotas: [] })).toMatchObject({
      confidence: 'likely',
      weakenedBy: [{ key: 'quota-unread' }],
    });
    expect(
      find({ newAsks: {}, newPods: [], limitRanges: [containerDefaults({ memory: '512Mi' })] }),
    ).toMatchObject({ confidence: 'likely', weakenedBy: [{ key: 'request-differs' }] });
  });

  it('states that the quota has enough free by now and the controller waits for its retry', () => {
    const finding = find({ quotas: [quota({ hard: memory('8Gi'), used: memory('4Gi') })] });

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.reasoning)).toContain('room-now');
  });

  it('is not reported while a pod terminates in time and frees enough', () => {
    expect(
      findIfAny({ others: [foreignPod('cache-0', { memory: '2Gi' }, { terminating: true })] }),
    ).toBeUndefined();
  });

  it('is not reported in a rollout that progresses and whose own old pods free enough later', () => {
    expect(
      findIfAny({
        replicas: 4,
        old: 3,
        newPods: [{ name: 'new-0', ready: false, age: 10 }],
        others: [],
        deployment: { maxSurge: 2, maxUnavailable: 0 },
      }),
    ).toBeUndefined();
  });

  it('is reported beside crashing new pods, for the pods that are still missing', () => {
    const finding = find({ old: 3, newPods: [{ name: 'new-0', ready: false, restarts: 4 }], replicas: 4 });

    expect(finding.ruledOut[0]?.because).toMatchObject({
      key: 'because-others-fail',
      values: { pods: ['new-0'] },
    });
  });

  it.each<[string, string | undefined]>([
    ['no refusal', undefined],
    ['another refusal', 'pods "web-2-a" is forbidden: violates PodSecurity "restricted:latest": x'],
    [
      'a quota that requires a resource the pod does not specify',
      'pods "a" is forbidden: failed quota: team: must specify limits.cpu for: app',
    ],
  ])('is not reported with %s', (_, quotaMessage) => {
    expect(findIfAny({ message: quotaMessage })).toBeUndefined();
  });
});

describe('a StatefulSet that a quota stops', () => {
  const set = (message: string, secondsAgo = 60, reason = 'FailedCreate') => {
    const workload = buildSet({ replicas: 3 });
    const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
    const event = Event.parse({
      metadata: { name: 'db.1', namespace: 'shop' },
      involvedObject: { kind: 'StatefulSet', namespace: 'shop', name: 'db', uid: 'db-uid' },
      type: reason === 'FailedCreate' ? 'Warning' : 'Normal',
      reason,
      message,
      lastTimestamp: ago(secondsAgo),
    });
    return snapshotOf(workload, {
      Pod: [0, 1].map((ordinal) => buildPod({ name: `db-${ordinal}`, owner })),
      Event: [event],
      ResourceQuota: [quota({ hard: { pods: '2' }, used: { pods: '2' } })],
    });
  };
  const refusal =
    'pods "db-2" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2';

  it('reports it in its events only', () => {
    const finding = mustFind(
      quotaExceeded,
      set(`create Pod db-2 in StatefulSet db failed error: ${refusal}`),
    );

    expect(finding).toMatchObject({
      confidence: 'proven',
      resource: 'pods',
      evidence: [{ object: { kind: 'Event' } }, {}],
    });
  });

  it('may lack the claim rather than the pod', () => {
    const finding = mustFind(
      quotaExceeded,
      set(
        'create Claim data-db-2 for Pod db-2 in StatefulSet db failed error: persistentvolumeclaims "data-db-2" is forbidden: exceeded quota: disks, requested: requests.storage=10Gi, used: requests.storage=20Gi, limited: requests.storage=20Gi',
      ),
    );

    expect(finding.confidence).toBe('likely');
    expect(finding.reasoning[0]).toMatchObject({
      key: 'refused-first',
      values: { what: 'PersistentVolumeClaim' },
    });
  });
});
