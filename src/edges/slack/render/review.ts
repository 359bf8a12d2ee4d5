import type { KnownBlock, ModalView } from '@slack/types';
import { declaredImpact, impactInFull, undoImpactInFull } from '../../../doctor/fixes/impact-text.js';
import type { Plan } from '../../../doctor/fixes/plan.js';
import { snippetOf } from '../../../doctor/git-edits/edits-of-plan.js';
import { valueNotes } from '../../../doctor/git-edits/pull-request-body.js';
import { missingApprovers } from '../../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { isGroupId } from '../../../doctor/policy/group-names.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import type { Statement } from '../../../engine/language/statement.js';
import { driftInFull } from '../../../engine/owners/drift-text.js';
import { isLasting } from '../../../engine/owners/field-drift.js';
import type { Proposal, ReadablePlan, Review } from '../../../service/people/conversation.js';
import type { ReviewMetadata } from './action-ids.js';
import { actionIds, callbackIds, linkActionPrefix, remediationValue, reviewInputs } from './action-ids.js';
import { actions, button, linkButton, paragraph, plainText, preformatted, section, steps } from './blocks.js';
import { workloadName } from './card-context.js';
import { pullRequestButtons, pullRequestWords } from './card-pull-request.js';
import type { Size } from './message.js';
import { fittedModal, maxModalLabel, modalFrame } from './modal.js';
import { fieldDiff } from './picture.js';
import { reviewFrame, reviewText } from './review-text.js';

const diffLength = 5_000;
export const reasonLength = 500;
const inputLabelLength = 2_000;

/** Shown at once, while the cluster is read: Slack's trigger lasts three seconds only. */
export function renderReviewLoading(language: Language): ModalView {
  return plainModal(language, reviewText[language].loading());
}

/** Shown after Apply was pressed, until the decision is stored. */
export function renderReviewWorking(language: Language): ModalView {
  return plainModal(language, reviewText[language].working());
}

/**
 * A modal that only says something: why not, or what became of it.
 *
 * @param byHand what a person can place in the manifest instead
 * @param url where the person confirms the approval
 */
export function renderReviewOutcome(
  language: Language,
  outcome: Prose,
  { byHand, url }: { byHand?: string | undefined; url?: string | undefined } = {},
): ModalView {
  const { logIn } = reviewFrame[language];
  return plainModal(language, outcome, (size) => [
    ...(byHand === undefined ? [] : byHandBlocks(byHand, language, size)),
    ...(url === undefined
      ? []
      : actions([linkButton({ actionId: `${linkActionPrefix}login`, text: logIn, url })])),
  ]);
}

/** Where the review was opened, so that its outcome is told there too. */
type ReviewPlace = { readonly channel: string; readonly threadTs: string | undefined };

/**
 * The plan laid open for decision: what it costs, what will happen, the reason that the approver has to
 * write, the change, what the API server answered, and who will put it back. In the language of the one who
 * reads it. Only an accepted dry run gives it a button.
 */
export function renderReview(
  review: Review,
  options: { readonly language: Language; readonly tell: Tell; readonly place: ReviewPlace },
): ModalView {
  const { language, place } = options;
  const { approval, incident, demands } = review;
  const frame = reviewFrame[language];
  const name = workloadName(incident);
  const metadata: ReviewMetadata = {
    approvalId: approval.id,
    channel: place.channel,
    ...(place.threadTs === undefined ? {} : { threadTs: place.threadTs }),
    ...(demands.typeName ? { typedName: name } : {}),
  };
  if (review.dryRun.type !== 'accepted') {
    const close = review.dryRun.type === 'asked' ? frame.cancel : frame.close;
    return {
      ...modalFrame(frame.title, close),
      blocks: fittedModal((size) => reviewBlocks(review, options, size)),
    };
  }
  const asked = inputs(frame, demands.typeName ? name : undefined);
  return {
    callback_id: callbackIds.review,
    private_metadata: JSON.stringify(metadata),
    ...modalFrame(frame.title, frame.cancel),
    submit: plainText(submitText(review, language), maxModalLabel),
    blocks: fittedModal((size) => reviewBlocks(review, options, size, asked)),
  };
}

/** The same plan for somebody who may not approve it: what would change, and why they may not. */
export function renderReadablePlan(
  { incident, proposal, warnings, remediationId, approvers }: ReadablePlan,
  because: Prose,
  { language, tell }: RenderOptions,
): ModalView {
  const frame = reviewFrame[language];
  const blocks = fittedModal((size) => [
    paragraph(because, size),
    ...askButton(frame, remediationValue(incident.id, remediationId), approvers),
    ...outlookBlocks(proposal, warnings, { language, tell }, size, { incident }),
    ...changeBlocks(proposal, incident, language, size),
    ...driftBlocks(proposal.plan, language, size),
  ]);
  return { ...modalFrame(frame.title, frame.close), blocks };
}

/** Only where the policy names somebody to ask. */
function askButton(
  frame: (typeof reviewFrame)[Language],
  value: string,
  { users, groups }: ReadablePlan['approvers'],
): KnownBlock[] {
  if (users.length + groups.length === 0) return [];
  const [named, ...others] = groups.filter((name) => !isGroupId(name));
  const text = frame.ask(others.length === 0 && users.length === 0 ? named : undefined);
  return actions([button({ actionId: actionIds.askApproval, text, value, style: 'primary' })]);
}

type RenderOptions = { readonly language: Language; readonly tell: Tell };

function reviewBlocks(
  { approval, incident, demands, dryRun, mayDecide, warnings = [] }: Review,
  { language, tell }: RenderOptions,
  size: Size,
  asked: readonly KnownBlock[] = [],
): KnownBlock[] {
  const text = reviewText[language];
  const missing = missingApprovers(approval);
  const failure = dryRunFailure(dryRun, { language, tell });
  return [
    ...outlookBlocks(approval, warnings, { language, tell }, size, { incident, failure }),
    ...asked,
    ...changeBlocks(approval, incident, language, size),
    ...(failure === undefined
      ? (gitBlocks({ approval, dryRun }, language, size, diffLength) ??
        dryRunBlocks(dryRun, approval.plan, language, size))
      : []),
    ...byHandOf(approval, dryRun, language, size),
    ...(approval.gitTarget === undefined ? driftBlocks(approval.plan, language, size) : []),
    ...(approval.needs > 1 ? [paragraph(text['more-people']({ needs: approval.needs, missing }), size)] : []),
    ...(mayDecide ? [] : [paragraph(text['other-person'](), size)]),
    ...(demands.login && mayDecide ? [paragraph(text['login-after'](), size)] : []),
    paragraph(text.expires({ at: approval.expiresAt }), size),
  ];
}

/** What speaks against the change, what it costs, and what happens. */
function outlookBlocks(
  proposal: Proposal,
  warnings: readonly Statement[],
  { language, tell }: RenderOptions,
  size: Size,
  { incident, failure }: { incident: Incident; failure?: Prose | undefined },
): KnownBlock[] {
  const text = reviewText[language];
  const { remediation, undoes } = proposal;
  const workload = workloadName(incident);
  const { cluster } = incident.workload;
  const title = tell(remediation.title, language);
  const more = (count: number) => text.more({ count });
  // An undo without effects is one that the engines could not forecast.
  const isUnknown = undoes && remediation.effects.length === 0;
  const happens = isUnknown
    ? [paragraph(text['undo-unknown'](), size)]
    : steps(
        remediation.effects.map((each) => tell(each, language)),
        size,
        more,
      );
  return [
    paragraph(text[undoes ? 'heading-undo' : 'heading']({ title, workload, cluster }), size, { bold: true }),
    ...(failure === undefined ? [] : [paragraph(failure, size)]),
    ...steps(
      warnings.map((warning) => tell(warning, language)),
      size,
      more,
      'bullet',
    ),
    ...(isUnknown ? [] : impactBlocks(proposal, language, size)),
    ...section(text.happens(), happens, size),
  ];
}

/** The fields that change, and what follows in a second step. */
function changeBlocks({ plan }: Proposal, incident: Incident, language: Language, size: Size): KnownBlock[] {
  const text = reviewText[language];
  const diff = fieldDiff(plan.changes);
  const max = Math.min(diffLength, size.lengths.quote * 8);
  const object = `${plan.target.kind} ${plan.target.namespace}/${plan.target.name}`;
  const isWorkload = plan.target.kind === incident.workload.kind;
  return [
    paragraph(isWorkload || diff === '' ? text.change() : text['change-of']({ object }), size),
    ...(plan.request.verb === 'delete' ? [paragraph(text.deletes({ object }), size)] : []),
    ...(diff === '' ? [] : [preformatted(diff, max)]),
    ...(diff.length > max ? [paragraph(text.cut(), size)] : []),
    ...(plan.afterwards === undefined
      ? []
      : [paragraph(text['second-step']({ pods: plan.afterwards.pods.map((pod) => pod.name) }), size)]),
  ];
}

/** What the change costs, before anything else: nobody can press Apply without having seen it. */
function impactBlocks(
  { remediation, undoes, gitTarget }: Proposal,
  language: Language,
  size: Size,
): KnownBlock[] {
  const text = reviewText[language];
  const impact = gitTarget === undefined ? remediation.price : declaredImpact(remediation.price);
  const costs = undoes
    ? undoImpactInFull(remediation, language)
    : impactInFull({ ...remediation, price: impact }, language);
  const bullets = steps(costs, size, (count) => text.more({ count }), 'bullet');
  return section(text.price(), bullets, size);
}

function inputs(frame: (typeof reviewFrame)[Language], typedName: string | undefined): KnownBlock[] {
  return [
    {
      type: 'input',
      block_id: reviewInputs.reason.block,
      label: plainText(frame.reason, inputLabelLength),
      hint: plainText(frame.reasonHint, inputLabelLength),
      element: {
        type: 'plain_text_input',
        action_id: reviewInputs.reason.action,
        max_length: reasonLength,
        focus_on_load: true,
      },
    },
    ...(typedName === undefined
      ? []
      : [
          {
            type: 'input' as const,
            block_id: reviewInputs.name.block,
            label: plainText(frame.name(typedName), inputLabelLength),
            element: {
              type: 'plain_text_input' as const,
              action_id: reviewInputs.name.action,
              max_length: 400,
            },
          },
        ]),
  ];
}

/**
 * `Apply to prod-eu`, or which of several approvals this is; a long cluster name stands in the heading
 * already.
 */
function submitText({ approval, incident }: Review, language: Language): string {
  const frame = reviewFrame[language];
  const missing = missingApprovers(approval);
  if (missing > 1) return frame.approveAsOneOf(approval.needs - missing + 1, approval.needs);
  if (approval.gitTarget !== undefined) return pullRequestButtons[language].submit;
  const full = frame.applyTo(incident.workload.cluster);
  return full.length <= maxModalLabel ? full : frame.apply;
}

function plainModal(
  language: Language,
  says: Prose,
  further: (size: Size) => readonly KnownBlock[] = () => [],
): ModalView {
  return modalOf(
    language,
    fittedModal((size) => [paragraph(says, size), ...further(size)]),
  );
}

/** A window of the review that shows these blocks and has nothing to submit. */
export function modalOf(language: Language, blocks: readonly KnownBlock[]): ModalView {
  const frame = reviewFrame[language];
  return { ...modalFrame(frame.title, frame.close), blocks: [...blocks] };
}

/** What becomes of each changed field, and who decides it. Nothing where nobody else writes the workload. */
function driftBlocks({ survival = [] }: Plan, language: Language, size: Size): KnownBlock[] {
  const text = reviewText[language];
  const owners = new Map(
    survival.flatMap(({ owner }) =>
      owner === undefined || owner.by === 'other' ? [] : [[JSON.stringify(owner), owner] as const],
    ),
  );
  if (isLasting(survival) && owners.size === 0) return [];
  const managing = [...owners.values()].map(({ by, kind, namespace, name }) =>
    text.owner({ owner: by, object: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}` }),
  );
  const lasting = isLasting(survival) ? [] : [text['lasting-change']()];
  return section(
    text.lasts(),
    steps(
      [...managing, ...driftInFull(survival, language), ...lasting],
      size,
      (count) => text.more({ count }),
      'bullet',
    ),
    size,
  );
}

/**
 * The edit of the repository, in place of the API server's dry run; `undefined` for a change of the cluster.
 */
function gitBlocks(
  { approval, dryRun }: Pick<Review, 'approval' | 'dryRun'>,
  language: Language,
  size: Size,
  maxDiff: number,
): KnownBlock[] | undefined {
  const { gitTarget } = approval;
  if (gitTarget === undefined) return undefined;
  const words = pullRequestWords[language];
  if (dryRun.type !== 'accepted') {
    return [paragraph(words.reading({ repository: gitTarget.repository }), size)];
  }
  const { edit, at } = dryRun;
  if (edit === undefined) return [];
  const { file, line, diff, place = gitTarget } = edit;
  const { repository, branch } = place;
  return [
    paragraph(words.edit({ repository, branch, file, line }), size),
    preformatted(diff.join('\n'), maxDiff),
    ...valueNotes(edit, language).map((note) => paragraph(note, size)),
    paragraph(words.checked({ at }), size),
  ];
}

const maxSnippet = 2_500;

/** The fields to place in the manifest by hand, ready to copy. */
function byHandBlocks(snippet: string, language: Language, size: Size): KnownBlock[] {
  return [paragraph(pullRequestWords[language]['by-hand'](), size), preformatted(snippet, maxSnippet)];
}

/** The same after a tree was refused that a person can still edit. */
function byHandOf(
  { gitTarget, plan }: Review['approval'],
  dryRun: Review['dryRun'],
  language: Language,
  size: Size,
): KnownBlock[] {
  const refused = gitTarget !== undefined && dryRun.type === 'refused' ? dryRun : undefined;
  const snippet = refused?.byHand === true ? (refused.snippet ?? snippetOf(plan)) : undefined;
  return snippet === undefined ? [] : byHandBlocks(snippet, language, size);
}

/** Why the plan cannot be approved: said first, so that nobody reads on for nothing. */
export function dryRunFailure(
  dryRun: Review['dryRun'],
  { language, tell }: { language: Language; tell: Tell },
): Prose | undefined {
  switch (dryRun.type) {
    case 'refused':
    case 'unknown':
      return tell(dryRun.because, language);
    case 'unanswered':
      return reviewText[language]['dry-run-unanswered']({ seconds: dryRun.seconds });
    default:
      return undefined;
  }
}

/** What the API server answered, or that it is being asked. */
function dryRunBlocks(
  dryRun: Review['dryRun'],
  { afterwards }: Plan,
  language: Language,
  size: Size,
): KnownBlock[] {
  const text = reviewText[language];
  if (dryRun.type !== 'accepted') return [paragraph(text['dry-run-asked'](), size)];
  const { at, mutated } = dryRun;
  return [
    paragraph(text[afterwards === undefined ? 'dry-run' : 'dry-run-both']({ at }), size),
    ...(mutated.length > 0 ? [paragraph(text.mutated({ paths: mutated }), size)] : []),
  ];
}
