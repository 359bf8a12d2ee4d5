import { expect } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import { ownerOf } from '#src/engine/neighbours/owned-pods.js';
import { type ClusterIndex, indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { podKey } from '#src/engine/objects/pod.js';
import { nowOf, type Snapshot } from '#src/engine/objects/snapshot.js';
import type { Property } from '../property.js';
import { diagnosisOf, engine, snapshotOf } from '../recorded.js';

/** Something that is added to a cluster; `undefined` where the workload cannot have it. */
type Addition = (snapshot: Snapshot, holders: readonly Pod[]) => Snapshot | undefined;

/** Ways in which the old pods may be evicted that hold the place of a deadlock. */
const evictions: Readonly<Record<string, Addition>> = {
  'a taint evicts the old pods in an hour': (snapshot, holders) =>
    withTaint(withToleration(snapshot, holders, 3600), holders),
  'a VerticalPodAutoscaler may evict the old pods': (snapshot, holders) =>
    withVerticalAutoscaler(snapshot, holders, 'Recreate'),
  'an annotation lets the descheduler evict the old pods': (snapshot, holders) =>
    withAnnotation(snapshot, holders, 'descheduler.alpha.kubernetes.io/evict'),
};

/** Ways in which the controller itself stops them, whatever the place is. */
const ways: Readonly<Record<string, Addition>> = {
  'a HorizontalPodAutoscaler may reduce the replicas': (snapshot) =>
    withHorizontalAutoscaler(snapshot, 'may reduce'),
  'Flux takes the upgrade back that it runs': (snapshot) => withHelmRelease(snapshot, 3),
};

/** What looks like each of them and stops no pod. */
const lookAlikes: readonly Addition[] = [
  (snapshot, holders) => withToleration(snapshot, holders, 3600),
  (snapshot, holders) => withVerticalAutoscaler(snapshot, holders, 'Off'),
  (snapshot, holders) =>
    withAnnotation(snapshot, holders, 'descheduler.alpha.kubernetes.io/prefer-no-eviction'),
  (snapshot) => withHorizontalAutoscaler(snapshot, 'may not'),
  (snapshot) => withHelmRelease(snapshot, 0),
];

function changed(snapshot: Snapshot, change: (objects: ClusterIndex['objects']) => Partial<ClusterObjects>) {
  const { objects, podsReadOn, serverVersion } = snapshot.index;
  const all = clusterObjects({ ...objects, ...change(objects) });
  return { ...snapshot, index: indexObjects(all, podsReadOn, serverVersion) };
}

const taint = { key: 'example.com/maintenance', value: '', effect: 'NoExecute' };

/** All pods tolerate the taint for ever, but the holders for so many seconds. */
function withToleration(snapshot: Snapshot, holders: readonly Pod[], seconds: number): Snapshot {
  const held = new Set(holders.map(podKey));
  return changed(snapshot, ({ Pod }) => ({
    Pod: Pod.map((pod) => {
      const tolerationSeconds = held.has(podKey(pod)) ? seconds : undefined;
      const tolerations = [...pod.spec.tolerations, { ...taint, operator: 'Exists', tolerationSeconds }];
      return { ...pod, spec: { ...pod.spec, tolerations } };
    }),
  }));
}

function withTaint(snapshot: Snapshot, holders: readonly Pod[]): Snapshot {
  const nodes = new Set(holders.flatMap(({ spec }) => spec.nodeName ?? []));
  const added = { ...taint, timeAdded: new Date(nowOf(snapshot)).toISOString() };
  return changed(snapshot, ({ Node }) => ({
    Node: Node.map((node) => {
      const { metadata, spec } = node;
      return nodes.has(metadata.name)
        ? { ...node, spec: { ...spec, taints: [...spec.taints, added] } }
        : node;
    }),
  }));
}

/** Its target is the topmost object that can be scaled. */
function withVerticalAutoscaler(snapshot: Snapshot, [pod]: readonly Pod[], updateMode: string) {
  const { workload, index } = snapshot;
  if (workload.kind === 'DaemonSet' || pod === undefined) return undefined;
  const { name: group } = workload.metadata;
  const { kind, name } =
    workload.kind === 'LeaderWorkerSet' ? { kind: workload.kind, name: group } : ownerOf(index, pod);
  const autoscaler = schemas.VerticalPodAutoscaler.parse({
    metadata: { name: 'added', namespace: workload.metadata.namespace, uid: 'added' },
    spec: { targetRef: { kind, name }, updatePolicy: { updateMode } },
  });
  return changed(snapshot, ({ VerticalPodAutoscaler }) => ({
    VerticalPodAutoscaler: [...VerticalPodAutoscaler, autoscaler],
  }));
}

function withAnnotation(snapshot: Snapshot, holders: readonly Pod[], annotation: string) {
  if (snapshot.workload.kind === 'DaemonSet') return undefined;
  const held = new Set(holders.map(podKey));
  return changed(snapshot, ({ Pod }) => ({
    Pod: Pod.map((pod) =>
      held.has(podKey(pod))
        ? {
            ...pod,
            metadata: {
              ...pod.metadata,
              annotations: { ...pod.metadata.annotations, [annotation]: 'true' },
            },
          }
        : pod,
    ),
  }));
}

function withHorizontalAutoscaler(snapshot: Snapshot, how: 'may reduce' | 'may not') {
  const { workload } = snapshot;
  if (workload.kind === 'DaemonSet' || workload.spec.replicas < 2) return undefined;
  const { namespace, name } = workload.metadata;
  const { replicas } = workload.spec;
  const autoscaler = schemas.HorizontalPodAutoscaler.parse({
    metadata: { name: 'added', namespace, uid: 'added' },
    spec: {
      scaleTargetRef: { kind: workload.kind, name },
      minReplicas: how === 'may reduce' ? 1 : replicas,
      maxReplicas: replicas,
    },
  });
  return changed(snapshot, ({ HorizontalPodAutoscaler }) => ({
    HorizontalPodAutoscaler: [...HorizontalPodAutoscaler, autoscaler],
  }));
}

/** The workload is of a HelmRelease whose upgrade is running, and is tried again so often. */
function withHelmRelease(snapshot: Snapshot, retries: number): Snapshot {
  const { workload } = snapshot;
  const release = schemas.HelmRelease.parse({
    metadata: { name: 'added', namespace: workload.metadata.namespace, uid: 'added' },
    spec: { upgrade: { remediation: { retries } } },
    status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Progressing' }] },
  });
  const labels = {
    'helm.toolkit.fluxcd.io/name': 'added',
    'helm.toolkit.fluxcd.io/namespace': workload.metadata.namespace,
  };
  const marked = { ...workload, metadata: { ...workload.metadata, labels } };
  return {
    ...changed(snapshot, ({ HelmRelease }) => ({ HelmRelease: [...HelmRelease, release] })),
    workload: marked,
  };
}

function provenCycles({ findings }: Diagnosis): readonly Finding[] {
  return findings.filter(({ waitCycle, confidence }) => waitCycle !== undefined && confidence === 'proven');
}

export const escapes: readonly Property[] = [
  {
    name: 'proves no deadlock whose old pods may leave, and the same beside what only looks like it',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      const wrong = provenCycles(await diagnosisOf(recorded)).flatMap(({ cause, holders, waitCycle }) => {
        const held = new Set(holders.map(({ namespace, name }) => `${namespace}/${name}`));
        const pods = snapshot.index.objects.Pod.filter(({ metadata: { namespace, name } }) =>
          held.has(`${namespace}/${name}`),
        );
        const isProven = (so: Snapshot): boolean =>
          provenCycles(engine.diagnose(so)).some((each) => each.cause === cause);
        // A controller creates an evicted pod again, and no further pod of the group that is not complete.
        const isOfGroup = waitCycle?.some(({ waits }) => waits.for === 'group') === true;
        const beside = isOfGroup ? [...lookAlikes, ...Object.values(evictions)] : lookAlikes;
        const alike = beside.reduce((so, add) => add(so, pods) ?? so, snapshot);
        const open = Object.entries(isOfGroup ? ways : { ...evictions, ...ways }).flatMap(([way, add]) => {
          const added = add(snapshot, pods);
          if (added === undefined) return [];
          saw(`${cause}: ${way}`);
          return isProven(added) ? [`${cause} is proven, and ${way}`] : [];
        });
        return isProven(alike) ? open : [...open, `${cause} is not proven beside look-alikes`];
      });
      expect(wrong).toEqual([]);
    },
    whole(seen) {
      // A workload of one replica is not reduced, and recordings of some deadlocks have no other.
      expect(seen.size).toBeGreaterThanOrEqual(27);
    },
  },
];
