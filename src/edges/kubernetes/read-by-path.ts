import { type ResourceKind, schemas } from '../../engine/objects/cluster-objects.js';
import { type ApiCall, notUnderstood, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';

/**
 * Reads one whole object, where `Gathering.get` would ask for another version or for the metadata alone. An
 * object that does not exist is not kept, and a failure ends in `unseen`.
 */
export async function readByPath(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss'>,
  {
    kind,
    namespace,
    path,
  }: { readonly kind: ResourceKind; readonly namespace: string; readonly path: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await call({ path, signal });
    if (answer.status === 404) return;
    const parsed = answer.status === 200 ? schemas[kind].safeParse(answer.body) : undefined;
    if (parsed?.success === true) gathering.keep(kind, [parsed.data]);
    else gathering.miss(kind, namespace, parsed === undefined ? unreadable(answer) : notUnderstood(kind));
  } catch (error) {
    gathering.miss(kind, namespace, unanswered(error));
  }
}
