import type { Language } from '../../language/language.js';
import { code, type Prose, say, word } from '../../language/prose.js';
import { joined } from '../../language/words.js';
import type { HolderValue } from './facts.js';

/** Workloads with the number of their pods. */
export function holdersInShort(language: Language, holders: readonly HolderValue[]): Prose {
  return joined(
    language,
    holders.map(({ workload, pods }) =>
      language === 'en'
        ? say`${code(workload)} (${pods.length} ${word(pods.length === 1 ? 'pod' : 'pods')})`
        : say`${code(workload)}(파드 ${pods.length}개)`,
    ),
  );
}
