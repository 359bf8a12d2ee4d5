import type { Button, KnownBlock } from '@slack/types';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import type { Remediation } from '../../../doctor/fixes/remediation.js';
import { byRecommendation, mayLead } from '../../../doctor/fixes/with-drift.js';
import { mayHaveGitForm } from '../../../doctor/git-edits/edits-of-plan.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { PullRequestState } from '../../../doctor/incidents/pull-request.js';
import { isPullRequestUnderWay } from '../../../doctor/incidents/pull-request-transitions.js';
import { type Prose, sentences } from '../../../engine/language/prose.js';
import { actionIds, linkActionPrefix, remediationValue } from './action-ids.js';
import { button, line, linkButton } from './blocks.js';
import { type CardContext, workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { toPlainText } from './prose.js';
import { pullRequestButtons, pullRequestWords } from './pull-request-words.js';

/**
 * The title while a pull request is under way: somebody has decided, and nothing else should be changed
 * meanwhile.
 *
 * @returns `undefined` where none is, or its cause is gone
 */
export function pullRequestTitle({
  pullRequest,
  diagnosis,
  workload,
  language,
}: Incident): Prose | undefined {
  const words = pullRequestWords[language];
  if (pullRequest === undefined || diagnosis === undefined) return undefined;
  if (mainFindingOf(diagnosis).main === undefined) return undefined;
  const { state, number, target } = pullRequest;
  if (state === 'opening')
    return words['opening-title']({ workload: `${workload.namespace}/${workload.name}` });
  if (state !== 'open' && state !== 'merged') return undefined;
  return words[`${state}-title`]({ repository: target.repository, number });
}

/** How far the pull request came, with a link to it unless that is the first button of the card. */
export function pullRequestBlocks({ incident, tell, size }: CardContext): KnownBlock[] {
  const { pullRequest, language } = incident;
  if (pullRequest === undefined) return [];
  const { state, number, target, title, undoes, approvedBy, hindrance, failure } = pullRequest;
  const words = pullRequestWords[language];
  const { repository } = target;
  const told = tell(title, language);
  const shown = {
    title: undoes === true ? cardText[language]['undo-of']({ title: told }) : told,
    repository,
    number,
  };
  const says =
    state === 'opening' ? words.opening({ ...shown, by: approvedBy }) : words[wordOf(state, undoes)](shown);
  const [link] = isPullRequestUnderWay(incident) ? [] : viewButton(incident);
  return [
    line(
      sentences(
        says,
        state === 'open' && hindrance !== undefined ? words.hindrance({ hindrance }) : [],
        failure === undefined ? [] : tell(failure, language),
      ),
      link,
      size,
    ),
  ];
}

/** Opens the pull request at its host; none until the host has it. */
export function viewButton({ pullRequest, language }: Incident, style?: 'primary'): readonly Button[] {
  if (pullRequest?.url === undefined) return [];
  const { url, number, target } = pullRequest;
  const { view, viewLabel } = pullRequestButtons[language];
  return [
    linkButton({
      actionId: `${linkActionPrefix}pull-request`,
      text: view,
      label: viewLabel(`${target.repository}#${number}`),
      url,
      ...(style === undefined ? {} : { style }),
    }),
  ];
}

/** An undo ends no cause, so its words promise none. */
function wordOf(state: Exclude<PullRequestState, 'opening'>, undoes = false) {
  if (undoes && state === 'merged') return 'undoing';
  return undoes && state === 'recovered' ? 'undone' : state;
}

/**
 * The first of these fixes that a pull request can propose: it has a form in a manifest, and Git declares the
 * workload.
 */
function fixForGit(
  { incident, hasGitSource }: CardContext,
  fixes: readonly Remediation[],
): Remediation | undefined {
  const { workload, pullRequest, diagnosis } = incident;
  const owners = diagnosis?.findings.flatMap((finding) => finding.owners) ?? [];
  const name = diagnosis?.ownedBy?.name ?? workload.name;
  const isDeclared = [workload, { ...workload, name }].some((each) => hasGitSource?.(each, owners) === true);
  if (!isDeclared || isPullRequestUnderWay(incident)) return undefined;
  const fix = fixes.find(mayHaveGitForm);
  const isDeclined =
    pullRequest?.state === 'closed' && pullRequest.undoes !== true && pullRequest.remediationId === fix?.id;
  return isDeclined ? undefined : fix;
}

/** Whether the pull request is the fix to put forward: a change of the cluster alone may not last. */
function isBetterInGit({ survival }: Remediation): boolean {
  return survival !== undefined && survival.verdict.type !== 'stays';
}

/**
 * The fix that a card puts forward. Where a pull request leads, it is the same fix, so that the pull request
 * and the change made now are one plan; otherwise the first fix that lasts long enough to help.
 */
export function leadingFix(context: CardContext): {
  readonly fix: Remediation | undefined;
  /** The fix that a pull request can propose. */
  readonly forGit: Remediation | undefined;
  readonly leadsInGit: boolean;
} {
  const { diagnosis } = context.incident;
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  const { lead } = byRecommendation(fixesOf(context));
  const own = fixForGit(context, main?.remediations ?? []);
  const forGit = own ?? fixForGit(context, fixesOf(context));
  const isHelpful = own !== undefined && isBetterInGit(own) && mayLead(own);
  return {
    fix: isHelpful ? own : lead,
    forGit,
    leadsInGit: forGit !== undefined && isBetterInGit(forGit) && forGit.afterWaiting !== true,
  };
}

/** Those of the main finding first. What another finding offers as well is shown once. */
export function fixesOf({ incident }: CardContext): readonly Remediation[] {
  const { diagnosis } = incident;
  if (diagnosis === undefined) return [];
  const { main, others } = mainFindingOf(diagnosis);
  const all = [...(main === undefined ? [] : [main]), ...others].flatMap(({ remediations }) => remediations);
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}

/** Opens the review of a pull request for this fix. */
export function pullRequestButton({ incident, tell }: CardContext, fix: Remediation): Button {
  const { language, id } = incident;
  const { review, reviewLabel } = pullRequestButtons[language];
  return button({
    actionId: actionIds.reviewInGit,
    text: review,
    label: reviewLabel(toPlainText(tell(fix.title, language)), workloadName(incident)),
    value: remediationValue(id, fix.id),
    ...(isBetterInGit(fix) ? { style: 'primary' } : {}),
  });
}
