import type { Language } from '../../engine/language/language.js';

/** Where in a file, counted from 1; undefined for the whole file. */
export type Place =
  | { readonly line: number; readonly column?: number | undefined }
  | { readonly item: number }
  | { readonly document: number }
  /** Of objects that a program handed over. */
  | { readonly object: number }
  | undefined;

/** Why something that was given cannot be used. */
export interface InputProblem {
  /** As it was named; `-` for standard input, '' where no file is to blame. */
  readonly file: string;
  readonly place: Place;
  readonly fault: Fault;
}

/** A file, or standard input, that cannot be used. The message is in English, for the log. */
export class InputError extends Error implements InputProblem {
  override readonly name: string = 'InputError';
  readonly file: string;
  readonly place: Place;
  readonly fault: Fault;

  constructor(file: string, place: Place, fault: Fault, options?: ErrorOptions) {
    super(describeProblem({ file, place, fault }, 'en'), options);
    this.file = file;
    this.place = place;
    this.fault = fault;
  }
}

/** Where YAML is broken, by the parser's error. */
export function placeOfYaml({
  line,
  column,
}: {
  line: number | undefined;
  column: number | undefined;
}): Place {
  return line === undefined ? undefined : { line, column };
}

/** Names of the file, the place in it and the reason, on one line. Untrusted: it may quote the file. */
export function describeProblem({ file, place, fault }: InputProblem, language: Language): string {
  const shown = file === '-' ? standardInput[language] : file;
  const where = [shown, placeText(place, language)].filter((each) => each !== '').join(', ');
  return [where, describeFault(fault, language)].filter((each) => each !== '').join(': ');
}

/** The reason alone. */
export function describeFault(fault: Fault, language: Language): string {
  return faultText[language][fault.key](fault.values as never);
}

const standardInput: Readonly<Record<Language, string>> = { en: 'standard input', ko: '표준 입력' };

function placeText(place: Place, language: Language): string {
  if (place === undefined) return '';
  const words = placeWords[language];
  if ('item' in place) return words.item(place.item);
  if ('document' in place) return words.document(place.document);
  if ('object' in place) return words.object(place.object);
  const { line, column } = place;
  return column === undefined ? words.line(line) : words.column(line, column);
}

const placeWords = {
  en: {
    item: (item: number) => `item ${item}`,
    document: (document: number) => `document ${document}`,
    object: (object: number) => `object ${object}`,
    line: (line: number) => `line ${line}`,
    column: (line: number, column: number) => `line ${line}, column ${column}`,
  },
  ko: {
    item: (item: number) => `${item}번째 항목`,
    document: (document: number) => `${document}번째 문서`,
    object: (object: number) => `${object}번째 오브젝트`,
    line: (line: number) => `${line}번째 줄`,
    column: (line: number, column: number) => `${line}번째 줄 ${column}번째 칸`,
  },
};

type None = Record<string, never>;

/** Every reason why a file or standard input cannot be used, and what its sentence states. */
type FaultShapes = {
  readonly 'no-such-file': None;
  readonly 'link-loop': None;
  readonly 'name-too-long': None;
  readonly 'nul-in-name': None;
  readonly 'no-right': None;
  readonly folder: None;
  readonly pipe: None;
  readonly 'not-regular': None;
  readonly 'link-outside': None;
  readonly replaced: None;
  /** `code` of the operating system, such as EIO. */
  readonly unreadable: { readonly code: string };
  readonly unwritable: { readonly code: string };
  readonly 'too-large': { readonly mebibytes: number };
  readonly 'nul-byte': None;
  /** A picture, or a document of an office program. */
  readonly 'other-format': { readonly format: string };
  /** An archive or a compressed file; `command` unpacks it. */
  readonly packed: { readonly command: string };
  readonly 'packed-left-out': { readonly files: number; readonly first: string };
  readonly 'too-deep': None;
  readonly 'aliases-endless': None;
  readonly 'alias-unknown': None;
  readonly 'several-documents': None;
  readonly 'too-many-documents': { readonly max: number };
  /** `reason` in the words of the parser, which has no others. */
  readonly 'not-yaml': { readonly reason: string };
  readonly 'is-template': { readonly reason: string };
  readonly empty: None;
  readonly 'json-cut-off': None;
  readonly 'list-cut-off': None;
  /** A text begins within a list. */
  readonly 'list-without-start': None;
  /** The server gave one page of a list. */
  readonly 'list-continued': None;
  readonly 'not-json': None;
  readonly 'item-too-large': None;
  readonly 'too-much-yaml': None;
  readonly 'recording-too-large': None;
  readonly 'manifests-too-large': None;
  readonly 'no-kind': None;
  readonly 'header-unknown': None;
  readonly 'too-many-objects': { readonly max: number };
  readonly 'nothing-usable': None;
  /** Text of another kind; `command` prints what can be read. */
  readonly 'no-objects': { readonly command: string };
  readonly 'two-columns': None;
  readonly 'several-clusters': None;
  /** Two workloads of one name that are not the same one. */
  readonly 'two-of-a-name': { readonly object: string; readonly other: string };
  readonly 'older-list': { readonly kind: string; readonly newer: string };
  readonly 'no-files': None;
  readonly 'no-recorded-files': None;
  readonly 'folders-too-deep': { readonly max: number };
  /** A table of `kubectl get`; `command` prints what it leaves out. */
  readonly 'only-table': { readonly command: string };
  /** The description of an object of a kind that is not read in this form. */
  readonly 'other-description': { readonly name: string };
  readonly 'too-many-names': { readonly max: number };
  readonly 'too-many-files': { readonly max: number };
  readonly 'logs-left-out': { readonly max: number };
  readonly 'name-missing': { readonly object: string };
  readonly 'field-unusable': { readonly object: string; readonly field: string; readonly problem: string };
  /** `field` is '' where the whole file is something else. */
  readonly 'not-kubeconfig': { readonly field: string };
  readonly 'no-kubeconfig': { readonly usual: string };
};

/** A reason that states nothing but itself. */
export type PlainFault = {
  [Key in keyof FaultShapes]: FaultShapes[Key] extends None ? Key : never;
}[keyof FaultShapes];

export type Fault =
  | { readonly key: PlainFault; readonly values: None }
  | {
      readonly [Key in Exclude<keyof FaultShapes, PlainFault>]: {
        readonly key: Key;
        readonly values: FaultShapes[Key];
      };
    }[Exclude<keyof FaultShapes, PlainFault>];

export function plainFault(key: PlainFault): Fault {
  return { key, values: {} };
}

/** Every reason in every language, after the name of the file. Untrusted: the values come from files. */
export const faultText: {
  readonly [Each in Language]: { readonly [Key in keyof FaultShapes]: (values: FaultShapes[Key]) => string };
} = {
  en: {
    'no-such-file': () => 'there is no such file or folder',
    'link-loop': () => 'it is a link that leads back to itself',
    'name-too-long': () => 'its name is too long',
    'nul-in-name': () => 'its name holds a NUL byte',
    'no-right': () => 'there is no right to read it',
    folder: () => 'it is a folder',
    pipe: () => 'it is a pipe, not a regular file',
    'not-regular': () => 'it is not a regular file',
    'link-outside': () => 'it is a link that leads out of the folder',
    replaced: () => 'it was replaced while it was read',
    unreadable: ({ code }) => `it cannot be read (${code})`,
    unwritable: ({ code }) => `it cannot be written (${code})`,
    'too-large': ({ mebibytes }) => `it is larger than ${mebibytes} MiB`,
    'nul-byte': () => 'it holds a NUL byte and is not text',
    'other-format': ({ format }) =>
      `it is ${format} and not text; save the output of kubectl in a file (kubectl get -o yaml deploy,rs,pods,events > FILE)`,
    packed: ({ command }) => `it is packed; unpack it with ${command}`,
    'packed-left-out': ({ files, first }) =>
      `packed files were left out (${files}, the first is ${first}); unpack them to have them read`,
    'too-deep': () => 'it is nested too deeply',
    'aliases-endless': () => 'its YAML aliases expand without end',
    'alias-unknown': () => 'an alias stands for nothing',
    'several-documents': () => 'it holds more than one document',
    'too-many-documents': ({ max }) => `it holds more than ${max} documents`,
    'not-yaml': ({ reason }) => reason,
    'is-template': ({ reason }) => `${reason} (a template must be rendered first, e.g. with helm template)`,
    empty: () => 'the file is empty',
    'json-cut-off': () => 'the JSON ends too early',
    'list-cut-off': () => 'the list ends too early; the objects before this place were read',
    'list-without-start': () => 'the beginning of the list is missing; its other objects were read',
    'list-continued': () => 'the list is one page of a longer one; list without a limit to get all objects',
    'not-json': () =>
      'this is not JSON, or its lines were changed on the way; save the output of kubectl in a file',
    'item-too-large': () => 'one item is larger than 32 MiB',
    'too-much-yaml': () => 'there is too much YAML to read; save it as JSON (kubectl get -o json)',
    'recording-too-large': () => 'there is more to read than 2 GiB a file or 4 GiB a recording',
    'manifests-too-large': () => 'the manifests are larger than 64 MiB',
    'no-kind': () => 'this is no Kubernetes object: it has no kind',
    'header-unknown': () => 'its header is of no known form',
    'too-many-objects': ({ max }) => `the recording holds more than ${max} objects`,
    'nothing-usable': () => 'it holds no Kubernetes object that could be diagnosed',
    'no-objects': ({ command }) =>
      `it holds no object, description or event of Kubernetes; ${command} prints what can be diagnosed`,
    'two-columns': () => 'two texts stand beside each other; save each of them as a file',
    'several-clusters': () => 'it holds recordings of several clusters',
    'two-of-a-name': ({ object, other }) =>
      `${object} is another one than in ${other}: keep files of several clusters, or of before and after it was created anew, apart`,
    'older-list': ({ kind, newer }) =>
      `this list of kind ${kind} is older than ${newer}; objects in it may be gone since then`,
    'no-files': () => 'the folder holds no .json or .yaml file; folders in it are not read',
    'no-recorded-files': () => 'the folder holds no .json, .yaml or .txt file',
    'folders-too-deep': ({ max }) => `its folders are nested more than ${max} levels deep`,
    'only-table': ({ command }) => `a table states too little of its objects; ${command} prints all of them`,
    'other-description': ({ name }) =>
      `the description of ${name} is of a kind that is read only as JSON or YAML (kubectl get -o yaml)`,
    'too-many-names': ({ max }) => `the folder holds more than ${max} names`,
    'too-many-files': ({ max }) => `the folder holds more than ${max} files to read`,
    'logs-left-out': ({ max }) => `only the first ${max} container logs are read`,
    'name-missing': ({ object }) => `${object} has no metadata.name`,
    'field-unusable': ({ object, field, problem }) => `${object} has no usable ${field}: ${problem}`,
    'not-kubeconfig': ({ field }) =>
      `it is not a kubeconfig${field === '' ? '' : `: ${field} is missing or of the wrong type`}`,
    'no-kubeconfig': ({ usual }) =>
      `KUBECONFIG is not set, ${usual} does not exist, and this process does not run in a pod`,
  },
  ko: {
    'no-such-file': () => '파일이나 폴더가 없습니다',
    'link-loop': () => '자기 자신으로 돌아오는 링크입니다',
    'name-too-long': () => '이름이 너무 깁니다',
    'nul-in-name': () => '이름에 NUL 바이트가 있습니다',
    'no-right': () => '읽을 권한이 없습니다',
    folder: () => '파일이 아니라 폴더입니다',
    pipe: () => '일반 파일이 아니라 파이프입니다',
    'not-regular': () => '일반 파일이 아닙니다',
    'link-outside': () => '폴더 밖을 가리키는 링크입니다',
    replaced: () => '읽는 동안 다른 파일로 바뀌었습니다',
    unreadable: ({ code }) => `읽을 수 없습니다(${code})`,
    unwritable: ({ code }) => `쓸 수 없습니다(${code})`,
    'too-large': ({ mebibytes }) => `크기가 ${mebibytes} MiB를 넘습니다`,
    'nul-byte': () => 'NUL 바이트가 있어 텍스트가 아닙니다',
    'other-format': ({ format }) =>
      `텍스트가 아니라 ${format} 형식입니다. kubectl의 출력을 파일로 저장하세요(kubectl get -o yaml deploy,rs,pods,events > FILE)`,
    packed: ({ command }) => `압축되어 있습니다. ${command} 명령으로 푸세요`,
    'packed-left-out': ({ files, first }) =>
      `압축된 파일 ${files}개를 제외했습니다(첫 번째: ${first}). 읽으려면 압축을 푸세요`,
    'too-deep': () => '중첩이 너무 깊습니다',
    'aliases-endless': () => 'YAML 별칭이 끝없이 늘어납니다',
    'alias-unknown': () => '정의되지 않은 YAML 별칭이 있습니다',
    'several-documents': () => 'YAML 문서가 여러 개입니다',
    'too-many-documents': ({ max }) => `문서가 ${max}개를 넘습니다`,
    'not-yaml': () => 'YAML 문법이 올바르지 않습니다',
    'is-template': () => 'YAML 문법이 올바르지 않습니다(템플릿은 먼저 렌더링하세요. 예: helm template)',
    empty: () => '파일이 비어 있습니다',
    'json-cut-off': () => 'JSON이 중간에 끊겼습니다',
    'list-cut-off': () => '목록이 중간에 끊겼습니다. 그 앞의 오브젝트만 읽었습니다',
    'list-without-start': () => '목록의 앞부분이 없습니다. 나머지 오브젝트는 읽었습니다',
    'list-continued': () => '긴 목록의 한 페이지입니다. limit 없이 조회하면 모든 오브젝트를 얻습니다',
    'not-json': () => 'JSON이 아니거나 옮기는 중에 줄이 바뀌었습니다. kubectl의 출력을 파일로 저장하세요',
    'item-too-large': () => '항목 하나의 크기가 32 MiB를 넘습니다',
    'too-much-yaml': () => 'YAML이 너무 큽니다. JSON으로 저장하세요(kubectl get -o json)',
    'recording-too-large': () => '읽을 내용이 파일당 2 GiB 또는 기록당 4 GiB를 넘습니다',
    'manifests-too-large': () => '매니페스트 크기가 모두 합쳐 64 MiB를 넘습니다',
    'no-kind': () => 'Kubernetes 오브젝트가 아닙니다. kind 필드가 없습니다',
    'header-unknown': () => '기록의 헤더 형식을 알 수 없습니다',
    'too-many-objects': ({ max }) => `기록의 오브젝트가 ${max}개를 넘습니다`,
    'nothing-usable': () => '진단할 수 있는 Kubernetes 오브젝트가 없습니다',
    'no-objects': ({ command }) =>
      `Kubernetes 오브젝트나 describe 출력, 이벤트가 없습니다. ${command} 명령으로 진단할 내용을 출력하세요`,
    'two-columns': () => '두 텍스트가 나란히 붙어 있습니다. 각각 파일로 저장하세요',
    'several-clusters': () => '여러 클러스터의 기록이 섞여 있습니다',
    'two-of-a-name': ({ object, other }) =>
      `${object}의 uid가 ${other} 파일의 것과 다릅니다. 다른 클러스터의 파일이나 다시 만들기 전후의 파일은 따로 두세요`,
    'older-list': ({ kind, newer }) =>
      `이 ${kind} 목록은 ${newer} 파일보다 오래되었습니다. 그 사이에 없어진 오브젝트가 있을 수 있습니다`,
    'no-files': () => '폴더에 .json 또는 .yaml 파일이 없습니다. 하위 폴더는 읽지 않습니다',
    'no-recorded-files': () => '폴더에 .json, .yaml, .txt 파일이 없습니다',
    'folders-too-deep': ({ max }) => `폴더가 ${max}단계보다 깊습니다`,
    'only-table': ({ command }) =>
      `표에는 오브젝트의 정보가 부족합니다. ${command} 명령으로 전체를 출력하세요`,
    'other-description': ({ name }) =>
      `${name} 설명은 JSON 또는 YAML로만 읽을 수 있는 종류입니다(kubectl get -o yaml)`,
    'too-many-names': ({ max }) => `폴더의 항목이 ${max}개를 넘습니다`,
    'too-many-files': ({ max }) => `폴더에서 읽을 파일이 ${max}개를 넘습니다`,
    'logs-left-out': ({ max }) => `컨테이너 로그는 처음 ${max}개만 읽습니다`,
    'name-missing': ({ object }) => `${object}에 metadata.name 필드가 없습니다`,
    'field-unusable': ({ object, field }) => `${object}의 ${field} 값을 사용할 수 없습니다`,
    'not-kubeconfig': ({ field }) =>
      field === ''
        ? 'kubeconfig 파일이 아닙니다'
        : `kubeconfig 파일이 아닙니다. ${field} 필드가 없거나 형식이 다릅니다`,
    'no-kubeconfig': ({ usual }) =>
      `KUBECONFIG 환경 변수와 ${usual} 파일이 없고, 이 프로세스는 파드 안에서 실행되고 있지 않습니다`,
  },
};
