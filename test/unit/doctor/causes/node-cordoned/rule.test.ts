import { describe, expect } from 'vitest';
import { nodeCordoned } from '#src/doctor/causes/node-cordoned.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import { node } from '../../../../support/placement-builders.js';
import {
  buildReplicaSet,
  type Fields,
  foreignPod,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has, tally } from '../run-rule.js';

const unschedulable = 'node.kubernetes.io/unschedulable';
const cordon = { unschedulable: true, taints: [{ key: unschedulable, effect: 'NoSchedule' }] };
const cordoned = node('n-a', cordon);
const marked = {
  ...cordoned,
  metadata: {
    ...cordoned.metadata,
    managedFields: [
      {
        manager: 'kubectl-cordon',
        operation: 'Update',
        apiVersion: 'v1',
        subresource: '',
        time: '2026-11-20T09:00:00Z',
        fieldsV1: { 'f:spec': { 'f:unschedulable': {} } },
      },
    ],
  },
};
const unreachable = node('n-a', {
  ...cordon,
  taints: [...cordon.taints, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }],
});
const withCondition = (type: string, status: string): Node =>
  schemas.Node.parse({
    ...cordoned,
    status: { ...cordoned.status, conditions: [{ type, status }] },
  });
const dedicated = { key: 'dedicated', value: '', effect: 'NoSchedule', timeAdded: undefined };
const pressed = schemas.Node.parse({
  ...node('n-b', { taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }] }),
  status: {
    allocatable: cordoned.status.allocatable,
    conditions: [{ type: 'DiskPressure', status: 'True' }],
  },
});
const host = 'kubernetes.io/hostname';
const named = (each: Node): Node => ({
  ...each,
  metadata: { ...each.metadata, labels: { [host]: each.metadata.name } },
});
const spreading = {
  labels: { app: 'web' },
  spec: {
    topologySpreadConstraints: [
      {
        topologyKey: host,
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  },
};
const tolerations = [{ key: unschedulable, operator: 'Exists', effect: 'NoSchedule' }];
const full = (on: string) => foreignPod(`db-${on}`, 'StatefulSet', 'db', { on, requests: { cpu: '3' } });
const newPod = ownedPod('web-new', 2, { requests: { cpu: '2' } });
const waiting = (fields: Fields) =>
  snapshotWith({ ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })], Pod: [newPod], ...fields });

describe('a cordon', () => {
  expectFindings<Fields>(nodeCordoned, waiting, [
    [
      'is reported where it is the only reason, with the command that ends it',
      { Node: [cordoned, node('n-b', cordon)] },
      {
        confidence: 'proven',
        severity: 'critical',
        nodes: ['n-a', 'n-b'],
        reasoning: has('counterfactual'),
        snippets: expect.stringContaining('kubectl uncordon n-a n-b\n'),
      },
    ],
    [
      'is reported with its time and the client that set it, where the node records them',
      { Node: [marked] },
      {
        steps: has(
          expect.objectContaining({
            key: 'cordoned',
            values: { node: 'n-a', since: '2026-11-20T09:00:00Z', by: 'kubectl-cordon' },
          }),
        ),
      },
    ],
    [
      'is reported beside other nodes, by reason',
      {
        Node: [cordoned, node('n-b', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }), node('n-c')],
        Pod: [newPod, full('n-c')],
      },
      {
        nodes: ['n-a'],
        steps: has(tally(['n-a'], ['n-b'], ['n-c'])),
      },
    ],
    [
      'is reported beside nodes that could run the pod once they are healthy, with those',
      { Node: [cordoned, pressed] },
      {
        nodes: ['n-a'],
        advice: ['advice-uncordon-title', 'advice-recover-title', 'advice-room-title'],
        snippets: expect.stringContaining('kubectl describe node n-b\n'),
      },
    ],
    [
      'is reported beside unhealthy nodes that refuse the pod anyway, without them',
      {
        Node: [
          cordoned,
          { ...pressed, spec: { ...pressed.spec, taints: [...pressed.spec.taints, dedicated] } },
        ],
      },
      { nodes: ['n-a'], advice: ['advice-uncordon-title', 'advice-room-title'] },
    ],
    [
      'is reported of a node that the topology spread counts, with the policy that leaves it out',
      {
        Node: [named(cordoned), named(node('n-b'))],
        Pod: [ownedPod('web-new', 2, spreading), ownedPod('web-old', 2, { ...spreading, on: 'n-b' })],
      },
      {
        nodes: ['n-a'],
        advice: has('advice-spread-title'),
        snippets: expect.stringContaining('nodeTaintsPolicy: Honor'),
      },
    ],
    [
      'is less certain where the cordoned nodes are the only ones and too full as well',
      { Node: [cordoned], Pod: [newPod, full('n-a')] },
      { confidence: 'likely', reasoning: has('short-as-well', 'node-lacks') },
    ],
    [
      'is not reported where the cordoned node would refuse it anyway',
      { Node: [node('n-a', { ...cordon, allocatable: { cpu: '1' } })] },
    ],
    ['is not reported where the kubelet of the node is silent, by its taint', { Node: [unreachable] }],
    [
      'is not reported where the kubelet of the node is silent, by its condition alone',
      { Node: [withCondition('Ready', 'Unknown')] },
    ],
    ['is not reported where the node reports pressure', { Node: [withCondition('DiskPressure', 'True')] }],
    [
      'is reported of the healthy one of two cordoned nodes',
      { Node: [unreachable, node('n-b', cordon)] },
      { confidence: 'proven', nodes: ['n-b'] },
    ],
    [
      'is reported where the conditions of the node are good',
      { Node: [withCondition('Ready', 'True')] },
      { confidence: 'proven', nodes: ['n-a'] },
    ],
    ['is not reported where another node can run the pod', { Node: [cordoned, node('n-b')] }],
    [
      'is not reported where the pod tolerates it, as those of a DaemonSet do',
      { Node: [cordoned], Pod: [ownedPod('web-new', 2, { spec: { tolerations } })] },
    ],
    [
      'is not reported where the other node and the cordoned one are both full: that is insufficient capacity',
      { Node: [cordoned, node('n-b')], Pod: [newPod, full('n-a'), full('n-b')] },
    ],
    [
      'is not reported where no pod is pending',
      { Node: [cordoned], Pod: [ownedPod('web-new', 2, { on: 'n-a' })] },
    ],
  ]);
});
