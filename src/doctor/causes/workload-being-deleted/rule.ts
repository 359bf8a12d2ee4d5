import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { isActive, isTerminating, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-pods.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { type DeletedObject, deletionOf, noFix } from '../../findings/owners.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { waiting } from '../../findings/waiting/text.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { state, text } from './text.js';

const WorkloadBeingDeletedFacts = z.strictObject({
  deleted: z
    .array(
      z.strictObject({
        kind: fact.text('Its kind'),
        name: fact.text('Its name'),
        since: fact.time('When it was deleted'),
        finalizers: fact.names('Finalizers that remain'),
        conditions: z
          .array(z.strictObject({ type: fact.text('Type'), message: fact.text('Message') }))
          .describe('Conditions in which a Namespace reports what remains'),
      }),
    )
    .describe('The namespace or the workload, or both'),
  deletingSeconds: fact.seconds('Time since the deletion of the first'),
  podsLeft: fact.names('Pods that remain'),
});

/**
 * The workload or its namespace has a `deletionTimestamp`. The controllers take no further step of a rollout,
 * and no change brings the object back.
 */
export const workloadBeingDeleted: Rule<typeof WorkloadBeingDeletedFacts> = {
  id: 'workload-being-deleted',
  facts: WorkloadBeingDeletedFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: ['ReplicaSet', 'Pod', 'Namespace', 'HorizontalPodAutoscaler'],
  supersedes: ['progress-deadline-exceeded', 'admission-denied'],
  explains: (_, other) => other.cause === 'progress-deadline-exceeded' || other.followsDeletion === true,
  detect({ snapshot }) {
    const deleted = deletionOf(snapshot);
    return deleted && findingOf(snapshot, deleted);
  },
};

/** A deletion without finalizers takes seconds beyond the grace period of the pods. */
const patienceSeconds = 60;
/**
 * The garbage collector's own (apimachinery `metav1.FinalizerDeleteDependents`, `FinalizerOrphanDependents`).
 */
const foreground = 'foregroundDeletion';
const orphan = 'orphan';

type Deleted = readonly [DeletedObject, ...DeletedObject[]];

function findingOf(snapshot: Snapshot, deleted: Deleted): Detected<typeof WorkloadBeingDeletedFacts> {
  const [object] = deleted;
  const since = object.metadata.deletionTimestamp ?? snapshot.takenAt;
  const ready = readinessOf(snapshot);
  const pods = podsLeft(snapshot);
  const facts = {
    deleted: deleted.map(deletionFacts),
    deletingSeconds: Math.max(0, (nowOf(snapshot) - Date.parse(since)) / 1000),
    podsLeft: pods.map((pod) => pod.metadata.name),
  };
  const { deletingSeconds: forSeconds } = facts;
  const workload = workloadName(snapshot);
  const foreign = deleted.flatMap(foreignOf);
  return {
    confidence: 'proven',
    severity: isOnItsWay(snapshot, pods, forSeconds, foreign) ? 'info' : 'warning',
    facts,
    summary:
      object.kind === 'Namespace'
        ? state('summary-namespace', { workload, namespace: object.metadata.name })
        : state('summary', { workload }),
    standing: state('standing', { forSeconds, ready: ready.pods }),
    reasoning: reasoningOf(object, facts),
    evidence: deleted.flatMap(evidenceOf),
    ruledOut: [
      {
        cause: 'a stuck rollout',
        because: state('because-deleted', { kind: object.kind, name: object.metadata.name }),
      },
    ],
    nextAttempt: { what: foreign.length > 0 ? state('next-finalizers') : state('next-pods') },
    withheld: notRecommendedKinds.map((each) => ({ kind: each, because: noFix() })),
    advice: adviceOf(deleted),
  };
}

const notRecommendedKinds: readonly NotRecommended['kind'][] = [
  'restart-rollout',
  'patch-strategy',
  'undo-rollout',
];

function podsLeft(snapshot: Snapshot): readonly Pod[] {
  return rolloutStateOf(snapshot).pods.filter((pod) => isActive(pod) || isTerminating(pod));
}

/** Within its first minute, or as long as its pods are within their grace period, nothing is late. */
function isOnItsWay(
  snapshot: Snapshot,
  pods: readonly Pod[],
  forSeconds: number,
  foreign: readonly string[],
): boolean {
  if (forSeconds < patienceSeconds) return true;
  if (foreign.length > 0 || pods.length === 0) return false;
  return pods.every((pod) => isTerminating(pod) && !isOverdue(pod, nowOf(snapshot)));
}

type Facts = FactsOf<typeof WorkloadBeingDeletedFacts>;

function deletionFacts(object: DeletedObject): Facts['deleted'][number] {
  const { kind, metadata } = object;
  return {
    kind,
    name: metadata.name,
    since: metadata.deletionTimestamp ?? '',
    finalizers: metadata.finalizers,
    conditions: conditionsOf(object).map(({ type, message }) => ({ type, message })),
  };
}

function reasoningOf(
  { kind, metadata }: DeletedObject,
  { deleted, podsLeft: pods }: Facts,
): readonly Statement[] {
  return [
    ...deleted.flatMap(deletedStatements),
    ...(pods.length === 0 ? [] : [state('pods-left', { pods })]),
    kind === 'Namespace'
      ? state('no-new-objects', { namespace: metadata.name })
      : state('no-rollout', { kind, name: metadata.name }),
  ];
}

function deletedStatements({ kind, name, since, finalizers, conditions }: Facts['deleted'][number]) {
  const named = { kind, name };
  return [
    state('deleted', { ...named, at: since }),
    ...finalizers.map((finalizer) => finalizerOf(named, finalizer)),
    ...conditions.map((each) => state('namespace-condition', each)),
  ];
}

function finalizerOf(named: { readonly kind: string; readonly name: string }, finalizer: string): Statement {
  if (finalizer === foreground) return state('foreground', named);
  if (finalizer === orphan) return state('orphan');
  const [domain, name] = finalizer.split('/');
  return state('finalizer', { finalizer, domain: name === undefined ? undefined : domain });
}

/**
 * What the namespace controller says of what is left (kubernetes
 * `namespace/deletion/status_condition_utils.go`).
 */
function conditionsOf(object: DeletedObject) {
  return object.kind === 'Namespace'
    ? object.status.conditions.filter(({ status }) => status === 'True')
    : [];
}

function evidenceOf(object: DeletedObject): readonly Evidence[] {
  const { kind, metadata } = object;
  const since = metadata.deletionTimestamp ?? '';
  const ref = { kind, namespace: metadata.namespace, name: metadata.name };
  const { finalizers } = metadata;
  return [
    { object: ref, field: 'metadata.deletionTimestamp', value: since, at: since, says: state('ev-deleted') },
    ...(finalizers.length === 0
      ? []
      : [
          {
            object: ref,
            field: 'metadata.finalizers',
            value: finalizers.join(', '),
            says: waiting('ev-finalizers'),
          },
        ]),
    ...conditionsOf(object).map(
      ({ type, message, lastTransitionTime }): Evidence => ({
        object: ref,
        field: `status.conditions[${type}]`,
        value: message,
        at: lastTransitionTime,
        says: state('ev-condition'),
      }),
    ),
  ];
}

function adviceOf(deleted: Deleted): readonly Advice[] {
  return [
    ...deleted.flatMap((object): readonly Advice[] => {
      const { kind, metadata } = object;
      const finalizers = foreignOf(object);
      const at = metadata.namespace === '' ? '' : `-n ${metadata.namespace} `;
      return finalizers.length === 0
        ? []
        : [
            {
              title: state('advice-finalizers-title'),
              text: state('advice-finalizers', { finalizers }),
              snippet: `kubectl ${at}get ${kind.toLowerCase()} ${metadata.name} -o jsonpath='{.metadata.finalizers}'\n`,
            },
          ];
    }),
    { title: state('advice-again-title'), text: state('advice-again') },
  ];
}

/** Finalizers that somebody else than the garbage collector removes. */
function foreignOf({ metadata }: DeletedObject): readonly string[] {
  return metadata.finalizers.filter((each) => each !== foreground && each !== orphan);
}
