import type { App } from '@slack/bolt';
import { boundText } from '../../../../engine/language/text-scanning.js';
import { callSlack } from '../../call-slack.js';
import { callbackIds, searchInputs } from '../../render/action-ids.js';
import { answerModal } from '../../render/modal.js';
import { renderNotice } from '../../render/notice.js';
import { renderFound, renderSearching } from '../../render/search.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';
import { typed } from './review-submitted.js';

const maxTyped = 300;

/** The search of the Home page: the modal states that it searches, then what was found. */
export function register(app: App, deps: ListenerDeps): void {
  app.view({ callback_id: callbackIds.search, type: 'view_submission' }, async ({ ack, body, view }) => {
    const user = body.user.id;
    const { client, people, tell, linkTo = () => undefined } = deps;
    const { name, channel } = searchInputs;
    const text = boundText(typed(view, name), maxTyped);
    const chosen = view.state.values[channel.block]?.[channel.action]?.selected_conversation ?? '';
    await ack({ response_action: 'update', view: renderSearching(people.cachedLanguage(user)) });
    const language = await people.languageOf(user);
    const next = await deps.findByName({ by: user, text }).then(
      (found) =>
        found.type === 'refused'
          ? answerModal(language, renderNotice(tell(found.because, language)))
          : renderFound(found, chosen, { tell, language, linkTo }),
      (error: unknown) => {
        const listener = 'views/search-submitted';
        return answerModal(language, renderNotice(failureProse(deps, error, { listener }, language)));
      },
    );
    const updated = await callSlack(() => client.views.update({ view_id: view.id, view: next }));
    if (updated.type === 'answered') return;
    deps.log.warn(
      { error: 'error' in updated ? updated.error : updated.type },
      'a search could not be shown',
    );
  });
}
