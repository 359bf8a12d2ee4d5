import type { MovedSentences } from '../../engine/language/catalogue.js';
import { arithmeticCatalogueId, arithmeticText } from './arithmetic.js';
import { probeKillText } from './crashes/probe-kill.js';
import { crashesCatalogueId, crashesText } from './crashes/text.js';
import { strategiesText } from './deadlock/strategies-text.js';
import { deadlockText } from './deadlock/text.js';
import { endingsText } from './endings/text.js';
import { escapesCatalogueId } from './escapes/contract.js';
import { escapes, sentencesOf } from './escapes/index.js';
import { queueText } from './queue-facts.js';
import { creationText } from './refused-creation.js';
import { waitingText } from './waiting/text.js';

/** The sentences that several causes share, by the id of the family that owns them. */
export const familyTexts = {
  [arithmeticCatalogueId]: arithmeticText,
  [crashesCatalogueId]: crashesText,
  'probe-kill': probeKillText,
  creation: creationText,
  endings: endingsText,
  deadlock: deadlockText,
  [escapesCatalogueId]: sentencesOf(escapes),
  queue: queueText,
  strategies: strategiesText,
  waiting: waitingText,
} as const;

/**
 * Where sentences stand that a cause owned in the previous version: by the former catalogue, the one that has
 * them now, under the same key. A card of that version is rendered again after an upgrade.
 */
export const movedSentences: MovedSentences = {
  'surge-deadlock': ['strategies', 'deadlock', escapesCatalogueId],
  'quota-deadlock': ['deadlock', escapesCatalogueId],
  'queue-deadlock': [escapesCatalogueId],
  'volume-attach-deadlock': [escapesCatalogueId],
  deadlock: [escapesCatalogueId],
  waiting: [escapesCatalogueId],
};
