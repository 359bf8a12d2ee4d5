import { type Command, CommanderError } from 'commander';
import { Language, languageOfEnvironment } from '../core/language/language.js';
import { type Prose, plain } from '../core/language/prose.js';
import { untrusted } from '../core/redaction/untrusted.js';
import { cliText } from './cli-text.js';
import { createProgram, type ProgramOptions } from './create-program.js';
import { CommandFailure, exitStatus } from './exit-status.js';
import { programName } from './help-pages.js';
import type { Streams } from './output.js';
import { usageProblem } from './usage-problem.js';

/** Characters of a line that ends a command. The line may quote the name or the text of a file. */
const maxMessage = 4_000;

/**
 * Runs the command line.
 *
 * @param args without program and script
 * @returns the exit status
 */
export async function runCli(
  args: readonly string[],
  streams: Streams,
  options: ProgramOptions = { further: [], name: programName },
): Promise<number> {
  let status: number = exitStatus.nothing;
  const language = languageIn(args);
  const program = createProgram(
    streams,
    language,
    (ended) => {
      status = ended;
    },
    options,
  );
  const report = (sentence: Prose): void => streams.err(`${untrusted(plain(sentence), maxMessage)}\n`);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommandFailure) {
      report(error.sentence(language));
      return error.status;
    }
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitStatus.nothing;
      if (error.code !== 'commander.help') report(usageProblem(error, commandIn(args, program), language));
      return exitStatus.usage;
    }
    report(failedInside(error, language));
    return exitStatus.unseen;
  }
}

/** One line for an error that no command handled, in place of a stack trace. @returns the exit status */
export function reportUnexpected(error: unknown, args: readonly string[], streams: Streams): number {
  streams.err(`${untrusted(plain(failedInside(error, languageIn(args))), maxMessage)}\n`);
  return exitStatus.unseen;
}

function failedInside(error: unknown, language: Language): Prose {
  const message = error instanceof Error ? error.message : String(error);
  return cliText[language]['failed-inside']({ message });
}

/** The language of the help and of errors, also where the parser refuses the other arguments. */
function languageIn(args: readonly string[]): Language {
  const position = args.lastIndexOf('--lang');
  const value =
    position < 0 ? args.findLast((arg) => arg.startsWith('--lang='))?.slice(7) : args[position + 1];
  return Language.safeParse(value).data ?? languageOfEnvironment(process.env);
}

/** The command whose help shows the usage. */
function commandIn(args: readonly string[], program: Command): string {
  const names = program.commands.map((command) => command.name());
  const given = args.find((arg) => names.includes(arg));
  return given === undefined ? program.name() : `${program.name()} ${given}`;
}
