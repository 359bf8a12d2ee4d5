import type { Language } from '../../engine/language/language.js';
import { plain, say } from '../../engine/language/prose.js';

/** The sentences of `--help`: descriptions of commands, arguments and options, and headings. */
const en = {
  program: () => say`Find out why a Kubernetes rollout is stuck, with proof and a fix`,
  diagnose: () => say`diagnose one workload`,
  scan: () => say`diagnose every workload of a namespace or cluster, worst first`,
  check: () => say`check whether an update would deadlock, before you merge it`,
  explain: () => say`explain a message of the scheduler or autoscaler`,
  doctor: () => say`check settings, Redis, Slack and clusters`,
  mcp: () => say`serve the commands as tools of the Model Context Protocol (stdio)`,
  'cluster-keys': () => say`print APPROVAL_KEYS for the workers of one cluster`,
  'cluster-keys-cluster': () => say`the CLUSTER_NAME of these workers`,
  'answer-keys': () => say`print ANSWER_KEYS for workers that have no APPROVAL_KEYS`,
  'answer-keys-cluster': () =>
    say`the CLUSTER_NAME of diagnosis workers (without it: keys for the worker beside the app)`,
  'admission-policy': () => say`print a policy with which the API server warns of manifests that deadlock`,
  record: () => say`record a cluster in a file that check and diagnose can read`,
  'record-file': () => say`file to write, with a name that ends in .json`,
  'record-force': () => say`replace the file if it exists`,
  'record-leaves-out': () =>
    say`Only you can read the file (mode 0600). Values of environment variables and most annotations are left out.\nSecrets, ConfigMaps and logs are never read.`,
  'namespace-recorded': () => say`only this namespace, with all nodes and the pods on them`,
  'all-namespaces-recorded': () => say`all namespaces`,
  completion: () => say`print the completion script of a shell`,
  workload: () => say`[cluster/]namespace/name, or kind/name with --namespace`,
  sentence: () => say`the message (default: one per line on standard input)`,
  shell: () => say`the shell`,
  version: () => say`print the version`,
  help: () => say`display help for command`,
  'namespace-of-workload': () => say`namespace of the workload`,
  'namespace-only': () => say`only this namespace`,
  'namespace-of-manifests': () => say`namespace of manifests without one`,
  'namespace-of-permissions': () => say`check permissions in this namespace (default: all)`,
  'all-namespaces': () => say`all namespaces (default with --from)`,
  fragile: () => say`only workloads that deadlock at their next update`,
  watch: () => say`diagnose again every 5 s and print changes, until the problem is gone`,
  evidence: () => say`list causes that are ruled out, and the observed values (text output)`,
  certificate: () => say`print what the proof of a deadlock rests on, as JSON that others can check`,
  filename: () => say`manifests: files, folders, - for standard input`,
  against: () =>
    say`the current cluster: a kubeconfig context (default: the current one), or recorded objects`,
  'at-check': () => say`time of the check (RFC3339), with recorded objects`,
  'at-diagnosis': () => say`time of the diagnosis (RFC3339, default: the newest recorded time)`,
  from: () =>
    say`a file or folder instead of a cluster: kubectl get -o json|yaml, kubectl describe, cluster-info dump`,
  kubeconfig: () => say`kubeconfig to use (default: as kubectl)`,
  'kubeconfig-doctor': () => say`kubeconfig to use (default: KUBECONFIG, or as kubectl)`,
  context: () => say`context of the kubeconfig to use`,
  'context-doctor': () => say`only this context (default: CLUSTERS, or all)`,
  only: () => say`check only these parts`,
  output: () => say`output format`,
  language: () => say`language of the text`,
  'language-default': () => say`of LC_ALL, LC_MESSAGES or LANG`,
  usage: () => say`Usage:`,
  arguments: () => say`Arguments:`,
  options: () => say`Options:`,
  commands: () => say`Commands:`,
  examples: () => say`Examples:`,
  choices: () => say`choices`,
  default: () => say`default`,
  'exit-program': () =>
    say`Exit status: 0 no problem found, 1 a finding, 2 wrong usage, 3 could not read the objects.`,
  'exit-check': () =>
    say`Exit status: 0 every update completes, 1 an update would deadlock, get stuck or be rejected, 2 wrong usage, 3 an\noutcome could not be determined.`,
  'exit-doctor': () =>
    say`Exit status: 0 every check passed, 1 a setting or permission is missing, 2 wrong usage, 3 a check got no answer.`,
  'more-help': () => say`rollout-doctor help <command> shows the options and examples of each.`,
  'check-fields': () =>
    say`Fields that a manifest omits keep their value in the cluster, as with kubectl apply. Each workload is checked separately.`,
  'doctor-reads': () =>
    say`Reads the same environment variables as the app and the workers. Changes nothing.`,
  'json-scan': () => say`every workload, worst first`,
  'json-explain': () => say`JSON is one object per sentence, one per line:`,
  github: () => say`annotations in GitHub Actions`,
  sarif: () => say`for code scanning`,
};

const ko: typeof en = {
  program: () => say`Kubernetes 롤아웃이 멈춘 이유를 증거와 함께 찾고 조치를 제안합니다`,
  diagnose: () => say`워크로드 하나를 진단합니다`,
  scan: () => say`네임스페이스나 클러스터의 모든 워크로드를 진단하고 심각한 순서로 보여 줍니다`,
  check: () => say`업데이트가 교착 상태에 빠지는지 병합하기 전에 확인합니다`,
  explain: () => say`스케줄러나 오토스케일러의 메시지를 설명합니다`,
  doctor: () => say`설정, Redis, Slack, 클러스터를 확인합니다`,
  mcp: () => say`명령을 Model Context Protocol 도구로 제공합니다(stdio)`,
  'cluster-keys': () => say`한 클러스터의 워커에 설정할 APPROVAL_KEYS 출력`,
  'cluster-keys-cluster': () => say`이 워커들의 CLUSTER_NAME 값`,
  'answer-keys': () => say`APPROVAL_KEYS가 없는 워커에 설정할 ANSWER_KEYS 출력`,
  'answer-keys-cluster': () => say`진단 워커의 CLUSTER_NAME 값(생략하면 앱과 함께 실행되는 워커의 키를 출력)`,
  'admission-policy': () => say`교착 상태에 빠지는 매니페스트를 API 서버가 경고하도록 하는 정책을 출력합니다`,
  record: () => say`check와 diagnose가 읽을 수 있는 파일에 클러스터를 기록합니다`,
  'record-file': () => say`저장할 파일, 이름은 .json으로 끝나야 합니다`,
  'record-force': () => say`파일이 있으면 덮어씁니다`,
  'record-leaves-out': () =>
    say`파일은 본인만 읽을 수 있습니다(모드 0600). 환경 변수의 값과 대부분의 어노테이션 값은 기록하지 않습니다.\nSecret, ConfigMap, 로그는 읽지 않습니다.`,
  'namespace-recorded': () => say`이 네임스페이스만, 모든 노드와 노드의 파드 포함`,
  'all-namespaces-recorded': () => say`전체 네임스페이스`,
  completion: () => say`셸 자동 완성 스크립트를 출력합니다`,
  workload: () => say`[cluster/]namespace/name, 또는 --namespace와 함께 kind/name`,
  sentence: () => say`메시지(기본값: 표준 입력, 한 줄에 하나씩)`,
  shell: () => say`셸 이름`,
  version: () => say`버전을 출력합니다`,
  help: () => say`명령의 도움말을 보여 줍니다`,
  'namespace-of-workload': () => say`워크로드의 네임스페이스`,
  'namespace-only': () => say`이 네임스페이스만`,
  'namespace-of-manifests': () => say`네임스페이스가 없는 매니페스트의 네임스페이스`,
  'namespace-of-permissions': () => say`이 네임스페이스의 권한을 확인합니다(기본값: 전체)`,
  'all-namespaces': () => say`전체 네임스페이스(--from 사용 시 기본값)`,
  fragile: () => say`다음 업데이트에서 교착 상태에 빠지는 워크로드만`,
  watch: () => say`문제가 해결될 때까지 5초마다 다시 진단하고 변경 사항을 출력합니다`,
  evidence: () => say`배제된 원인과 관측한 값을 보여 줍니다(텍스트 출력)`,
  certificate: () => say`교착 상태 증명의 근거를 다른 사람이 검증할 수 있는 JSON으로 출력합니다`,
  filename: () => say`매니페스트: 파일, 폴더, 표준 입력은 -`,
  against: () => say`현재 클러스터: kubeconfig 컨텍스트(기본값: 현재 컨텍스트) 또는 기록된 오브젝트`,
  'at-check': () => say`확인할 시각(RFC3339), 기록된 오브젝트에만 사용`,
  'at-diagnosis': () => say`진단할 시각(RFC3339, 기본값: 기록된 가장 최근 시각)`,
  from: () => say`클러스터 대신 파일이나 폴더: kubectl get -o json|yaml, kubectl describe, cluster-info dump`,
  kubeconfig: () => say`사용할 kubeconfig(기본값: kubectl과 같음)`,
  'kubeconfig-doctor': () => say`사용할 kubeconfig(기본값: KUBECONFIG, 없으면 kubectl과 같음)`,
  context: () => say`사용할 kubeconfig 컨텍스트`,
  'context-doctor': () => say`이 컨텍스트만(기본값: CLUSTERS, 없으면 전체)`,
  only: () => say`이 항목만 확인합니다`,
  output: () => say`출력 형식`,
  language: () => say`출력 언어`,
  'language-default': () => say`LC_ALL, LC_MESSAGES 또는 LANG`,
  usage: () => say`사용법:`,
  arguments: () => say`인수:`,
  options: () => say`옵션:`,
  commands: () => say`명령:`,
  examples: () => say`예시:`,
  choices: () => say`사용할 수 있는 값`,
  default: () => say`기본값`,
  'exit-program': () =>
    say`종료 코드: 0 참고 사항 외에 진단 결과 없음, 1 진단 결과 있음, 2 잘못된 사용법, 3 오브젝트를 읽을 수 없음.`,
  'exit-check': () =>
    say`종료 코드: 0 모든 업데이트가 완료됨, 1 교착 상태가 되거나 멈추거나 거부되는 업데이트가 있음, 2 잘못된 사용법,\n3 결과를 판단할 수 없음.`,
  'exit-doctor': () =>
    say`종료 코드: 0 모든 확인 통과, 1 설정이나 권한이 없음, 2 잘못된 사용법, 3 응답이 없는 항목이 있음.`,
  'more-help': () => say`명령별 옵션과 예시는 rollout-doctor help <command> 명령으로 확인하세요.`,
  'check-fields': () =>
    say`매니페스트에 없는 필드는 kubectl apply와 같이 클러스터의 값을 유지합니다. 워크로드를 각각 따로 확인합니다.`,
  'doctor-reads': () => say`앱과 워커가 사용하는 환경 변수를 읽습니다. 아무것도 변경하지 않습니다.`,
  'json-scan': () => say`모든 워크로드, 심각한 순서`,
  'json-explain': () => say`JSON은 문장마다 오브젝트 하나, 한 줄에 하나씩입니다:`,
  github: () => say`GitHub Actions 주석`,
  sarif: () => say`코드 스캔용`,
};

const helpText = { en, ko };

export type Help = (key: keyof typeof en) => string;

/** The sentences of the help in a language. */
export function helpIn(language: Language): Help {
  return (key) => plain(helpText[language][key]());
}
