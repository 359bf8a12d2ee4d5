import * as z from 'zod';
import { compareText } from '../../engine/collections/collections.js';
import { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isComplete } from '../../engine/objects/unread.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { type Workload, WorkloadRef } from '../../engine/objects/workload.js';
import { fragileStrategy } from '../causes/fragile-strategy/rule.js';
import { CauseId, Confidence, confidences, Severity, severities } from '../findings/cause-id.js';
import type { Diagnosis, UnseenInDiagnosis } from '../findings/diagnosis.js';
import type { Finding } from '../findings/finding.js';
import { conclusionOf, mainFindingOf } from '../findings/main-finding.js';
import { worstFirst } from './worst-first.js';

/** A workload with something critical or worth a warning, and the gravest of it. */
export const UnwellWorkload = z.object({
  workload: WorkloadRef,
  /** As in `Diagnosis`. */
  ownedBy: z.object({ kind: z.string(), name: z.string() }).optional(),
  cause: CauseId,
  confidence: Confidence,
  severity: Severity,
  summary: Statement,
  /** Ready pods of wanted ones; absent in records of older programs. */
  ready: z.object({ pods: z.number(), wanted: z.number() }).optional(),
  /** Findings beside it, notes for the future left out. */
  others: z.number(),
});
export type UnwellWorkload = Immutable<z.output<typeof UnwellWorkload>>;

/** What a scan saw. */
export const ScanReport = z.object({
  type: z.literal('report'),
  /** RFC3339. */
  takenAt: z.string(),
  /** Worst first; at most as many as are kept. */
  unwell: z.array(UnwellWorkload),
  /** Unwell workloads beyond those kept. */
  more: z.number(),
  /** How many of all unwell ones are critical; absent in records of older programs. */
  critical: z.number().optional(),
  /** Workloads with nothing but notes for the future. */
  noted: z.number(),
  /** Those of them that deadlock at their next update; absent in records of older programs. */
  fragile: z.array(WorkloadRef).optional(),
  /** Workloads without any finding. */
  well: z.number(),
  /**
   * Workloads in which nothing was found and some rule failed by itself. Records of older programs lack it.
   */
  unchecked: z.number().default(0),
  /** Workloads that were not looked at: the time was over, or there are too many. */
  skipped: z.number(),
  /** Why, where some were. */
  skippedBecause: z.enum(['time', 'number']).optional(),
  /** What could not be read, each once. */
  unseen: z.array(z.object({ what: z.string(), namespace: z.string(), because: z.string() })),
});
export type ScanReport = Immutable<z.output<typeof ScanReport>>;

/** Why there is no report. */
export const ScanFailure = z.object({
  type: z.literal('failure'),
  because: z.enum(['namespace-unknown', 'cluster-unknown', 'unreadable', 'inside']),
  /** An unreadable cluster's reason; of a failure inside, the reference in the log. */
  detail: z.string(),
});
export type ScanFailure = Immutable<z.output<typeof ScanFailure>>;

/** One person's question how the workloads of a namespace are. */
export const ScanRecord = z.object({
  v: z.literal(1),
  id: z.string(),
  cluster: z.string(),
  /** '' for all namespaces. */
  namespace: z.string(),
  by: z.string(),
  channel: z.string(),
  threadTs: z.string().optional(),
  askedAt: z.string(),
  outcome: z.discriminatedUnion('type', [ScanReport, ScanFailure]).optional(),
});
export type ScanRecord = Immutable<z.output<typeof ScanRecord>>;

/** Unwell workloads that are kept; the rest is counted. */
const kept = 50;
const unseenKept = 20;

/** Sorts the diagnoses out: the unwell ones worst first, the others counted. */
export function scanReport(
  diagnoses: readonly Diagnosis[],
  seen: Pick<ScanReport, 'takenAt' | 'skipped' | 'skippedBecause' | 'unseen'>,
): ScanReport {
  const unwell = worstFirst(diagnoses).flatMap((diagnosis) => {
    const { main, others } = mainFindingOf(diagnosis);
    if (main === undefined) return [];
    const { cause, confidence, severity, summary } = main;
    const beside = others.filter((finding) => finding.severity !== 'info').length;
    const { workload, ownedBy, ready } = diagnosis;
    const above = ownedBy === undefined ? {} : { ownedBy };
    return [{ workload, ...above, cause, confidence, severity, summary, ready, others: beside }];
  });
  const unchecked = diagnoses.filter((diagnosis) => conclusionOf(diagnosis) === 'unchecked').length;
  const well = diagnoses.filter(
    (diagnosis) => diagnosis.findings.length === 0 && conclusionOf(diagnosis) === 'nothing',
  ).length;
  return {
    type: 'report',
    ...seen,
    unwell: rareFirst(unwell).slice(0, kept),
    more: Math.max(0, unwell.length - kept),
    critical: unwell.filter(({ severity }) => severity === 'critical').length,
    noted: diagnoses.length - unwell.length - well - unchecked,
    ...fragileAmong(diagnoses),
    well,
    unchecked,
    unseen: seen.unseen.slice(0, unseenKept),
  };
}

/** Rows of one cause and severity that come before all others of that severity. */
const alike = 3;

/** Worst first; among equally severe ones, a cause that many workloads have hides no other one. */
function rareFirst(unwell: readonly UnwellWorkload[]): readonly UnwellWorkload[] {
  const counts = new Map<string, number>();
  const ranked = unwell.map((each) => {
    const key = `${each.severity} ${each.cause}`;
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return { each, isFurther: before >= alike };
  });
  return severities.flatMap((severity) => {
    const same = ranked.filter(({ each }) => each.severity === severity);
    return [...same.filter(({ isFurther }) => !isFurther), ...same.filter(({ isFurther }) => isFurther)].map(
      ({ each }) => each,
    );
  });
}

/** Workloads without a problem today that are proven to deadlock at their next update; others have notes. */
function fragileAmong(diagnoses: readonly Diagnosis[]): Pick<ScanReport, 'fragile'> {
  const fragile = fleetOf(
    diagnoses.filter((diagnosis) => mainFindingOf(diagnosis).main === undefined),
  ).fragile.filter(({ finding }) => finding.confidence === 'proven');
  return { fragile: fragile.map(({ workload }) => workload) };
}

/** Those whose status already shows that pods are missing come first, so that a bound hides the healthy. */
export function troubledFirst(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  return [...snapshots].sort(
    (a, b) =>
      Number(isComplete(a.workload)) - Number(isComplete(b.workload)) || byName(a.workload, b.workload),
  );
}

function byName(a: Workload, b: Workload): number {
  return (
    compareText(a.metadata.namespace, b.metadata.namespace) || compareText(a.metadata.name, b.metadata.name)
  );
}

/** A workload that is deadlocked now or will be at its next update, and the finding that shows it. */
export type FragileWorkload = { readonly workload: Diagnosis['workload']; readonly finding: Finding };

/** Which workloads of a fleet will deadlock at their next update. */
export interface Fleet {
  /** Proven ones first, then by namespace and name. */
  readonly fragile: readonly FragileWorkload[];
  /** Workloads that were diagnosed. */
  readonly workloads: number;
  /** Workloads of which a rule failed and nothing was found. */
  readonly unchecked: number;
  /** What could not be read, each once. */
  readonly unseen: readonly UnseenInDiagnosis[];
}

/** @param diagnoses of all workloads, in the order of their names within one severity */
export function fleetOf(diagnoses: readonly Diagnosis[]): Fleet {
  const fragile = diagnoses.flatMap(({ workload, findings }) =>
    findings.filter(isDeadlock).map((finding) => ({ workload, finding })),
  );
  const unseen = new Map(
    diagnoses
      .flatMap((diagnosis) => diagnosis.unseen)
      .map((each) => [`${each.what}/${each.namespace}/${each.because}`, each]),
  );
  return {
    fragile: fragile.toSorted((a, b) => rankOf(a) - rankOf(b)),
    workloads: diagnoses.length,
    unchecked: diagnoses.filter((diagnosis) => conclusionOf(diagnosis) === 'unchecked').length,
    unseen: [...unseen.values()],
  };
}

/** A workload that is deadlocked has the same strategy at its next update, and no finding about that one. */
function isDeadlock({ cause, waitCycle }: Finding): boolean {
  return cause === fragileStrategy.id || waitCycle !== undefined;
}

function rankOf({ finding }: FragileWorkload): number {
  return confidences.indexOf(finding.confidence);
}
