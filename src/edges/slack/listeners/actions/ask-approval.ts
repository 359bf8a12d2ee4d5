import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, RemediationValue } from '../../render/action-ids.js';
import { renderNotice } from '../../render/notice.js';
import { modalOf } from '../../render/review.js';
import { reviewText } from '../../render/review-text.js';
import type { Asker } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { buttonValue } from './press.js';

/** Ask to approve: stands in the modal of a review that may only be read, which then states the outcome. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.askApproval, async ({ ack, ...press }) => {
    await ack();
    const user = press.body.user.id;
    const view_id = press.body.view?.id;
    if (view_id === undefined) return;
    const asker: Asker = {
      user,
      channel: '',
      async answer({ blocks }) {
        const view = modalOf(deps.people.cachedLanguage(user), blocks);
        await deps.client.views.update({ view_id, view });
      },
    };
    await guarded(deps, asker, { listener: 'actions/ask-approval' }, async () => {
      const asked = await buttonValue(deps, press, RemediationValue);
      if (asked === undefined) return;
      const outcome = await deps.askForApproval({ ...asked, by: user });
      const language = await deps.people.languageOf(user);
      await asker.answer(
        renderNotice(
          outcome.type === 'refused'
            ? deps.tell(outcome.because, language)
            : reviewText[language].asked(outcome),
        ),
      );
    });
  });
}
