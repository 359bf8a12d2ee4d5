import { addOnAbove } from '../cluster/add-on-above.js';
import type { Snapshot } from '../cluster/snapshot.js';
import { bearsOn } from '../cluster/unread.js';
import type { Statement } from '../language/statement.js';
import type { AnyRule } from './rule.js';
import { waiting } from './waiting/text.js';

/** The same snapshot without what could not be read and cannot concern its workload. */
export function withWhatBears(snapshot: Snapshot): Snapshot {
  const unseen = snapshot.unseen.filter((each) => bearsOn(snapshot, each));
  return unseen.length === snapshot.unseen.length ? snapshot : { ...snapshot, unseen };
}

/**
 * An object that exists and does not parse may contain anything, so a rule that needs its kind proves nothing: the
 * statement that says so, for each such kind.
 */
export function malformedFor(
  { needs }: Pick<AnyRule, 'needs'>,
  { unseen }: Pick<Snapshot, 'unseen'>,
): readonly Statement[] {
  const malformed = unseen.filter(({ because }) => because === 'malformed').map(({ what }) => what);
  return needs.filter((what) => malformed.includes(what)).map((what) => waiting('malformed', { what }));
}

/** A workload of an add-on that could not be read may act on what it is made of: the statement that says so. */
export function unreadAbove({ workload, unseen }: Snapshot): readonly Statement[] {
  const kind = addOnAbove(workload);
  const unread = unseen.find(({ what }) => what === kind);
  return unread === undefined
    ? []
    : [waiting('owner-unread', { what: unread.what, because: unread.because })];
}
