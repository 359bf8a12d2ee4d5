import type { z } from 'zod';
import { readNamedFile } from '../edges/files/read-settings.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { loginVariables } from './config-variables.js';

/** The company's login, as far as this process may use it. */
export interface LoginSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecretFile: string;
  readonly baseUrl: string;
  readonly personClaim: string;
  readonly maxAgeSeconds: number;
  readonly acr: readonly string[];
}

/** As they were read; absent where the value was wrong. */
type LoginVariables = {
  readonly [Key in keyof typeof loginVariables]?:
    | z.output<(typeof loginVariables)[Key]['schema']>
    | undefined;
};

const needed = ['loginIssuer', 'loginClientId', 'loginClientSecretFile', 'loginBaseUrl'] as const;

/**
 * Takes the settings of the login together.
 *
 * @param isGiven whether a variable has a value, also a wrong one, which is reported elsewhere
 * @returns undefined where none is set
 */
export function loadLogin(
  variables: LoginVariables,
  isGiven: (name: string) => boolean,
): LoginSettings | undefined | { readonly problems: readonly SettingProblem[] } {
  if (needed.every((key) => !isGiven(loginVariables[key].name))) return undefined;
  const problems = needed
    .map((key) => loginVariables[key])
    .filter(({ name }) => !isGiven(name))
    .map(({ name, expects }) => settingProblem(name, 'missing', { expected: expects }));
  const { loginIssuer, loginClientId, loginClientSecretFile, loginBaseUrl } = variables;
  const { loginPersonClaim, loginMaxAgeSeconds, loginAcr } = variables;
  if (loginClientSecretFile !== undefined) {
    const problem = problemOf(loginClientSecretFile);
    if (problem !== undefined) problems.push(problem);
  }
  const isComplete =
    loginIssuer !== undefined &&
    loginClientId !== undefined &&
    loginClientSecretFile !== undefined &&
    loginBaseUrl !== undefined &&
    loginPersonClaim !== undefined &&
    loginMaxAgeSeconds !== undefined &&
    loginAcr !== undefined;
  if (problems.length > 0 || !isComplete) return { problems };
  return {
    issuer: loginIssuer,
    clientId: loginClientId,
    clientSecretFile: loginClientSecretFile,
    baseUrl: loginBaseUrl,
    personClaim: loginPersonClaim,
    maxAgeSeconds: loginMaxAgeSeconds,
    acr: loginAcr,
  };
}

/** Blanks around the content of the file are not part of the secret. */
export function readClientSecret(path: string): string {
  return readNamedFile(path).toString('utf8').trim();
}

function problemOf(path: string): SettingProblem | undefined {
  const { name, expects } = loginVariables.loginClientSecretFile;
  try {
    return readClientSecret(path) === ''
      ? settingProblem(name, 'wrong-secret', { expected: expects, characters: 0 })
      : undefined;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return settingProblem(name, 'file-unusable', { problem });
  }
}
