import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Incident } from '../../../../doctor/incidents/incident.js';
import type { Language } from '../../../../engine/language/language.js';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { peopleIn, renderPostMortem, renderPostMortemOutcome } from '../../render/post-mortem.js';
import { proofText, renderProof, renderProofOutcome } from '../../render/proof.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { openPrivateModal, type PrivateModal } from './group.js';
import { askerOf, buttonValue, type Press } from './press.js';

/**
 * Show proof, Post-mortem: what the record holds, in a modal that only the person who pressed sees, in their
 * language.
 */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.proof, async ({ ack, ...press }) => {
    await ack();
    await showProof(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.postMortem, async ({ ack, ...press }) => {
    await ack();
    await showPostMortem(deps, press);
  });
}

export async function showProof(deps: ListenerDeps, press: Press): Promise<void> {
  await openRecord(deps, press, {
    name: 'proof',
    render: async (incident, language) => renderProof(incident, { language, tell: deps.tell }),
    outcome: renderProofOutcome,
  });
}

export async function showPostMortem(deps: ListenerDeps, press: Press): Promise<void> {
  await openRecord(deps, press, {
    name: 'post-mortem',
    async render(incident, language) {
      const names = await deps.people.namesOf(peopleIn(incident));
      return renderPostMortem(incident, { language, tell: deps.tell, names });
    },
    outcome: renderPostMortemOutcome,
  });
}

async function openRecord(
  deps: ListenerDeps,
  press: Press,
  {
    name,
    render,
    outcome,
  }: Pick<PrivateModal, 'name' | 'outcome'> & {
    readonly render: (incident: Incident, language: Language) => Promise<ModalView>;
  },
): Promise<void> {
  const { tell } = deps;
  await guarded(deps, askerOf(deps, press), { listener: `actions/${name}` }, async () => {
    const incidentId = await buttonValue(deps, press, IncidentValue);
    if (incidentId === undefined) return;
    await openPrivateModal(deps, press, {
      name,
      outcome,
      loading: (language) => outcome(language, proofText[language].loading()),
      async fill(language) {
        const read = await deps.readIncident({ incidentId, by: press.body.user.id });
        return read.type === 'incident'
          ? await render(read.incident, language)
          : outcome(language, tell(read.because, language));
      },
    });
  });
}
