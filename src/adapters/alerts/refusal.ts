import type { Language } from '../../core/language/language.js';
import type { Prose } from '../../core/language/prose.js';
import { type RefusalShapes, refusalText } from './refusal-text.js';

/** Why a request is refused. The closed list is also the label of a metric. */
const refusalReasons = [
  'unknown-path',
  'method',
  'unauthorized',
  'signature',
  'content-type',
  'encoding',
  'too-large',
  'overloaded',
  'incomplete',
  'json',
  'schema',
  'unavailable',
  'failed-inside',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A refused request: the status, the reason, and a sentence for the person who configures the sender. */
export interface RequestRefusal {
  readonly type: 'refused';
  readonly status: 400 | 401 | 404 | 405 | 413 | 415 | 500 | 503;
  readonly reason: RefusalReason;
  readonly sentence: (language: Language) => Prose;
}

export function refuse<Key extends keyof RefusalShapes>(
  status: RequestRefusal['status'],
  reason: RefusalReason,
  key: Key,
  values: RefusalShapes[Key],
): RequestRefusal {
  return { type: 'refused', status, reason, sentence: (language) => refusalText[language][key](values) };
}
