import type { Incident } from '../../doctor/incidents/incident.js';
import { shareResult } from '../../doctor/incidents/private-result.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { type DiagnoseAgainDeps, incidentFor, type ViewDeps } from '../diagnose/diagnose-again.js';
import { refuse } from '../notices/notices.js';
import { updateIncident } from '../records/update-incident.js';
import type { Refused } from './conversation.js';

export type ShareResult = (request: {
  readonly incidentId: string;
  readonly by: string;
}) => Promise<{ readonly type: 'shared'; readonly incident: Incident } | Refused>;

/**
 * Posts the card of a private result in the channel in which it was asked for. The second press changes
 * nothing.
 */
export function createShareResult(deps: DiagnoseAgainDeps & Pick<ViewDeps, 'sights'>): ShareResult {
  const { incidents, jobs, clock } = deps;
  return async ({ incidentId, by }) => {
    const incident = await incidentFor(deps, incidentId, by);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const at = clock.now().toISOString();
    const stored = await updateIncident(incidents, incidentId, (current) => shareResult(current, at));
    if (stored === undefined) return { type: 'shared', incident };
    await enqueueCard(jobs, stored);
    return { type: 'shared', incident: stored };
  };
}
