import type { GitRefusalReason } from '../../doctor/git-edits/refusal.js';
import { code, type Prose, quote, say, sentences, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { particle } from '../../engine/language/words.js';
import { at, chartRefusals, endOf, others, type Place, sourceRefusalText } from './refusal-text.js';

export type HostName = 'GitHub' | 'GitLab';

export const gitCatalogue = 'git';
export const gitStatement = statementsOf<typeof en>(gitCatalogue);

type Reasons = { readonly [Each in GitRefusalReason]: (place: Place) => Prose };

const reasonsEn: Reasons = {
  ...chartRefusals.en,
  'not-declared': (place) => say`No manifest under ${at(place)} declares ${code(place.workload)}.`,
  'declared-twice': (place) =>
    say`More than one document declares ${code(place.workload)}: the second one is at ${at(place)}.`,
  template: (place) => say`${at(place)} is a template, so the rendered field cannot be edited there.`,
  kustomize: (place) =>
    place.detail === undefined
      ? say`The kustomization at ${at(place)} cannot be built.`
      : place.detail === 'resources'
        ? say`No kustomization lists the manifest at ${at(place)} in ${code('resources')}, so it is not applied.`
        : say`The effect of ${code(place.detail)} at ${at(place)} on ${code(place.workload)} is not known, so the built manifest cannot be checked.`,
  'not-built': (place) =>
    say`Kustomize refuses to build ${at(place)} because of ${code(place.detail ?? '')}. Run ${code('kubectl kustomize')} there to see its message.`,
  'shared-base': (place) =>
    say`${at(place)} builds on the same manifest, so the edit would change other workloads too.${others(place, 'It is used by')}`,
  variable: (place) => say`The field at ${at(place)} is a variable.`,
  encrypted: (place) => say`${at(place)} is encrypted.`,
  generated: (place) => say`${at(place)} is marked as generated.`,
  'not-yaml': (place) => say`${at(place)} is not valid YAML.`,
  symlink: (place) => say`${at(place)} is a symbolic link.`,
  submodule: (place) => say`${at(place)} is a submodule.`,
  'too-large': (place) =>
    place.file === undefined
      ? say`${at(place)} takes more work to read and edit than is allowed.`
      : say`${at(place)} exceeds a limit: 2 MiB, 100 levels, 500,000 values or 100 patches.`,
  'too-many-files': (place) =>
    say`${at(place)} holds more than 300 manifests or 32 MiB of them. Name a narrower path in the settings.`,
  alias: (place) => say`The field at ${at(place)} is an alias.`,
  anchor: (place) => say`The field at ${at(place)} has an anchor, so other fields use the same value.`,
  'merge-key': (place) => say`The field at ${at(place)} comes from a merge key.`,
  tag: (place) => say`The field at ${at(place)} has a YAML tag.`,
  shape: (place) =>
    say`The field at ${at(place)} is written in a form that cannot be edited without changing other lines.`,
  'as-wanted': (place) => say`${at(place)} declares these values already. The cluster has not applied them.`,
  'not-verified': (place) => say`The edit of ${at(place)} would change more than the wanted fields.`,
  'no-git-form': (place) => say`This fix has no form in the manifest of ${code(place.workload)}.`,
  'no-earlier-template': (place) =>
    say`None of the newest commits of ${at(place)} declares the pod template of this revision. It must be in one file that only this workload uses.`,
  'stale-base': (place) =>
    say`${at(place)} changed on the branch since the commit that the cluster has. Wait until its owner has applied the branch, then review again.`,
  'no-revision': (place) =>
    say`${code(place.repository)} has no commit ${code(place.file ?? '')}, which the cluster has.`,
};

const reasonsKo: Reasons = {
  ...chartRefusals.ko,
  'not-declared': (place) =>
    say`${at(place)} 아래에 ${code(place.workload)}${particle(place.workload, '을', '를')} 선언한 매니페스트가 없습니다.`,
  'declared-twice': (place) =>
    say`${code(place.workload)}${particle(place.workload, '을', '를')} 선언한 문서가 둘 이상입니다. 두 번째 문서: ${at(place)}`,
  template: (place) =>
    say`${at(place)}${particle(endOf(place), '은', '는')} 템플릿이므로 렌더링된 필드를 여기서 수정할 수 없습니다.`,
  kustomize: (place) =>
    place.detail === undefined
      ? say`${at(place)}의 kustomization을 빌드할 수 없습니다.`
      : place.detail === 'resources'
        ? say`${at(place)} 매니페스트가 어떤 kustomization의 ${code('resources')}에도 없어 적용되지 않습니다.`
        : say`${at(place)}의 ${code(place.detail)} 필드가 ${code(place.workload)}에 주는 영향을 알 수 없어 빌드 결과를 검사할 수 없습니다.`,
  'not-built': (place) =>
    say`${code(place.detail ?? '')} 때문에 Kustomize가 ${at(place)}의 빌드를 거부합니다. 그 폴더에서 ${code('kubectl kustomize')}를 실행해 오류 메시지를 확인하세요.`,
  'shared-base': (place) =>
    say`${at(place)}도 같은 매니페스트를 사용하므로 수정하면 다른 워크로드까지 바뀝니다.${others(place, '사용하는 파일:')}`,
  variable: (place) => say`${at(place)}의 필드 값이 변수입니다.`,
  encrypted: (place) => say`${at(place)}${particle(endOf(place), '은', '는')} 암호화되어 있습니다.`,
  generated: (place) =>
    say`${at(place)}${particle(endOf(place), '은', '는')} 자동 생성된 파일로 표시되어 있습니다.`,
  'not-yaml': (place) => say`${at(place)}${particle(endOf(place), '은', '는')} 올바른 YAML이 아닙니다.`,
  symlink: (place) => say`${at(place)}${particle(endOf(place), '은', '는')} 심볼릭 링크입니다.`,
  submodule: (place) => say`${at(place)}${particle(endOf(place), '은', '는')} 서브모듈입니다.`,
  'too-large': (place) =>
    place.file === undefined
      ? say`${at(place)}의 파일을 읽고 수정하는 데 필요한 작업량이 허용 한도를 넘습니다.`
      : say`${at(place)} 파일이 한도를 넘습니다. 크기는 2MiB, 중첩은 100단계, 값은 500,000개, 패치는 100개까지 읽습니다.`,
  'too-many-files': (place) =>
    say`${at(place)} 아래의 매니페스트가 300개 또는 32MiB를 넘습니다. 설정에서 더 좁은 경로를 지정하세요.`,
  alias: (place) => say`${at(place)}의 필드가 YAML 별칭(alias)입니다.`,
  anchor: (place) => say`${at(place)}의 필드에 앵커가 있어 다른 필드도 같은 값을 사용합니다.`,
  'merge-key': (place) => say`${at(place)}의 필드 값은 병합 키(<<)에서 옵니다.`,
  tag: (place) => say`${at(place)}의 필드에 YAML 태그가 있습니다.`,
  shape: (place) => say`${at(place)}의 필드는 다른 줄을 바꾸지 않고는 수정할 수 없는 형식입니다.`,
  'as-wanted': (place) =>
    say`${at(place)}에 이미 이 값이 선언되어 있습니다. 클러스터에 아직 적용되지 않았습니다.`,
  'not-verified': (place) =>
    say`${at(place)}${particle(endOf(place), '을', '를')} 수정하면 원하는 필드 외의 내용도 바뀝니다.`,
  'no-git-form': (place) => say`이 조치는 ${code(place.workload)}의 매니페스트로 표현할 수 없습니다.`,
  'no-earlier-template': (place) =>
    say`${at(place)}의 최근 커밋 가운데 되돌릴 리비전의 파드 템플릿을 이 워크로드만 사용하는 파일 하나로 똑같이 선언한 커밋이 없습니다.`,
  'stale-base': (place) =>
    say`클러스터에 적용된 커밋 이후 브랜치에서 ${at(place)}${particle(endOf(place), '이', '가')} 변경되었습니다. 소유자가 브랜치를 적용할 때까지 기다린 다음 다시 검토하세요.`,
  'no-revision': (place) =>
    say`${code(place.repository)}에 클러스터에 적용된 커밋 ${code(place.file ?? '')}${particle(place.file ?? '', '이', '가')} 없습니다.`,
};

const hostEn: Readonly<Record<string, string>> = {
  'GitHub unauthorized': 'GitHub rejected the credentials of the App',
  'GitHub forbidden': 'the GitHub App lacks a permission',
  'GitHub not-found': 'GitHub has no such repository, or the App is not installed on it',
  'GitLab unauthorized': 'GitLab rejected the access token. It may have expired',
  'GitLab forbidden': 'the role of the access token does not allow this',
  'GitLab not-found': 'GitLab has no such project, or the access token may not read it',
  moved: 'the repository moved. Enter its new name in the settings',
  conflict: 'the repository is empty or is being changed',
  'too-large': 'the repository has too many files for one answer',
  'answer-too-large': 'the answer of the Git host is larger than the limit',
  invalid: 'the Git host rejected the request',
};

const hostKo: Readonly<Record<string, string>> = {
  'GitHub unauthorized': 'GitHub이 앱의 자격 증명을 거부했습니다',
  'GitHub forbidden': 'GitHub 앱에 필요한 권한이 없습니다',
  'GitHub not-found': 'GitHub에 이 저장소가 없거나 앱이 설치되어 있지 않습니다',
  'GitLab unauthorized': 'GitLab이 액세스 토큰을 거부했습니다. 토큰이 만료되었을 수 있습니다',
  'GitLab forbidden': '액세스 토큰의 역할에 필요한 권한이 없습니다',
  'GitLab not-found': 'GitLab에 이 프로젝트가 없거나 액세스 토큰으로 읽을 수 없습니다',
  moved: '저장소가 이동했습니다. 설정에 새 이름을 입력하세요',
  conflict: '저장소가 비어 있거나 변경 중입니다',
  'too-large': '저장소의 파일이 너무 많아 한 번에 읽을 수 없습니다',
  'answer-too-large': 'Git 호스트의 응답이 크기 한도를 넘습니다',
  invalid: 'Git 호스트가 요청을 거부했습니다',
};

function hostText(texts: Readonly<Record<string, string>>, host: HostName, because: string): string {
  return texts[`${host} ${because}`] ?? texts[because] ?? texts.invalid ?? because;
}

/** Why a pull request is not opened. */
const en = {
  /** The settings name no repository for the workload. */
  'no-source': ({ workload }: { workload: string }) =>
    say`The settings name no repository for ${code(workload)}.`,
  /** The owner names no source that may be edited. */
  'source-refused': sourceRefusalText.en,
  /** The fix has no form in a manifest. */
  'no-form': ({ workload }: { workload: string }) =>
    say`This fix has no form in the manifest of ${code(workload)}.`,
  /** The owner applies server-side. */
  'recreate-refused': ({ workload }: { workload: string }) =>
    say`The owner of ${code(workload)} uses server-side apply. The API server would refuse ${code('Recreate')} beside the defaults of ${code('rollingUpdate')}. Apply the fix to the cluster first, then set it in the manifest.`,
  'already-open': ({ url }: { url: string | undefined }) =>
    url === undefined
      ? say`A pull request for this incident is being opened.`
      : say`A pull request for this incident is open: ${code(url)}`,
  /** A person closed the pull request of this very change. */
  declined: ({ url }: { url: string }) =>
    say`A person closed the pull request of this change without merging it: ${code(url)}`,
  /** `because` is a code of `host-failure`. */
  'host-refused': (values: { repository: string; host: HostName; because: string; message: string }) =>
    sentences(
      say`${code(values.repository)}: ${word(hostText(hostEn, values.host, values.because))}.`,
      values.message === '' ? [] : say`Message: ${quote(values.message)}`,
    ),
  'host-silent': ({ repository }: { repository: string }) =>
    say`The Git host does not answer for ${code(repository)}. Try again later.`,
  'no-branch': ({ repository, branch }: { repository: string; branch: string }) =>
    say`${code(repository)} has no branch ${code(branch)}.`,
  'tree-refused': (place: Place & { readonly reason: GitRefusalReason }) => reasonsEn[place.reason](place),
  /** The check of the changed manifest found that the update would not complete. */
  'check-failed': ({ workload, file, outcome }: { workload: string; file: string; outcome: string }) =>
    say`With the changed ${code(file)}, the check of ${code(workload)} ends in ${code(outcome)}. No pull request is opened.`,
  unreadable: ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`${code(workload)} in cluster ${code(cluster)} could not be read, so the changed manifest could not be checked.`,
  /** The file was changed since the review. */
  'file-changed': ({ file }: { file: string }) =>
    say`${code(file)} changed since the review. Review the change again.`,
  /** People have commits on every branch that the change could use. */
  'branches-taken': ({ branch }: { branch: string }) =>
    say`${code(branch)} and its successors hold commits of other people. They are left as they are.`,
};

const ko: typeof en = {
  'no-source': ({ workload }) => say`설정에 ${code(workload)}의 저장소가 지정되어 있지 않습니다.`,
  'source-refused': sourceRefusalText.ko,
  'no-form': ({ workload }) => say`이 조치는 ${code(workload)}의 매니페스트로 표현할 수 없습니다.`,
  'recreate-refused': ({ workload }) =>
    say`${code(workload)}의 소유자는 서버 측 적용(server-side apply)을 사용합니다. ${code('rollingUpdate')} 기본값이 남아 있으면 API 서버가 ${code('Recreate')} 전략을 거부합니다. 클러스터에 조치를 먼저 적용한 다음 매니페스트에 설정하세요.`,
  'already-open': ({ url }) =>
    url === undefined
      ? say`이 인시던트의 풀 리퀘스트를 여는 중입니다.`
      : say`이 인시던트의 풀 리퀘스트가 이미 열려 있습니다: ${code(url)}`,
  declined: ({ url }) => say`이 변경의 풀 리퀘스트가 병합되지 않고 닫혔습니다: ${code(url)}`,
  'host-refused': ({ repository, host, because, message }) =>
    sentences(
      say`${code(repository)}: ${word(hostText(hostKo, host, because))}.`,
      message === '' ? [] : say`메시지: ${quote(message)}`,
    ),
  'host-silent': ({ repository }) =>
    say`Git 호스트가 ${code(repository)}에 대해 응답하지 않습니다. 나중에 다시 시도하세요.`,
  'no-branch': ({ repository, branch }) => say`${code(repository)}에 ${code(branch)} 브랜치가 없습니다.`,
  'tree-refused': (place) => reasonsKo[place.reason](place),
  'check-failed': ({ workload, file, outcome }) =>
    say`변경된 ${code(file)} 파일로 ${code(workload)}${particle(workload, '을', '를')} 검사한 결과는 ${code(outcome)}입니다. 풀 리퀘스트를 열지 않습니다.`,
  unreadable: ({ workload, cluster }) =>
    say`클러스터 ${code(cluster)}의 ${code(workload)}${particle(workload, '을', '를')} 읽을 수 없어 변경된 매니페스트를 검사하지 못했습니다.`,
  'file-changed': ({ file }) =>
    say`검토한 뒤에 ${code(file)}${particle(file, '이', '가')} 변경되었습니다. 다시 검토하세요.`,
  'branches-taken': ({ branch }) =>
    say`${code(branch)}${particle(branch, '과', '와')} 그다음 이름의 브랜치에 다른 사람의 커밋이 있습니다. 그대로 둡니다.`,
};

export const gitText = { en, ko };
