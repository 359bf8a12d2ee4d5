import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Approval } from '../../../../doctor/incidents/approval.js';
import type { Tell } from '../../../../engine/language/catalogue.js';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import { ApprovalValue, actionIds } from '../../render/action-ids.js';
import { answersText } from '../../render/answers.js';
import { workloadName } from '../../render/card-context.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue } from './press.js';

/** Cancel: ends an approved change that no worker has started. Pressing it twice cancels once. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.cancel, async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(deps, press);
    await guarded(deps, asker, { listener: 'actions/cancel', decides: true }, async () => {
      const approvalId = await buttonValue(deps, press, ApprovalValue);
      if (approvalId === undefined) return;
      const outcome = await deps.cancelChange({ approvalId, by: asker.user });
      const language = await deps.people.languageOf(asker.user);
      const answer =
        outcome.type === 'refused'
          ? deps.tell(outcome.because, language)
          : cancelled(outcome.approval, language, deps.tell);
      await asker.answer(renderNotice(answer));
    });
  });
}

/** Where its first step is made already, only the second one is cancelled. */
function cancelled(approval: Approval, language: Language, tell: Tell): Prose {
  const { secondStep } = approval;
  return secondStep?.type === 'ended' && secondStep.because !== undefined
    ? tell(secondStep.because, language)
    : answersText[language].cancelled({ workload: workloadName(approval) });
}
