import type { CommanderError } from 'commander';
import type { Catalogue } from '../core/language/catalogue.js';
import type { Language } from '../core/language/language.js';
import { code, type Prose, say, sentences } from '../core/language/prose.js';
import { textAfter, textBetween } from '../core/language/text-scanning.js';
import { names } from '../core/language/words.js';

type None = Record<string, never>;

type UsageShapes = {
  readonly 'option-unknown': { readonly option: string };
  readonly 'command-unknown': { readonly command: string };
  readonly 'argument-missing': { readonly argument: string };
  readonly 'option-missing': { readonly option: string };
  readonly 'value-missing': { readonly option: string };
  readonly 'value-invalid': { readonly of: string; readonly value: string };
  readonly 'too-many-arguments': { readonly expected: number; readonly given: number };
  /** Any other problem, in the words of the parser. */
  readonly other: { readonly problem: string };
  readonly near: { readonly near: readonly string[] };
  readonly choices: { readonly choices: readonly string[] };
  readonly 'not-empty': None;
  readonly help: { readonly command: string };
};

const usageText: Catalogue<UsageShapes> = {
  en: {
    'option-unknown': ({ option }) => say`Unknown option ${code(option)}.`,
    'command-unknown': ({ command }) => say`Unknown command ${code(command)}.`,
    'argument-missing': ({ argument }) => say`The argument <${code(argument)}> is missing.`,
    'option-missing': ({ option }) => say`The option ${code(option)} is required.`,
    'value-missing': ({ option }) => say`The option ${code(option)} needs a value.`,
    'value-invalid': ({ of, value }) => say`"${code(value)}" is not a valid value for ${code(of)}.`,
    'too-many-arguments': ({ expected, given }) =>
      say`Too many arguments: expected ${expected}, got ${given}. Quote values that contain spaces.`,
    other: ({ problem }) => say`${code(problem)}`,
    near: ({ near }) => say`Did you mean ${names('en', near)}?`,
    choices: ({ choices }) => say`Valid values: ${names('en', choices, 20)}.`,
    'not-empty': () => say`The value must not be empty.`,
    help: ({ command }) => say`Run '${code(command)} --help' for usage.`,
  },
  ko: {
    'option-unknown': ({ option }) => say`알 수 없는 옵션입니다: ${code(option)}.`,
    'command-unknown': ({ command }) => say`알 수 없는 명령입니다: ${code(command)}.`,
    'argument-missing': ({ argument }) => say`<${code(argument)}> 인수가 없습니다.`,
    'option-missing': ({ option }) => say`${code(option)} 옵션은 필수입니다.`,
    'value-missing': ({ option }) => say`${code(option)} 옵션에 값이 필요합니다.`,
    'value-invalid': ({ of, value }) => say`"${code(value)}" 값은 ${code(of)}에 사용할 수 없습니다.`,
    'too-many-arguments': ({ expected, given }) =>
      say`인수가 너무 많습니다: ${expected}개가 필요하지만 ${given}개를 받았습니다. 공백이 있는 값은 따옴표로 묶으세요.`,
    other: ({ problem }) => say`${code(problem)}`,
    near: ({ near }) => say`혹시 이것인가요? ${names('ko', near)}`,
    choices: ({ choices }) => say`사용할 수 있는 값: ${names('ko', choices, 20)}.`,
    'not-empty': () => say`빈 값은 사용할 수 없습니다.`,
    help: ({ command }) => say`사용법은 '${code(command)} --help' 명령으로 확인하세요.`,
  },
};

/**
 * What the argument parser refused, in the reader's language. The parser gives its values only inside its
 * English message.
 *
 * @param command whose help shows the usage, such as `rollout-doctor diagnose`
 */
export function usageProblem(
  { code: problem, message }: Pick<CommanderError, 'code' | 'message'>,
  command: string,
  language: Language,
): Prose {
  const text = usageText[language];
  const quoted = textBetween(message, "'", "'") ?? '';
  const near = listOf(
    textBetween(message, '(Did you mean one of ', '?)') ?? textBetween(message, '(Did you mean ', '?)'),
  );
  const suggestion = near.length === 0 ? [] : text.near({ near });
  const help = text.help({ command });
  switch (problem) {
    case 'commander.unknownOption':
      return sentences(text['option-unknown']({ option: quoted }), suggestion, help);
    case 'commander.unknownCommand':
      return sentences(text['command-unknown']({ command: quoted }), suggestion, help);
    case 'commander.missingArgument':
      return sentences(text['argument-missing']({ argument: quoted }), help);
    case 'commander.missingMandatoryOptionValue':
      return sentences(text['option-missing']({ option: quoted }), help);
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
    choices.length === 0 ? text['not-empty']({}) : text.choices({ choices }),
  ];
}

/** Names as the parser lists them, perhaps with a full stop at the end. */
function listOf(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.replace(/\.$/u, '').split(', ');
}
