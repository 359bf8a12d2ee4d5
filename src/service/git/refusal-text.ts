import type { SourceRefusal } from '../../doctor/git-edits/application-source.js';
import type { GitRefusalReason } from '../../doctor/git-edits/refusal.js';
import { code, type Prose, say, sentences, word } from '../../engine/language/prose.js';
import { particle } from '../../engine/language/words.js';

type ChartReason = Extract<GitRefusalReason, `chart-${string}`>;
type Reasons = { readonly [Each in ChartReason]: (place: Place) => Prose };

const field = ({ detail = '' }: Place): Prose => say`${code(detail)}`;

const chartRefusalsEn: Reasons = {
  'chart-form': (place) =>
    place.detail === undefined
      ? say`${at(place)} is missing or has a form that is not supported, so the chart cannot be checked.`
      : say`The effect of ${field(place)} at ${at(place)} on the values of the chart is not known.`,
  'chart-dependency': (place) =>
    say`The chart depends on ${field(place)}, whose files are not in its ${code('charts')} folder. It is not known what ${at(place)} reads then.`,
  'chart-name': (place) =>
    say`It is not known without rendering the chart whether ${at(place)} declares ${code(place.workload)}.`,
  'chart-expression': (place) =>
    say`The template at ${at(place)} does not set ${field(place)} by simple values alone.`,
  'chart-condition': (place) =>
    say`The condition at ${at(place)} decides on ${field(place)}, and depends on more than its value.`,
  'chart-inserts': (place) =>
    say`The template at ${at(place)} inserts lines that may set ${field(place)} as well.`,
  'chart-not-exposed': (place) =>
    say`No value of the chart sets the wanted ${field(place)}. See the template at ${at(place)}.`,
  'chart-shared': (place) =>
    say`${at(place)} reads the value ${field(place)} too, so the edit would change other objects.`,
  'chart-overridden': (place) =>
    say`${field(place)} is set by something that counts more than ${at(place)}, so the edit would have no effect.`,
  'chart-schema': (place) =>
    say`${at(place)} restricts the values of the chart. It is not known whether it allows the edit.`,
  'chart-values-file': (place) => say`The values file ${at(place)} does not exist.`,
  'chart-live': (place) =>
    say`With the values in Git, the template at ${at(place)} renders another ${field(place)} than the cluster has.`,
  'chart-version': (place) =>
    place.detail === undefined || place.detail === ''
      ? say`It is not known whether ${at(place)} is the installed version of the chart.`
      : say`${at(place)} is not version ${field(place)} of the chart, which is installed.`,
  'chart-roll-back': (place) =>
    say`A chart renders the pod template at ${at(place)}. Revert the commit that changed its values.`,
};

const chartRefusalsKo: Reasons = {
  'chart-form': (place) =>
    place.detail === undefined
      ? say`${at(place)} 파일이 없거나 지원하지 않는 형식이어서 차트를 검사할 수 없습니다.`
      : say`${at(place)}의 ${field(place)} 필드가 차트의 값에 주는 영향을 알 수 없습니다.`,
  'chart-dependency': (place) =>
    say`차트가 의존하는 ${field(place)}의 파일이 ${code('charts')} 폴더에 없습니다. ${at(place)}에서 어떤 값을 읽는지 알 수 없습니다.`,
  'chart-name': (place) =>
    say`차트를 렌더링하지 않고는 ${at(place)}의 템플릿이 ${code(place.workload)}${particle(place.workload, '을', '를')} 선언하는지 알 수 없습니다.`,
  'chart-expression': (place) =>
    say`${at(place)}의 템플릿은 ${field(place)} 필드를 단순한 값만으로 설정하지 않습니다.`,
  'chart-condition': (place) =>
    say`${at(place)}의 조건이 ${field(place)} 필드를 결정하며, 이 조건은 해당 값 외에 다른 것에도 의존합니다.`,
  'chart-inserts': (place) =>
    say`${at(place)}의 템플릿이 ${field(place)} 필드를 설정할 수 있는 줄을 삽입합니다.`,
  'chart-not-exposed': (place) =>
    say`원하는 ${field(place)} 필드를 설정하는 차트 값이 없습니다. ${at(place)}의 템플릿을 확인하세요.`,
  'chart-shared': (place) =>
    say`${at(place)}에서도 ${field(place)} 값을 읽으므로 수정하면 다른 오브젝트까지 바뀝니다.`,
  'chart-overridden': (place) =>
    say`${at(place)}보다 우선하는 설정이 ${field(place)} 값을 정하므로 수정해도 효과가 없습니다.`,
  'chart-schema': (place) =>
    say`${at(place)}${particle(endOf(place), '이', '가')} 차트의 값을 제한합니다. 이 수정을 허용하는지 알 수 없습니다.`,
  'chart-values-file': (place) => say`값 파일 ${at(place)}${particle(endOf(place), '이', '가')} 없습니다.`,
  'chart-live': (place) =>
    say`Git에 있는 값으로 ${at(place)}의 템플릿을 렌더링한 ${field(place)} 필드가 클러스터와 다릅니다.`,
  'chart-version': (place) =>
    place.detail === undefined || place.detail === ''
      ? say`${at(place)}${particle(endOf(place), '이', '가')} 설치된 차트의 버전인지 알 수 없습니다.`
      : say`${at(place)}의 버전이 설치된 차트 버전 ${field(place)}${particle(place.detail, '과', '와')} 다릅니다.`,
  'chart-roll-back': (place) =>
    say`${at(place)}의 파드 템플릿은 차트가 렌더링합니다. 값을 변경한 커밋을 되돌리세요(revert).`,
};

export const chartRefusals = { en: chartRefusalsEn, ko: chartRefusalsKo };

/** Where a tree was refused. */
export type Place = {
  readonly workload: string;
  readonly repository: string;
  readonly branch: string;
  readonly path: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Names of fields or files; not part of older records. */
  readonly detail?: string | undefined;
};

export const at = ({ file, line, path, repository, branch }: Place): Prose => {
  const place = file === undefined ? path : line === undefined ? file : `${file}:${line}`;
  return say`${code(`${repository}@${branch}`)}${place === '' ? [] : say` ${code(place)}`}`;
};

/** The files that use the same manifest, where there are several. */
export function others({ detail, file }: Place, heading: string): Prose {
  return detail === undefined || detail === file ? [] : say` ${word(heading)} ${code(detail)}.`;
}

/** The last word that `at` shows. */
export function endOf({ file, line, path, repository, branch }: Place): string {
  if (file !== undefined) return line === undefined ? file : String(line);
  return path === '' ? `${repository}@${branch}` : path;
}

type SourceRefusalValues = {
  readonly workload: string;
  /** Kind, namespace and name, or only the kind. */
  readonly owner: string;
  readonly reason: SourceRefusal;
  readonly detail: string;
};

type SourceReasons = { readonly [Each in SourceRefusal]: (values: SourceRefusalValues) => Prose };

const en: SourceReasons = {
  unread: ({ owner, detail }) =>
    say`The ${code(owner)} that manages the workload could not be read (${code(detail)}). ${code('deploy/rbac/owners')} grants the right.`,
  missing: ({ owner }) => say`The ${code(owner)} that manages the workload does not exist.`,
  'no-source': ({ owner }) => say`${code(owner)} names no source with manifests.`,
  'not-git': ({ owner }) => say`${code(owner)} does not read from a Git repository.`,
  chart: ({ owner }) =>
    say`${code(owner)} installs a Helm chart whose templates are not in Git, so it is not known which value sets the field.`,
  'chart-file': ({ owner, detail }) =>
    say`The values file ${code(detail)} of ${code(owner)} is no file of a repository that the owner names.`,
  'values-from': ({ owner }) =>
    say`${code(owner)} takes values from ConfigMaps or Secrets (${code('valuesFrom')}), which are not read.`,
  'undeclared-release': ({ owner }) => say`No Kustomization of Flux declares ${code(owner)}.`,
  plugin: ({ owner }) => say`A plugin generates the manifests of ${code(owner)}.`,
  hydrated: ({ owner }) => say`The branch of ${code(owner)} is generated from another one.`,
  transformed: ({ owner, detail }) =>
    say`${code(owner)} changes or selects manifests after it reads them, by ${code(detail)}.`,
  pinned: ({ owner, detail }) =>
    say`${code(owner)} is pinned to ${code(detail)}, so a merge would not reach the cluster.`,
  'not-synced': ({ owner }) => say`The commit that ${code(owner)} has applied is not known.`,
  path: ({ owner, detail }) => say`The path ${code(detail)} of ${code(owner)} leaves the repository.`,
  'other-host': ({ owner, detail }) =>
    say`${code(owner)} reads from ${code(detail)}. The settings name no such host in ${code('apiUrl')}.`,
  'not-allowed': ({ owner, detail }) =>
    say`${code(owner)} reads from ${code(detail)}, which is not in ${code('repositories')} of ${code('GIT_FILE')}.`,
};

const ko: SourceReasons = {
  unread: ({ owner, detail }) =>
    say`워크로드를 관리하는 ${code(owner)}${particle(owner, '을', '를')} 읽을 수 없습니다(${code(detail)}). 필요한 권한은 ${code('deploy/rbac/owners')}에 있습니다.`,
  missing: ({ owner }) =>
    say`워크로드를 관리하는 ${code(owner)}${particle(owner, '이', '가')} 존재하지 않습니다.`,
  'no-source': ({ owner }) => say`${code(owner)}에 매니페스트 소스가 지정되어 있지 않습니다.`,
  'not-git': ({ owner }) => say`${code(owner)}${particle(owner, '은', '는')} Git 저장소에서 읽지 않습니다.`,
  chart: ({ owner }) =>
    say`${code(owner)}${particle(owner, '이', '가')} 설치하는 Helm 차트의 템플릿이 Git에 없어 어떤 값이 필드를 설정하는지 알 수 없습니다.`,
  'chart-file': ({ owner, detail }) =>
    say`${code(owner)}의 값 파일 ${code(detail)}${particle(detail, '은', '는')} 소유자가 지정한 저장소의 파일이 아닙니다.`,
  'values-from': ({ owner }) =>
    say`${code(owner)}${particle(owner, '은', '는')} 읽을 수 없는 ConfigMap이나 Secret의 값을 사용합니다(${code('valuesFrom')}).`,
  'undeclared-release': ({ owner }) =>
    say`${code(owner)}${particle(owner, '을', '를')} 선언하는 Flux Kustomization이 없습니다.`,
  plugin: ({ owner }) => say`${code(owner)}의 매니페스트는 플러그인이 생성합니다.`,
  hydrated: ({ owner }) => say`${code(owner)}의 브랜치는 다른 브랜치에서 생성됩니다.`,
  transformed: ({ owner, detail }) =>
    say`${code(owner)}${particle(owner, '은', '는')} 매니페스트를 읽은 뒤 ${code(detail)}${particle(detail, '으로', '로')} 변경하거나 선택합니다.`,
  pinned: ({ owner, detail }) =>
    say`${code(owner)}${particle(owner, '은', '는')} ${code(detail)}에 고정되어 있어 병합해도 클러스터에 반영되지 않습니다.`,
  'not-synced': ({ owner }) =>
    say`${code(owner)}${particle(owner, '이', '가')} 적용한 커밋을 확인할 수 없습니다.`,
  path: ({ owner, detail }) =>
    say`${code(owner)}의 경로 ${code(detail)}${particle(detail, '이', '가')} 저장소를 벗어납니다.`,
  'other-host': ({ owner, detail }) =>
    say`${code(owner)}${particle(owner, '은', '는')} ${code(detail)}에서 읽습니다. 설정의 ${code('apiUrl')}에는 이 호스트가 없습니다.`,
  'not-allowed': ({ owner, detail }) =>
    say`${code(owner)}${particle(owner, '은', '는')} ${code(detail)}에서 읽습니다. 이 저장소는 ${code('GIT_FILE')}의 ${code('repositories')}에 없습니다.`,
};

/** Why no source follows from the owner, and the setting that names one. */
export const sourceRefusalText = {
  en: (values: SourceRefusalValues): Prose =>
    sentences(
      en[values.reason](values),
      say`If Git declares ${code(values.workload)} elsewhere, name the place in ${code('sources')} of ${code('GIT_FILE')}.`,
    ),
  ko: (values: SourceRefusalValues): Prose =>
    sentences(
      ko[values.reason](values),
      say`다른 위치의 Git 저장소가 ${code(values.workload)}${particle(values.workload, '을', '를')} 선언한다면 ${code('GIT_FILE')}의 ${code('sources')}에 그 위치를 지정하세요.`,
    ),
};
