import * as z from 'zod';

/** The languages in which everything people read exists. */
export const languages = ['en', 'ko'] as const;
export const Language = z.enum(languages);
export type Language = z.output<typeof Language>;

/** The language for a locale such as `ko-KR`; English for all we do not speak. */
export function languageOfLocale(locale: string | undefined): Language {
  return /^ko(?![a-z])/i.test(locale ?? '') ? 'ko' : 'en';
}

/**
 * The first language that a browser names and we have. Browsers name them in the order that their person
 * prefers.
 *
 * @param header `Accept-Language`, such as `ko-KR,ko;q=0.9,en;q=0.8`
 */
export function languageOfBrowser(header: string | undefined): Language | undefined {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().toLowerCase().split(/[-;]/u)[0]);
  const first = tags.find((tag) => languages.some((each) => each === tag));
  return languages.find((each) => each === first);
}

/** The language that the environment of a process asks for, as POSIX orders its variables. */
export function languageOfEnvironment(env: Readonly<Record<string, string | undefined>>): Language {
  return languageOfLocale(env.LC_ALL || env.LC_MESSAGES || env.LANG);
}
