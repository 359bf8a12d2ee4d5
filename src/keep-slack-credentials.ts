import { type KeepFileOptions, type KeptFile, keepFile } from './keep-file.js';
import { loadSlack, type SlackCredentials, type SlackVariables } from './load-slack.js';

export interface KeepSlackCredentialsOptions
  extends Pick<KeepFileOptions<SlackCredentials>, 'clock' | 'loaded' | 'log'> {
  /** Those that the process was started with. */
  readonly variables: SlackVariables;
}

/** The credentials that count now; they never change where no variable names a file. */
export function keepSlackCredentials({
  variables,
  ...rest
}: KeepSlackCredentialsOptions): KeptFile<SlackCredentials> {
  const { slackBotTokenFile, slackAppTokenFile, slackSigningSecretFile } = variables;
  const hasFile = [slackBotTokenFile, slackAppTokenFile, slackSigningSecretFile].some(
    (path) => path !== undefined,
  );
  return keepFile({
    ...rest,
    load: hasFile ? () => loadSlack(variables) : undefined,
    messages: {
      fault: 'a file of a Slack credential has a fault; the last good credentials count',
      readable: 'the files of the Slack credentials are readable again',
      changed: 'the Slack credentials have changed',
    },
  });
}
