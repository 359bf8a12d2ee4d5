import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { nodesThatAreReplaced } from '#src/engine/scheduler/nodes-out-of-service.js';
import {
  type NodeShape,
  node,
  type PodShape,
  placementOf,
  pod,
} from '../../../support/placement-builders.js';

const now = Date.parse('2026-11-20T09:30:00Z');
const hour = 3_600_000;
const at = (hours: number): string => new Date(now + hours * hour).toISOString();
const annotation = { 'karpenter.sh/do-not-disrupt': 'true' };
const drifted = { conditions: [{ type: 'Drifted', status: 'True' }] };

interface Claimed {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly node?: NodeShape;
  /** The pod on the node, which uses it whole. */
  readonly pod?: object;
  readonly waiting?: PodShape;
}

/** Whether the node of the claim is one on which the waiting pod may be the first. */
function isReplaced(fields: Claimed): boolean {
  const claim = schemas.NodeClaim.parse({
    metadata: { name: 'claim', ...fields.metadata },
    spec: { ...fields.spec },
    status: { nodeName: 'n1', ...fields.status },
  });
  const old = pod('old', { on: 'n1', requests: { cpu: '4' } });
  const present = { ...old, metadata: { ...old.metadata, ...fields.pod } };
  const placement = placementOf({ Node: [node('n1', fields.node)], NodeClaim: [claim], Pod: [present] });
  const waiting = pod('new', { requests: { cpu: '4' }, ...fields.waiting });
  return nodesThatAreReplaced(placement, waiting, now).includes('n1');
}

describe('a node that Karpenter replaces', () => {
  it.each<[string, Claimed]>([
    ['its claim is being deleted', { metadata: { deletionTimestamp: at(0) } }],
    ['it has drifted', { status: drifted }],
    [
      'it has the taint of a removal',
      { node: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } },
    ],
    [
      'its life ends within a day',
      { metadata: { creationTimestamp: at(-700) }, spec: { expireAfter: '720h' } },
    ],
    [
      'its life ends in exactly a day',
      { metadata: { creationTimestamp: at(0) }, spec: { expireAfter: '23h60m' } },
    ],
    ['its life has ended', { metadata: { creationTimestamp: at(-2) }, spec: { expireAfter: '1h30m10s' } }],
    [
      'it has drifted, and a grace period bounds the wait for its protected pod',
      { status: drifted, spec: { terminationGracePeriod: '1h' }, pod: { annotations: annotation } },
    ],
    ['it is cordoned for that', { status: drifted, node: { unschedulable: true } }],
  ])('is found where %s', (_, fields) => {
    expect(isReplaced(fields)).toBe(true);
  });

  it.each<[string, Claimed]>([
    ['nothing is wrong with it', {}],
    ['it has not drifted', { status: { conditions: [{ type: 'Drifted', status: 'False' }] } }],
    ['another condition holds', { status: { conditions: [{ type: 'Consolidatable', status: 'True' }] } }],
    ['its life ends later', { metadata: { creationTimestamp: at(0) }, spec: { expireAfter: '24h1s' } }],
    ['its life never ends', { metadata: { creationTimestamp: at(-9_000) }, spec: { expireAfter: 'Never' } }],
    ['its age is unknown', { spec: { expireAfter: '1h' } }],
    ['its claim may not be disrupted', { status: drifted, metadata: { annotations: annotation } }],
    ['a pod on it may not be disrupted', { status: drifted, pod: { annotations: annotation } }],
    ['its claim has another node', { status: { ...drifted, nodeName: 'n2' } }],
    ['it would not fit alone either', { status: drifted, waiting: { requests: { cpu: '5' } } }],
    [
      'it has another taint as well',
      { status: drifted, node: { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] } },
    ],
  ])('is not found where %s', (_, fields) => {
    expect(isReplaced(fields)).toBe(false);
  });
});
