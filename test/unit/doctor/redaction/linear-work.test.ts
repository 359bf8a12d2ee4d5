import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { unboundedWork } from '../../../support/pattern-shape.js';

const folder = new URL('../../../../src/doctor/redaction/', import.meta.url);

function patternsOf(file: string): [string, string, string][] {
  const patterns: [string, string, string][] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const text = node.getText();
      const slash = text.lastIndexOf('/');
      patterns.push([file, text.slice(1, slash), text.slice(slash + 1)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(new URL(file, folder), 'utf8'), ts.ScriptTarget.ES2023, true));
  return patterns;
}

const patterns = readdirSync(folder).flatMap(patternsOf);

describe('the cost of redaction', () => {
  it('is checked for every pattern', () => {
    expect(patterns.length).toBeGreaterThan(150);
  });

  it.each(patterns)('%s: /%s/%s needs a bounded number of steps per character', (_, source, flags) => {
    expect(unboundedWork(source, flags)).toEqual([]);
  });

  it.each([
    ['(a+)+', ''],
    ['(?:a|b*){2,}', ''],
    ['a+b', ''],
    ['x\\s*$', ''],
  ])('is found unbounded for /%s/', (source, flags) => {
    expect(unboundedWork(source, flags)).not.toEqual([]);
  });

  it.each([
    '=',
    'password="',
    'password=\'a="',
    'a://',
    '\\',
    'cookie:',
    '"value":"',
    '-----BEGIN PRIVATE KEY-----',
    '\u001b]',
  ])('is finite for 300,000 characters of %j', (pump) => {
    const text = pump.repeat(300_000 / pump.length);
    expect(redact(text).length).toBeLessThanOrEqual(text.length * 3);
  });

  it.each([
    ['words of one command', 'mysql -u root -h db '],
    ['programs', 'redis-cli '],
    ['flags', '-p'],
    ['flags with a space', '-u '],
    ['open quotes of a command', 'sshpass -p "'],
    ['literals', '--from-literal=a='],
    ['writes to Vault', 'vault kv put a b=cd '],
    ['pipes', 'echo x |'],
    ['arguments of htpasswd', 'htpasswd -nb '],
    ['lines of a YAML block', 'password: |\n  a b\n'],
    ['one YAML block without end', 'password: |\n', '  line of it\n'],
    ['names below each other', 'password:\n'],
    ['quoted values over lines', 'password: "a\n'],
    ['items of a YAML list', 'passwords:\n', '- a1b2c3\n'],
    ['fields of a YAML map', 'passwords:\n', '  a: b1c2d3\n'],
    ['lists', 'passwords: ['],
    ['items of a list', 'passwords: [', '"a", '],
    ['maps in a line', 'passwords: {a: b1, '],
    ['rows of a table', '| password | a1b2c3 |\n'],
    ['cells of a row', '| password '],
    ['names of Korean sentences', '비밀번호는 '],
    ['refused values', 'invalid value "a1b2c3" '],
    ['refused values in maps', '{"loc":["a"],"input":"a1",'],
    ['strings between three quotes', 'password = """'],
    ['prefixes of tokens', 'napi_'],
    ['prefixes of unknown issuers', 'abc_def_'],
    ['columns apart by spaces', 'user  password\n', 'a  b1c2d3\n'],
    ['inserted rows', "(password) VALUES ('a1'),"],
    ['escapes of a URL', '%2525253D'],
    ['escapes of JSON', '\\u003d'],
    ['backslashes before n', '\\\\n'],
    ['entities', '&amp;quot;'],
    ['escape codes of a terminal', '\u001b[31mpassword\u001b[0m='],
    ['unfinished escape codes', '\u001b[1;'],
  ])('is finite for 100,000 characters of %s', (_, first, repeated = first) => {
    const text = first + repeated.repeat(100_000 / repeated.length);
    expect(redact(text).length).toBeLessThanOrEqual(text.length * 10);
  });

  // What `recheck` proposes against expressions that it cannot prove safe: each repeats a bounded number of
  // times.
  it.each([
    '~?',
    '-arn::',
    '-',
    '\n ',
    '-A.',
    'config\t--mgNx',
    '("-,--',
    '<key>-</key>',
    '-t',
    'A.0\t.',
    'a\\',
    '+',
    '---',
    '"data\\\\\\\\\\\\\\',
    'woutlook.office.com/webhook/ohmh',
    '0',
    'xai-',
    'nvapi-',
    'figd_',
    '값은 ',
    'p-',
    'CLOJARS_SRSOALJAARJLRC',
    'AKCpC',
    'cmVmd0',
    's.AsAssAAAAAAAAAAAsssAs',
    'ssvl0v1lavs',
    'vv1',
    '4b1d',
    'mkm000_0kk000mkk0m0mkkmkk0kmkm0mk',
    '-:thin:h/-',
    'a+aaa+aa++aaa',
    '<\\\\',
  ])('is finite for 100,000 characters of %j', (pump) => {
    const text = `${pump.repeat(100_000 / pump.length)}\0`;
    expect(redact(text).length).toBeLessThanOrEqual(text.length * 10);
  });
});
