import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { callSlack } from '../../call-slack.js';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { answersText } from '../../render/answers-text.js';
import { renderNotice } from '../../render/notice.js';
import { renderProof, renderProofLoading, renderProofOutcome } from '../../render/proof.js';
import { answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse, guarded } from '../guarded.js';
import { askerOf, buttonValue, type Press } from './press.js';

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

/** Opens the modal at once, since the trigger lasts three seconds, and fills it when the incident is read. */
async function openProof(deps: ListenerDeps, press: Press, incidentId: string): Promise<void> {
  const { client, people, tell } = deps;
  const asker = askerOf(deps, press);
  const { trigger_id } = press.body;
  const external_id = `proof-${trigger_id}`.slice(0, 255);
  const loading = { ...renderProofLoading(people.cachedLanguage(asker.user)), external_id };
  const opened = await callSlack(() => client.views.open({ trigger_id, view: loading }));
  if (opened.type === 'refused' && opened.error === 'exchanged_trigger_id') return;
  const language = await people.languageOf(asker.user);
  // After a doubtful answer the modal may be open: our own id reaches it as well.
  if (opened.type !== 'answered' && opened.type !== 'doubtful') {
    deps.log.warn({ error: 'error' in opened ? opened.error : opened.type }, 'a proof could not be opened');
    await answered(asker, renderNotice(answersText[language]['trigger-expired']({})));
    return;
  }
  const view = await deps.readIncident({ incidentId, by: asker.user }).then(
    (read): ModalView =>
      read.type === 'incident'
        ? renderProof(read.incident, { language, tell })
        : renderProofOutcome(language, tell(read.because, language)),
    (error: unknown) =>
      renderProofOutcome(language, failureProse(deps, error, { listener: 'actions/proof' }, language)),
  );
  const shown = await callSlack(() => client.views.update({ external_id, view: { ...view, external_id } }));
  if (shown.type !== 'answered') {
    deps.log.warn({ error: 'error' in shown ? shown.error : shown.type }, 'a proof could not be shown');
  }
}
