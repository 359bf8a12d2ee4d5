import { isResourceKind } from '../../core/cluster/cluster-objects.js';
import type { ConsumedApproval } from '../../core/incident/approval.js';
import { otherFields } from '../../core/remediation/holds.js';
import type { Plan } from '../../core/remediation/plan.js';
import type { ChangeOutcome, Clock, WorkloadPatcher } from '../../usecases/ports.js';
import { type ApiCall, unanswered } from './api-call.js';
import { type ApiObject, approvalAnnotation, bodyOf, resolve } from './change-body.js';
import { outcomeOf, refused } from './change-outcome.js';
import type { ClusterConnection } from './cluster-connection.js';
import { collectionPath, objectPath } from './resource-paths.js';

/** Names us in managedFields. Not kubectl-like: Flux drops fields of managers whose name starts with `kubectl`. */
const fieldManager = 'rollout-doctor';

export interface WorkloadPatcherDeps {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Deadline of one call in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The only writer to clusters. It takes nothing but a plan to try, or a consumed approval to carry out; the object is
 * re-read first and must still be the one the plan was made for.
 */
export function createWorkloadPatcher({
  connections,
  clock,
  timeoutMs,
}: WorkloadPatcherDeps): WorkloadPatcher {
  const callOf = (cluster: string): ApiCall | undefined =>
    connections.find(({ name }) => name === cluster)?.call;
  return {
    async dryRun(cluster, plan) {
      const call = callOf(cluster);
      if (call === undefined) return unknownCluster(cluster);
      return send(call, plan, { dryRun: true, mark: undefined });
    },
    async apply(approval) {
      const call = callOf(approval.workload.cluster);
      if (call === undefined) return unknownCluster(approval.workload.cluster);
      const outcome = await send(call, approval.plan, { dryRun: false, mark: approval.id });
      if (outcome.type === 'accepted') await announce(call, approval);
      return outcome;
    },
  };

  async function send(
    call: ApiCall,
    plan: Plan,
    { dryRun, mark }: { readonly dryRun: boolean; readonly mark: string | undefined },
  ): Promise<ChangeOutcome> {
    const { target, request } = plan;
    if (!isResourceKind(target.kind)) return refused('unsupported', target.kind);
    const path = objectPath(target.kind, target.namespace, target.name);
    try {
      const read = await call({ path, signal: AbortSignal.timeout(timeoutMs) });
      if (read.status === 404)
        return request.verb === 'delete' && mark !== undefined ? gone() : refused('gone', '');
      if (read.status !== 200) return outcomeOf(read);
      const current = read.body as ApiObject;
      const { metadata } = current;
      if (mark !== undefined && metadata.annotations?.[approvalAnnotation] === mark) {
        return { type: 'accepted', generation: metadata.generation, mutated: [] };
      }
      if (mark !== undefined && wasMade(plan, current)) {
        return { type: 'accepted', generation: metadata.generation, mutated: [] };
      }
      if (metadata.uid !== target.uid && request.verb === 'delete' && mark !== undefined) return gone();
      if (metadata.uid !== target.uid)
        return refused('stale', `uid is ${metadata.uid}, the plan was made for ${target.uid}`);
      if (target.generation !== undefined && metadata.generation !== target.generation) {
        return refused(
          'stale',
          `generation is ${metadata.generation}, the plan was made for ${target.generation}`,
        );
      }
      const resolved = await resolve(call, plan, {
        now: clock.now(),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (resolved.type !== 'resolved') return resolved;
      const deletes = resolved.request.verb === 'delete';
      const answer = await call({
        ...bodyOf(resolved.request, current, { mark, dryRun }),
        path:
          resolved.request.verb === 'patch' && resolved.request.subresource !== undefined
            ? `${path}/${resolved.request.subresource}`
            : path,
        query: {
          ...(dryRun ? { dryRun: 'All' } : {}),
          ...(deletes ? {} : { fieldManager }),
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status !== 200 && answer.status !== 202) return outcomeOf(answer);
      const after = whole(answer.body as ApiObject);
      return {
        type: 'accepted',
        generation: deletes ? undefined : after.metadata?.generation,
        mutated: deletes ? [] : otherFields(resolved.changes, after),
      };
    } catch (error) {
      return unanswered(error);
    }
  }

  /** Best effort: the change stands whether or not the cluster keeps an Event about it. */
  async function announce(call: ApiCall, approval: ConsumedApproval): Promise<void> {
    const at = clock.now().toISOString();
    const { target } = approval.plan;
    const by = approval.decisions.filter(({ decision }) => decision === 'approve').map((each) => each.by);
    try {
      await call({
        method: 'POST',
        path: collectionPath('Event', target.namespace),
        query: { fieldManager },
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: `${target.name}.${approval.id.slice(0, 16)}`, namespace: target.namespace },
          involvedObject: {
            apiVersion: target.apiVersion,
            kind: target.kind,
            namespace: target.namespace,
            name: target.name,
            uid: target.uid,
          },
          reason: approval.undoes ? 'RemediationUndone' : 'RemediationApplied',
          message: `${approval.undoes ? 'undo of ' : ''}${approval.remediation.kind} for ${approval.cause}, approved by ${by.join(', ')} (approval ${approval.id})`,
          type: 'Normal',
          source: { component: fieldManager },
          reportingComponent: fieldManager,
          reportingInstance: fieldManager,
          firstTimestamp: at,
          lastTimestamp: at,
          count: 1,
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch {
      return;
    }
  }
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has moved on
 * since, and holds every planned value. Scale requests cannot carry the mark, so this is how they are recognised.
 */
function wasMade({ target, changes }: Plan, object: ApiObject): boolean {
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  return uid === target.uid && movedOn && changes.length > 0 && otherFields(changes, object).length === 0;
}

/** A Scale of no replicas leaves the field out (`autoscaling/v1 ScaleSpec.Replicas`, omitempty). */
function whole(answer: ApiObject): ApiObject {
  return answer.kind === 'Scale' ? { ...answer, spec: { replicas: 0, ...answer.spec } } : answer;
}

/** Deleting what is gone already is what was wanted. */
function gone(): ChangeOutcome {
  return { type: 'accepted', generation: undefined, mutated: [] };
}

function unknownCluster(cluster: string): ChangeOutcome {
  return {
    type: 'unreadable',
    because: 'unavailable',
    message: `no cluster is configured under the name ${cluster}`,
  };
}
