import { describe, expect, it } from 'vitest';
import { capacityContention } from '#src/doctor/causes/capacity-contention/rule.js';
import { text } from '#src/doctor/causes/capacity-contention/text.js';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { Namespace } from '#src/engine/objects/policy.js';
import { StatefulSet } from '#src/engine/objects/workload.js';
import { pod } from '../../../support/placement-builders.js';
import { ago } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';
import {
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
} from '../../doctor/findings/waiting/build.js';
import { api, beside, gpu } from './beside.js';

const deletedAgo = { deletionTimestamp: ago(2) };

/** `shop/db` with two ready pods. */
function db(replicas: number, { isReady = true, fields = {} as object } = {}): Fields {
  const set = buildSet({ replicas, status: { replicas: 2, updateRevision: 'db-1' } });
  const member = (name: string, on: string, ready: boolean) => {
    const pod = foreignPod(name, 'StatefulSet', 'db', {
      on,
      ...gpu,
      labels: { 'controller-revision-hash': 'db-1' },
    });
    const [first] = ownedPod(name, 1, { on }).status.conditions.filter(({ type }) => type === 'Ready');
    const conditions = first === undefined ? [] : [{ ...first, status: ready ? 'True' : 'False' }];
    return { ...pod, status: { ...pod.status, startTime: ago(3600), conditions } };
  };
  return {
    StatefulSet: [StatefulSet.parse({ ...structuredClone(set), ...fields })],
    Pod: [member('db-0', 'n-b', isReady), member('db-1', 'n-c', true)],
  };
}

describe('pods of another workload that are stopped without a replacement', () => {
  it.each<readonly [string, Fields]>([
    [
      'of a Deployment that is deleted in the foreground',
      api({ metadata: { ...deletedAgo, finalizers: ['foregroundDeletion'] } }),
    ],
    [
      'of a namespace that is being deleted',
      { ...api(), Namespace: [Namespace.parse({ metadata: { name: 'shop', ...deletedAgo } })] },
    ],
    [
      'without a controller, in a namespace that is being deleted',
      {
        Pod: ['n-b', 'n-c'].map((on) => pod(`bare-${on}`, { namespace: 'old', on, ...gpu })),
        Namespace: [Namespace.parse({ metadata: { name: 'old', ...deletedAgo } })],
      },
    ],
    ['beyond the replicas of a ReplicaSet', api({ wanted: 1 })],
    ['beyond the last ordinal of a StatefulSet', db(1)],
  ])('make the wait no deadlock: %s', (_, neighbour) => {
    const fields = beside(neighbour);
    const finding = detected(capacityContention, fields);

    expect(detected(surgeDeadlock, fields)).toBeUndefined();
    expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-departing' } });
    expect(finding && renderFinding(finding, text)).toContain('Its controller stops');
  });

  it.each<readonly [string, Fields]>([
    ['the workload has as many pods as replicas', api()],
    ['its deletion leaves the pods as orphans', api({ metadata: { ...deletedAgo, finalizers: ['orphan'] } })],
    [
      'another namespace is being deleted',
      { ...api(), Namespace: [Namespace.parse({ metadata: { name: 'other', ...deletedAgo } })] },
    ],
    ['the StatefulSet has as many pods as replicas', db(2)],
    ['a broken pod keeps an ordered StatefulSet from stopping the last one', db(1, { isReady: false })],
  ])('leave a proven deadlock where %s', (_, neighbour) => {
    expect(detected(surgeDeadlock, beside(neighbour))?.confidence).toBe('proven');
  });
});
