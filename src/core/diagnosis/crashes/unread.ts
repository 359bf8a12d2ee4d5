import type { ResourceKind } from '../../cluster/cluster-objects.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { Statement } from '../../language/statement.js';
import { crash } from './text.js';

/** Kinds without which an end of a container can be taken for another. */
const telling = ['Pod', 'Node', 'Event'] as const satisfies readonly ResourceKind[];

/** True where objects of the kind may exist that bear on the workload and could not be read. */
export function isUnread({ unseen, workload }: Snapshot, kind: ResourceKind): boolean {
  const { namespace } = workload.metadata;
  return unseen.some(
    ({ what, namespace: where, because }) =>
      what === kind && because !== 'not-served' && (where === '' || where === namespace),
  );
}

/** What weakens every finding about a crash, as one statement; none where all was read. */
export function unreadOf(snapshot: Snapshot): Statement[] {
  const kinds = telling.filter((kind) => isUnread(snapshot, kind));
  return kinds.length === 0 ? [] : [crash('unread', { kinds })];
}
