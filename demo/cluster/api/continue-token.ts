import { isObject } from '../json.js';
import { badRequest } from './status-error.js';

/** Where a list goes on: behind `start`, in the state of that revision, or in today's when there is none. */
export interface ContinueToken {
  readonly revision: number | undefined;
  readonly start: string;
  /** Epoch milliseconds of the page that gave it. */
  readonly issuedAt: number;
}

/** Etcd is compacted every five minutes; a token lives as long. */
export const continueTokenLifeMs = 5 * 60_000;

export function encodeContinue({ revision, start, issuedAt }: ContinueToken): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision ?? -1, start, at: issuedAt });
  return Buffer.from(text).toString('base64url');
}

/** @throws StatusError 400 */
export function decodeContinue(token: string): ContinueToken {
  const value = parsed(Buffer.from(token, 'base64url').toString());
  const { v, rv, start, at } = isObject(value) ? value : {};
  if (
    v !== 'meta.k8s.io/v1' ||
    typeof rv !== 'number' ||
    typeof start !== 'string' ||
    typeof at !== 'number'
  ) {
    throw badRequest(
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  return { revision: rv < 0 ? undefined : rv, start, issuedAt: at };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(
      'invalid continue token: continue key is not valid: invalid character looking for beginning of value',
    );
  }
}
