import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { appendPatch, editInlinePatch, removePatch } from '#src/doctor/git-edits/kustomize/edit-in-build.js';

const lines = (...of: readonly string[]): string => [...of, ''].join('\n');
const outcome = (result: ReturnType<typeof appendPatch>): string | object =>
  result.type === 'refusal'
    ? { reason: result.reason, line: result.line }
    : { text: result.text, line: result.line };
const replicas = [{ path: ['spec', 'replicas'], value: 5 }];
const first = { list: 'patches', position: 0 } as const;

describe('the edit of a patch in a kustomization', () => {
  const inline = lines(
    'resources: [api.yaml]',
    'patches:',
    '- target: {kind: Deployment}',
    '  patch: |-',
    '    kind: Deployment',
    '    spec:',
    '      replicas: 2 # two',
    '- patch: |-',
    '    kind: Service',
    '    spec:',
    '      replicas: 1',
  );

  it('changes the patch at its position alone', () => {
    expect(outcome(editInlinePatch(inline, first, replicas))).toEqual({
      text: inline.replace('replicas: 2 # two', 'replicas: 5 # two'),
      line: 4,
    });
    expect(outcome(editInlinePatch(inline, { ...first, position: 1 }, replicas))).toEqual({
      text: inline.replace('replicas: 1', 'replicas: 5'),
      line: 8,
    });
  });

  it('changes a patch that is an item of the list itself', () => {
    const merge = lines('patchesStrategicMerge:', '- |-', '  spec:', '    replicas: 2', 'labels: []');
    expect(outcome(editInlinePatch(merge, { list: 'patchesStrategicMerge', position: 0 }, replicas))).toEqual(
      {
        text: merge.replace('2', '5'),
        line: 2,
      },
    );
  });

  it('keeps empty lines, and the indentation of the block', () => {
    const spaced = lines(
      'patches:',
      '- patch: |',
      '        spec:',
      '',
      '            replicas: 2',
      '',
      'labels: []',
    );
    const paused = [{ path: ['spec', 'paused'], value: true }];
    expect(outcome(editInlinePatch(spaced, first, paused))).toEqual({
      text: spaced.replace('replicas: 2\n', 'replicas: 2\n            paused: true\n'),
      line: 2,
    });
  });

  it.each<[string, string, object]>([
    ['a quoted text', lines('patches:', '- patch: "spec: {replicas: 2}"'), { reason: 'shape' }],
    ['a folded text', lines('patches:', '- patch: >-', '    spec: {replicas: 2}'), { reason: 'shape' }],
    ['a patch of a file', lines('patches:', '- path: a.yaml'), { reason: 'shape' }],
    ['no patch at its position', lines('patches: []'), { reason: 'shape' }],
    ['no list', lines('patches: {}'), { reason: 'shape' }],
    ['another list', lines('labels: []'), { reason: 'shape' }],
    ['a list for a kustomization', lines('- a'), { reason: 'shape' }],
    [
      'stated indentation',
      lines('patches:', '- patch: |2', '    spec: {replicas: 2}'),
      { reason: 'shape', line: 2 },
    ],
    ['an empty patch', lines('patches:', '- patch: |-', '', 'labels: []'), { reason: 'shape', line: 2 }],
    [
      'a value that is there',
      lines('patches:', '- patch: |-', '    spec: {replicas: 5}'),
      { reason: 'as-wanted', line: 2 },
    ],
    ['broken YAML', lines('patches: ['), { reason: 'not-yaml' }],
  ])('is refused for %s', (_, text, expected) => {
    expect(outcome(editInlinePatch(text, first, replicas))).toMatchObject(expected);
  });
});

describe('the removal of a patch from a kustomization', () => {
  const three = lines(
    'resources: [api.yaml]',
    'patches:',
    '- path: a.yaml',
    '# of b',
    '- path: b.yaml',
    '  target: {kind: Service}',
    '- path: c.yaml',
    'labels: []',
  );
  const removed = (position: number, text = three) =>
    outcome(removePatch(text, { list: 'patches', position }));

  it('takes its lines alone', () => {
    expect(removed(1)).toEqual({
      text: three.replace('- path: b.yaml\n  target: {kind: Service}\n', ''),
      line: 5,
    });
    expect(removed(2)).toEqual({ text: three.replace('- path: c.yaml\n', ''), line: 7 });
  });

  it('leaves the other patches as they are', () => {
    const { text } = removed(0) as { text: string };
    expect(parse(text)).toEqual({
      resources: ['api.yaml'],
      patches: [{ path: 'b.yaml', target: { kind: 'Service' } }, { path: 'c.yaml' }],
      labels: [],
    });
  });

  it('takes the list with the last one', () => {
    const one = lines('a: 1', 'patches:', '- path: a.yaml', '  target: {kind: Service}', 'b: 2');
    expect(removed(0, one)).toEqual({ text: lines('a: 1', 'b: 2'), line: 2 });
  });

  it.each<[string, string, number]>([
    ['a flow list', lines('patches: [{path: a.yaml}, {path: b.yaml}]'), 0],
    ['no list', lines('labels: []'), 0],
    ['a text', lines('patches: a.yaml'), 0],
    ['a dash on a line of its own', lines('patches:', '-', '  path: a.yaml', '-', '  path: b.yaml'), 0],
    ['broken YAML', lines('patches: ['), 0],
  ])('is refused for %s', (_, text, position) => {
    expect(removePatch(text, { list: 'patches', position })).toMatchObject({ type: 'refusal' });
  });
});

describe('a patch that is added to a kustomization', () => {
  const patch = 'kind: Deployment\nspec: {}\n';
  const item = (pad = ''): readonly string[] => [
    `${pad}- patch: |-`,
    `${pad}    kind: Deployment`,
    `${pad}    spec: {}`,
  ];
  it.each<[string, string, string, number]>([
    ['in a new list', lines('resources: [a.yaml]'), lines('resources: [a.yaml]', 'patches:', ...item()), 2],
    [
      'in a new list, indented as other lists are',
      lines('resources:', '  - a.yaml'),
      lines('resources:', '  - a.yaml', 'patches:', ...item('  ')),
      3,
    ],
    [
      'in place of an empty list, before what follows',
      lines('patches: []', 'labels: []'),
      lines('patches:', ...item(), 'labels: []'),
      1,
    ],
    [
      'behind other patches, before comments of what follows',
      lines('patches:', '- path: a.yaml', '', '# labels', 'labels: []'),
      lines('patches:', '- path: a.yaml', ...item(), '', '# labels', 'labels: []'),
      3,
    ],
    [
      'behind other patches at the end of the text',
      'patches:\n  - path: a.yaml',
      ['patches:', '  - path: a.yaml', ...item('  ')].join('\n'),
      3,
    ],
    ['with the line ends of the file', 'a: 1\r\n', `a: 1\r\npatches:\r\n${item().join('\r\n')}\r\n`, 2],
  ])('stands %s', (_, text, expected, line) => {
    const result = outcome(appendPatch(text, patch));
    expect(result).toEqual({ text: expected, line });
    const { patches } = parse(expected) as { patches: readonly { patch?: string }[] };
    expect(patches.at(-1)).toEqual({ patch: patch.trimEnd() });
  });

  it.each<[string, string, object]>([
    ['two documents', lines('a: 1', '---', 'b: 2'), { reason: 'shape', line: 1 }],
    ['a flow map', '{resources: []}\n', { reason: 'shape', line: 1 }],
    ['a flow list with patches', lines('a: 1', 'patches: [{path: a.yaml}]'), { reason: 'shape', line: 2 }],
    ['a comment behind the empty list', lines('a: 1', 'patches: [] # none'), { reason: 'shape', line: 2 }],
    ['no list', lines('a: 1', 'patches: {}'), { reason: 'shape', line: 2 }],
    ['nothing', lines('a: 1', 'patches:'), { reason: 'shape', line: 2 }],
    ['broken YAML', 'a: [\n', { reason: 'not-yaml' }],
  ])('is refused for %s', (_, text, expected) => {
    expect(outcome(appendPatch(text, patch))).toMatchObject(expected);
  });
});
