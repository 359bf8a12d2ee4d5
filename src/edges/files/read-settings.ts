import { InputError, placeOfYaml } from '../../doctor/input/input-error.js';
import { parseOneYaml, YamlError } from './parse-yaml.js';
import { FileError, readRegularFile } from './regular-file.js';

/** Bytes of a file of settings or credentials: a policy, a kubeconfig, a certificate, a token. */
export const maxSettingsBytes = 1024 * 1024;

/**
 * The one YAML document of a file, undefined when it holds none.
 *
 * @throws InputError
 */
export function readSettings(path: string): unknown {
  const text = readNamedFile(path).toString('utf8');
  try {
    return parseOneYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new InputError(path, placeOfYaml(error), error.fault, { cause: error });
  }
}

/** The bytes of a file that settings name. @throws InputError */
export function readNamedFile(path: string): Buffer {
  try {
    return readRegularFile(path, maxSettingsBytes);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new InputError(path, undefined, error.fault, { cause: error });
  }
}
