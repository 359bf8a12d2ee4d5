import { inRole, type Statement } from '../../../engine/language/statement.js';
import { qualifiedPodNames } from '../../../engine/objects/pod-key.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { unreadEvictors } from '../../findings/deadlock/shrink-statements.js';
import { deadlock } from '../../findings/deadlock/text.js';
import type { FactsOf } from '../../findings/facts.js';
import type { Examination } from '../../findings/rule.js';
import { isAnswerPending, isScaleUpRetried } from '../../findings/waiting/autoscaler-answer.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import type { Blockage } from './blockage.js';
import type { Elsewhere } from './elsewhere.js';
import type { SurgeDeadlockFacts } from './facts.js';
import { state } from './text.js';

/** What could not be seen or simulated and might still offer a way that the proof does not know. */
export function doubtsOf(
  { snapshot, placement }: Examination,
  { waiting, certain }: Blockage,
  facts: FactsOf<typeof SurgeDeadlockFacts>,
  { returning, resizing, replaced, evictable }: Elsewhere,
): readonly Statement[] {
  const { joiningNodes, detachingNodes, finishingPods, evictedPods, leavingTogether } = facts;
  const { unreadNeighbours: neighbours, replacingNeighbours, stalledNeighbours, shrinkingNeighbours } = facts;
  const unread = unreadOf(snapshot, 'Pod', 'Node');
  const events = unreadOf(snapshot, 'Event');
  const evaluation = placement.evaluate(waiting);
  const other = evaluation.notSimulated.find(({ why }) => why === 'other-scheduler')?.subject;
  const parts = new Set(
    certain
      ? []
      : [
          ...evaluation.notSimulated.filter(({ why }) => why !== 'other-scheduler'),
          ...evaluation.nodes.flatMap(({ notSimulated }) => notSimulated),
        ].map(({ plugin }) => plugin),
  );
  return [
    ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ...(events === undefined ? [] : [state('events-unread', { because: events.because })]),
    ...(isAnswerPending(snapshot, [waiting])
      ? [inRole('escape', waitingStatement('autoscaler-pending'))]
      : []),
    ...(isScaleUpRetried(snapshot, [waiting]) ? [waitingStatement('scale-up-retried')] : []),
    ...(joiningNodes.length === 0 ? [] : [inRole('escape', state('nodes-joining', { nodes: joiningNodes }))]),
    ...(returning.length === 0
      ? []
      : [inRole('escape', waitingStatement('nodes-may-return', { nodes: returning }))]),
    ...(detachingNodes.length === 0
      ? []
      : [inRole('escape', state('volumes-may-detach', { nodes: detachingNodes }))]),
    ...(resizing.length === 0
      ? []
      : [inRole('escape', waitingStatement('resizes-may-free', { pods: qualifiedPodNames(resizing) }))]),
    ...(replaced.length === 0
      ? []
      : [inRole('escape', waitingStatement('nodes-are-replaced', { nodes: replaced }))]),
    ...evictable.map(({ program, pods }) =>
      inRole('escape', deadlock('programs-may-evict', { program, pods: qualifiedPodNames(pods) })),
    ),
    ...unreadEvictors(snapshot),
    ...(finishingPods.length === 0
      ? []
      : [inRole('escape', state('jobs-may-finish', { pods: finishingPods }))]),
    ...(evictedPods.length === 0
      ? []
      : [inRole('escape', state('evictions-may-free', { pods: evictedPods }))]),
    ...(leavingTogether.length === 0
      ? []
      : [inRole('escape', deadlock('pods-may-leave', { pods: leavingTogether }))]),
    ...(neighbours.length === 0 ? [] : [inRole('escape', state('neighbours-unread', { neighbours }))]),
    ...(stalledNeighbours.length === 0
      ? []
      : [inRole('escape', state('neighbours-stalled', { neighbours: stalledNeighbours }))]),
    ...(shrinkingNeighbours.length === 0
      ? []
      : [deadlock('neighbours-may-shrink', { neighbours: shrinkingNeighbours })]),
    ...(replacingNeighbours.length === 0
      ? []
      : [inRole('escape', state('neighbours-replace', { neighbours: replacingNeighbours }))]),
    ...(other === undefined ? [] : [state('other-scheduler', { scheduler: other })]),
    ...(parts.size === 0 ? [] : [waitingStatement('not-simulated', { parts: [...parts] })]),
  ];
}
