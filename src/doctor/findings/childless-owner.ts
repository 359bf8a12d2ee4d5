import { type KserveService, ownerName } from '../../engine/objects/inference-service.js';
import { redact } from '../redaction/redact.js';

/** An object that people name in place of its workloads, and that has none: what its controller reports. */
export interface ChildlessOwner {
  /** `isvc/llm` */
  readonly name: string;
  readonly namespace: string;
  /** Conditions that do not hold, as its controller writes them; foreign text, redacted. */
  readonly conditions: readonly {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** Conditions that say more than the first ones are rare. */
const maxConditions = 3;

export function childlessOwnerOf({ kind, metadata, status }: KserveService): ChildlessOwner {
  const failed = status.conditions.filter((each) => each.status === 'False');
  // The sum of the others repeats one of them.
  const specific = failed.filter(({ type }) => type !== 'Ready');
  return {
    name: ownerName({ kind, name: metadata.name }),
    namespace: metadata.namespace,
    conditions: (specific.length > 0 ? specific : failed)
      .slice(0, maxConditions)
      .map(({ type, reason, message }) => ({ type, reason, message: redact(message) })),
  };
}
