import type { Language } from '../../engine/language/language.js';
import { code, type Prose, quote, say, sentences } from '../../engine/language/prose.js';
import { type KserveService, ownerName } from '../../engine/objects/inference-service.js';
import { redact } from '../redaction/redact.js';

/** An object that people name in place of its workloads, and that has none: what its controller reports. */
export interface ChildlessOwner {
  /** `isvc/llm` */
  readonly name: string;
  readonly namespace: string;
  /** Conditions that do not hold, as its controller writes them; foreign text, redacted. */
  readonly conditions: readonly {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** Conditions that say more than the first ones are rare. */
const maxConditions = 3;

export function childlessOwnerOf({ kind, metadata, status }: KserveService): ChildlessOwner {
  const failed = status.conditions.filter((each) => each.status === 'False');
  // The sum of the others repeats one of them.
  const specific = failed.filter(({ type }) => type !== 'Ready');
  return {
    name: ownerName({ kind, name: metadata.name }),
    namespace: metadata.namespace,
    conditions: (specific.length > 0 ? specific : failed)
      .slice(0, maxConditions)
      .map(({ type, reason, message }) => ({ type, reason, message: redact(message) })),
  };
}

/** The answer to people in place of *not found*, on the command line and in Slack. */
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
