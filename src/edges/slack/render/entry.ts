import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../doctor/incidents/approval.js';
import { approversOf } from '../../../doctor/incidents/approval-transitions.js';
import { groupRows, showsGroup, totalsOf } from '../../../doctor/incidents/group-rows.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { remindersOf } from '../../../doctor/incidents/reminders.js';
import type { Language } from '../../../engine/language/language.js';
import {
  code,
  group,
  moment,
  type Prose,
  person,
  plain,
  quote,
  say,
  sentences,
  strong,
  word,
} from '../../../engine/language/prose.js';
import { joined, names } from '../../../engine/language/words.js';
import type { PostedEntry } from '../../../service/jobs/jobs.js';
import { actionIds, undoValue } from './action-ids.js';
import { actions, button, paragraph, renderNotice, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { outcome, verdictOf } from './card-change.js';
import { type CardOptions, titleOf, workloadName } from './card-context.js';
import { diagnosisTitle } from './card-diagnosis.js';
import { cardText } from './card-text.js';
import { groupTitle } from './group-card.js';
import { postMortemButton } from './history.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { fieldText } from './picture.js';
import { separated } from './prose.js';

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

type EntryParts = { readonly says: Prose; readonly blocks: readonly KnownBlock[] };

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
      return reminder(context, entry.of);
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
  if (request === undefined) return { says: text['asked-review'](), blocks: [] };
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
  return { says, blocks: [paragraph(text['asked-review'](), size)] };
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
  const asText = (value: unknown) => fieldText(value) ?? plain(text.absent());
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
      ...(until === undefined
        ? []
        : [
            paragraph(
              text.until({ at: until, hasCause: change?.cause !== undefined && !change.undoes }),
              size,
            ),
          ]),
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
      ...(change.undoes ? [] : postMortemButton(incident, language)),
    ],
  };
}

/**
 * A button can remove the exclusion only while no later change has replaced it. Where the record of the
 * approval is lost, the incident states what people need.
 */
function reminder({ incident, approval, tell, size }: EntryContext, approvalId: string): EntryParts {
  const { language, change, pullRequest } = incident;
  const text = entryText[language];
  const made = remindersOf(incident).find((each) => each.approvalId === approvalId);
  const remediation = approval?.remediation ?? made?.remediation;
  if (remediation === undefined) return { says: [], blocks: [] };
  const title = titleOf({ remediation, undoes: approval?.undoes ?? false }, language, tell);
  const by = approval === undefined ? (made?.approvedBy ?? []) : approversOf(approval);
  const at = approval === undefined ? made?.approvedAt : approval.decisions.at(-1)?.at;
  const undoable = change?.approvalId === approvalId && change.undo !== undefined;
  const inPullRequest = pullRequest?.approvalId === approvalId ? pullRequest : undefined;
  const isByHand = approval === undefined ? inPullRequest === undefined : approval.gitTarget === undefined;
  const takenBack = isByHand
    ? text['reminder-by-hand']()
    : text['reminder-in-git']({ url: inPullRequest?.url });
  const hasUndo = inPullRequest?.hasUndo === true;
  const inGit = hasUndo ? text['reminder-undo-in-git']() : takenBack;
  const button = undoable ? actionIds.undo : hasUndo ? actionIds.undoInGit : undefined;
  return {
    says: text.reminder({ title, workload: workloadName(incident), by }),
    blocks: [
      ...(at === undefined ? [] : [paragraph(text['reminder-since']({ at }), size)]),
      paragraph(undoable ? text['reminder-undo']() : inGit, size),
      ...(button === undefined ? [] : removeExclusionButton(incident, approvalId, button)),
    ],
  };
}

function removeExclusionButton(incident: Incident, approvalId: string, actionId: string): KnownBlock[] {
  const texts = buttonTexts[incident.language];
  return actions([
    button({
      actionId,
      text: texts.removeExclusion,
      about: workloadName(incident),
      value: undoValue(incident.id, approvalId),
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
    const text = entryText[language];
    const says = distrusted.isLost === true ? text.lost() : text.distrusted({});
    return { says, blocks: [paragraph(because, size)] };
  }
  const about = approval ?? change;
  const failure = change?.failure;
  return {
    says: entryText[language].refused({ title: about === undefined ? [] : titleOf(about, language, tell) }),
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

const en = {
  /** People who confirmed their approval with the company's login. */
  confirmed: ({ by }: { by: readonly string[] }) =>
    say`Confirmed with the company login: ${joined('en', by.map(person))}.`,
  approved: ({ title, by }: { title: Prose; by: readonly string[] }) =>
    say`${joined('en', by.map(person))} approved: ${title}.`,
  reason: ({ by, reason }: { by: string; reason: string }) =>
    say`Reason given by ${person(by)}: ${quote(reason)}`,
  applied: ({ workload, generation }: { workload: string; generation: number | undefined }) =>
    generation === undefined
      ? say`The API server accepted the change to ${code(workload)}.`
      : say`The API server accepted the change to ${code(workload)} (generation ${generation}).`,
  field: ({ path, before, after }: { path: string; before: string; after: string }) =>
    say`${code(path)}: ${code(before)} → ${code(after)}`,
  deleted: ({ pods }: { pods: readonly string[] }) => say`Step 2 deleted ${names('en', pods)}.`,
  /** An undo, and a change that a person asked for, have no cause to end. */
  until: ({ at, hasCause }: { at: string; hasCause: boolean }) =>
    say`${word(hasCause ? 'Verifying whether the cause is gone' : 'Verifying the effect of the change')}. The result follows here by ${moment(at)} at the latest.`,
  asked: (values: { title: Prose; workload: string; by: string; who: readonly Prose[] }) =>
    say`${person(values.by)} asks ${joined('en', values.who)} to approve a change to ${code(values.workload)}: ${values.title}.`,
  'asked-review': () => say`Press ${strong('Review')} or ${strong('Review fix')} on the card.`,
  rejected: ({ title, by }: { title: Prose; by: string | undefined }) =>
    by === undefined
      ? say`${title} was rejected. Nothing was changed.`
      : say`${person(by)} rejected: ${title}. Nothing was changed.`,
  refused: ({ title }: { title: Prose }) => say`Not applied: ${title}.`,
  distrusted: (_: Record<never, never>) => say`Not applied: a stored approval failed verification.`,
  lost: () => say`Redis lost an approval that people were deciding on.`,
  reminder: ({ title, workload, by }: { title: Prose; workload: string; by: readonly string[] }) =>
    by.length === 0
      ? say`Still in effect for ${code(workload)}: ${title}.`
      : say`${joined('en', by.map(person))}: still in effect for ${code(workload)}: ${title}.`,
  'reminder-since': ({ at }: { at: string }) => say`Approved ${moment(at)}.`,
  'reminder-undo': () =>
    say`After the repair, remove the exclusion. This starts a rollout. You review the change before it is applied.`,
  /** A pull request made the change. */
  'reminder-undo-in-git': () =>
    say`After the repair, remove the exclusion by another pull request. Its merge starts a rollout. You review the changed lines before it is opened.`,
  'reminder-by-hand': () =>
    say`A later change replaced this one on the card, so remove the exclusion by hand. Delete the ${code('NotIn')} on ${code('kubernetes.io/hostname')} from the node affinity of the pod template.`,
  'reminder-in-git': ({ url }: { url: string | undefined }) =>
    say`After the repair, remove the exclusion in Git: revert the pull request${url === undefined ? [] : say` ${code(url)}`}. This starts a rollout.`,
  absent: () => say`absent`,
};

const ko: typeof en = {
  confirmed: ({ by }) => say`회사 로그인으로 확인함: ${joined('ko', by.map(person))}.`,
  approved: ({ title, by }) => say`${joined('ko', by.map(person))} 님이 승인함: ${title}.`,
  reason: ({ by, reason }) => say`${person(by)} 님이 적은 사유: ${quote(reason)}`,
  applied: ({ workload, generation }) =>
    generation === undefined
      ? say`API 서버가 ${code(workload)} 변경을 받아들였습니다.`
      : say`API 서버가 ${code(workload)} 변경을 받아들였습니다(generation ${generation}).`,
  field: ({ path, before, after }) => say`${code(path)}: ${code(before)} → ${code(after)}`,
  deleted: ({ pods }) => say`2단계에서 ${names('ko', pods)} 파드를 삭제했습니다.`,
  until: ({ at, hasCause }) =>
    say`${word(hasCause ? '원인이 사라졌는지' : '변경의 결과를')} 확인하는 중입니다. 늦어도 ${moment(at)}까지 여기에 결과를 남깁니다.`,
  asked: ({ title, workload, by, who }) =>
    say`${person(by)} 님이 ${joined('ko', who)}에게 ${code(workload)} 변경 승인을 요청했습니다: ${title}.`,
  'asked-review': () =>
    say`카드에서 ${strong('검토')} 또는 ${strong('조치 검토')}를 눌러 내용을 확인하고 승인하세요.`,
  rejected: ({ title, by }) =>
    by === undefined
      ? say`거절됨: ${title}. 아무것도 변경하지 않았습니다.`
      : say`${person(by)} 님이 거절함: ${title}. 아무것도 변경하지 않았습니다.`,
  refused: ({ title }) => say`적용되지 않음: ${title}.`,
  distrusted: () => say`적용되지 않음: 저장된 승인이 검증을 통과하지 못했습니다.`,
  lost: () => say`결정을 기다리던 승인 기록이 Redis에서 사라졌습니다.`,
  reminder: ({ title, workload, by }) =>
    by.length === 0
      ? say`${code(workload)}에 아직 적용 중: ${title}.`
      : say`${joined('ko', by.map(person))} 님, ${code(workload)}에 아직 적용 중입니다: ${title}.`,
  'reminder-since': ({ at }) => say`승인 시각: ${moment(at)}.`,
  'reminder-undo': () =>
    say`노드가 정상으로 돌아왔으면 제외를 해제하세요. 해제하면 롤아웃이 시작되며, 적용 전에 변경 내용을 검토합니다.`,
  'reminder-undo-in-git': () =>
    say`노드가 정상으로 돌아왔으면 풀 리퀘스트를 하나 더 열어 제외를 해제하세요. 병합하면 롤아웃이 시작되며, 열기 전에 변경되는 줄을 검토합니다.`,
  'reminder-by-hand': () =>
    say`카드가 이후 변경으로 바뀌어 제외를 직접 해제해야 합니다. 파드 템플릿의 노드 어피니티에서 ${code('kubernetes.io/hostname')}의 ${code('NotIn')} 항목을 삭제하세요.`,
  'reminder-in-git': ({ url }) =>
    say`노드가 정상으로 돌아왔으면 Git에서 제외를 해제하세요. 풀 리퀘스트${url === undefined ? [] : say` ${code(url)}`}를 되돌리면(revert) 됩니다. 해제하면 롤아웃이 시작됩니다.`,
  absent: () => say`없음`,
};

export const entryText = { en, ko };

/** Takes the place of a card or picture whose readers may not see its workload any more; names nothing. */
export function renderNotShown(language: Language): Message {
  return renderNotice(cardText[language]['not-shown']());
}
