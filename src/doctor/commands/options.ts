import { trimCharacters } from '../../engine/language/text-scanning.js';
import type { Usage, UsageProblem } from './command.js';
import type { UsageShapes } from './usage-text.js';

/** The words of a command and the options among them. */
export interface Words {
  readonly words: readonly string[];
  readonly namespace?: string;
  readonly cluster?: string;
  readonly allNamespaces: boolean;
}

type OptionName = 'namespace' | 'cluster';

const withValue: ReadonlyMap<string, OptionName> = new Map([
  ['-n', 'namespace'],
  ['--namespace', 'namespace'],
  ['--ns', 'namespace'],
  ['--context', 'cluster'],
  ['--cluster', 'cluster'],
  ['-c', 'cluster'],
]);

const all: ReadonlySet<string> = new Set(['-A', '-a', '--all-namespaces']);

/**
 * Splits on spaces and takes the options out, wherever they stand: `-n ml`, `-n=ml`, `-nml`,
 * `--namespace ml`, `--namespace=ml`. A value given twice with two meanings is a question back.
 */
export function takeOptions(text: string): Words | Usage {
  const words: string[] = [];
  const found: { [Name in OptionName]?: string } = {};
  let allNamespaces = false;
  const tokens = text.split(' ').map(unquoted).filter(Boolean);
  for (let position = 0; position < tokens.length; position += 1) {
    const token = tokens[position] ?? '';
    if (!token.startsWith('-') || token === '-') {
      words.push(token);
      continue;
    }
    if (all.has(token)) {
      allNamespaces = true;
      continue;
    }
    const { flag, attached } = split(token);
    const name = withValue.get(flag.toLowerCase());
    if (name === undefined) return usage('option-unknown', { option: flag });
    const following = tokens[position + 1];
    if (attached === undefined) position += 1;
    const value = unquoted(attached ?? following ?? '');
    if (value === '' || (attached === undefined && value.startsWith('-'))) {
      return usage('option-empty', { option: flag });
    }
    const before = found[name];
    if (before !== undefined && before !== value) {
      return usage('given-twice', { option: name, first: before, second: value });
    }
    found[name] = value;
  }
  return { words, allNamespaces, ...found };
}

function split(token: string): { readonly flag: string; readonly attached: string | undefined } {
  const equals = token.indexOf('=');
  if (equals > 0) return { flag: token.slice(0, equals), attached: token.slice(equals + 1) };
  if (/^-n./u.test(token) && !token.startsWith('--')) return { flag: '-n', attached: token.slice(2) };
  return { flag: token, attached: undefined };
}

function unquoted(token: string): string {
  return trimCharacters(token, `"'`, `"',;`);
}

/** Makes a usage answer; the compiler checks key and values against the catalogue. */
export function usage<Key extends keyof UsageShapes>(key: Key, values: UsageShapes[Key]): Usage {
  return { type: 'usage', problem: { key, values } as UsageProblem };
}
