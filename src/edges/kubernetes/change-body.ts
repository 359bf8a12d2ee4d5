import * as z from 'zod';
import { fieldAt } from '../../doctor/fixes/field-at.js';
import { isAfter, otherFields } from '../../doctor/fixes/forecast-change.js';
import { nested } from '../../doctor/fixes/owner-target.js';
import { type ChangeRequest, canonicalJson, type FieldChange, type Plan } from '../../doctor/fixes/plan.js';
import { templateText, withoutHash } from '../../doctor/fixes/template-changes.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { hasInOrder } from '../../engine/language/text-scanning.js';
import { stepsOf } from '../../engine/owners/field-drift.js';
import { copiesAnnotations } from '../../engine/parents/parent-resource.js';
import type { ChangeOutcome } from '../../service/change/workload-patcher.js';
import { type ApiAnswer, type ApiCall, type ApiRequest, statusOf, unreadable } from './api-call.js';
import { objectPath } from './resource-paths.js';

/**
 * Marks the changed object, so that a repeated attempt knows the change was made. An object whose controller
 * copies its annotations into pod templates has no mark: there, the changed values show it (`madeOutcome`).
 */
export const approvalAnnotation = 'rollout-doctor.dev/approval';

/** A request that holds all its values, and the fields it is to write. */
export interface Resolved {
  readonly type: 'resolved';
  readonly request: Extract<ChangeRequest, { readonly verb: 'patch' | 'delete' }>;
  readonly changes: readonly FieldChange[];
}

interface ResolveOptions {
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Whether a template to restore, as canonical text, is the one that people approved. */
  readonly isReviewed: (template: string) => boolean;
}

/**
 * Fills in what a plan leaves to the moment of the change: the time of a restart, the template of a revision.
 */
export async function resolve(
  call: ApiCall,
  { target, request, changes }: Plan,
  { now, signal, isReviewed }: ResolveOptions,
): Promise<Resolved | ChangeOutcome> {
  switch (request.verb) {
    case 'patch':
    case 'delete':
      return { type: 'resolved', request, changes };
    case 'restart': {
      const at = `${now.toISOString().slice(0, 19)}Z`;
      const body = nested(stepsOf(changes[0]?.path ?? ''), at);
      return {
        type: 'resolved',
        request: { verb: 'patch', patchType: 'merge', body },
        changes: changes.map((change) => ({ ...change, after: at })),
      };
    }
    case 'restore-template': {
      const { kind, name, uid } = request.from;
      const read = await call({ path: objectPath(kind, target.namespace, name), signal });
      if (read.status === 404) return refused('gone', `${kind} ${name}`);
      if (read.status !== 200) return outcomeOf(read);
      const { namespace } = target;
      const found = expectedObject(read.body, { kind, namespace, name })?.metadata.uid;
      if (found === undefined)
        return { type: 'unreadable', because: 'malformed', message: `no such ${kind}` };
      if (found !== uid)
        return refused('stale', `${kind} ${name} has uid ${found}, the plan was made for ${uid}`);
      const template = templateIn(read.body);
      if (template === undefined) return refused('invalid', `${kind} ${name} holds no pod template`);
      if (!isReviewed(templateText(template))) {
        return refused('stale', `${kind} ${name} holds another pod template than the one reviewed`);
      }
      const body = [{ op: 'replace', path: '/spec/template', value: withoutHash(template) }];
      return { type: 'resolved', request: { verb: 'patch', patchType: 'json', body }, changes };
    }
  }
}

interface Revision {
  readonly spec?: { readonly template?: Template };
  readonly data?: { readonly spec?: { readonly template?: Template } };
}
type Template = Readonly<Record<string, unknown>>;

/** A ControllerRevision keeps its template as a strategic merge patch, with a directive that is no field. */
function templateIn(body: unknown): Template | undefined {
  const { spec, data } = body as Revision;
  const template = spec?.template ?? data?.spec?.template;
  if (template === undefined) return undefined;
  const { $patch: _directive, ...fields } = template;
  return fields;
}

/**
 * The request with our preconditions: the uid (a replaced object is refused with 422) and the resourceVersion
 * just read (a concurrent write is refused with 409).
 */
export function bodyOf(
  request: Resolved['request'],
  { kind, metadata }: ApiObject,
  { mark, dryRun }: { mark: string; dryRun: boolean },
): Pick<ApiRequest, 'method' | 'contentType' | 'body'> {
  const { uid, resourceVersion } = metadata;
  if (request.verb === 'delete') {
    return {
      method: 'DELETE',
      // The API server ignores the query's dryRun when a DELETE has a body (apiserver handlers/delete.go).
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, resourceVersion },
        ...(dryRun ? { dryRun: ['All'] } : {}),
      },
    };
  }
  const marks = request.subresource === undefined && !copiesAnnotations(kind ?? '');
  if (request.patchType === 'json') {
    return {
      method: 'PATCH',
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        ...(request.body as readonly unknown[]),
        ...(marks ? markOperations(metadata, mark) : []),
      ],
    };
  }
  const body = request.body as { readonly metadata?: object };
  const annotations = marks ? { annotations: { [approvalAnnotation]: mark } } : {};
  return {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { ...body, metadata: { ...body.metadata, uid, resourceVersion, ...annotations } },
  };
}

function markOperations({ annotations }: ApiObject['metadata'], mark: string): readonly unknown[] {
  const path = `/metadata/annotations/${approvalAnnotation.replace('/', '~1')}`;
  return [
    ...(annotations === undefined ? [{ op: 'add', path: '/metadata/annotations', value: {} }] : []),
    { op: 'add', path, value: mark },
  ];
}

/** The answers after which the object is as it was, or nobody knows. */
export type NotMade = Exclude<ChangeOutcome, { readonly type: 'accepted' }>;

/** What a refusal of the API server means for a change. */
export function outcomeOf(answer: ApiAnswer): NotMade {
  const { reason, message } = statusOf(answer.body);
  switch (answer.status) {
    case 403:
      return refused(isOfAdmission(message) ? 'admission' : 'forbidden', message);
    case 404:
      return refused('gone', message);
    case 409:
      return refused('stale', message);
    case 400:
      return refused(
        /dry run/i.test(message)
          ? 'unsupported'
          : /admission webhook/i.test(message)
            ? 'admission'
            : 'invalid',
        message,
      );
    case 422: {
      const replaced = /uid/i.test(message) && reason === 'Invalid' && /immutable/i.test(message);
      // A JSON patch whose `test` did not hold is answered so too (apiserver handlers/patch.go).
      const outdated = /^testing value \S+ failed/i.test(message) || /test failed$/i.test(message);
      return refused(replaced || outdated ? 'stale' : 'invalid', message);
    }
    default:
      return answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 401
        ? refused('invalid', message)
        : unreadable(answer);
  }
}

function isOfAdmission(message: string): boolean {
  const said = message.toLowerCase();
  return /admission|denied the request/.test(said) || hasInOrder(said, 'forbidden: ', 'polic');
}

/** A change that was not made, with the API's or our own words. */
export function refused(
  because: Extract<ChangeOutcome, { readonly type: 'refused' }>['because'],
  message: string,
): Extract<ChangeOutcome, { readonly type: 'refused' }> {
  return { type: 'refused', because, message };
}

/** What the patcher reads of any object's JSON. */
export interface ApiObject {
  readonly kind?: string;
  readonly spec?: object;
  readonly metadata: {
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
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
export type Expected = { readonly kind: string; readonly namespace: string; readonly name: string };

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

/** What reading the object of a plan came to. */
export type TargetRead =
  | { readonly type: 'read'; readonly current: ApiObject; readonly path: string }
  | { readonly type: 'gone' }
  | NotMade;

type Made = Extract<ChangeOutcome, { readonly type: 'accepted' }>;

/**
 * What an earlier request of this approval came to, as the object shows it; `undefined` where none was
 * carried out.
 *
 * @param mayBeSent an earlier request may have left. The status carries no mark, and others write the same
 *   values
 */
export function madeOutcome(
  approval: AuthenticApproval,
  read: TargetRead,
  mayBeSent: boolean,
): Made | undefined {
  const { request, target } = approval.plan;
  const deletes = request.verb === 'delete';
  if (read.type === 'gone') return deletes ? gone() : undefined;
  if (read.type !== 'read') return undefined;
  const { metadata } = read.current;
  if (
    metadata.annotations?.[approvalAnnotation] === approval.id ||
    wasMade(approval, read.current, mayBeSent)
  ) {
    return { type: 'accepted', generation: metadata.generation, mutated: [] };
  }
  const isLeaving = mayBeSent && metadata.deletionTimestamp !== undefined;
  return deletes && (metadata.uid !== target.uid || isLeaving) ? gone() : undefined;
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has
 * moved on since, and holds every planned value. Scale requests cannot carry the mark, so this is how they
 * are recognised.
 */
function wasMade({ plan, decisions }: AuthenticApproval, object: ApiObject, mayBeSent: boolean): boolean {
  const { target, changes, request } = plan;
  if (target.mustHold !== undefined) {
    // The controller leaves out what is false.
    const holds = changes.every((change) =>
      isAfter(change, fieldAt(object, change.path) ?? (change.after === false ? false : undefined)),
    );
    return mayBeSent && object.metadata.uid === target.uid && holds;
  }
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  if (uid !== target.uid || !movedOn || changes.length === 0) return false;
  if (request.verb !== 'restart' || !copiesAnnotations(target.kind))
    return otherFields(changes, object).length === 0;
  // The plan of a restart does not know the moment, which is stored in whole seconds.
  const approvedAt = Date.parse(decisions.at(-1)?.at ?? '');
  const restartedAt = fieldAt(object, changes[0]?.path ?? '');
  return typeof restartedAt === 'string' && Date.parse(restartedAt) > approvedAt - 1_000;
}

/** How the object is no longer the one that the plan was made for; `undefined` where it still is. */
export function staleness({ target }: Plan, object: ApiObject): string | undefined {
  const { uid, generation } = object.metadata;
  if (uid !== target.uid) return `uid is ${uid}, the plan was made for ${target.uid}`;
  if (target.generation !== undefined && generation !== target.generation) {
    return `generation is ${generation}, the plan was made for ${target.generation}`;
  }
  const other = target.mustHold?.find(
    ({ path, value }) => canonicalJson(fieldAt(object, path) ?? null) !== canonicalJson(value ?? null),
  );
  if (other === undefined) return undefined;
  const found = canonicalJson(fieldAt(object, other.path) ?? null);
  return `${other.path} is ${found}, the plan was made for ${canonicalJson(other.value ?? null)}`;
}

/** Deleting what is gone already is what was wanted. */
function gone(): Made {
  return { type: 'accepted', generation: undefined, mutated: [] };
}
