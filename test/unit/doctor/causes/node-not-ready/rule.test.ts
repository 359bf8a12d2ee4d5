import { describe, expect } from 'vitest';
import { nodeNotReady } from '#src/doctor/causes/node-not-ready/rule.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import { buildPod } from '../../../../support/rollout-builders.js';
import { buildDaemonSet } from '../../../engine/workloads/daemon-set-builders.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  type Fields,
  foreignPod,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has, lacks } from '../run-rule.js';

const UNREACHABLE = 'node.kubernetes.io/unreachable';
const message = 'Kubelet stopped posting node status.';

/** Unheard of for so many seconds, with the taints that the node controller adds. */
const lostNode = (name: string, secondsAgo: number) =>
  build('Node', name, {
    metadata: { labels: { 'kubernetes.io/hostname': name } },
    spec: {
      taints: ['NoSchedule', 'NoExecute'].map((effect) => ({
        key: UNREACHABLE,
        effect,
        timeAdded: ago(secondsAgo),
      })),
    },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [
        {
          type: 'Ready',
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message,
          lastTransitionTime: ago(secondsAgo),
        },
      ],
    },
  });

const cordonedToo = (lost: Node): Node => ({ ...lost, spec: { ...lost.spec, unschedulable: true } });

const tolerated = { key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute' };

/** A pod on n-a that was ready until so many seconds ago. */
const lostPod = (secondsAgo: number, more: object = {}): Pod =>
  buildPod({
    name: 'web-a',
    owner: { uid: 'web-2-uid', name: 'web-2' },
    node: 'n-a',
    ready: false,
    age: 5000,
    spec: { tolerations: [{ ...tolerated, tolerationSeconds: 300 }] },
    status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(secondsAgo) }] },
    ...more,
  });

/** What a kubelet says of its node at each start. */
const cgroupWarning = (name: string) =>
  build('Event', `${name}.1`, {
    metadata: { namespace: 'default' },
    involvedObject: { kind: 'Node', name, uid: name },
    type: 'Warning',
    reason: 'CgroupV1',
    message: 'cgroup v1 detected.',
    lastTimestamp: ago(3000),
  });

const agents = buildDaemonSet();
const daemonSet = { ...agents, status: { ...agents.status, desiredNumberScheduled: 2, numberReady: 1 } };
const wanted = (replicas: number) => buildDeployment({ replicas, status: { readyReplicas: 1 } });
const healthy = ownedPod('web-b', 2, { on: 'n-b' });
const pressed = node('n-a', { taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }] });
const taintedWith = (key: string) => node('n-a', { taints: [{ key, effect: 'NoSchedule' }] });
/** A pod of a DaemonSet on n-a that does not become ready. */
const agentOf = (daemonSet: string) => foreignPod(`${daemonSet}-x`, 'DaemonSet', daemonSet, { on: 'n-a' });
const first = { workload: buildDeployment(), ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })] };

const down = (change: Fields) =>
  snapshotWith({
    workload: wanted(2),
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
    Node: [lostNode('n-a', 60), node('n-b')],
    Pod: [lostPod(55), healthy],
    ...change,
  });

describe('a node that is not ready is reported', () => {
  expectFindings<Fields>(nodeNotReady, down, [
    [
      "with the node's reason, its time, and the time of the eviction of its pods",
      {},
      {
        confidence: 'proven',
        severity: 'warning',
        nodes: ['n-a'],
        nextAttempt: { at: '2026-11-20T09:34:00.000Z' },
        steps: has(
          expect.objectContaining({ key: 'not-ready', values: expect.objectContaining({ message }) }),
          expect.objectContaining({
            key: 'leave-at',
            values: { pods: ['web-a'], at: '2026-11-20T09:34:00.000Z' },
          }),
        ),
        withheld: ['delete-pod', 'exclude-nodes', 'restart-rollout'],
      },
    ],
    [
      'with the warning of its kubelet, whose successor may refuse cgroup v1',
      { Event: [cgroupWarning('n-a')] },
      {
        reasoning: has('cgroup-v1'),
        facts: { troubles: [{ node: 'n-a', warnedOfCgroupV1: ago(3000) }] },
        advice: has('advice-cgroup-title'),
      },
    ],
    [
      'without the warning of another node',
      { Event: [cgroupWarning('n-b')] },
      { reasoning: lacks('cgroup-v1'), advice: lacks('advice-cgroup-title') },
    ],
    [
      'as the only one that can confirm the end of a deleted pod',
      { Node: [lostNode('n-a', 600), node('n-b')], Pod: [lostPod(590, { terminating: true }), healthy] },
      { reasoning: has('stuck-there'), snippets: expect.stringContaining('out-of-service=nodeshutdown') },
    ],
    [
      'with a pod of a DaemonSet, which stays',
      {
        workload: daemonSet,
        Pod: [
          lostPod(55, {
            name: 'agent-a',
            owner: { kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' },
            spec: { tolerations: [tolerated] },
          }),
        ],
      },
      { reasoning: has('stays-without-limit'), nextAttempt: { at: undefined } },
    ],
    [
      'with replacements that do not fit on the other nodes',
      {
        Pod: [
          lostPod(590, { terminating: true }),
          ownedPod('web-c', 2, { requests: { cpu: '3' }, age: 300 }),
          foreignPod('db-0', 'StatefulSet', 'db', { on: 'n-b', requests: { cpu: '3' } }),
        ],
      },
      { reasoning: has('others-wait', 'node-lacks') },
    ],
    [
      'with less certainty where the pod was unready before its node',
      { Pod: [lostPod(900), healthy] },
      { confidence: 'likely', doubts: ['unready-before'] },
    ],
    [
      'with the taint under which it would run a pending pod otherwise',
      { ...first, Node: [pressed], Pod: [ownedPod('web-new', 2)] },
      { confidence: 'proven', nodes: ['n-a'], reasoning: has('trouble', 'would-take') },
    ],
    [
      'with the agent of the node that has to take its taint away',
      {
        ...first,
        Node: [taintedWith('node.cilium.io/agent-not-ready')],
        Pod: [ownedPod('web-new', 2), agentOf('cilium')],
      },
      {
        nodes: ['n-a'],
        reasoning: has('trouble', 'agent', 'would-take'),
        advice: ['advice-agent-title', 'advice-look-title'],
      },
    ],
    [
      'with the cloud controller manager that has to take its taint away',
      {
        ...first,
        Node: [taintedWith('node.cloudprovider.kubernetes.io/uninitialized')],
        Pod: [ownedPod('web-new', 2)],
      },
      { reasoning: has('uninitialised'), advice: ['advice-cloud-title', 'advice-look-title'] },
    ],
    [
      'without those where the kubelet itself sets the taint',
      { ...first, Node: [pressed], Pod: [ownedPod('web-new', 2)] },
      { reasoning: lacks('uninitialised'), advice: ['advice-look-title'] },
    ],
    [
      'with the cordon that it has as well',
      { ...first, Node: [cordonedToo(lostNode('n-a', 60))], Pod: [ownedPod('web-new', 2)] },
      {
        confidence: 'proven',
        nodes: ['n-a'],
        reasoning: has('not-ready', 'cordoned-as-well', 'would-take'),
        ruledOut: lacks('node-cordoned'),
      },
    ],
  ]);
});

describe('a node that is not ready is not reported where', () => {
  expectFindings<Fields>(nodeNotReady, down, [
    ['all wanted pods are ready elsewhere', { workload: wanted(1) }],
    ['the node is ready and only the pod is not', { Node: [node('n-a'), node('n-b')] }],
    ['the node runs no pod of the workload', { Node: [node('n-a'), node('n-b'), lostNode('n-c', 60)] }],
    [
      'the node is reserved for others by a taint',
      { ...first, Node: [taintedWith('team/batch')], Pod: [ownedPod('web-new', 2)] },
    ],
    ['its pods there have finished', { Pod: [lostPod(55, { status: { phase: 'Failed' } })] }],
    [
      'the node would refuse the pending pod anyway',
      { ...first, Node: [lostNode('n-a', 60)], Pod: [ownedPod('web-new', 2, { requests: { cpu: '9' } })] },
    ],
  ]);
});
