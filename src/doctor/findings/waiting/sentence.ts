import { parseSchedulerMessage } from '../../../engine/messages/parse-scheduler-message.js';
import type { MessageReasonId, SchedulerMessage } from '../../../engine/messages/scheduler-message.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import type { Evaluation } from '../../../engine/scheduler/evaluation.js';
import type { RuledOut } from '../finding.js';
import { waiting } from './text.js';

/** What the scheduler wrote into the pod's PodScheduled condition: evidence, and a check on the engine. */
export interface Sentence {
  readonly text: string;
  readonly message: SchedulerMessage;
}

/** `undefined` where the condition has no text. */
export function sentenceOf(pod: Pod): Sentence | undefined {
  const text = conditionOf(pod.status, 'PodScheduled')?.message ?? '';
  return text === '' ? undefined : { text, message: parseSchedulerMessage(text) };
}

/**
 * False when the scheduler names other kinds of reasons than the engine, or counts nodes that we did not see.
 * Counts may differ: each version orders its plugins a little differently, and nodes come and go between two
 * attempts.
 */
export function agrees(sentence: Sentence | undefined, evaluation: Evaluation): boolean {
  if (sentence === undefined) return true;
  const { nodes } = sentence.message;
  if (nodes !== undefined && nodes > evaluation.nodes.length) return false;
  const theirs = idsIn(sentence.message);
  const ours = evaluation.message();
  if (ours === undefined || theirs.has('unknown')) return true;
  const told = idsIn(parseSchedulerMessage(ours));
  return theirs.size === told.size && [...theirs].every((id) => told.has(id));
}

/**
 * A node left out by PreFilter is one that node affinity refuses (since 1.32 in words of their own). What
 * other plugins and schedulers refuse for, the engine does not simulate.
 */
export function idsIn({ reasons }: SchedulerMessage): ReadonlySet<MessageReasonId> {
  return new Set(
    reasons.map(({ reason, detail }) =>
      reason !== 'plugin' ? reason : detail === 'NodeAffinity' ? 'node-affinity' : 'unknown',
    ),
  );
}

/** Gates that were not recorded are ruled out only by the scheduler's own words: it tries no gated pod. */
export function gatesRuledOut(snapshot: Snapshot, pod: Pod): readonly RuledOut[] {
  const cause = 'scheduling-gated';
  if (!isUnrecorded(snapshot, 'Pod', 'spec.schedulingGates')) {
    return [{ cause, because: waiting('because-no-gates') }];
  }
  return sentenceOf(pod) === undefined ? [] : [{ cause, because: waiting('because-tried') }];
}
