import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, type Prose, say, strong } from '../../../core/language/prose.js';
import { names } from '../../../core/language/words.js';

type None = Record<string, never>;

/** What the one who asked is told at once. */
export type AnswerShapes = {
  readonly looking: { readonly workload: string };
  readonly joined: { readonly workload: string };
  readonly 'which-one': { readonly name: string };
  readonly 'no-cluster': { readonly name: string };
  readonly 'no-namespace': { readonly name: string };
  readonly 'no-workload': { readonly name: string };
  readonly 'more-choices': { readonly count: number };
  readonly nearest: None;
  readonly 'none-near': None;
  readonly 'limited-here': None;
  readonly unreadable: { readonly workload: string; readonly because: Prose };
  readonly 'not-wired': { readonly request: string };
  readonly 'try-help': None;
  readonly 'not-ours': None;
  readonly 'trigger-expired': None;
  readonly 'slack-down': None;
  readonly 'redis-down': None;
  readonly 'failed-inside': { readonly reference: string };
  readonly 'not-in-channel': None;
  readonly cancelled: { readonly workload: string };
  readonly 'decision-unknown': None;
  readonly rejected: { readonly workload: string };
  readonly 'nothing-named': { readonly name: string };
  readonly 'not-found': { readonly name: string };
  readonly 'not-diagnosed': { readonly name: string };
  readonly 'nothing-suffers': { readonly name: string };
  readonly 'help-heading': None;
  readonly 'help-diagnose': None;
  readonly 'help-forms': None;
  readonly 'help-thread': None;
  readonly 'help-explain': None;
  readonly 'help-scan': None;
  readonly 'help-records': None;
  readonly 'help-silence': None;
  readonly 'help-changes': None;
  readonly 'help-clusters': { readonly clusters: readonly string[] };
  readonly 'help-safety': None;
};

export const answersText: Catalogue<AnswerShapes> = {
  en: {
    looking: ({ workload }) => say`Looking at ${code(workload)} …`,
    joined: ({ workload }) =>
      say`${code(workload)} has an open incident in this channel. I am looking again; its card changes in place.`,
    'which-one': ({ name }) => say`There are several ${code(name)}. Which one?`,
    'no-cluster': ({ name }) => say`I have no cluster ${code(name)}.`,
    'no-namespace': ({ name }) => say`There is no namespace ${code(name)}.`,
    'no-workload': ({ name }) => say`There is no Deployment, StatefulSet or DaemonSet ${code(name)}.`,
    'more-choices': ({ count }) => say`… and ${count} more: add the namespace.`,
    nearest: () => say`Did you mean one of these?`,
    'limited-here': () =>
      say`This channel shows some namespaces only. If the workload is in another namespace, ask in another channel.`,
    'none-near': () =>
      say`No name comes near it. Check the namespace, or leave it out and I search all of them.`,
    unreadable: ({ workload, because }) => say`I could not look for ${code(workload)}: ${because}.`,
    'not-wired': ({ request }) => say`${code(request)} is not available in this installation.`,
    'try-help': () => say`${code('/rollout-doctor help')} shows what I understand.`,
    'not-ours': () =>
      say`I do not know this button any more. Ask again with ${code('/rollout-doctor namespace/name')}. Nothing was done.`,
    'trigger-expired': () =>
      say`Slack gave up on this press before I could answer. Nothing was done; please press again.`,
    'slack-down': () =>
      say`Slack did not answer when I asked who you are, so I cannot tell what you may do. Nothing was done; please try again.`,
    'redis-down': () => say`My records (Redis) do not answer. Try again in a minute.`,
    'failed-inside': ({ reference }) =>
      say`Something failed inside Rollout Doctor. The log has it under ${code(reference)}.`,
    'not-in-channel': () =>
      say`I am not in this conversation, so I could not show a card here. Invite me with ${code('/invite @rollout-doctor')} and ask again.`,
    cancelled: ({ workload }) =>
      say`You cancelled the change to ${code(workload)} before it was sent. Nothing was changed.`,
    'decision-unknown': () =>
      say`Rollout Doctor could not confirm that your decision counted. The card shows whether it did. Read the card before you decide again.`,
    rejected: ({ workload }) => say`Rejected. Nothing was changed on ${code(workload)}.`,
    'nothing-named': () =>
      say`I find no name of a workload, pod or node in this message. Mention me here with one: ${code('@rollout-doctor namespace/name')}.`,
    'not-found': ({ name }) =>
      say`This message names ${code(name)}, and no cluster of mine has it. Mention me here with the name of the workload.`,
    'not-diagnosed': ({ name }) =>
      say`This message is about ${code(name)}. I look at Deployments, StatefulSets and DaemonSets.`,
    'nothing-suffers': ({ name }) =>
      say`Every pod of ${code(name)} is ready: there is nothing to diagnose there now.`,
    'help-heading': () =>
      say`${strong('Rollout Doctor')} proves why a rollout stands still, offers the smallest change that frees it with its price, and applies it only when somebody who may has approved it.`,
    'help-diagnose': () => say`Ask about one workload:`,
    'help-forms': () =>
      say`${code('/rollout-doctor ml/inference')}, ${code('/rollout-doctor deploy/inference -n ml')}, ${code('/rollout-doctor prod-eu/ml/inference')}. A name without a namespace is searched in all of them.`,
    'help-thread': () =>
      say`In a thread, mention me with the name. Mentioned without a name in an incident's thread, I look again.`,
    'help-explain': () =>
      say`${code('/rollout-doctor explain 0/3 nodes are available: …')} says in plain words what the scheduler means.`,
    'help-scan': () =>
      say`${code('/rollout-doctor scan ml')} looks at every workload of a namespace, the worst first.`,
    'help-records': () =>
      say`${code('/rollout-doctor incidents')} shows what is open, ${code('history ml/inference')} what happened to one workload, ${code('audit')} or ${code('audit ml/inference')} what was changed, who approved it, and what came of it.`,
    'help-silence': () =>
      say`${code('/rollout-doctor silence ml/inference 2h node swap')} keeps me from speaking of it unasked (${code('30m')}, ${code('2h')}, ${code('1d')}); ${code('silence ml/inference off')} ends that, ${code('silence')} lists what is silenced.`,
    'help-changes': () =>
      say`${code('/rollout-doctor changes')} shows whether changes are allowed; ${code('changes stop REASON')} stops all changes, ${code('changes allow')} allows them again.`,
    'help-clusters': ({ clusters }) => say`Clusters: ${names('en', clusters, 10)}.`,
    'help-safety': () => say`Looking changes nothing. Every change has a review first.`,
  },
  ko: {
    looking: ({ workload }) => say`${code(workload)} 상태를 살펴보는 중 …`,
    joined: ({ workload }) =>
      say`${code(workload)} 인시던트가 이 채널에 열려 있습니다. 다시 살펴보고 기존 카드를 갱신합니다.`,
    'which-one': ({ name }) => say`${code(name)} 이름의 워크로드가 여러 개입니다. 어느 것인가요?`,
    'no-cluster': ({ name }) => say`${code(name)} 클러스터는 등록되어 있지 않습니다.`,
    'no-namespace': ({ name }) => say`${code(name)} 네임스페이스가 없습니다.`,
    'no-workload': ({ name }) => say`${code(name)} 이름의 Deployment, StatefulSet, DaemonSet이 없습니다.`,
    'more-choices': ({ count }) => say`… 외 ${count}개: 네임스페이스를 함께 적어 주세요.`,
    nearest: () => say`혹시 이 중에 있나요?`,
    'limited-here': () =>
      say`이 채널에는 일부 네임스페이스만 표시할 수 있습니다. 다른 네임스페이스의 워크로드라면 다른 채널에서 요청하세요.`,
    'none-near': () => say`비슷한 이름이 없습니다. 네임스페이스를 확인하거나, 빼고 적으면 전체에서 찾습니다.`,
    unreadable: ({ workload, because }) => say`${code(workload)}을(를) 찾아볼 수 없었습니다: ${because}.`,
    'not-wired': ({ request }) => say`${code(request)} 명령은 이 설치에서 사용할 수 없습니다.`,
    'try-help': () => say`${code('/rollout-doctor help')} 명령으로 사용법을 볼 수 있습니다.`,
    'not-ours': () =>
      say`더 이상 알지 못하는 버튼입니다. ${code('/rollout-doctor namespace/name')} 명령으로 다시 요청하세요. 아무것도 실행하지 않았습니다.`,
    'trigger-expired': () =>
      say`제가 응답하기 전에 Slack의 대기 시간이 끝났습니다. 아무것도 실행하지 않았으니 다시 눌러 주세요.`,
    'slack-down': () =>
      say`누구인지 확인하려 했지만 Slack이 응답하지 않아 권한을 판단할 수 없습니다. 아무것도 실행하지 않았으니 다시 시도해 주세요.`,
    'redis-down': () => say`기록 저장소(Redis)가 응답하지 않습니다. 잠시 뒤 다시 시도해 주세요.`,
    'failed-inside': ({ reference }) =>
      say`Rollout Doctor 안에서 오류가 났습니다. 로그 참조: ${code(reference)}.`,
    'not-in-channel': () =>
      say`제가 이 대화에 없어서 카드를 보여 드릴 수 없습니다. ${code('/invite @rollout-doctor')} 명령으로 초대한 뒤 다시 요청해 주세요.`,
    cancelled: ({ workload }) =>
      say`${code(workload)} 변경을 보내기 전에 취소했습니다. 아무것도 변경하지 않았습니다.`,
    'decision-unknown': () =>
      say`결정이 집계되었는지 확인하지 못했습니다. 집계 여부는 카드에 표시됩니다. 다시 결정하기 전에 카드를 확인하세요.`,
    rejected: ({ workload }) => say`거절되었습니다. ${code(workload)} 설정은 그대로입니다.`,
    'nothing-named': () =>
      say`이 메시지에는 워크로드, 파드, 노드 이름이 없습니다. 여기서 이름과 함께 멘션해 주세요: ${code('@rollout-doctor namespace/name')}.`,
    'not-found': ({ name }) =>
      say`이 메시지의 ${code(name)} — 어느 클러스터에도 없습니다. 여기서 워크로드 이름과 함께 멘션해 주세요.`,
    'not-diagnosed': ({ name }) =>
      say`이 메시지는 ${code(name)}에 대한 것입니다. Deployment, StatefulSet, DaemonSet만 진단합니다.`,
    'nothing-suffers': ({ name }) =>
      say`${code(name)}의 모든 파드가 준비되어 있어, 지금 진단할 것이 없습니다.`,
    'help-heading': () =>
      say`${strong('Rollout Doctor')}: 롤아웃이 왜 멈췄는지 증명하고, 풀어 주는 가장 작은 변경을 그 비용과 함께 제안하며, 권한 있는 사람이 승인했을 때만 적용합니다.`,
    'help-diagnose': () => say`워크로드 하나를 물어보세요:`,
    'help-forms': () =>
      say`${code('/rollout-doctor ml/inference')}, ${code('/rollout-doctor deploy/inference -n ml')}, ${code('/rollout-doctor prod-eu/ml/inference')}. 네임스페이스 없이 이름만 적으면 전체에서 찾습니다.`,
    'help-thread': () =>
      say`스레드에서는 이름과 함께 저를 멘션하세요. 인시던트 스레드에서 이름 없이 멘션하면 다시 살펴봅니다.`,
    'help-explain': () =>
      say`${code('/rollout-doctor explain 0/3 nodes are available: …')} 명령은 스케줄러 메시지를 쉬운 말로 풀어 줍니다.`,
    'help-scan': () =>
      say`${code('/rollout-doctor scan ml')} 네임스페이스의 워크로드를 모두 살펴보고 심한 것부터 보여 줍니다.`,
    'help-records': () =>
      say`${code('/rollout-doctor incidents')} 열린 인시던트, ${code('history ml/inference')} 워크로드 하나의 이력, ${code('audit')} 또는 ${code('audit ml/inference')} 무엇을 누가 승인해 바꿨고 결과가 어땠는지 보여 줍니다.`,
    'help-silence': () =>
      say`${code('/rollout-doctor silence ml/inference 2h 노드 교체')} 명령은 묻지 않으면 알리지 않게 합니다(${code('30m')}, ${code('2h')}, ${code('1d')}). ${code('silence ml/inference off')}로 끝내고, ${code('silence')}로 목록을 봅니다.`,
    'help-changes': () =>
      say`${code('/rollout-doctor changes')} 명령은 변경이 허용되어 있는지 보여 줍니다. ${code('changes stop 이유')}로 모든 변경을 중지하고, ${code('changes allow')}로 다시 허용합니다.`,
    'help-clusters': ({ clusters }) => say`클러스터: ${names('ko', clusters, 10)}.`,
    'help-safety': () => say`살펴보는 것만으로는 아무것도 바뀌지 않으며, 모든 변경은 먼저 검토를 거칩니다.`,
  },
};
