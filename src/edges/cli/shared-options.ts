import { type Command, InvalidArgumentError, Option } from 'commander';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { parseCommand } from '../../doctor/commands/parse-command.js';
import { usageText } from '../../doctor/commands/usage-text.js';
import { type Language, languageOfEnvironment, languages } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { CommandFailure, exitStatus, failure } from './exit-status.js';
import type { Help } from './help-text.js';

/** How a result is printed. */
export type PrintOptions = { readonly output: Output; readonly lang: Language };

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

/** What options accept. Apart from the commands themselves, which are loaded when they run. */

const outputs = ['text', 'json', 'yaml', 'markdown'] as const;
type Output = (typeof outputs)[number];

export const scanOutputs = [...outputs, 'html'] as const;
export type ScanOutput = (typeof scanOutputs)[number];

export const checkOutputs = ['text', 'json', 'yaml', 'markdown', 'github', 'gitlab', 'sarif'] as const;
export type CheckOutput = (typeof checkOutputs)[number];

export const doctorOutputs = ['text', 'json', 'yaml'] as const;
export type DoctorOutput = (typeof doctorOutputs)[number];

export const inspectedParts = ['configuration', 'redis', 'slack', 'kubernetes'] as const;
export type InspectedPart = (typeof inspectedParts)[number];

/**
 * Reads a workload as the slash command does: `ml/inference`, `deploy/inference` with a namespace, and so on.
 *
 * @throws CommandFailure with the reason, status 2
 */
export function workloadArgument(words: readonly string[], namespace: string | undefined): NamedWorkload {
  const option = namespace === undefined ? '' : ` -n ${namespace}`;
  const command = parseCommand(`diagnose ${words.join(' ')}${option}`);
  if (command.type === 'diagnose') return command.query;
  if (command.type === 'usage') {
    const { key, values } = command.problem;
    throw new CommandFailure(exitStatus.usage, (language) =>
      (usageText[language][key] as (values: unknown) => Prose)(values),
    );
  }
  throw failure(exitStatus.usage, 'workload-missing');
}
