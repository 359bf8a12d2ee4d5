import type { ViewsUpdateArguments, WebAPICallResult } from '@slack/web-api';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import type { Review, ReviewRefused } from '../../../../service/people/conversation.js';
import { callSlack, type SlackFailure } from '../../call-slack.js';
import { answersText } from '../../render/answers.js';
import { renderNotice } from '../../render/notice.js';
import {
  dryRunFailure,
  renderReadablePlan,
  renderReview,
  renderReviewLoading,
  renderReviewOutcome,
} from '../../render/review.js';
import { type Asker, answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';
import { askerOf, type Press } from './press.js';

/**
 * Opens the modal at once, since the trigger lasts three seconds, fills it when the plan is worked out, and
 * gives it the Apply button when the API server has accepted the plan in a dry run. What is refused is said
 * in the modal; when that does not take it, in the channel, privately.
 */
export async function openReview(
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
