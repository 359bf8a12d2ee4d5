import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Policy } from '../doctor/policy/policy.js';
import type { SettingProblem } from '../service/inspect/setting-problem.js';
import type { Clock } from '../service/records/process-ports.js';
import { describeProblems, loadPolicy } from '../settings/config.js';
import { loadSlack, type SlackCredentials, type SlackVariables } from '../settings/load-slack.js';

/** The kubelet brings a changed ConfigMap or Secret to a pod within about a minute. */
const everyMs = 5_000;

/** The content of files that may change while the process runs. */
interface KeptFile<Content> {
  /** The content that counts now. */
  current(): Content;
  /** When the content that counts was read. */
  readAt(): Date;
  /** Since when the files cannot be used; the last good content counts. Undefined while they can. */
  faultSince(): Date | undefined;
  /** Calls back with each changed content, once it counts. */
  onChange(listener: (content: Content) => void): void;
  close(): void;
}

interface KeepFileOptions<Content extends object> {
  /** Reads the files; undefined where none is named, so that the content never changes. */
  readonly load: (() => Content | { readonly problems: readonly SettingProblem[] }) | undefined;
  /** What was read at the start. */
  readonly loaded: Content;
  readonly messages: { readonly fault: string; readonly readable: string; readonly changed: string };
  /** What the log may state of a changed content. */
  readonly fieldsOf?: (content: Content) => object;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads files again and again, so that their changed content counts without a restart. A file that is missing
 * or wrong changes nothing: the last good content counts, and the log names each fault once.
 *
 * What a reading finds counts when the next reading finds the same. The beginning of a file that is being
 * written can be valid too: all grants of a policy, and not yet the demands that follow them.
 */
function keepFile<Content extends object>(options: KeepFileOptions<Content>): KeptFile<Content> {
  const { load, loaded, messages, fieldsOf = () => ({}), clock, log } = options;
  let content = loaded;
  let readAt = clock.now();
  let previous: object = loaded;
  let fault: { readonly problems: string; readonly since: Date } | undefined;
  const listeners: ((content: Content) => void)[] = [];
  const read = (): void => {
    const found = load?.() ?? content;
    const isSteady = isDeepStrictEqual(found, previous);
    previous = found;
    if (!isSteady) return;
    if ('problems' in found) {
      const problems = describeProblems(found.problems, 'en');
      if (problems !== fault?.problems) log.error({ problems }, messages.fault);
      fault = { problems, since: fault?.since ?? clock.now() };
      return;
    }
    if (fault !== undefined) log.info(messages.readable);
    fault = undefined;
    if (isDeepStrictEqual(found, content)) return;
    content = found;
    readAt = clock.now();
    log.info(fieldsOf(found), messages.changed);
    for (const listener of listeners) listener(found);
  };
  const timer = load === undefined ? undefined : setInterval(read, everyMs).unref();
  return {
    current: () => content,
    readAt: () => readAt,
    faultSince: () => fault?.since,
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

export type KeptPolicy = KeptFile<Policy>;

interface KeepPolicyOptions extends Pick<KeepFileOptions<Policy>, 'clock' | 'loaded' | 'log'> {
  /** Of POLICY_FILE; without one the policy never changes. */
  readonly path: string | undefined;
}

/** The policy that counts now. */
export function keepPolicy({ path, ...rest }: KeepPolicyOptions): KeptPolicy {
  return keepFile({
    ...rest,
    load: path === undefined ? undefined : () => loadPolicy(path),
    messages: {
      fault: 'the policy file has a fault; the last good policy counts',
      readable: 'the policy file is readable again',
      changed: 'the policy has changed',
    },
    fieldsOf: ({ grants }) => ({ grants: grants.length }),
  });
}

interface KeepSlackCredentialsOptions
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
