import { kindName } from '../../../doctor/fixes/kind-of.js';
import type { SameSentences } from '../../../engine/language/catalogue.js';
import { code, moment, type Prose, quote, say, strong } from '../../../engine/language/prose.js';

const en = {
  loading: () => say`Reading the diagnosis …`,
  'not-diagnosed': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} has not been diagnosed yet.`,
  'taken-at': ({ at }: { readonly at: string }) => say`Diagnosed ${moment(at)}.`,
  'before-fix': () => say`${strong('Before the fix')}`,
  now: () => say`${strong('Now')}`,
  why: () => say`${strong('Why')}`,
  evidence: () => say`${strong('Evidence')}`,
  'evidence-field': ({
    object,
    field,
    value,
    at,
    says,
  }: {
    readonly object: string;
    readonly field: string;
    readonly value: string;
    readonly at: string | undefined;
    readonly says: Prose;
  }) =>
    say`${code(object)} ${code(field)} = ${quote(value)}${at === undefined ? [] : say` (${moment(at)})`}: ${says}`,
  'ruled-out': () => say`${strong('Ruled out')}`,
  'ruled-out-cause': ({ cause, because }: { readonly cause: string; readonly because: Prose }) =>
    say`${code(cause)}: ${because}`,
  fixes: () => say`${strong('Fixes')}`,
  'not-recommended': () => say`${strong('Not recommended')}`,
  'not-recommended-fix': ({ kind, because }: { readonly kind: string; readonly because: Prose }) =>
    say`${kindName(kind, 'en')}: ${because}`,
  'next-retry': () => say`${strong('Next retry')}`,
  advice: () => say`${strong('More advice')}`,
  'advice-step': ({ title, text }: { readonly title: Prose; readonly text: Prose }) => say`${title}: ${text}`,
  'other-finding': () => say`${strong('Also found')}`,
  unseen: () => say`${strong('Could not be read')}`,
};

const ko: SameSentences<typeof en> = {
  loading: () => say`진단 내용을 읽는 중 …`,
  'not-diagnosed': ({ workload }) => say`${code(workload)} 진단 결과가 아직 없습니다.`,
  'taken-at': ({ at }) => say`진단 시각: ${moment(at)}.`,
  'before-fix': () => say`${strong('조치 전')}`,
  now: () => say`${strong('현재')}`,
  why: () => say`${strong('이유')}`,
  evidence: () => say`${strong('증거')}`,
  'evidence-field': ({ object, field, value, at, says }) =>
    say`${code(object)} ${code(field)} = ${quote(value)}${at === undefined ? [] : say` (${moment(at)})`}: ${says}`,
  'ruled-out': () => say`${strong('배제된 원인')}`,
  'ruled-out-cause': ({ cause, because }) => say`${code(cause)}: ${because}`,
  fixes: () => say`${strong('조치')}`,
  'not-recommended': () => say`${strong('권장하지 않음')}`,
  'not-recommended-fix': ({ kind, because }) => say`${kindName(kind, 'ko')}: ${because}`,
  'next-retry': () => say`${strong('다음 재시도')}`,
  advice: () => say`${strong('추가 조치')}`,
  'advice-step': ({ title, text }) => say`${title}: ${text}`,
  'other-finding': () => say`${strong('그 밖의 진단 결과')}`,
  unseen: () => say`${strong('읽지 못한 정보')}`,
};

/** The sentences of the proof of a diagnosis. */
export const proofText = { en, ko };

/** The frame of its modal; plain text. */
export const proofFrame = {
  en: { title: 'Proof', close: 'Close' },
  ko: { title: '진단 근거', close: '닫기' },
} as const;
