import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { ApprovalValue, actionIds } from '../../render/action-ids.js';
import { answersText } from '../../render/answers.js';
import { workloadName } from '../../render/card-context.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue } from './press.js';

/** Reject: closes the approval that people wait on. Asking back is the button's own dialog. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.reject, async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(deps, press);
    await guarded(deps, asker, { listener: 'actions/reject', decides: true }, async () => {
      const approvalId = await buttonValue(deps, press, ApprovalValue);
      if (approvalId === undefined) return;
      if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
      const decided = await deps.decideApproval({
        approvalId,
        by: asker.user,
        decision: 'reject',
        reason: '',
      });
      const language = await deps.people.languageOf(asker.user);
      const says =
        decided.type === 'refused'
          ? deps.tell(decided.because, language)
          : answersText[language].rejected({ workload: workloadName(decided.approval) });
      await asker.answer(renderNotice(says));
    });
  });
}
