import { controllerOf } from '#src/engine/objects/metadata.js';
import { isActive, isReady, type Pod } from '#src/engine/objects/pod.js';
import type { ReplicaSet } from '#src/engine/objects/workload.js';
import {
  type ManageFailure,
  type ReplicaSetState,
  replicaSetStatus,
  syncReplicaSet,
} from '#src/engine/workloads/replica-set-controllers.js';
import type { StatusError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { type JsonObject, listAt, objectAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import type { WriteOptions } from '../registry/registry.js';
import { requireResourceType } from '../resources/resource-types.js';
import {
  attempt,
  conditionsJson,
  controllerReference,
  countsJson,
  remove,
  writeStatus,
} from './controller-writes.js';
import type { Loop, LoopContext, LoopFactory } from './loop.js';
import { podOfTemplate } from './pod-of-template.js';

const replicaSets = requireResourceType('apps', 'replicasets');
const pods = requireResourceType('', 'pods');
const component = 'replicaset-controller';
const writer: WriteOptions = {
  manager: 'kube-controller-manager',
  user: 'system:serviceaccount:kube-system:replicaset-controller',
  dryRun: false,
};

const firstRetryMs = 1_000;
/** What is refused for long is told again this often at most. */
const longestRetryMs = 300_000;

/** When a refused creation is tried, and told, again. */
interface Retry {
  readonly at: number;
  readonly delay: number;
}

/** The ReplicaSet controller: counts and victims are `syncReplicaSet`'s. */
export const replicaSetLoop: LoopFactory = () => {
  const retries = new Map<string, Retry>();
  const loop: Loop = (context) => {
    for (const replicaSet of context.view().index.objects.ReplicaSet) sync(context, replicaSet, retries);
  };
  return loop;
};

function sync(context: LoopContext, replicaSet: ReplicaSet, retries: Map<string, Retry>): void {
  const stored = context.view().stored(replicaSet);
  if (stored === undefined) return;
  const action = syncReplicaSet(stateOf(context, replicaSet));
  let failure: ManageFailure | undefined;
  if (action.kind === 'create') failure = createPods(context, stored, action.count, retries);
  else retries.delete(replicaSet.metadata.uid);
  if (action.kind === 'delete') {
    for (const pod of action.victims.pods) deletePod(context, stored, pod);
  }
  const { conditions, ...counts } = replicaSetStatus(stateOf(context, replicaSet), failure);
  const status: JsonObject = {
    ...countsJson(counts, ['replicas', 'terminatingReplicas']),
    ...conditionsJson(conditions),
  };
  attempt(() => writeStatus(context.registry, replicaSets, stored, status));
  wakeForMinReady(context, replicaSet);
}

/** Read afresh: creations and deletions of this run are to count. */
function stateOf(context: LoopContext, replicaSet: ReplicaSet): ReplicaSetState {
  const { index } = context.view();
  const owner = controllerOf(replicaSet);
  const siblings =
    owner === undefined ? [replicaSet] : (index.replicaSetsByOwner.get(owner.uid) ?? [replicaSet]);
  const podsOf = ({ metadata }: ReplicaSet): readonly Pod[] => index.podsByOwner.get(metadata.uid) ?? [];
  return {
    replicaSet,
    pods: podsOf(replicaSet),
    relatedPods: siblings.flatMap(podsOf),
    now: context.now(),
  };
}

/**
 * Creates pods until one is refused. After a refusal it only tries without writing, and tells of it again
 * when the back-off is over; as soon as a try passes, the pods are created.
 */
function createPods(
  context: LoopContext,
  replicaSet: ApiObject,
  count: number,
  retries: Map<string, Retry>,
): ManageFailure | undefined {
  const { registry, events } = context;
  const { uid, namespace = 'default' } = replicaSet.metadata;
  const create = (dryRun: boolean): StatusError | undefined =>
    attempt(() => {
      const made = createObject(registry, pods, namespace, podOf(replicaSet), { ...writer, dryRun });
      if (dryRun) return;
      events.record(replicaSet, {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created pod: ${made.metadata.name}`,
        component,
      });
    });
  for (let index = 0; index < count; index += 1) {
    const refusal = create(true) ?? create(false);
    if (refusal === undefined) {
      retries.delete(uid);
      continue;
    }
    const failure: ManageFailure = { reason: 'FailedCreate', message: refusal.message };
    recordRefusal(context, replicaSet, failure, retries);
    return failure;
  }
  return undefined;
}

function recordRefusal(
  context: LoopContext,
  replicaSet: ApiObject,
  { message }: ManageFailure,
  retries: Map<string, Retry>,
): void {
  const { uid } = replicaSet.metadata;
  const now = context.now();
  const known = retries.get(uid) ?? firstRetry(replicaSet, now);
  if (known.at <= now) {
    context.events.record(replicaSet, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating: ${message}`,
      component,
    });
    const delay = Math.min(longestRetryMs, known.delay * 2);
    retries.set(uid, { at: now + known.delay, delay });
  } else {
    retries.set(uid, known);
  }
  context.wakeAt(retries.get(uid)?.at ?? now);
}

/** A refusal that was already known when this cluster began has been told often enough. */
function firstRetry(replicaSet: ApiObject, now: number): Retry {
  const isKnown = listAt(replicaSet, 'status', 'conditions').some(({ type }) => type === 'ReplicaFailure');
  return isKnown ? { at: now + longestRetryMs, delay: longestRetryMs } : { at: now, delay: firstRetryMs };
}

function podOf(replicaSet: ApiObject): JsonObject {
  return podOfTemplate(
    objectAt(replicaSet, 'spec', 'template'),
    replicaSet,
    controllerReference(replicaSets, replicaSet),
    { generateName: `${replicaSet.metadata.name}-` },
  );
}

function deletePod(context: LoopContext, replicaSet: ApiObject, pod: Pod): void {
  const stored = context.view().stored(pod);
  if (stored === undefined) return;
  const refusal = attempt(() => remove(context.registry, pods, stored));
  context.events.record(
    replicaSet,
    refusal === undefined
      ? {
          type: 'Normal',
          reason: 'SuccessfulDelete',
          message: `Deleted pod: ${pod.metadata.name}`,
          component,
        }
      : { type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${refusal.message}`, component },
  );
}

/** A ready pod becomes available by waiting alone. */
function wakeForMinReady(context: LoopContext, replicaSet: ReplicaSet): void {
  const { minReadySeconds } = replicaSet.spec;
  if (minReadySeconds === 0) return;
  for (const pod of context.view().index.podsByOwner.get(replicaSet.metadata.uid) ?? []) {
    if (!isActive(pod) || !isReady(pod)) continue;
    const ready = pod.status.conditions.find(({ type }) => type === 'Ready');
    context.wakeAt(Date.parse(ready?.lastTransitionTime ?? '') + minReadySeconds * 1000);
  }
}
