import type { Pod } from '../../engine/objects/pod.js';
import { mergePodRecords } from './merge-records.js';
import { isWorthKeeping, type Observation, observePod } from './observe-pod.js';

export interface CollectorLimits {
  /** Pods followed at once. Further ones are recorded without: each of their changes is written again. */
  readonly pods: number;
  /** Records that wait to be written; the next ones are dropped and counted. */
  readonly waiting: number;
}

/** What must be known of a pod that is suddenly no longer listed. */
interface Followed {
  readonly owner: string;
  readonly node: string;
  readonly revision: string;
  readonly startedAt: number | undefined;
  /** Fingerprint of what was last recorded of it; 0: nothing. */
  readonly recorded: number;
  /** The last list that named it, or after which it changed. */
  readonly round: number;
}

/**
 * Turns what a list and a watch of pods tell into records to be written. Mutable: one watcher's working
 * memory.
 */
export interface Collector {
  /** Pods followed. */
  readonly followed: number;
  readonly waiting: number;
  /** Records dropped so far since nobody took them. */
  readonly dropped: number;
  /** A list begins: what it does not name by its end is gone. */
  beginList(): void;
  /** @param lastInStep when the watch was last complete, in epoch seconds: what is gone ended no earlier */
  endList(lastInStep: number): void;
  /** @param now epoch seconds */
  see(pod: Pod, gone: boolean, now: number): void;
  /** The oldest waiting records, no longer waiting. */
  take(max: number): readonly Observation[];
  /** What was taken and could not be written. */
  putBack(observations: readonly Observation[]): void;
}

/** Owners, revisions and nodes of a large cluster. */
const maxSharedTexts = 50_000;

export function createCollector(limits: CollectorLimits): Collector {
  const followed = new Map<string, Followed>();
  const waiting = new Map<string, Observation>();
  const texts = new Map<string, string>();
  let round = 0;
  let dropped = 0;

  function enqueue(observation: Observation): boolean {
    const { uid } = observation.record;
    const known = waiting.get(uid);
    if (known === undefined && waiting.size >= limits.waiting) {
      dropped += 1;
      return false;
    }
    const record =
      known === undefined ? observation.record : mergePodRecords(known.record, observation.record);
    waiting.set(uid, { owner: observation.owner, record });
    return true;
  }

  /** The same string for equal texts: pods of one owner or node share them. */
  function shared(text: string): string {
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size >= maxSharedTexts) texts.clear();
    texts.set(text, text);
    return text;
  }

  return {
    get followed() {
      return followed.size;
    },
    get waiting() {
      return waiting.size;
    },
    get dropped() {
      return dropped;
    },
    beginList() {
      round += 1;
    },
    endList(lastInStep) {
      for (const [uid, pod] of followed) {
        if (pod.round === round) continue;
        enqueue(vanished(uid, pod, lastInStep));
        followed.delete(uid);
      }
    },
    see(pod, gone, now) {
      const observation = observePod(pod, gone, now);
      if (observation === undefined) return;
      const { owner, record } = observation;
      const { uid, node, revision, startedAt } = record;
      const known = followed.get(uid);
      const mark = isWorthKeeping(record) ? fingerprint(JSON.stringify(record)) : 0;
      const isNews = mark !== 0 && mark !== known?.recorded;
      const recorded = isNews && !enqueue(observation) ? (known?.recorded ?? 0) : mark;
      if (gone) followed.delete(uid);
      else if (known !== undefined || followed.size < limits.pods)
        followed.set(uid, {
          owner: shared(owner),
          node: shared(node),
          revision: shared(revision),
          startedAt,
          recorded,
          round,
        });
    },
    take(max) {
      const taken: Observation[] = [];
      for (const [uid, observation] of waiting) {
        if (taken.length >= max) break;
        waiting.delete(uid);
        taken.push(observation);
      }
      return taken;
    },
    putBack(observations) {
      for (const observation of observations) enqueue(observation);
    },
  };
}

/** A pod that a list no longer names: that it ended is known, and when no earlier than. */
function vanished(uid: string, { owner, node, revision, startedAt }: Followed, endedAt: number): Observation {
  return {
    owner,
    record: {
      v: 1,
      uid,
      name: '',
      node,
      revision,
      ...(startedAt === undefined ? {} : { startedAt }),
      endedAt: Math.max(endedAt, startedAt ?? 0),
      containers: [],
    },
  };
}

/** FNV-1a, 32 bits, never 0. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0 || 1;
}
