import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiObject } from '../api-object.js';
import { isObject, type JsonObject } from '../json.js';
import type { ApiRequest } from './api-request.js';
import { parseListOptions } from './list-options.js';
import { viewOf } from './object-verbs.js';
import { showObject } from './representation.js';
import { watchObjects } from './watch-objects.js';

/** As the real server: without `timeoutSeconds` a watch ends by itself after half an hour. */
const defaultTimeoutSeconds = 1800;

/** Writes one JSON object a line for each change until the client goes or the time is up. */
export function streamWatch(request: ApiRequest, incoming: IncomingMessage, response: ServerResponse): void {
  const { registry, type, namespace, query, name } = request;
  const scoped = new URLSearchParams(query);
  if (name !== '') scoped.set('fieldSelector', `metadata.name=${name}`);
  const options = parseListOptions(type, scoped);
  const view = viewOf(request);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    stop();
    response.end();
  };
  const timer = setTimeout(end, (options.timeoutSeconds || defaultTimeoutSeconds) * 1000);
  timer.unref();
  let stop = (): void => undefined;
  const stopWatching = watchObjects(registry, type, namespace, options, (event, object) => {
    if (isOver) return;
    const isChange = event !== 'ERROR' && event !== 'BOOKMARK' && isApiObject(object);
    const now = registry.clock.now();
    const body = isChange ? showObject({ ...view, now }, object) : special(event, object, view.as);
    response.write(`${JSON.stringify({ type: event, object: body })}\n`);
    if (event === 'ERROR') setImmediate(end);
  });
  stop = stopWatching;
  incoming.on('close', end);
  response.on('close', end);
  if (isOver) stopWatching();
}

/** Bookmarks of a table watch are tables without rows. */
function special(event: string, object: JsonObject, as: string): JsonObject {
  if (event !== 'BOOKMARK' || as === 'object') return object;
  if (as === 'metadata') return { ...object, kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
    columnDefinitions: [],
    rows: [
      {
        cells: [],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
      },
    ],
  };
}

function isApiObject(object: ApiObject | JsonObject): object is ApiObject {
  return isObject(object.metadata) && typeof object.kind === 'string';
}
