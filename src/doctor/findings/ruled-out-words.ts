import type { Language } from '../../engine/language/language.js';

/** What a rule excludes that is no cause of its own. JSON has the English words as the id. */
const korean: ReadonlyMap<string, string> = new Map([
  ['slow rollout', '느린 롤아웃'],
  ['slow start', '느린 시작'],
  ['mere waiting', '단순 대기'],
  ['a stuck rollout', '멈춘 롤아웃'],
]);

/** What was excluded, for people: the id of a cause, or words. */
export function ruledOutWords(excluded: string, language: Language): string {
  return language === 'ko' ? (korean.get(excluded) ?? excluded) : excluded;
}
