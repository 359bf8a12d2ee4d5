import * as z from 'zod';
import type { ApiAnswer } from './api-call.js';

/** What the patcher reads of any object's JSON. */
export interface ApiObject {
  readonly kind?: string;
  readonly spec?: object;
  readonly metadata: {
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

const Answered = z.looseObject({
  kind: z.string(),
  spec: z.looseObject({}).optional(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string().min(1),
    generation: z.number().optional(),
    resourceVersion: z.string().optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});

const Deleted = z.looseObject({
  kind: z.literal('Status'),
  status: z.literal('Success'),
  details: z.looseObject({ name: z.string().optional(), uid: z.string().optional() }).optional(),
});

/** What an answer must be about to count as the API server's. */
export interface Expected {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The object that an answer with status 200 holds. A proxy, a login page or a cache may answer 200 as well,
 * with a page, nothing, a list, a `Status` or another object: none of them says what became of a request.
 *
 * @returns undefined when the body is not this object
 */
export function expectedObject(body: unknown, { kind, namespace, name }: Expected): ApiObject | undefined {
  const parsed = Answered.safeParse(body);
  if (!parsed.success || parsed.data.kind !== kind) return undefined;
  const { metadata } = parsed.data;
  if (metadata.name !== name || (metadata.namespace ?? '') !== namespace) return undefined;
  return body as ApiObject;
}

/** Whether an answer to a DELETE says so: it holds the object, or a `Status` that names it. */
export function isDeletion({ body }: ApiAnswer, expected: Expected, uid: string): boolean {
  const object = expectedObject(body, expected);
  if (object !== undefined) return object.metadata.uid === uid;
  const deleted = Deleted.safeParse(body);
  if (!deleted.success) return false;
  const { details } = deleted.data;
  return details?.name === expected.name && (details.uid === undefined || details.uid === uid);
}
