import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/core/redaction/redact.js';
import { unboundedWork } from './pattern-shape.js';

const folder = new URL('../../../../src/core/redaction/', import.meta.url);

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

describe('the work of redaction', () => {
  it('is looked at in every pattern', () => {
    expect(patterns.length).toBeGreaterThan(150);
  });

  it.each(patterns)('%s: /%s/%s costs a bounded number of steps a character', (_, source, flags) => {
    expect(unboundedWork(source, flags)).toEqual([]);
  });

  it('is bounded in the pieces that patterns are built from', () => {
    const pieces = readdirSync(folder).flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/String\.raw`([^`]*)`/gu)].map(
        (found) => found[1] ?? '',
      ),
    );
    expect(pieces.length).toBeGreaterThan(4);
    for (const piece of pieces) {
      const bare = piece.replace(/\\./gu, 'E').replace(/\[[^\]]*\]/gu, 'C');
      expect(bare).not.toMatch(/[*+]|,\}/u);
    }
  });

  it.each([
    ['(a+)+', ''],
    ['(?:a|b*){2,}', ''],
    ['a+b', ''],
    ['x\\s*$', ''],
  ])('would notice /%s/', (source, flags) => {
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
  ])('ends for 300,000 characters of %j', (pump) => {
    const text = pump.repeat(300_000 / pump.length);
    expect(redact(text).length).toBeLessThanOrEqual(text.length * 3);
  });
});
