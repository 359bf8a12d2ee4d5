import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { ChannelId } from '../policy/group-names.js';
import { coversWeek, matchesName, openUntil, WeeklyWindows } from '../policy/weekly-windows.js';

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

/** `on` or `off`, on a workload or its Namespace. */
const sentinelAnnotation = 'rollout-doctor.dev/sentinel';
/** The id of the channel that gets the reports, on a workload or its Namespace. */
const channelAnnotation = 'rollout-doctor.dev/channel';

type Annotations = Readonly<Record<string, string>>;

export type Annotated = { readonly workload: Annotations; readonly namespace: Annotations };

/** An annotation that is not applied, with the reason. */
export interface Ignored {
  readonly on: keyof Annotated;
  readonly annotation: typeof sentinelAnnotation | typeof channelAnnotation;
  readonly because:
    | 'neither on nor off'
    | 'not the id of a channel'
    | 'not among the channels of the settings';
}

interface Wanted {
  readonly isWatched: boolean;
  /** The channel that gets the reports; `undefined` where no setting names one. */
  readonly channel: string | undefined;
  readonly ignored: readonly Ignored[];
}

/**
 * What annotations and settings say together: the workload's annotation before the namespace's, that before
 * the settings. Annotations are foreign text: what does not parse, and channels that the settings do not
 * list, count as not said.
 *
 * @param fallback the channel of the settings
 */
export function wantedFor(
  namespace: string,
  annotated: Annotated,
  settings: SentinelSettings,
  fallback: string | undefined,
): Wanted {
  const ignored: Ignored[] = [];
  const nearest = <Value>(read: (on: keyof Annotated) => Value | undefined): Value | undefined =>
    read('workload') ?? read('namespace');
  const said = nearest((on) => switchOf(annotated[on], on, ignored));
  const allowed = new Set([fallback, ...settings.channels]);
  const channel = nearest((on) => channelOf(annotated[on], on, allowed, ignored));
  return {
    isWatched: said ?? isWatchedBySettings(namespace, settings),
    channel: channel ?? fallback,
    ignored,
  };
}

function isWatchedBySettings(namespace: string, { namespaces: { mode, except } }: SentinelSettings): boolean {
  const isExcepted = except.some((pattern) => matchesName(pattern, namespace));
  return (mode === 'all') !== isExcepted;
}

function switchOf(annotations: Annotations, on: keyof Annotated, ignored: Ignored[]): boolean | undefined {
  const value = annotations[sentinelAnnotation];
  if (value === undefined || value === 'on' || value === 'off') {
    return value === undefined ? undefined : value === 'on';
  }
  ignored.push({ on, annotation: sentinelAnnotation, because: 'neither on nor off' });
  return undefined;
}

function channelOf(
  annotations: Annotations,
  on: keyof Annotated,
  allowed: ReadonlySet<string | undefined>,
  ignored: Ignored[],
): string | undefined {
  const value = annotations[channelAnnotation];
  if (value === undefined) return undefined;
  const parsed = ChannelId.safeParse(value);
  if (parsed.success && allowed.has(parsed.data)) return parsed.data;
  ignored.push({
    on,
    annotation: channelAnnotation,
    because: parsed.success ? 'not among the channels of the settings' : 'not the id of a channel',
  });
  return undefined;
}
