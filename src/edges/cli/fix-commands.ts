import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { PureEngine } from '../../service/create-engine.js';
import type { CommandsFor, KubectlTarget } from '../terminal/kubectl-command.js';
import { kubectlCommands, shellWord } from '../terminal/kubectl-command.js';
import { computeWithin } from './compute-within.js';
import type { SourceOptions } from './shared-options.js';

/**
 * The kubectl commands of each fix of a diagnosis, planned against the snapshot as a review in Slack would
 * plan it.
 */
export function fixCommands(
  engine: Pick<PureEngine, 'plan'>,
  snapshot: Snapshot,
  target: KubectlTarget,
): CommandsFor {
  const { namespace, name } = snapshot.workload.metadata;
  return (remediation) => {
    const plan = computeWithin(`${namespace}/${name}`, () => engine.plan(remediation, snapshot));
    return plan.type === 'plan' ? kubectlCommands(plan, remediation, target) : [];
  };
}

/** The options with which kubectl reaches the cluster that was diagnosed. */
export function kubectlTarget({ from, kubeconfig, context }: SourceOptions): KubectlTarget {
  if (from !== undefined) return {};
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** The same options again, for a command that a person is advised to run next: it reads in the same place. */
export function sourceWords({ from, at, kubeconfig, context }: SourceOptions): string {
  const given = { from, at, kubeconfig, context };
  return Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [` --${name} ${shellWord(value)}`]))
    .join('');
}
