import type { App, ViewOutput } from '@slack/bolt';
import type { Language } from '../../../../core/language/language.js';
import type { Prose } from '../../../../core/language/prose.js';
import type { Decided } from '../../../../usecases/conversation.js';
import { callSlack } from '../../call-slack.js';
import { callbackIds, json, ReviewMetadata, reviewInputs } from '../../render/action-ids.js';
import { answersText } from '../../render/answers-text.js';
import { workloadName } from '../../render/card-context.js';
import { renderNotice } from '../../render/notice.js';
import { reasonLength, renderReviewOutcome, renderReviewWorking } from '../../render/review.js';
import { reviewFrame, reviewText } from '../../render/review-text.js';
import { answered, askerByMessage } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';

const listener = 'views/review-submitted';

/** Apply: what is missing is asked for in the modal; otherwise the decision is made and its outcome told there. */
export function register(app: App, deps: ListenerDeps): void {
  app.view({ callback_id: callbackIds.review, type: 'view_submission' }, async ({ ack, body, view }) => {
    const user = body.user.id;
    const language = deps.people.cachedLanguage(user);
    const metadata = ReviewMetadata.safeParse(json(view.private_metadata));
    if (!metadata.success) {
      await ack({
        response_action: 'update',
        view: renderReviewOutcome(language, answersText[language]['not-ours']({})),
      });
      deps.log.warn({ user }, 'a submission was refused');
      return;
    }
    const reason = typed(view, reviewInputs.reason).slice(0, reasonLength);
    const errors = missing(view, reason, metadata.data, language);
    if (Object.keys(errors).length > 0) {
      await ack({ response_action: 'errors', errors });
      return;
    }
    await ack({ response_action: 'update', view: renderReviewWorking(language) });
    const says = await decide(deps, { user, reason, metadata: metadata.data, view });
    if (says !== undefined) await tellOutcome(deps, user, metadata.data, view, says);
  });
}

/** Submissions of modals we do not have: closed with a word. */
export function registerUnknown(app: App, deps: ListenerDeps): void {
  const { review } = callbackIds;
  const others = new RegExp(`^(?!${review.replace('.', '\\.')}$)[\\s\\S]*$`);
  app.view({ callback_id: others, type: 'view_submission' }, async ({ ack, body }) => {
    const language = deps.people.cachedLanguage(body.user.id);
    await ack({
      response_action: 'update',
      view: renderReviewOutcome(language, answersText[language]['not-ours']({})),
    });
    deps.log.warn({ user: body.user.id }, 'an unknown submission was refused');
  });
}

interface Submission {
  readonly user: string;
  readonly reason: string;
  readonly metadata: ReviewMetadata;
  readonly view: ViewOutput;
}

/** The words for what became of it; undefined when the same submission came before. */
async function decide(
  deps: ListenerDeps,
  { user, reason, metadata, view }: Submission,
): Promise<Prose | undefined> {
  const language = await deps.people.languageOf(user);
  try {
    if (await deps.seenBefore(`view.${view.id}`)) return undefined;
    const { approvalId } = metadata;
    const decided = await deps.decideApproval({
      approvalId,
      by: user,
      decision: 'approve',
      reason,
      ...(metadata.typedName === undefined ? {} : { typedName: typed(view, reviewInputs.name) }),
    });
    return outcomeProse(deps, decided, language);
  } catch (error) {
    return failureProse(deps, error, { listener }, language);
  }
}

function outcomeProse({ tell }: ListenerDeps, decided: Decided, language: Language): Prose {
  switch (decided.type) {
    case 'refused':
      return tell(decided.because, language);
    case 'approved':
      return reviewText[language].approved({ workload: workloadName(decided.incident) });
    case 'awaiting':
      return reviewText[language].awaiting({ missing: decided.missing });
    case 'rejected':
      return answersText[language].rejected({ workload: workloadName(decided.approval) });
  }
}

async function tellOutcome(
  deps: ListenerDeps,
  user: string,
  { channel, threadTs }: ReviewMetadata,
  { id }: ViewOutput,
  says: Prose,
): Promise<void> {
  const language = await deps.people.languageOf(user);
  const updated = await callSlack(() =>
    deps.client.views.update({ view_id: id, view: renderReviewOutcome(language, says) }),
  );
  if (updated.type === 'answered') return;
  const asker = askerByMessage({ user, channel, threadTs }, deps.client);
  if (!(await answered(asker, renderNotice(says)))) {
    deps.log.warn({ listener, user }, 'the outcome of a submission could not be told');
  }
}

function missing(
  view: ViewOutput,
  reason: string,
  { typedName }: ReviewMetadata,
  language: Language,
): Record<string, string> {
  const frame = reviewFrame[language];
  const errors: Record<string, string> = {};
  if (reason === '') errors[reviewInputs.reason.block] = frame.reasonMissing;
  if (typedName !== undefined && typed(view, reviewInputs.name) !== typedName) {
    errors[reviewInputs.name.block] = frame.nameWrong(typedName);
  }
  return errors;
}

function typed(
  { state }: ViewOutput,
  { block, action }: { readonly block: string; readonly action: string },
): string {
  return (state.values[block]?.[action]?.value ?? '').trim();
}
