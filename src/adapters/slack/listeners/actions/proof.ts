import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { renderProof, renderProofLoading, renderProofOutcome } from '../../render/proof.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue, type Press } from './press.js';
import { openPrivateModal } from './private-modal.js';

/** Show proof: the reasoning and evidence in a modal that only the person who pressed sees, in their language. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.proof, async ({ ack, ...press }) => {
    await ack();
    await showProof(deps, press);
  });
}

export async function showProof(deps: ListenerDeps, press: Press): Promise<void> {
  await guarded(deps, askerOf(deps, press), { listener: 'actions/proof' }, async () => {
    const incidentId = await buttonValue(deps, press, IncidentValue);
    if (incidentId !== undefined) await openProof(deps, press, incidentId);
  });
}

async function openProof(deps: ListenerDeps, press: Press, incidentId: string): Promise<void> {
  const { tell } = deps;
  await openPrivateModal(deps, press, {
    name: 'proof',
    loading: renderProofLoading,
    outcome: renderProofOutcome,
    async fill(language) {
      const read = await deps.readIncident({ incidentId, by: press.body.user.id });
      return read.type === 'incident'
        ? renderProof(read.incident, { language, tell })
        : renderProofOutcome(language, tell(read.because, language));
    },
  });
}
