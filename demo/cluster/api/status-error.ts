import type { JsonObject } from '../json.js';

/** What the functions below need to know of a resource. */
export interface Named {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

type FieldErrorType = 'Required' | 'Invalid' | 'Forbidden' | 'NotSupported' | 'Duplicate' | 'NotFound';

/** One refused field (apimachinery `field.Error`). */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: unknown;
  readonly detail?: string;
}

/** An answer other than success: a `metav1.Status` and the headers that go with it. */
export class StatusError extends Error {
  readonly status: JsonObject;
  readonly code: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: number,
    reason: string,
    message: string,
    more: JsonObject = {},
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...more,
      code,
    };
  }
}

/** `deployments.apps`, `pods`. */
function groupResource({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function detailsOf(named: Named, name: string, more: JsonObject = {}): JsonObject {
  const { group, plural } = named;
  return {
    details: {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      kind: plural,
      ...more,
    },
  };
}

export function notFound(named: Named, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${groupResource(named)} "${name}" not found`,
    detailsOf(named, name),
  );
}

/** The path leads nowhere: an unknown group, version or resource. */
export function pathNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {
    details: {},
  });
}

export function alreadyExists(named: Named, name: string): StatusError {
  const message = `${groupResource(named)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(named, name));
}

export function conflict(named: Named, name: string, because: string): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResource(named)} "${name}": ${because}`;
  return new StatusError(409, 'Conflict', message, detailsOf(named, name));
}

export const objectModified =
  'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(named: Named, name: string, because: string): StatusError {
  const subject = name === '' ? groupResource(named) : `${groupResource(named)} "${name}"`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${because}`, detailsOf(named, name));
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, { details: {} });
}

export function notAcceptable(available: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', message, { details: {} });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** A PATCH with a content type that is none of the patch formats. */
export function unsupportedPatchType(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
}

/** Preconditions of a deletion name the kind where other conflicts name the resource. */
export function failedPrecondition(named: Named, name: string, because: string): StatusError {
  return conflict({ ...named, plural: named.kind }, name, because);
}

export function expired(message: string, more: JsonObject = {}): StatusError {
  return new StatusError(410, 'Expired', message, more);
}

export function tooLargeResourceVersion(asked: number, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError(504, 'Timeout', message, { details: { causes, retryAfterSeconds: 1 } }, 1);
}

export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  details: JsonObject = {},
): StatusError {
  const more = { details: { ...details, ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}) } };
  return new StatusError(
    429,
    'TooManyRequests',
    message,
    more,
    retryAfterSeconds > 0 ? retryAfterSeconds : undefined,
  );
}

/** The server understood a JSON patch and could not carry it out. */
export function unprocessable(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, { details: {} });
}

/** 422 with one cause for each refused field. */
export function invalid(named: Named, name: string, errors: readonly FieldError[]): StatusError {
  const group = named.group === '' ? '' : `.${named.group}`;
  const texts = errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = errors.map((error) => ({
    reason: `FieldValue${error.type}`,
    message: fieldErrorBody(error),
    field: error.field,
  }));
  return new StatusError(422, 'Invalid', `${named.kind}${group} "${name}" is invalid: ${all}`, {
    details: {
      ...(name === '' ? {} : { name }),
      ...(named.group === '' ? {} : { group: named.group }),
      kind: named.kind,
      causes,
    },
  });
}

/** `Invalid value: 0: may not be …` (`field.Error.ErrorBody`). */
function fieldErrorBody({ type, value, detail }: FieldError): string {
  const says = detail === undefined || detail === '' ? '' : `: ${detail}`;
  switch (type) {
    case 'Required':
      return `Required value${says}`;
    case 'Forbidden':
      return `Forbidden${says}`;
    case 'Duplicate':
      return `Duplicate value: ${JSON.stringify(value ?? null)}${says}`;
    case 'NotFound':
      return `Not found: ${JSON.stringify(value ?? null)}${says}`;
    case 'NotSupported':
      return `Unsupported value: ${JSON.stringify(value ?? '')}${says}`;
    case 'Invalid':
      return `Invalid value: ${JSON.stringify(value ?? null)}${says}`;
  }
}
