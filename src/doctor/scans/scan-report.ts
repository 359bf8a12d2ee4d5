import { compareText } from '../../engine/collections/collections.js';
import { isComplete } from '../../engine/objects/is-complete.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Workload } from '../../engine/objects/workload.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { conclusionOf, mainFindingOf } from '../findings/main-finding.js';
import { fleetOf } from './fragile-workloads.js';
import type { ScanReport } from './scan-record.js';
import { worstFirst } from './worst-first.js';

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
    unwell: unwell.slice(0, kept),
    more: Math.max(0, unwell.length - kept),
    critical: unwell.filter(({ severity }) => severity === 'critical').length,
    noted: diagnoses.length - unwell.length - well - unchecked,
    ...fragileAmong(diagnoses),
    well,
    unchecked,
    unseen: seen.unseen.slice(0, unseenKept),
  };
}

/** Workloads without a problem today that deadlock at their next update. */
function fragileAmong(diagnoses: readonly Diagnosis[]): Pick<ScanReport, 'fragile'> {
  const fragile = fleetOf(
    diagnoses.filter((diagnosis) => mainFindingOf(diagnosis).main === undefined),
  ).fragile;
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
