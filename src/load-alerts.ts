import { AlertSettings, type SecretFrom } from './core/alert/alert-settings.js';
import { type Environment, givenValue } from './environment.js';
import { maxSettingsBytes, readSettings } from './read-settings.js';
import { readRegularFile } from './regular-file.js';
import { schemaProblems } from './schema-problems.js';
import { type Expected, type SettingProblem, settingProblem } from './usecases/inspect/setting-problem.js';

/** What is configured about alerts. The secrets are kept apart from the settings, which may be shown. */
export interface AlertConfig {
  readonly settings: AlertSettings;
  /** Secret of each webhook by its name. */
  readonly secrets: ReadonlyMap<string, string>;
}

const leastSecret = 12;

/**
 * Reads ALERTS_FILE and the secrets that it points to. Without a file no webhook is served and no message is read.
 *
 * @param env the process environment
 * @returns the settings, or every problem at once; a secret's value is never part of a problem
 */
export function loadAlerts(
  path: string | undefined,
  env: Environment,
): AlertConfig | { readonly problems: readonly SettingProblem[] } {
  if (path === undefined) return { settings: AlertSettings.parse({}), secrets: new Map() };
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
  const problems: SettingProblem[] = [];
  const secrets = new Map<string, string>();
  for (const { name, auth } of parsed.data.webhooks) {
    const from = auth.type === 'bearer' ? auth.token : auth.type === 'basic' ? auth.password : auth.secret;
    const secret = secretFrom(from, env);
    if (secret !== undefined && secret.length >= leastSecret) secrets.set(name, secret);
    else {
      const where = `ALERTS_FILE webhooks ${name}`;
      const place = placeOf(from);
      const expected = {
        en: `a secret of at least ${leastSecret} characters in ${place.en}`,
        ko: `${place.ko}에 있는 ${leastSecret}자 이상의 시크릿`,
      };
      problems.push(
        secret === undefined
          ? settingProblem(where, 'missing', { expected })
          : settingProblem(where, 'wrong', { expected, found: `${secret.length} characters` }),
      );
    }
  }
  return problems.length > 0 ? { problems } : { settings: parsed.data, secrets };
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
