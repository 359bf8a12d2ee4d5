import { expect } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { compactPod, podOf } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { ownPartOf, piecesOf, snapshotFrom } from '#src/edges/threads/snapshot-pieces.js';
import { type ClusterIndex, indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  clusterObjects,
  type ResourceKind,
  resourceKinds,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import { kueueKinds } from '#src/engine/objects/kueue.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { PersistentVolumeClaim } from '#src/engine/objects/storage.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import type { Property } from '../property.js';
import { diagnosisOf, engine, plansOf, snapshotOf } from '../recorded.js';

const elsewhere = 'namesakes';

/** Copies all objects into another namespace with the same names and other uids. The pods have ended. */
function withNamesakes({ objects, serverVersion }: ClusterIndex): ClusterIndex {
  const entries = resourceKinds.map((kind) => [kind, [...objects[kind], ...namesakesOf(objects[kind])]]);
  return indexObjects(clusterObjects(Object.fromEntries(entries)), undefined, serverVersion);
}

/** Adds an ended copy without an owner for each pod. */
function withEndedPods({ objects, serverVersion }: ClusterIndex): ClusterIndex {
  const ended = objects.Pod.map((pod) => ({
    ...endedPod(pod),
    metadata: {
      ...pod.metadata,
      name: `ended-${pod.metadata.name}`,
      uid: `${pod.metadata.uid}-ended`,
      ownerReferences: [],
    },
  }));
  const all = clusterObjects({ ...objects, Pod: [...objects.Pod, ...ended] });
  return indexObjects(all, undefined, serverVersion);
}

type Any = ClusterIndex['objects'][ResourceKind][number];

/**
 * Without Applications: a tracking id names one without its namespace, so that a second one makes the owner
 * uncertain. Without Workloads of Kueue: those of all namespaces share the quota of a ClusterQueue.
 */
function namesakesOf(objects: readonly Any[]): readonly Any[] {
  return objects
    .filter(
      ({ kind, metadata }) => metadata.namespace !== '' && kind !== 'Application' && kind !== 'Workload',
    )
    .map(namesake);
}

function namesake(object: Any): Any {
  const { metadata } = object;
  const owners = metadata.ownerReferences.map((owner) => ({ ...owner, uid: `${owner.uid}-namesake` }));
  return {
    ...contentElsewhere(object),
    metadata: {
      ...metadata,
      namespace: elsewhere,
      uid: `${metadata.uid}-namesake`,
      ownerReferences: owners,
    },
  } as Any;
}

function contentElsewhere(object: Any): Any {
  if (object.kind === 'Pod') return endedPod(object);
  if (object.kind === 'Event') return eventElsewhere(object);
  // No two Services have one clusterIP.
  if (object.kind === 'Service') return { ...object, spec: { ...object.spec, clusterIP: '' } };
  return object.kind === 'PersistentVolumeClaim' ? boundElsewhere(object) : object;
}

function endedPod(pod: Pod): Pod {
  const nothingRuns = { conditions: [], containerStatuses: [], initContainerStatuses: [] };
  return { ...pod, status: { ...pod.status, ...nothingRuns, phase: 'Succeeded' } };
}

function eventElsewhere(event: Event): Event {
  const { involvedObject: about } = event;
  const namespace = about.namespace === '' ? '' : elsewhere;
  return { ...event, involvedObject: { ...about, namespace, uid: `${about.uid}-namesake` } };
}

function boundElsewhere(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { volumeName } = claim.spec;
  return volumeName === undefined
    ? claim
    : { ...claim, spec: { ...claim.spec, volumeName: `${volumeName}-namesake` } };
}

/**
 * Kinds of which an additional empty object matters: a LimitRange may set requests, a NodeClaim or NodePool
 * adds nodes, and an object of Kueue shows that its queues were read.
 */
const relevantKinds: readonly ResourceKind[] = [
  'Node',
  'Pod',
  'LimitRange',
  'NodeClaim',
  'NodePool',
  'StorageClass',
  ...kueueKinds,
];
const bareKinds = resourceKinds.filter((kind) => !relevantKinds.includes(kind));

/**
 * Adds one empty object of each kind to that namespace, and a pod without an owner which no node accepts.
 * Kinds of which an additional object always matters are left out, such as nodes, which sentences count, and
 * the pod where a quota counts pods.
 */
function withBareObjects({ objects, serverVersion }: ClusterIndex, namespace: string): ClusterIndex {
  const metadata = { name: 'bare', namespace, uid: 'bare' };
  const entries = bareKinds.map((kind) => {
    const bare = schemas[kind].safeParse({ metadata, ...least });
    return [kind, bare.success ? [...objects[kind], bare.data] : objects[kind]];
  });
  const waiting = schemas.Pod.parse({
    metadata,
    spec: { nodeSelector: { 'example.com/none': 'such' }, containers: [] },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  });
  const isCounted = objects.ResourceQuota.some(
    (quota) => quota.metadata.namespace === namespace && 'pods' in quota.spec.hard,
  );
  const Pod = isCounted ? objects.Pod : [...objects.Pod, waiting];
  const all = clusterObjects({ ...objects, ...Object.fromEntries(entries), Pod });
  return indexObjects(all, undefined, serverVersion);
}

/** The fields that some schemas require. */
const least = {
  spec: {
    selector: { matchLabels: { app: 'bare' } },
    template: { spec: { containers: [] } },
    nodeName: 'bare',
    source: {},
    scaleTargetRef: { kind: 'Deployment', name: 'bare' },
    driver: 'example.com/none',
    pool: { name: 'bare' },
  },
};

/** With the pods of others as a worker's watch keeps them. */
function withWatchedPods(snapshot: Snapshot): Snapshot {
  const { objects, podsReadOn, serverVersion } = snapshot.index;
  const isOwn = new Set(rolloutStateOf(snapshot).pods.map(({ metadata }) => metadata.uid));
  const Pod = objects.Pod.map((pod) => (isOwn.has(pod.metadata.uid) ? pod : asWatched(pod)));
  return { ...snapshot, index: indexObjects({ ...objects, Pod }, podsReadOn, serverVersion) };
}

function asWatched(pod: Pod): Pod {
  const compact = compactPod(pod, (text) => text);
  if (compact === undefined || compact.node === '') return pod;
  const watched = podOf(compact);
  if (watched === undefined) throw new Error(`${compact.key} cannot be read`);
  return watched;
}

/** Changes of a snapshot that must not change its diagnosis. */
const withoutEffect: Readonly<Record<string, (snapshot: Snapshot) => Snapshot>> = {
  'the pods of others from a watch': withWatchedPods,
  'empty objects': (snapshot) => ({
    ...snapshot,
    index: withBareObjects(snapshot.index, snapshot.workload.metadata.namespace),
  }),
  'ended pods': (snapshot) => ({ ...snapshot, index: withEndedPods(snapshot.index) }),
  'objects with the same names elsewhere': (snapshot) => ({
    ...snapshot,
    index: withNamesakes(snapshot.index),
  }),
};

/** As it arrives in a thread of a process, or as its result comes back. */
function sentToThread(snapshot: Snapshot): Snapshot {
  const pieces = [...piecesOf(snapshot)].map((piece) => structuredClone(piece));
  return snapshotFrom(structuredClone(ownPartOf(snapshot)), pieces);
}

// A name in two namespaces is listed for both in `foreign`, but the sentences are equal.
const compared = ({ foreign: _, ...diagnosis }: Diagnosis) => diagnosis;

export const bystanders: readonly Property[] = [
  {
    name: 'is diagnosed and planned the same from a copy, as threads get it, beside what must not matter',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      const plain = JSON.stringify(compared(await diagnosisOf(recorded)));
      const copy = sentToThread(Object.values(withoutEffect).reduce((so, change) => change(so), snapshot));
      const other = JSON.stringify(compared(structuredClone(engine.diagnose(copy))));
      if (other !== plain) {
        for (const [name, change] of Object.entries({ ...withoutEffect, 'as a copy': sentToThread })) {
          expect(compared(engine.diagnose(change(snapshot))), name).toEqual(JSON.parse(plain));
        }
      }
      expect(other).toBe(plain);
      for (const { remediation, plan } of await plansOf(recorded)) {
        saw('a plan');
        const sent = structuredClone(remediation);
        expect(structuredClone(engine.plan(sent, copy))).toEqual(plan);
        expect(engine.stands(sent, copy)).toBe(engine.stands(remediation, snapshot));
      }
    },
    whole: (seen) => expect(seen.get('a plan')).toBeGreaterThan(10),
  },
];
