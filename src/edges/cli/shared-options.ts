import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Language, languageOfEnvironment, languages } from '../../engine/language/language.js';
import { type Output, outputs } from './choices.js';
import type { Help } from './help-text.js';

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

export function withPrintOptions(command: Command, help: Help): Command {
  return command
    .addOption(new Option('-o, --output <format>', help('output')).choices(outputs).default('text'))
    .addOption(languageOption(help));
}

export function languageOption(help: Help): Option {
  return new Option('--lang <language>', help('language'))
    .choices(languages)
    .default(languageOfEnvironment(process.env), help('language-default'));
}

export function withSourceOptions(command: Command, help: Help): Command {
  return command
    .option('--from <path>', help('from'), nonEmpty)
    .option('--at <time>', help('at-diagnosis'), nonEmpty)
    .option('--kubeconfig <path>', help('kubeconfig'), nonEmpty)
    .option('--context <name>', help('context'), nonEmpty);
}

/** @throws InvalidArgumentError, which commander turns into wrong usage */
export function nonEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('The value must not be empty.');
  return value;
}
