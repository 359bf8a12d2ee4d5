import type { Change, Incident } from '../../../core/incident/incident.js';
import type { Reversal } from '../../../core/incident/reversal.js';
import { type Prose, sentences } from '../../../core/language/prose.js';
import { workloadName } from './card-context.js';
import { cardRevertedText } from './card-reverted-text.js';

/** The reversal of a change that did not help because another client wrote over it. */
export function reversalIn({ verdict, reversal }: Change): Reversal | undefined {
  return verdict === 'unchanged' ? reversal : undefined;
}

export function revertedVerdict(incident: Incident, { by, isFormer }: Reversal): Prose {
  return cardRevertedText[incident.language].reverted({ workload: workloadName(incident), by, isFormer });
}

/** Which fields have other values, and which field manager wrote them. */
export function revertedOutcome({ language }: Incident, { paths, isFormer, by }: Reversal): Prose {
  const text = cardRevertedText[language];
  return sentences(
    text.fields({ paths, isFormer }),
    by === undefined ? [] : text.written({ manager: by.manager, at: by.at }),
  );
}
