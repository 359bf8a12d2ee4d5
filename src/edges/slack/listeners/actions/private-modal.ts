import type { ModalView } from '@slack/types';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import { callSlack } from '../../call-slack.js';
import { answersText } from '../../render/answers-text.js';
import { renderNotice } from '../../render/notice.js';
import { answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';
import { askerOf, type Press } from './press.js';

export interface PrivateModal {
  /** For ids and the log. */
  readonly name: string;
  readonly loading: (language: Language) => ModalView;
  readonly fill: (language: Language) => Promise<ModalView>;
  /** In place of what could not be read: why. */
  readonly outcome: (language: Language, says: Prose) => ModalView;
}

/** Opens a modal at once, since the trigger lasts three seconds, and fills it when its content is read. */
export async function openPrivateModal(
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
    await answered(asker, renderNotice(answersText[language]['trigger-expired']({})));
    return;
  }
  const view = await filled(deps, { name, fill, outcome }, language);
  const shown = await callSlack(() => client.views.update({ external_id, view: { ...view, external_id } }));
  if (shown.type !== 'answered')
    deps.log.warn({ error: errorOf(shown), name }, 'a modal could not be filled');
}

/** Fills the modal in which a button was pressed anew. */
export async function refillPrivateModal(
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
