import type { ViewsUpdateArguments, WebAPICallResult } from '@slack/web-api';
import { callSlack, type SlackFailure } from '../../call-slack.js';
import { answersText } from '../../render/answers-text.js';
import { renderNotice } from '../../render/notice.js';
import { renderReview, renderReviewLoading, renderReviewOutcome } from '../../render/review.js';
import { answered } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';
import { askerOf, type Press } from './press.js';

/**
 * Opens the modal at once, since the trigger lasts three seconds, and fills it when the cluster has been looked at.
 * What is refused is said in the modal; when that was closed meanwhile, in the channel, privately.
 */
export async function openReview(
  deps: ListenerDeps,
  press: Press,
  asked: { readonly incidentId: string; readonly remediationId: string; readonly change?: string },
): Promise<void> {
  const asker = askerOf(press);
  const { trigger_id } = press.body;
  const external_id = `review-${trigger_id}`.slice(0, 255);
  const loading = { ...renderReviewLoading(deps.people.cachedLanguage(asker.user)), external_id };
  const opened = await callSlack(() => deps.client.views.open({ trigger_id, view: loading }));
  // After a doubtful answer the modal may be open: our own id reaches it as well.
  if (opened.type !== 'answered' && opened.type !== 'doubtful') {
    if (opened.type === 'refused' && opened.error === 'exchanged_trigger_id') return;
    deps.log.warn({ error: 'error' in opened ? opened.error : opened.type }, 'a review could not be opened');
    const text = answersText[deps.people.cachedLanguage(asker.user)];
    await answered(asker, renderNotice(text['trigger-expired']({})));
    return;
  }
  const shown = opened.type === 'answered' ? viewOf(opened.result) : undefined;
  const view = shown ?? { external_id };
  const language = await deps.people.languageOf(asker.user);
  const outcome = await deps.reviewRemediation({ ...asked, by: asker.user }).catch((error: unknown) => ({
    type: 'failed' as const,
    says: failureProse(deps, error, { listener: 'actions/review' }, language),
  }));
  const says =
    outcome.type === 'failed'
      ? outcome.says
      : outcome.type === 'refused'
        ? deps.tell(outcome.because, language)
        : undefined;
  const next =
    outcome.type === 'review'
      ? renderReview(outcome, {
          language,
          tell: deps.tell,
          place: { channel: asker.channel, threadTs: asker.threadTs },
        })
      : renderReviewOutcome(language, says ?? []);
  const update = async (which: object): Promise<SlackFailure | undefined> => {
    const answer = await callSlack(() =>
      deps.client.views.update({ ...which, view: { ...next, external_id } } as ViewsUpdateArguments),
    );
    if (answer.type !== 'answered') return answer;
    return viewOf(answer.result) === undefined ? { type: 'doubtful', error: 'no_view' } : undefined;
  };
  let failure = await update(view);
  // Without the hash of the first view: the first update may have been made.
  if (failure?.type === 'doubtful') failure = await update({ external_id });
  if (failure === undefined) return;
  const text = answersText[deps.people.cachedLanguage(asker.user)];
  // A view that Slack named and no longer finds was closed by the person, who needs no plan any more.
  const wasClosed = shown !== undefined && says === undefined;
  if (!wasClosed || failure.type === 'doubtful') {
    await answered(asker, renderNotice(says ?? text['trigger-expired']({})));
  }
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
