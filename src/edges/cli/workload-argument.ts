import type { NamedWorkload } from '../../doctor/commands/command.js';
import { parseCommand } from '../../doctor/commands/parse-command.js';
import { usageText } from '../../doctor/commands/usage-text.js';
import type { Prose } from '../../engine/language/prose.js';
import { CommandFailure, exitStatus, failure } from './exit-status.js';

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
  throw failure(exitStatus.usage, 'workload-missing', {});
}
