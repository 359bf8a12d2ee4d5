import { expect, it } from 'vitest';
import { queueProof } from '#src/doctor/causes/queue-deadlock/proof.js';
import {
  defineEscape,
  escapesCatalogueId,
  type Place,
  type PlaceKind,
} from '#src/doctor/findings/escapes/contract.js';
import {
  answersAbout,
  doubtsIn,
  escapes,
  proofFactsOf,
  sentencesOf,
  statusLineOf,
  unlessMayOpen,
} from '#src/doctor/findings/escapes/index.js';
import { failedCreationsOf } from '#src/engine/creation/failed-creation.js';
import { quotaBlockOf } from '#src/engine/creation/quota-block.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain, say } from '#src/engine/language/prose.js';
import { names } from '#src/engine/language/words.js';
import { gangOf } from '#src/engine/neighbours/pod-gang.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import { type DaemonSet, StatefulSet } from '#src/engine/objects/workload.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { build } from '../../../../support/kubernetes-objects.js';
import {
  buildClusterQueue,
  buildQueued,
  gpu as gpuName,
  queuedRollout,
} from '../../../../support/kueue-builders.js';
import { claim, node, pod, volume } from '../../../../support/placement-builders.js';
import { ago } from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { foreignPod as quotaPod, refused } from '../../../engine/creation/build.js';
import { api, beside, gpu } from '../../../engine/neighbours/beside.js';
import { snapshotOf } from '../../causes/run-rule.js';
import { buildExamination, event, type Fields, foreignPod } from '../waiting/build.js';

/** A cluster in which a new pod waits for a place of this kind that old pods hold, and nothing else may happen. */
interface World {
  readonly snapshot: Snapshot;
  readonly place: (snapshot: Snapshot) => Place;
}
type Change = (world: World) => World;

function nodeWorld(fields: Fields = {}, place: Partial<Place> = {}): World {
  return {
    snapshot: buildExamination(beside(fields)).snapshot,
    place: ({ index }) => {
      const waiting = index.objects.Pod.find(({ metadata }) => metadata.name === 'web-new');
      if (waiting === undefined) throw new Error('no new pod');
      const holders = holdersIn(index.objects);
      return { kind: 'node', holders, waiting: [waiting], alsoWaiting: [], ...place } as Place;
    },
  };
}

const holdersIn = ({ Pod: pods }: ClusterObjects): readonly Pod[] =>
  pods.filter(({ metadata }) => ['web-old', 'old-0', 'old-1', 'old-2'].includes(metadata.name));

/** A place of this kind whose holder is the old pod of the world for nodes. */
const held = (of: (waiting: Pod) => object): World => ({
  snapshot: nodeWorld(api()).snapshot,
  place: ({ index }) => {
    const waiting = index.objects.Pod.find(({ metadata }) => metadata.name === 'web-new');
    return { holders: holdersIn(index.objects), ...of(waiting as Pod) } as Place;
  },
});

function quotaWorld(fields: Parameters<typeof refused>[0] = {}): World {
  return {
    snapshot: refused(fields),
    place: (snapshot) => {
      const [failed] = failedCreationsOf(snapshot);
      const block = failed && quotaBlockOf(snapshot, failed);
      if (block === undefined) throw new Error('no quota refuses the pod');
      return { kind: 'quota', holders: holdersIn(snapshot.index.objects), block };
    },
  };
}

function queueWorld(fields: Parameters<typeof queuedRollout>[0] = {}): World {
  const { workload, objects } = queuedRollout(fields);
  return {
    snapshot: snapshotOf(workload, objects),
    place: (snapshot) => {
      const proof = queueProof(snapshot);
      if (proof === undefined) throw new Error('no queue holds the pod');
      return proof.place;
    },
  };
}

/** The new pod is the only one of a PodGroup of Kubernetes that needs two. */
function gangWorld(group: object = {}): World {
  const { snapshot, place } = nodeWorld(api());
  const grouped = withObjects((objects) => ({
    Pod: objects.Pod.map((each) => (each.metadata.name === 'web-new' ? inRing(each) : each)),
    PodGroup: [
      build('PodGroup', 'ring', { spec: { schedulingPolicy: { gang: { minCount: 2 } } }, ...group }),
    ],
  }))({ snapshot, place });
  return {
    ...grouped,
    place: ({ index }) => {
      const waiting = index.objects.Pod.find(({ metadata }) => metadata.name === 'web-new');
      const gang = waiting && gangOf(index, waiting);
      if (gang === undefined) throw new Error('the new pod is of no group');
      return { kind: 'gang', holders: holdersIn(index.objects), gang };
    },
  };
}

function inGroup(podGroupName: string): (each: Pod) => Pod {
  return (each) => ({ ...each, spec: { ...each.spec, schedulingGroup: { podGroupName } } });
}
function inRing(each: Pod): Pod {
  return inGroup('ring')(each);
}

const ownedBy = (kind: string, uid: string) => ({
  metadata: {
    ownerReferences: [{ apiVersion: 'example.com/v1', kind, name: 'owner', uid, controller: true }],
  },
});

function namedByDeployment(podGroupName: string, namespace: string): World {
  const template = { spec: { schedulingGroup: { podGroupName }, containers: [{ name: 'app' }] } };
  const selector = { matchLabels: { app: 'trainer' } };
  const named = build('Deployment', 'trainer', { metadata: { namespace }, spec: { selector, template } });
  return add({ Deployment: [named] })(gangWorld());
}

const worlds: Readonly<Record<PlaceKind, World>> = {
  node: nodeWorld(api()),
  quota: quotaWorld({ others: [quotaPod('cache-x', { memory: '1Gi' })] }),
  queue: queueWorld(),
  volume: held((waiting) => ({ kind: 'volume', waiting, node: 'n-a' })),
  lock: held(() => ({ kind: 'lock', isLease: true })),
  gang: gangWorld(),
  cycle: held(() => ({ kind: 'cycle', shrinking: [], leaving: [] })),
};

function withObjects(change: (objects: ClusterObjects, world: World) => Partial<ClusterObjects>): Change {
  return (world) => {
    const { index } = world.snapshot;
    const objects = clusterObjects({ ...index.objects, ...change(index.objects, world) });
    return { ...world, snapshot: { ...world.snapshot, index: indexObjects(objects) } };
  };
}
const onHolders = (change: (pod: Pod) => Pod, more: Partial<ClusterObjects> = {}): Change =>
  withObjects((objects) => {
    const holders = holdersIn(objects);
    return { ...more, Pod: objects.Pod.map((each) => (holders.includes(each) ? change(each) : each)) };
  });
const add = (added: Partial<ClusterObjects>): Change =>
  withObjects((objects) =>
    Object.fromEntries(
      Object.entries(added).map(([kind, more]) => [kind, [...objects[kind as 'Pod'], ...(more as Pod[])]]),
    ),
  );
const both =
  (...changes: readonly Change[]): Change =>
  (world) =>
    changes.reduce((so, change) => change(so), world);
const instead =
  (world: World): Change =>
  () =>
    world;
const unread =
  (what: Unseen['what'], namespace = ''): Change =>
  ({ snapshot, place }) => ({
    snapshot: { ...snapshot, unseen: [{ what, namespace, because: 'forbidden', message: '' }] },
    place,
  });
const annotated =
  (annotation: string) =>
  (each: Pod): Pod => ({
    ...each,
    metadata: { ...each.metadata, annotations: { ...each.metadata.annotations, [annotation]: '' } },
  });
const restarted =
  (restartCount: number) =>
  (each: Pod): Pod => ({
    ...each,
    status: {
      ...each.status,
      containerStatuses: [container({ restartCount })],
    },
  });

/** Flux upgrades the release of the workload and tries this often. */
const upgraded =
  (retries: number): Change =>
  (world) => {
    const { workload } = world.snapshot;
    const labels = { 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'shop' };
    const release = schemas.HelmRelease.parse({
      metadata: { name: 'web', namespace: 'shop' },
      spec: { upgrade: { remediation: { retries } } },
      status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Progressing' }] },
    });
    const { snapshot } = add({ HelmRelease: [release] })(world);
    const marked = { ...workload, metadata: { ...workload.metadata, labels } };
    return { ...world, snapshot: { ...snapshot, workload: marked } };
  };

const scaled =
  (minReplicas: number, ownerReferences: readonly object[] = [], maxReplicas = 9): Change =>
  (world) => {
    const { kind, metadata } = world.snapshot.workload;
    const scaleTargetRef = { kind, name: metadata.name };
    const scaler = schemas.HorizontalPodAutoscaler.parse({
      metadata: { name: 'scaler', namespace: metadata.namespace, ownerReferences },
      spec: { scaleTargetRef, minReplicas, maxReplicas },
    });
    return add({ HorizontalPodAutoscaler: [scaler] })(world);
  };
const ofKeda = [
  { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'web', uid: 'keda', controller: true },
];

const vertical = (updateMode: string): Change =>
  withObjects((_, { snapshot }) => ({
    VerticalPodAutoscaler: [
      build('VerticalPodAutoscaler', 'web', {
        spec: {
          targetRef: { kind: 'Deployment', name: snapshot.workload.metadata.name },
          updatePolicy: { updateMode },
        },
      }),
    ],
  }));

/** Something of the nodes on which old pods are. */
const onNodes = (spec: object): Change =>
  withObjects((objects) => {
    const held = new Set(holdersIn(objects).map((each) => each.spec.nodeName));
    return {
      Node: objects.Node.map((each) =>
        held.has(each.metadata.name) ? { ...each, spec: { ...each.spec, ...spec } } : each,
      ),
    };
  });
const taint = (key: string, effect: string) => ({ key, value: '', effect, timeAdded: ago(60) });
const removal = (key: string) => onNodes({ taints: [taint(key, 'PreferNoSchedule')] });

/** All pods tolerate the taint for ever, but the holders for so long. */
const evicting = (tolerationSeconds: number | undefined): Change =>
  both(
    withObjects((objects) => {
      const holders = holdersIn(objects);
      const toleration = { key: 'maintenance', operator: 'Exists', effect: 'NoExecute' };
      return {
        Pod: objects.Pod.map((each) => {
          const seconds = holders.includes(each) ? tolerationSeconds : undefined;
          const tolerations = [
            ...each.spec.tolerations,
            { ...toleration, value: '', tolerationSeconds: seconds },
          ];
          return { ...each, spec: { ...each.spec, tolerations } } as Pod;
        }),
      };
    }),
    onNodes({ taints: [taint('maintenance', 'NoExecute')] }),
  );

const asDaemonSet: Change = ({ snapshot, place }) => {
  const before = place(snapshot);
  const workload = { ...snapshot.workload, kind: 'DaemonSet' } as unknown as DaemonSet;
  return {
    snapshot: { ...snapshot, workload },
    place: ({ index }) => ({ ...before, holders: holdersIn(index.objects) }),
  };
};

const about = { kind: 'Pod', name: 'web-new', uid: 'web-new-uid' };
const answered = (reason: string, message: string, secondsAgo: number): Change =>
  withObjects(({ Pod: pods }) => {
    const uid = pods.find(({ metadata }) => metadata.name === 'web-new')?.metadata.uid ?? '';
    return {
      Event: [
        event({ about: { ...about, uid }, reason, message, secondsAgo, component: 'cluster-autoscaler' }),
      ],
    };
  });
const declined = answered(
  'NotTriggerScaleUp',
  "pod didn't trigger scale-up: 1 max node group size reached",
  60,
);

const refusedFor = (seconds: number): Change =>
  both(
    add({ NodePool: [build('NodePool', 'general', { spec: { template: { spec: {} } } })] }),
    withObjects(({ Pod: pods }) => ({
      Pod: pods.map((each) => ({
        ...each,
        status: {
          ...each.status,
          conditions: each.status.conditions.map((one) =>
            one.type === 'PodScheduled' ? { ...one, lastTransitionTime: ago(seconds) } : one,
          ),
        },
      })),
    })),
  );

/** A node with a free GPU that is not ready: since when it exists, and since when it is so. */
const away = (age: number, since: number): Change => {
  const made = node('late', {
    allocatable: { 'nvidia.com/gpu': '1' },
    taints: [{ key: 'node.kubernetes.io/not-ready', value: '', effect: 'NoSchedule' }],
  });
  const ready = { type: 'Ready', status: 'False', reason: '', message: '', lastTransitionTime: ago(since) };
  const late = {
    ...made,
    metadata: { ...made.metadata, creationTimestamp: ago(age) },
    status: { ...made.status, conditions: [ready] },
  };
  return add({ Node: [late as never] });
};

const drifted = (status: 'True' | 'False'): Change =>
  add({
    NodeClaim: [
      build('NodeClaim', 'claim', {
        metadata: { creationTimestamp: ago(86_400) },
        spec: { expireAfter: 'Never' },
        status: { nodeName: 'n-b', conditions: [{ type: 'Drifted', status }] },
      }),
    ],
  });

const driver = 'csi.example.com';
/** The node has this many attachments, of which one volume is used by no pod. */
function attachments(count: number): World {
  const mine = pod('web-new', { claim: 'mine' });
  const { snapshot } = buildExamination({
    Node: [node('full')],
    Pod: [mine, pod('web-old', { on: 'full', claim: 'old' })],
    PersistentVolumeClaim: ['mine', 'old', 'left'].map((name) => claim(name, { volumeName: name })),
    PersistentVolume: ['mine', 'old', 'left'].map((name) =>
      volume(name, { csi: { driver, volumeHandle: name } }),
    ),
    VolumeAttachment: ['old', 'left'].map((persistentVolumeName) =>
      build('VolumeAttachment', `of-${persistentVolumeName}`, {
        spec: { attacher: driver, nodeName: 'full', source: { persistentVolumeName } },
        status: { attached: true },
      }),
    ),
    CSINode: [build('CSINode', 'full', { spec: { drivers: [{ name: driver, allocatable: { count } }] } })],
  });
  return { snapshot, place: worlds.node.place };
}

/** A pod of another workload that has as many GPUs as this, and is resized to none. */
const resizing = (granted: string): Change =>
  add({
    Node: [node('n-d', { allocatable: { 'nvidia.com/gpu': '1' } })],
    Pod: [
      pod('shrinks', {
        on: 'n-d',
        requests: { 'nvidia.com/gpu': '0' },
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              name: 'app',
              allocatedResources: { 'nvidia.com/gpu': granted },
              resources: { requests: { 'nvidia.com/gpu': granted } },
            },
          ],
        },
      }),
    ],
  });

/** A pod of another workload that has the GPU of `n-c`, or is beside it without one. */
const onC = (name: string, kind: string, hash = '1', more: object = gpu) =>
  foreignPod(name, kind, 'other', { on: 'n-c', labels: { 'controller-revision-hash': hash }, ...more });
/** A pod that the quota charges for as much as the new pod needs. */
const charged = (name: string, kind: string, hash = '1', fields: object = {}, amount = '1Gi') =>
  quotaPod(
    name,
    { memory: amount },
    {
      owner: { kind, name: 'other', uid: 'other-uid' },
      labels: { 'controller-revision-hash': hash },
      ...fields,
    },
  );
const failing = (each: Pod): Pod => ({
  ...each,
  status: {
    ...each.status,
    conditions: [],
    containerStatuses: [container({ ready: false, restartCount: 9 })],
  },
});
const container = (status: object) =>
  schemas.Pod.parse({
    metadata: { name: 'x' },
    spec: { containers: [] },
    status: {
      containerStatuses: [{ name: 'app', image: '', imageID: '', ready: true, restartCount: 0, ...status }],
    },
  }).status.containerStatuses[0] as Pod['status']['containerStatuses'][number];
const ready = (each: Pod): Pod => ({
  ...each,
  status: {
    ...each.status,
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: '',
        message: '',
        lastTransitionTime: ago(3600),
        lastUpdateTime: undefined,
        lastHeartbeatTime: undefined,
      },
    ],
  },
});
const leavingSince =
  (seconds: number) =>
  (each: Pod): Pod => ({
    ...each,
    metadata: { ...each.metadata, deletionTimestamp: ago(seconds), deletionGracePeriodSeconds: 30 },
  });
const updating = { updateRevision: '2', currentRevision: '1', readyReplicas: 1 };
const set = (status: object = {}, spec: object = {}) =>
  StatefulSet.parse({
    metadata: { name: 'other', namespace: 'shop', uid: 'other-uid', generation: 1 },
    spec: { ...structuredClone(buildSet({ replicas: 1 }).spec), replicas: 1, ...spec },
    status: {
      ...structuredClone(buildSet({ replicas: 1 }).status),
      observedGeneration: 1,
      replicas: 1,
      updateRevision: '1',
      currentRevision: '1',
      ...status,
    },
  });
const shrinking = (minReplicas: number) =>
  schemas.HorizontalPodAutoscaler.parse({
    metadata: { name: 'other', namespace: 'shop' },
    spec: { scaleTargetRef: { kind: 'StatefulSet', name: 'other' }, minReplicas, maxReplicas: 9 },
  });
const onNode = (pods: readonly Pod[], fields: Fields = {}): Change =>
  instead(nodeWorld({ ...fields, Pod: [...taken, ...pods] }));
/** The GPU of `n-b` is of a workload that stays. */
const taken = [foreignPod('stays', 'ReplicationController', 'stays', { on: 'n-b', ...gpu })];
const inQuota = (
  others: readonly Pod[],
  statefulSets: readonly StatefulSet[] = [],
  autoscalers: readonly ReturnType<typeof shrinking>[] = [],
): Change => instead(quotaWorld({ others, statefulSets, autoscalers }));
/** A new pod that needs two GPUs, of which these two pods have one each. */
const pair = (...pods: readonly Pod[]): Change =>
  both(
    onNode(pods, { Node: [node('n-c', { allocatable: { 'nvidia.com/gpu': '2' } })] }),
    withObjects((objects) => ({
      Pod: objects.Pod.map((each) =>
        each.metadata.name === 'web-new'
          ? {
              ...each,
              spec: {
                ...each.spec,
                containers: each.spec.containers.map((one) => ({
                  ...one,
                  resources: { ...one.resources, requests: { 'nvidia.com/gpu': '2' } },
                })),
              },
            }
          : each,
      ),
    })),
  );
const evict = annotated('descheduler.alpha.kubernetes.io/evict');
const twoGpus = { clusterQueue: buildClusterQueue({ gpus: 2 }), nodeGpus: 9 };
const job = (restartPolicy: string) =>
  buildQueued({ name: 'train', namespace: 'research', admittedTo: 'team', podSpec: { restartPolicy } });
/** Another team's pod with quota, which is being deleted for so long. */
const leavingWorkload = (seconds: number): Change => {
  const theirs = leavingSince(seconds)(
    quotaPod('theirs', {}, { owner: { kind: 'ReplicaSet', name: 'a', uid: 'a' } }),
  );
  const other = buildQueued({ pod: theirs, admittedTo: 'team' });
  return both(instead(queueWorld({ ...twoGpus, others: [other] })), add({ Pod: [theirs] }));
};
const inCohort = (name: string, used: number) =>
  buildClusterQueue({
    name,
    gpus: 1,
    spec: { cohort: 'all' },
    status: { flavorsReservation: [{ name: 'a100', resources: [{ name: gpuName, total: String(used) }] }] },
  });
const lent = (cohort: boolean) => {
  const own = cohort ? inCohort('team', 1) : buildClusterQueue({ gpus: 1 });
  return { clusterQueue: own, more: { ClusterQueue: [own, inCohort('research', 1)] } };
};
const reserving = (used: number) => ({
  nodeGpus: 9,
  clusterQueue: buildClusterQueue({
    gpus: used,
    status: { flavorsReservation: [{ name: 'a100', resources: [{ name: gpuName, total: String(used) }] }] },
  }),
});

interface Row {
  /** Absent where only something that was not read could open it. */
  readonly opens?: Change;
  readonly alike: Change;
  readonly unread?: Change;
}
type Rows = Readonly<Partial<Record<PlaceKind, Row>>>;
const same = (row: Row, ...kinds: readonly PlaceKind[]): Rows =>
  Object.fromEntries(kinds.map((kind) => [kind, row]));
const held5 = ['node', 'quota', 'queue', 'volume', 'lock'] as const;
const own6 = [...held5, 'gang'] as const;

const programs: Readonly<Record<string, Row>> = {
  'vertical-pod-autoscaler-may-evict': {
    opens: vertical('Recreate'),
    alike: vertical('Off'),
    unread: unread('VerticalPodAutoscaler'),
  },
  'descheduler-may-evict': {
    opens: onHolders(annotated('descheduler.alpha.kubernetes.io/evict')),
    alike: onHolders(annotated('descheduler.alpha.kubernetes.io/prefer-no-eviction')),
  },
  'node-removal-may-evict': { opens: removal('karpenter.sh/disrupted'), alike: removal('example.com/soon') },
  'drain-may-evict': { opens: onNodes({ unschedulable: true }), alike: removal('example.com/cordoned') },
};

/**
 * For each escape and each kind of place that it opens: what opens the place, what looks like it and does not,
 * and what was not read. An escape without its rows fails, and so does a row of a kind that it does not open.
 */
const matrix: Readonly<Record<string, Rows>> = {
  'release-is-remediated': same({ opens: upgraded(3), alike: upgraded(0) }, ...own6, 'cycle'),
  'autoscaler-may-shrink': same(
    { opens: scaled(0), alike: scaled(9), unread: unread('HorizontalPodAutoscaler') },
    ...own6,
  ),
  'scaled-object-may-shrink': same({ opens: scaled(1, ofKeda), alike: scaled(9, ofKeda) }, ...own6),
  'autoscaler-may-grow': { gang: { opens: scaled(1), alike: scaled(1, [], 1) } },
  'others-may-complete-group': {
    gang: {
      opens: add({ Pod: [inRing(foreignPod('trainer-0', 'StatefulSet', 'trainer'))] }),
      alike: add({ Pod: [inGroup('star')(foreignPod('trainer-0', 'StatefulSet', 'trainer'))] }),
      unread: unread('Deployment'),
    },
  },
  'daemon-pods-restart': same(
    { opens: both(asDaemonSet, onHolders(restarted(1))), alike: onHolders(restarted(1)) },
    'node',
    'quota',
  ),
  'holder-restarts': {
    lock: {
      opens: onHolders(restarted(1)),
      alike: both(instead(held(() => ({ kind: 'lock', isLease: false }))), onHolders(restarted(1))),
    },
  },
  'waiting-may-move': {
    volume: {
      opens: movable('descheduler.alpha.kubernetes.io/evict'),
      alike: movable('descheduler.alpha.kubernetes.io/prefer-no-eviction'),
    },
  },
  'scale-up-is-under-way': {
    node: {
      opens: answered('TriggeredScaleUp', 'pod triggered scale-up: [{pool 1->2 (max: 3)}]', 60),
      alike: declined,
      unread: unread('Event'),
    },
  },
  'autoscaler-pending': { node: { opens: refusedFor(10), alike: refusedFor(600) } },
  'scale-up-retried': {
    node: {
      opens: answered('TriggeredScaleUp', 'pod triggered scale-up: [{pool 1->2 (max: 3)}]', 3600),
      alike: declined,
    },
  },
  'nodes-joining': { node: { opens: away(60, 60), alike: away(3600, 60) } },
  'nodes-may-return': { node: { opens: away(3600, 60), alike: away(3600, 3600) } },
  'volumes-may-detach': { node: { opens: instead(attachments(2)), alike: instead(attachments(1)) } },
  'resizes-may-free': { node: { opens: resizing('1'), alike: resizing('0') } },
  'nodes-are-replaced': { node: { opens: drifted('True'), alike: drifted('False') } },
  'may-finish': {
    queue: {
      opens: instead(queueWorld({ ...twoGpus, others: [job('Never')] })),
      alike: instead(queueWorld({ clusterQueue: buildClusterQueue({ gpus: 1 }), others: [] })),
    },
  },
  'may-stop': {
    queue: {
      opens: instead(queueWorld({ ...twoGpus, others: [job('Always')] })),
      alike: instead(queueWorld({ ...twoGpus, others: [job('Never')] })),
    },
  },
  'usage-unread': {
    queue: { opens: instead(queueWorld(reserving(2))), alike: instead(queueWorld(reserving(1))) },
  },
  'may-lend': {
    queue: { opens: instead(queueWorld(lent(true))), alike: instead(queueWorld(lent(false))) },
  },
  'neighbours-move': {
    node: {
      opens: onNode([onC('other-0', 'StatefulSet')], {
        StatefulSet: [set({ replicas: 1 }, { replicas: 0 })],
      }),
      alike: onNode([onC('other-0', 'StatefulSet')], { StatefulSet: [set()] }),
    },
    quota: {
      opens: inQuota([
        charged('other-a', 'DaemonSet'),
        charged('other-b', 'DaemonSet', '2', { ready: false, age: 5 }, '0'),
      ]),
      alike: inQuota([charged('other-a', 'DaemonSet')]),
    },
  },
  'neighbours-unread': {
    node: {
      opens: onNode([onC('clone-1', 'CloneSet'), onC('clone-2', 'CloneSet', '2', {})]),
      alike: onNode([onC('clone-1', 'CloneSet'), onC('clone-2', 'CloneSet', '1', {})]),
    },
    quota: {
      opens: inQuota([charged('clone-1', 'CloneSet'), charged('clone-2', 'CloneSet', '2', {}, '0')]),
      alike: inQuota([charged('clone-1', 'CloneSet'), charged('clone-2', 'CloneSet', '1', {}, '0')]),
    },
  },
  'neighbours-stalled': {
    node: {
      opens: onNode([ready(onC('other-0', 'StatefulSet')), failing(onC('other-1', 'StatefulSet', '2', {}))], {
        StatefulSet: [set({ ...updating, replicas: 2 }, { replicas: 2 })],
      }),
      alike: onNode([ready(onC('other-0', 'StatefulSet')), failing(onC('other-1', 'StatefulSet', '1', {}))], {
        StatefulSet: [set({ replicas: 2 }, { replicas: 2 })],
      }),
    },
    quota: {
      opens: inQuota(
        [charged('other-0', 'StatefulSet'), failing(charged('other-1', 'StatefulSet', '2', {}, '0'))],
        [set({ ...updating, replicas: 2 }, { replicas: 2 })],
      ),
      alike: inQuota(
        [charged('other-0', 'StatefulSet'), failing(charged('other-1', 'StatefulSet', '1', {}, '0'))],
        [set({ replicas: 2 }, { replicas: 2 })],
      ),
    },
  },
  'neighbours-may-shrink': {
    node: {
      opens: onNode([onC('other-0', 'StatefulSet')], {
        StatefulSet: [set()],
        HorizontalPodAutoscaler: [shrinking(0)],
      }),
      alike: onNode([onC('other-0', 'StatefulSet')], {
        StatefulSet: [set()],
        HorizontalPodAutoscaler: [shrinking(1)],
      }),
      unread: unread('HorizontalPodAutoscaler'),
    },
    quota: {
      opens: inQuota([charged('other-0', 'StatefulSet')], [set()], [shrinking(0)]),
      alike: inQuota([charged('other-0', 'StatefulSet')], [set()], [shrinking(1)]),
      unread: unread('HorizontalPodAutoscaler'),
    },
    cycle: {
      opens: instead(held(() => ({ kind: 'cycle', shrinking: ['shop/api'], leaving: [] }))),
      alike: scaled(0),
      unread: unread('HorizontalPodAutoscaler'),
    },
  },
  'neighbours-depart': {
    quota: {
      opens: inQuota([charged('other-0', 'StatefulSet')], [set({}, { replicas: 0 })]),
      alike: inQuota([charged('other-0', 'StatefulSet')], [set()]),
    },
  },
  'neighbours-replace': {
    node: {
      opens: onNode([onC('other-0', 'StatefulSet')], { StatefulSet: [set(updating)] }),
      alike: onNode([onC('other-0', 'StatefulSet')], {
        StatefulSet: [set(updating, { updateStrategy: { type: 'OnDelete' } })],
      }),
    },
    quota: {
      opens: inQuota([charged('other-0', 'StatefulSet')], [set(updating)]),
      alike: inQuota(
        [charged('other-0', 'StatefulSet')],
        [set(updating, { updateStrategy: { type: 'OnDelete' } })],
      ),
    },
  },
  'pods-leave': {
    node: {
      opens: onNode([leavingSince(5)(onC('report', 'Job'))]),
      alike: onNode([leavingSince(3600)(onC('web', 'ReplicaSet'))]),
      unread: unread('Node'),
    },
    quota: {
      opens: inQuota([leavingSince(5)(charged('web', 'ReplicaSet'))]),
      alike: inQuota([leavingSince(3600)(charged('web', 'ReplicaSet'))]),
      unread: unread('Pod'),
    },
    queue: { opens: leavingWorkload(5), alike: leavingWorkload(3600), unread: unread('Pod') },
    ...same({ alike: unread('Node'), unread: unread('Pod') }, 'volume', 'gang'),
  },
  ...Object.fromEntries(Object.entries(programs).map(([id, row]) => [id, same(row, ...held5)])),
  'drain-may-evict': {
    ...same(programs['drain-may-evict'] as Row, 'quota', 'queue', 'volume', 'lock'),
    // Room on a cordoned node is no help to the new pod; a volume that only one pod may use is.
    node: { opens: instead(exclusive(true)), alike: instead(exclusive(false)) },
  },
  'jobs-may-finish': {
    node: { opens: onNode([onC('report', 'Job')]), alike: onNode([onC('web', 'ReplicaSet')]) },
    quota: { opens: inQuota([charged('report', 'Job')]), alike: inQuota([charged('web', 'ReplicaSet')]) },
  },
  'evictions-may-free': same({ opens: evicting(600), alike: evicting(undefined) }, ...held5),
  'pods-may-leave': {
    node: {
      opens: pair(onC('report', 'Job'), evict(onC('web-a', 'ReplicaSet'))),
      alike: pair(onC('report', 'Job'), onC('web-a', 'ReplicaSet')),
    },
    quota: {
      opens: inQuota([
        charged('report', 'Job', '1', {}, '512Mi'),
        evict(charged('web', 'ReplicaSet', '1', {}, '512Mi')),
      ]),
      alike: inQuota([
        charged('report', 'Job', '1', {}, '512Mi'),
        charged('web', 'ReplicaSet', '1', {}, '512Mi'),
      ]),
    },
    cycle: {
      opens: instead(held(() => ({ kind: 'cycle', shrinking: [], leaving: taken }))),
      alike: instead(held(() => ({ kind: 'cycle', shrinking: [], leaving: [] }))),
    },
  },
};

/** The claim may be used by one pod of the cluster, and its holder is on a node that is cordoned or not. */
function exclusive(unschedulable: boolean): World {
  const { snapshot } = buildExamination({
    Node: [node('n-a', { unschedulable }), node('n-b')],
    Pod: [
      foreignPod('web-old', 'ReplicaSet', 'web-1', { on: 'n-a', claim: 'data' }),
      foreignPod('web-new', 'ReplicaSet', 'web-2', { claim: 'data' }),
    ],
    PersistentVolumeClaim: [claim('data', { volumeName: 'data', accessModes: ['ReadWriteOncePod'] })],
    PersistentVolume: [volume('data', { accessModes: ['ReadWriteOncePod'] })],
  });
  return { snapshot, place: worlds.node.place };
}

function movable(annotation: string): Change {
  return ({ snapshot, place }) => {
    const waiting = annotated(annotation)(foreignPod('web-new', 'ReplicaSet', 'web-2', { on: 'n-b' }));
    const { snapshot: changed } = withObjects((objects) => ({
      Pod: [...objects.Pod.filter(({ metadata }) => metadata.name !== 'web-new'), waiting],
    }))({ snapshot, place });
    return {
      snapshot: changed,
      place: ({ index }) => ({ kind: 'volume', waiting, node: 'n-a', holders: holdersIn(index.objects) }),
    };
  };
}

const rows = Object.entries(matrix).flatMap(([id, byKind]) =>
  Object.entries(byKind).map(([kind, row]) => [id, kind as PlaceKind, row] as const),
);

/** What the escape answers about the place of this kind once the world has changed. */
function answerOf(id: string, kind: PlaceKind, change: Change): string | undefined {
  const { snapshot, place } = change(worlds[kind]);
  const world = { snapshot, placement: createPlacement(snapshot.index) };
  return answersAbout(world, place(snapshot)).find(({ by }) => by.id === id)?.kind;
}

it('every escape has a row for every kind of place that it opens, and for no other', () => {
  const kindsOf = Object.fromEntries(escapes.map(({ id, opens }) => [id, [...opens].sort()]));
  expect(
    Object.fromEntries(Object.entries(matrix).map(([id, row]) => [id, Object.keys(row).sort()])),
  ).toEqual(kindsOf);
});

it.each(Object.keys(worlds) as PlaceKind[])(
  'nothing opens a place of kind %s where nothing happens',
  (kind) => {
    const { snapshot, place } = worlds[kind];
    const answers = answersAbout({ snapshot, placement: createPlacement(snapshot.index) }, place(snapshot));
    expect(answers.filter((each) => each.kind !== 'closed').map(({ by }) => by.id)).toEqual([]);
    expect(answers.length).toBeGreaterThan(2);
  },
);

it.each<readonly [string, 'closed' | 'may-open', World]>([
  ['another Deployment names it in its template', 'may-open', namedByDeployment('ring', 'shop')],
  ['a Deployment names another group', 'closed', namedByDeployment('star', 'shop')],
  ['a Deployment of another namespace names one of that name', 'closed', namedByDeployment('ring', 'lab')],
  ['another controller owns the PodGroup', 'may-open', gangWorld(ownedBy('TrainJob', 'job-uid'))],
])('a group may be completed by others where %s: %s', (_, answer, { snapshot, place }) => {
  const world = { snapshot, placement: createPlacement(snapshot.index) };
  const found = answersAbout(world, place(snapshot)).find(({ by }) => by.id === 'others-may-complete-group');
  expect(found?.kind).toBe(answer);
});

/** Somebody wins the licence of the node in a lottery: one constant, and one line in a list. */
const licenceIsWon = defineEscape<{ readonly pods: readonly string[] }>({
  id: 'licence-is-won',
  statusLine: 'standing-but-for-leaving',
  names: ({ pods }) => pods,
  opens: { lock: ({ holders }) => ({ pods: holders.map(({ metadata }) => metadata.name) }) },
  says: {
    en: ({ pods }) => say`${names('en', pods)} may win another licence.`,
    ko: ({ pods }) => say`${names('ko', pods)} 파드가 다른 라이선스를 얻을 수 있습니다.`,
  },
});

it('a further escape is a doubt, a status line, a fact and a sentence wherever its kind of place is awaited', () => {
  const list = [...escapes, licenceIsWon];
  const { snapshot, place } = worlds.lock;
  const world = { snapshot, placement: createPlacement(snapshot.index) };
  const answers = answersAbout(world, place(snapshot), list);
  const tell = tellFrom({ [escapesCatalogueId]: sentencesOf(list) });

  expect(doubtsIn(answers).map((doubt) => plain(tell(doubt, 'en')))).toEqual([
    'web-old may win another licence.',
  ]);
  expect(doubtsIn(answers).map((doubt) => plain(tell(doubt, 'ko')))).toEqual([
    'web-old 파드가 다른 라이선스를 얻을 수 있습니다.',
  ]);
  expect(statusLineOf(answers, { revision: '2', stillForSeconds: 60 }).key).toBe('standing-but-for-leaving');
  expect(proofFactsOf('lock', [], answers).escapes.at(-1)).toEqual({
    way: 'licence-is-won',
    answer: 'may-open',
    names: ['web-old'],
  });
  expect(unlessMayOpen(answers, licenceIsWon.state({ pods: [] }))).toEqual([]);
  const ofGang = { snapshot: worlds.gang.snapshot, placement: createPlacement(worlds.gang.snapshot.index) };
  expect(answersAbout(ofGang, worlds.gang.place(ofGang.snapshot), list).map(({ by }) => by.id)).not.toContain(
    'licence-is-won',
  );
});

type Case = readonly [id: string, kind: PlaceKind, what: string, change: Change, answers: readonly string[]];
const cases = rows.flatMap(([id, kind, { opens, alike, unread: missing }]): readonly Case[] => [
  ...(opens === undefined ? [] : [[id, kind, 'what opens it', opens, ['open', 'may-open']] as const]),
  [id, kind, 'what only looks like it', alike, ['closed']],
  ...(missing === undefined ? [] : [[id, kind, 'what was not read', missing, ['not-read']] as const]),
]);

it.each(cases)('%s and a place of kind %s: %s', (id, kind, _, change, answers) => {
  expect(answers).toContain(answerOf(id, kind, change));
});
