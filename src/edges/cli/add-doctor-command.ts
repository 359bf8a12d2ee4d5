import { Option } from 'commander';
import type { AddCommand } from './create-program.js';
import type { DoctorCommandOptions } from './doctor-command.js';
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
