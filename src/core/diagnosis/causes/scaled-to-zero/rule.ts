import { leastReplicas, scaledObjectOf } from '../../../cluster/horizontal-autoscaler.js';
import type { ManagedFieldsEntry } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import type { Statement } from '../../../language/statement.js';
import { ownedBy } from '../../../survival/declaration.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { horizontalAutoscalerOf } from '../../horizontal-autoscaler.js';
import { ownersOf } from '../../owners.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ScaledToZeroFacts } from './facts.js';
import { state, text } from './text.js';

type Facts = FactsOf<typeof ScaledToZeroFacts>;

/**
 * The workload wants no pod. It may be meant, so it is a note; it is also all that there is to say of a
 * workload of which people miss the pods.
 */
export const scaledToZero: Rule<typeof ScaledToZeroFacts> = {
  id: 'scaled-to-zero',
  facts: ScaledToZeroFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'StatefulSet', 'Rollout'],
  needs: ['ReplicaSet', 'Event', 'HorizontalPodAutoscaler'],
  supersedes: [],
  detect({ snapshot }) {
    const { workload } = snapshot;
    if (!('replicas' in workload.spec) || workload.spec.replicas !== 0) return undefined;
    const { kind, metadata } = workload;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    const object = { kind, namespace: metadata.namespace, name: metadata.name };
    const facts = factsOf(snapshot);
    const { scaler } = facts;
    return {
      confidence: 'proven',
      severity: 'info',
      isAnswer: true,
      facts,
      summary: state('summary', { workload: workloadName(snapshot) }),
      standing: state('standing', { forSeconds: facts.zeroSeconds, by: facts.scaledBy }),
      reasoning: reasoningOf(facts),
      evidence: evidenceOf(snapshot, object),
      // It does not restore the replicas of a workload that has none.
      owners: ownersOf(snapshot).filter(({ kind: by }) => by !== 'HorizontalPodAutoscaler'),
      advice: scaler?.isMeant === true ? [] : [adviceFor(snapshot, facts)],
    };
  },
};

/** The last write of the field, by any client: `kubectl scale` and autoscalers write the subresource. */
function writerOf({ workload }: Snapshot): ManagedFieldsEntry | undefined {
  return workload.metadata.managedFields
    .filter((entry) => ownedBy(entry, 'spec.replicas') !== 'none')
    .sort((a, b) => (Date.parse(b.time ?? '') || 0) - (Date.parse(a.time ?? '') || 0))[0];
}

/** `Scaled down replica set web-5d9c from 3 to 0` (kubernetes `deployment/sync.go: scaleReplicaSet`). */
const scaledDown = /^Scaled down replica set \S{1,253} from (\d{1,9}) to 0$/u;

function scaleEventOf({ index, workload }: Snapshot) {
  const events = index.eventsByUid.get(workload.metadata.uid) ?? [];
  const event = events.findLast(({ message }) => scaledDown.test(message));
  const before = scaledDown.exec(event?.message ?? '')?.[1];
  return event === undefined || before === undefined ? undefined : { event, before: Number(before) };
}

function factsOf(snapshot: Snapshot): Facts {
  const writer = writerOf(snapshot);
  const scaled = scaleEventOf(snapshot);
  const since = scaled?.event.lastSeen ?? writer?.time;
  const age = nowOf(snapshot) - Date.parse(since ?? '');
  const autoscaler = horizontalAutoscalerOf(snapshot);
  const scaledObject = autoscaler && scaledObjectOf(autoscaler);
  const isMeant = autoscaler !== undefined && leastReplicas(autoscaler) === 0;
  return {
    scaledBy: writer?.manager,
    since,
    ...(Number.isNaN(age) ? {} : { zeroSeconds: Math.max(0, age / 1000) }),
    replicasBefore: scaled?.before,
    ...(autoscaler === undefined
      ? {}
      : {
          scaler:
            scaledObject === undefined
              ? { kind: 'HorizontalPodAutoscaler' as const, name: autoscaler.metadata.name, isMeant }
              : { kind: 'ScaledObject' as const, name: scaledObject, isMeant },
        }),
  };
}

function reasoningOf({ scaledBy, since, replicasBefore, scaler }: Facts): readonly Statement[] {
  return [
    state('wants-none'),
    ...(since === undefined && scaledBy === undefined
      ? [state('writer-unknown')]
      : [state('written', { by: scaledBy, at: since, before: replicasBefore })]),
    ...(scaler === undefined
      ? []
      : [state(scaler.isMeant ? 'scaler-may' : 'scaler-stopped', { kind: scaler.kind, name: scaler.name })]),
  ];
}

function evidenceOf(snapshot: Snapshot, object: Evidence['object']): readonly Evidence[] {
  const scaled = scaleEventOf(snapshot);
  const { manager = '', time } = writerOf(snapshot) ?? {};
  return [
    {
      object,
      field: 'spec.replicas',
      value: '0',
      ...(time === undefined ? {} : { at: time }),
      says: state('ev-replicas', { by: manager }),
    },
    ...(scaled === undefined
      ? []
      : [
          {
            object: {
              kind: 'Event',
              namespace: scaled.event.metadata.namespace,
              name: scaled.event.metadata.name,
            },
            field: 'message',
            value: scaled.event.message,
            at: scaled.event.lastSeen,
            says: state('ev-event'),
          },
        ]),
  ];
}

function adviceFor({ workload }: Snapshot, { replicasBefore = 1 }: Facts): Advice {
  const { kind, metadata } = workload;
  return {
    title: state('advice-title'),
    text: state('advice'),
    snippet: `kubectl -n ${metadata.namespace} scale ${kind.toLowerCase()}/${metadata.name} --current-replicas=0 --replicas=${Math.max(1, replicasBefore)}\n`,
  };
}
