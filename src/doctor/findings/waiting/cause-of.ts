import type { Examination } from '../rule.js';
import { type Block, blocksOf } from './block.js';
import { growthOf } from './scale-up.js';
import { idsIn } from './sentence.js';

/**
 * Causes that explain why pods find no node; each block has one, so that no two of them tell the same story.
 */
type WaitingCauseId =
  | 'waiting-for-autoscaler'
  | 'unsatisfiable-placement'
  | 'node-cordoned'
  | 'node-not-ready'
  | 'scale-up-pending'
  | 'capacity-contention'
  | 'insufficient-capacity';

/** The blocks that this cause explains; `undefined` when there are none. */
export function blocksFor(
  examination: Examination,
  cause: WaitingCauseId,
): readonly [Block, ...Block[]] | undefined {
  const [first, ...rest] = blocksOf(examination).filter((block) => causeOf(examination, block) === cause);
  return first === undefined ? undefined : [first, ...rest];
}

/** True where one of those causes explains the block. */
export function isExplained(examination: Examination, block: Block): boolean {
  return causeOf(examination, block) !== undefined;
}

function causeOf(examination: Examination, block: Block): WaitingCauseId | undefined {
  const { why, pods } = block;
  switch (why.kind) {
    case 'autoscaler':
      return 'waiting-for-autoscaler';
    case 'unsatisfiable':
      return 'unsatisfiable-placement';
    case 'cordoned':
      return 'node-cordoned';
    case 'not-ready':
      return 'node-not-ready';
    case 'neighbours':
      return 'capacity-contention';
    case 'held': {
      if (why.holding === undefined) return 'insufficient-capacity';
      const { byOwnRevision, culprits } = why.holding;
      if (byOwnRevision && growthOf(examination.snapshot, pods) !== undefined) return 'scale-up-pending';
      return culprits.length > 0 ? 'capacity-contention' : 'insufficient-capacity';
    }
    case 'unconfirmed':
      return bySentence(block);
  }
}

const shortages: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
  'extended-resource',
  'host-port',
  'max-volumes',
  'dra',
]);
const mismatches: ReadonlySet<string> = new Set(['node-affinity', 'taint', 'volume-affinity', 'volume-zone']);

/** What the scheduler alone says, where the engines cannot confirm it. */
function bySentence({ sentence }: Block): WaitingCauseId | undefined {
  const reasons = sentence === undefined ? [] : [...idsIn(sentence.message)];
  if (reasons.some((reason) => shortages.has(reason))) return 'insufficient-capacity';
  if (reasons.includes('cordoned')) return 'node-cordoned';
  return reasons.length > 0 && reasons.every((reason) => mismatches.has(reason))
    ? 'unsatisfiable-placement'
    : undefined;
}
