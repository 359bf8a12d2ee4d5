import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { boundText } from '../../../engine/language/text-scanning.js';

/** The alerts of one request. */
export interface ParsedAlerts {
  readonly alerts: readonly RawAlert[];
  /** How many more the request had; nobody reads them. */
  readonly dropped: number;
}

/**
 * Characters that are read of one text of an alert webhook; the rest gives way to `…`. Twice what is kept of
 * any.
 */
export const maxSenderText = 8_000;

/** A text of a sender, bounded before anything is matched in it. */
export const senderText = z.string().transform((text) => boundText(text, maxSenderText));

/** Fields or entries that are read of one map or list of a sender; three times what is kept of any. */
const maxSenderFields = 200;

/** The first fields of a map, or the first entries of a list; anything else as it is. */
export function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxSenderFields);
  if (typeof value !== 'object' || value === null) return value;
  // A list of all fields with their values would take longer than to parse them.
  const names = Object.keys(value).slice(0, maxSenderFields);
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]]));
}
