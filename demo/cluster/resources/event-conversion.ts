import type { ApiObject } from '../api-object.js';
import type { JsonObject } from '../json.js';

/**
 * Field of `events.k8s.io/v1` and the field of the stored core Event (`pkg/apis/events/v1/conversion.go`).
 */
const renamed: readonly (readonly [shown: string, stored: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** Both groups serve the same events; the core shape is the stored one. */
export const eventConversion = {
  toStored(shown: JsonObject): JsonObject {
    const stored: JsonObject = { ...shown, apiVersion: 'v1' };
    for (const [from, to] of renamed) move(stored, from, to);
    return stored;
  },
  toShown(stored: ApiObject): ApiObject {
    const shown: ApiObject = { ...stored, apiVersion: 'events.k8s.io/v1' };
    for (const [to, from] of renamed) move(shown, from, to);
    return shown;
  },
};

function move(object: JsonObject, from: string, to: string): void {
  if (!(from in object)) return;
  object[to] = object[from];
  delete object[from];
}
