import type { ResourceKind } from '../../cluster/cluster-objects.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { isUnreadNearby } from '../../cluster/unread.js';
import type { Statement } from '../../language/statement.js';
import { crash } from './text.js';

/** Kinds without which the end of a container can be misclassified. */
const telling = ['Pod', 'Node', 'Event'] as const satisfies readonly ResourceKind[];

/** The statement that weakens every crash finding; empty when everything was read. */
export function unreadStatements(snapshot: Snapshot): Statement[] {
  const kinds = telling.filter((kind) => isUnreadNearby(snapshot, kind));
  return kinds.length === 0 ? [] : [crash('unread', { kinds })];
}
