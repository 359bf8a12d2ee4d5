import type { Speaker } from './heading.js';
import { match, pattern } from './pattern.js';

/** A sentence about a group of pods, and the reason of one pod in it. */
export interface GroupSentence {
  readonly outer: string;
  readonly inner: string;
}

/** What stands between the words about the group and the reason of one of its pods. */
const origins = [
  '. Origin reason is',
  ', first placement status: ',
  'other pod from a pod group: ',
  'Additional pods cannot be scheduled due to: ',
  ' is unschedulable with reason "',
];

/** Divides a sentence about a group from the reason it quotes. */
export function splitGroup(text: string): GroupSentence {
  for (const words of origins) {
    const at = text.indexOf(words);
    if (at < 0) continue;
    const from = words.endsWith('is') ? text.indexOf(': ', at) + 1 : at + words.length;
    if (from <= at) continue;
    const end = words.endsWith('"') ? text.lastIndexOf('", alreadyWaitForBound') : text.length;
    return { outer: text.slice(0, at), inner: text.slice(from, end < from ? text.length : end).trim() };
  }
  return { outer: text, inner: '' };
}

const wholeSentences: readonly (readonly [words: string, speaker: Speaker])[] = [
  ['Pod * can possibly be assigned to *', 'gang'],
  // As Volcano spells it.
  ['Pod * can possibly be assgined to *', 'gang'],
  ['queue is overused*', 'queue'],
  ['queue * is overused*', 'queue'],
  ['resource in cluster is overused*', 'queue'],
  ['Pod belongs to the taskGroup *, it will be scheduled as a gang member', 'gang'],
  ['Application * scheduling failed, reason: *', 'gang'],
  ['Application * placeholder has been timed out', 'gang'],
  ['task * on node * fit failed: *', 'fit-failures'],
  ['fit failure on node (*): *', 'fit-failures'],
  ['insufficient quota for * in flavor *', 'queue'],
  ['topology "*" doesn\'t allow to fit*', 'queue'],
  ['no topology domains at level: *', 'queue'],
  ['untolerated taint * in flavor *', 'queue'],
  ['ClusterQueue * is inactive', 'queue'],
  ['ClusterQueue * is stopped', 'queue'],
  ['ClusterQueue * is terminating or missing', 'queue'],
  ["ClusterQueue * doesn't exist", 'queue'],
  ['LocalQueue * is inactive', 'queue'],
  ['LocalQueue * is stopped', 'queue'],
  ['LocalQueue * is terminating or missing', 'queue'],
  ["LocalQueue * doesn't exist", 'queue'],
  ["Can't admit new workloads*", 'queue'],
  ['Workload no longer fits after processing another workload*', 'queue'],
  ['Admission is gated by: *', 'queue'],
  ["Request '*' does not fit in queue '*'*", 'queue'],
  ["Request '*' exceeds the available user quota*", 'queue'],
  ['Task * is skipped from scheduling because the queue quota has been exceed', 'queue'],
  ['Task * is pending for the requested resources become available', 'queue'],
  ['* is queued and waiting for allocation', 'queue'],
  ['* quota has reached the allowable limit of *', 'queue'],
];

const patterns = wholeSentences.map(([words, speaker]) => ({ form: pattern(words), speaker }));

/**
 * Whose a sentence is that no heading tells: Kueue, YuniKorn, KAI-Scheduler or Volcano. Linear in the text's
 * length.
 */
export function speakerOf(text: string): Speaker {
  return patterns.find(({ form }) => match(form, text) !== undefined)?.speaker ?? 'nobody';
}
