import { arithmeticCatalogueId, arithmeticText } from './arithmetic/text.js';
import { crashesCatalogueId, crashesText } from './crashes/text.js';
import { deadlockText } from './deadlock/text.js';
import { waitingText } from './waiting/text.js';

/** The sentences that several causes share, by the id of the family that owns them. */
export const familyTexts = {
  [arithmeticCatalogueId]: arithmeticText,
  [crashesCatalogueId]: crashesText,
  deadlock: deadlockText,
  waiting: waitingText,
} as const;
