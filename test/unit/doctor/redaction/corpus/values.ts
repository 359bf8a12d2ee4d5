import { seededRandom } from '../../../../support/seeded-random.js';
import { base64, hexadecimal, keyLines, mixed } from '../canaries.js';

/** Made-up values of the corpus. They are joined here, so that no file holds a complete one. */
export const p = ['hunter2', 'Canary', '!x'].join('');
export const q = ['Tr0ub4', 'dor&3'].join('');
export const r = mixed(28);
export const hex32 = hexadecimal(32);
export const accessKeyId = ['AKIA', 'Z7QK4LM2XW9VT8RB'].join('');
/** Forty characters of base64, as Amazon issues them. */
export const secretAccessKey = ['wJd7Xw2Lm4/Vt8Rb3Nc6Ph1', 'Jg5Fs0Ty+Zq7Kd9Xw'].join('');
export const githubToken = ['ghp_', mixed(36)].join('');
export const jwt = [
  base64('{"alg":"HS256"}').replace(/=+$/u, ''),
  base64('{"sub":"42"}').replace(/=+$/u, ''),
  mixed(43),
].join('.');
export const azureKey = `${mixed(86)}==`;
export const begin = (kind = '') => `-----BEGIN ${kind}PRIVATE KEY-----`;
export const end = (kind = '') => `-----END ${kind}PRIVATE KEY-----`;
export const body = keyLines;
export const crypt = ['$6$', 'aB3dE6gH$', mixed(86)].join('');
export const bcrypt = ['$2b$12$', mixed(53)].join('');
export { base64, hexadecimal, mixed };

const letters = 'abcdefghijklmnopqrstuvwxyz';
export const digits = '0123456789';
export const hex = '0123456789abcdef';
export const smallOrDigits = letters + digits;
export const capitalsOrDigits = letters.toUpperCase() + digits;
export const alphanumeric = letters + capitalsOrDigits;
export const base64Signs = `${alphanumeric}+/`;
export const urlSigns = `${alphanumeric}-_`;

/** Draws characters of an alphabet, the same ones in each run. */
export function createDraw(seed: number): (from: string, count: number) => string {
  const below = seededRandom(seed);
  return (from, count) => Array.from({ length: count }, () => from[below(from.length)]).join('');
}

/** The text with the value, in pieces, so that no file holds a complete one, marked in the place of `§`. */
export function putIn(text: string, ...value: readonly string[]): string {
  return text.replace('§', () => `‹${value.join('')}›`);
}
