import { Option } from 'commander';
import type { Language } from '../../engine/language/language.js';
import { clusterName } from '../../engine/objects/metadata.js';
import { givenValue } from '../../settings/config-variable.js';
import type { ApprovalKey } from '../signing/cluster-keys.js';
import type { AddCommand } from './create-program.js';
import type { DoctorCommandOptions } from './doctor-command.js';
import { exitStatus, failure } from './exit-status.js';
import { helpPages } from './help-pages.js';
import { doctorOutputs, inspectedParts, languageOption, nonEmpty } from './shared-options.js';

/** Adds `doctor`, which needs the clients of Slack and Redis. */
export const addDoctorCommand: AddCommand = (program, { help, streams, ends }) => {
  program
    .command('doctor')
    .description(help('doctor'))
    .addOption(new Option('--only <parts...>', help('only')).choices(inspectedParts))
    .option('-n, --namespace <namespace>', help('namespace-of-permissions'), nonEmpty)
    .option('--kubeconfig <path>', help('kubeconfig-doctor'), nonEmpty)
    .option('--context <name>', help('context-doctor'), nonEmpty)
    .addOption(new Option('-o, --output <format>', help('output')).choices(doctorOutputs).default('text'))
    .addOption(languageOption(help))
    .addHelpText('after', helpPages(help).doctor)
    .action(async (options: DoctorCommandOptions) => {
      const { doctorCommand } = await import('./doctor-command.js');
      ends(await doctorCommand(options, streams, process.env));
    });
};

/** Adds `cluster-keys` and `answer-keys`: they print the keys of workers, derived from those of the app. */
export const addClusterKeysCommand: AddCommand = (program, { help, streams, ends }) => {
  const print = async (keys: readonly ApprovalKey[]): Promise<void> => {
    const lines = keys.map(({ id, secret }) => `${id}:${Buffer.from(secret).toString('base64')}`);
    await streams.out(`${lines.join(',')}\n`);
    ends(exitStatus.nothing);
  };
  program
    .command('cluster-keys')
    .description(help('cluster-keys'))
    .argument('<cluster>', help('cluster-keys-cluster'))
    .addOption(languageOption(help))
    .addHelpText('after', helpPages(help)['cluster-keys'])
    .action(async (cluster: string, _options: { lang: Language }) => {
      const { clusterKeysOf } = await import('../signing/cluster-keys.js');
      await print(clusterKeysOf(await givenKeys(), checkedName(cluster)));
    });
  program
    .command('answer-keys')
    .description(help('answer-keys'))
    .argument('[cluster]', help('answer-keys-cluster'))
    .addOption(languageOption(help))
    .addHelpText('after', helpPages(help)['answer-keys'])
    .action(async (cluster: string | undefined, _options: { lang: Language }) => {
      const { answerKeysOf, clusterAnswerKeysOf } = await import('../signing/cluster-keys.js');
      const keys = answerKeysOf(await givenKeys());
      await print(cluster === undefined ? keys : clusterAnswerKeysOf(keys, checkedName(cluster)));
    });
};

/** Those of the app. */
async function givenKeys(): Promise<readonly ApprovalKey[]> {
  const { ApprovalKeys } = await import('../signing/cluster-keys.js');
  const keys = ApprovalKeys.safeParse(givenValue(process.env, 'APPROVAL_KEYS'));
  if (!keys.success) throw failure(exitStatus.usage, 'approval-keys-unusable');
  return keys.data;
}

function checkedName(cluster: string): string {
  if (!clusterName.test(cluster)) throw failure(exitStatus.usage, 'cluster-name-invalid', { name: cluster });
  return cluster;
}
