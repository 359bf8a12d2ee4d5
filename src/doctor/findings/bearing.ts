import type { Statement } from '../../engine/language/statement.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { bearsOn, kindBetweenPods } from '../../engine/objects/unread.js';
import { addOnAbove, type WorkloadKind } from '../../engine/objects/workload.js';
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

/** The workload itself, and what owns its pods in its place: every rule reads them. */
export function readByEveryRule(kind: WorkloadKind): readonly ResourceKind[] {
  const between = kindBetweenPods(kind);
  return between === undefined ? [kind] : [kind, between];
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
  const lacksFields = (kind: ResourceKind): boolean =>
    unseen.some(({ what, fields }) => what === kind && fields !== undefined);
  const read = new Set([...needs, ...readByEveryRule(workload.kind).filter(lacksFields)]);
  // Its pods alone were recorded, or a workload without its status.
  const isBare = unseen.some(
    ({ what, namespace, because }) =>
      what === workload.kind && namespace === workload.metadata.namespace && because === 'not-recorded',
  );
  const bare = isBare
    ? [waiting('partly-recorded', { what: workload.kind, fields: ['spec', 'status'] })]
    : [];
  const inPart = [...read].flatMap((what) => {
    const ofKind = unseen.filter((each) => each.what === what);
    const fields = [...new Set(ofKind.flatMap((each) => each.fields ?? []))];
    return [
      ...(ofKind.some(({ because }) => because === 'malformed') ? [waiting('malformed', { what })] : []),
      ...(fields.length > 0 ? [waiting('partly-recorded', { what, fields })] : []),
      ...assumedIn(ofKind).map((field) =>
        waiting(field === 'spec.updateStrategy' ? 'assumed-surge' : 'assumed-apart'),
      ),
    ];
  });
  return [...bare, ...inPart];
}

function assumedIn(unseen: Snapshot['unseen']): readonly string[] {
  return [...new Set(unseen.flatMap(({ assumed = [] }) => assumed))];
}

/** What else may be the cause of a finding, where something was not read. */
export interface OpenBeside {
  readonly finding: Finding;
  /** What was not read and would decide between a deadlock and a cause that it excluded. */
  readonly restsOn: readonly string[];
}

/**
 * Text holds no Leases and no logs, for example. A rule that explains a finding better and needs such a kind
 * was not answered, and neither was one that lacks a field that decides it: the finding is not the only
 * answer.
 */
export function besideUnread(finding: Finding, rules: readonly AnyRule[], snapshot: Snapshot): OpenBeside {
  const { cause, ruledOut } = finding;
  const { namespace } = snapshot.workload.metadata;
  // A finding that is possible only lacks whole kinds, such as all nodes.
  const places = finding.confidence === 'possible' ? [namespace, ''] : [namespace];
  const missing = snapshot.unseen.filter(
    (each) => each.because === 'not-recorded' && places.includes(each.namespace),
  );
  const excludes = ({ id }: AnyRule): boolean => ruledOut.some((each) => each.cause === id);
  const open = rules.flatMap((rule) => {
    const { id, supersedes, needs } = rule;
    if (id === cause || !(supersedes.includes(cause) || excludes(rule))) return [];
    const decides = rule.undecidedBy?.(snapshot) ?? [];
    if (decides.length > 0) return [{ rule, lacks: decides }];
    const kinds = missing.map(({ what }) => what).filter((what) => needs.some((need) => need === what));
    return kinds.length === 0 || excludes(rule) ? [] : [{ rule, lacks: kinds }];
  });
  if (open.length === 0) return { finding, restsOn: [] };
  const excluded = open.filter(({ rule }) => excludes(rule));
  const causes = open.map(({ rule }) => rule.id);
  const kinds = [...new Set(open.flatMap(({ lacks }) => lacks))].sort();
  return {
    finding: {
      ...finding,
      ...(excluded.length > 0 && finding.confidence === 'proven' && { confidence: 'likely' }),
      ruledOut: ruledOut.filter((each) => !excluded.some(({ rule }) => rule.id === each.cause)),
      weakenedBy: [...finding.weakenedBy, waiting('better-unread', { causes, kinds })],
    },
    restsOn: finding.waitCycle === undefined ? [] : [...new Set(excluded.flatMap(({ lacks }) => lacks))],
  };
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
