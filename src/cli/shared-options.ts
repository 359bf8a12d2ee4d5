import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Language, languageOfEnvironment, languages } from '../core/language/language.js';
import { type Output, outputs } from './output.js';

/** How a result is printed. */
export interface PrintOptions {
  readonly output: Output;
  readonly lang: Language;
}

/** Where objects come from: recorded ones, or a live cluster. */
export interface SourceOptions {
  readonly from?: string;
  readonly at?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function withPrintOptions(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'output format').choices(outputs).default('text'))
    .addOption(languageOption());
}

export function languageOption(): Option {
  return new Option('--lang <language>', 'language of the text')
    .choices(languages)
    .default(languageOfEnvironment(process.env), 'of LC_ALL, LC_MESSAGES or LANG');
}

export function withSourceOptions(command: Command): Command {
  return command
    .option(
      '--from <path>',
      'recorded objects instead of a cluster: a file or folder of kubectl get -o json|yaml',
      nonEmpty,
    )
    .option('--at <time>', 'time of the diagnosis (RFC3339, default: the newest recorded time)', nonEmpty)
    .option('--kubeconfig <path>', 'kubeconfig to use (default: as kubectl)', nonEmpty)
    .option('--context <name>', 'context of the kubeconfig to use', nonEmpty);
}

/** @throws InvalidArgumentError, which commander turns into wrong usage */
export function nonEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('The value must not be empty.');
  return value;
}
