import { Argument, Command, Option } from 'commander';
import { type Language, languages } from '../../engine/language/language.js';
import { version } from '../telemetry/version.js';
import type { CheckOptions } from './check-command.js';
import { completionScript, type Shell, shells } from './completion-scripts.js';
import type { DiagnoseOptions } from './diagnose-command.js';
import { helpPages } from './help-pages.js';
import { type Help, helpIn } from './help-text.js';
import type { RecordOptions } from './record-command.js';
import type { ScanOptions } from './scan-command.js';
import {
  checkOutputs,
  languageOption,
  nonEmpty,
  type PrintOptions,
  type SourceOptions,
  scanOutputs,
  withPrintOptions,
  withSourceOptions,
} from './shared-options.js';
import type { Streams } from './streams.js';

/** What a command is added with. */
interface Surroundings {
  readonly help: Help;
  readonly streams: Streams;
  /** Receives the exit status of the command that ran. */
  readonly ends: (status: number) => void;
}

/** Adds a command that not every distribution has. */
export type AddCommand = (program: Command, surroundings: Surroundings) => void;

/** How the command line of a distribution differs. */
export interface ProgramOptions {
  /** Commands that not every distribution has. */
  readonly further: readonly AddCommand[];
  /** As people type it: `kubectl rollout-doctor` for the plugin of kubectl. */
  readonly name: string;
}

/**
 * The commands and options of the command line, with their help in a language. What a command needs is loaded
 * when it runs.
 *
 * @param ends receives the exit status of the command that ran
 */
export function createProgram(
  streams: Streams,
  language: Language,
  ends: (status: number) => void,
  { further, name }: ProgramOptions,
): Command {
  const help = helpIn(language);
  const pages = helpPages(help, name);
  const program = new Command(name)
    .description(help('program'))
    .version(version, '-V, --version', help('version'))
    .addOption(new Option('--lang <language>', help('language')).choices(languages))
    .helpOption('-h, --help', help('help'))
    .helpCommand('help [command]', help('help'))
    .hook('preAction', passLanguageOn)
    .configureHelp(headings(help))
    .addHelpText('after', pages.program)
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.err, outputError: () => undefined });

  const diagnose = program
    .command('diagnose')
    .description(help('diagnose'))
    .argument('[workload...]', help('workload'))
    .option('-n, --namespace <namespace>', help('namespace-of-workload'), nonEmpty)
    .option('-w, --watch', help('watch'))
    .option('--evidence', help('evidence'))
    .option('--certificate', help('certificate'))
    .addHelpText('after', pages.diagnose)
    .action(async (words: string[], options: DiagnoseOptions) => {
      const { diagnoseCommand } = await import('./diagnose-command.js');
      ends(await diagnoseCommand(words, options, streams));
    });
  withPrintOptions(withSourceOptions(diagnose, help), help);

  const scan = program
    .command('scan')
    .description(help('scan'))
    .argument('[namespace]', help('namespace-only'), nonEmpty)
    .option('-n, --namespace <namespace>', help('namespace-only'), nonEmpty)
    .option('-A, --all-namespaces', help('all-namespaces'))
    .option('--fragile', help('fragile'))
    .addHelpText('after', pages.scan)
    .action(async (word: string | undefined, options: ScanOptions) => {
      const { scanCommand } = await import('./scan-command.js');
      ends(await scanCommand(word, options, streams));
    });
  withSourceOptions(scan, help)
    .addOption(new Option('-o, --output <format>', help('output')).choices(scanOutputs).default('text'))
    .addOption(languageOption(help));

  program
    .command('check')
    .description(help('check'))
    .argument('[paths...]', help('filename'))
    .option('-f, --filename <paths...>', help('filename'))
    .option('--against <context|path>', help('against'), nonEmpty)
    .option('-n, --namespace <namespace>', help('namespace-of-manifests'), nonEmpty)
    .option('--at <time>', help('at-check'), nonEmpty)
    .option('--kubeconfig <path>', help('kubeconfig'), nonEmpty)
    .addOption(new Option('-o, --output <format>', help('output')).choices(checkOutputs).default('text'))
    .addOption(languageOption(help))
    .addHelpText('after', pages.check)
    .action(async (paths: string[], options: Omit<CheckOptions, 'filename'> & Partial<CheckOptions>) => {
      const { checkCommand } = await import('./check-command.js');
      const filename = [...(options.filename ?? []), ...paths];
      ends(await checkCommand({ ...options, filename }, streams));
    });

  const explain = program
    .command('explain')
    .description(help('explain'))
    .argument('[sentence...]', help('sentence'))
    .addHelpText('after', pages.explain)
    .action(async (words: string[], options: PrintOptions) => {
      const { explainCommand } = await import('./explain-command.js');
      ends(await explainCommand(words, options, streams));
    });
  withPrintOptions(explain, help);

  program
    .command('record')
    .description(help('record'))
    .argument('<file>', help('record-file'))
    .option('-n, --namespace <namespace>', help('namespace-recorded'), nonEmpty)
    .option('-A, --all-namespaces', help('all-namespaces-recorded'))
    .option('--force', help('record-force'))
    .option('--kubeconfig <path>', help('kubeconfig'), nonEmpty)
    .option('--context <name>', help('context'), nonEmpty)
    .addOption(languageOption(help))
    .addHelpText('after', pages.record)
    .action(async (file: string, options: RecordOptions) => {
      const { recordCommand } = await import('./record-command.js');
      ends(await recordCommand(file, options, streams));
    });

  program
    .command('admission-policy')
    .description(help('admission-policy'))
    .addOption(languageOption(help))
    .addHelpText('after', pages['admission-policy'])
    .action(async (options: { lang: Language }) => {
      const { admissionPolicyCommand } = await import('./admission-policy-command.js');
      ends(await admissionPolicyCommand(options, streams));
    });

  const mcp = program
    .command('mcp')
    .description(help('mcp'))
    .addHelpText('after', pages.mcp)
    .action(async (options: SourceOptions) => {
      const { serveTools } = await import('./mcp-server.js');
      await serveTools(options);
    });
  withSourceOptions(mcp, help);

  for (const add of further) add(program, { help, streams, ends });

  program
    .command('completion')
    .description(help('completion'))
    .addArgument(new Argument('<shell>', help('shell')).choices(shells))
    .addHelpText('after', pages.completion)
    .action(async (shell: Shell) => {
      await streams.out(completionScript(shell, program));
    });

  return program;
}

/** `--lang` may stand before the command. Commands without the option ignore it. */
function passLanguageOn(program: Command, command: Command): void {
  const { lang } = program.opts<{ readonly lang?: Language }>();
  if (lang !== undefined) command.setOptionValue('lang', lang);
}

/** The parser's own words in its help: headings, and what an option takes. */
function headings(help: Help) {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': help('usage'),
    'Arguments:': help('arguments'),
    'Options:': help('options'),
    'Commands:': help('commands'),
  };
  const described = ({
    description,
    argChoices,
    defaultValue,
    defaultValueDescription,
  }: Option | Argument) => {
    const taken = argChoices === undefined ? [] : [`${help('choices')}: ${argChoices.join(', ')}`];
    const standard = defaultValueDescription ?? defaultValue;
    const extra = standard === undefined ? taken : [...taken, `${help('default')}: ${String(standard)}`];
    return extra.length === 0 ? description : `${description} (${extra.join(', ')})`;
  };
  return {
    styleTitle: (title: string) => titles[title] ?? title,
    optionDescription: described,
    argumentDescription: described,
  };
}
