import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { languages } from '../core/language/language.js';
import { type DiagnoseOptions, diagnoseCommand } from './diagnose-command.js';
import { CommandFailure, exitStatus } from './exit-status.js';
import { outputs, type Streams } from './output.js';

const examples = `
Examples:
  rollout-doctor diagnose ml/inference
  rollout-doctor diagnose deploy/inference -n ml --output json
  rollout-doctor diagnose shop/api --from ./incident --at 2026-11-20T09:30:00Z

Exit status: 0 nothing found above informational, 1 something found, 2 wrong usage, 3 could not look.`;

/**
 * Runs the command line.
 *
 * @param args without program and script
 * @returns the exit status
 */
export async function runCli(args: readonly string[], streams: Streams): Promise<number> {
  let status: number = exitStatus.nothing;
  const program = new Command('rollout-doctor')
    .description('Proves why a Kubernetes rollout is stuck, and what would free it')
    .addHelpText('after', examples)
    .showHelpAfterError('(rollout-doctor --help shows how)')
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.err });

  program
    .command('diagnose')
    .description('diagnose one workload')
    .argument('<workload...>', '[cluster/]namespace/name, or kind/name with --namespace')
    .option('-n, --namespace <namespace>', 'namespace of the workload')
    .option(
      '--from <path>',
      'recorded objects in place of a cluster: a file or folder of kubectl get -o json|yaml',
    )
    .option('--at <time>', 'the moment to diagnose for (RFC3339); by default the newest one recorded')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputs).default('text'))
    .addOption(new Option('--lang <language>', 'language of the text').choices(languages).default('en'))
    .option('--kubeconfig <path>', 'kubeconfig to use', nonEmpty)
    .option('--context <name>', 'context to use', nonEmpty)
    .action(async (words: string[], options: DiagnoseOptions) => {
      status = await diagnoseCommand(words, options, streams);
    });

  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommandFailure) {
      streams.err(`${error.message}\n`);
      return error.status;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.nothing : exitStatus.usage;
    const message = error instanceof Error ? error.message : String(error);
    streams.err(`Rollout Doctor failed by itself: ${message}\n`);
    return exitStatus.unseen;
  }
}

function nonEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('it is empty.');
  return value;
}
