import type { Button, KnownBlock } from '@slack/types';
import { commandText } from '../../../doctor/commands/command.js';
import type { Severity } from '../../../doctor/findings/cause-id.js';
import { durationSeconds, mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { showsGroup } from '../../../doctor/incidents/group-rows.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { assigneeOf, isAssignable } from '../../../doctor/incidents/incident-transitions.js';
import { linksOf, type Pages } from '../../../doctor/incidents/page-links.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../engine/language/prose.js';
import { duration, joined, names } from '../../../engine/language/words.js';
import { type ClusterFault, clusterFaults } from '../../../service/clusters/cluster-roll.js';
import type { ShownIncident } from '../../../service/people/list-incidents.js';
import type { Home, PendingApproval, TitledChange } from '../../../service/people/read-home.js';
import { actionIds, linkEntry, menuValue, remediationValue } from './action-ids.js';
import { handBackButton, takeOverButton } from './assignee.js';
import { changeParts } from './audit.js';
import { actions, button, footer, line, type MenuEntry, menu, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { titleOf, workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { showAllButtons } from './group-card.js';
import { dotted, linkOf, type RecordsOptions, readyOf, shownSeverity, statusLineOf } from './incidents.js';
import { severitySymbols, severityWords } from './kind-words.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { fittedHome } from './modal.js';
import { toPlainText } from './prose.js';
import { recordsText } from './records-text.js';
import { silenceHeading, silenceList } from './silences.js';

/**
 * Approvals that wait, those for the reader first; open incidents, the worst first; recent changes; what is
 * silenced.
 */
export function renderHome(home: Home, reader: string, options: HomeOptions): Message {
  const { language } = options;
  const text = homeText[language];
  const pendingCount = home.pending.length + home.morePending;
  const openCount = home.open.length + home.moreOpen;
  const pending =
    pendingCount === 0 ? text['nothing-pending']() : text['pending-heading']({ count: pendingCount });
  const open =
    openCount === 0
      ? recordsText[language]['nothing-open']()
      : recordsText[language]['open-heading']({ count: openCount });
  const blocks = fittedHome((size) => [
    ...topButtons(home.channel, language),
    ...(home.policyFaultSince === undefined
      ? []
      : [paragraph(text['policy-fault']({ since: home.policyFaultSince }), size)]),
    ...(home.clustersAway === undefined || home.clustersAway.length === 0
      ? []
      : [paragraph(text['clusters-away']({ clusters: home.clustersAway }), size)]),
    ...clusterFaults.flatMap((fault) => {
      const clusters = (home.clusterFaults ?? []).filter(({ faults }) => faults.includes(fault));
      return clusters.length === 0
        ? []
        : [
            paragraph(
              text['clusters-with']({ fault, clusters: clusters.map(({ cluster }) => cluster) }),
              size,
            ),
          ];
    }),
    ...(pendingCount === 0
      ? []
      : [paragraph(pending, size), ...pendingBlocks(home, options, size), { type: 'divider' as const }]),
    paragraph(dotted([open, ...severityCounts(home, language)]), size),
    ...(openCount === 0 ? [footer([text['none-open']()], size)] : []),
    ...incidentRows(home, reader, options, size),
    { type: 'divider' },
    paragraph(text['changes-heading'](), size),
    ...changeLines(home.changes, options, size),
    ...(home.silences.length === 0 ? [] : [paragraph(silenceHeading(home.silences, language), size)]),
    ...silenceList(home.silences, language, size),
    footer(
      [...(pendingCount === 0 ? [pending] : []), text['as-of']({ at: home.at }), text['how-to-ask']()],
      size,
    ),
  ]);
  return { text: spoken([pending, open]), blocks };
}

/** Why there is nothing to show. */
export function renderHomeFailure(says: Prose, language: Language): Message {
  const again = homeText[language]['not-shown']();
  return fitted((size) => ({
    text: spoken([says, again]),
    blocks: [paragraph(says, size), paragraph(again, size)],
  }));
}

function topButtons(channel: string | undefined, language: Language): KnownBlock[] {
  const { search, refresh } = buttonTexts[language];
  return actions([
    button({ actionId: actionIds.search, text: search, value: channel }),
    button({ actionId: actionIds.refresh, text: refresh, value: 'home' }),
  ]);
}

const severities: readonly Severity[] = ['critical', 'warning', 'info'];

function severityCounts(home: Home, language: Language): readonly Prose[] {
  const { severities: counts, diagnosing = 0 } = home;
  const known = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const says = homeText[language].severity({ severity, count: counts[severity] });
      return say`${word(severitySymbols[severity])} ${says}`;
    });
  return diagnosing === 0 ? known : [...known, homeText[language].diagnosing({ count: diagnosing })];
}

function incidentRows(home: Home, reader: string, options: HomeOptions, size: Size): KnownBlock[] {
  const fit = home.open.slice(0, size.items);
  const hidden = home.moreOpen + home.open.length - fit.length;
  return [
    ...fit.flatMap((each) => incidentRow(each, { reader, at: home.at }, options, size)),
    ...(hidden > 0 ? [footer([homeText[options.language].more({ count: hidden })], size)] : []),
  ];
}

function pendingBlocks(home: Home, options: HomeOptions, size: Size): KnownBlock[] {
  const fit = home.pending.slice(0, size.items);
  const hidden = home.morePending + home.pending.length - fit.length;
  return [
    ...fit.flatMap((each) => pendingRow(each, options, size)),
    ...(hidden > 0 ? [footer([homeText[options.language].more({ count: hidden })], size)] : []),
  ];
}

function pendingRow(pending: PendingApproval, options: HomeOptions, size: Size): KnownBlock[] {
  const { language, tell } = options;
  const { incident, approval, missing, mine } = pending;
  const text = homeText[language];
  const texts = buttonTexts[language];
  const approvers = approval.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by);
  const title = titleOf(approval, language, tell);
  const workload = workloadName(incident);
  const link = linkOf(pending, options);
  const review = button({
    actionId: actionIds.review,
    text: texts.review,
    about: `${workload}, ${toPlainText(title)}`,
    value: remediationValue(incident.id, approval.undoes ? 'undo' : approval.remediation.id),
    ...(mine ? { style: 'primary' } : {}),
  });
  return [
    line(
      dotted([text.pending({ title, workload }), ...(mine ? [text['you-can-approve']()] : [])]),
      undefined,
      size,
    ),
    footer(
      [
        ...(approvers.length === 0 ? [] : [text['approved-by']({ by: approvers })]),
        text.missing({ missing, until: approval.expiresAt }),
        cardText[language]['on-cluster']({ cluster: incident.workload.cluster }),
      ],
      size,
    ),
    ...actions([review, ...(link === undefined ? [] : [link])]),
  ];
}

/** One line a change: on what, what, and what came of it. */
function changeLines(changes: readonly TitledChange[], options: HomeOptions, size: Size): KnownBlock[] {
  const text = homeText[options.language];
  if (changes.length === 0) return [footer([text['no-changes']()], size)];
  const lines = changes.map((change) => dotted(changeParts(change, options)));
  return steps(lines, size, (count) => text.more({ count }), 'bullet');
}

/** What a Home page is rendered with. */
interface HomeOptions extends RecordsOptions {
  readonly pages: Pages;
}

/**
 * An open incident: how severe and what, then how many pods are ready, since when and who is on it, then its
 * buttons.
 */
function incidentRow(
  shown: ShownIncident,
  { reader, at }: { reader: string; at: string },
  options: HomeOptions,
  size: Size,
): KnownBlock[] {
  const { incident } = shown;
  const { language } = options;
  const link = linkOf(shown, options);
  const entries = menuEntries(incident, options);
  return [
    line(titleOfRow(incident, options), undefined, size),
    footer(aboutParts(incident, at, language), size),
    ...actions([
      ...(link === undefined ? [] : [link]),
      ...(showsGroup(incident) ? showAllButtons({ ...incident, language }) : []),
      ...assignButtons(incident, reader, language),
      ...menu(actionIds.menu, entries),
    ]),
  ];
}

function titleOfRow(incident: Incident, options: HomeOptions): Prose {
  const severity = shownSeverity(incident);
  const statusLine = statusLineOf(incident, options);
  if (severity === undefined) return say`${word('⏳')} ${statusLine}`;
  return say`${word(severitySymbols[severity])} ${strong(severityWords[options.language][severity])} · ${statusLine}`;
}

function aboutParts(incident: Incident, at: string, language: Language): readonly Prose[] {
  const text = homeText[language];
  const { workload, phase } = incident;
  const assignee = assigneeOf(incident);
  const ready = readyOf(incident);
  // The title of a diagnosis that runs names the cluster, except where it is that of a group.
  const statesCluster = phase === 'diagnosing' && !showsGroup(incident);
  return [
    ...(ready === undefined ? [] : [cardText[language].ready(ready)]),
    howLong(incident, at, language),
    ...(statesCluster ? [] : [cardText[language]['on-cluster']({ cluster: workload.cluster })]),
    ...(assignee !== undefined
      ? [cardText[language].assignee(assignee)]
      : isAssignable(incident)
        ? [text['no-assignee']()]
        : []),
  ];
}

/**
 * For how long the rollout is stuck, as its finding states it; otherwise for how long the incident is open.
 */
function howLong({ diagnosis, createdAt }: Incident, at: string, language: Language): Prose {
  const text = homeText[language];
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  const duration = main === undefined ? undefined : durationSeconds(main);
  const secondsSince = (time: string) => Math.max(0, (Date.parse(at) - Date.parse(time)) / 1_000) || 0;
  return duration === undefined || diagnosis === undefined
    ? text['open-for']({ seconds: secondsSince(createdAt) })
    : text['stuck-for']({ seconds: duration + secondsSince(diagnosis.takenAt) });
}

function assignButtons(incident: Incident, reader: string, language: Language): readonly Button[] {
  if (!isAssignable(incident)) return [];
  const texts = buttonTexts[language];
  const by = assigneeOf(incident)?.by;
  if (by === reader) return [handBackButton(incident, language)];
  if (by !== undefined) return [takeOverButton(incident, by, language)];
  const about = workloadName(incident);
  return [button({ actionId: actionIds.assign, text: texts.assign, about, value: incident.id })];
}

function menuEntries(incident: Incident, { language, pages }: HomeOptions): readonly MenuEntry[] {
  const texts = buttonTexts[language];
  const { id, workload, diagnosis } = incident;
  const entry = (text: string, value: string | undefined) => (value === undefined ? [] : [{ text, value }]);
  return [
    ...(diagnosis === undefined ? [] : entry(texts.proof, menuValue(actionIds.proof, id))),
    ...entry(texts.diagnoseAgain, menuValue(actionIds.diagnoseAgain, id)),
    ...entry(texts.silence, menuValue(actionIds.makeRequest, commandText('silence', workload, '2h'))),
    ...linksOf(incident, pages, language).map(({ name, url }, position) => ({
      text: name,
      value: `${linkEntry}|${position}`,
      url,
    })),
  ];
}

const faultText: {
  readonly [Each in Language]: {
    readonly [Fault in ClusterFault]: (clusters: ReturnType<typeof names>) => Prose;
  };
} = {
  en: {
    'name-shared': (clusters) =>
      say`${strong('Workers of two different clusters have the same name')}: ${clusters}. Workloads there can be neither diagnosed nor changed until one of the clusters has another ${code('CLUSTER_NAME')}.`,
    unreachable: (clusters) =>
      say`${strong('The API server does not answer')} the workers of ${clusters}. Workloads there cannot be diagnosed or changed.`,
    'policy-differs': (clusters) =>
      say`${strong('The policy of the workers differs')} from the policy of the app: ${clusters}. The workers apply their own policy to changes there.`,
  },
  ko: {
    'name-shared': (clusters) =>
      say`${strong('서로 다른 두 클러스터의 워커가 같은 이름을 사용합니다')}: ${clusters}. 한쪽의 ${code('CLUSTER_NAME')} 값을 바꿀 때까지 해당 워크로드를 진단하거나 변경할 수 없습니다.`,
    unreachable: (clusters) =>
      say`${strong('API 서버가 워커에 응답하지 않습니다')}: ${clusters}. 해당 클러스터의 워크로드는 진단하거나 변경할 수 없습니다.`,
    'policy-differs': (clusters) =>
      say`${strong('워커의 정책이 앱의 정책과 다릅니다')}: ${clusters}. 해당 클러스터의 변경에는 워커의 정책을 적용합니다.`,
  },
};

const en = {
  'pending-heading': ({ count }: { count: number }) =>
    say`${strong(count === 1 ? '1 change is waiting for approval' : `${count} changes are waiting for approval`)}`,
  'nothing-pending': () => say`No pending approvals`,
  pending: ({ title, workload }: { title: Prose; workload: string }) => say`${title} for ${code(workload)}`,
  'you-can-approve': () => say`${strong('you can approve this')}`,
  'approved-by': ({ by }: { by: readonly string[] }) => say`approved by ${joined('en', by.map(person))}`,
  missing: ({ missing, until }: { missing: number; until: string }) =>
    say`${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve by ${moment(until)}`,
  'none-open': () =>
    say`New incidents appear here when an alert arrives, when the sentinel proves a deadlock, or when a person diagnoses a workload. To start one, press Search.`,
  /** How many open incidents have this severity. */
  severity: ({ severity, count }: { severity: Severity; count: number }) =>
    say`${count} ${word(severity === 'info' ? 'other' : severityWords.en[severity].toLowerCase())}`,
  /** How many were never diagnosed yet. */
  diagnosing: ({ count }: { count: number }) => say`⏳ ${count} being diagnosed`,
  'stuck-for': ({ seconds }: { seconds: number }) => say`stuck for ${duration('en', seconds)}`,
  'open-for': ({ seconds }: { seconds: number }) => say`open for ${duration('en', seconds)}`,
  'no-assignee': () => say`no one is on it`,
  'changes-heading': () => say`${strong('Recent changes')}`,
  'no-changes': () => say`No changes yet. Approved fixes and their results appear here.`,
  more: ({ count }: { count: number }) => say`… and ${count} more`,
  'how-to-ask': () =>
    say`In a channel that has this app, use ${code('/rollout-doctor namespace/name')} or ${code('/rollout-doctor help')}.`,
  'as-of': ({ at }: { at: string }) => say`updated ${moment(at)}`,
  'policy-fault': ({ since }: { since: string }) =>
    say`${strong('The policy file has a fault')} since ${moment(since)}. The last good policy applies until the file is corrected. The log of the app names the fault.`,
  'clusters-away': ({ clusters }: { clusters: readonly string[] }) =>
    say`${strong('No worker is running')} in ${names('en', clusters)}. Workloads there cannot be diagnosed or changed.`,
  'clusters-with': ({ fault, clusters }: { fault: ClusterFault; clusters: readonly string[] }) =>
    faultText.en[fault](names('en', clusters)),
  'not-shown': () => say`This page could not be loaded. Reopen it to try again.`,
};

const ko: typeof en = {
  'pending-heading': ({ count }) => say`${strong(`승인 대기 중인 변경 ${count}개`)}`,
  'nothing-pending': () => say`승인 대기 중인 변경이 없습니다`,
  pending: ({ title, workload }) => say`${code(workload)}: ${title}`,
  'you-can-approve': () => say`${strong('내가 승인할 수 있음')}`,
  'approved-by': ({ by }) => say`${joined('ko', by.map(person))} 승인`,
  missing: ({ missing, until }) => say`${moment(until)}까지 ${missing}명이 더 승인해야 함`,
  'none-open': () =>
    say`알림이 오거나, 센티널이 교착 상태를 증명하거나, 누군가 워크로드를 진단하면 여기에 표시됩니다. 직접 시작하려면 검색을 누르세요.`,
  severity: ({ severity, count }) =>
    say`${word(severity === 'info' ? '기타' : severityWords.ko[severity])} ${count}개`,
  diagnosing: ({ count }) => say`⏳ 진단 중 ${count}개`,
  'stuck-for': ({ seconds }) => say`${duration('ko', seconds)}째 멈춤`,
  'open-for': ({ seconds }) => say`${duration('ko', seconds)}째 미해결`,
  'no-assignee': () => say`담당자 없음`,
  'changes-heading': () => say`${strong('최근 변경')}`,
  'no-changes': () => say`아직 변경이 없습니다. 승인된 조치와 결과가 여기에 표시됩니다.`,
  more: ({ count }) => say`… 외 ${count}개`,
  'how-to-ask': () =>
    say`앱이 초대된 채널에서 ${code('/rollout-doctor namespace/name')} 또는 ${code('/rollout-doctor help')} 명령을 사용하세요.`,
  'as-of': ({ at }) => say`${moment(at)} 업데이트`,
  'policy-fault': ({ since }) =>
    say`${strong('정책 파일에 오류가 있습니다')}(${moment(since)}부터). 파일을 고칠 때까지 마지막으로 정상이었던 정책을 적용합니다. 오류의 내용은 앱 로그에서 확인하세요.`,
  'clusters-away': ({ clusters }) =>
    say`${strong('실행 중인 워커가 없습니다')}: ${names('ko', clusters)}. 해당 클러스터의 워크로드는 진단하거나 변경할 수 없습니다.`,
  'clusters-with': ({ fault, clusters }) => faultText.ko[fault](names('ko', clusters)),
  'not-shown': () => say`페이지를 불러오지 못했습니다. 다시 열어 주세요.`,
};

const homeText = { en, ko };
