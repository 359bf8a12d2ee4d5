import { parseOneYaml, YamlError } from './parse-yaml.js';
import { FileError, readRegularFile } from './regular-file.js';

/** Bytes of a file of settings or credentials: a policy, a kubeconfig, a certificate, a token. */
export const maxSettingsBytes = 1024 * 1024;

/**
 * The one YAML document of a file, undefined when it holds none.
 *
 * @throws Error whose message names the file and says why it cannot be used
 */
export function readSettings(path: string): unknown {
  const text = readNamedFile(path).toString('utf8');
  try {
    return parseOneYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const place = error.line === undefined ? '' : `, line ${error.line}, column ${error.column}`;
    throw new Error(`${path}${place}: ${error.message}`, { cause: error });
  }
}

/** What is wrong with a setting: where it is, what was expected, and what was found unless that is secret. */
export interface SettingProblem {
  readonly where: string;
  readonly expected: string;
  readonly found?: string;
}

/** Problems of one file, and characters of each, that are worth a person's time. */
const maxProblems = 20;
const maxExpected = 400;

/** @param variable that names the file */
export function settingProblems(
  variable: string,
  {
    issues,
  }: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] },
): readonly SettingProblem[] {
  return issues.slice(0, maxProblems).map(({ path, message }) => ({
    where: `${variable} ${path.map(String).join('.')}`.trim().slice(0, maxExpected),
    expected: message.length > maxExpected ? `${message.slice(0, maxExpected)}…` : message,
  }));
}

/** The bytes of a file that settings name. @throws Error whose message names the file */
export function readNamedFile(path: string): Buffer {
  try {
    return readRegularFile(path, maxSettingsBytes);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new Error(`${path}: ${error.message}`, { cause: error });
  }
}
