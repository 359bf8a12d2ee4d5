import type { App, ViewOutput } from '@slack/bolt';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { boundText } from '../../../engine/language/text-scanning.js';
import type { Decided } from '../../../service/people/conversation.js';
import { callSlack } from '../call-slack.js';
import { callbackIds, json, ReviewMetadata, reviewInputs, searchInputs } from '../render/action-ids.js';
import { answersText } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { workloadName } from '../render/card-context.js';
import { pullRequestWords } from '../render/card-pull-request.js';
import { answerModal } from '../render/modal.js';
import { reasonLength, renderReviewOutcome, renderReviewWorking } from '../render/review.js';
import { reviewFrame, reviewText } from '../render/review-text.js';
import { renderFound, renderSearching } from '../render/search.js';
import { answered, askerByMessage } from './asker.js';
import type { ListenerDeps } from './deps.js';
import { failureProse } from './guarded.js';

const listener = 'views/review-submitted';

/** The modals that people submit. */
export function registerSubmitted(app: App, deps: ListenerDeps): void {
  // Apply: what is missing is asked for in the modal; otherwise the decision is made. The modal closes when
  // the decision is stored before Slack stops waiting, since the card shows the rest. Everything else is
  // stated in the modal.
  app.view({ callback_id: callbackIds.review, type: 'view_submission' }, async ({ ack, body, view }) => {
    const user = body.user.id;
    const language = deps.people.cachedLanguage(user);
    const metadata = ReviewMetadata.safeParse(json(view.private_metadata));
    if (!metadata.success) {
      await ack({
        response_action: 'update',
        view: renderReviewOutcome(language, answersText[language]['unknown-button']()),
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
    const submission = { user, reason, metadata: metadata.data, view };
    const decided = decide(deps, submission);
    const soon = await within(deps.maxAcknowledgeMs, decided);
    if (soon?.type === 'stored') {
      await ack({ response_action: 'clear' });
    } else if (soon?.type === 'not-stored') {
      await ack({ response_action: 'update', view: renderReviewOutcome(language, soon.says, soon) });
    } else {
      await ack({ response_action: 'update', view: renderReviewWorking(language) });
      const outcome = await inTime(deps, submission, decided);
      await showOutcome(deps, user, metadata.data, view, outcome);
    }
  });
  // The search of the Home page: the modal states that it searches, then what was found.
  app.view({ callback_id: callbackIds.search, type: 'view_submission' }, async ({ ack, body, view }) => {
    const user = body.user.id;
    const { client, people, tell, linkTo = () => undefined } = deps;
    const { name, channel } = searchInputs;
    const text = boundText(typed(view, name), maxSearched);
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
  // Submissions of modals we do not have: closed with a word.
  const { review, search } = callbackIds;
  const known = [review, search].map((id) => `${id.replace('.', '\\.')}$`);
  const others = new RegExp(`^(?!${known.join('|')})[\\s\\S]*$`);
  app.view({ callback_id: others, type: 'view_submission' }, async ({ ack, body }) => {
    const language = deps.people.cachedLanguage(body.user.id);
    await ack({
      response_action: 'update',
      view: renderReviewOutcome(language, answersText[language]['unknown-button']()),
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

/**
 * The modal never stays at "working": when no answer comes in time, it says that the card shows whether the
 * approval counted. The decision itself goes on; its answer then comes as a private message.
 */
async function inTime(
  deps: ListenerDeps,
  { user, metadata, view }: Submission,
  decided: Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await within(deps.maxDecisionMs, decided);
  if (outcome !== undefined) return outcome;
  void decided.then((late) => showOutcome(deps, user, metadata, view, late));
  const says = answersText[deps.people.cachedLanguage(user)]['decision-unknown']();
  return { type: 'not-stored', says };
}

/** The value, or `undefined` when it does not come in time. */
async function within<Value>(milliseconds: number, coming: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

/** What became of a submission, with a sentence for it. `stored`: the approval counts the person. */
interface Outcome {
  readonly type: 'stored' | 'not-stored';
  readonly says: Prose;
  /** Where the person confirms it first. */
  readonly url?: string | undefined;
}

/** The same submission again gets the same answer: the approval counts people. */
async function decide(deps: ListenerDeps, { user, reason, metadata, view }: Submission): Promise<Outcome> {
  const language = await deps.people.languageOf(user);
  try {
    const { approvalId } = metadata;
    const decided = await deps.decideApproval({
      approvalId,
      by: user,
      decision: 'approve',
      reason,
      ...(metadata.typedName === undefined ? {} : { typedName: typed(view, reviewInputs.name) }),
    });
    const isStored = decided.type !== 'refused' && decided.type !== 'login';
    const url = decided.type === 'login' ? decided.url : undefined;
    return { type: isStored ? 'stored' : 'not-stored', says: outcomeProse(deps, decided, language), url };
  } catch (error) {
    return { type: 'not-stored', says: failureProse(deps, error, { listener, decides: true }, language) };
  }
}

function outcomeProse({ tell }: ListenerDeps, decided: Decided, language: Language): Prose {
  switch (decided.type) {
    case 'refused':
      return tell(decided.because, language);
    case 'approved':
      return (decided.approval.gitTarget === undefined ? reviewText : pullRequestWords)[language].approved({
        workload: workloadName(decided.incident),
      });
    case 'login': {
      const { approval, url = '' } = decided;
      return reviewText[language].login({ url, at: approval.expiresAt });
    }
    case 'awaiting':
      return reviewText[language].awaiting({ missing: decided.missing });
    case 'rejected':
      return answersText[language].rejected({ workload: workloadName(decided.approval) });
  }
}

async function showOutcome(
  deps: ListenerDeps,
  user: string,
  { channel, threadTs }: ReviewMetadata,
  { id }: ViewOutput,
  { says, url }: Outcome,
): Promise<void> {
  const language = await deps.people.languageOf(user);
  const update = () =>
    callSlack(() =>
      deps.client.views.update({ view_id: id, view: renderReviewOutcome(language, says, { url }) }),
    );
  const first = await update();
  const updated = first.type === 'doubtful' ? await update() : first;
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

/** Characters of an input of a modal that are read: as many as Slack lets people type. */
const maxTyped = 3_000;

/** What was typed into an input; empty where the view states something else than text. */
function typed({ state }: ViewOutput, { block, action }: { block: string; action: string }): string {
  const value: unknown = state.values[block]?.[action]?.value;
  return typeof value === 'string' ? boundText(value.trim(), maxTyped) : '';
}

const maxSearched = 300;
