import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

const seconds = z.number().int().min(0);

/** What time the history covers for a namespace, or for all: times are epoch seconds. */
export const Coverage = z.object({
  v: z.literal(1),
  /** Since when pods have been watched. */
  since: seconds,
  /** Until when; it moves on while the watch is in step. */
  upTo: seconds,
  /** Times between, rising, in which nobody watched: who came and went then is not known. */
  gaps: z.array(z.object({ from: seconds, to: seconds })),
});
export type Coverage = Immutable<z.output<typeof Coverage>>;

/** Gaps kept; the history of a watch with more of them begins after the oldest that was dropped. */
const keptGaps = 24;

/**
 * The coverage after pods were seen in step from `from` to `now`: what lies between the former end and `from`
 * is a gap. What is older than `keepSeconds` is forgotten, as the records are.
 */
export function coveredUntil(
  known: Coverage | undefined,
  from: number,
  now: number,
  keepSeconds: number,
): Coverage {
  const oldest = now - keepSeconds;
  if (known === undefined || known.upTo < oldest)
    return { v: 1, since: from, upTo: Math.max(from, now), gaps: [] };
  const all = from > known.upTo ? [...known.gaps, { from: known.upTo, to: from }] : known.gaps;
  const recent = all.filter(({ to }) => to > oldest);
  const gaps = recent.slice(-keptGaps);
  const dropped = recent.at(-keptGaps - 1);
  return {
    v: 1,
    since: Math.max(known.since, oldest, dropped?.to ?? 0),
    upTo: Math.max(known.upTo, now),
    gaps,
  };
}
