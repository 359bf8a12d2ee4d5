import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { AuditReader } from '../people/people-ports.js';
import type { SharedClock } from './process-ports.js';

/** What a person has put in force until a person or its time ends it. */
interface InForce {
  readonly by: string;
  /** RFC3339. */
  readonly at: string;
  readonly reason: string;
  /** RFC3339; absent where only a person ends it. */
  readonly until?: string;
  /** Absent where it applies to all workloads. */
  readonly workload?: WorkloadRef | undefined;
}

export interface KeepInForceOptions<Item extends InForce> {
  /** All that are in force. */
  readonly all: () => Promise<readonly Item[]>;
  /** Stores it and records the decision, unless another one is in force. @returns whether it did */
  readonly restore: (item: Item, decision: AuditEntry) => Promise<boolean>;
  /** The decisions by which it begins and ends. */
  readonly actions: { readonly begins: AuditEntry['action']; readonly ends: AuditEntry['action'] };
  readonly audit: Pick<AuditReader, 'decisions'>;
  readonly sharedClock: SharedClock;
}

export interface KeptInForce<Item extends InForce> {
  keep(item: Item): void;
  forget(of: Pick<InForce, 'workload'>): void;
  /**
   * Stores again what the store confirmed to this process and lost since, unless the audit shows that a
   * person has ended it.
   *
   * @returns what was stored again
   * @throws DoctorError `redis-unavailable`, retryable
   */
  restoreLost(): Promise<readonly Item[]>;
}

/** Clocks of two processes may differ by this much and still serve, in milliseconds. */
const maxClocksApartMs = 360_000;
/** Decisions in which the last one about an item is searched. */
const maxSearched = 1_000;
/** Items that a process keeps in memory. */
const maxKept = 1_000;

/**
 * Keeps in memory what people have put in force, since a Redis that lost its data would end it although no
 * person has.
 */
export function keepInForce<Item extends InForce>(options: KeepInForceOptions<Item>): KeptInForce<Item> {
  const { all, restore, actions, audit, sharedClock } = options;
  const known = new Map<string, Item>();

  function keep(item: Item): void {
    known.set(keyOf(item), item);
    const [oldest] = known.keys();
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
  }

  async function restoreLost(): Promise<readonly Item[]> {
    const before = new Map(known);
    const stored = new Map((await all()).map((item) => [keyOf(item), item]));
    // What this process has begun or ended meanwhile is newer than what was read.
    for (const [key, item] of stored) if (known.get(key) === before.get(key)) keep(item);
    const missing = [...before].filter(([key]) => !stored.has(key));
    if (missing.length === 0) return [];
    const now = await sharedClock.now();
    const isOver = ({ until }: Item): boolean => until !== undefined && Date.parse(until) <= now.getTime();
    const decisions = missing.every(([, item]) => isOver(item))
      ? []
      : (await audit.decisions(maxSearched)).entries;
    const lost: Item[] = [];
    for (const [key, item] of missing) {
      if (known.get(key) !== item) continue;
      if (isOver(item) || isEnded(item, decisions)) {
        known.delete(key);
        continue;
      }
      const { by, workload, until, reason } = item;
      const decision: AuditEntry = {
        at: now.toISOString(),
        action: actions.begins,
        by,
        ...(workload === undefined ? {} : { workload }),
        details: { ...(until === undefined ? {} : { until }), reason, because: 'record-lost' },
      };
      if (await restore(item, decision)) lost.push(item);
    }
    return lost;
  }

  function isEnded(item: Item, decisions: readonly AuditEntry[]): boolean {
    const last = decisions.find(
      (entry) =>
        (entry.action === actions.begins || entry.action === actions.ends) && keyOf(entry) === keyOf(item),
    );
    return last?.action === actions.ends && Date.parse(last.at) > Date.parse(item.at) - maxClocksApartMs;
  }

  return { keep, forget: (of) => void known.delete(keyOf(of)), restoreLost };
}

function keyOf({ workload }: Pick<InForce, 'workload'>): string {
  if (workload === undefined) return '';
  const { cluster, kind, namespace, name } = workload;
  return JSON.stringify([cluster, kind, namespace, name]);
}
