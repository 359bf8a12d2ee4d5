import type { Statement } from '../../engine/language/statement.js';
import type { CauseId } from './cause-id.js';

/** What workloads of one cause have in common, as a clause; every cause has it among its sentences. */
export function sharedFailure(cause: CauseId): Statement {
  return { catalogue: cause, key: 'shared-failure', values: {} };
}
