import type { Severity } from '../findings/cause-id.js';
import { conclusionOf, mainFindingOf } from '../findings/main-finding.js';
import { groupRows, showsGroup, totalsOf } from './group-rows.js';
import type { Incident } from './incident.js';

/** Incidents sorted out for somebody who comes on duty. */
interface OpenFirst {
  /** Those that still need somebody, newest first. */
  readonly open: readonly Incident[];
  /** The others, newest first. */
  readonly over: readonly Incident[];
}

/**
 * Sorts incidents out. Open is what is under way, and what the newest look at the workload found unwell: an
 * older incident of the same workload is over once another one has looked later. An incident is no watch: it
 * knows how the workload was at its last diagnosis.
 */
export function openFirst(incidents: readonly Incident[]): OpenFirst {
  const newest = new Map<string, Incident>();
  for (const incident of incidents) {
    const known = newest.get(keyOf(incident));
    if (known === undefined || diagnosedAt(incident) > diagnosedAt(known))
      newest.set(keyOf(incident), incident);
  }
  const isOpen = (incident: Incident): boolean =>
    incident.phase === 'diagnosing' ||
    isInHands(incident) ||
    (newest.get(keyOf(incident)) === incident && isUnwell(incident));
  const sorted = [...incidents].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return { open: sorted.filter(isOpen), over: sorted.filter((incident) => !isOpen(incident)) };
}

/**
 * Incidents that are over, newest first, without older ones of the same workload in which nothing was found
 * and nothing was changed.
 */
export function withoutRepeated(over: readonly Incident[]): readonly Incident[] {
  const seen = new Set<string>();
  return over.filter((incident) => {
    const key = keyOf(incident);
    const isRepeated = seen.has(key) && isUneventful(incident);
    seen.add(key);
    return !isRepeated;
  });
}

function isUneventful({ phase, diagnosis, change }: Incident): boolean {
  return (
    phase !== 'failed' &&
    change === undefined &&
    diagnosis !== undefined &&
    conclusionOf(diagnosis) === 'nothing'
  );
}

/** Somebody has approved, and the change has no verdict yet. */
function isInHands({ phase }: Incident): boolean {
  return phase === 'awaiting' || phase === 'applying' || phase === 'verifying';
}

function isUnwell({ phase, diagnosis }: Incident): boolean {
  if (phase === 'failed') return false;
  return diagnosis !== undefined && conclusionOf(diagnosis) !== 'nothing';
}

function diagnosedAt({ diagnosis, createdAt }: Incident): number {
  return Date.parse(diagnosis?.takenAt ?? createdAt);
}

function keyOf({ workload: { cluster, kind, namespace, name } }: Incident): string {
  return JSON.stringify([cluster, kind, namespace, name]);
}

/** Of the main finding, or of the group that the incident leads; `info` where there is none. */
function severityOf(incident: Incident): Severity {
  if (showsGroup(incident)) return totalsOf(groupRows(incident)).severity ?? 'info';
  const { diagnosis, phase } = incident;
  const main = diagnosis === undefined || phase === 'failed' ? undefined : mainFindingOf(diagnosis).main;
  return main?.severity ?? 'info';
}

/** Nothing is known of it yet. */
export function isFirstDiagnosis(incident: Incident): boolean {
  return incident.phase === 'diagnosing' && incident.diagnosis === undefined && !showsGroup(incident);
}

/** Of those that were diagnosed. */
export function countSeverities(incidents: readonly Incident[]): Readonly<Record<Severity, number>> {
  const judged = incidents.filter((each) => !isFirstDiagnosis(each));
  const count = (severity: Severity) => judged.filter((each) => severityOf(each) === severity).length;
  return { critical: count('critical'), warning: count('warning'), info: count('info') };
}

const ranks = { critical: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>;

/** The most severe first, and of one severity in the given order. */
export function mostSevereFirst(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.toSorted((a, b) => ranks[severityOf(a)] - ranks[severityOf(b)]);
}
