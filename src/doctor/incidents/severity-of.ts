import type { Severity } from '../findings/cause-id.js';
import { mainFindingOf } from '../findings/main-finding.js';
import { groupRows, showsGroup, totalsOf } from './group-rows.js';
import type { Incident } from './incident.js';

/** Of the main finding, or of the group that the incident leads; `info` where there is none. */
function severityOf(incident: Incident): Severity {
  if (showsGroup(incident)) return totalsOf(groupRows(incident)).severity ?? 'info';
  const { diagnosis, phase } = incident;
  const main = diagnosis === undefined || phase === 'failed' ? undefined : mainFindingOf(diagnosis).main;
  return main?.severity ?? 'info';
}

export function countSeverities(incidents: readonly Incident[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => incidents.filter((each) => severityOf(each) === severity).length;
  return { critical: count('critical'), warning: count('warning'), info: count('info') };
}

const ranks = { critical: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>;

/** The most severe first, and of one severity in the given order. */
export function mostSevereFirst(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.toSorted((a, b) => ranks[severityOf(a)] - ranks[severityOf(b)]);
}
