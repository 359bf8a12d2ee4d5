import type { z } from 'zod';
import { readNamedFile } from '../edges/files/read-settings.js';
import { type Expected, type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { slackVariables } from './config-variables.js';

/** What Slack gave to the app. The values are secrets. */
export interface SlackCredentials {
  readonly botToken: string;
  /** For Socket Mode. */
  readonly appToken?: string | undefined;
  /** For HTTP. */
  readonly signingSecret?: string | undefined;
}

/** Variables of Slack, as they were read; absent where the value was wrong. */
export type SlackVariables = {
  readonly [Key in keyof typeof slackVariables]?:
    | z.output<(typeof slackVariables)[Key]['schema']>
    | undefined;
};

const sources = [
  { credential: 'botToken', value: 'slackBotToken', file: 'slackBotTokenFile', neededIn: undefined },
  { credential: 'appToken', value: 'slackAppToken', file: 'slackAppTokenFile', neededIn: 'socket' },
  {
    credential: 'signingSecret',
    value: 'slackSigningSecret',
    file: 'slackSigningSecretFile',
    neededIn: 'http',
  },
] as const;

type Source = (typeof sources)[number];

/**
 * Takes the credentials of Slack from the variables and from the files that they name. Blanks around the
 * content of a file are not part of it.
 *
 * @param isGiven whether a variable has a value, also a wrong one, which is reported elsewhere
 * @returns the credentials, or every problem at once; a secret is never part of a problem
 */
export function loadSlack(
  variables: SlackVariables,
  isGiven: (name: string) => boolean = () => false,
): SlackCredentials | { readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const found: { -readonly [Key in keyof SlackCredentials]?: string | undefined } = {};
  for (const source of sources) {
    const { credential, value, file, neededIn } = source;
    const { name, expects } = slackVariables[value];
    const path = variables[file];
    if (path === undefined) {
      found[credential] = variables[value];
      const isNeeded = neededIn === undefined || neededIn === variables.slackMode;
      if (isNeeded && found[credential] === undefined && !isGiven(name)) {
        problems.push(settingProblem(name, 'missing', { expected: sinceMode(expects, neededIn) }));
      }
    } else if (isGiven(name)) {
      problems.push(settingProblem(slackVariables[file].name, 'set-twice', { other: name }));
    } else {
      const read = readCredential(source, path);
      if (typeof read === 'string') found[credential] = read;
      else problems.push(read);
    }
  }
  const { botToken, ...others } = found;
  return problems.length > 0 || botToken === undefined ? { problems } : { botToken, ...others };
}

function readCredential({ value, file }: Source, path: string): string | SettingProblem {
  const { expects, schema } = slackVariables[value];
  const { name } = slackVariables[file];
  try {
    const text = readNamedFile(path).toString('utf8').trim();
    return (
      schema.safeParse(text).data ??
      settingProblem(name, 'wrong-secret', { expected: expects, characters: text.length })
    );
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return settingProblem(name, 'file-unusable', { problem });
  }
}

function sinceMode({ en, ko }: Expected, mode: Source['neededIn']): Expected {
  if (mode === undefined) return { en, ko };
  return { en: `${en}, since SLACK_MODE is ${mode}`, ko: `${ko}(SLACK_MODE: ${mode})` };
}

/** The variable that an operator set for a credential. */
export function variableOf(credential: keyof SlackCredentials, variables: SlackVariables): string {
  const { value, file } = sourceOf(credential);
  return slackVariables[variables[file] === undefined ? value : file].name;
}

/** One credential by itself, so that it can be used while another is not set up; wrong counts as unset. */
export function credentialIn(
  credential: keyof SlackCredentials,
  variables: SlackVariables,
): string | undefined {
  const source = sourceOf(credential);
  const path = variables[source.file];
  if (path === undefined) return variables[source.value];
  const read = readCredential(source, path);
  return typeof read === 'string' ? read : undefined;
}

function sourceOf(credential: keyof SlackCredentials): Source {
  const source = sources.find((each) => each.credential === credential);
  if (source === undefined) throw new Error('every credential has a source');
  return source;
}
