import { describe, expect, it } from 'vitest';
import { editManifest, type FieldEdit, refinedEdit } from '#src/doctor/git-edits/edit-manifest.js';

const lines = (...of: readonly string[]): string => [...of, ''].join('\n');
/** The edited text; reason and line of a refusal. */
function written(text: string, ...edits: readonly FieldEdit[]): string {
  const result = editManifest(text, 0, edits);
  return result.type === 'refusal' ? `${result.reason}:${result.line ?? ''}` : result.text;
}
const set = (path: string, value: FieldEdit['value']): FieldEdit => ({ path: path.split('.'), value });

describe('a value that replaces another one', () => {
  it.each<[string, FieldEdit['value'], string]>([
    ['a: 1', 2, 'a: 2'],
    ['a: 1 # one', 2, 'a: 2 # one'],
    ['a: x', 'y', 'a: y'],
    ["a: 'x'", 'y', "a: 'y'"],
    ['a: "x"', 'y', 'a: "y"'],
    ['a: "1"', 2, 'a: 2'],
    ['a: true', false, 'a: false'],
    ['a: x', null, 'a: null'],
    ['a:   x   ', 'y', 'a:   y   '],
    ['{a: 1, b: 2}', 2, '{a: 2, b: 2}'],
  ])('%j becomes by %j %j', (text, value, expected) => {
    expect(written(`${text}\n`, set('a', value))).toBe(`${expected}\n`);
  });

  it.each<[string, string, string]>([
    ['a block of text', lines('a: |', '  x', '  y'), 'shape:1'],
    ['a folded block', lines('a: >', '  x', '  y'), 'shape:1'],
    ['a text over several lines', lines('a: "x', '  y"'), 'shape:1'],
    ['a list', lines('a:', '- x'), 'shape:1'],
    ['a tag', lines('a: !!str x'), 'tag:1'],
    ['a variable', lines(`a: \${X}`), 'variable:1'],
    ['a variable within', lines(`a: x-\${X}`), 'variable:1'],
  ])('is refused in place of %s', (_, text, expected) => {
    expect(written(text, set('a', 'z'))).toBe(expected);
  });
});

describe('a key that is added', () => {
  it.each<[string, string, FieldEdit, string]>([
    [
      'to a flow map, behind the last key',
      lines('spec: {a: 1}'),
      set('spec.b', 2),
      lines('spec: {a: 1, b: 2}'),
    ],
    ['to an empty flow map', lines('spec: {}'), set('spec.b.c', 2), lines('spec: {b: {c: 2}}')],
    [
      'to a flow map, behind a nested one',
      lines('spec: {a: {x: [1, 2]} } # c'),
      set('spec.b', 2),
      lines('spec: {a: {x: [1, 2]}, b: 2 } # c'),
    ],
    [
      'to a flow map, as JSON',
      lines('spec: {a: 1}'),
      set('spec.b', [{ key: 'zone', values: ['a'] }]),
      lines('spec: {a: 1, b: [{"key":"zone","values":["a"]}]}'),
    ],
    [
      'to a flow map, as a text that needs quotes',
      lines('spec: {a: 1}'),
      set('spec.b', '5'),
      lines('spec: {a: 1, b: "5"}'),
    ],
    [
      'at the top, behind the last key and its comments',
      lines('a: 1', '  # of a', '', '# end'),
      set('b', 2),
      lines('a: 1', '  # of a', 'b: 2', '', '# end'),
    ],
    ['at the top, without a final newline', 'a: 1', set('b', 2), 'a: 1\nb: 2'],
    [
      'first in its map, above the comment of the first key',
      lines('spec: # all', '  # of a', '  a: 1'),
      set('spec.b', 2),
      lines('spec: # all', '  b: 2', '  # of a', '  a: 1'),
    ],
    [
      'behind the key that it follows by custom',
      lines('spec:', '  nodeSelector: {}', '  a: 1'),
      set('spec.affinity.x', 2),
      lines('spec:', '  nodeSelector: {}', '  affinity:', '    x: 2', '  a: 1'),
    ],
    [
      'with the step of the maps beside it',
      lines('a:', '    x: 1', 'b: 1'),
      set('c.y', 2),
      lines('a:', '    x: 1', 'b: 1', 'c:', '    y: 2'),
    ],
    [
      'with a step of two where nothing shows another one',
      lines('a: {x: 1}', 'b: 1'),
      set('c.y', 2),
      lines('a: {x: 1}', 'b: 1', 'c:', '  y: 2'),
    ],
    [
      'behind a list that ends without a step',
      lines('replicas:', '- x', 'a: 1'),
      set('paused', true),
      lines('replicas:', '- x', 'paused: true', 'a: 1'),
    ],
  ])('stands %s', (_, text, edit, expected) => {
    expect(written(text, edit)).toBe(expected);
  });

  it.each<[string, string, FieldEdit, string]>([
    ['a text', lines('spec: x'), set('spec.b', 2), 'shape:1'],
    ['a list', lines('spec: [x]'), set('spec.b', 2), 'shape:'],
    ['nothing', lines('spec:'), set('spec.b', 2), 'shape:1'],
    ['a map that starts beside a dash', lines('- spec: 1'), set('spec', 2), 'shape:'],
    ['a map behind its key', lines('? a', ': b: 1'), set('a.c', 2), 'shape:2'],
    ['an alias', lines('x: &x {a: 1}', 'spec: *x'), set('spec.b', 2), 'alias:2'],
    ['a map with an anchor', lines('spec: &x {a: 1}'), set('spec.b', 2), 'anchor:1'],
    ['a map with a merge key', lines('x: &x {a: 1}', 'spec: {<<: *x}'), set('spec.b', 2), 'merge-key:2'],
  ])('is refused in %s', (_, text, edit, expected) => {
    expect(written(text, edit)).toBe(expected);
  });
});

describe('a key that is removed', () => {
  const gone = set('spec.b', undefined);
  it.each<[string, string, string]>([
    ['in the middle', lines('spec:', '  a: 1', '  b: 2', '  c: 3'), lines('spec:', '  a: 1', '  c: 3')],
    ['at the end', lines('spec:', '  a: 1', '  b: 2'), lines('spec:', '  a: 1')],
    ['with its block', lines('spec:', '  b:', '    x: 1', '    y: [1]', '  c: 3'), lines('spec:', '  c: 3')],
    [
      'with its comment, and without that of the next key',
      lines('spec:', '  b: 2 # two', '  # of c', '  c: 3'),
      lines('spec:', '  # of c', '  c: 3'),
    ],
    ['in a flow map', lines('spec: {a: 1, b: 2}'), 'shape:1'],
    ['as the only one', lines('spec:', '  b: 2'), 'shape:2'],
    ['that is not there', lines('spec:', '  a: 1'), 'as-wanted:'],
  ])('%s', (_, text, expected) => {
    expect(written(text, gone)).toBe(expected);
  });
});

describe('an item that is added to a list', () => {
  const added = (...items: readonly unknown[]) => set('spec.l', items as FieldEdit['value']);
  it.each<[string, string, FieldEdit, string]>([
    ['of values', lines('spec:', '  l:', '  - a'), added('a', 'b'), lines('spec:', '  l:', '  - a', '  - b')],
    [
      'of maps, with its own indentation',
      lines('spec:', '  l:', '    - x: 1 # one', '      y: 2', '  z: 1'),
      added({ x: 1, y: 2 }, { x: 3, y: { w: [4] } }),
      lines(
        'spec:',
        '  l:',
        '    - x: 1 # one',
        '      y: 2',
        '    - x: 3',
        '      y:',
        '        w:',
        '          - 4',
        '  z: 1',
      ),
    ],
    ['in one line', lines('spec: {l: [a]}'), added('a', 'b'), lines('spec: {l: [a, b]}')],
    [
      'in one line, of maps',
      lines('spec:', '  l: [{x: 1}]'),
      added({ x: 1 }, { x: 2 }),
      lines('spec:', '  l: [{x: 1}, {"x":2}]'),
    ],
    ['that is empty', lines('spec:', '  l: []'), added('a'), lines('spec:', '  l: [a]')],
    [
      'twice',
      lines('spec:', '  l:', '  - a'),
      added('a', 'b', 'c'),
      lines('spec:', '  l:', '  - a', '  - b', '  - c'),
    ],
    [
      'whose item changes too',
      lines('spec:', '  l:', '  - x: 1'),
      added({ x: 2 }, { x: 3 }),
      lines('spec:', '  l:', '  - x: 2', '  - x: 3'),
    ],
    [
      'with wide dashes',
      lines('spec:', '  l:', '  -   a'),
      added('a', 'b'),
      lines('spec:', '  l:', '  -   a', '  - b'),
    ],
    ['at the end of a text', 'l:\n- a', set('l', ['a', 'b']), 'l:\n- a\n- b'],
    ['with an anchor', lines('l: &l', '- a'), set('l', ['a', 'b']), 'anchor:2'],
    ['with a tag', lines('l: !!seq', '- a'), set('l', ['a', 'b']), 'tag:2'],
    ['that is an alias', lines('x: &x [a]', 'l: *x'), set('l', ['a', 'b']), 'alias:2'],
    ['that loses one', lines('spec: {l: [a, b]}'), added('a'), 'shape:'],
  ])('%s', (_, text, edit, expected) => {
    expect(written(text, edit)).toBe(expected);
  });
});

describe('the values that a document lacks', () => {
  const data = { spec: { a: 1, m: { x: 1, y: 2 }, l: ['a', { z: 1 }] } };
  const lacks = (path: string, value: FieldEdit['value']) => refinedEdit(data, set(path, value));
  it('are only those that differ', () => {
    expect(lacks('spec.a', 1)).toEqual([]);
    expect(lacks('spec.a', 2)).toEqual([{ path: ['spec', 'a'], value: 2 }]);
    expect(lacks('spec.new', { b: 1 })).toEqual([{ path: ['spec', 'new'], value: { b: 1 } }]);
    expect(lacks('spec.a', undefined)).toEqual([{ path: ['spec', 'a'], value: undefined }]);
    expect(lacks('spec.m', { x: 1, y: 3, w: 4 })).toEqual([
      { path: ['spec', 'm', 'y'], value: 3 },
      { path: ['spec', 'm', 'w'], value: 4 },
    ]);
    expect(lacks('spec.m', { x: 1 })).toEqual([{ path: ['spec', 'm', 'y'], value: undefined }]);
    expect(lacks('spec.l', ['a', { z: 2 }, 'c'])).toEqual([
      { path: ['spec', 'l', 1, 'z'], value: 2 },
      { path: ['spec', 'l', 2], value: 'c' },
    ]);
  });

  it('are not known where an item or another kind of value would have to go', () => {
    expect(lacks('spec.l', ['a'])).toBeUndefined();
    expect(lacks('spec.l', ['a', ['b']])).toBeUndefined();
    expect(lacks('spec.m', ['a'])).toBeUndefined();
    expect(lacks('spec.a', { x: 1 })).toBeUndefined();
    expect(lacks('spec.m', { x: { w: 1 }, y: 2 })).toBeUndefined();
  });
});
