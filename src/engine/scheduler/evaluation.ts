import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { nodeAffinityConflict } from './filters/node-affinity.js';
import { isFullyExplained, schedulerMessages } from './fit-error.js';
import { isReason, type NotSimulated, type Objection, type Reason } from './reason.js';
import type { Situation } from './situation.js';
import { type NodeVerdict, verdictOn } from './verdict.js';

/** What the scheduler would say of one pod and all nodes. */
export interface Evaluation {
  readonly pod: Pod;
  /** `not-simulated`: nothing known refuses on some node, but not everything could be checked there. */
  readonly outcome: 'fits' | 'refused' | 'not-simulated';
  /** Refusals of the pod as such, before any node is looked at: gates, claims, no nodes. */
  readonly refusals: readonly Reason[];
  /** What could not be simulated whatever the node. */
  readonly notSimulated: readonly NotSimulated[];
  /** By node name; also filled in when the pod itself is refused. */
  readonly nodes: readonly NodeVerdict[];
  /** Names of the nodes that would take the pod; empty while the pod itself is refused. */
  readonly feasible: readonly string[];
  /**
   * The texts of which the scheduler (of this release, default configuration) would write one into the
   * PodScheduled condition, preemption part included: several where preemption may choose among nodes, none
   * when the pod would be scheduled or not every answer is known.
   */
  readonly messages: () => readonly string[];
  /** The only one of them. */
  readonly message: () => string | undefined;
}

export function evaluation(situation: Situation, nodes: readonly Node[]): Evaluation {
  const podLevel = podObjections(situation, nodes);
  const refusals = podLevel.filter(isReason);
  const notSimulated = podLevel.filter((objection) => !isReason(objection));
  const verdicts = nodes.map((node) => verdictOn(situation, node));
  const feasible = refusals.length > 0 ? [] : verdicts.filter(({ outcome }) => outcome === 'fits');
  const messages = (): readonly string[] =>
    isFullyExplained(refusals, notSimulated, verdicts)
      ? schedulerMessages(situation, refusals, verdicts, nodes)
      : [];
  return {
    pod: situation.pod,
    outcome: outcomeOf(refusals, notSimulated, verdicts),
    refusals,
    notSimulated,
    nodes: verdicts,
    feasible: feasible.map(({ node }) => node),
    messages,
    message() {
      const distinct = new Set(messages());
      return distinct.size === 1 ? [...distinct][0] : undefined;
    },
  };
}

function outcomeOf(
  refusals: readonly Reason[],
  notSimulated: readonly NotSimulated[],
  verdicts: readonly NodeVerdict[],
): Evaluation['outcome'] {
  if (refusals.length > 0 || verdicts.every(({ outcome }) => outcome === 'refused')) return 'refused';
  const fits = notSimulated.length === 0 && verdicts.some(({ outcome }) => outcome === 'fits');
  return fits ? 'fits' : 'not-simulated';
}

/** Objections to the pod as such, in the order in which the scheduler would come to them. */
export function podObjections(situation: Situation, nodes: readonly Node[]): readonly Objection[] {
  const { pod } = situation;
  const objections: Objection[] = [];
  const gates = pod.spec.schedulingGates.map(({ name }) => name);
  if (gates.length > 0) {
    objections.push({
      id: 'gates',
      plugin: 'SchedulingGates',
      text: 'Scheduling is blocked due to non-empty scheduling gates',
      resolvable: false,
      preemptible: false,
      gates,
    });
  }
  if (nodes.length === 0) {
    objections.push({
      id: 'no-node',
      plugin: 'NodeName',
      text: 'no nodes available to schedule pods',
      resolvable: false,
      preemptible: false,
    });
  }
  if (pod.spec.schedulerName !== 'default-scheduler') {
    objections.push({
      id: 'not-simulated',
      plugin: 'NodeName',
      why: 'other-scheduler',
      subject: pod.spec.schedulerName,
    });
  }
  return [
    ...objections,
    ...nodeAffinityConflict(situation),
    ...situation.volumes().objections,
    ...situation.devices().objections,
  ];
}
