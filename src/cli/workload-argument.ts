import { parseCommand } from '../core/command/parse-command.js';
import { usageText } from '../core/command/usage-text.js';
import { type Prose, plain } from '../core/language/prose.js';
import type { WorkloadQuery } from '../usecases/diagnose/cluster-reader.js';
import { CommandFailure, exitStatus } from './exit-status.js';

/**
 * Reads a workload as the slash command does: `ml/inference`, `deploy/inference` with a namespace, and so on.
 *
 * @throws CommandFailure with the reason, status 2
 */
export function workloadArgument(words: readonly string[], namespace: string | undefined): WorkloadQuery {
  const option = namespace === undefined ? '' : ` -n ${namespace}`;
  const command = parseCommand(`diagnose ${words.join(' ')}${option}`);
  if (command.type === 'diagnose') return command.query;
  if (command.type === 'usage') {
    const tell = usageText.en[command.problem.key] as (values: unknown) => Prose;
    throw new CommandFailure(exitStatus.usage, plain(tell(command.problem.values)));
  }
  throw new CommandFailure(
    exitStatus.usage,
    'Name one workload, such as ml/inference or deploy/inference -n ml.',
  );
}
