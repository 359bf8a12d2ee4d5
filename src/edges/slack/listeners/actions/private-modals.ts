import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Incident } from '../../../../doctor/incidents/incident.js';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import type { DiagnosisRequested } from '../../../../service/people/conversation.js';
import { callSlack } from '../../call-slack.js';
import { actionIds, GroupPageValue, IncidentValue, MemberValue } from '../../render/action-ids.js';
import { answersText } from '../../render/answers.js';
import { renderNotice } from '../../render/blocks.js';
import { workloadName } from '../../render/card-context.js';
import { renderGroupList, renderGroupLoading, renderGroupOutcome } from '../../render/group-card.js';
import { groupText } from '../../render/group-text.js';
import { peopleIn, renderPostMortem, renderPostMortemOutcome } from '../../render/post-mortem.js';
import { proofText, renderProof, renderProofOutcome } from '../../render/proof.js';
import { answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse, guarded } from '../guarded.js';
import { askerOf, buttonValue, type Press } from './press.js';

const name = 'group';

async function listOf(
  { readGroup, linkTo, tell }: ListenerDeps,
  { body }: Press,
  list: {
    readonly incidentId: string;
    readonly page: number;
    readonly language: Language;
    readonly done?: Prose;
  },
): Promise<ModalView> {
  const { incidentId, language } = list;
  const read = await readGroup({ incidentId, by: body.user.id });
  return read.type === 'group'
    ? renderGroupList(read, { ...list, linkTo, tell })
    : renderGroupOutcome(language, tell(read.because, language));
}

function outcomeOf({ tell }: ListenerDeps, requested: DiagnosisRequested, language: Language): Prose {
  switch (requested.type) {
    case 'queued':
      return groupText[language].opened({ workload: workloadName(requested.incident) });
    case 'refused':
      return tell(requested.because, language);
    default:
      return groupText[language]['not-opened']({});
  }
}

interface PrivateModal {
  /** For ids and the log. */
  readonly name: string;
  readonly loading: (language: Language) => ModalView;
  readonly fill: (language: Language) => Promise<ModalView>;
  /** In place of what could not be read: why. */
  readonly outcome: (language: Language, says: Prose) => ModalView;
}

/** Opens a modal at once, since the trigger lasts three seconds, and fills it when its content is read. */
async function openPrivateModal(
  deps: ListenerDeps,
  press: Press,
  { name, loading, fill, outcome }: PrivateModal,
): Promise<void> {
  const { client, people } = deps;
  const asker = askerOf(deps, press);
  const { trigger_id } = press.body;
  const external_id = `${name}-${trigger_id}`.slice(0, 255);
  const first = { ...loading(people.cachedLanguage(asker.user)), external_id };
  const opened = await callSlack(() => client.views.open({ trigger_id, view: first }));
  if (opened.type === 'refused' && opened.error === 'exchanged_trigger_id') return;
  const language = await people.languageOf(asker.user);
  // After a doubtful answer the modal may be open: our own id reaches it as well.
  if (opened.type !== 'answered' && opened.type !== 'doubtful') {
    deps.log.warn({ error: errorOf(opened), name }, 'a modal could not be opened');
    await answered(asker, renderNotice(answersText[language]['trigger-expired']()));
    return;
  }
  const view = await filled(deps, { name, fill, outcome }, language);
  const shown = await callSlack(() => client.views.update({ external_id, view: { ...view, external_id } }));
  if (shown.type !== 'answered')
    deps.log.warn({ error: errorOf(shown), name }, 'a modal could not be filled');
}

/** Fills the modal in which a button was pressed anew. */
async function refillPrivateModal(
  deps: ListenerDeps,
  press: Press,
  modal: Pick<PrivateModal, 'name' | 'fill' | 'outcome'>,
): Promise<void> {
  const { view } = press.body;
  if (view === undefined) return;
  const next = await filled(deps, modal, await deps.people.languageOf(press.body.user.id));
  const external_id = view.external_id ?? undefined;
  const named = external_id === undefined ? {} : { external_id };
  const shown = await callSlack(() =>
    deps.client.views.update({ view_id: view.id, view: { ...next, ...named } }),
  );
  if (shown.type !== 'answered') {
    deps.log.warn({ error: errorOf(shown), name: modal.name }, 'a modal could not be filled');
  }
}

async function filled(
  deps: ListenerDeps,
  { name, fill, outcome }: Pick<PrivateModal, 'name' | 'fill' | 'outcome'>,
  language: Language,
): Promise<ModalView> {
  try {
    return await fill(language);
  } catch (error) {
    return outcome(language, failureProse(deps, error, { listener: `actions/${name}` }, language));
  }
}

function errorOf(failure: { readonly type: string }): string {
  return 'error' in failure && typeof failure.error === 'string' ? failure.error : failure.type;
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
/** What only the person who pressed sees, in a modal in their language. */
export function registerPrivateModals(app: App, deps: ListenerDeps): void {
  // Show proof, Post-mortem: what the record holds, in a modal that only the person who pressed sees, in
  // their language.
  app.action<BlockAction<ButtonAction>>(actionIds.proof, async ({ ack, ...press }) => {
    await ack();
    await showProof(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.postMortem, async ({ ack, ...press }) => {
    await ack();
    await showPostMortem(deps, press);
  });
  // The list of a group in a modal that only the person who pressed sees, its pages, and a diagnosis of one
  // workload.
  app.action<BlockAction<ButtonAction>>(actionIds.group, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const incidentId = await buttonValue(deps, press, IncidentValue);
      if (incidentId === undefined) return;
      const fill = (language: Language) => listOf(deps, press, { incidentId, page: 0, language });
      const outcome = renderGroupOutcome;
      await openPrivateModal(deps, press, { name, loading: renderGroupLoading, fill, outcome });
    });
  });
  app.action<BlockAction<ButtonAction>>(/^group\.page\.\d+$/, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const asked = await buttonValue(deps, press, GroupPageValue);
      if (asked === undefined) return;
      const fill = (language: Language) => listOf(deps, press, { ...asked, language });
      await refillPrivateModal(deps, press, { name, fill, outcome: renderGroupOutcome });
    });
  });
  app.action<BlockAction<ButtonAction>>(actionIds.member, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const asked = await buttonValue(deps, press, MemberValue);
      if (asked === undefined || (await deps.seenBefore(`action.${press.body.trigger_id}`))) return;
      const fill = async (language: Language) => {
        const { languageOfChannel } = deps;
        const by = press.body.user.id;
        const requested = await deps.diagnoseMember({ ...asked, by, languageOfChannel });
        return listOf(deps, press, { ...asked, language, done: outcomeOf(deps, requested, language) });
      };
      await refillPrivateModal(deps, press, { name, fill, outcome: renderGroupOutcome });
    });
  });
}
