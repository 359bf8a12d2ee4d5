import {
  groupIndexOf,
  groupLabels,
  isLeader,
  type LeaderWorkerSet,
} from '../../../cluster/leader-worker-set.js';
import { conditionOf } from '../../../cluster/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../../cluster/pod.js';
import { podKey } from '../../../cluster/pod-key.js';
import { podOfTemplate } from '../../../creation/wanted-pod.js';
import type { Statement } from '../../../language/statement.js';
import type { Placement } from '../../../placement/placement.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { groupBounds } from '../../../rollout/leader-worker-set/bounds.js';
import { formerGroupPods, newGroupPods } from '../../../rollout/leader-worker-set/group-pods.js';
import { leaderSetIn } from '../../../rollout/leader-worker-set/leader-set.js';
import { notSimulatedSettings } from '../../../rollout/leader-worker-set/not-simulated.js';
import { type LeaderWorkerSetState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { StrategyFacts } from '../../deadlock/facts.js';
import { deadlock } from '../../deadlock/text.js';
import type { Evidence } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { leaderWorkerSetRemedies } from './remedies.js';
import { type Stuck, subjectOf } from './stuck.js';
import { state as say } from './text.js';

/**
 * A LeaderWorkerSet at rest half-way. The scheduler has refused a pod of every new group that is not ready, and one that
 * was created beside the old groups would fit once these are gone.
 */
export function stuckLeaderWorkerSetOf(examination: Examination): Stuck | undefined {
  const { snapshot, placement } = examination;
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'LeaderWorkerSet') return undefined;
  const { leaderWorkerSet } = state;
  if (leaderWorkerSet.metadata.deletionTimestamp !== undefined) return undefined;
  // The controller stops with an error where it cannot read a bound.
  if (groupBounds(leaderWorkerSet) === undefined || !isFixedPoint(state)) return undefined;
  const { partition } = leaderWorkerSet.spec.rolloutStrategy.rollingUpdateConfiguration;
  // Groups below the partition stay, whatever happens to the new ones.
  const holding = formerGroupPods(state).filter(
    (pod) => isActive(pod) && hasNode(pod) && groupIndexOf(pod) >= partition,
  );
  const groups = waitingGroups(state);
  if (holding.length === 0 || groups === undefined) return undefined;
  // A group that takes the place of an old one waits for a place that no old group has to give up.
  const surge = groups.find(
    (group) => group.index >= leaderWorkerSet.spec.replicas && fitsWithout(placement, state, group, holding),
  );
  if (surge === undefined) return undefined;
  const [first, ...rest] = [surge, ...groups.filter((group) => group !== surge)].flatMap(
    ({ refused }) => refused,
  );
  if (first === undefined) return undefined;
  const counterpart = rest.find((pod) => isLeader(pod) !== isLeader(first));
  const settings = notSimulatedSettings(leaderWorkerSet);
  return {
    workload: leaderWorkerSet,
    holding,
    waiting: [first, ...rest],
    ...(counterpart === undefined ? {} : { alsoWaiting: [counterpart] }),
    strategy: strategyStatement(state),
    strategyFacts: strategyFacts(leaderWorkerSet),
    strategyEvidence: strategyEvidence(leaderWorkerSet),
    weakenedBy: settings.length === 0 ? [] : [say('groups-not-simulated', { settings })],
    remedies: (node, resource) => leaderWorkerSetRemedies(examination, state, { node, resource }),
  };
}

/** A new group that is not ready. */
interface WaitingGroup {
  readonly index: number;
  /** Its pods that exist, those with a node and those without. */
  readonly pods: readonly Pod[];
  readonly refused: readonly Pod[];
}

/** `undefined` where the scheduler has refused no pod of such a group: then the group may become ready. */
function waitingGroups(state: LeaderWorkerSetState): readonly WaitingGroup[] | undefined {
  const fresh = newGroupPods(state).filter(isActive);
  const indexes = new Set(fresh.filter((pod) => !isReady(pod)).map(groupIndexOf));
  const groups = [...indexes].map((index): WaitingGroup => {
    const pods = fresh.filter((pod) => groupIndexOf(pod) === index);
    return { index, pods, refused: pods.filter((pod) => !isReady(pod) && isUnschedulable(pod)) };
  });
  return groups.every(({ refused }) => refused.length > 0) ? groups : undefined;
}

/** More pods are not placed one by one. */
const mostPods = 1_000;

/**
 * Whether the whole group finds its places once the old groups are gone, workers included that are not there yet. One pod
 * after the other is placed, each beside those before it.
 */
function fitsWithout(
  placement: Placement,
  { leaderWorkerSet }: LeaderWorkerSetState,
  { index, pods }: WaitingGroup,
  holding: readonly Pod[],
): boolean {
  const { size, workerTemplate } = leaderWorkerSet.spec.leaderWorkerTemplate;
  if (size > mostPods) return false;
  const { namespace, name } = leaderWorkerSet.metadata;
  const missing = Array.from({ length: Math.max(0, size - pods.length) }, (_, number) =>
    inGroup(
      podOfTemplate(placement.index, workerTemplate, '', {
        namespace,
        name: `${name}-${index}-new-${number}`,
      }),
      { [groupLabels.name]: name, [groupLabels.groupIndex]: String(index) },
    ),
  );
  const waiting = [...pods.filter((pod) => !hasNode(pod)), ...missing];
  let after = placement.with({ remove: new Set([...holding, ...waiting].map(podKey)) });
  for (const pod of waiting) {
    const nodeName = after.firstFeasible(pod);
    if (nodeName === undefined) return false;
    after = after.with({ add: [{ ...pod, spec: { ...pod.spec, nodeName } }] });
  }
  return true;
}

/** With the labels that affinities of the template may name. */
function inGroup(pod: Pod, added: Readonly<Record<string, string>>): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...added } } };
}

/** Why the controllers stop no old group. */
function strategyStatement(state: LeaderWorkerSetState): Statement {
  const { leaderWorkerSet } = state;
  const { maxSurge, maxUnavailable } = leaderWorkerSet.spec.rolloutStrategy.rollingUpdateConfiguration;
  const { replicas } = leaderWorkerSet.spec;
  const values = { maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable), replicas };
  const leaderSet = leaderSetIn(leaderWorkerSet, state.statefulSets);
  const partition = leaderSet?.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const isReleased = formerGroupPods(state).some((pod) => groupIndexOf(pod) >= partition);
  return isReleased ? say('strategy-groups-in-order', values) : say('strategy-groups', values);
}

/** In groups. */
function strategyFacts(leaderWorkerSet: LeaderWorkerSet): StrategyFacts {
  const { replicas, rolloutStrategy } = leaderWorkerSet.spec;
  const { maxSurge, maxUnavailable } = rolloutStrategy.rollingUpdateConfiguration;
  const { surge = 0, unavailable = 0 } = groupBounds(leaderWorkerSet) ?? {};
  return {
    maxSurge: String(maxSurge),
    maxUnavailable: String(maxUnavailable),
    surge,
    unavailable,
    replicas,
    missing: Math.max(0, replicas - leaderWorkerSet.status.readyReplicas),
  };
}

function strategyEvidence(leaderWorkerSet: LeaderWorkerSet): readonly Evidence[] {
  const object = subjectOf(leaderWorkerSet);
  const { rollingUpdateConfiguration } = leaderWorkerSet.spec.rolloutStrategy;
  const { surge = 0, unavailable = 0 } = groupBounds(leaderWorkerSet) ?? {};
  const updating = conditionOf(leaderWorkerSet.status, 'UpdateInProgress');
  return [
    {
      object,
      field: 'spec.rolloutStrategy.rollingUpdateConfiguration',
      value: JSON.stringify(rollingUpdateConfiguration),
      says: say('ev-groups', { surge, unavailable }),
    },
    ...(updating === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[UpdateInProgress]',
            value: `${updating.status} ${updating.reason}`,
            at: updating.lastTransitionTime,
            says: deadlock('ev-progress', { reason: updating.reason }),
          },
        ]),
  ];
}
