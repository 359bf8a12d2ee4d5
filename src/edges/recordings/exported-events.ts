import { isObject } from '../../engine/objects/wire.js';

/**
 * Programs that keep events for longer than an hour write each of them as one object of JSON. Go's client
 * leaves the kind of a typed object empty, so they write none:
 *
 * - kubernetes-event-exporter writes the fields of the event itself (resmoio, `pkg/kube/event.go` at
 *   0e8f1960);
 * - eventrouter, also in the logging of OpenShift, writes `{ verb, event, old_event }` (vmware-archive,
 *   `sinks/eventdata.go` at 04a3ebd8);
 * - the OpenTelemetry collector writes the event as the `body` of a log record (`pkg/stanza`,
 *   `k8s_event_input`).
 */

/** The events of an object without a kind, with their kind. */
export function eventsOfExporter(document: unknown): readonly unknown[] {
  if (!isObject(document) || 'kind' in document) return [];
  if (isEvent(document)) return [withKindOfEvent(document)];
  return Object.entries(document)
    .slice(0, maxFields)
    .flatMap(([name, value]) => (name !== formerEvent && isEvent(value) ? [withKindOfEvent(value)] : []));
}

/** Fields of a record around an event. */
const maxFields = 100;
/** The state before an update. */
const formerEvent = 'old_event';

function isEvent(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    isObject(value.metadata) &&
    isObject(value.involvedObject) &&
    typeof value.reason === 'string' &&
    typeof value.message === 'string'
  );
}

function withKindOfEvent(event: Readonly<Record<string, unknown>>): unknown {
  return { apiVersion: 'v1', ...event, kind: 'Event' };
}
