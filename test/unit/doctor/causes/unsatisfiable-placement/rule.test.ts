import { describe, expect } from 'vitest';
import { unsatisfiablePlacement as rule } from '#src/doctor/causes/unsatisfiable-placement/rule.js';
import { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { buildFlavor, buildQueued } from '../../../../support/kueue-builders.js';
import { claim, node, reaches, volume } from '../../../../support/placement-builders.js';
import { buildPod, buildTemplate } from '../../../../support/rollout-builders.js';
import { backingOff, failingPod, readyFor } from '../../findings/crashes/build.js';
import {
  buildDeployment,
  buildReplicaSet,
  event,
  type Fields,
  type OwnedShape,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has, lacks, tally } from '../run-rule.js';

const hostname = 'kubernetes.io/hostname';
const second = buildReplicaSet({ revision: 2, replicas: 1 });
const tainted = { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] };
const ssd: OwnedShape = { spec: { nodeSelector: { disk: 'ssd' } } };
/** The Deployment, and its ReplicaSet, whose template selects these nodes. */
const declaring = (nodeSelector: Readonly<Record<string, string>>): Fields => {
  const raw = buildTemplate('web:2', { nodeSelector });
  const built = buildDeployment();
  const labels = second.spec.template.metadata.labels;
  return {
    workload: Deployment.parse({ ...built, spec: { ...built.spec, template: raw } }),
    ReplicaSet: [
      ReplicaSet.parse({ ...second, spec: { ...second.spec, template: { ...raw, metadata: { labels } } } }),
    ],
  };
};
const large: OwnedShape = { requests: { cpu: '6' } };
const vertical = (changes: string) => ({
  vpaUpdates: `Pod resources updated by web-vpa: container 0: ${changes}`,
});
const declined = (why: string) =>
  event({
    about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
    reason: 'FailedScheduling',
    message: `Failed to schedule pod, incompatible with nodepool "batch", daemonset overhead={"pods":"3"}, ${why}`,
    component: 'karpenter',
  });
const groupsDeclined = (why: string) =>
  event({
    about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
    reason: 'NotTriggerScaleUp',
    message: `pod didn't trigger scale-up: ${why}`,
    component: 'cluster-autoscaler',
  });
const [a, b] = [node('n-a'), node('n-b')];
const asksForCard: OwnedShape = { requests: { 'nvidia.com/gpu': '1' } };
const withCards = (has: string, offered: string, more: object = {}) => {
  const bare = node('n-g', { allocatable: { 'nvidia.com/gpu': offered }, ...more });
  return { ...bare, status: { ...bare.status, capacity: { 'nvidia.com/gpu': has } } };
};

const crashingPlugin = failingPod({
  name: 'cards-n-g',
  node: 'n-g',
  containers: [{ state: backingOff, ready: false }],
  metadata: {
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'cards', uid: 'cards', controller: true },
    ],
  },
  spec: { volumes: [{ name: 'socket', hostPath: { path: '/var/lib/kubelet/device-plugins' } }] },
});

const runningPlugin = failingPod({
  name: 'cards-n-g',
  node: 'n-g',
  containers: [],
  status: readyFor(3600),
  metadata: { ownerReferences: [...crashingPlugin.metadata.ownerReferences] },
  spec: { volumes: [{ name: 'socket', hostPath: { path: '/var/lib/kubelet/device-plugins' } }] },
});

/** The first rollout of revision 2 with one waiting pod. */
const waiting = (shape: OwnedShape, { Pod = [], ...fields }: Fields = {}): Fields => ({
  ReplicaSet: [second],
  Node: [a],
  ...fields,
  Pod: [ownedPod('web-new', 2, shape), ...Pod],
});

const affinity = (...nodeSelectorTerms: readonly object[]): OwnedShape => ({
  spec: {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  } as NonNullable<OwnedShape['spec']>,
});
const byHostname = (...values: string[]) => ({
  matchExpressions: [{ key: hostname, operator: 'In', values }],
});
const byName = (name: string) => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});
const cache = { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: hostname };
const onVolume = (shape: OwnedShape, reached: string, Node: Fields['Node'] = [a]) =>
  waiting(
    { claim: 'data', ...shape },
    {
      Node,
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
      PersistentVolume: [
        volume('pv', {
          claimRef: { namespace: 'shop', name: 'data', uid: 'uid-data' },
          ...reaches(hostname, reached),
        }),
      ],
    },
  );

const proven = { cause: 'unsatisfiable-placement', confidence: 'proven', severity: 'critical', fixes: [] };
/** The nodes by what they lack, as the sum or the sentence of the one node states it. */
const refused = (...refusals: readonly object[]) => ({
  ...proven,
  steps: has(
    ...refusals.map((each) =>
      expect.objectContaining({
        values: expect.objectContaining({ refusals: has(expect.objectContaining(each)) }),
      }),
    ),
  ),
});

describe('an unsatisfiable placement is reported', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'for a selector that no node matches, with the label to set',
      waiting(ssd, {
        ...declaring({ disk: 'ssd' }),
        Node: [node('n-a', { labels: { disk: 'hdd' } })],
      }),
      { ...proven, snippets: expect.stringContaining('kubectl label node n-a --overwrite disk=ssd') },
    ],
    [
      'for a selector that its template does not have, without a change of the template',
      waiting(ssd, { Node: [node('n-a', { labels: { disk: 'hdd' } })] }),
      { ...proven, advice: ['advice-added-title'], snippets: '' },
    ],
    // Kueue writes the labels of the flavor into the pods that it admits.
    [
      'for a selector that Kueue wrote into the pod, with the flavor that promises such nodes',
      waiting(ssd, {
        Node: [node('n-a', { labels: { disk: 'hdd' } })],
        Workload: [buildQueued({ pod: ownedPod('web-new', 2), admittedTo: 'team', flavor: 'fast' })],
        ResourceFlavor: [buildFlavor('other', {}), buildFlavor('fast', { nodeLabels: { disk: 'ssd' } })],
      }),
      {
        ...proven,
        advice: ['advice-flavor-title'],
        adviceValues: [{ label: expect.anything(), flavor: 'fast', clusterQueue: 'team' }],
      },
    ],
    [
      'for a selector that template and flavor both have, with the label to set',
      waiting(ssd, {
        ...declaring({ disk: 'ssd' }),
        Node: [node('n-a', { labels: { disk: 'hdd' } })],
        Workload: [buildQueued({ pod: ownedPod('web-new', 2), admittedTo: 'team', flavor: 'fast' })],
        ResourceFlavor: [buildFlavor('fast', { nodeLabels: { disk: 'ssd' } })],
      }),
      { ...proven, advice: has('advice-selector-title') },
    ],
    [
      'for an untolerated taint, with the toleration',
      waiting({}, { Node: [node('n-a', tainted), node('n-b', tainted)] }),
      { ...proven, snippets: expect.stringContaining('operator: Equal') },
    ],
    [
      'for a request larger than any node',
      waiting(large, { Node: [a, b] }),
      refused({ what: 'resource', resource: 'cpu', tooSmall: true }),
    ],
    [
      'a node whose devices are all unhealthy: it has some and offers none',
      waiting(asksForCard, { Node: [a, withCards('2', '0')] }),
      { summary: 'summary-unoffered', reasoning: has('unoffered'), advice: ['advice-device-title'] },
    ],
    [
      'a node that offers no device, where its device plug-in crashes',
      waiting(asksForCard, { Node: [a, withCards('2', '0')], Pod: [crashingPlugin] }),
      {
        summary: 'summary-unoffered',
        reasoning: has('unoffered', 'agent'),
        advice: ['advice-agent-title', 'advice-device-title'],
      },
    ],
    [
      'a node that offers no device, where its device plug-in runs and has a log',
      waiting(asksForCard, { Node: [a, withCards('2', '0')], Pod: [runningPlugin] }),
      {
        summary: 'summary-unoffered',
        advice: ['advice-devices-lost-title', 'advice-device-title'],
        snippets: expect.stringContaining('logs cards-n-g'),
      },
    ],
    [
      'a node that offers fewer devices than it has, for a pod that fits once it offers them again',
      waiting({ requests: { 'nvidia.com/gpu': '3' } }, { Node: [a, withCards('4', '2')] }),
      { reasoning: has('devices-lost'), advice: ['advice-devices-lost-title'] },
    ],
    [
      'a node that offers fewer devices than it has, for a pod that needs more than it has',
      waiting({ requests: { 'nvidia.com/gpu': '5' } }, { Node: [a, withCards('4', '2')] }),
      { reasoning: has('devices-lost'), advice: ['advice-size-title'] },
    ],
    [
      'a request that a VerticalPodAutoscaler has written into the pod',
      waiting({ ...large, annotations: vertical('cpu request, memory request') }),
      { advice: ['advice-vertical-title'], snippets: expect.stringContaining('maxAllowed:') },
    ],
    [
      'a request that something without the name of an object has written into the pod',
      waiting({
        ...large,
        annotations: { vpaUpdates: 'Pod resources updated by $(id): container 0: cpu request' },
      }),
      { advice: ['advice-size-title'] },
    ],
    [
      'a request beside one of another resource that a VerticalPodAutoscaler has written',
      waiting({ ...large, annotations: vertical('memory request') }),
      { advice: ['advice-size-title'] },
    ],
    [
      'for a pod larger than the nodes, while groups of the autoscaler have their largest size',
      waiting(large, { Event: [groupsDeclined('3 max node group size reached')] }),
      { advice: has('advice-limits-title') },
    ],
    [
      'for a pod larger than the nodes, while the autoscaler waits after a failed attempt',
      waiting(large, { Event: [groupsDeclined('1 in backoff after failed scale-up')] }),
      { advice: has('advice-backoff-title') },
    ],
    [
      'for a pod larger than the nodes, while one group waits after a failed attempt and another is full',
      waiting(large, {
        Event: [groupsDeclined('1 in backoff after failed scale-up, 1 max node group size reached')],
      }),
      { advice: has('advice-backoff-title', 'advice-limits-title') },
    ],
    [
      'for a pod larger than the nodes, where an event names what the cloud refused',
      waiting(large, {
        Event: [
          groupsDeclined('1 in backoff after failed scale-up'),
          event({
            about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
            reason: 'FailedScaleUp',
            message:
              'Node scale up in zones us-central1-c associated with this pod failed: GCE quota exceeded. Pod is at risk of not being scheduled.',
            component: 'cluster-autoscaler',
          }),
        ],
      }),
      { advice: lacks('advice-backoff-title') },
    ],
    [
      'for a pod larger than the nodes, where the autoscaler reports no failed attempt',
      waiting(large, { Event: [groupsDeclined('1 max node group size reached')] }),
      { advice: lacks('advice-backoff-title') },
    ],
    [
      'for a pod larger than the nodes, while groups of the autoscaler do not fit it',
      waiting(large, { Event: [groupsDeclined('3 Insufficient cpu')] }),
      { advice: lacks('advice-limits-title') },
    ],
    [
      'instance types of a pool of Karpenter, of which none fits',
      waiting(large, { Event: [declined('no instance type satisfied resources {"cpu":"6"}')] }),
      { advice: ['advice-pool-title', 'advice-size-title'], adviceSaid: expect.stringContaining('"batch"') },
    ],
    [
      'a pool of Karpenter that refuses the pod for its taint',
      waiting(large, { Event: [declined('did not tolerate team=batch:NoSchedule')] }),
      { advice: ['advice-size-title'] },
    ],
    [
      'a node that offers what it has, which is too little',
      waiting({ requests: { 'nvidia.com/gpu': '5' } }, { Node: [a, withCards('4', '4')] }),
      { reasoning: lacks('devices-lost'), advice: ['advice-size-title'] },
    ],
    [
      'a node that has no device at all',
      waiting(asksForCard, { Node: [a, withCards('0', '0')] }),
      { summary: 'summary', reasoning: lacks('unoffered') },
    ],
    [
      'a node with unhealthy devices and a taint: their return would not help',
      waiting(asksForCard, { Node: [a, withCards('2', '0', tainted)] }),
      { summary: 'summary', reasoning: lacks('unoffered') },
    ],
    [
      'for a device that no node offers',
      waiting({ requests: { 'nvidia.com/gpu': '1' } }),
      { ...proven, advice: has('advice-device-title') },
    ],
    [
      'for an affinity to pods that run nowhere',
      waiting({
        spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [cache] } } },
      }),
      refused({ what: 'wanted-pods', topologyKey: hostname }),
    ],
    [
      'for a volume on one node and a selector to another',
      onVolume(ssd, 'n-a', [a, node('n-b', { labels: { disk: 'ssd' } })]),
      refused({ what: 'label', key: 'disk' }, { what: 'volume', claim: 'data', volume: 'pv' }),
    ],
    [
      'with different reasons over different nodes, each node once',
      waiting(large, { Node: [node('n-a', tainted), b, node('n-c'), node('n-d')] }),
      {
        steps: has(tally(['n-b', 'n-c', 'n-d'], ['n-a'])),
      },
    ],
    [
      'with the one node of a pod that a DaemonSet created for it',
      waiting({ ...large, ...affinity(byName('n-b')) }, { Node: [a, b] }),
      { nodes: ['n-b'], summary: 'summary-pinned' },
    ],
    [
      'with a rollback while pods of the previous revision run',
      waiting(ssd, {
        ReplicaSet: [second, buildReplicaSet({ revision: 1, replicas: 1, available: 1 })],
        Pod: [ownedPod('web-old', 1, { on: 'n-a' })],
      }),
      { fixes: ['undo-rollout'], withheld: ['restart-rollout', 'patch-strategy'] },
    ],
    [
      'with less certainty where the scheduler gives another reason, which is stated',
      waiting({
        ...ssd,
        message:
          '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
      }),
      { confidence: 'likely', doubts: has('disagrees') },
    ],
    [
      'with less certainty where the scheduler counts nodes that were not read',
      waiting({
        ...ssd,
        message: "0/9 nodes are available: 9 node(s) didn't match Pod's node affinity/selector.",
      }),
      { confidence: 'likely' },
    ],
    [
      'by the scheduler only, where nodes could not be read and the node appears free',
      {
        ...waiting({ message: '0/1 nodes are available: 1 node(s) had untolerated taint {a: b}.' }),
        unseen: [{ what: 'Node', namespace: '', because: 'forbidden', message: '' }],
      },
      { confidence: 'possible' },
    ],
  ]);
});

describe('an unsatisfiable placement is not reported', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'where one node matches and is merely full',
      waiting(
        { requests: { cpu: '3' } },
        {
          Node: [node('n-a', tainted), b],
          Pod: [ownedPod('other', 1, { on: 'n-b', requests: { cpu: '3' } }, 'other')],
        },
      ),
    ],
    [
      'where the only matching node is cordoned',
      waiting({}, { Node: [node('n-a', { unschedulable: true })] }),
    ],
    ['where a node can run it: the status is old', waiting({})],
    [
      'where the claim has no volume yet: that is volume-unbound',
      waiting({ claim: 'data' }, { PersistentVolumeClaim: [claim('data')] }),
    ],
    ['where the pod is gated', waiting({ spec: { ...ssd.spec, schedulingGates: [{ name: 'g' }] } })],
    [
      'where no pod is pending',
      { ...waiting({}), Pod: [ownedPod('web-new', 2, { on: 'n-a' })], Node: [node('n-a', tainted)] },
    ],
    [
      'while an autoscaler adds a node',
      waiting(ssd, {
        Event: [
          event({
            about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
            reason: 'TriggeredScaleUp',
            message: 'pod triggered scale-up: [{ssd 0->1 (max: 3)}]',
            component: 'cluster-autoscaler',
          }),
        ],
      }),
    ],
  ]);
});

const missing = (field: string) => ({
  summary: 'summary-missing',
  confidence: 'proven',
  evidence: has('ev-node-missing'),
  advice: ['advice-pin-title'],
  where: has(expect.stringContaining(field)),
});
const bound = (nodeName: string, age: number): Fields => {
  const base = buildDeployment();
  const template = { ...base.spec.template, spec: { ...base.spec.template.spec, nodeName } };
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  return {
    workload: { ...base, spec: { ...base.spec, template } },
    ReplicaSet: [second],
    Pod: [buildPod({ name: 'new-0', owner, node: nodeName, age, phase: 'Pending', ready: false })],
    Node: [a],
  };
};
const nodeAffinity = 'spec.affinity.nodeAffinity';

describe('a pod that requests a node that does not exist', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'by nodeSelector has a finding that names the field',
      waiting({ spec: { nodeSelector: { [hostname]: 'gone' } } }),
      missing('spec.nodeSelector'),
    ],
    ['by node affinity with the hostname', waiting(affinity(byHostname('gone'))), missing(nodeAffinity)],
    ['by node affinity with the name', waiting(affinity(byName('gone'))), missing(nodeAffinity)],
    [
      'by several terms',
      waiting(affinity(byHostname('gone', 'lost'), byName('gone'))),
      missing(nodeAffinity),
    ],
    ['has none while one of the names exists', waiting(affinity(byHostname('gone', 'n-a'), byName('lost')))],
    [
      'has no such finding while another term asks for no name',
      waiting(affinity(byName('gone'), { matchExpressions: [{ key: 'x', operator: 'Exists' }] })),
      { summary: 'summary' },
    ],
    ['by spec.nodeName', bound('gone', 30), { reasoning: ['node-missing', 'collected'] }],
    ['has none by spec.nodeName of a node that exists', bound('n-a', 30)],
    ['has none by spec.nodeName yet where it is new', bound('gone', 5)],
    [
      'through its volume',
      onVolume({}, 'gone'),
      { reasoning: has('volume-node-missing'), advice: ['advice-volume-node-title'] },
    ],
    [
      'has none through a volume on a cordoned node',
      onVolume({}, 'n-c', [a, node('n-c', { unschedulable: true })]),
    ],
  ]);
});
