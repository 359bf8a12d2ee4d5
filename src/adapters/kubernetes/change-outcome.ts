import { hasInOrder } from '../../core/language/text-scanning.js';
import type { ChangeOutcome } from '../../usecases/change/workload-patcher.js';
import { type ApiAnswer, statusOf, unreadable } from './api-call.js';

/** The answers after which the object is as it was, or nobody knows. */
export type NotMade = Exclude<ChangeOutcome, { readonly type: 'accepted' }>;

/** What a refusal of the API server means for a change. */
export function outcomeOf(answer: ApiAnswer): NotMade {
  const { reason, message } = statusOf(answer.body);
  switch (answer.status) {
    case 403:
      return refused(isOfAdmission(message) ? 'admission' : 'forbidden', message);
    case 404:
      return refused('gone', message);
    case 409:
      return refused('stale', message);
    case 400:
      return refused(
        /dry run/i.test(message)
          ? 'unsupported'
          : /admission webhook/i.test(message)
            ? 'admission'
            : 'invalid',
        message,
      );
    case 422: {
      const replaced = /uid/i.test(message) && reason === 'Invalid' && /immutable/i.test(message);
      // A JSON patch whose `test` did not hold is answered so too (apiserver handlers/patch.go).
      const outdated = /^testing value \S+ failed/i.test(message) || /test failed$/i.test(message);
      return refused(replaced || outdated ? 'stale' : 'invalid', message);
    }
    default:
      return answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 401
        ? refused('invalid', message)
        : unreadable(answer);
  }
}

function isOfAdmission(message: string): boolean {
  const said = message.toLowerCase();
  return /admission|denied the request/.test(said) || hasInOrder(said, 'forbidden: ', 'polic');
}

/** A change that was not made, with the API's or our own words. */
export function refused(
  because: Extract<ChangeOutcome, { readonly type: 'refused' }>['because'],
  message: string,
): Extract<ChangeOutcome, { readonly type: 'refused' }> {
  return { type: 'refused', because, message };
}
