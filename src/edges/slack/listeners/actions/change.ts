import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ViewsUpdateArguments, WebAPICallResult } from '@slack/web-api';
import type { Approval } from '../../../../doctor/incidents/approval.js';
import type { Tell } from '../../../../engine/language/catalogue.js';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import type { Review, ReviewRefused } from '../../../../service/people/conversation.js';
import { callSlack, type SlackFailure } from '../../call-slack.js';
import { ApprovalValue, actionIds, RemediationValue, UndoValue } from '../../render/action-ids.js';
import { answersText } from '../../render/answers.js';
import { renderNotice } from '../../render/blocks.js';
import { workloadName } from '../../render/card-context.js';
import {
  dryRunFailure,
  modalOf,
  renderReadablePlan,
  renderReview,
  renderReviewLoading,
  renderReviewOutcome,
} from '../../render/review.js';
import { reviewText } from '../../render/review-text.js';
import { type Asker, answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse, guarded } from '../guarded.js';
import { askerOf, buttonValue, type Press } from './press.js';

/** The buttons that lead to a change, and those that end it. */
export function registerChange(app: App, deps: ListenerDeps): void {
  // Review: shows the plan in a modal.
  app.action<BlockAction<ButtonAction>>(actionIds.review, async ({ ack, ...press }) => {
    await ack();
    await review(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.reviewInGit, async ({ ack, ...press }) => {
    await ack();
    await review(deps, press, true);
  });
  // An undo is reviewed like any other change. Its plan restores what the last change replaced.
  for (const actionId of [actionIds.undo, actionIds.undoInGit]) {
    const inGit = actionId === actionIds.undoInGit;
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, ...press }) => {
      await ack();
      await guarded(deps, askerOf(deps, press), { listener: 'actions/undo' }, async () => {
        const asked = await buttonValue(deps, press, UndoValue);
        if (asked !== undefined) await openReview(deps, press, { ...asked, remediationId: 'undo', inGit });
      });
    });
  }
  // Reject: closes the approval that people wait on. The button itself asks for confirmation.
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
  // Ask to approve: stands in the modal of a review that may only be read, which then states the outcome.
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
  // Cancel: ends an approved change that no worker has started. Pressing it twice cancels once.
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

/** @param inGit whether the fix is proposed as a pull request */
export async function review(deps: ListenerDeps, press: Press, inGit = false): Promise<void> {
  await guarded(deps, askerOf(deps, press), { listener: 'actions/review' }, async () => {
    const asked = await buttonValue(deps, press, RemediationValue);
    if (asked !== undefined) await openReview(deps, press, inGit ? { ...asked, inGit } : asked);
  });
}

/**
 * Opens the modal at once, since the trigger lasts three seconds, fills it when the plan is worked out, and
 * gives it the Apply button when the API server has accepted the plan in a dry run. What is refused is said
 * in the modal; when that does not take it, in the channel, privately.
 */
async function openReview(
  deps: ListenerDeps,
  press: Press,
  asked: {
    readonly incidentId: string;
    readonly remediationId: string;
    readonly change?: string;
    readonly inGit?: boolean;
  },
): Promise<void> {
  const asker = askerOf(deps, press);
  const { trigger_id } = press.body;
  const external_id = `review-${trigger_id}`.slice(0, 255);
  const loading = { ...renderReviewLoading(deps.people.cachedLanguage(asker.user)), external_id };
  const opened = await callSlack(() => deps.client.views.open({ trigger_id, view: loading }));
  // After a doubtful answer the modal may be open: our own id reaches it as well.
  if (opened.type !== 'answered' && opened.type !== 'doubtful') {
    if (opened.type === 'refused' && opened.error === 'exchanged_trigger_id') return;
    deps.log.warn({ error: 'error' in opened ? opened.error : opened.type }, 'a review could not be opened');
    const text = answersText[deps.people.cachedLanguage(asker.user)];
    await answered(asker, renderNotice(text['trigger-expired']()));
    return;
  }
  const view = opened.type === 'answered' ? viewOf(opened.result) : undefined;
  const modal: Modal = { external_id, which: view ?? { external_id }, wasOpened: view !== undefined };
  const language = await deps.people.languageOf(asker.user);
  const safely = (work: Promise<Exclude<Outcome, { readonly type: 'failed' }>>): Promise<Outcome> =>
    work.catch((error: unknown) => ({
      type: 'failed' as const,
      says: failureProse(deps, error, { listener: 'actions/review' }, language),
    }));
  const review = await safely(deps.reviewRemediation({ ...asked, by: asker.user }));
  const shown = await show(deps, asker, modal, review, language);
  if (shown === undefined || review.type !== 'review' || review.dryRun.type !== 'asked') return;
  await show(deps, asker, shown, await safely(deps.awaitDryRun(review, asker.user)), language);
}

type Outcome = Review | ReviewRefused | { readonly type: 'failed'; readonly says: Prose };

interface Modal {
  readonly external_id: string;
  /** What reaches the view. */
  readonly which: object;
  /** Whether Slack confirmed that it is open. */
  readonly wasOpened: boolean;
}

/**
 * Brings the modal up to the outcome; `undefined` when Slack did not take it, which the person then learns.
 */
async function show(
  { client, people, tell }: ListenerDeps,
  asker: Asker,
  { external_id, which, wasOpened }: Modal,
  outcome: Outcome,
  language: Language,
): Promise<Modal | undefined> {
  const says =
    outcome.type === 'failed'
      ? outcome.says
      : outcome.type === 'refused'
        ? tell(outcome.because, language)
        : dryRunFailure(outcome.dryRun, { language, tell });
  const place = { channel: asker.channel, threadTs: asker.threadTs };
  const next =
    outcome.type === 'review'
      ? renderReview(outcome, { language, tell, place })
      : outcome.type === 'refused' && outcome.readable !== undefined
        ? renderReadablePlan(outcome.readable, says ?? [], { language, tell })
        : renderReviewOutcome(language, says ?? [], 'byHand' in outcome ? outcome : {});
  const update = async (view: object): Promise<Modal | SlackFailure> => {
    const answer = await callSlack(() =>
      client.views.update({ ...view, view: { ...next, external_id } } as ViewsUpdateArguments),
    );
    if (answer.type !== 'answered') return answer;
    const updated = viewOf(answer.result);
    if (updated === undefined) return { type: 'doubtful', error: 'no_view' };
    return { external_id, which: { view_id: updated.view_id }, wasOpened: true };
  };
  let result = await update(which);
  // Without the hash of the first view: the first update may have been made.
  if ('type' in result && result.type === 'doubtful') result = await update({ external_id });
  if (!('type' in result)) return result;
  // A person who closed the window does not wait for a plan, but for why there is none.
  const wasClosed = wasOpened && result.type === 'refused';
  if (says !== undefined || !wasClosed) {
    const text = answersText[people.cachedLanguage(asker.user)];
    await answered(asker, renderNotice(says ?? text['trigger-expired']()));
  }
  return undefined;
}

function viewOf(result: WebAPICallResult): { readonly view_id: string; readonly hash?: string } | undefined {
  const view = 'view' in result ? result.view : undefined;
  if (typeof view !== 'object' || view === null || !('id' in view) || typeof view.id !== 'string') {
    return undefined;
  }
  return {
    view_id: view.id,
    ...('hash' in view && typeof view.hash === 'string' ? { hash: view.hash } : {}),
  };
}

/** Where its first step is made already, only the second one is cancelled. */
function cancelled(approval: Approval, language: Language, tell: Tell): Prose {
  const { secondStep } = approval;
  return secondStep?.type === 'ended' && secondStep.because !== undefined
    ? tell(secondStep.because, language)
    : answersText[language].cancelled({ workload: workloadName(approval) });
}
