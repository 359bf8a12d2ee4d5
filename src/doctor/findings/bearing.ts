import type { Statement } from '../../engine/language/statement.js';
import { addOnAbove } from '../../engine/objects/add-on-above.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { bearsOn } from '../../engine/objects/unread.js';
import type { Finding } from './finding.js';
import type { AnyRule } from './rule.js';
import { waiting } from './waiting/text.js';

/**
 * The same snapshot without what could not be read and cannot concern its workload. Objects of which some
 * fields are not known were read: `incompleteFor` states the doubt for every rule alike.
 */
export function withWhatBears(snapshot: Snapshot): Snapshot {
  const unseen = snapshot.unseen.filter(
    (each) => each.because !== 'partly-recorded' && bearsOn(snapshot, each),
  );
  if (unseen.length === snapshot.unseen.length) return snapshot;
  const unrecorded = snapshot.unseen.filter((each) => each.fields !== undefined && bearsOn(snapshot, each));
  return { ...snapshot, unseen, ...(unrecorded.length > 0 && { unrecorded }) };
}

/**
 * An object that exists and does not parse may contain anything, and so may a field that was not recorded. A
 * rule that needs such a kind proves nothing: the statement that says so, for each of them.
 */
export function incompleteFor(
  { needs }: Pick<AnyRule, 'needs'>,
  snapshot: Pick<Snapshot, 'workload' | 'unseen'>,
): readonly Statement[] {
  const { workload } = snapshot;
  const unseen = snapshot.unseen.filter((each) => bearsOn(snapshot, each));
  // Every rule reads the workload itself.
  const read = unseen.some(({ what, fields }) => what === workload.kind && fields !== undefined)
    ? new Set([...needs, workload.kind])
    : needs;
  return [...read].flatMap((what) => {
    const ofKind = unseen.filter((each) => each.what === what);
    const fields = [...new Set(ofKind.flatMap((each) => each.fields ?? []))];
    return [
      ...(ofKind.some(({ because }) => because === 'malformed') ? [waiting('malformed', { what })] : []),
      ...(fields.length > 0 ? [waiting('partly-recorded', { what, fields })] : []),
      ...(ofKind.some(({ assumed = [] }) => assumed.length > 0) ? [waiting('assumed-apart')] : []),
    ];
  });
}

/**
 * Text holds no Leases and no logs, for example. A rule that explains a finding better and needs such a kind
 * was not answered: the finding is not the only answer.
 */
export function betterUnread(
  { cause, ruledOut }: Pick<Finding, 'cause' | 'ruledOut'>,
  rules: readonly AnyRule[],
  { workload, unseen }: Snapshot,
): readonly Statement[] {
  const missing = unseen.filter(
    ({ because, namespace }) => because === 'not-recorded' && namespace === workload.metadata.namespace,
  );
  const better = rules.filter(
    ({ id, supersedes, needs }) =>
      supersedes.includes(cause) &&
      !ruledOut.some((each) => each.cause === id) &&
      missing.some(({ what }) => needs.some((need) => need === what)),
  );
  if (better.length === 0) return [];
  const needed = new Set<string>(better.flatMap(({ needs }) => [...needs]));
  const kinds = [...new Set(missing.map(({ what }) => what))].filter((what) => needed.has(what));
  return [waiting('better-unread', { causes: better.map(({ id }) => id), kinds })];
}

/**
 * A workload of an add-on that could not be read may act on what it is made of: the statement that says so.
 */
export function unreadAbove({ workload, unseen }: Snapshot): readonly Statement[] {
  const kind = addOnAbove(workload);
  const unread = unseen.find(({ what }) => what === kind);
  return unread === undefined
    ? []
    : [waiting('owner-unread', { what: unread.what, because: unread.because })];
}
