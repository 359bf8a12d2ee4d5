import type { Statement } from '../../../engine/language/statement.js';
import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import { crash } from './text.js';

/** Kinds without which the end of a container can be misclassified. */
const telling = ['Pod', 'Node', 'Event'] as const satisfies readonly ResourceKind[];

/** The statement that weakens every crash finding; empty when everything was read. */
export function unreadStatements(snapshot: Snapshot): Statement[] {
  const kinds = telling.filter((kind) => isUnreadNearby(snapshot, kind));
  return kinds.length === 0 ? [] : [crash('unread', { kinds })];
}
