import type { SourceRefusal } from '../../doctor/git-edits/application-source.js';
import { code, type Prose, say, sentences } from '../../engine/language/prose.js';
import { particle } from '../../engine/language/words.js';

type SourceRefusalValues = {
  readonly workload: string;
  /** Kind, namespace and name, or only the kind. */
  readonly owner: string;
  readonly reason: SourceRefusal;
  readonly detail: string;
};

type Reasons = { readonly [Each in SourceRefusal]: (values: SourceRefusalValues) => Prose };

const en: Reasons = {
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

const ko: Reasons = {
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
