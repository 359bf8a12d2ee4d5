import type { Language } from '../../engine/language/language.js';
import { code, type Prose, quote, say, sentences } from '../../engine/language/prose.js';
import type { ChildlessOwner } from './childless-owner.js';

/** What people are told in place of *not found*, on the command line and in Slack. */
export function childlessText(language: Language, owner: ChildlessOwner): Prose {
  return texts[language](owner);
}

const texts: Readonly<Record<Language, (owner: ChildlessOwner) => Prose>> = {
  en: ({ namespace, name, conditions }) =>
    sentences(
      say`${code(name)} exists in the namespace ${code(namespace)}, and its controller has made no workload.`,
      ...(conditions.length === 0 ? [say`Its conditions state no reason.`] : conditions.map(asReported)),
    ),
  ko: ({ namespace, name, conditions }) =>
    sentences(
      say`${code(namespace)} 네임스페이스에 ${code(name)} 오브젝트가 있지만 컨트롤러가 워크로드를 만들지 않았습니다.`,
      ...(conditions.length === 0 ? [say`컨디션에 이유가 없습니다.`] : conditions.map(asReported)),
    ),
};

function asReported({ type, reason, message }: ChildlessOwner['conditions'][number]): Prose {
  return message === ''
    ? say`${code(type)}: ${code(reason)}.`
    : say`${code(type)} (${code(reason)}): ${quote(message)}`;
}
