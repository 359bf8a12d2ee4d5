import type { ChangeOutcome } from '../../usecases/ports.js';
import { type ApiAnswer, statusOf, unreadable } from './api-call.js';

/** What a refusal of the API server means for a change. */
export function outcomeOf(answer: ApiAnswer): ChangeOutcome {
  const { reason, message } = statusOf(answer.body);
  switch (answer.status) {
    case 403:
      return refused(
        /admission|denied the request|forbidden: .*polic/i.test(message) ? 'admission' : 'forbidden',
        message,
      );
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
      const outdated = /^testing value \S+ failed|test failed$/i.test(message);
      return refused(replaced || outdated ? 'stale' : 'invalid', message);
    }
    default:
      return answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 401
        ? refused('invalid', message)
        : unreadable(answer);
  }
}

/** A change that was not made, with the API's or our own words. */
export function refused(
  because: Extract<ChangeOutcome, { readonly type: 'refused' }>['because'],
  message: string,
): ChangeOutcome {
  return { type: 'refused', because, message };
}
