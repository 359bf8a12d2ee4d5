import type { KnownBlock } from '@slack/types';
import type { NamedWorkload, UsageProblem } from '../../../doctor/commands/command.js';
import { koreanVerbs } from '../../../doctor/commands/parse-command.js';
import { type UsageShapes, usageText } from '../../../doctor/commands/usage-text.js';
import { kindForNamespace } from '../../../doctor/commands/workload-kind.js';
import { childlessText } from '../../../doctor/findings/owners.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, strong, word } from '../../../engine/language/prose.js';
import { joined, names, particle } from '../../../engine/language/words.js';
import { type WorkloadKind, type WorkloadRef, workloadKinds } from '../../../engine/objects/workload.js';
import type { NotFound, Unreadable } from '../../../service/diagnose/cluster-reader.js';
import { actionIds, workloadValue } from './action-ids.js';
import { actions, button, paragraph, renderNotice } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { changeRequestText } from './change-request-text.js';
import { nextStepAfter, unseenWords } from './kind-words.js';
import { fitted, type Message, spoken } from './message.js';

const maxChoices = 10;

/** `cluster/namespace/name` as far as it was said. */
export function queryName({ cluster, namespace, name }: NamedWorkload): string {
  return [cluster, namespace, name].filter((part) => part !== undefined && part !== '').join('/');
}

export function renderDiagnosing(query: NamedWorkload, language: Language): Message {
  return renderNotice(answersText[language].diagnosing({ workload: queryName(query) }));
}

/** For somebody who has waited; Slack keeps it beside the answer, so it stays true when that is there. */
export function renderSlow(query: NamedWorkload, language: Language): Message {
  return renderNotice(answersText[language].slow({ workload: queryName(query) }));
}

export function renderHelp(language: Language, clusters: readonly string[]): Message {
  const text = answersText[language];
  return renderNotice(
    text['help-heading'](),
    text['help-diagnose'](),
    text['help-forms'](),
    text['help-thread'](),
    text['help-explain'](),
    text['help-scan'](),
    text['help-records'](),
    text['help-silence'](),
    text['help-changes'](),
    text['help-korean']({ verbs: koreanVerbs }),
    changeRequestText[language].help(),
    changeRequestText[language]['help-exclude'](),
    ...(clusters.length > 0 ? [text['help-clusters']({ clusters })] : []),
    text['help-safety'](),
  );
}

/** Why a command is invalid, and how to get help. */
export function renderUsage(problem: UsageProblem, language: Language): Message {
  const says = usageProse(problem, language);
  return 'meant' in problem.values
    ? withRequest([says], problem.values.meant)
    : renderNotice(says, answersText[language]['try-help']());
}

/** Sentences and one button that makes a request as if it were typed. */
export function withRequest(says: readonly Prose[], request: string): Message {
  const choice = button({ actionId: `${actionIds.chooseRequest}.0`, text: request, value: request });
  return fitted((size) => ({
    text: spoken(says),
    blocks: [...says.map((each) => paragraph(each, size)), ...actions([choice])],
  }));
}

function usageProse({ key, values }: UsageProblem, language: Language): Prose {
  const sentence = usageText[language][key] as (values: UsageShapes[keyof UsageShapes]) => Prose;
  return sentence(values);
}

/** Several workloads have this name. Each is a button. */
export function renderChoices(name: string, workloads: readonly WorkloadRef[], language: Language): Message {
  return withChoices([answersText[language]['which-one']({ name })], workloads.map(choiceOf), language);
}

function choiceOf(ref: WorkloadRef): Choice {
  return { text: `${ref.kind} ${ref.namespace}/${ref.name} (${ref.cluster})`, value: workloadValue(ref) };
}

/**
 * No workload has this name. The nearest names are buttons; so is the request that the text resembles, where
 * no name is near.
 */
export function renderNotFound(
  found: NotFound & { readonly limitedHere?: boolean },
  query: NamedWorkload,
  language: Language,
  meant?: string,
): Message {
  const text = answersText[language];
  if (found.childless !== undefined) return renderNotice(childlessText(language, found.childless));
  const says = text[`no-${found.what}`]({ name: found.name });
  const limited = found.limitedHere === true ? [text['limited-here']()] : [];
  const other = kindForNamespace(query, found);
  if (other !== undefined) {
    return renderNotice(says, ...limited, usageText[language]['kind-not-supported'](other));
  }
  const { known = [] } = found;
  const clusters = known.length === 0 ? [] : [text['known-clusters']({ clusters: known })];
  const { isNamespace, ofOtherKind = [] } = found;
  if (ofOtherKind.length > 0 && query.kind !== undefined) {
    return withChoices(
      [text['of-other-kind']({ workloads: ofOtherKind, asked: query.kind })],
      ofOtherKind.map(choiceOf),
      language,
    );
  }
  if (isNamespace === true) {
    const request = `scan ${[query.cluster, query.name].filter((part) => part !== undefined).join('/')}`;
    return withRequest([text['is-namespace']({ name: query.name, request })], request);
  }
  if (found.nearest.length === 0) {
    if (meant !== undefined) return withRequest([says, text['did-you-mean']({ meant })], meant);
    const hint =
      found.what === 'workload' || found.what === 'namespace' ? [noneNear(query, language)] : clusters;
    return renderNotice(says, ...limited, ...hint);
  }
  return withChoices(
    [says, ...limited, ...clusters, text.nearest()],
    found.nearest.map((nearest) => ({
      text: nearest,
      value: workloadValue(nearQuery(found, nearest, query)),
    })),
    language,
  );
}

/** Without a namespace in the request, all of them were searched. */
export function noneNear({ namespace }: NamedWorkload, language: Language): Prose {
  const text = answersText[language];
  return namespace === undefined ? text['none-near-anywhere']() : text['none-near']();
}

export function renderUnreadable({ because }: Unreadable, query: NamedWorkload, language: Language): Message {
  const says = answersText[language].unreadable({
    workload: queryName(query),
    because: [word(unseenWords[language][because])],
  });
  return renderNotice(says, nextStepAfter(because, language));
}

/** A nearest name replaces the part that was not found. */
function nearQuery({ what }: NotFound, nearest: string, query: NamedWorkload): NamedWorkload {
  if (what === 'cluster') return { ...query, cluster: nearest };
  const slash = nearest.indexOf('/');
  if (slash > 0) return { ...query, namespace: nearest.slice(0, slash), name: nearest.slice(slash + 1) };
  return what === 'namespace' ? { ...query, namespace: nearest } : { ...query, name: nearest };
}

type Choice = { readonly text: string; readonly value: string };

/** Sentences and a button for each choice; what is too much is counted. */
export function withChoices(says: readonly Prose[], choices: readonly Choice[], language: Language): Message {
  const texts = buttonTexts[language];
  return fitted((size) => {
    const shown = choices.slice(0, maxChoices);
    const buttons = shown.map(({ text, value }, position) =>
      button({ actionId: `${actionIds.chooseWorkload}.${position}`, text, about: texts.diagnose, value }),
    );
    const blocks: KnownBlock[] = [...says.map((each) => paragraph(each, size)), ...actions(buttons)];
    const hidden = choices.length - shown.length;
    if (hidden > 0) blocks.push(paragraph(answersText[language]['more-choices']({ count: hidden }), size));
    return { text: spoken(says), blocks };
  });
}

function nameOf({ namespace, name }: WorkloadRef): Prose {
  return [code(`${namespace}/${name}`)];
}

function kindsOf(workloads: readonly WorkloadRef[]): readonly string[] {
  return [...new Set(workloads.map(({ kind }) => kind))];
}

const en = {
  diagnosing: ({ workload }: { workload: string }) => say`Diagnosing ${code(workload)} …`,
  slow: ({ workload }: { workload: string }) =>
    say`The diagnosis of ${code(workload)} takes longer than usual. The result follows in this channel.`,
  joined: ({ workload }: { workload: string }) =>
    say`${code(workload)} already has an open incident in this channel. A new diagnosis is running and updates its card.`,
  'joined-by-change': ({ workload }: { workload: string }) =>
    say`${code(workload)} already has an open incident in this channel. After a new diagnosis, its card states what the requested change would do.`,
  'which-one': ({ name }: { name: string }) => say`Several workloads are named ${code(name)}. Which one?`,
  'no-cluster': ({ name }: { name: string }) => say`Unknown cluster ${code(name)}.`,
  'known-clusters': ({ clusters }: { clusters: readonly string[] }) =>
    say`Available clusters: ${names('en', clusters, 10)}.`,
  'no-owner': ({ name }: { name: string }) =>
    say`No workload owns ${code(name)}, or it does not exist. Enter the workload instead, such as ${code('ml/inference')}.`,
  'did-you-mean': ({ meant }: { meant: string }) => say`Did you mean ${code(meant)}?`,
  'no-namespace': ({ name }: { name: string }) => say`Namespace ${code(name)} does not exist.`,
  'no-workload': ({ name }: { name: string }) => say`No workload is named ${code(name)}.`,
  'no-below': ({ name }: { name: string }) => say`${code(name)} exists and has no workload.`,
  'is-namespace': ({ name, request }: { name: string; request: string }) =>
    say`${code(name)} is a namespace. ${code(request)} diagnoses all of its workloads.`,
  'of-other-kind': ({ workloads, asked }: { workloads: readonly WorkloadRef[]; asked: WorkloadKind }) =>
    say`${joined('en', workloads.map(nameOf))} ${word(workloads.length === 1 ? 'is a' : 'are of kind')} ${joined('en', kindsOf(workloads).map(code))}, not ${word(workloads.length === 1 ? 'a ' : '')}${code(asked)}.`,
  'more-choices': ({ count }: { count: number }) =>
    say`… and ${count} more. To narrow the list, add the namespace.`,
  working: () => say`Working …`,
  nearest: () => say`Did you mean one of these?`,
  'limited-here': () =>
    say`This channel shows only some namespaces. If the workload is in another namespace, use another channel.`,
  'none-near-anywhere': () => say`No namespace contains a workload with a similar name. Check the spelling.`,
  'none-near': () =>
    say`No similar name exists. Check the namespace, or leave it out to search all namespaces.`,
  unreadable: ({ workload, because }: { workload: string; because: Prose }) =>
    say`Could not search for ${code(workload)}: ${because}.`,
  'try-help': () => say`${code('/rollout-doctor help')} lists all commands.`,
  'unknown-button': () =>
    say`This button is no longer valid. Nothing was done. Start again with ${code('/rollout-doctor namespace/name')}.`,
  'trigger-expired': () =>
    say`Slack timed out before Rollout Doctor could answer. Nothing was done. Press the button again.`,
  'slack-down': () =>
    say`Slack did not return your user profile, so your permissions are unknown. Nothing was done. Try again.`,
  'other-installation': () =>
    say`Rollout Doctor is not set up for this workspace. Nothing was done. Use it in the workspace or organisation where it was set up.`,
  'redis-down': () => say`Redis does not answer. Try again in a minute.`,
  'failed-inside': ({ reference }: { reference: string }) =>
    say`Rollout Doctor failed with an internal error. Search the log for ${code(reference)}.`,
  'not-in-channel': () =>
    say`Rollout Doctor is not a member of this conversation, so it cannot post a card here. Invite it with ${code('/invite @rollout-doctor')}, then try again.`,
  cancelled: ({ workload }: { workload: string }) =>
    say`You cancelled the change to ${code(workload)} before it was sent. Nothing was changed.`,
  'decision-unknown': () =>
    say`Rollout Doctor could not confirm that your decision was recorded. Check the card before you decide again.`,
  rejected: ({ workload }: { workload: string }) => say`Rejected. Nothing was changed on ${code(workload)}.`,
  'nothing-named': (_: { name: string }) =>
    say`This message names no workload, pod or node. Reply here with a name: ${code('@rollout-doctor namespace/name')}.`,
  'not-found': ({ name }: { name: string }) =>
    say`This message names ${code(name)}, which does not exist in any configured cluster. Reply here with the name of the workload: ${code('@rollout-doctor namespace/name')}.`,
  'not-diagnosed': ({ name }: { name: string }) =>
    say`This message is about ${code(name)}. Rollout Doctor diagnoses Deployments, StatefulSets, DaemonSets, Rollouts, LeaderWorkerSets, Knative Services, RayServices and DynamoGraphDeployments only.`,
  'nothing-suffers': ({ name }: { name: string }) =>
    say`Every pod of ${code(name)} is ready, so a diagnosis is not needed now.`,
  'help-heading': () =>
    say`${strong('Rollout Doctor')} finds out why a rollout is stuck, proves it, and proposes the smallest fix with its downtime. It changes nothing without an approved review.`,
  'help-diagnose': () => say`Diagnose one workload:`,
  'help-forms': () =>
    say`${code('/rollout-doctor ml/inference')}, ${code('/rollout-doctor deploy/inference -n ml')}, ${code('/rollout-doctor prod-eu/ml/inference')}. A name without a namespace is searched in all namespaces.`,
  'help-thread': () =>
    say`In a thread, mention ${code('@rollout-doctor')} with a workload name. In an incident thread, a mention without a name diagnoses again.`,
  'help-explain': () =>
    say`${code('/rollout-doctor explain ErrImagePull')} explains a status of ${code('kubectl get pods')}, or the message of an event.`,
  'help-scan': () =>
    say`${code('/rollout-doctor scan ml')} diagnoses every workload in a namespace, worst first.`,
  'help-records': () =>
    say`${code('/rollout-doctor incidents')} lists open incidents. ${code('history ml/inference')} lists the incidents of one workload. ${code('audit')} or ${code('audit ml/inference')} lists changes, approvers and results.`,
  'help-silence': () =>
    say`${code('/rollout-doctor silence ml/inference 2h node swap')} mutes automatic messages about a workload (${code('30m')}, ${code('2h')}, ${code('1d')}). ${code('silence ml/inference off')} turns them on again. ${code('silence')} lists silenced workloads.`,
  'help-changes': () =>
    say`${code('/rollout-doctor changes')} shows whether changes are allowed. ${code('changes stop REASON')} stops all changes. ${code('changes allow')} allows them again.`,
  /** Only for those who read Korean. */
  'help-korean': (_values: { verbs: readonly string[] }): Prose => [],
  'help-clusters': ({ clusters }: { clusters: readonly string[] }) =>
    say`Clusters: ${names('en', clusters, 10)}.`,
  'help-safety': () => say`A diagnosis changes nothing. Every change needs a review first.`,
};

const ko: typeof en = {
  diagnosing: ({ workload }) => say`${code(workload)} 진단 중 …`,
  slow: ({ workload }) => say`${code(workload)} 확인이 평소보다 오래 걸립니다. 결과는 이 채널에 표시됩니다.`,
  joined: ({ workload }) =>
    say`${code(workload)} 인시던트가 이미 이 채널에 열려 있습니다. 다시 진단해 기존 카드를 업데이트합니다.`,
  'joined-by-change': ({ workload }) =>
    say`${code(workload)} 인시던트가 이미 이 채널에 열려 있습니다. 다시 진단한 뒤 요청한 변경의 예상 결과를 기존 카드에 표시합니다.`,
  'which-one': ({ name }) => say`${code(name)} 이름의 워크로드가 여러 개입니다. 어느 것인가요?`,
  'no-cluster': ({ name }) => say`${code(name)} 클러스터는 등록되어 있지 않습니다.`,
  'known-clusters': ({ clusters }) => say`사용할 수 있는 클러스터: ${names('ko', clusters, 10)}.`,
  'no-owner': ({ name }) =>
    say`${code(name)} 오브젝트를 소유한 워크로드가 없거나 오브젝트가 존재하지 않습니다. ${code('ml/inference')}처럼 워크로드를 입력하세요.`,
  'did-you-mean': ({ meant }) => say`혹시 ${code(meant)} 명령인가요?`,
  'no-namespace': ({ name }) => say`${code(name)} 네임스페이스가 없습니다.`,
  'no-workload': ({ name }) => say`${code(name)} 이름의 워크로드가 없습니다.`,
  'no-below': ({ name }) => say`${code(name)} 오브젝트는 있지만 워크로드가 없습니다.`,
  'is-namespace': ({ name, request }) =>
    say`${code(name)}${particle(name, '은', '는')} 네임스페이스입니다. ${code(request)} 명령으로 전체 워크로드를 진단합니다.`,
  'of-other-kind': ({ workloads, asked }) =>
    say`${joined('ko', workloads.map(nameOf))} 워크로드는 ${code(asked)}${particle(asked, '이', '가')} 아니라 ${joined('ko', kindsOf(workloads).map(code))}입니다.`,
  'more-choices': ({ count }) => say`… 외 ${count}개. 범위를 좁히려면 네임스페이스를 추가하세요.`,
  working: () => say`처리 중 …`,
  nearest: () => say`다음 중 하나인가요?`,
  'limited-here': () =>
    say`이 채널에는 일부 네임스페이스만 표시할 수 있습니다. 다른 네임스페이스의 워크로드라면 다른 채널에서 요청하세요.`,
  'none-near-anywhere': () => say`어느 네임스페이스에도 비슷한 이름이 없습니다. 철자를 확인하세요.`,
  'none-near': () =>
    say`비슷한 이름이 없습니다. 네임스페이스를 확인하거나, 네임스페이스를 빼고 전체에서 검색하세요.`,
  unreadable: ({ workload, because }) => say`${code(workload)} 검색에 실패했습니다: ${because}.`,
  'try-help': () => say`전체 명령은 ${code('/rollout-doctor help')} 명령으로 확인하세요.`,
  'unknown-button': () =>
    say`더 이상 유효하지 않은 버튼입니다. 아무것도 실행하지 않았습니다. ${code('/rollout-doctor namespace/name')} 명령으로 다시 시작하세요.`,
  'trigger-expired': () =>
    say`응답하기 전에 Slack 대기 시간이 초과되었습니다. 아무것도 실행하지 않았습니다. 버튼을 다시 눌러 주세요.`,
  'slack-down': () =>
    say`Slack에서 사용자 정보를 받지 못해 권한을 확인할 수 없습니다. 아무것도 실행하지 않았습니다. 다시 시도해 주세요.`,
  'other-installation': () =>
    say`이 워크스페이스에는 Rollout Doctor가 설정되어 있지 않습니다. 아무것도 실행하지 않았습니다. 설정된 워크스페이스나 조직에서 사용해 주세요.`,
  'redis-down': () => say`Redis가 응답하지 않습니다. 1분 뒤 다시 시도해 주세요.`,
  'failed-inside': ({ reference }) =>
    say`Rollout Doctor 내부 오류가 발생했습니다. 로그에서 ${code(reference)} 항목을 확인하세요.`,
  'not-in-channel': () =>
    say`Rollout Doctor가 이 대화의 멤버가 아니어서 카드를 게시할 수 없습니다. ${code('/invite @rollout-doctor')} 명령으로 초대한 뒤 다시 시도해 주세요.`,
  cancelled: ({ workload }) =>
    say`${code(workload)} 변경을 보내기 전에 취소했습니다. 아무것도 변경하지 않았습니다.`,
  'decision-unknown': () =>
    say`결정이 기록되었는지 확인하지 못했습니다. 다시 결정하기 전에 카드를 확인하세요.`,
  rejected: ({ workload }) => say`거절되었습니다. ${code(workload)} 설정은 그대로입니다.`,
  'nothing-named': () =>
    say`이 메시지에는 워크로드, 파드, 노드 이름이 없습니다. 이름을 포함해 답글을 남겨 주세요: ${code('@rollout-doctor namespace/name')}.`,
  'not-found': ({ name }) =>
    say`등록된 클러스터에서 이 메시지의 ${code(name)} 이름을 찾을 수 없습니다. 워크로드 이름을 포함해 답글을 남겨 주세요: ${code('@rollout-doctor namespace/name')}.`,
  'not-diagnosed': ({ name }) =>
    say`${code(name)}에 대한 메시지입니다. Rollout Doctor는 ${word(workloadKinds.join(', '))}만 진단합니다.`,
  'nothing-suffers': ({ name }) =>
    say`${code(name)}의 모든 파드가 준비되어 있어 지금은 진단이 필요하지 않습니다.`,
  'help-heading': () =>
    say`${strong('Rollout Doctor')}: 롤아웃이 멈춘 원인을 찾아 증명하고, 가장 작은 조치를 예상 중단 시간과 함께 제안합니다. 승인된 검토 없이는 아무것도 변경하지 않습니다.`,
  'help-diagnose': () => say`워크로드 하나 진단:`,
  'help-forms': () =>
    say`${code('/rollout-doctor ml/inference')}, ${code('/rollout-doctor deploy/inference -n ml')}, ${code('/rollout-doctor prod-eu/ml/inference')}. 네임스페이스 없이 이름만 입력하면 전체 네임스페이스에서 검색합니다.`,
  'help-thread': () =>
    say`스레드에서는 워크로드 이름과 함께 ${code('@rollout-doctor')} 앱을 멘션하세요. 인시던트 스레드에서 이름 없이 멘션하면 다시 진단합니다.`,
  'help-explain': () =>
    say`${code('/rollout-doctor explain ErrImagePull')} 명령은 ${code('kubectl get pods')}에 나오는 상태나 이벤트 메시지를 설명합니다.`,
  'help-scan': () =>
    say`${code('/rollout-doctor scan ml')} 명령은 네임스페이스의 모든 워크로드를 진단해 심각한 순서로 보여 줍니다.`,
  'help-records': () =>
    say`${code('/rollout-doctor incidents')} 명령은 열린 인시던트를 보여 줍니다. ${code('history ml/inference')} 명령은 워크로드 하나의 인시던트를, ${code('audit')} 또는 ${code('audit ml/inference')} 명령은 변경, 승인자, 결과를 보여 줍니다.`,
  'help-silence': () =>
    say`${code('/rollout-doctor silence ml/inference 2h 노드 교체')} 명령은 워크로드의 자동 메시지를 끕니다(${code('30m')}, ${code('2h')}, ${code('1d')}). 다시 켜려면 ${code('silence ml/inference off')} 명령을, 목록을 보려면 ${code('silence')} 명령을 사용하세요.`,
  'help-changes': () =>
    say`${code('/rollout-doctor changes')} 명령은 변경이 허용되어 있는지 보여 줍니다. ${code('changes stop 이유')} 명령은 모든 변경을 중지하고, ${code('changes allow')} 명령은 다시 허용합니다.`,
  'help-korean': ({ verbs }) => say`한글 명령도 사용할 수 있습니다: ${names('ko', verbs, 20)}.`,
  'help-clusters': ({ clusters }) => say`클러스터: ${names('ko', clusters, 10)}.`,
  'help-safety': () => say`진단은 아무것도 변경하지 않습니다. 모든 변경은 먼저 검토를 거칩니다.`,
};

export const answersText = { en, ko };
