import type { Language } from '../../engine/language/language.js';
import { type Prose, plain } from '../../engine/language/prose.js';
import { type CliSentences, cliText } from './cli-text.js';

/**
 * 0: no problem found. 1: a finding. 2: wrong usage. 3: the objects could not be read, or what
 * was read does not explain why pods are missing.
 */
export const exitStatus = { nothing: 0, found: 1, usage: 2, unseen: 3 } as const;
type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/** Ends a command with a line for the person and a status for the script. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly status: ExitStatus;
  readonly sentence: (language: Language) => Prose;

  constructor(status: ExitStatus, sentence: (language: Language) => Prose) {
    super(plain(sentence('en')));
    this.status = status;
    this.sentence = sentence;
  }
}

/** A failure from the catalogue of the command line. */
export function failure<Key extends keyof CliSentences>(
  status: ExitStatus,
  key: Key,
  ...values: Parameters<CliSentences[Key]>
): CommandFailure {
  return new CommandFailure(status, (language) => {
    const text: CliSentences = cliText[language];
    return text[key](...values);
  });
}
