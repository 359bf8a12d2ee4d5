import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say, word } from '../../engine/language/prose.js';
import type { ValuesOf } from '../../engine/language/statement.js';
import { counted, names, particle } from '../../engine/language/words.js';

/** What a field of a settings file takes. */
export type FieldKind = 'list' | 'text' | 'number' | 'boolean' | 'mapping' | 'value';

type Field = { readonly kind: FieldKind; readonly example: string | undefined };

/** What a setting takes, as a fragment in every language. */
export type Expected = Readonly<Record<Language, string>>;

/** What is wrong with a setting. Values of secrets are never part of it. */
type SettingShapes = ValuesOf<typeof en>;

/**
 * A setting that is wrong: the variable, or the variable and the place in its file, and what is wrong there.
 */
export type SettingProblem = {
  readonly [Key in keyof SettingShapes]: {
    readonly where: string;
    readonly key: Key;
    readonly values: SettingShapes[Key];
  };
}[keyof SettingShapes];

/** Makes a problem; the compiler checks key and values against the catalogue. */
export function settingProblem<Key extends keyof SettingShapes>(
  where: string,
  key: Key,
  values: SettingShapes[Key],
): SettingProblem {
  return { where, key, values } as SettingProblem;
}

const en = {
  heading: () => say`The configuration is not complete. Set or correct:`,
  missing: ({ expected }: { expected: Expected }) => say`missing, expected ${code(expected.en)}`,
  wrong: ({ expected, found }: { expected: Expected; found: string }) =>
    say`expected ${code(expected.en)}, found ${code(found)}`,
  /** Of a secret, nothing but its length. */
  'wrong-secret': ({ expected, characters }: { expected: Expected; characters: number }) =>
    say`expected ${code(expected.en)}, found ${counted(characters, 'character', 'characters')}`,
  'token-repeated': () => say`expected a token that no other assistant has`,
  /** `other`: the variable that gives the same. */
  'set-twice': ({ other }: { other: string }) => say`gives the same as ${code(other)}. Set only one of them`,
  'file-unusable': ({ problem }: { problem: string }) =>
    say`expected a readable file, found ${code(problem)}`,
  required: (field: Field) => say`required, ${fieldEn(field)}`,
  'wrong-kind': (field: Field) => say`must be ${fieldEn(field)}`,
  'unknown-field': (values: { field: string; nearest: string | undefined; known: readonly string[] }) =>
    say`unknown field "${code(values.field)}" (${values.nearest === undefined ? say`known fields: ${names('en', values.known, 20)}` : say`did you mean "${code(values.nearest)}"?`})`,
  'not-a-choice': ({ nearest, choices }: { nearest: string | undefined; choices: readonly string[] }) =>
    say`must be one of ${names('en', choices, 20)}${nearest === undefined ? [] : say` (did you mean "${code(nearest)}"?)`}`,
  empty: () => say`must not be empty`,
  'too-small': ({ least }: { least: number }) => say`must be at least ${least}`,
  'too-large': ({ most }: { most: number }) => say`must be at most ${most}`,
  /** Any other problem, in the words of the schema. */
  other: ({ problem }: { problem: string }) => say`expected ${code(problem)}`,
  'kubeconfig-unusable': ({ problem }: { problem: string }) =>
    say`expected a readable kubeconfig (${code(problem)})`,
  /** The app has no cluster of its own. */
  'for-workers-only': () =>
    say`only a worker uses this setting. The app needs ${code('CLUSTER_ACCESS=workers')}`,
  'kubeconfig-empty': () => say`expected a kubeconfig with at least one context, found none`,
  'context-unknown': (values: { context: string; nearest: string | undefined; known: readonly string[] }) =>
    say`the kubeconfig has no context "${code(values.context)}"${values.nearest === undefined ? [] : say` (did you mean "${code(values.nearest)}"?)`}. Its contexts: ${values.known.length === 0 ? word('none') : names('en', values.known, 20)}`,
  'placeholder-unknown': (values: {
    placeholder: string;
    nearest: string | undefined;
    known: readonly string[];
  }) =>
    say`unknown placeholder ${code(values.placeholder)} (${values.nearest === undefined ? say`known placeholders: ${names('en', values.known)}` : say`did you mean "${code(`{${values.nearest}}`)}"?`})`,
  'token-refused': ({ error }: { error: string }) =>
    say`expected a token that Slack accepts, and Slack answered ${code(error)}`,
  'redis-refused': ({ problem }: { problem: string }) =>
    say`expected a user and password that Redis accepts, and Redis answered ${code(problem)}`,
  'redis-evicts': ({ found }: { found: string }) =>
    say`expected a Redis with ${code('maxmemory-policy noeviction')}, found ${code(found)}, which deletes approvals and jobs when memory is short`,
  'redis-replica': () => say`expected the primary, found a read-only replica`,
  'redis-name-unknown': ({ name }: { name: string }) =>
    say`expected the name of a primary that the Redis Sentinels monitor, found ${code(name)}`,
  'redis-is-sentinel': () =>
    say`expected a Redis, found a Redis Sentinel, whose address belongs in ${code('REDIS_SENTINELS')}`,
  'redis-is-cluster': () =>
    say`expected a single Redis, found a node of a Redis Cluster, whose address belongs in ${code('REDIS_CLUSTER_NODES')}`,
  'redis-prefix-spread': () =>
    say`expected a name in braces such as ${code('{rollout-doctor}')}, which keeps all keys on one node of the Redis Cluster`,
  'redis-two-ways': () => say`expected either Redis Sentinels or a Redis Cluster, found both`,
  'port-unusable': ({ port, problem }: { port: number; problem: string }) =>
    say`expected a free port, but port ${code(String(port))} cannot be opened (${code(problem)})`,
};

const ko: typeof en = {
  heading: () => say`설정이 완전하지 않습니다. 다음 설정을 추가하거나 고치세요:`,
  missing: ({ expected }) => say`설정 없음. 필요한 값: ${code(expected.ko)}`,
  wrong: ({ expected, found }) => say`필요한 값: ${code(expected.ko)}. 현재 값: ${code(found)}`,
  'wrong-secret': ({ expected, characters }) =>
    say`필요한 값: ${code(expected.ko)}. 현재 값의 길이: ${characters}자`,
  'token-repeated': () => say`다른 어시스턴트와 다른 토큰이 필요합니다`,
  'set-twice': ({ other }) =>
    say`${code(other)}${particle(other, '과', '와')} 같은 값을 지정합니다. 둘 중 하나만 설정하세요`,
  'file-unusable': ({ problem }) => say`파일을 읽을 수 없습니다: ${code(problem)}`,
  required: (field) => say`필수 항목입니다. ${fieldKo(field)}`,
  'wrong-kind': (field) => say`값의 형식이 다릅니다. ${fieldKo(field)}`,
  'unknown-field': ({ field, nearest, known }) =>
    say`알 수 없는 필드 "${code(field)}" (${nearest === undefined ? say`사용할 수 있는 필드: ${names('ko', known, 20)}` : say`혹시 "${code(nearest)}"인가요?`})`,
  'not-a-choice': ({ nearest, choices }) =>
    say`다음 중 하나여야 합니다: ${names('ko', choices, 20)}${nearest === undefined ? [] : say` (혹시 "${code(nearest)}"인가요?)`}`,
  empty: () => say`빈 값은 사용할 수 없습니다`,
  'too-small': ({ least }) => say`${least} 이상이어야 합니다`,
  'too-large': ({ most }) => say`${most} 이하여야 합니다`,
  other: ({ problem }) => say`필요한 값: ${code(problem)}`,
  'kubeconfig-unusable': ({ problem }) => say`kubeconfig를 읽을 수 없습니다: ${code(problem)}`,
  'for-workers-only': () =>
    say`워커만 사용하는 설정입니다. 앱에는 ${code('CLUSTER_ACCESS=workers')} 설정이 필요합니다`,
  'kubeconfig-empty': () => say`kubeconfig에 컨텍스트가 하나도 없습니다`,
  'context-unknown': ({ context, nearest, known }) =>
    say`kubeconfig에 "${code(context)}" 컨텍스트가 없습니다${nearest === undefined ? [] : say` (혹시 "${code(nearest)}"인가요?)`}. 컨텍스트 목록: ${known.length === 0 ? word('없음') : names('ko', known, 20)}`,
  'placeholder-unknown': ({ placeholder, nearest, known }) =>
    say`알 수 없는 자리표시자 ${code(placeholder)} (${nearest === undefined ? say`사용할 수 있는 자리표시자: ${names('ko', known)}` : say`혹시 "${code(`{${nearest}}`)}"인가요?`})`,
  'token-refused': ({ error }) => say`Slack이 이 토큰을 거부했습니다. Slack의 응답: ${code(error)}`,
  'redis-refused': ({ problem }) =>
    say`Redis가 사용자와 비밀번호를 거부했습니다. Redis의 응답: ${code(problem)}`,
  'redis-evicts': ({ found }) =>
    say`Redis에 ${code('maxmemory-policy noeviction')} 설정이 필요합니다. 현재 값: ${code(found)} (메모리가 부족하면 승인과 작업이 삭제됩니다)`,
  'redis-replica': () => say`주 서버가 필요합니다. 현재 서버는 읽기 전용 복제본입니다`,
  'redis-name-unknown': ({ name }) =>
    say`Redis Sentinel이 감시하는 주 서버의 이름이 필요합니다. 현재 값: ${code(name)}`,
  'redis-is-sentinel': () =>
    say`Redis 주소가 필요합니다. 현재 주소는 Redis Sentinel이며, ${code('REDIS_SENTINELS')}에 설정해야 합니다`,
  'redis-is-cluster': () =>
    say`단일 Redis 주소가 필요합니다. 현재 주소는 Redis Cluster의 노드이며, ${code('REDIS_CLUSTER_NODES')}에 설정해야 합니다`,
  'redis-prefix-spread': () =>
    say`${code('{rollout-doctor}')}처럼 중괄호로 감싼 이름이 필요합니다. 그래야 모든 키가 Redis Cluster의 한 노드에 저장됩니다`,
  'redis-two-ways': () =>
    say`Redis Sentinel과 Redis Cluster 중 하나만 설정할 수 있습니다. 현재 둘 다 설정되어 있습니다`,
  'port-unusable': ({ port, problem }) =>
    say`비어 있는 포트가 필요합니다. ${code(String(port))} 포트를 열 수 없습니다(${code(problem)})`,
};

export const settingText = { en, ko };

/** What a setting's problem is, in a language. */
export function settingProblemText({ key, values }: SettingProblem, language: 'en' | 'ko'): Prose {
  return (settingText[language][key] as (values: unknown) => Prose)(values);
}

const kindsEn: Readonly<Record<FieldKind, string>> = {
  list: 'a list',
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  mapping: 'a group of fields',
  value: 'a value',
};

const kindsKo: Readonly<Record<FieldKind, string>> = {
  list: '목록',
  text: '문자열',
  number: '숫자',
  boolean: 'true 또는 false',
  mapping: '필드 묶음',
  value: '값',
};

function fieldEn({ kind, example }: Field): Prose {
  const noun = word(kindsEn[kind]);
  return example === undefined ? [noun] : say`${noun} such as ${code(example)}`;
}

function fieldKo({ kind, example }: Field): Prose {
  return say`형식: ${word(kindsKo[kind])}${example === undefined ? [] : say`(예: ${code(example)})`}`;
}
