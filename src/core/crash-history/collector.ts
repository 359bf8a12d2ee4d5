import type { PodRecord } from '../cluster/pod-record.js';
import { mergePodRecords } from './merge-records.js';
import { isWorthKeeping, type Observation, observePod } from './observe-pod.js';
import { createPodDigests, type DigestFields } from './pod-digests.js';
import type { WatchedPod } from './watched-pod.js';

export interface CollectorLimits {
  /** Pods followed at once. Further ones are recorded without: each of their changes is written again. */
  readonly pods: number;
  /** Records that wait to be written; the next ones are dropped and counted. */
  readonly waiting: number;
}

/** Turns what a list and a watch of pods tell into records to be written. Mutable: one watcher's working memory. */
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
  see(pod: WatchedPod, gone: boolean, now: number): void;
  /** The oldest waiting records, no longer waiting. */
  take(max: number): readonly Observation[];
  /** What was taken and could not be written. */
  putBack(observations: readonly Observation[]): void;
}

export function createCollector(limits: CollectorLimits): Collector {
  const digests = createPodDigests(limits.pods);
  const waiting = new Map<string, Observation>();
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

  return {
    get followed() {
      return digests.size;
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
      for (const uid of digests.notOfRound(round)) {
        const digest = digests.get(uid);
        if (digest !== undefined) enqueue(vanished(uid, digest, lastInStep));
        digests.forget(uid);
      }
    },
    see(pod, gone, now) {
      const observation = observePod(pod, gone, now);
      if (observation === undefined) return;
      const { owner, record } = observation;
      const known = digests.get(record.uid);
      const mark = isWorthKeeping(record) ? fingerprint(JSON.stringify(record)) : 0;
      const isNews = mark !== 0 && mark !== known?.told;
      const told = isNews && !enqueue(observation) ? (known?.told ?? 0) : mark;
      if (gone) {
        digests.forget(record.uid);
        return;
      }
      const { node, revision, startedAt = 0 } = record;
      digests.put(record.uid, { owner, node, revision, startedAt, told }, round);
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
function vanished(
  uid: string,
  { owner, node, revision, startedAt }: DigestFields,
  endedAt: number,
): Observation {
  const record: PodRecord = {
    v: 1,
    uid,
    name: '',
    node,
    revision,
    ...(startedAt === 0 ? {} : { startedAt }),
    endedAt: Math.max(endedAt, startedAt),
    containers: [],
  };
  return { owner, record };
}

/** FNV-1a, 32 bits, never 0. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0 || 1;
}
