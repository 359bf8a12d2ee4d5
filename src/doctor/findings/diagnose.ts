import { type Statement, withTimesAsBounds } from '../../engine/language/statement.js';
import { isResourceKind, type ResourceKind } from '../../engine/objects/cluster-objects.js';
import { isReady } from '../../engine/objects/pod.js';
import type { Snapshot, Unseen } from '../../engine/objects/snapshot.js';
import { bearsOn } from '../../engine/objects/unread.js';
import { createWorkBudget, type WorkBudget } from '../../engine/objects/work-budget.js';
import type { WorkloadKind } from '../../engine/objects/workload.js';
import { hasPodPerNode, hasSteps, isPaused, isRevisioned } from '../../engine/objects/workload.js';
import { namedOwnerOf } from '../../engine/parents/parent-resource.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { waitsForPeople } from '../../engine/workloads/argo-rollout/canary-steps.js';
import { newRevisionPods } from '../../engine/workloads/revisioned/pods.js';
import { revisionOf } from '../../engine/workloads/revisions.js';
import { rolloutStateOf, switchesRevisions } from '../../engine/workloads/rollout-state.js';
import { rolloutStatus } from '../../engine/workloads/rollout-status.js';
import { effect } from '../fixes/effects-text.js';
import type { Offer } from '../fixes/offered-fields.js';
import { type NotRecommended, planRemediation, type Remediation } from '../fixes/remediation.js';
import { lastingFirst, throughOwner } from '../fixes/with-drift.js';
import type { OpenBeside } from './bearing.js';
import { besideUnread, incompleteFor, readByEveryRule, unreadAbove, withWhatBears } from './bearing.js';
import type { Origin } from './cause-id.js';
import { type CauseId, confidences, severities } from './cause-id.js';
import { completionOf } from './completion.js';
import { withCertainty } from './deadlock/text.js';
import type { Diagnosis } from './diagnosis.js';
import type { Finding } from './finding.js';
import { deletionOf, ownersOf, withoutFixes } from './owners.js';
import { readinessOf } from './readiness-of.js';
import { withRestart } from './restart/with-restart.js';
import { withRollBack } from './roll-back.js';
import type { AnyRule, Detected, Examination, Suspected } from './rule.js';
import { withoutSecrets, withoutSecretText } from './without-secrets.js';

/**
 * Runs every rule that applies on one snapshot. A rule that throws becomes a defect beside the others'
 * findings; what it might have explained better is `likely` at most, and so is what rests on a kind of which
 * some object does not parse or was recorded only in part. A finding that another one explains better is
 * left out. Equal snapshots give equal bytes.
 *
 * @param work bounds all rules and all their simulations together. What a rule finds after it is spent is
 *   not called proven; what was found before stands.
 * @param about runs only the rules of these causes and those that explain such a finding better, and gives
 *   the findings of these causes: the same ones that all rules give. All rules where it is left out.
 */
export function diagnose(
  whole: Snapshot,
  rules: readonly AnyRule[],
  work: WorkBudget = createWorkBudget(),
  about?: readonly CauseId[],
): Diagnosis {
  const examination = examinationOf(whole, work);
  const { snapshot } = examination;
  const { workload, cluster, takenAt } = snapshot;
  const { kind, metadata } = workload;
  const moving = underWay(snapshot);
  const owner = namedOwnerOf(workload);
  const isDeleted = deletionOf(snapshot) !== undefined;
  const found: Suspected[] = [];
  const defects: { cause: CauseId; message: string }[] = [];
  const applying = rules.filter(({ appliesTo }) => appliesTo.includes(kind));
  const isAsked = (id: CauseId): boolean => about?.includes(id) ?? true;
  for (const rule of applying.filter(({ id, supersedes }) => isAsked(id) || supersedes.some(isAsked))) {
    try {
      for (const detected of detectedBy(rule, examination)) {
        const doubts = [...incompleteFor(rule, whole), ...unreadAbove(snapshot)];
        const certain = work.isSpent() ? lessCertain(detected) : withDoubt(detected, doubts);
        const shown = rule.shows === undefined ? certain : { ...certain, shows: rule.shows };
        found.push({ ...detected, ...withoutSecrets(storedPart(shown)) });
      }
    } catch (error) {
      defects.push({ cause: rule.id, message: messageOf(error) });
    }
  }
  const failed = applying.filter(({ id }) => defects.some(({ cause }) => cause === id));
  const remaining = withoutSuperseded(found, applying).filter(({ cause }) => isAsked(cause));
  const findings = remaining.map((detected) => {
    const beside = besideUnread(unlessSuperseded(storedPart(detected), failed), applying, snapshot);
    const finding = withCertainty(beside.finding);
    try {
      const answered = withoutSecrets(
        isDeleted
          ? withoutFixes(finding)
          : withRestart(examination, withRollBack(examination, finding, originOf(detected, applying))),
      );
      const owned = throughOwner(answered.remediations, snapshot);
      const { remediations, withheld } = withoutUnrecorded(owned.remediations, snapshot, {
        unseen: whole.unseen,
        restsOn: beside.restsOn,
      });
      const ordered = safestFirst(lastingFirst(remediations));
      const mayEnd = finding.weakenedBy.some(({ role }) => role === 'escape');
      return {
        ...answered,
        remediations: mayEnd ? downtimeAfterWaiting(ordered) : ordered,
        withheld: [...answered.withheld, ...owned.withheld, ...withheld],
      };
    } catch (error) {
      defects.push({ cause: finding.cause, message: messageOf(error) });
      return finding;
    }
  });
  const stated = snapshot.isTimeUnknown ? findings.map(withTimesAsBounds) : findings;
  return {
    takenAt,
    ...(snapshot.isTimeUnknown ? { isTimeUnknown: true as const } : {}),
    workload: { cluster, kind, namespace: metadata.namespace, name: metadata.name },
    ...(owner === undefined ? {} : { ownedBy: { kind: owner.kind, name: owner.name } }),
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    revision: revisionOf(snapshot),
    ready: readinessOf(snapshot),
    completion: completionOf(examination),
    ...(moving === undefined ? {} : { underWay: moving }),
    findings: stated.sort(byWeight),
    unseen: whole.unseen.map((unseen) => ({
      what: unseen.what,
      namespace: unseen.namespace,
      because: unseen.because,
      message: withoutSecretText(unseen.fields?.join(', ') ?? unseen.message),
      weakens: bearsOn(whole, unseen) ? weakenedBy(unseen, applying, kind) : [],
      ...(unseen.ofOthers && { ofOthers: unseen.ofOthers }),
    })),
    defects,
    ...(snapshot.age === undefined ? {} : { age: snapshot.age }),
    ...(work.isSpent() ? { workSpent: true as const } : {}),
  };
}

export function examinationOf(whole: Snapshot, work: WorkBudget = createWorkBudget()): Examination {
  const snapshot = withWhatBears(whole);
  return { snapshot, placement: createPlacement(snapshot.index, { unseen: unseenKinds(snapshot), work }) };
}

function detectedBy(rule: AnyRule, examination: Examination): readonly Suspected[] {
  const first = rule.detect(examination);
  const all = [...(first === undefined ? [] : [first]), ...(rule.detectFurther?.(examination) ?? [])];
  return all.map((detected) => completeFinding(rule, examination.snapshot, detected));
}

function storedPart(detected: Suspected): Finding {
  const {
    failures: _failures,
    pods: _pods,
    keepsPodWaiting: _keeps,
    followsDeletion: _follows,
    origin: _origin,
    ...finding
  } = detected;
  return finding;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return withoutSecretText(message.slice(0, 300));
}

/** Some question that the rule asked may have stayed without an answer. */
function lessCertain<Kind extends Finding>(finding: Kind): Kind {
  return finding.confidence === 'proven' ? { ...finding, confidence: 'likely' } : finding;
}

/** A finding that a rule did not doubt by itself. */
function withDoubt<Kind extends Finding>(finding: Kind, doubts: readonly Statement[]): Kind {
  if (doubts.length === 0 || finding.confidence !== 'proven') return finding;
  return { ...finding, confidence: 'likely', weakenedBy: [...finding.weakenedBy, ...doubts] };
}

/**
 * Kinds that may exist and were not read. One that the API does not serve has no objects: nothing is unknown
 * there.
 */
function unseenKinds({ unseen }: Snapshot): readonly ResourceKind[] {
  return unseen.flatMap(({ what, because }) =>
    isResourceKind(what) && because !== 'not-served' ? [what] : [],
  );
}

/**
 * Drops what a better explanation covers. Informational findings supersede nothing, and mere possibilities
 * only the controller's note that a deadline has passed, which says nothing of why. A finding that is itself
 * superseded still supersedes, so that the order of the rules does not matter.
 */
function withoutSuperseded(findings: readonly Suspected[], rules: readonly AnyRule[]): Suspected[] {
  const grave = findings.filter(({ severity }) => severity !== 'info');
  return findings.filter(
    (finding) =>
      !grave.some((better) => {
        if (better.confidence === 'possible' && finding.cause !== 'progress-deadline-exceeded') return false;
        const rule = rules.find(({ id }) => id === better.cause);
        return rule?.supersedes.includes(finding.cause) && (rule.explains ?? failsAlike)(better, finding);
      }),
  );
}

/** The origin that the finding states itself, else that of its rule. */
function originOf({ cause, origin }: Suspected, rules: readonly AnyRule[]): Origin {
  return origin ?? rules.find(({ id }) => id === cause)?.origin ?? 'surroundings';
}

function unlessSuperseded(finding: Finding, failed: readonly AnyRule[]): Finding {
  const isOpen = failed.some(({ supersedes }) => supersedes.includes(finding.cause));
  return isOpen ? lessCertain(finding) : finding;
}

/**
 * A failure of one container is no evidence about another container, nor about pods of other nodes where the
 * container ends otherwise. A finding about whole pods concerns all containers.
 */
function failsAlike(better: Suspected, finding: Suspected): boolean {
  const { container: one } = better;
  const { container: other } = finding;
  return one === undefined || other === undefined || (one === other && !isElsewhere(better, finding));
}

/** Failures of other nodes that end in another way than those that the better finding explains. */
function isElsewhere({ nodes, failures: own = [] }: Suspected, { failures = [] }: Suspected): boolean {
  return failures.some(
    ({ node, exitCode }) =>
      exitCode !== undefined && !nodes.includes(node) && !own.some((each) => each.exitCode === exitCode),
  );
}

/** Findings of equal weight stay in the order of their rules. */
function byWeight(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence)
  );
}

function weakenedBy({ what, fields }: Unseen, rules: readonly AnyRule[], kind: WorkloadKind): CauseId[] {
  const isReadByAll = fields !== undefined && readByEveryRule(kind).some((each) => each === what);
  return rules.filter(({ needs }) => isReadByAll || needs.some((need) => need === what)).map(({ id }) => id);
}

/**
 * The same remediations with those behind that another waiting pod could turn into an outage: what becomes
 * free may then go to that pod. Those that leave no pod ready for more than an hour come last, as a grace
 * period of hours promises nothing shorter. The order is kept otherwise.
 */
export function safestFirst(remediations: readonly Remediation[]): Remediation[] {
  const riskOf = ({ prediction, price: { downtime } }: Remediation): number => {
    const isLong = downtime.kind === 'gap' && (downtime.seconds ?? 0) > longOutageSeconds;
    return (isLong ? 2 : 0) + (prediction.competitors.length > 0 ? 1 : 0);
  };
  return remediations.toSorted((a, b) => riskOf(a) - riskOf(b));
}

const longOutageSeconds = 3600;

/**
 * Where waiting may end the incident, changes that leave no pod ready for a time come last, and are marked.
 */
export function downtimeAfterWaiting(remediations: readonly Remediation[]): Remediation[] {
  const leavesNoneReady = ({ price }: Remediation): boolean => price.downtime.kind === 'gap';
  return [
    ...remediations.filter((each) => !leavesNoneReady(each)),
    ...remediations.filter(leavesNoneReady).map((each) => ({ ...each, afterWaiting: true as const })),
  ];
}

/**
 * The finding that a rule detected, with what is the same for all rules: the workload is the subject, its
 * other writers are the owners, and a list that the rule left out is empty. Severity, where left out, is
 * critical when no pod is ready although some should be, else a warning.
 */
function completeFinding({ id }: AnyRule, snapshot: Snapshot, detected: Detected): Suspected {
  const { kind, metadata } = snapshot.workload;
  const { pods, wanted } = readinessOf(snapshot);
  const {
    confidence,
    ruledOut = [],
    owners = ownersOf(snapshot),
    remediations = [],
    withheld = [],
    advice = [],
    weakenedBy = [],
    ...rest
  } = detected;
  return {
    cause: id,
    confidence,
    severity: pods === 0 && wanted > 0 ? 'critical' : 'warning',
    subject: { kind, namespace: metadata.namespace, name: metadata.name },
    nodes: [],
    holders: [],
    ...rest,
    ruledOut,
    owners,
    remediations,
    withheld,
    advice,
    weakenedBy,
  };
}

/**
 * Pods of the new revision and pods wanted, while `kubectl rollout status` would still wait; `undefined` when
 * the rollout is complete, given up or paused.
 */
export function underWay(
  snapshot: Snapshot,
): { readonly updated: number; readonly wanted: number } | undefined {
  const { workload } = snapshot;
  if (rolloutStatus(workload).kind !== 'waiting') return undefined;
  if (hasPodPerNode(workload)) {
    const { updatedNumberScheduled, desiredNumberScheduled } = workload.status;
    return { updated: updatedNumberScheduled, wanted: desiredNumberScheduled };
  }
  const wanted = workload.spec.replicas;
  if (isRevisioned(workload)) {
    const state = rolloutStateOf(snapshot);
    const ready = switchesRevisions(state) ? newRevisionPods(state).filter(isReady).length : 0;
    return { updated: ready, wanted };
  }
  const isHeld = hasSteps(workload) ? waitsForPeople(workload) : isPaused(workload);
  return isHeld ? undefined : { updated: workload.status.updatedReplicas, wanted };
}

/**
 * Leaves out fixes that write into a field that was not recorded: what the object has there is not known, and
 * the change would replace it. So are those of a deadlock that may be another cause.
 *
 * @param unseen of the whole recording
 */
export function withoutUnrecorded(
  remediations: readonly Remediation[],
  snapshot: Snapshot,
  { unseen, restsOn: [decides] }: Pick<Snapshot, 'unseen'> & Pick<OpenBeside, 'restsOn'>,
): Offer<Remediation> {
  if (decides !== undefined) {
    const because = effect('withheld-undecided', { decides });
    return { remediations: [], withheld: remediations.map(({ kind }) => ({ kind, because })) };
  }
  const unrecorded = unseen.filter(({ fields = [] }) => fields.length > 0);
  if (unrecorded.length === 0) return { remediations, withheld: [] };
  const kept: Remediation[] = [];
  const unplanned: NotRecommended[] = [];
  for (const remediation of remediations) {
    const plan = planRemediation(remediation, snapshot);
    // A template that is restored comes from the cluster, whole.
    const written = plan.type === 'plan' && plan.request.verb === 'patch' ? plan.changes : [];
    const fields = unrecorded.flatMap(({ what, fields: paths = [] }) =>
      plan.type === 'plan' && what === plan.target.kind ? paths : [],
    );
    const field = fields.find((path) => written.some((change) => isWithin(change.path, path)));
    if (field === undefined) kept.push(remediation);
    else unplanned.push({ kind: remediation.kind, because: effect('withheld-unrecorded', { field }) });
  }
  return { remediations: kept, withheld: unplanned };
}

/**
 * One is the other, or a part of it. Items of lists have names in paths of changes, and none in what is not
 * recorded.
 */
function isWithin(path: string, of: string): boolean {
  const plain = path.replace(/\[[^[\]]*\]/gu, '[]');
  return (
    plain === of || plain.startsWith(`${of}.`) || plain.startsWith(`${of}[`) || of.startsWith(`${plain}.`)
  );
}
