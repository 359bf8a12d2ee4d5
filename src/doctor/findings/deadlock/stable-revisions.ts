import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { hasNode, isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { RevisionedService } from '../../../engine/objects/workload.js';
import {
  formerRevisionPods,
  newRevisionPods,
  partNameOf,
} from '../../../engine/workloads/revisioned/pods.js';
import type { RevisionedState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions } from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests } from '../stuck-rollout.js';
import { dynamoGraphDeployment } from './services/dynamo.js';
import { knativeService } from './services/knative.js';
import { rayService } from './services/ray.js';
import { type HeldPods, type ServiceAdvice, type StableRollout, subjectOf } from './stable.js';
import { strategies } from './strategies-text.js';

const services: Readonly<Record<RevisionedService['kind'], ServiceAdvice>> = {
  KnativeService: knativeService,
  RayService: rayService,
  DynamoGraphDeployment: dynamoGraphDeployment,
};

export function adviceOn({ kind }: RevisionedService): ServiceAdvice {
  return services[kind];
}

/**
 * A service whose next revision is not ready. The controllers stop pods of the former one only when the next
 * one serves, or as its pods become ready.
 */
export function stableRevisionsOf(
  state: RevisionedState,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
  if (state.service.revisions.next === undefined || !rests(state, cannotStart)) return undefined;
  const holding = formerRevisionPods(state).filter((pod) => isActive(pod) && hasNode(pod));
  if (holding.length === 0) return undefined;
  const blocked = newRevisionPods(state).filter((pod) => isActive(pod) && !isReady(pod));
  return {
    workload: state.service,
    state,
    holding,
    blocked,
    strategy: adviceOn(state.service).strategy(
      state.service,
      blocked[0] === undefined ? '' : partNameOf(blocked[0]),
    ),
    strategyFacts: undefined,
    strategyEvidence: revisionEvidence(state),
  };
}

function revisionEvidence({ service }: RevisionedState): readonly Evidence[] {
  const object = subjectOf(service);
  const { next = '', former } = service.revisions;
  const says = strategies('ev-revisions', { next, former: [...former] });
  return [{ object, field: adviceOn(service).fieldOfNext, value: next, says }];
}

export function revisionsDoubts(
  index: Pick<ClusterIndex, 'objects'>,
  { service, pods }: RevisionedState,
  held: HeldPods,
): readonly Statement[] {
  return adviceOn(service).doubts(index, service, held, pods);
}

/** The next revision, where the spec was changed back to what the former one runs. */
export function takenBack(state: RevisionedState): string | undefined {
  const { service } = state;
  const pods = { next: newRevisionPods(state), former: formerRevisionPods(state) };
  return adviceOn(service).unwanted(service, pods);
}

/** What becomes of the attempt where nobody acts, which may leave the update undone. */
export function givesUp(snapshot: Snapshot): readonly Statement[] {
  const rollout = rolloutStateOf(snapshot);
  if (!switchesRevisions(rollout)) return [];
  const unwanted = takenBack(rollout);
  if (unwanted !== undefined) return [strategies('ray-taken-back', { cluster: unwanted })];
  return adviceOn(rollout.service).leftAlone(snapshot, rollout.service, newRevisionPods(rollout));
}
