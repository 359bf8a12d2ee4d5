import type { NoteTarget } from '../doctor/alerts/alert.js';
import { AlertSettings, type SecretFrom } from '../doctor/alerts/alert-settings.js';
import { maxSettingsBytes, readSettings } from '../edges/files/read-settings.js';
import { readRegularFile } from '../edges/files/regular-file.js';
import { type Expected, type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { type Environment, givenValue } from './config-variable.js';
import { schemaProblems } from './schema-problems.js';

/** What is configured about alerts. The secrets are kept apart from the settings, which may be shown. */
export interface AlertConfig {
  readonly settings: AlertSettings;
  /** Secret of each webhook by its name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Token of each assistant by its name. No two are equal. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Signing secret of the requests of Slackbot; absent where it may not call. */
  readonly slackbotSecret?: string | undefined;
  /** Keys of the APIs that take notes. */
  readonly noteTokens?: { readonly [Sender in NoteTarget]?: string | undefined };
}

const leastSecret = 12;
/** A holder of the token sees what its person or group may see, from any host that reaches the port. */
const leastToken = 32;
/** Other text would be decoded to a shorter key, which is easier to guess. */
const signingSecret = /^whsec_[A-Za-z0-9+/]{16,200}={0,2}$/u;
const signingSecretForm = {
  en: 'the signing secret with its whsec_ in front',
  ko: 'whsec_로 시작하는 서명 시크릿',
};

/**
 * Reads ALERTS_FILE and the secrets that it points to. Without a file no webhook is served and no message is
 * read.
 *
 * @param env the process environment
 * @returns the settings, or every problem at once; a secret's value is never part of a problem
 */
export function loadAlerts(
  path: string | undefined,
  env: Environment,
): AlertConfig | { readonly problems: readonly SettingProblem[] } {
  if (path === undefined) return { settings: AlertSettings.parse({}), secrets: new Map(), tokens: new Map() };
  let content: unknown;
  try {
    content = readSettings(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { problems: [settingProblem('ALERTS_FILE', 'file-unusable', { problem })] };
  }
  const parsed = AlertSettings.safeParse(content ?? {});
  if (!parsed.success)
    return { problems: schemaProblems('ALERTS_FILE', AlertSettings, content ?? {}, parsed.error) };
  const { webhooks, assistants, slackbot, pagerduty, incidentIo } = parsed.data;
  const problems: SettingProblem[] = [];
  const read = (where: string, from: SecretFrom, least: number): string | undefined => {
    const secret = secretFrom(from, env);
    if (secret !== undefined && secret.length >= least) return secret;
    problems.push(lackingSecret(`ALERTS_FILE ${where}`, from, secret, least));
    return undefined;
  };
  const secrets = new Map<string, string>();
  for (const { name, auth } of webhooks) {
    const from = auth.type === 'bearer' ? auth.token : auth.type === 'basic' ? auth.password : auth.secret;
    const secret = read(`webhooks ${name}`, from, leastSecret);
    if (secret === undefined) continue;
    secrets.set(name, secret);
    if (auth.type === 'standard-webhooks' && !signingSecret.test(secret)) {
      problems.push(
        settingProblem(`ALERTS_FILE webhooks ${name}`, 'wrong-secret', {
          expected: signingSecretForm,
          characters: secret.length,
        }),
      );
    }
  }
  const tokens = new Map<string, string>();
  for (const { name, token: from } of assistants) {
    const where = `assistants ${name}`;
    const token = read(where, from, leastToken);
    if (token === undefined) continue;
    if ([...tokens.values()].includes(token))
      problems.push(settingProblem(`ALERTS_FILE ${where}`, 'token-repeated', {}));
    tokens.set(name, token);
  }
  const slackbotSecret = slackbot && read('slackbot', slackbot.secret, leastSecret);
  const noteTokens = {
    pagerduty: pagerduty && read('pagerduty', pagerduty.token, leastSecret),
    'incident-io': incidentIo && read('incidentIo', incidentIo.token, leastSecret),
  };
  return problems.length > 0
    ? { problems }
    : { settings: parsed.data, secrets, tokens, slackbotSecret, noteTokens };
}

function lackingSecret(
  where: string,
  from: SecretFrom,
  secret: string | undefined,
  least: number,
): SettingProblem {
  const place = placeOf(from);
  const expected = {
    en: `a secret of at least ${least} characters in ${place.en}`,
    ko: `${place.ko}에 있는 ${least}자 이상의 시크릿`,
  };
  return secret === undefined
    ? settingProblem(where, 'missing', { expected })
    : settingProblem(where, 'wrong-secret', { expected, characters: secret.length });
}

function secretFrom(from: SecretFrom, env: Environment): string | undefined {
  if ('env' in from) return givenValue(env, from.env);
  try {
    return readRegularFile(from.file, maxSettingsBytes).toString('utf8').trim();
  } catch {
    return undefined;
  }
}

function placeOf(from: SecretFrom): Expected {
  return 'env' in from
    ? { en: `the variable ${from.env}`, ko: `환경 변수 ${from.env}` }
    : { en: `the file ${from.file}`, ko: `파일 ${from.file}` };
}
