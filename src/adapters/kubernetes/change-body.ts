import { nested } from '../../core/remediation/owner-target.js';
import type { ChangeRequest, FieldChange, Plan } from '../../core/remediation/plan.js';
import { templateText } from '../../core/remediation/restored-template.js';
import { withoutHash } from '../../core/remediation/template-changes.js';
import { stepsOf } from '../../core/survival/field-path.js';
import { copiesAnnotations } from '../../core/top-owner/top-owner.js';
import type { ChangeOutcome } from '../../usecases/change/workload-patcher.js';
import type { ApiCall, ApiRequest } from './api-call.js';
import { outcomeOf, refused } from './change-outcome.js';
import { type ApiObject, expectedObject } from './expected-object.js';
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

export interface ResolveOptions {
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
  { mark, dryRun }: { readonly mark: string; readonly dryRun: boolean },
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
