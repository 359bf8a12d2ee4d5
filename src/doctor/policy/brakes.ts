import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { coversWeek, matchesName, openUntil, WeeklyWindows } from './weekly-windows.js';

const patterns = z.array(z.string().min(1)).min(1);
const scope = { clusters: patterns.default(['*']), namespaces: patterns.default(['*']) };
const reason = z.string().min(1).max(300);
const moment = z.iso.datetime({ offset: true });

const Freeze = z
  .strictObject({
    ...scope,
    reason,
    from: moment.optional(),
    until: moment.optional(),
    weekly: WeeklyWindows.optional(),
  })
  .refine(
    ({ from, until, weekly }) =>
      weekly === undefined
        ? from !== undefined && until !== undefined && Date.parse(from) < Date.parse(until)
        : from === undefined && until === undefined,
    'either `from` and a later `until`, or `weekly`',
  )
  .refine(({ weekly }) => weekly === undefined || !coversWeek(weekly), {
    message: 'windows that leave some time for changes; `stopped` stops all changes',
    path: ['weekly'],
  });

const Limit = z.strictObject({
  ...scope,
  /** Changes of one workload that are started within an hour. */
  changesPerHour: z.number().int().min(1).max(1_000),
});

/** Limits on changes that are allowed and approved. A person with every right still meets them. */
export const Brakes = z.strictObject({
  /** Stops all changes; the text is the reason that people read. */
  stopped: reason.optional(),
  freezes: z.array(Freeze).max(100).default([]),
  limits: z.array(Limit).max(100).default([]),
  /** Time between the last approval and the change, in which the change can be cancelled. */
  cancelSeconds: z.number().int().min(0).max(300).default(5),
});
export type Brakes = Immutable<z.output<typeof Brakes>>;

/** The stop switch that people operate with a command. */
export const ChangeStop = z.object({
  /** Slack user id. */
  by: z.string(),
  /** RFC3339. */
  at: z.string(),
  reason: z.string(),
});
export type ChangeStop = Immutable<z.output<typeof ChangeStop>>;

/** Why a change may not be made now. */
export type Brake =
  | {
      readonly type: 'stopped';
      readonly reason: string;
      /** Who stopped changes by command; absent when the policy does. */
      readonly by: string | undefined;
      readonly at: string | undefined;
    }
  /** `until`: RFC3339. */
  | { readonly type: 'frozen'; readonly reason: string; readonly until: string }
  | { readonly type: 'too-many'; readonly changesPerHour: number; readonly freeAt: string };

export interface BrakedChange {
  readonly cluster: string;
  readonly namespace: string;
  /** Putting a change back is stopped by the stop switch only. */
  readonly undoes: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly stop: ChangeStop | undefined;
  /** When changes of this workload were started, in epoch milliseconds; putting back is not counted. */
  readonly startedAt: readonly number[];
}

const hourMs = 3_600_000;
/** Holds where no limit of the policy matches. */
export const defaultChangesPerHour = 6;

/** The brake that holds a change back now; the stop switch first, then freezes, then the limit. */
export function findBrake(brakes: Brakes, change: BrakedChange): Brake | undefined {
  const { stop, undoes } = change;
  if (brakes.stopped !== undefined) {
    return { type: 'stopped', reason: brakes.stopped, by: undefined, at: undefined };
  }
  if (stop !== undefined) return { type: 'stopped', ...stop };
  if (undoes) return undefined;
  return findFreeze(brakes, change) ?? findLimit(brakes, change);
}

function findFreeze({ freezes }: Brakes, change: BrakedChange): Brake | undefined {
  const ends = freezes.flatMap((freeze) => {
    const until = matches(freeze, change) ? frozenUntil(freeze, change.now) : undefined;
    return until === undefined ? [] : [{ reason: freeze.reason, until }];
  });
  const last = ends.toSorted((a, b) => b.until - a.until)[0];
  if (last === undefined) return undefined;
  return { type: 'frozen', reason: last.reason, until: new Date(last.until).toISOString() };
}

function frozenUntil({ from, until, weekly }: Brakes['freezes'][number], now: number): number | undefined {
  if (weekly !== undefined) return openUntil(weekly, now);
  if (from === undefined || until === undefined) return undefined;
  return Date.parse(from) <= now && now < Date.parse(until) ? Date.parse(until) : undefined;
}

function findLimit({ limits }: Brakes, change: BrakedChange): Brake | undefined {
  const matching = limits.filter((limit) => matches(limit, change));
  const changesPerHour = Math.min(
    ...(matching.length === 0 ? [defaultChangesPerHour] : matching.map((limit) => limit.changesPerHour)),
  );
  const recent = change.startedAt.filter((at) => at > change.now - hourMs).toSorted((a, b) => a - b);
  const oldest = recent.at(-changesPerHour);
  if (oldest === undefined) return undefined;
  return { type: 'too-many', changesPerHour, freeAt: new Date(oldest + hourMs).toISOString() };
}

function matches(
  { clusters, namespaces }: { clusters: readonly string[]; namespaces: readonly string[] },
  { cluster, namespace }: Pick<BrakedChange, 'cluster' | 'namespace'>,
): boolean {
  return (
    clusters.some((pattern) => matchesName(pattern, cluster)) &&
    namespaces.some((pattern) => matchesName(pattern, namespace))
  );
}
