import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../json.js';
import type { Registry } from '../registry/registry.js';
import { type ClusterUser, everything, isAllowed, refusalText } from './access.js';
import { reviewAccess } from './access-review.js';
import type { ApiAnswer, ApiRequest } from './api-request.js';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  groups,
  typesOf,
} from './discovery.js';
import type { Faults } from './faults.js';
import { isTrue } from './list-options.js';
import {
  createOne,
  deleteCollection,
  deleteOne,
  getObject,
  listCollection,
  patchOne,
  replaceOne,
} from './object-verbs.js';
import { openApiDocument, openApiIndex } from './openapi.js';
import { type ContainerLogs, podLog } from './pod-log.js';
import { bindPod, evictPod } from './pod-subresources.js';
import { parseResourcePath } from './request-info.js';
import { scaleSubresource } from './scale.js';
import { forbidden, methodNotAllowed, pathNotFound, StatusError, unauthorized } from './status-error.js';
import { streamWatch } from './watch-stream.js';

export interface AnsweringDeps {
  readonly registry: Registry;
  readonly faults: Faults;
  readonly logs: ContainerLogs;
  /** By token. */
  readonly users: ReadonlyMap<string, ClusterUser>;
  /** Who a request without credentials is; `undefined` answers it with 401. */
  readonly anonymous: ClusterUser | undefined;
  readonly version: JsonObject;
  /** Called once for each request that was authenticated, before it is carried out. */
  readonly observe: (request: ObservedRequest) => void;
}

/** What tests see of a request. */
export interface ObservedRequest {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly query: string;
  readonly body: string;
}

export async function answer(
  deps: AnsweringDeps,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://cluster');
  if (['/healthz', '/readyz', '/livez'].includes(url.pathname)) {
    send(response, { status: 200, body: 'ok' });
    return;
  }
  const user = authenticate(deps, incoming);
  const path = parseResourcePath(url.pathname);
  if (path === undefined) {
    send(response, { status: 200, body: describeServer(deps, incoming, url.pathname) });
    return;
  }
  if (path === 'unknown') throw pathNotFound();
  const request: ApiRequest = {
    ...path,
    verb: verbOf(incoming.method ?? 'GET', path.name, url.searchParams),
    query: url.searchParams,
    contentType: (incoming.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    accept: incoming.headers.accept,
    userAgent: incoming.headers['user-agent'] ?? '',
    body,
    user,
    registry: deps.registry,
  };
  const passed = await passFaults(deps, request, response);
  if (!passed.goesOn) return;
  authorize(request);
  if (request.verb === 'watch') {
    streamWatch(request, incoming, response);
    return;
  }
  const result = dispatch(deps, request);
  if (passed.answer instanceof StatusError) throw passed.answer;
  if (passed.answer === 'lost') response.destroy();
  else if (passed.answer === 'sent') send(response, result);
}

function dispatch(deps: AnsweringDeps, request: ApiRequest): ApiAnswer {
  const { type, verb, subresource } = request;
  if (type.isReview) {
    if (verb !== 'create') throw methodNotAllowed();
    return reviewAccess(request);
  }
  switch (subresource) {
    case 'log':
      if (verb !== 'get') throw methodNotAllowed();
      return podLog(request, deps.logs);
    case 'scale':
      if (!['get', 'update', 'patch'].includes(verb)) throw methodNotAllowed();
      return scaleSubresource(request);
    case 'eviction':
    case 'binding':
      if (verb !== 'create') throw methodNotAllowed();
      return subresource === 'eviction' ? evictPod(request) : bindPod(request);
    case 'status':
    case 'finalize':
      if (!['get', 'update', 'patch'].includes(verb)) throw methodNotAllowed();
      break;
    case '':
      if (verb === 'create' && request.name !== '') throw methodNotAllowed();
  }
  const handlers: Readonly<Record<string, (request: ApiRequest) => ApiAnswer>> = {
    get: getObject,
    list: listCollection,
    create: createOne,
    update: replaceOne,
    patch: patchOne,
    delete: deleteOne,
    deletecollection: deleteCollection,
  };
  const handler = handlers[verb];
  if (handler === undefined) throw methodNotAllowed();
  return handler(request);
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  switch (method) {
    case 'GET':
      if (isTrue(query.get('watch'))) return 'watch';
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return name === '' ? 'none' : 'update';
    case 'PATCH':
      return name === '' ? 'none' : 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return 'none';
  }
}

/** Bearer tokens, and impersonation for who may do everything. @throws StatusError 401, 403 */
function authenticate({ users, anonymous }: AnsweringDeps, { headers }: IncomingMessage): ClusterUser {
  const { authorization } = headers;
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const user = authorization === undefined ? anonymous : users.get(token ?? '');
  if (user === undefined) throw unauthorized();
  const impersonated = headers['impersonate-user'];
  if (typeof impersonated !== 'string') return user;
  if (!user.rules.includes(everything)) {
    const named = { group: '', plural: 'users', kind: 'User' };
    const because = `User "${user.name}" cannot impersonate resource "users" in API group "" at the cluster scope`;
    throw forbidden(named, impersonated, because);
  }
  const known = [...users.values()].find(({ name }) => name === impersonated);
  return known ?? { name: impersonated, groups: ['system:authenticated'], token: '', rules: [] };
}

function authorize({ user, type, verb, namespace, name, subresource }: ApiRequest): void {
  if (type.isReview || verb === 'none') return;
  const request = { verb, group: type.group, resource: type.plural, subresource, namespace, name };
  if (!isAllowed(user.rules, request)) throw forbidden(type, name, refusalText(user.name, request));
}

/** What becomes of the answer to a request that is carried out. */
type Fate = 'sent' | 'lost' | 'withheld' | StatusError;

async function passFaults(
  { faults, observe }: AnsweringDeps,
  request: ApiRequest,
  response: ServerResponse,
): Promise<{ readonly goesOn: boolean; readonly answer: Fate }> {
  const { verb, type, subresource, namespace, name, user, query, body } = request;
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`;
  observe({
    verb,
    resource,
    namespace,
    name,
    user: user.name,
    query: query.toString(),
    body: body.toString(),
  });
  const struck = {
    verb,
    resource,
    namespace,
    name,
    user: user.name,
    dryRun: query.has('dryRun'),
    continued: query.has('continue'),
  };
  const effects = faults.strike(struck, [
    'delay',
    'status',
    'hang',
    'reset',
    'lose-answer',
    'withhold-answer',
    'garbage',
  ]);
  let fate: Fate = 'sent';
  for (const effect of effects) {
    switch (effect.type) {
      case 'delay':
        await delay(effect.ms, undefined, { ref: false });
        break;
      case 'status': {
        const {
          code,
          reason = reasonOf(code),
          message = `the server answers with ${code}`,
          retryAfterSeconds,
        } = effect;
        const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
        const status = new StatusError(code, reason, message, details, retryAfterSeconds);
        if (effect.isDone !== true) throw status;
        fate = status;
        break;
      }
      case 'hang':
        return { goesOn: false, answer: fate };
      case 'reset':
        response.destroy();
        return { goesOn: false, answer: fate };
      case 'lose-answer':
        fate = 'lost';
        break;
      case 'withhold-answer':
        fate = 'withheld';
        break;
      case 'garbage':
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end('<html>not what you asked for</html>');
        return { goesOn: false, answer: fate };
    }
  }
  return { goesOn: true, answer: fate };
}

function reasonOf(code: number): string {
  const reasons: Readonly<Record<number, string>> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    409: 'Conflict',
    410: 'Expired',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  };
  return reasons[code] ?? '';
}

/** Discovery, version and OpenAPI. @throws StatusError 404 */
function describeServer(
  { version }: AnsweringDeps,
  { headers }: IncomingMessage,
  pathname: string,
): JsonObject {
  const wantsAggregated = (headers.accept ?? '').includes('as=APIGroupDiscoveryList');
  if (pathname === '/version') return version;
  if (pathname === '/api')
    return wantsAggregated ? aggregatedDiscovery(true) : apiVersions(headers.host ?? '');
  if (pathname === '/apis') return wantsAggregated ? aggregatedDiscovery(false) : apiGroupList();
  if (pathname === '/openapi/v3') return openApiIndex();
  const document = /^\/openapi\/v3\/(api|apis)\/([^/]+)(?:\/([^/]+))?$/.exec(pathname);
  const listed = /^\/(api|apis)\/([^/]+)(?:\/([^/]+))?$/.exec(pathname);
  const match = document ?? listed;
  if (match === null) throw pathNotFound();
  const [, root, first = '', second] = match;
  const [group, apiVersion] = root === 'api' ? ['', first] : [first, second];
  if (!groups.includes(group)) throw pathNotFound();
  if (apiVersion === undefined) return apiGroup(group);
  if (typesOf(group, apiVersion).length === 0) throw pathNotFound();
  return document === null ? apiResourceList(group, apiVersion) : openApiDocument(group, apiVersion);
}

function send(response: ServerResponse, { status, body }: ApiAnswer): void {
  if (typeof body === 'string') {
    response.writeHead(status, { 'Content-Type': 'text/plain' });
    response.end(body);
    return;
  }
  const aggregated = body.kind === 'APIGroupDiscoveryList';
  const parameters = aggregated ? ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' : '';
  response.writeHead(status, { 'Content-Type': `application/json${parameters}` });
  response.end(`${JSON.stringify(body)}\n`);
}
