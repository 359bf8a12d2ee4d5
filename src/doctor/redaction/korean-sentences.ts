import { isRandomLike, isUuid } from './entropy.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { type SecretName, secretNameBefore } from './names.js';
import { secretKindOf, withoutEnding } from './secret-names.js';
import type { SecretKind, Span } from './span.js';
import { finished, matchAt, scanning } from './span.js';

/**
 * A secret in a Korean sentence, whatever language its name is in: `DB_PASSWORD는 x입니다`, `토큰 값은 x`,
 * `DB_PASSWORD의 값은 x`, `시크릿은 'x'입니다`, `토큰(x)이`, `[비밀번호] x`, `인증 키 x 가`, `비밀번호를 x에서 y로`.
 */
export function koreanSentences(text: string): readonly Span[] {
  return finished(koreanSteps(text));
}

export function* koreanSteps(text: string): Generator<void, readonly Span[]> {
  return [...(yield* behindNames(text)), ...(yield* behindClauses(text))];
}

function behindNames(text: string): Generator<void, readonly Span[]> {
  return scanning(text, behindName, ({ 0: sign, index }) => {
    const name = secretNameBefore(text, index);
    if (name === undefined || (sign.endsWith(' ') && !/\p{Script=Hangul}/u.test(name.text))) return undefined;
    const value = valueAt(text, index + sign.length);
    if (value === undefined || isHarmlessValue(value.word)) return undefined;
    const isNamed = name.kind === 'password' && isInFrame(text, value);
    const isShaped = isPasswordLike(value.word) || (name.kind === 'password' && isChosen(value.word));
    if (!isRandomLike(value.word) && !isNamed && (!isShaped || isUnclear(sign, name))) return undefined;
    const { start, end } = value;
    const next = successor(text, end);
    const found = [{ start, end }, ...(next === undefined ? [] : [next])];
    return { spans: found.map((each) => ({ ...each, kind: name.kind })), next: next?.end ?? end };
  });
}

const behindClause =
  /(?:다 ?[-–:]|(?<=\p{Script=Hangul})\? ?(?:→|[-=]>|[:-])|(?:입력|기대|실제|전달|제공|현재|이전) ?값 ?[:=]?) ?(?=[!-~])/gu;
const longestClause = 60;

/** A secret behind a sentence about it: `비밀번호가 틀렸습니다: x`, `토큰이 발급되었습니다 - x`, `비번이 뭔가요? → x`. */
function behindClauses(text: string): Generator<void, readonly Span[]> {
  return scanning(text, behindClause, ({ 0: sign, index }) => {
    const clause =
      text
        .slice(Math.max(0, index - longestClause), index)
        .split('\n')
        .at(-1) ?? '';
    const kinds = clause.split(' ').flatMap((word) => secretKindOf(word) ?? []);
    const [kind] = kinds;
    const value = kind === undefined ? undefined : valueAt(text, index + sign.length);
    const isSecret =
      value !== undefined &&
      (isRandomLike(value.word) ||
        (isPasswordLike(value.word) && (isAnswer(sign, kind) || isChosen(value.word))));
    return kind === undefined || !isSecret
      ? undefined
      : { spans: [{ start: value.start, end: value.end, kind }] };
  });
}

/** What was asked for (`비번이 뭔가요? →`), or what was entered as a password (`입력값`). */
function isAnswer(sign: string, kind: SecretKind | undefined): boolean {
  return sign.startsWith('?') || (kind === 'password' && sign.includes('값'));
}

/** Letters, digits and a sign, and no address of a person: more than a name beside the sentence has. */
function isChosen(word: string): boolean {
  return /\d/u.test(word) && /[!#$%^&*+~?]/u.test(word);
}

/**
 * What Korean writes behind the value that a sentence gives a password, unless it goes on with a name that is
 * missing.
 */
const frame =
  /^["'`)\]”」]{0,2} ?(?:\([이으]\)|[은을이]\([는를가]\))?(?:입니다|이에요|예요|이다|이었|였|라고|이라|으로|로|을|를|(?<=\))(?= ))(?! ?(?:찾|못 ?찾|참조|마운트))/u;

/**
 * A word of letters and digits or signs in such a sentence: `비밀번호는 otter-2217이에요`, also of words that
 * elsewhere would be the name of an object.
 */
function isInFrame(text: string, { word, end }: { readonly word: string; readonly end: number }): boolean {
  const isMixed = word.length >= 6 && /[A-Za-z]/u.test(word) && /[\d!#$%^&*+~?]/u.test(word);
  const isPlace = /[/:=]|^v?\d{1,6}\.\d|^[A-Z]{2,6}-?\d{1,4}$/u.test(word) || isUuid(word);
  return isMixed && !isPlace && matchAt(text, end, 24, frame) !== undefined;
}

/**
 * A particle at the end of a word, also behind `값`; or a space or a bracket right behind a Korean word, or
 * behind `값`.
 */
const behindName =
  /(?:의? ?값)?(?:[은는이가을를로]|에는?)(?=[ "'`(“「])| 값(?= )|(?<=\p{Script=Hangul})(?:\]?[ ]|[([](?=[!-~]))/gu;

/**
 * Without a particle, only its form shows that the word beside a name is a token or a key; the same behind a
 * longer word.
 */
function isUnclear(sign: string, { kind, text }: SecretName): boolean {
  return (sign.endsWith(' ') && kind !== 'password') || /[a-z]\p{Script=Hangul}/u.test(text);
}

function valueAt(text: string, from: number) {
  const [all = '', word = ''] =
    matchAt(
      text,
      from,
      280,
      /^ {0,2}(?:(?:그대로|이제|현재|지금|다시|일단|원래|그냥) )?["'`([“「]?([!-~]+)/u,
    ) ?? [];
  const kept = withoutEnding(word).replace(/["'`)\].,:;]{1,3}$/u, '');
  const start = from + all.length - word.length;
  return kept === '' ? undefined : { word: kept, start, end: start + kept.length };
}

/** The new one in `비밀번호를 x에서 y로`. */
function successor(text: string, from: number) {
  const lead = matchAt(text, from, 8, /^["'`)\]”」]?에서 /u)?.[0] ?? '';
  const value = lead === '' ? undefined : valueAt(text, from + lead.length);
  return value !== undefined && !isHarmlessValue(value.word)
    ? { start: value.start, end: value.end }
    : undefined;
}
