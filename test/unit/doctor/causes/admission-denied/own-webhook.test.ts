import { describe, expect, it } from 'vitest';
import { admissionDenied } from '#src/doctor/causes/admission-denied/rule.js';
import { calledService } from '#src/engine/creation/denial.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Pod } from '#src/engine/objects/pod.js';
import { objectsOf } from '../../../../support/scenarios/objects-of.js';
import { foundBy, snapshotOf, told } from '../run-rule.js';

const own = objectsOf('webhook-refuses-its-own-pods');
const others = objectsOf('webhook-of-other-pods-is-down');

function findIn(objects: ClusterObjects) {
  const [deployment] = objects.Deployment;
  if (deployment === undefined) throw new Error('the recording lacks its Deployment');
  const found = foundBy(admissionDenied, snapshotOf(deployment, objects));
  return found && told(found);
}

describe('a webhook that its own pods serve', () => {
  it('is named as the circle, with two exits', () => {
    expect(findIn(own)).toMatchObject({
      confidence: 'proven',
      facts: { ownService: 'policy-webhook', confirmedBy: ['Service/policy-webhook'] },
      advice: ['advice-exempt-title', 'advice-without-webhook-title'],
    });
  });

  const service = (spec: object): ClusterObjects => ({
    ...own,
    Service: own.Service.map((each) => ({ ...each, spec: { ...each.spec, ...spec } })),
  });
  const selected = (ready: string, fields: object = {}) =>
    Pod.parse({
      metadata: {
        name: 'other',
        namespace: 'own-webhook',
        uid: 'other',
        labels: { app: 'policy' },
        ...fields,
      },
      spec: { nodeName: 'n-a' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
    });
  const deadNode = own.Node.map((node) => ({
    ...node,
    status: {
      ...node.status,
      conditions: node.status.conditions.map((each) =>
        each.type === 'Ready' ? { ...each, status: 'Unknown' } : each,
      ),
    },
  }));

  it.each<readonly [string, Partial<ClusterObjects>]>([
    ['that is being deleted', { Pod: [selected('False', { deletionTimestamp: '2026-11-28T21:00:00Z' })] }],
    ['whose kubelet does not answer', { Pod: [selected('False')], Node: deadNode }],
  ])('is still one beside a selected pod %s', (_, objects) => {
    expect(findIn({ ...own, ...objects })).toMatchObject({ facts: { ownService: 'policy-webhook' } });
  });

  it.each<readonly [string, ClusterObjects]>([
    ['the pods of another workload serve', others],
    ['a Service without a selector stands for', service({ selector: {} })],
    ['another label selects the pods for', service({ selector: { app: 'policy', tier: 'edge' } })],
    ['a Service that was not read stands for', { ...own, Service: [] }],
    ['a ready pod that is selected serves', { ...own, Pod: [selected('True')] }],
    [
      'a pod serves that was not read and that its ReplicaSet counts',
      {
        ...own,
        ReplicaSet: own.ReplicaSet.map((each) => ({ ...each, status: { ...each.status, replicas: 1 } })),
      },
    ],
    ['a pod on a living node may soon serve', { ...own, Pod: [selected('False')] }],
  ])('is not one that %s', (_, objects) => {
    expect(findIn(objects)).toMatchObject({
      confidence: 'likely',
      facts: { confirmedBy: [] },
      advice: ['advice-title'],
    });
  });
});

describe('the Service that a webhook is called by', () => {
  it.each([
    ['Post "https://policy.guard.svc:443/validate?timeout=10s": EOF', { namespace: 'guard', name: 'policy' }],
    ['Post "https://policy.guard.svc/validate": EOF', { namespace: 'guard', name: 'policy' }],
    ['Post "https://policy.example.com/validate": EOF', undefined],
    ['Post "https://policy.guard.svc.cluster.local:443/": EOF', undefined],
    ['Post "https://127.0.0.1:9443/validate": EOF', undefined],
    ['an error without an address', undefined],
  ])('is read from %s', (said, called) => {
    expect(calledService(said)).toEqual(called);
  });
});
