import { basename } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import { Language, languageOfEnvironment } from '../../engine/language/language.js';
import { nearestName } from '../../engine/language/nearest-name.js';
import { code, type Prose, plain, say, sentences, word } from '../../engine/language/prose.js';
import { textAfter, textBetween } from '../../engine/language/text-scanning.js';
import { names } from '../../engine/language/words.js';
import { cliText } from './cli-text.js';
import { type AddCommand, createProgram, type ProgramOptions } from './create-program.js';
import { CommandFailure, exitStatus } from './exit-status.js';
import { programName } from './help-pages.js';
import { processStreams, type Streams } from './streams.js';

/**
 * Runs the command line on the arguments and streams of this process, and sets the exit status.
 *
 * @param further adds commands that not every distribution has
 */
export async function runProcess(further: readonly AddCommand[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  const args = process.argv.slice(2);
  const streams = processStreams();
  process.on('uncaughtException', (error) => process.exit(reportUnexpected(error, args, streams)));
  process.exitCode = await runCli(args, streams, { further, name: nameOf(process.argv[1] ?? '') });
}

/** kubectl starts its plugins as `kubectl-rollout_doctor`. */
function nameOf(path: string): string {
  return basename(path).startsWith('kubectl-') ? `kubectl ${programName}` : programName;
}

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
    refuseUnknownHelp(args, program);
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommandFailure) {
      report(error.sentence(language));
      return error.status;
    }
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitStatus.nothing;
      if (error.code !== 'commander.help') {
        report(usageProblem(error, { program, command: commandIn(args, program) }, language));
      }
      return exitStatus.usage;
    }
    report(failedInside(error, language));
    return exitStatus.unseen;
  }
}

/** One line for an error that no command handled, in place of a stack trace. @returns the exit status */
function reportUnexpected(error: unknown, args: readonly string[], streams: Streams): number {
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

/**
 * `help nope`: the parser would print the whole help as an error, without a word about the name.
 *
 * @throws CommanderError
 */
function refuseUnknownHelp(args: readonly string[], program: Command): void {
  const [first, name] = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--lang');
  const names = program.commands.map((command) => command.name());
  if (first !== 'help' || name === undefined || name === 'help' || names.includes(name)) return;
  const near = nearestName(name, names);
  const suggestion = near === undefined ? '' : ` (Did you mean ${near}?)`;
  throw new CommanderError(
    exitStatus.usage,
    'commander.unknownCommand',
    `unknown command '${name}'${suggestion}`,
  );
}

/** The command whose help shows the usage; `undefined` where none is named. */
function commandIn(args: readonly string[], { commands }: Command): Command | undefined {
  const given = args.find((arg) => commands.some((command) => command.name() === arg));
  return commands.find((command) => command.name() === given);
}

function hasOption({ options }: Command, flag: string): boolean {
  return options.some(({ short, long }) => flag === short || flag === long);
}

/** Options that name files in one command or another. */
const namesFiles: ReadonlySet<string> = new Set(['-f', '--filename', '--from', '--against']);

/** Which commands have an option that this command lacks, and which option of it reads saved objects. */
function optionElsewhere(
  option: string,
  { program, command }: { readonly program: Command; readonly command: Command | undefined },
  language: Language,
): readonly Prose[] {
  const text = usageText[language];
  const others = program.commands.filter((each) => hasOption(each, option)).map((each) => each.name());
  const own = ['--from', '--against'].find((each) => command !== undefined && hasOption(command, each));
  return [
    ...(others.length === 0 ? [] : [text['option-of-others']({ commands: others })]),
    ...(own === undefined || !namesFiles.has(option) ? [] : [text['saved-objects']({ option: own })]),
  ];
}

const en = {
  'option-unknown': ({ option }: { option: string }) => say`Unknown option ${code(option)}.`,
  'option-of-others': ({ commands }: { commands: readonly string[] }) =>
    say`Only ${names('en', commands)} ${word(commands.length === 1 ? 'has' : 'have')} this option.`,
  'saved-objects': ({ option }: { option: string }) =>
    say`To read saved objects, use ${code(`${option} PATH`)}.`,
  'command-unknown': ({ command }: { command: string }) => say`Unknown command ${code(command)}.`,
  'instead-diagnose': ({ program, workload }: { program: string; workload: string }) =>
    say`To diagnose a workload, use '${code(program)} diagnose ${code(workload)}'.`,
  'argument-missing': ({ argument }: { argument: string }) =>
    say`The argument <${code(argument)}> is missing.`,
  'value-missing': ({ option }: { option: string }) => say`The option ${code(option)} needs a value.`,
  'value-invalid': ({ of, value }: { of: string; value: string }) =>
    say`"${code(value)}" is not a valid value for ${code(of)}.`,
  'too-many-arguments': ({ expected, given }: { expected: number; given: number }) =>
    say`Too many arguments: expected ${expected}, got ${given}. Quote values that contain spaces.`,
  /** Any other problem, in the words of the parser. */
  other: ({ problem }: { problem: string }) => say`${code(problem)}`,
  near: ({ near }: { near: readonly string[] }) => say`Did you mean ${names('en', near)}?`,
  choices: ({ choices }: { choices: readonly string[] }) => say`Valid values: ${names('en', choices, 20)}.`,
  'not-empty': () => say`The value must not be empty.`,
  help: ({ command }: { command: string }) => say`Run '${code(command)} --help' for usage.`,
};

const ko: typeof en = {
  'option-unknown': ({ option }) => say`알 수 없는 옵션입니다: ${code(option)}.`,
  'option-of-others': ({ commands }) => say`이 옵션을 사용할 수 있는 명령: ${names('ko', commands)}.`,
  'saved-objects': ({ option }) => say`저장한 오브젝트는 ${code(`${option} PATH`)} 옵션으로 읽습니다.`,
  'command-unknown': ({ command }) => say`알 수 없는 명령입니다: ${code(command)}.`,
  'instead-diagnose': ({ program, workload }) =>
    say`워크로드는 '${code(program)} diagnose ${code(workload)}' 명령으로 진단합니다.`,
  'argument-missing': ({ argument }) => say`<${code(argument)}> 인수가 없습니다.`,
  'value-missing': ({ option }) => say`${code(option)} 옵션에 값이 필요합니다.`,
  'value-invalid': ({ of, value }) => say`"${code(value)}" 값은 ${code(of)}에 사용할 수 없습니다.`,
  'too-many-arguments': ({ expected, given }) =>
    say`인수가 너무 많습니다: ${expected}개가 필요하지만 ${given}개를 받았습니다. 공백이 있는 값은 따옴표로 묶으세요.`,
  other: ({ problem }) => say`${code(problem)}`,
  near: ({ near }) => say`혹시 이것인가요? ${names('ko', near)}`,
  choices: ({ choices }) => say`사용할 수 있는 값: ${names('ko', choices, 20)}.`,
  'not-empty': () => say`빈 값은 사용할 수 없습니다.`,
  help: ({ command }) => say`사용법은 '${code(command)} --help' 명령으로 확인하세요.`,
};

const usageText = { en, ko };

/**
 * What the argument parser refused, in the reader's language. The parser gives its values only inside its
 * English message.
 *
 * @param command that was given
 */
function usageProblem(
  { code: problem, message }: Pick<CommanderError, 'code' | 'message'>,
  { program, command }: { readonly program: Command; readonly command: Command | undefined },
  language: Language,
): Prose {
  const text = usageText[language];
  const name = program.name();
  const quoted = textBetween(message, "'", "'") ?? '';
  const near = listOf(
    textBetween(message, '(Did you mean one of ', '?)') ?? textBetween(message, '(Did you mean ', '?)'),
  );
  const suggestion = near.length === 0 ? [] : text.near({ near });
  const help = text.help({ command: command === undefined ? name : `${name} ${command.name()}` });
  switch (problem) {
    case 'commander.unknownOption':
      return sentences(
        text['option-unknown']({ option: quoted }),
        ...(near.length > 0 ? [suggestion] : optionElsewhere(quoted, { program, command }, language)),
        help,
      );
    case 'commander.unknownCommand':
      return sentences(
        text['command-unknown']({ command: quoted }),
        // `version` and the like are options of the program.
        near.length > 0 || hasOption(program, `--${quoted}`)
          ? text.near({ near: near.length > 0 ? near : [`--${quoted}`] })
          : text['instead-diagnose']({
              program: name,
              workload: quoted.includes('/') ? quoted : 'namespace/name',
            }),
        help,
      );
    case 'commander.missingArgument':
      return sentences(text['argument-missing']({ argument: quoted }), help);
    case 'commander.optionMissingArgument':
      return sentences(text['value-missing']({ option: quoted }), help);
    case 'commander.invalidArgument':
      return sentences(...invalidValue(message, language), help);
    case 'commander.excessArguments': {
      const [, expected, given] = /Expected (\d+) arguments? but got (\d+)/u.exec(message) ?? [];
      return sentences(
        text['too-many-arguments']({ expected: Number(expected), given: Number(given) }),
        help,
      );
    }
    default:
      return sentences(text.other({ problem: message.replace(/^error: /u, '') }), help);
  }
}

function invalidValue(message: string, language: Language): readonly Prose[] {
  const text = usageText[language];
  const option = textBetween(message, "option '", "' argument '");
  const argument = textBetween(message, "is invalid for argument '", "'");
  const value =
    option === undefined
      ? textBetween(message, "command-argument value '", "' is invalid for argument ")
      : textBetween(message, "' argument '", "' is invalid.");
  const choices = listOf(textAfter(message, 'Allowed choices are '));
  return [
    text['value-invalid']({ of: option ?? `<${argument ?? ''}>`, value: value ?? '' }),
    choices.length === 0 ? text['not-empty']() : text.choices({ choices }),
  ];
}

/** Names as the parser lists them, perhaps with a full stop at the end. */
function listOf(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.replace(/\.$/u, '').split(', ');
}
