import { confidences } from '#src/doctor/findings/cause-id.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf, openQuestionOf } from '#src/doctor/findings/main-finding.js';
import type { ResourceKind } from '#src/engine/objects/cluster-objects.js';

/** An answer from all objects, and one about the same moment without the objects of one kind. */
export interface NotRecommended {
  readonly full: Diagnosis;
  readonly partial: Diagnosis;
  readonly kind: ResourceKind;
}

/**
 * All that becomes false, surer or healthy when a kind is withheld; a line each, empty where the answer is
 * honest.
 */
export function dishonestiesOf(withheld: NotRecommended): readonly string[] {
  return [
    ...falseHealth(withheld),
    ...risenConfidence(withheld),
    ...fixesThatRestOnIt(withheld),
    ...denialsThatRestOnIt(withheld),
    ...falseAbsences(withheld),
  ].map((line) => `without ${withheld.kind}: ${line}`);
}

const podOwners: Readonly<Record<string, string>> = {
  Deployment: 'ReplicaSet',
  Rollout: 'ReplicaSet',
  LeaderWorkerSet: 'StatefulSet',
};

/**
 * The partial answer does not state that nothing is wrong where the full one found something, or without the
 * pods.
 */
function falseHealth({ full, partial, kind }: NotRecommended): readonly string[] {
  if (conclusionOf(partial) !== 'nothing') return [];
  const showsPods = kind === 'Pod' || kind === podOwners[partial.workload.kind];
  if (!showsPods && conclusionOf(full) === 'nothing') return [];
  return [
    `states no problem (${openQuestionOf(full)?.kind ?? full.findings[0]?.cause ?? 'nothing'} in full)`,
  ];
}

/** A cause that was found in full is no surer with less. */
function risenConfidence({ full, partial }: NotRecommended): readonly string[] {
  return partial.findings.flatMap(({ cause, confidence, container }) => {
    const before = full.findings.filter((each) => each.cause === cause && each.container === container);
    const surest = Math.min(...before.map((each) => confidences.indexOf(each.confidence)));
    return confidences.indexOf(confidence) < surest && before.length > 0
      ? [`${cause} is ${confidence}, and ${confidences[surest]} in full`]
      : [];
  });
}

/** What nobody offered with all objects is not offered for the same cause with fewer. */
function fixesThatRestOnIt({ full, partial }: NotRecommended): readonly string[] {
  return partial.findings.flatMap(({ cause, remediations }) => {
    const before = full.findings.filter((each) => each.cause === cause);
    if (before.length === 0) return [];
    const offered = new Set(before.flatMap((each) => each.remediations.map(({ id }) => id)));
    return remediations.filter(({ id }) => !offered.has(id)).map(({ id }) => `${cause} offers ${id}`);
  });
}

/** Reasons that state what is not known. */
const open: ReadonlySet<string> = new Set([
  'abort-rollout/withheld-unknown',
  'capacity-contention/fix-not-simulated',
  'capacity-contention/fix-unread',
  'effects/withheld-unknown',
  'refusals/owner-unread',
  'resume-rollout/withheld-unknown',
  'scheduling-gated/patch-unread',
  'undo-rollout/withheld-unread',
  'waiting/patch-unknown',
]);

/** Reasons that the templates alone show: they are true whatever else was read. */
const ofTemplates: ReadonlySet<string> = new Set([
  'application-crash/restart-withheld',
  'crash-loop-after-rollout/restart-withheld',
  'readiness-deadlock/delete-withheld-own',
  'readiness-failing/restart-withheld',
  'undo-rollout/withheld-same-volumes',
]);

/** Reasons that rest on some kinds alone. */
const restsOn: Readonly<Record<string, readonly ResourceKind[]>> = {
  'undo-rollout/withheld-none-kept': ['ReplicaSet', 'ControllerRevision'],
};

/**
 * What was offered, or withheld for another reason, is withheld because it is not known, or for what was
 * read.
 */
function denialsThatRestOnIt({ full, partial, kind }: NotRecommended): readonly string[] {
  return partial.findings.flatMap(({ cause, container, withheld }) => {
    const before = full.findings.filter((each) => each.cause === cause && each.container === container);
    if (before.length === 0) return [];
    const known = new Set(before.flatMap((each) => each.withheld.map(nameOf)));
    return withheld
      .filter((each) => !known.has(nameOf(each)))
      .filter(({ because: { catalogue, key } }) => {
        const reason = `${catalogue}/${key}`;
        const isRead = restsOn[reason]?.includes(kind) === false;
        return !open.has(reason) && !ofTemplates.has(reason) && !isRead;
      })
      .map((each) => `${cause} denies ${nameOf(each)}`);
  });
}

function nameOf({ kind, because }: Diagnosis['findings'][number]['withheld'][number]): string {
  return `${kind} by ${because.catalogue}/${because.key}`;
}

/**
 * Look-alikes that the full answer does not rule out are not ruled out with less. Where less makes the same
 * cause another statement, such as a holder in place of a neighbour that will free its place, what the full
 * answer found is not ruled out.
 */
function falseAbsences({ full, partial }: NotRecommended): readonly string[] {
  const found = new Set<string>(full.findings.map(({ cause }) => cause));
  return partial.findings.flatMap(({ cause, container, ruledOut, summary }) => {
    const before = full.findings.filter((each) => each.cause === cause && each.container === container);
    if (before.length === 0) return [];
    const isSame = before.some((each) => each.summary.key === summary.key);
    const known = new Set(before.flatMap((each) => each.ruledOut.map(({ cause: other }) => other)));
    return ruledOut
      .filter(({ cause: other }) => (isSame ? !known.has(other) : found.has(other)))
      .map(({ cause: other }) => `${cause} rules out ${other}, and not in full`);
  });
}
