import type { Language } from './language.js';
import { code, listed, type Prose, type Sayable, say, word } from './prose.js';

/** `1 pod`, `3 pods`; Korean has no plural and is written in the sentence itself. */
export function counted(count: number, one: string, many: string): Prose {
  return say`${count} ${word(count === 1 ? one : many)}`;
}

/** `1 of 3 pods`, `1 of 1 pod`. */
export function countedPods(part: number, all: number): Prose {
  return say`${part} of ${counted(all, 'pod', 'pods')}`;
}

const joining = {
  en: { and: ' and ', more: 'and # more' },
  ko: { and: ', ', more: '외 #개' },
} as const satisfies Record<Language, { and: string; more: string }>;

/** `a, b and c` with the overflow counted. */
export function joined(language: Language, items: readonly Sayable[], max = 5): Prose {
  return listed(items, joining[language], max);
}

/** Names from the cluster, each as code. */
export function names(language: Language, items: readonly string[], max = 5): Prose {
  return joined(
    language,
    items.map((item) => code(item)),
    max,
  );
}

const units = {
  en: { s: 's', min: 'min', h: 'h', d: 'd', gap: ' ', years: 'more than a year' },
  ko: { s: '초', min: '분', h: '시간', d: '일', gap: '', years: '1년 이상' },
} as const satisfies Record<Language, Record<string, string>>;

/** A year. Where a mistyped setting asks for more, the exact number of days helps nobody. */
export const manySeconds = 365 * 86_400;

/**
 * A length of time for people, at most two units: `40 s`, `25 min`, `3 h 5 min`, `2 d`, `more than a year`.
 */
export function duration(language: Language, seconds: number): Prose {
  const unit = units[language];
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= manySeconds) return [word(unit.years)];
  const parts: string[] = [];
  const add = (value: number, name: string): void => {
    if (value > 0) parts.push(`${value}${unit.gap}${name}`);
  };
  if (whole < 60) parts.push(`${whole}${unit.gap}${unit.s}`);
  else if (whole < 3600) {
    add(Math.floor(whole / 60), unit.min);
    if (whole < 600) add(whole % 60, unit.s);
  } else if (whole < 86_400) {
    add(Math.floor(whole / 3600), unit.h);
    add(Math.floor((whole % 3600) / 60), unit.min);
  } else {
    add(Math.floor(whole / 86_400), unit.d);
    if (whole < 10 * 86_400) add(Math.floor((whole % 86_400) / 3600), unit.h);
  }
  return [word(parts.join(' '))];
}

const bounds = {
  en: { atLeast: 'at least ', atMost: 'up to ' },
  ko: { atLeast: '최소 ', atMost: '최대 ' },
} as const satisfies Record<Language, Record<string, string>>;

/**
 * A length of time that goes on until now. Where nobody knows when now is, it is said to be a lower bound.
 */
export function elapsed(language: Language, seconds: number): Prose {
  return elapsedWith(language, seconds, '');
}

/** The longest of several such lengths. */
export function elapsedAtMost(language: Language, seconds: number): Prose {
  return elapsedWith(language, seconds, bounds[language].atMost);
}

function elapsedWith(language: Language, seconds: number, before: string): Prose {
  return duration(language, seconds).map((span) =>
    span.kind === 'text'
      ? { ...span, text: `${before}${span.text}`, atLeast: `${bounds[language].atLeast}${span.text}` }
      : span,
  );
}

/** The same sentence, with every time that goes on until now as a lower bound. */
export function withLowerBounds(prose: Prose): Prose {
  return prose.map((span) =>
    span.kind === 'text' && span.atLeast !== undefined ? { kind: 'text', text: span.atLeast } : span,
  );
}

/**
 * Whether a sentence can state this length of time. A workload that was read at once, as for a recording, has
 * been stuck "for 0 s".
 */
export function isAtLeastOneSecond(seconds: number | undefined): seconds is number {
  return seconds !== undefined && Math.round(seconds) >= 1;
}

/**
 * The Korean particle that fits the sound the word ends in: `particle('gpu-a', '이', '가')`. Latin letters and
 * digits are judged by how Koreans read them aloud.
 */
export function particle(before: string, afterConsonant: string, afterVowel: string): Span {
  return word(endsInConsonant(before) ? afterConsonant : afterVowel);
}

type Span = ReturnType<typeof word>;

function endsInConsonant(text: string): boolean {
  const last = text.trimEnd().at(-1);
  if (last === undefined) return false;
  const codePoint = last.codePointAt(0) ?? 0;
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return (codePoint - 0xac00) % 28 !== 0;
  if (/[lmn013678]/i.test(last)) return true;
  // By how English words are written in Korean: "server" ends in a vowel, "rollout" and "training" in a
  // consonant.
  const end = text.trimEnd().slice(-3);
  return /(?:ng|ck|[^aeiou][aeiou][bkpt]|pp|out|ook|[A-Z0-9_-]R|^R)$/.test(end);
}
