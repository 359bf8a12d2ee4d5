import { parse as parseYaml } from 'yaml';
import { isObject, type JsonObject } from '../json.js';
import type { Registry, WriteOptions } from '../registry/registry.js';
import { unsupported } from '../resources/field-errors.js';
import type { ClusterUser } from './access.js';
import { decodeMessage, unwrapProtobuf } from './protobuf.js';
import { protobufMessages } from './protobuf-messages.js';
import type { ResourceRequest } from './request-info.js';
import { badRequest, invalid, unsupportedMediaType } from './status-error.js';

/** An authenticated and authorised request for a resource. */
export interface ApiRequest extends ResourceRequest {
  readonly verb: string;
  readonly query: URLSearchParams;
  /** Media type without parameters, in lower case. */
  readonly contentType: string;
  readonly accept: string | undefined;
  readonly userAgent: string;
  readonly body: Buffer;
  readonly user: ClusterUser;
  readonly registry: Registry;
}

/** An answer in JSON (an object) or in plain text. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: JsonObject | string;
}

const optionsKinds: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
};

/** @throws StatusError 422 when `dryRun` is anything but `All` */
export function writeOptionsOf(request: ApiRequest, more: { readonly dryRun?: unknown } = {}): WriteOptions {
  const asked = Array.isArray(more.dryRun) ? more.dryRun : request.query.getAll('dryRun');
  const values = asked.filter((value) => value !== '');
  if (values.some((value) => value !== 'All')) {
    const named = { group: 'meta.k8s.io', plural: '', kind: optionsKinds[request.verb] ?? 'CreateOptions' };
    throw invalid(named, '', [unsupported('dryRun', values, ['All'])]);
  }
  const manager = request.query.get('fieldManager') || (request.userAgent.split('/')[0] ?? '') || 'unknown';
  return { manager, user: request.user.name, dryRun: values.length > 0 };
}

/**
 * The body as an object.
 *
 * @throws StatusError 400 when it is none, 415 for a type that is neither JSON, YAML nor a protobuf read here
 */
export function objectBody(request: ApiRequest): JsonObject {
  const { contentType, body, type } = request;
  if (contentType === 'application/vnd.kubernetes.protobuf') return protobufBody(body);
  const text = body.toString();
  const isYaml = contentType === 'application/yaml' || contentType === 'text/yaml';
  if (!isYaml && contentType !== '' && contentType !== 'application/json') {
    throw unsupportedMediaType([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ]);
  }
  const value = decoded(text, isYaml, (problem) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; json parse error: ${problem} (${text.slice(0, 60)})`,
    ),
  );
  if (!isObject(value))
    throw badRequest(`the object provided is unrecognized (must be of type ${type.kind})`);
  return value;
}

function protobufBody(body: Buffer): JsonObject {
  try {
    const { apiVersion, kind, raw } = unwrapProtobuf(body) ?? { apiVersion: '', kind: '', raw: body };
    const fields = protobufMessages[kind];
    if (fields !== undefined) return { apiVersion, kind, ...decodeMessage(raw, fields) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw unsupportedMediaType(['application/json', 'application/yaml']);
}

/** Parses JSON or YAML; a problem goes through `toError`, in Go's words for the common one. */
export function decoded(text: string, isYaml: boolean, toError: (problem: string) => Error): unknown {
  try {
    return isYaml ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const atEnd = /unexpected end|end of JSON|property name/i.test(message);
    throw toError(atEnd ? 'unexpected end of JSON input' : message);
  }
}
