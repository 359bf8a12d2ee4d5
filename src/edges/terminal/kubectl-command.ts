import { pausesPath } from '../../doctor/fixes/kinds/promote-rollout.js';
import type { Plan } from '../../doctor/fixes/plan.js';
import type { Remediation } from '../../doctor/fixes/remediation.js';
import { hasSteps } from '../../engine/objects/workload.js';
import { isNamedKind } from '../../engine/parents/parent-resource.js';

/**
 * The commands that make the change of a remediation by hand; none where the change cannot be made any more.
 */
export type CommandsFor = (remediation: Remediation) => readonly string[];

/** Where kubectl finds the cluster; left out: where it finds it by itself. */
export type KubectlTarget = { readonly kubeconfig?: string; readonly context?: string };

/**
 * The commands for the change that an approval of the plan would send, made of the same patch. A person who
 * types them has no preconditions: kubectl changes the object as it is by then.
 *
 * @returns one line each, safe to paste into a shell; none when a name holds characters that a terminal would
 *   hide
 */
export function kubectlCommands(
  { target, request, changes, afterwards }: Plan,
  remediation: Remediation,
  { kubeconfig, context }: KubectlTarget,
): readonly string[] {
  const { kind, namespace, name } = target;
  const object = `${kind.toLowerCase()}/${name}`;
  const cluster = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
    '-n',
    namespace,
  ];
  /** kubectl reads no flag before the name of a plug-in. */
  const argo = (...words: readonly string[]): string =>
    ['kubectl', 'argo', 'rollouts', ...words, ...cluster].map(shellWord).join(' ');
  const kubectl = (...words: readonly string[]): string =>
    ['kubectl', ...cluster, ...words].map(shellWord).join(' ');
  const commands = [firstStep(), ...secondStep()];
  return commands.some((command) => command === undefined || unprintable.test(command))
    ? []
    : commands.filter((command) => command !== undefined);

  function firstStep(): string | undefined {
    switch (request.verb) {
      case 'patch': {
        const [change] = changes;
        if (request.subresource === 'scale') {
          return kubectl(
            'scale',
            object,
            `--current-replicas=${String(change?.before)}`,
            `--replicas=${String(change?.after)}`,
          );
        }
        if (request.subresource === 'status') {
          if (change?.path === pausesPath) return argo('promote', name);
          return argo(...(change?.after === true ? ['abort', name] : ['retry', 'rollout', name]));
        }
        return kubectl('patch', object, `--type=${request.patchType}`, '-p', JSON.stringify(request.body));
      }
      case 'delete':
        return kubectl('delete', object);
      case 'restart':
        // kubectl restarts no object that a controller makes workloads of.
        if (isNamedKind(kind)) return undefined;
        return hasSteps({ kind }) ? argo('restart', name) : kubectl('rollout', 'restart', object);
      case 'restore-template':
        if (remediation.kind !== 'undo-rollout') return undefined;
        return hasSteps({ kind })
          ? argo('undo', name, `--to-revision=${remediation.toRevision}`)
          : kubectl('rollout', 'undo', object, `--to-revision=${remediation.toRevision}`);
    }
  }

  function secondStep(): readonly string[] {
    return afterwards === undefined
      ? []
      : [kubectl('delete', 'pod', ...afterwards.pods.map((pod) => pod.name))];
  }
}

/** Characters that a terminal acts on or hides: a command with them is not what it seems. */
const unprintable = /[\p{Cc}\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;

/** One word of a POSIX shell. Names of recorded objects are foreign text. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
