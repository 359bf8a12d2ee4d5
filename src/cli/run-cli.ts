import { Argument, Command, CommanderError, Option } from 'commander';
import { Language, languageOfEnvironment } from '../core/language/language.js';
import { type Prose, plain } from '../core/language/prose.js';
import { untrusted } from '../core/redaction/untrusted.js';
import { version } from '../version.js';
import { type CheckOptions, checkCommand, checkOutputs } from './check-command.js';
import { cliText } from './cli-text.js';
import { completionScript, type Shell, shells } from './completion-scripts.js';
import { type DiagnoseOptions, diagnoseCommand } from './diagnose-command.js';
import { type DoctorOptions, doctorCommand, doctorOutputs, inspectedParts } from './doctor-command.js';
import { CommandFailure, exitStatus } from './exit-status.js';
import { explainCommand } from './explain-command.js';
import type { Streams } from './output.js';
import { type ScanOptions, scanCommand } from './scan-command.js';
import {
  languageOption,
  nonEmpty,
  type PrintOptions,
  withPrintOptions,
  withSourceOptions,
} from './shared-options.js';
import { usageProblem } from './usage-problem.js';

/** Characters of a line that ends a command. The line may quote the name or the text of a file. */
const maxMessage = 4_000;

const examples = `
Examples:
  rollout-doctor diagnose ml/inference
  rollout-doctor explain "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."

Exit status: 0 no finding above informational, 1 a finding, 2 wrong usage, 3 could not read the objects.
rollout-doctor help <command> shows the options and examples of each.`;

const diagnoseExamples = `
Examples:
  rollout-doctor diagnose ml/inference
  rollout-doctor diagnose deploy/inference -n ml --output json
  rollout-doctor diagnose shop/api --from ./incident --at 2026-11-20T09:30:00Z`;

const scanExamples = `
Examples:
  rollout-doctor scan -n shop
  rollout-doctor scan -A --context prod-eu --output json
  kubectl get deploy,sts,ds,rs,controllerrevisions,pods,events -A -o json > all.json
  kubectl get nodes -o json > nodes.json; rollout-doctor scan --from .

JSON is { apiVersion: "rollout-doctor/v1", kind: "DiagnosisList", items: [Diagnosis] }, every workload, worst first.`;

const checkExamples = `
Examples:
  rollout-doctor check -f deploy/ --against prod-eu
  kustomize build overlays/prod | rollout-doctor check -f - --against ./recorded
  rollout-doctor check -f web.yaml -o github     annotations in GitHub Actions
  rollout-doctor check -f web.yaml -o sarif      for code scanning

Fields that a manifest omits keep their value in the cluster, as with kubectl apply. Each workload is checked separately.
Exit status: 0 every update completes, 1 an update would deadlock, get stuck or be rejected, 2 wrong usage, 3 an
outcome could not be determined.`;

const doctorExamples = `
Examples:
  rollout-doctor doctor
  rollout-doctor doctor --only kubernetes --context prod-eu -n shop

Reads the same environment variables as the app and the workers. Changes nothing.
Exit status: 0 every check passed, 1 a setting or permission is missing, 2 wrong usage, 3 a check got no answer.`;

const completionExamples = `
Examples:
  source <(rollout-doctor completion bash)
  rollout-doctor completion zsh > "\${fpath[1]}/_rollout-doctor"
  rollout-doctor completion fish > ~/.config/fish/completions/rollout-doctor.fish`;

const explainExamples = `
Examples:
  rollout-doctor explain "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
  kubectl get events -A --field-selector reason=FailedScheduling -o json \\
    | jq -r '.items[].message' | rollout-doctor explain --output json

JSON is one object per sentence, one per line: { nodes, feasible, reasons: [{ reason, count, text, detail }],
preemption: { reasons: [{ reason, count, text }], text } }.`;

/**
 * Runs the command line.
 *
 * @param args without program and script
 * @returns the exit status
 */
export async function runCli(args: readonly string[], streams: Streams): Promise<number> {
  let status: number = exitStatus.nothing;
  const program = createProgram(streams, (ended) => {
    status = ended;
  });
  const language = languageIn(args);
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
    const message = error instanceof Error ? error.message : String(error);
    report(cliText[language]['failed-inside']({ message }));
    return exitStatus.unseen;
  }
}

/** The language of errors, also where the parser refuses the other arguments. */
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

function createProgram(streams: Streams, ends: (status: number) => void): Command {
  const program = new Command('rollout-doctor')
    .description('Find out why a Kubernetes rollout is stuck, with proof and a fix')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', examples)
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.err, outputError: () => undefined });

  const diagnose = program
    .command('diagnose')
    .description('diagnose one workload')
    .argument('<workload...>', '[cluster/]namespace/name, or kind/name with --namespace')
    .option('-n, --namespace <namespace>', 'namespace of the workload', nonEmpty)
    .option('-w, --watch', 'diagnose again every 5 s and print changes, until the problem is gone')
    .option('--evidence', 'list the observed values behind each finding (text output)')
    .addHelpText('after', diagnoseExamples)
    .action(async (words: string[], options: DiagnoseOptions) => {
      ends(await diagnoseCommand(words, options, streams));
    });
  withPrintOptions(withSourceOptions(diagnose));

  const scan = program
    .command('scan')
    .description('diagnose every workload of a namespace or cluster, worst first')
    .option('-n, --namespace <namespace>', 'only this namespace', nonEmpty)
    .option('-A, --all-namespaces', 'all namespaces (default with --from)')
    .addHelpText('after', scanExamples)
    .action(async (options: ScanOptions) => {
      ends(await scanCommand(options, streams));
    });
  withPrintOptions(withSourceOptions(scan));

  program
    .command('check')
    .description('check whether an update would deadlock, before you merge it')
    .requiredOption('-f, --filename <paths...>', 'manifests: files, folders, - for standard input')
    .option(
      '--against <context|path>',
      'the current cluster: a kubeconfig context (default: the current one), or recorded objects',
      nonEmpty,
    )
    .option('-n, --namespace <namespace>', 'namespace of manifests without one', nonEmpty)
    .option('--at <time>', 'time of the check (RFC3339), with recorded objects', nonEmpty)
    .option('--kubeconfig <path>', 'kubeconfig to use (default: as kubectl)', nonEmpty)
    .addOption(new Option('-o, --output <format>', 'output format').choices(checkOutputs).default('text'))
    .addOption(languageOption())
    .addHelpText('after', checkExamples)
    .action(async (options: CheckOptions) => {
      ends(await checkCommand(options, streams));
    });

  const explain = program
    .command('explain')
    .description('explain a message of the scheduler or autoscaler')
    .argument('[sentence...]', 'the message (default: one per line on standard input)')
    .addHelpText('after', explainExamples)
    .action(async (words: string[], options: PrintOptions) => {
      ends(await explainCommand(words, options, streams));
    });
  withPrintOptions(explain);

  program
    .command('doctor')
    .description('check settings, Redis, Slack and clusters')
    .addOption(new Option('--only <parts...>', 'check only these parts').choices(inspectedParts))
    .option('-n, --namespace <namespace>', 'check permissions in this namespace (default: all)', nonEmpty)
    .option('--kubeconfig <path>', 'kubeconfig to use (default: KUBECONFIG, or as kubectl)', nonEmpty)
    .option('--context <name>', 'only this context (default: CLUSTERS, or all)', nonEmpty)
    .addOption(new Option('-o, --output <format>', 'output format').choices(doctorOutputs).default('text'))
    .addOption(languageOption())
    .addHelpText('after', doctorExamples)
    .action(async (options: DoctorOptions) => {
      ends(await doctorCommand(options, streams, process.env));
    });

  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', completionExamples)
    .action(async (shell: Shell) => {
      await streams.out(completionScript(shell, program));
    });

  return program;
}
