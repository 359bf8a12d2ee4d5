import type { KnownBlock } from '@slack/types';
import type { Language } from '../../../core/language/language.js';
import type { Plan } from '../../../core/remediation/plan.js';
import { driftInFull } from '../../../core/survival/survival-text.js';
import { section, steps } from './blocks.js';
import type { Size } from './message.js';
import { reviewText } from './review-text.js';

/** What becomes of each changed field, and who decides it. Nothing where nobody else writes the workload. */
export function driftBlocks({ survival = [] }: Plan, language: Language, size: Size): KnownBlock[] {
  const text = reviewText[language];
  const owners = new Map(
    survival.flatMap(({ owner }) =>
      owner === undefined || owner.by === 'other' ? [] : [[JSON.stringify(owner), owner] as const],
    ),
  );
  const isLasting = survival.every(({ verdict }) => verdict.type === 'stays' && verdict.while === undefined);
  if (isLasting && owners.size === 0) return [];
  const managing = [...owners.values()].map(({ by, kind, namespace, name }) =>
    text.owner({ owner: by, object: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}` }),
  );
  return section(
    text.lasts({}),
    steps(
      [...managing, ...driftInFull(survival, language), ...(isLasting ? [] : [text['lasting-change']({})])],
      size,
      (count) => text.more({ count }),
      'bullet',
    ),
    size,
  );
}
