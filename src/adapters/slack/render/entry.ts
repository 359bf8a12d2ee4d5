import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../core/incident/approval.js';
import { approversOf } from '../../../core/incident/approval-transitions.js';
import { groupRows, showsGroup, totalsOf } from '../../../core/incident/group-rows.js';
import type { Incident } from '../../../core/incident/incident.js';
import { code, group, type Prose, person, plain, sentences } from '../../../core/language/prose.js';
import type { PostedEntry } from '../../../jobs/jobs.js';
import { actionIds, undoValue } from './action-ids.js';
import { actions, button, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { outcome, verdictOf } from './card-change.js';
import { type CardOptions, titleOf, workloadName } from './card-context.js';
import { diagnosisTitle } from './card-diagnosis.js';
import { cardText } from './card-text.js';
import { entryText } from './entry-text.js';
import { fieldText } from './field-diff.js';
import { separated } from './fragments.js';
import { groupTitle } from './group-card.js';
import { fitted, type Message, type Size, spoken } from './message.js';

/**
 * One message of the incident's thread: what happened to an approval or a change. It is posted once and stays
 * as it was, except for the announcement of a group that grows.
 *
 * @param approval the approval the entry is about; its absence (an old record) leaves a shorter message
 */
export function renderEntry(
  incident: Incident,
  approval: Approval | undefined,
  entry: PostedEntry,
  options: CardOptions,
): Message {
  return fitted((size) => {
    const { says, blocks } = partsOf({ incident, approval, size, ...options }, entry);
    return { text: spoken([says]), blocks: [paragraph(says, size), ...blocks] };
  });
}

interface EntryContext extends CardOptions {
  readonly incident: Incident;
  readonly approval: Approval | undefined;
  readonly size: Size;
}

interface EntryParts {
  readonly says: Prose;
  readonly blocks: readonly KnownBlock[];
}

function partsOf(context: EntryContext, entry: PostedEntry): EntryParts {
  switch (entry.kind) {
    case 'announcement':
      return announcement(context);
    case 'approved':
      return approved(context);
    case 'applied':
      return applied(context);
    case 'verdict':
      return verdict(context);
    case 'rejected':
      return rejected(context);
    case 'refused':
      return refused(context, entry.of);
    case 'reminder':
      return reminder(context);
    case 'asked':
      return asked(context, entry.of);
  }
}

/** What was found in one line: Slack shows it in the channel as well, where only the alert is seen. */
function announcement({ incident, tell }: EntryContext): EntryParts {
  const { diagnosis, language } = incident;
  if (showsGroup(incident)) {
    const { ready } = totalsOf(groupRows(incident));
    const counted = ready.wanted === 0 ? [] : cardText[language].ready(ready);
    return { says: separated([groupTitle({ incident, tell }), counted], ' · '), blocks: [] };
  }
  if (diagnosis === undefined) return { says: [], blocks: [] };
  const title = diagnosisTitle({ incident, tell }, diagnosis);
  return { says: separated([title, cardText[language].ready(diagnosis.ready)], ' · '), blocks: [] };
}

/** Mentions the groups and people whom the policy lets approve. */
function asked({ incident, tell, size }: EntryContext, position: string): EntryParts {
  const { language, approvalRequests = [] } = incident;
  const text = entryText[language];
  const request = approvalRequests[Number(position)];
  if (request === undefined) return { says: text['asked-review']({}), blocks: [] };
  const { by, users, groups } = request;
  const title = tell(request.title, language);
  const says = text.asked({
    title: request.undoes ? cardText[language]['undo-of']({ title }) : title,
    workload: workloadName(incident),
    by,
    who: [
      ...groups.map(({ id, name }) => [id === undefined ? code(`@${name}`) : group(id, name)]),
      ...users.map((user) => [person(user)]),
    ],
  });
  return { says, blocks: [paragraph(text['asked-review']({}), size)] };
}

function approved({ incident, approval, tell, size }: EntryContext): EntryParts {
  const { change, language } = incident;
  const text = entryText[language];
  const about = approval ?? change;
  const by = approval === undefined ? (change?.approvedBy ?? []) : approversOf(approval);
  const confirmed = (approval?.decisions ?? []).filter(({ login }) => login !== undefined);
  return {
    says: sentences(
      text.approved({ title: about === undefined ? [] : titleOf(about, language, tell), by }),
      confirmed.length === 0 ? [] : text.confirmed({ by: confirmed.map((each) => each.by) }),
    ),
    blocks: reasons(incident, approval, 'approve', size),
  };
}

/** What the second step deleted, and why it left the rest. */
function secondStepBlocks({ incident, tell, size }: EntryContext): KnownBlock[] {
  const { change, language } = incident;
  const { deleted = [], because } = change?.secondStep ?? {};
  return [
    ...(deleted.length === 0 ? [] : [paragraph(entryText[language].deleted({ pods: deleted }), size)]),
    ...(because === undefined ? [] : [paragraph(tell(because, language), size)]),
  ];
}

function applied(context: EntryContext): EntryParts {
  const { incident, approval, size } = context;
  const { change, language } = incident;
  const text = entryText[language];
  const changes = approval?.plan.changes ?? [];
  const asText = (value: unknown) => fieldText(value) ?? plain(text.absent({}));
  const until = change?.verifyUntil;
  return {
    says: text.applied({ workload: workloadName(incident), generation: change?.generation }),
    blocks: [
      ...steps(
        changes.map(({ path, before, after }) =>
          text.field({ path, before: asText(before), after: asText(after) }),
        ),
        size,
        (count) => cardText[language].more({ count }),
        'bullet',
      ),
      ...secondStepBlocks(context),
      ...(until === undefined ? [] : [paragraph(text.until({ at: until }), size)]),
    ],
  };
}

function verdict({ incident, tell, size }: EntryContext): EntryParts {
  const { change, diagnosis, language } = incident;
  if (change === undefined) return { says: [], blocks: [] };
  return {
    says: verdictOf(incident, change),
    blocks: [
      paragraph(
        sentences(
          outcome({ incident, tell }, change),
          diagnosis === undefined ? [] : cardText[language].served(diagnosis.ready),
        ),
        size,
      ),
    ],
  };
}

/** A button can remove the exclusion only while no later change has replaced it. */
function reminder({ incident, approval, tell, size }: EntryContext): EntryParts {
  const { language, change } = incident;
  const text = entryText[language];
  if (approval === undefined) return { says: [], blocks: [] };
  const title = titleOf(approval, language, tell);
  const by = approversOf(approval);
  const at = approval.decisions.at(-1)?.at;
  const undoable = change?.approvalId === approval.id && change.undo !== undefined;
  const { url, hasUndo } = incident.pullRequest?.approvalId === approval.id ? incident.pullRequest : {};
  const takenBack =
    approval.gitTarget === undefined ? text['reminder-by-hand']({}) : text['reminder-in-git']({ url });
  const inGit = hasUndo === true ? text['reminder-undo-in-git']({}) : takenBack;
  const button = undoable ? actionIds.undo : hasUndo === true ? actionIds.undoInGit : undefined;
  return {
    says: text.reminder({ title, workload: workloadName(incident), by }),
    blocks: [
      ...(at === undefined ? [] : [paragraph(text['reminder-since']({ at }), size)]),
      paragraph(undoable ? text['reminder-undo']({}) : inGit, size),
      ...(button === undefined ? [] : removeExclusionButton(incident, approval, button)),
    ],
  };
}

function removeExclusionButton(incident: Incident, approval: Approval, actionId: string): KnownBlock[] {
  const texts = buttonTexts[incident.language];
  return actions([
    button({
      actionId,
      text: texts.removeExclusion,
      label: texts.removeExclusionLabel(workloadName(incident)),
      value: undoValue(incident.id, approval.id),
    }),
  ]);
}

function rejected({ incident, approval, tell, size }: EntryContext): EntryParts {
  const { language } = incident;
  const by = approval?.decisions.find(({ decision }) => decision === 'reject')?.by;
  const title = approval === undefined ? [] : titleOf(approval, language, tell);
  return {
    says: entryText[language].rejected({ title, by }),
    blocks: reasons(incident, approval, 'reject', size),
  };
}

function refused({ incident, approval, tell, size }: EntryContext, approvalId: string): EntryParts {
  const { change, distrusted, language } = incident;
  if (distrusted?.approvalId === approvalId) {
    const because = tell(distrusted.because, language);
    return { says: entryText[language].distrusted({}), blocks: [paragraph(because, size)] };
  }
  const about = approval ?? change;
  const failure = change?.failure;
  return {
    says: entryText[language].refused({
      title: about === undefined ? [] : titleOf(about, language, tell),
    }),
    blocks: failure === undefined ? [] : [paragraph(tell(failure, language), size)],
  };
}

function reasons(
  { language }: Incident,
  approval: Approval | undefined,
  wanted: 'approve' | 'reject',
  size: Size,
): KnownBlock[] {
  return (approval?.decisions ?? [])
    .filter(({ decision, reason }) => decision === wanted && reason.trim() !== '')
    .slice(0, size.items)
    .map(({ by, reason }) => paragraph(entryText[language].reason({ by, reason }), size));
}
