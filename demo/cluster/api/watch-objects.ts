import type { ApiObject } from '../api-object.js';
import type { JsonObject } from '../json.js';
import { type Registry, shown } from '../registry/registry.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import type { Change } from '../store/object-store.js';
import { isSelected, type ListOptions } from './list-options.js';
import { expired, tooLargeResourceVersion } from './status-error.js';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Where events of one watch go; `object` is an API object, a bookmark or a Status. */
export type WatchSink = (type: WatchEventType, object: ApiObject | JsonObject) => void;

const bookmarkEveryMs = 60_000;
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Sends what has changed since `resourceVersion`, then whatever changes, until the returned function is
 * called. An object that begins or ceases to be selected is reported as ADDED or DELETED. A resourceVersion that
 * is no longer in the history is reported as an ERROR event that holds a 410, as the watch cache does.
 */
export function watchObjects(
  { store, clock }: Registry,
  type: ResourceType,
  namespace: string,
  options: ListOptions,
  sink: WatchSink,
): () => void {
  const inScope = (object: ApiObject): boolean => namespace === '' || object.metadata.namespace === namespace;
  const selects = (object: ApiObject | undefined): boolean =>
    object !== undefined && inScope(object) && isSelected(type, options, object);
  const bookmark = (more: JsonObject = {}): void =>
    sink('BOOKMARK', {
      kind: type.kind,
      apiVersion: apiVersionOf(type),
      metadata: { resourceVersion: String(store.revision), creationTimestamp: null, ...more },
    });

  function tell(change: Change): void {
    if (change.resource !== type.storage) return;
    const was = selects(change.previous);
    const is = change.type !== 'DELETED' && selects(change.object);
    if (is) sink(was ? 'MODIFIED' : 'ADDED', shown(type, change.object));
    else if (was && change.previous !== undefined) {
      const last = change.type === 'DELETED' ? change.object : withRevision(change.previous, change.revision);
      sink('DELETED', shown(type, last));
    }
  }

  const from = options.resourceVersion ?? 0;
  if (from > store.revision) {
    sink('ERROR', tooLargeResourceVersion(from, store.revision).status);
    return () => undefined;
  }
  if (from > 0 && !options.sendInitialEvents) {
    if (from < store.compactedRevision) {
      sink('ERROR', expired(`too old resource version: ${from} (${store.compactedRevision})`).status);
      return () => undefined;
    }
    for (const change of store.changesSince(from)) tell(change);
  } else {
    for (const object of store.list(type.storage).filter(selects)) sink('ADDED', shown(type, object));
    if (options.sendInitialEvents && options.allowWatchBookmarks) {
      bookmark({ annotations: { [initialEventsEnd]: 'true' } });
    }
  }
  const unsubscribe = store.subscribe(tell);
  let cancelBookmark = (): void => undefined;
  const scheduleBookmark = (): void => {
    cancelBookmark = clock.at(clock.now() + bookmarkEveryMs, () => {
      bookmark();
      scheduleBookmark();
    });
  };
  if (options.allowWatchBookmarks) scheduleBookmark();
  return () => {
    unsubscribe();
    cancelBookmark();
  };
}

function withRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
