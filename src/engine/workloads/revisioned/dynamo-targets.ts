import type { DynamoGraphDeployment, DynamoWorkers } from '../../objects/dynamo-graph-deployment.js';
import { dynamoLabels } from '../../objects/dynamo-graph-deployment.js';
import { isActive, isReady, isTerminal, type Pod } from '../../objects/pod.js';
import type { RevisionedState } from '../rollout-state.js';
import { formerRevisionPods, newRevisionPods } from './pods.js';

/** What the operator wants next of one component. */
export interface DynamoTarget {
  readonly component: string;
  /** Workers of the next generation, present and wanted. */
  readonly next: Counted;
  /** Workers of all former generations. */
  readonly former: Counted;
}

interface Counted {
  readonly pods: readonly Pod[];
  /** Replicas that its Deployments have now. */
  readonly declared: number;
  readonly wanted: number;
}

type DynamoStrategy =
  | { readonly type: 'Recreate' }
  | { readonly type: 'RollingUpdate'; readonly maxSurge: number; readonly maxUnavailable: number };

/** Annotations of a pod template of a component, or of the graph (dynamo `deployment_strategy.go`). */
export const dynamoStrategyAnnotations = {
  type: 'nvidia.com/deployment-strategy',
  maxSurge: 'nvidia.com/deployment-rolling-update-max-surge',
  maxUnavailable: 'nvidia.com/deployment-rolling-update-max-unavailable',
} as const;

/**
 * dynamo `dgd_worker_rollout_reconciler.go: resolveRollingUpdateParams`. Unlike a Deployment, 0 and 0 become
 * a surge of 1.
 */
export function dynamoStrategyOf({ annotations, replicas }: DynamoWorkers): DynamoStrategy {
  const { type, maxSurge, maxUnavailable } = dynamoStrategyAnnotations;
  if (annotations[type] === 'Recreate') return { type: 'Recreate' };
  const surge = scaled(annotations[maxSurge], replicas, Math.ceil);
  const unavailable = scaled(annotations[maxUnavailable], replicas, Math.floor);
  const isNeither = surge === 0 && unavailable === 0;
  return { type: 'RollingUpdate', maxSurge: isNeither ? 1 : surge, maxUnavailable: unavailable };
}

/** A bound as Kubernetes parses it: with a sign or without, and a number that does not fit is none. */
function scaled(text = '25%', replicas: number, round: (value: number) => number): number {
  const [, digits = '0', percent = ''] = /^([+-]?\d{1,10})(%?)$/u.exec(text === '' ? '25%' : text) ?? [];
  const amount = Number(digits);
  if (percent !== '') return round((amount * replicas) / 100);
  return Math.abs(amount) > mostInt32 ? 0 : amount;
}

const mostInt32 = 2 ** 31 - 1;

/**
 * How many workers of each generation the operator wants (dynamo
 * `dgd_worker_rollout_reconciler.go: buildRollingUpdateContext`). It counts the replicas that it has
 * declared: the pods, and those that the API server refuses to create.
 */
export function dynamoTargets(graph: DynamoGraphDeployment, state: RevisionedState): readonly DynamoTarget[] {
  const allFormer = formerRevisionPods(state);
  const targets = graph.workers.map((workers): DynamoTarget => {
    const isOwn = (pod: Pod) => componentOf(pod) === workers.name;
    const next = newRevisionPods(state).filter((pod) => isActive(pod) && isOwn(pod));
    const all = allFormer.filter(isOwn);
    const former = all.filter(isActive);
    const declared = Math.max(next.length, refusedOf(state, workers.name));
    const wanted = wantedOf(workers, { pods: next, declared }, former, all);
    return {
      component: workers.name,
      next: { pods: next, declared, wanted: wanted.next },
      former: { pods: former, declared: former.length, wanted: wanted.former },
    };
  });
  // The operator stops the workers of components that the spec no longer has.
  const kept = new Set(graph.workers.map(({ name }) => name));
  const removed = allFormer.filter((pod) => isActive(pod) && !kept.has(componentOf(pod)));
  const none: Counted = { pods: [], declared: 0, wanted: 0 };
  return [
    ...targets,
    ...[...new Set(removed.map(componentOf))].map((component) => {
      const pods = removed.filter((pod) => componentOf(pod) === component);
      return { component, next: none, former: { pods, declared: pods.length, wanted: 0 } };
    }),
  ];
}

/** Replicas of the new generation's ReplicaSets that lack pods. */
function refusedOf({ refused = [] }: RevisionedState, component: string): number {
  return refused.filter(({ part }) => part.name === component).reduce((sum, { wanted }) => sum + wanted, 0);
}

function componentOf({ metadata }: Pod): string {
  return metadata.labels[dynamoLabels.component] ?? '';
}

function wantedOf(
  workers: DynamoWorkers,
  { pods: next, declared }: Omit<Counted, 'wanted'>,
  former: readonly Pod[],
  /** Those that terminate included. */
  formerInAll: readonly Pod[],
): { readonly next: number; readonly former: number } {
  const { replicas } = workers;
  // Without workers of a former generation the operator plans nothing and declares the replicas of the spec.
  if (formerInAll.length === 0) return { next: replicas, former: 0 };
  const strategy = dynamoStrategyOf(workers);
  if (strategy.type === 'Recreate') {
    const isDrained = formerInAll.every(isTerminal);
    return { next: isDrained ? replicas : declared, former: 0 };
  }
  const available = { next: next.filter(isReady).length, former: former.filter(isReady).length };
  const least = replicas - strategy.maxUnavailable;
  const mayStop = Math.max(0, former.length + declared - least - (declared - available.next));
  const unhealthy = former.length - available.former;
  const surplus = Math.max(0, available.former + available.next - least);
  const mayStart = Math.max(0, replicas + strategy.maxSurge - former.length - declared);
  return {
    next: Math.min(replicas, declared + mayStart),
    former: Math.max(0, former.length - Math.min(mayStop, unhealthy + surplus)),
  };
}

/** Whether the operator would scale a generation. */
export function dynamoActs(graph: DynamoGraphDeployment, state: RevisionedState): boolean {
  return dynamoTargets(graph, state).some(
    ({ next, former }) => next.declared !== next.wanted || former.declared !== former.wanted,
  );
}
