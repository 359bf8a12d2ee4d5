import type { Language } from '../../language/language.js';
import { code, type Prose, say, word } from '../../language/prose.js';
import { joined, names } from '../../language/words.js';
import type { HolderValue } from './statements.js';

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

/** A workload with its pods, their priority and their nodes. */
export function holderInFull(
  language: Language,
  { kind, workload, priority, pods, nodes }: HolderValue,
): Prose {
  return language === 'en'
    ? say`${code(workload)} (${code(kind)}, priority ${priority}): ${names('en', pods, 4)} on ${names('en', nodes, 4)}`
    : say`${code(workload)}(${code(kind)}, 우선순위 ${priority}): ${names('ko', nodes, 4)}의 ${names('ko', pods, 4)}`;
}
