import { type ChildlessOwner, childlessText } from '../../doctor/findings/owners.js';
import type { Fault } from '../../doctor/input/input-error.js';
import { describeFault, describeProblem, type InputProblem } from '../../doctor/input/input-error.js';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, quote, say, sentences, word } from '../../engine/language/prose.js';
import { counted, joined, names, particle } from '../../engine/language/words.js';
import { unreadableWords } from '../../service/notices/notices-words.js';

/** A workload that exists, and not of the kind that was asked for. */
type OtherKind = { readonly name: string; readonly asked: string; readonly commands: readonly string[] };

const en = {
  'file-unusable': ({ problem }: { problem: InputProblem }) =>
    say`Cannot read the objects. ${code(describeProblem(problem, 'en'))}`,
  /** Nothing of the keys is shown. */
  'approval-keys-unusable': () =>
    say`APPROVAL_KEYS is not set or not valid. The format is described in docs/approval-keys.md.`,
  'cluster-name-invalid': ({ name }: { name: string }) =>
    say`"${code(name)}" is not a valid name of a cluster. Use up to 100 letters, digits, ".", "_" and "-". The first must be a letter or digit.`,
  'workload-unknown': (values: {
    name: string;
    nearest: readonly string[];
    where: 'recording' | 'cluster';
  }) =>
    sentences(
      say`Workload ${code(values.name)} not found in the ${word(values.where)}.`,
      didYouMean('en', values.nearest),
    ),
  'workload-of-other-kind': ({ name, asked, commands }: OtherKind) =>
    say`${code(name)} is not a ${code(asked)}. A workload of this name has another kind. Use ${names('en', commands, 3)}.`,
  'workload-is-namespace': ({ name, words }: { name: string; words: string }) =>
    say`${code(name)} is a namespace. Use ${code(`rollout-doctor scan -n ${name}${words}`)}.`,
  'workload-below-unknown': ({
    namespace,
    name,
    conditions,
  }: Pick<ChildlessOwner, 'namespace' | 'name' | 'conditions'>) =>
    childlessText('en', { namespace, name, conditions }),
  'namespace-unknown': ({ name, nearest }: { name: string; nearest: readonly string[] }) =>
    sentences(say`Namespace ${code(name)} not found in the cluster.`, didYouMean('en', nearest)),
  'cluster-unknown': ({ name, known }: { name: string; known: readonly string[] }) =>
    say`The kubeconfig has no cluster ${code(name)}. Available contexts: ${names('en', known, 10)}.`,
  'owner-unknown': ({ name }: { name: string }) =>
    say`No workload owns ${code(name)}, or it does not exist. Enter the workload instead, such as ml/inference.`,
  'owner-not-diagnosed': (values: {
    name: string;
    owner: { readonly kind: string; readonly name: string };
  }) =>
    say`${code(values.name)} belongs to ${code(`${values.owner.kind}/${values.owner.name}`)}. Rollout Doctor does not diagnose this kind yet. Run ${code(`kubectl describe ${values.name}`)} and read the log of the pod.`,
  'no-cluster': () => say`The kubeconfig names no cluster. Check --kubeconfig.`,
  'several-workloads': ({ name, choices }: { name: string; choices: readonly string[] }) =>
    say`Several workloads match ${code(name)}: ${names('en', choices, 10)}. Add the kind and the namespace.`,
  /** `held` names kinds with their counts. */
  'recording-without-workloads': ({ held, command }: { held: readonly string[]; command: string }) =>
    say`The recording has no workload, such as a Deployment. It has only ${names('en', held, 4)}. Add the output of ${code(command)}.`,
  'workload-not-named': ({ choices, words }: { choices: readonly string[]; words: string }) =>
    say`The recording has ${counted(choices.length, 'workload', 'workloads')}: ${names('en', choices, 10)}. Name one, or use ${code(`rollout-doctor scan${words}`)}.`,
  'recording-without-namespace': (values: { namespace: string; namespaces: readonly string[] }) =>
    say`The recording has no workload in namespace ${code(values.namespace)}. Namespaces with workloads: ${names('en', values.namespaces, 10)}.`,
  'cluster-unreadable': ({ because, message }: { because: string; message: string }) =>
    message === ''
      ? say`Cannot read the cluster: ${word(unreadableWords.en[because] ?? because)}.`
      : say`Cannot read the cluster: ${word(unreadableWords.en[because] ?? because)} (${code(message)}).`,
  /** A message where a library refuses a part of it. */
  'kubeconfig-unusable': ({ problem, isLive }: { problem: InputProblem | string; isLive?: boolean }) =>
    say`Cannot use the kubeconfig: ${code(kubeconfigProblem(problem, 'en'))}. Check --kubeconfig and --context${word(isLive === true ? '' : ', or read saved objects with --from PATH')}.`,
  /** Where recorded objects would do too. `against` is absent where nothing was named. */
  'against-unusable': (values: {
    against: string | undefined;
    isAction: boolean;
    problem: InputProblem | string;
  }) => {
    const why = say`Cannot use the kubeconfig: ${code(kubeconfigProblem(values.problem, 'en'))}.`;
    return values.against === undefined
      ? say`${why} To check against recorded objects, ${word(values.isAction ? 'set against' : 'use --against FOLDER')}.`
      : say`${code(values.against)} is not a file or folder, so it counts as a context. ${why}`;
  },
  'time-invalid': ({ text }: { text: string }) =>
    say`"${code(text)}" is not a valid time. Use RFC3339, such as 2026-11-20T09:30:00Z.`,
  'time-without-recording': () => say`--at needs recorded objects. Add --against PATH.`,
  /** A path that is no file, and may name a workload. */
  'manifest-is-workload': ({ name }: { name: string }) =>
    say`File ${code(name)} not found. check takes files of manifests, such as check web.yaml. To diagnose a workload, use rollout-doctor diagnose ${code(name)}.`,
  'manifests-missing': () =>
    say`The manifests are missing. Add a file or folder, such as check web.yaml, or send them to standard input with -f -.`,
  'no-objects': ({ paths }: { paths: readonly string[] }) =>
    say`No Kubernetes object found in ${names('en', paths)}.`,
  'no-workloads': () => say`These manifests have no workload, such as a Deployment.`,
  'manifest-without-name': ({
    file,
    line,
    kind,
    isTemplate,
  }: Place & { readonly kind: string; readonly isTemplate: boolean }) =>
    sentences(
      say`${code(file ?? 'standard input')}, line ${line}: ${code(kind)} has no metadata.name.`,
      isTemplate ? say`Render templates first, for example with helm template.` : [],
    ),
  'manifest-invalid': ({
    file,
    line,
    kind,
    name,
    field,
    problem,
  }: Place & {
    readonly kind: string;
    readonly name: string;
    readonly field: string;
    readonly problem: string;
  }) =>
    say`${code(file ?? 'standard input')}, line ${line}: ${code(kind)} ${code(name)} has an invalid ${code(field)}. ${code(problem)}`,
  /** Of the GitHub Action; without `choices` where it is missing. */
  'input-invalid': ({ name, choices }: { name: string; choices: readonly string[] }) =>
    choices.length === 0
      ? say`The input ${code(name)} is missing.`
      : say`The input ${code(name)} is invalid. Valid values: ${names('en', choices)}.`,
  'page-without-fragile': () => say`The format html needs --fragile. Use scan -A --fragile -o html.`,
  /** Of the tools for assistants. */
  'incident-unknown': ({ id }: { id: string }) => say`Incident ${code(id)} not found.`,
  'too-many-proposals': ({ minutes }: { minutes: number }) =>
    say`Too many proposals. Propose again in ${counted(minutes, 'minute', 'minutes')}.`,
  proposed: ({ channel, isNew }: { channel: string; isNew: boolean }) =>
    isNew
      ? say`People review the change in the Slack channel ${code(channel)}. Nothing changed in the cluster.`
      : say`People have this incident before them in the Slack channel ${code(channel)} already. Nothing changed in the cluster.`,
  'too-much-yaml': ({ seconds }: { seconds: number }) =>
    say`Too many manifests or messages. Send them again in ${counted(seconds, 'second', 'seconds')}.`,
  'manifests-too-large': () =>
    say`The manifests are too large to check. One workload may have at most 262,144 characters and 6,000 values.`,
  'too-many-manifests': ({ max }: { max: number }) =>
    say`Too many workloads: at most ${max} are checked at once.`,
  'record-name': ({ file }: { file: string }) =>
    say`The recording ${code(file)} needs a name that ends in .json.`,
  'record-exists': ({ file }: { file: string }) =>
    say`${code(file)} exists already. Use --force to replace it.`,
  'record-unwritable': ({ file, why }: { file: string; why: 'not-a-file' | 'no-folder' }) =>
    why === 'no-folder'
      ? say`The folder of ${code(file)} does not exist.`
      : say`${code(file)} is not a regular file.`,
  'file-unwritable': ({ file, fault }: { file: string; fault: Fault }) =>
    say`Cannot write ${code(file)}: ${word(describeFault(fault, 'en'))}.`,
  /** A part of a recording that is not read. */
  'left-out': ({ problem }: { problem: InputProblem }) =>
    say`Left out: ${code(describeProblem(problem, 'en'))}`,
  /** `namespace` is '' for all namespaces. */
  'record-unread': (values: { what: string; namespace: string; because: string; message: string }) =>
    sentences(
      values.namespace === ''
        ? say`Not recorded: ${code(values.what)} (${word(unreadableWords.en[values.because] ?? values.because)}).`
        : say`Not recorded: ${code(values.what)} in namespace ${code(values.namespace)} (${word(unreadableWords.en[values.because] ?? values.because)}).`,
      values.message === '' ? [] : say`${code(values.message)}`,
    ),
  recorded: ({ file, objects, cluster }: { file: string; objects: number; cluster: string }) =>
    say`Recorded ${objects} objects of cluster ${code(cluster)} in ${code(file)}.`,
  'scan-of-workload': ({ name }: { name: string }) =>
    say`scan takes a namespace. To diagnose one workload, use rollout-doctor diagnose ${code(name)}.`,
  'namespace-twice': () => say`Enter one namespace, or --all-namespaces, not both.`,
  'namespace-missing': () => say`The namespace is missing. Use --namespace NAME, or -A for all namespaces.`,
  'namespace-invalid': ({ name }: { name: string }) =>
    say`"${code(name)}" is not a valid namespace name. Use lower-case letters, digits and -, at most 63 characters.`,
  'workload-missing': () =>
    say`The workload is missing. Use a name such as ml/inference or deploy/inference -n ml.`,
  'watch-without-cluster': () => say`--watch needs a live cluster. Recorded objects do not change.`,
  'watch-without-text': () => say`--watch prints text only. Leave out --output and --certificate.`,
  /** A line that an earlier diagnosis printed. */
  'watch-gone': ({ line }: { line: Prose }) => say`No longer the case: ${line}`,
  'watch-ended': ({ diagnoses }: { diagnoses: number }) =>
    say`The watch ended after ${diagnoses} diagnoses. The problem is still there.`,
  'sentence-missing': () =>
    say`The message is missing. Add it in quotes, or send one message per line to standard input. Example: rollout-doctor explain "0/3 nodes are available: 3 Insufficient cpu."`,
  'input-empty': () =>
    say`Standard input is empty. Send one scheduler message per line, or add the message in quotes. Run 'rollout-doctor explain --help' for examples.`,
  'line-too-long': ({ line, maxCharacters }: { line: number; maxCharacters: number }) =>
    say`Line ${line} of standard input is longer than ${maxCharacters} characters.`,
  'input-unusable': ({ fault }: { fault: Fault }) =>
    say`Cannot read standard input: ${code(describeFault(fault, 'en'))}.`,
  'too-large': ({ workload, seconds }: { workload: string; seconds: number }) =>
    say`${code(workload)} is too large: the diagnosis was stopped after ${seconds} seconds. Check spec.replicas and the number of pods and nodes.`,
  'failed-inside': ({ message }: { message: string }) =>
    say`Rollout Doctor failed with an internal error: ${code(message)}`,
};

const ko: typeof en = {
  'file-unusable': ({ problem }) => say`오브젝트를 읽을 수 없습니다. ${code(describeProblem(problem, 'ko'))}`,
  'approval-keys-unusable': () =>
    say`APPROVAL_KEYS가 설정되지 않았거나 올바르지 않습니다. 형식은 docs/approval-keys.md를 참고하세요.`,
  'cluster-name-invalid': ({ name }) =>
    say`"${code(name)}" 이름은 사용할 수 없습니다. 문자나 숫자로 시작하는 100자 이하의 문자, 숫자, ".", "_", "-"만 사용할 수 있습니다.`,
  'workload-unknown': ({ name, nearest, where }) =>
    sentences(
      say`${word(where === 'recording' ? '기록' : '클러스터')}에서 ${code(name)} 워크로드를 찾을 수 없습니다.`,
      didYouMean('ko', nearest),
    ),
  'workload-of-other-kind': ({ name, asked, commands }) =>
    say`${code(name)} 워크로드는 ${code(asked)}${particle(asked, '이', '가')} 아니라 다른 종류입니다. 사용할 명령: ${names('ko', commands, 3)}`,
  'workload-is-namespace': ({ name, words }) =>
    say`${code(name)}${particle(name, '은', '는')} 네임스페이스입니다. ${code(`rollout-doctor scan -n ${name}${words}`)} 명령을 사용하세요.`,
  'workload-below-unknown': ({ namespace, name, conditions }) =>
    childlessText('ko', { namespace, name, conditions }),
  'namespace-unknown': ({ name, nearest }) =>
    sentences(say`클러스터에서 ${code(name)} 네임스페이스를 찾을 수 없습니다.`, didYouMean('ko', nearest)),
  'cluster-unknown': ({ name, known }) =>
    say`kubeconfig에 ${code(name)} 클러스터가 없습니다. 사용할 수 있는 컨텍스트: ${names('ko', known, 10)}.`,
  'owner-unknown': ({ name }) =>
    say`${code(name)} 오브젝트를 소유한 워크로드가 없거나 오브젝트가 존재하지 않습니다. ml/inference처럼 워크로드를 입력하세요.`,
  'owner-not-diagnosed': ({ name, owner }) =>
    say`${code(name)} 오브젝트의 소유자: ${code(`${owner.kind}/${owner.name}`)}. Rollout Doctor는 아직 이 종류를 진단하지 않습니다. ${code(`kubectl describe ${name}`)} 결과와 파드의 로그를 확인하세요.`,
  'no-cluster': () => say`kubeconfig에 클러스터가 없습니다. --kubeconfig 값을 확인하세요.`,
  'several-workloads': ({ name, choices }) =>
    say`${code(name)} 이름의 워크로드가 여러 개입니다: ${names('ko', choices, 10)}. 종류와 네임스페이스를 추가하세요.`,
  'recording-without-workloads': ({ held, command }) =>
    say`기록에 Deployment 같은 워크로드가 없습니다. 기록에 있는 것: ${names('ko', held, 4)}. ${code(command)} 명령의 출력을 추가하세요.`,
  'workload-not-named': ({ choices, words }) =>
    say`기록에 워크로드가 ${choices.length}개 있습니다: ${names('ko', choices, 10)}. 하나를 지정하거나 ${code(`rollout-doctor scan${words}`)} 명령을 사용하세요.`,
  'recording-without-namespace': ({ namespace, namespaces }) =>
    say`기록의 ${code(namespace)} 네임스페이스에 워크로드가 없습니다. 워크로드가 있는 네임스페이스: ${names('ko', namespaces, 10)}.`,
  'cluster-unreadable': ({ because, message }) =>
    message === ''
      ? say`클러스터를 읽을 수 없습니다: ${word(unreadableWords.ko[because] ?? because)}.`
      : say`클러스터를 읽을 수 없습니다: ${word(unreadableWords.ko[because] ?? because)} (${code(message)}).`,
  'kubeconfig-unusable': ({ problem, isLive }) =>
    say`kubeconfig를 사용할 수 없습니다: ${code(kubeconfigProblem(problem, 'ko'))}. --kubeconfig와 --context 값을 ${word(isLive === true ? '확인하세요' : '확인하거나, --from PATH로 저장한 오브젝트를 읽으세요')}.`,
  'against-unusable': ({ against, isAction, problem }) => {
    const why = say`kubeconfig를 사용할 수 없습니다: ${code(kubeconfigProblem(problem, 'ko'))}.`;
    return against === undefined
      ? say`${why} 기록된 오브젝트로 확인하려면 ${word(isAction ? 'against를 설정' : '--against FOLDER를 사용')}하세요.`
      : say`${code(against)} 경로에 파일이나 폴더가 없어 컨텍스트 이름으로 처리했습니다. ${why}`;
  },
  'time-invalid': ({ text }) =>
    say`"${code(text)}" 값은 올바른 시각이 아닙니다. 2026-11-20T09:30:00Z 같은 RFC3339 형식을 사용하세요.`,
  'time-without-recording': () =>
    say`--at 옵션에는 기록된 오브젝트가 필요합니다. --against PATH를 추가하세요.`,
  'manifest-is-workload': ({ name }) =>
    say`${code(name)} 파일이 없습니다. check 명령에는 check web.yaml처럼 매니페스트 파일을 입력합니다. 워크로드는 rollout-doctor diagnose ${code(name)} 명령으로 진단하세요.`,
  'manifests-missing': () =>
    say`매니페스트를 지정하지 않았습니다. check web.yaml처럼 파일이나 폴더를 추가하거나, -f - 옵션으로 표준 입력에 보내세요.`,
  'no-objects': ({ paths }) => say`Kubernetes 오브젝트를 찾을 수 없습니다: ${names('ko', paths)}.`,
  'no-workloads': () => say`이 매니페스트에는 Deployment 같은 워크로드가 없습니다.`,
  'manifest-without-name': ({ file, line, kind, isTemplate }) =>
    sentences(
      say`${code(file ?? '표준 입력')}, ${line}번째 줄: ${code(kind)}에 metadata.name이 없습니다.`,
      isTemplate ? say`템플릿은 먼저 렌더링하세요(예: helm template).` : [],
    ),
  // The words of the parser of objects are English.
  'manifest-invalid': ({ file, line, kind, name, field }) =>
    say`${code(file ?? '표준 입력')}, ${line}번째 줄: ${code(kind)} ${code(name)}의 ${code(field)} 값이 올바르지 않습니다.`,
  'input-invalid': ({ name, choices }) =>
    choices.length === 0
      ? say`입력 ${code(name)}의 값이 없습니다.`
      : say`입력 ${code(name)}의 값이 올바르지 않습니다. 사용할 수 있는 값: ${names('ko', choices)}.`,
  'page-without-fragile': () =>
    say`html 형식에는 --fragile이 필요합니다. scan -A --fragile -o html 명령을 사용하세요.`,
  'incident-unknown': ({ id }) => say`인시던트 ${code(id)}${particle(id, '을', '를')} 찾을 수 없습니다.`,
  'too-many-proposals': ({ minutes }) => say`제안이 너무 많습니다. ${minutes}분 뒤에 다시 제안하세요.`,
  proposed: ({ channel, isNew }) =>
    isNew
      ? say`Slack 채널(${code(channel)})에서 담당자가 변경을 검토합니다. 클러스터에서 변경된 것은 없습니다.`
      : say`이 인시던트는 이미 Slack 채널(${code(channel)})에 올라와 있습니다. 클러스터에서 변경된 것은 없습니다.`,
  'too-much-yaml': ({ seconds }) =>
    say`매니페스트나 메시지가 너무 많습니다. ${seconds}초 뒤에 다시 보내세요.`,
  'manifests-too-large': () =>
    say`매니페스트가 너무 커서 확인할 수 없습니다. 워크로드 하나는 최대 262,144자, 값 6,000개까지 확인합니다.`,
  'too-many-manifests': ({ max }) => say`워크로드가 너무 많습니다. 한 번에 최대 ${max}개까지 확인합니다.`,
  'record-name': ({ file }) => say`기록 파일 ${code(file)}의 이름은 .json으로 끝나야 합니다.`,
  'record-exists': ({ file }) => say`${code(file)} 파일이 이미 있습니다. 덮어쓰려면 --force를 사용하세요.`,
  'record-unwritable': ({ file, why }) =>
    why === 'no-folder'
      ? say`${code(file)} 파일을 저장할 폴더가 없습니다.`
      : say`${code(file)} 경로는 일반 파일이 아닙니다.`,
  'file-unwritable': ({ file, fault }) =>
    say`${code(file)} 파일을 쓸 수 없습니다: ${word(describeFault(fault, 'ko'))}.`,
  'left-out': ({ problem }) => say`제외함: ${code(describeProblem(problem, 'ko'))}`,
  'record-unread': ({ what, namespace, because, message }) =>
    sentences(
      namespace === ''
        ? say`기록하지 못함: ${code(what)} (${word(unreadableWords.ko[because] ?? because)}).`
        : say`기록하지 못함: ${code(namespace)} 네임스페이스의 ${code(what)} (${word(unreadableWords.ko[because] ?? because)}).`,
      message === '' ? [] : say`${code(message)}`,
    ),
  recorded: ({ file, objects, cluster }) =>
    say`${code(cluster)} 클러스터의 오브젝트 ${objects}개를 ${code(file)} 파일에 기록했습니다.`,
  'scan-of-workload': ({ name }) =>
    say`scan 명령에는 네임스페이스를 입력합니다. 워크로드 하나는 rollout-doctor diagnose ${code(name)} 명령으로 진단하세요.`,
  'namespace-twice': () => say`네임스페이스 하나와 --all-namespaces 중 하나만 입력하세요.`,
  'namespace-missing': () =>
    say`네임스페이스를 지정하지 않았습니다. --namespace NAME을 사용하세요. 전체 네임스페이스는 -A로 지정합니다.`,
  'namespace-invalid': ({ name }) =>
    say`"${code(name)}" 이름은 올바른 네임스페이스 이름이 아닙니다. 영문 소문자, 숫자, -만 최대 63자까지 사용할 수 있습니다.`,
  'workload-missing': () =>
    say`워크로드를 지정하지 않았습니다. ml/inference 또는 deploy/inference -n ml 형식으로 입력하세요.`,
  'watch-without-cluster': () =>
    say`--watch 옵션은 실제 클러스터에서만 사용할 수 있습니다. 기록된 오브젝트는 바뀌지 않습니다.`,
  'watch-without-text': () =>
    say`--watch 옵션은 텍스트로만 출력합니다. --output 옵션과 --certificate 옵션을 빼세요.`,
  'watch-gone': ({ line }) => say`더 이상 해당하지 않음: ${line}`,
  'watch-ended': ({ diagnoses }) =>
    say`진단을 ${diagnoses}번 실행한 뒤 감시를 종료했습니다. 문제는 아직 남아 있습니다.`,
  'sentence-missing': () =>
    say`메시지를 지정하지 않았습니다. 따옴표로 묶어 추가하거나 표준 입력으로 한 줄에 하나씩 보내세요. 예: rollout-doctor explain "0/3 nodes are available: 3 Insufficient cpu."`,
  'input-empty': () =>
    say`표준 입력이 비어 있습니다. 스케줄러 메시지를 한 줄에 하나씩 보내거나 따옴표로 묶어 추가하세요. 예시는 'rollout-doctor explain --help' 명령으로 확인하세요.`,
  'line-too-long': ({ line, maxCharacters }) =>
    say`표준 입력의 ${line}번째 줄이 ${maxCharacters}자를 넘습니다.`,
  'input-unusable': ({ fault }) => say`표준 입력을 읽을 수 없습니다: ${code(describeFault(fault, 'ko'))}.`,
  'too-large': ({ workload, seconds }) =>
    say`${code(workload)} 워크로드가 너무 커서 ${seconds}초 후 진단을 중단했습니다. spec.replicas 값과 파드, 노드 수를 확인하세요.`,
  'failed-inside': ({ message }) => say`Rollout Doctor 내부 오류가 발생했습니다: ${code(message)}`,
};

export const cliText = { en, ko };

function kubeconfigProblem(problem: InputProblem | string, language: Language): string {
  return typeof problem === 'string' ? problem : describeProblem(problem, language);
}

function didYouMean(language: Language, nearest: readonly string[]): Prose {
  if (nearest.length === 0) return [];
  return nearestWords[language](joined(language, nearest.map(quote)));
}

const nearestWords: { readonly [Each in Language]: (choices: Prose) => Prose } = {
  en: (choices) => say`Nearest names: ${choices}.`,
  ko: (choices) => say`가장 비슷한 이름: ${choices}.`,
};

/** Where a manifest is. `file` is absent for standard input. */
type Place = { readonly file: string | undefined; readonly line: number };

/**
 * The lines that the command line writes to standard error, and the answers that no report renders. By key:
 * the compiler ties the values of a failure to its sentence.
 */
export type CliSentences = {
  readonly [Key in keyof typeof en]: (...values: Parameters<(typeof en)[Key]>) => Prose;
};
