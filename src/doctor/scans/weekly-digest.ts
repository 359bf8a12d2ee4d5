import * as z from 'zod';
import type { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Confidence } from '../findings/cause-id.js';
import { ChannelId } from '../policy/group-names.js';
import { isTimeZone } from '../policy/weekly-windows.js';
import type { Fleet } from './scan-record.js';

/** Numbered as cron does. */
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** When and where the weekly list of fragile workloads is posted. */
export const DigestSettings = z.strictObject({
  /** `channel` of the file when left out. */
  channel: ChannelId.optional(),
  day: z.enum(days).default('mon'),
  at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 09:00')
    .default('09:00'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'a time zone by its IANA name, such as Asia/Seoul')
    .default('Etc/UTC'),
  /** The default one when left out. */
  cluster: z.string().min(1).max(253).optional(),
});
export type DigestSettings = Immutable<z.output<typeof DigestSettings>>;

/** The schedule as a cron expression of five fields. */
export function cronOf({ day, at }: Pick<DigestSettings, 'day' | 'at'>): string {
  const [hour, minute] = at.split(':').map(Number);
  return `${minute} ${hour} * * ${days.indexOf(day)}`;
}

/** The day in the zone, as `2026-11-23`: one digest is posted a day at most. */
export function dayIn(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** One workload of the list. */
export interface DigestItem {
  readonly workload: WorkloadRef;
  readonly confidence: Confidence;
  readonly summary: Statement;
}

/** What the channel receives, within what it may see. */
export interface WeeklyDigest {
  readonly cluster: string;
  /** RFC3339. */
  readonly takenAt: string;
  /** Workloads that were checked. */
  readonly workloads: number;
  /** Workloads that were not checked: out of time, too many, or a rule failed. */
  readonly skipped: number;
  /** Proven ones first. */
  readonly items: readonly DigestItem[];
}

export function weeklyDigest(
  { fragile, workloads, unchecked }: Fleet,
  read: Pick<WeeklyDigest, 'cluster' | 'takenAt' | 'skipped'>,
): WeeklyDigest {
  return {
    cluster: read.cluster,
    takenAt: read.takenAt,
    workloads,
    skipped: read.skipped + unchecked,
    items: fragile.map(({ workload, finding: { confidence, summary } }) => ({
      workload,
      confidence,
      summary,
    })),
  };
}
