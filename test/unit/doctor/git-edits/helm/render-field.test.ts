import { describe, expect, it } from 'vitest';
import { renderField } from '#src/doctor/git-edits/helm/render-field.js';
import type { FieldNode } from '#src/doctor/git-edits/helm/template-field.js';
import type { ValueExpression } from '#src/doctor/git-edits/helm/value-expression.js';

const valueNode = (as: ValueExpression['as'], guards: readonly string[] = []): FieldNode => ({
  type: 'value',
  guards: guards.map((guard) => [guard]),
  value: { path: ['x'], as },
});
const rendered = (node: FieldNode, values: unknown, guards: readonly string[] = []) =>
  renderField(
    { type: 'field', guards: guards.map((guard) => [guard]), node, source: 0, reads: { start: 0, end: 0 } },
    values,
  );
const field = (data: unknown) => ({ type: 'rendered', data });
const unknown = { type: 'unknown' };

describe('a value that a template prints', () => {
  it.each(['RollingUpdate', '25%', 'Recreate', 'OnDelete1'])('without quotes is read as the text %s', (x) => {
    expect(rendered(valueNode('text'), { x })).toEqual(field(x));
  });

  it.each(['y', 'No', 'ON', 'off', 'true', 'FALSE', 'null', 'NaN', 'inf', '1', '0x1F', '1e3', '2026'])(
    'without quotes may be read otherwise: the text %s',
    (x) => {
      expect(rendered(valueNode('text'), { x })).toEqual(unknown);
      expect(rendered(valueNode('quoted'), { x })).toEqual(field(x));
    },
  );

  it.each(['', 'a b', 'a: b', '25 %', '%', '{{x}}', 'a\nb', 'é', 'x'.repeat(101)])(
    'is not known where it is more than a word: %j',
    (x) => {
      expect(rendered(valueNode('text'), { x })).toEqual(unknown);
      expect(rendered(valueNode('quoted'), { x })).toEqual(unknown);
    },
  );

  it.each<[unknown, unknown]>([
    [0, 0],
    [3, 3],
    [-2, -2],
    [999_999, 999_999],
    [true, true],
    [false, false],
    [null, undefined],
    [undefined, undefined],
  ])('%j is %j', (x, data) => {
    expect(rendered(valueNode('text'), { x })).toEqual(field(data));
  });

  it.each([1.5, 1_000_000, -1_000_000])('%d is not known: Go prints it in another way', (x) => {
    expect(rendered(valueNode('text'), { x })).toEqual(unknown);
  });

  it.each([[1], { a: 1 }])('%j is not known without toYaml', (x) => {
    expect(rendered(valueNode('text'), { x })).toEqual(unknown);
    expect(rendered(valueNode('yaml'), { x })).toEqual(field(x));
  });

  it('in quotes is a text, also where the value is a number', () => {
    expect(rendered(valueNode('quoted'), { x: 1 })).toEqual(field('1'));
  });

  it('has no keys without a value', () => {
    expect(rendered(valueNode('yaml'), { x: { a: null, b: { c: null, d: 0 }, e: [null, 1] } })).toEqual(
      field({ b: { d: 0 }, e: [null, 1] }),
    );
  });
});

describe('a field under conditions', () => {
  it.each<[unknown, boolean]>([
    [true, true],
    ['x', true],
    [1, true],
    [[0], true],
    [{ a: 0 }, true],
    [false, false],
    ['', false],
    [0, false],
    [[], false],
    [{}, false],
    [null, false],
    [undefined, false],
  ])('is there with the value %j: %s', (on, isThere) => {
    const values = { x: 2, on };
    const expected = field(isThere ? 2 : undefined);
    expect(rendered(valueNode('text'), values, ['on'])).toEqual(expected);
    expect(rendered(valueNode('text', ['on']), values)).toEqual(expected);
  });

  it('needs every one of them', () => {
    expect(rendered(valueNode('text'), { x: 2, a: true, b: false }, ['a', 'b'])).toEqual(field(undefined));
  });

  const entry = (key: string, node: FieldNode, guards: readonly string[] = []) => ({
    key,
    guards: guards.map((guard) => [guard]),
    node,
  });

  it('has the entries that are there, and is not known where one of them is not', () => {
    const node: FieldNode = {
      type: 'map',
      entries: [
        entry('type', { type: 'literal', data: 'RollingUpdate' }),
        entry('surge', valueNode('text')),
        entry('off', { type: 'literal', data: 1 }, ['off']),
      ],
    };
    expect(rendered(node, { x: 1 })).toEqual(field({ type: 'RollingUpdate', surge: 1 }));
    expect(rendered(node, {})).toEqual(field({ type: 'RollingUpdate' }));
    expect(rendered(node, { x: 'on' })).toEqual(unknown);
  });
});
