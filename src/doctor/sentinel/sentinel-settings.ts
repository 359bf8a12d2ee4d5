import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { ChannelId } from '../policy/group-names.js';
import { coversWeek, openUntil, WeeklyWindows } from '../policy/weekly-windows.js';

/** When the sentinel sends nothing. */
export const QuietHours = WeeklyWindows.refine((hours) => !coversWeek(hours), {
  message: 'windows that leave some time in which to speak',
  path: ['windows'],
});
export type QuietHours = WeeklyWindows;

/**
 * When the quiet hours that hold at this moment end.
 *
 * @param at epoch milliseconds
 * @returns epoch milliseconds, on a full minute; `undefined` where it is not quiet
 */
export const quietUntil = openUntil;

const namespaceName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'the name of a namespace');
const namespaceGlob = z
  .string()
  .max(63)
  .regex(/^[a-z0-9*-]+$/, 'the name of a namespace, or a pattern with *');

/** Where the sentinel looks, when it speaks, and to whom. */
export const SentinelSettings = z.strictObject({
  /** Where it speaks unless an annotation says otherwise; `channel` of the file when left out. */
  channel: ChannelId.optional(),
  /**
   * Further channels that annotations may name. Without this list anybody who may annotate could make it post
   * anywhere.
   */
  channels: z.array(ChannelId).default([]),
  /** Namespaces that are looked at unless an annotation says otherwise: all or none, `except` some. */
  namespaces: z
    .strictObject({
      mode: z.enum(['all', 'none']).default('all'),
      except: z.array(namespaceGlob).default([]),
    })
    .default({ mode: 'all', except: [] }),
  /** Namespaces that are watched, each by itself, where the whole cluster may not be. */
  watch: z.array(namespaceName).default([]),
  /**
   * How long a refusal has to stand before it is looked at: autoscalers and controllers need some seconds.
   */
  afterSeconds: z.number().int().min(0).max(60).default(30),
  quietHours: QuietHours.optional(),
});
export type SentinelSettings = Immutable<z.output<typeof SentinelSettings>>;
