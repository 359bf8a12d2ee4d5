import { withoutStatedSecrets } from '../../doctor/findings/without-secrets.js';
import { type State, type Statement, statementsOf } from '../../engine/language/statement.js';
import type { noticesEn } from './notices-en.js';

export const noticesCatalogue = 'notices';
const plainNotice = statementsOf<typeof noticesEn>(noticesCatalogue);

/**
 * What a person is told when something is not done, and what an incident says when a diagnosis or a change
 * fails. What an API server or a webhook said in it is kept without its secrets.
 */
export const notice: State<typeof noticesEn> = (key, ...values) =>
  withoutStatedSecrets(plainNotice(key, ...values));

/** A refusal with its reason. */
export function refuse<Key extends keyof typeof noticesEn>(
  key: Key,
  ...values: Parameters<(typeof noticesEn)[Key]>
): { readonly type: 'refused'; readonly because: Statement } {
  return { type: 'refused', because: notice(key, ...values) };
}
