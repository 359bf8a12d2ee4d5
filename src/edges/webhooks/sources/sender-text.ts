import * as z from 'zod';
import { boundText } from '../../../engine/language/bound-text.js';

/**
 * Characters that are read of one text of an alert webhook; the rest gives way to `…`. Twice what is kept of
 * any.
 */
export const maxSenderText = 8_000;

/** A text of a sender, bounded before anything is matched in it. */
export const senderText = z.string().transform((text) => boundText(text, maxSenderText));
