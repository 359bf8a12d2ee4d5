import type { Confidence } from '../../../core/diagnosis/cause-id.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { code, type Prose, say, strong, word } from '../../../core/language/prose.js';
import { joined } from '../../../core/language/words.js';

type None = Record<string, never>;

/** A field that an undo restored; without a value it was not set before the change. */
type RestoredField = { readonly name: string; readonly value: string | undefined };

export type CardUndoneShapes = {
  readonly undone: { readonly workload: string };
  /** The API server accepted the undo, and the controller has not observed it. */
  readonly unobserved: { readonly workload: string };
  readonly 'restored-fields': { readonly fields: readonly RestoredField[] };
  readonly 'restored-template': None;
  readonly 'keeps-running': { readonly revision: string };
  readonly 'next-update-deadlocks': { readonly confidence: Confidence };
};

export const cardUndoneText: Catalogue<CardUndoneShapes> = {
  en: {
    undone: ({ workload }) => say`Undone: ${code(workload)} has its previous settings again`,
    unobserved: ({ workload }) =>
      say`The undo is sent, but the controller of ${code(workload)} has not observed it`,
    'restored-fields': ({ fields }) => say`Settings restored: ${listOf('en', fields)}.`,
    'restored-template': () => say`The previous pod template is restored, and a rollout to it has started.`,
    'keeps-running': ({ revision }) => say`Revision ${code(revision)} keeps running.`,
    'next-update-deadlocks': ({ confidence }) =>
      say`${strong(`The next update ${confidence === 'proven' ? 'will' : 'may'} deadlock again.`)}`,
  },
  ko: {
    undone: ({ workload }) => say`되돌리기 완료: ${code(workload)} 설정이 변경 전 상태입니다`,
    unobserved: ({ workload }) =>
      say`되돌리기를 보냈지만 ${code(workload)} 컨트롤러가 아직 반영하지 않았습니다`,
    'restored-fields': ({ fields }) => say`복원된 설정: ${listOf('ko', fields)}.`,
    'restored-template': () => say`이전 파드 템플릿으로 복원되어 롤아웃이 시작되었습니다.`,
    'keeps-running': ({ revision }) => say`리비전 ${code(revision)} 파드는 계속 실행됩니다.`,
    'next-update-deadlocks': ({ confidence }) =>
      say`${strong(`다음 배포 때 다시 교착 상태가 ${confidence === 'proven' ? '발생합니다' : '발생할 수 있습니다'}.`)}`,
  },
};

const notSet = { en: 'not set', ko: '설정 없음' } as const;

function listOf(language: Language, fields: readonly RestoredField[]): Prose {
  return joined(
    language,
    fields.map(
      ({ name, value }) => say`${code(name)} ${value === undefined ? word(notSet[language]) : code(value)}`,
    ),
  );
}
