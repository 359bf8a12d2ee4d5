import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { resourcePaths } from '#src/edges/kubernetes/resource-paths.js';
import { isResourceKind, modelKindOf } from '#src/engine/objects/cluster-objects.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';

export interface ServedCluster {
  readonly connection: { readonly name: string; readonly call: ReturnType<typeof createApiCall> };
  readonly url: string;
  /** Path and query of every request, in the order of arrival. */
  readonly requests: readonly string[];
  /** The most requests that were unanswered at one moment. */
  readonly mostAtOnce: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Serves objects by HTTP as an API server does: lists by namespace, one label and the field selectors of
 * diagnoses, and single objects.
 *
 * @param objects served as they are at the time of a request
 * @param refuse may answer a request in another way, or never, and then returns true
 * @param version of the lists
 */
export async function serveCluster(
  objects: readonly ApiObject[],
  refuse: (url: URL, response: ServerResponse) => boolean = () => false,
  version: () => number = () => 100,
): Promise<ServedCluster> {
  const requests: string[] = [];
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '/');
    running += 1;
    most = Math.max(most, running);
    response.on('close', () => {
      running -= 1;
    });
    const url = new URL(request.url ?? '/', 'http://cluster');
    if (refuse(url, response)) return;
    // A short delay, so that requests overlap.
    setTimeout(() => answer(objects, version(), url, response), 3);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = createApiCall({
    getCurrentCluster: () => ({ name: 'served', server: address, skipTLSVerify: true }),
    getCurrentUser: () => null,
  });
  return {
    connection: { name: 'served', call },
    url: address,
    requests,
    mostAtOnce: () => most,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(
  objects: readonly ApiObject[],
  version: number,
  { pathname, searchParams }: URL,
  response: ServerResponse,
): void {
  const [, group = '', namespace, plural = '', name] =
    /^\/apis?\/(?:([^/]+)\/)??v\d\w*(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      pathname,
    ) ?? [];
  const selected = objects.filter(
    (object) =>
      isServedAs(object, group, plural) &&
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (name === undefined || object.metadata.name === name) &&
      isSelected(object, searchParams),
  );
  response.setHeader('content-type', 'application/json');
  if (name === undefined) {
    response.end(JSON.stringify({ metadata: { resourceVersion: String(version) }, items: selected }));
  } else if (selected[0] === undefined) {
    response.writeHead(404).end('{"kind":"Status"}');
  } else {
    response.end(JSON.stringify(selected[0]));
  }
}

function isServedAs({ kind, apiVersion }: ApiObject, group: string, plural: string): boolean {
  const known = modelKindOf(kind, apiVersion);
  if (!isResourceKind(known)) return false;
  const path = resourcePaths[known];
  return path.plural === plural && path.group === group;
}

function isSelected({ metadata, spec }: ApiObject, searchParams: URLSearchParams): boolean {
  const [, label, value] = /^([^=,!]+)=([^=,]+)$/.exec(searchParams.get('labelSelector') ?? '') ?? [];
  if (label !== undefined && metadata.labels?.[label] !== value) return false;
  const [, among, values = ''] =
    /^([^=,! ]+) in \(([^)]*)\)$/.exec(searchParams.get('labelSelector') ?? '') ?? [];
  if (among !== undefined && !values.split(',').includes(metadata.labels?.[among] ?? '')) return false;
  const fields = searchParams.get('fieldSelector') ?? '';
  const wantedName = /metadata\.name=([^,]+)/.exec(fields)?.[1];
  if (wantedName !== undefined && metadata.name !== wantedName) return false;
  const nodeName = /spec\.nodeName=([^,]*)/.exec(fields)?.[1];
  return nodeName === undefined || ((spec as { readonly nodeName?: string }).nodeName ?? '') === nodeName;
}
