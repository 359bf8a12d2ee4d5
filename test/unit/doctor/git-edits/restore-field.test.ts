import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { restoreField } from '#src/doctor/git-edits/edit-manifest.js';

const path = ['spec', 'template'];
const at = (text: string) => ({ text, position: 0 });
const head = ['# the shop', 'kind: Deployment', 'spec:', '  replicas: 1   # one'];
const text = (...lines: readonly string[]): string => [...head, ...lines, ''].join('\n');
const restored = (now: string, before: string): string => {
  const result = restoreField(at(now), at(before), path);
  if (result.type === 'refusal') throw new Error(result.reason);
  return result.text;
};

describe('a field that is restored from an earlier version', () => {
  it('changes only the values that differ, and keeps comments of today', () => {
    const now = text('  template:', '    image: "b"   # released on Friday', '    tag: 2');
    const before = text('  template:', '    image: "a"   # released on Monday', '    tag: 2');
    expect(restored(now, before)).toBe(now.replace('"b"', '"a"'));
  });

  it('takes the lines of the earlier version where an item of a list has to go', () => {
    const now = text(
      '  template:',
      '    env:',
      '    - {name: A}',
      '    - {name: B} # new',
      '  paused: false',
    );
    const before = text('  template:', '    env:', '    - {name: A} # first', '  paused: true');
    expect(restored(now, before)).toBe(
      text('  template:', '    env:', '    - {name: A} # first', '  paused: false'),
    );
  });

  it('keeps the line ends of today, and a missing final newline', () => {
    const now = text('  template:', '    env: # all', '    - {name: A}', '    - {name: B}')
      .trimEnd()
      .replaceAll('\n', '\r\n');
    const before = text('  template:', '    env:', '    - {name: A}');
    expect(restored(now, before)).toBe(before.trimEnd().replaceAll('\n', '\r\n'));
  });

  it.each([
    ['is an alias', text('  base: &b {env: []}', '  template: *b'), 'alias'],
    ['has an anchor', text('  template: &t', '    env:', '    - {name: B}', '  other: *t'), 'anchor'],
    ['is in one line', text('  template: {env: [{name: A}, {name: B}]}'), 'shape'],
  ])('is refused where it %s', (_, now, reason) => {
    const before = text('  template:', '    env:', '    - {name: A}');
    expect(restoreField(at(now), at(before), path)).toMatchObject({ type: 'refusal', reason });
  });

  it('never changes anything outside the field, whatever the two versions are', () => {
    const scalar = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean());
    const data = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(
        scalar,
        fc.array(scalar, { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom('x', 'y'), scalar, { minKeys: 1 }),
      ),
      { minKeys: 1 },
    );
    let edits = 0;
    fc.assert(
      fc.property(data, data, (now, before) => {
        const current = `# top\nspec:\n  other: 1 # kept\n${stringify({ template: now }).replaceAll(/^(?=.)/gmu, '  ')}  last: [a,  b]\n`;
        const former = `spec:\n${stringify({ template: before }).replaceAll(/^(?=.)/gmu, '  ')}`;
        const result = restoreField(at(current), at(former), path);
        if (result.type === 'refusal') return;
        edits += 1;
        expect(result.text.startsWith('# top\nspec:\n  other: 1 # kept\n')).toBe(true);
        expect(result.text.endsWith('  last: [a,  b]\n')).toBe(true);
        expect(parse(result.text)).toEqual({
          spec: { other: 1, template: parse(former).spec.template, last: ['a', 'b'] },
        });
      }),
      { numRuns: 300, seed: 20_261_125 },
    );
    expect(edits).toBeGreaterThan(100);
  });
});
