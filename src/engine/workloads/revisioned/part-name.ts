import { dynamoLabels } from '../../objects/dynamo-graph-deployment.js';
import type { ObjectMeta } from '../../objects/metadata.js';
import { rayLabels } from '../../objects/ray-service.js';
import type { Immutable } from '../../objects/wire.js';

/**
 * The part of a revision that an object belongs to: a group of Ray, a component of Dynamo; '' where revisions
 * have one.
 */
export function partNameOf({
  metadata,
}: {
  readonly metadata: Pick<Immutable<ObjectMeta>, 'labels'>;
}): string {
  return metadata.labels[rayLabels.group] ?? metadata.labels[dynamoLabels.component] ?? '';
}
