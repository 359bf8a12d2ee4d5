import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { sentenceOf } from './sentence.js';

/** Reasons that are quoted, and characters of each; the rest stays in the evidence. */
const maxReasons = 5;
const maxCharacters = 300;

/**
 * What a scheduler writes of a pod beyond the reasons that kube-scheduler itself gives: the words of other
 * plugins, of extenders and of other schedulers, and an error of the scheduler itself. Bounded; empty where
 * there is nothing.
 */
export function pluginWords(pod: Pod): readonly string[] {
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason === 'SchedulingGated') return [];
  const sentence = sentenceOf(pod);
  if (sentence === undefined) return [];
  if (scheduled.reason !== 'Unschedulable') return [bounded(sentence.text)];
  const words = sentence.message.reasons.flatMap(({ reason, detail, text }) =>
    reason === 'unknown' || (reason === 'plugin' && detail !== 'NodeAffinity') ? [bounded(text)] : [],
  );
  return [...new Set(words)].filter((text) => text !== '').slice(0, maxReasons);
}

function bounded(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`;
}
