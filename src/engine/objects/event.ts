import * as z from 'zod';
import { ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, maybe, message, time } from './wire.js';

const EventWire = z.object({
  kind: z.literal('Event').default('Event'),
  metadata: ObjectMeta,
  involvedObject: maybe(
    z.object({
      kind: defaulted(z.string(), ''),
      namespace: defaulted(z.string(), ''),
      name: defaulted(z.string(), ''),
      uid: defaulted(z.string(), ''),
      fieldPath: maybe(z.string()),
    }),
  ),
  regarding: maybe(
    z.object({
      kind: defaulted(z.string(), ''),
      namespace: defaulted(z.string(), ''),
      name: defaulted(z.string(), ''),
      uid: defaulted(z.string(), ''),
      fieldPath: maybe(z.string()),
    }),
  ),
  type: defaulted(z.string(), 'Normal'),
  reason: defaulted(z.string(), ''),
  message: maybe(message),
  note: maybe(message),
  count: maybe(z.number()),
  deprecatedCount: maybe(z.number()),
  firstTimestamp: maybe(time),
  lastTimestamp: maybe(time),
  deprecatedFirstTimestamp: maybe(time),
  deprecatedLastTimestamp: maybe(time),
  eventTime: maybe(time),
  series: maybe(z.object({ count: defaulted(z.number(), 0), lastObservedTime: maybe(time) })),
  source: maybe(z.object({ component: defaulted(z.string(), ''), host: defaulted(z.string(), '') })),
  reportingComponent: defaulted(z.string(), ''),
  reportingController: defaulted(z.string(), ''),
});

/**
 * An Event of either API group in one shape. `count` is a lower bound: the recorder aggregates and drops
 * (`record/events_cache.go`). `lastSeen` and `firstSeen` are RFC3339; series win over the older fields.
 */
export const Event = EventWire.transform((event) => {
  const lastSeen =
    event.series?.lastObservedTime ??
    event.lastTimestamp ??
    event.deprecatedLastTimestamp ??
    event.eventTime ??
    event.firstTimestamp ??
    event.deprecatedFirstTimestamp ??
    event.metadata.creationTimestamp;
  return {
    kind: event.kind,
    metadata: event.metadata,
    involvedObject: event.involvedObject ??
      event.regarding ?? { kind: '', namespace: '', name: '', uid: '', fieldPath: undefined },
    type: event.type,
    reason: event.reason,
    message: event.message ?? event.note ?? '',
    count: event.series?.count || event.count || event.deprecatedCount || 1,
    firstSeen:
      event.firstTimestamp ??
      event.deprecatedFirstTimestamp ??
      event.eventTime ??
      event.metadata.creationTimestamp ??
      lastSeen,
    lastSeen,
    component: event.reportingComponent || event.reportingController || event.source?.component || '',
    /** Node whose kubelet reported it, where the source says so. */
    host: event.source?.host ?? '',
  };
});
export type Event = Immutable<z.output<typeof Event>>;
