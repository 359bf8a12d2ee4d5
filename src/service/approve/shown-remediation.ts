import type { Remediation } from '../../doctor/fixes/remediation.js';
import type { Incident } from '../../doctor/incidents/incident.js';

/**
 * The remediation of this id that the incident's diagnosis offers, or that a person asked for and it
 * forecast.
 */
export function shownRemediation(
  { requested, diagnosis }: Incident,
  remediationId: string,
): Remediation | undefined {
  if (diagnosis === undefined) return undefined;
  const forecast = requested === undefined ? undefined : diagnosis.requested;
  return [
    ...diagnosis.findings.flatMap(({ remediations }) => remediations),
    ...(forecast?.type === 'possible' ? [forecast.remediation] : []),
  ].find(({ id }) => id === remediationId);
}
