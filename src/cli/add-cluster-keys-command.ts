import { clusterKeysOf } from '../adapters/signing/cluster-keys.js';
import { ApprovalKeys } from '../approval-keys.js';
import { clusterName } from '../core/cluster/cluster-name.js';
import type { Language } from '../core/language/language.js';
import { givenValue } from '../environment.js';
import type { AddCommand } from './create-program.js';
import { exitStatus, failure } from './exit-status.js';
import { helpPages } from './help-pages.js';
import { languageOption } from './shared-options.js';

/** Adds `cluster-keys`: prints `APPROVAL_KEYS` for the workers of one cluster, from those of the app. */
export const addClusterKeysCommand: AddCommand = (program, { help, streams, ends }) => {
  program
    .command('cluster-keys')
    .description(help('cluster-keys'))
    .argument('<cluster>', help('cluster-keys-cluster'))
    .addOption(languageOption(help))
    .addHelpText('after', helpPages(help)['cluster-keys'])
    .action(async (cluster: string, _options: { lang: Language }) => {
      const keys = ApprovalKeys.safeParse(givenValue(process.env, 'APPROVAL_KEYS'));
      if (!keys.success) throw failure(exitStatus.usage, 'approval-keys-unusable', {});
      if (!clusterName.test(cluster))
        throw failure(exitStatus.usage, 'cluster-name-invalid', { name: cluster });
      const derived = clusterKeysOf(keys.data, cluster).map(
        ({ id, secret }) => `${id}:${Buffer.from(secret).toString('base64')}`,
      );
      await streams.out(`${derived.join(',')}\n`);
      ends(exitStatus.nothing);
    });
};
