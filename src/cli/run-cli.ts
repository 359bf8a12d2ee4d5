import { Argument, Command, CommanderError, Option } from 'commander';
import { untrusted } from '../core/redaction/untrusted.js';
import { type CheckOptions, checkCommand, checkOutputs } from './check-command.js';
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

/** Characters of a line that ends a command. It may quote a file's name or its text. */
const maxMessage = 4_000;

const examples = `
Examples:
  rollout-doctor diagnose ml/inference
  rollout-doctor explain "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."

Exit status: 0 nothing found above informational, 1 something found, 2 wrong usage, 3 could not look.
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

What a manifest leaves out stays as it is in the cluster, as kubectl apply does it. Each workload is checked by itself.
Exit status: 0 every update gets through, 1 one would deadlock, get stuck or be refused, 2 wrong usage, 3 it could not
be told.`;

const doctorExamples = `
Examples:
  rollout-doctor doctor
  rollout-doctor doctor --only kubernetes --context prod-eu -n shop

Reads the same environment variables as the app and the workers. Changes nothing.
Exit status: 0 nothing is missing, 1 something is, 2 wrong usage, 3 something could not be asked.`;

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

JSON is one object a sentence, one a line: { nodes, feasible, reasons: [{ reason, count, text, detail }],
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
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommandFailure) {
      streams.err(`${untrusted(error.message, maxMessage)}\n`);
      return error.status;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.nothing : exitStatus.usage;
    const message = error instanceof Error ? error.message : String(error);
    streams.err(`Rollout Doctor failed by itself: ${untrusted(message, maxMessage)}\n`);
    return exitStatus.unseen;
  }
}

function createProgram(streams: Streams, ends: (status: number) => void): Command {
  const program = new Command('rollout-doctor')
    .description('Proves why a Kubernetes rollout is stuck, and what would free it')
    .addHelpText('after', examples)
    .showHelpAfterError('(rollout-doctor --help shows how)')
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.err });

  const diagnose = program
    .command('diagnose')
    .description('diagnose one workload')
    .argument('<workload...>', '[cluster/]namespace/name, or kind/name with --namespace')
    .option('-n, --namespace <namespace>', 'namespace of the workload', nonEmpty)
    .addHelpText('after', diagnoseExamples)
    .action(async (words: string[], options: DiagnoseOptions) => {
      ends(await diagnoseCommand(words, options, streams));
    });
  withPrintOptions(withSourceOptions(diagnose));

  const scan = program
    .command('scan')
    .description('diagnose every workload of a namespace or cluster, worst first')
    .option('-n, --namespace <namespace>', 'only this namespace', nonEmpty)
    .option('-A, --all-namespaces', 'all namespaces (with --from the default)')
    .addHelpText('after', scanExamples)
    .action(async (options: ScanOptions) => {
      ends(await scanCommand(options, streams));
    });
  withPrintOptions(withSourceOptions(scan));

  program
    .command('check')
    .description('tell whether an update would deadlock, before it is merged')
    .requiredOption('-f, --filename <paths...>', 'manifests: files, folders, - for standard input')
    .option(
      '--against <context|path>',
      'the cluster as it is: a kubeconfig context (by default the current one), or recorded objects',
      nonEmpty,
    )
    .option('-n, --namespace <namespace>', 'namespace of manifests that name none', nonEmpty)
    .option('--at <time>', 'the moment to look from (RFC3339), with recorded objects', nonEmpty)
    .option('--kubeconfig <path>', 'kubeconfig to use; by default as kubectl does', nonEmpty)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(checkOutputs).default('text'))
    .addOption(languageOption())
    .addHelpText('after', checkExamples)
    .action(async (options: CheckOptions) => {
      ends(await checkCommand(options, streams));
    });

  const explain = program
    .command('explain')
    .description('say in plain words what a scheduler or autoscaler means')
    .argument('[sentence...]', 'the message; without it, one a line on standard input')
    .addHelpText('after', explainExamples)
    .action(async (words: string[], options: PrintOptions) => {
      ends(await explainCommand(words, options, streams));
    });
  withPrintOptions(explain);

  program
    .command('doctor')
    .description('tell what works and what is missing: settings, Redis, Slack, clusters')
    .addOption(new Option('--only <parts...>', 'look at these parts only').choices(inspectedParts))
    .option('-n, --namespace <namespace>', 'ask for rights in this namespace; by default in all', nonEmpty)
    .option('--kubeconfig <path>', 'kubeconfig to use; by default KUBECONFIG or as kubectl does', nonEmpty)
    .option('--context <name>', 'only this context; by default CLUSTERS or all of them', nonEmpty)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(doctorOutputs).default('text'))
    .addOption(languageOption())
    .addHelpText('after', doctorExamples)
    .action(async (options: DoctorOptions) => {
      ends(await doctorCommand(options, streams, process.env));
    });

  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell it is for').choices(shells))
    .addHelpText('after', completionExamples)
    .action(async (shell: Shell) => {
      await streams.out(completionScript(shell, program));
    });

  return program;
}
