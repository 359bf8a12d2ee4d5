import type { ResourceKind } from '../../cluster/cluster-objects.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { Statement } from '../../language/statement.js';
import { crash } from './text.js';

/** Kinds without which the end of a container can be misclassified. */
const telling = ['Pod', 'Node', 'Event'] as const satisfies readonly ResourceKind[];

/** True when objects of the kind that matter to the workload may exist but could not be read. */
export function isUnread({ unseen, workload }: Snapshot, kind: ResourceKind): boolean {
  const { namespace } = workload.metadata;
  return unseen.some(
    ({ what, namespace: where, because }) =>
      what === kind && because !== 'not-served' && (where === '' || where === namespace),
  );
}

/** The statement that weakens every crash finding; empty when everything was read. */
export function unreadOf(snapshot: Snapshot): Statement[] {
  const kinds = telling.filter((kind) => isUnread(snapshot, kind));
  return kinds.length === 0 ? [] : [crash('unread', { kinds })];
}
