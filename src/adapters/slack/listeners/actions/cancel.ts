import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { ApprovalValue, actionIds } from '../../render/action-ids.js';
import { answersText } from '../../render/answers-text.js';
import { workloadName } from '../../render/card-context.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue } from './press.js';

/** Cancel: ends an approved change that no worker has started. Pressing it twice cancels once. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.cancel, async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(press);
    await guarded(deps, asker, { listener: 'actions/cancel', decides: true }, async () => {
      const approvalId = await buttonValue(deps, press, ApprovalValue);
      if (approvalId === undefined) return;
      const outcome = await deps.cancelChange({ approvalId, by: asker.user });
      const language = await deps.people.languageOf(asker.user);
      const answer =
        outcome.type === 'refused'
          ? deps.tell(outcome.because, language)
          : answersText[language].cancelled({ workload: workloadName(outcome.approval) });
      await asker.answer(renderNotice(answer));
    });
  });
}
