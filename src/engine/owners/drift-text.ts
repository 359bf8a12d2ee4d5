import type { Language } from '../language/language.js';
import { code, type Prose, say, sentences, word } from '../language/prose.js';
import { duration, joined, names, particle } from '../language/words.js';
import type { FieldDrift, Owner, RestsOn, Verdict } from './field-drift.js';

type Because = Extract<Verdict, { readonly type: 'unknown' }>['because'];
type While = NonNullable<Extract<Verdict, { readonly type: 'stays' }>['while']>;

/** An owner in words; names from the cluster are code. */
type Named = {
  readonly prose: Prose;
  /** What it ends in, for Korean particles. */
  readonly text: string;
};

const reasons: Readonly<Record<Language, Readonly<Record<Because, string>>>> = {
  en: {
    'default-value':
      'The last write of this owner contains the default value of the API server, so it is unknown whether the owner declares the field.',
    'other-version': 'Its fields are recorded for another API version.',
    'taken-by-another':
      'Another client changed this field, so it is unknown whether the owner declares the field.',
    'merged-managers': 'The API server no longer records who wrote this field.',
    'no-evidence': 'The object does not record which fields this owner declares.',
    'owner-unread': 'The settings of this owner could not be read.',
    'owner-missing': 'The labels or annotations name an owner that does not exist in this cluster.',
    operator: 'This controller may restore its fields at once.',
    'other-manager': 'This client is not known to Rollout Doctor.',
    'ignore-rule': 'A rule for ignored differences could not be evaluated.',
  },
  ko: {
    'default-value':
      '마지막으로 기록된 값이 API 서버 기본값이어서, 매니페스트에 이 필드가 선언되어 있는지 알 수 없습니다.',
    'other-version': '필드 소유 정보가 다른 API 버전으로 기록되어 있습니다.',
    'taken-by-another': '다른 클라이언트가 이 필드를 변경하여, 매니페스트에 선언되어 있는지 알 수 없습니다.',
    'merged-managers': '이 필드를 누가 썼는지 API 서버에 더 이상 기록되어 있지 않습니다.',
    'no-evidence': '어떤 필드가 선언되어 있는지 오브젝트에 기록되어 있지 않습니다.',
    'owner-unread': '관리 도구의 설정을 읽지 못했습니다.',
    'owner-missing': '레이블이나 어노테이션에 적힌 관리 오브젝트가 이 클러스터에 없습니다.',
    operator: '이 컨트롤러가 필드를 즉시 복원할 수 있습니다.',
    'other-manager': 'Rollout Doctor가 알지 못하는 클라이언트입니다.',
    'ignore-rule': '차이 무시 규칙을 평가할 수 없었습니다.',
  },
};

const conditions: Readonly<Record<Language, Readonly<Record<While, string>>>> = {
  en: {
    suspended: 'stays while the owner is suspended',
    'reconcile-disabled': 'stays while reconciliation of this object is disabled',
    'not-applied': 'stays while the owner is set not to update this object',
    'difference-ignored': 'stays while the owner ignores this difference',
    'drift-ignored': 'stays while the owner ignores this drift',
  },
  ko: {
    suspended: '관리 도구가 일시 중지된 동안 유지됨',
    'reconcile-disabled': '이 오브젝트의 조정이 꺼져 있는 동안 유지됨',
    'not-applied': '이 오브젝트를 업데이트하지 않도록 설정된 동안 유지됨',
    'difference-ignored': '이 차이를 무시하도록 설정된 동안 유지됨',
    'drift-ignored': '이 드리프트를 무시하도록 설정된 동안 유지됨',
  },
};

const en = {
  'at-once': ({ owner }: { owner: Named }) => say`${owner.prose} reverts it at once`,
  within: ({ owner, seconds }: { owner: Named; seconds: number | undefined }) =>
    seconds === undefined
      ? say`${owner.prose} reverts it at its next reconciliation`
      : say`${owner.prose} reverts it within ${duration('en', seconds)}`,
  'next-sync': ({ owner }: { owner: Named }) => say`${owner.prose} reverts it at the next sync`,
  'next-upgrade': () => say`the next Helm upgrade reverts it`,
  'next-apply': () => say`the next ${code('kubectl apply')} reverts it`,
  'upgrade-conflicts': () => say`the next Helm upgrade fails with a conflict`,
  'apply-conflicts': () => say`the next server-side ${code('kubectl apply')} fails with a conflict`,
  unknown: ({ owner }: { owner: Named | undefined }) =>
    owner === undefined ? say`might be reverted` : say`${owner.prose} might revert it`,
  stays: () => say`stays`,
  fields: ({ paths, becomes }: { paths: readonly string[]; becomes: Prose }) =>
    say`Change of ${names('en', paths, 3)}: ${becomes}.`,
  because: ({ because }: { because: Because }) => say`${word(reasons.en[because])}`,
  while: (values: { while: While }) => say`${word(conditions.en[values.while])}`,
  'rests-on': ({ evidence }: { evidence: readonly Prose[] }) => say`Evidence: ${joined('en', evidence)}.`,
  entry: ({ manager, operation }: { manager: string; operation: string }) =>
    say`managed fields of ${code(manager)} (${code(operation)})`,
  object: ({ kind, name }: { kind: string; name: string }) => say`${code(`${kind} ${name}`)}`,
  unread: ({ kind, because }: { kind: string; because: string }) =>
    because === 'not-read' ? say`${code(kind)} not read` : say`${code(kind)} not read (${code(because)})`,
};

const ko: typeof en = {
  'at-once': ({ owner }) => say`${owner.prose}${subject(owner)} 즉시 되돌림`,
  within: ({ owner, seconds }) =>
    seconds === undefined
      ? say`${owner.prose}${subject(owner)} 다음 조정 때 되돌림`
      : say`${owner.prose}${subject(owner)} ${duration('ko', seconds)} 안에 되돌림`,
  'next-sync': ({ owner }) => say`${owner.prose}${subject(owner)} 다음 동기화 때 되돌림`,
  'next-upgrade': () => say`다음 Helm 업그레이드 때 되돌려짐`,
  'next-apply': () => say`다음 ${code('kubectl apply')} 때 되돌려짐`,
  'upgrade-conflicts': () => say`다음 Helm 업그레이드가 충돌로 실패함`,
  'apply-conflicts': () => say`다음 서버 측 ${code('kubectl apply')} 명령이 충돌로 실패함`,
  unknown: ({ owner }) =>
    owner === undefined ? say`되돌려질 수 있음` : say`${owner.prose}${subject(owner)} 되돌릴 수 있음`,
  stays: () => say`유지됨`,
  fields: ({ paths, becomes }) => say`${names('ko', paths, 3)}: ${becomes}.`,
  because: ({ because }) => say`${word(reasons.ko[because])}`,
  while: (values) => say`${word(conditions.ko[values.while])}`,
  'rests-on': ({ evidence }) => say`근거: ${joined('ko', evidence)}.`,
  entry: ({ manager, operation }) => say`${code(manager)}의 관리 필드(${code(operation)})`,
  object: ({ kind, name }) => say`${code(`${kind} ${name}`)}`,
  unread: ({ kind, because }) =>
    because === 'not-read' ? say`${code(kind)} 읽지 못함` : say`${code(kind)} 읽지 못함(${code(because)})`,
};

const driftText = { en, ko };

function subject({ text }: Named) {
  return particle(text, '이', '가');
}

/** What becomes of a change, as a fragment beside its impact; `undefined` where it stays. */
export function driftInShort(drift: FieldDrift | undefined, language: Language): Prose | undefined {
  return drift === undefined || drift.verdict.type === 'stays' ? undefined : becomes(drift, language);
}

/** What becomes of each field, a paragraph for all with the same fate, with the evidence. */
export function driftInFull(fields: readonly FieldDrift[], language: Language): readonly Prose[] {
  const text = driftText[language];
  const groups = new Map<string, FieldDrift[]>();
  for (const field of fields) {
    const { verdict, owner, restsOn } = field;
    const fate = JSON.stringify([verdict, owner, restsOn]);
    groups.set(fate, [...(groups.get(fate) ?? []), field]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { verdict, restsOn } = first;
    const evidence = restsOn.map((each) => evidenceOf(each, language)).filter((each) => each.length > 0);
    return [
      sentences(
        text.fields({ paths: group.map(({ path }) => path), becomes: becomes(first, language) }),
        verdict.type === 'unknown' ? text.because({ because: verdict.because }) : [],
        evidence.length === 0 ? [] : text['rests-on']({ evidence }),
      ),
    ];
  });
}

function becomes({ verdict, owner }: FieldDrift, language: Language): Prose {
  const text = driftText[language];
  const named = nameOf(owner, language);
  switch (verdict.type) {
    case 'stays':
      return verdict.while === undefined ? text.stays() : text.while({ while: verdict.while });
    case 'reverted-at-once':
    case 'operator-reverts':
      return text['at-once']({ owner: named });
    case 'reverted-within':
      return text.within({ owner: named, seconds: verdict.seconds });
    case 'reverted-at-next':
      return verdict.event === 'sync' ? text['next-sync']({ owner: named }) : text[`next-${verdict.event}`]();
    case 'next-upgrade-conflicts':
      return text[`${verdict.event}-conflicts`]();
    case 'unknown':
      return text.unknown({ owner: owner === undefined ? undefined : named });
  }
}

function nameOf(owner: Owner | undefined, language: Language): Named {
  const { by, kind, name } = owner ?? { by: 'other', kind: '', name: '' };
  if (by === 'other') return { prose: say`${code(name)}`, text: name };
  if (by !== 'operator') return { prose: say`${word(by)}`, text: by };
  return controllerOf[language](kind);
}

const controllerOf: { readonly [Each in Language]: (kind: string) => Named } = {
  en: (kind) => ({ prose: say`the controller of ${code(kind)}`, text: kind }),
  ko: (kind) => ({ prose: say`${code(kind)} 컨트롤러`, text: '컨트롤러' }),
};

function evidenceOf(evidence: RestsOn, language: Language): Prose {
  const text = driftText[language];
  switch (evidence.type) {
    case 'managed-fields':
      return text.entry(evidence);
    case 'last-applied':
      return [{ kind: 'code', text: 'kubectl.kubernetes.io/last-applied-configuration' }];
    case 'owner-reference':
      return [{ kind: 'code', text: 'metadata.ownerReferences' }];
    case 'owner-object':
      return text.object({ kind: evidence.kind, name: `${evidence.namespace}/${evidence.name}` });
    case 'owner-unread':
      return text.unread(evidence);
    case 'marks':
      return [];
  }
}
