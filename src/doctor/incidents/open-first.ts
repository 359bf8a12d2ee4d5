import { conclusionOf } from '../findings/main-finding.js';
import type { Incident } from './incident.js';

/** Incidents sorted out for somebody who comes on duty. */
export interface OpenFirst {
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
