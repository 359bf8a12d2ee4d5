import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldEdit } from '#src/doctor/git-edits/edit-manifest.js';
import { editManifest } from '#src/doctor/git-edits/edit-manifest.js';

const inPlace: readonly FieldEdit[] = [
  { path: ['spec', 'strategy', 'type'], value: 'RollingUpdate' },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: 0 },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], value: 1 },
];

const recreate: readonly FieldEdit[] = [
  { path: ['spec', 'strategy', 'type'], value: 'Recreate' },
  { path: ['spec', 'strategy', 'rollingUpdate'], value: undefined },
];

const edited = (text: string, edits = inPlace, position = 0): string => {
  const result = editManifest(text, position, edits);
  if (result.type === 'refusal') throw new Error(`refused: ${result.reason} line ${result.line}`);
  return result.text;
};

const refusalOf = (text: string, edits = inPlace) => {
  const result = editManifest(text, 0, edits);
  return result.type === 'refusal' ? { reason: result.reason, line: result.line } : result.text;
};

describe('the edit of a manifest', () => {
  it('replaces values and keeps comments, quotes of others, and odd indentation', () => {
    const before = [
      '# the model server',
      'spec:',
      '    replicas: 1   # one GPU',
      '    strategy:',
      '        type: RollingUpdate',
      '        rollingUpdate:',
      '            maxSurge: "25%"      # surge',
      '            maxUnavailable:   25%',
      "    paused: 'no'",
      '',
    ].join('\n');
    expect(edited(before)).toBe(
      before.replace('"25%"      # surge', '0      # surge').replace('  25%', '  1'),
    );
  });

  it('keeps the quotes of a percentage that replaces a quoted one', () => {
    const before = 'spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: "25%"\n';
    const edits = [{ path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: '0%' }];
    expect(edited(before, edits)).toBe(before.replace('25%', '0%'));
  });

  it('inserts a missing strategy after replicas, with the step of the document', () => {
    const before =
      'spec:\n    # how many\n    replicas: 1 # one\n\n    selector:\n        matchLabels: {a: b}\n';
    expect(edited(before)).toBe(
      before.replace(
        '# one\n',
        [
          '# one',
          '    strategy:',
          '        type: RollingUpdate',
          '        rollingUpdate:',
          '            maxSurge: 0',
          '            maxUnavailable: 1',
          '',
        ].join('\n'),
      ),
    );
  });

  it('inserts a missing strategy first where there are no replicas, above comments of the first key', () => {
    const before = 'spec:\n  # which pods\n  selector:\n    matchLabels:\n      a: b\n';
    expect(edited(before, [{ path: ['spec', 'paused'], value: false }])).toBe(
      before.replace('spec:\n', 'spec:\n  paused: false\n'),
    );
  });

  it('adds the second bound after the first one, and the block after its type', () => {
    expect(edited('spec:\n  strategy:\n    type: RollingUpdate\n  replicas: 1\n')).toBe(
      'spec:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n  replicas: 1\n',
    );
  });

  it('writes into flow maps, also into an empty one', () => {
    expect(edited('spec: {strategy: {rollingUpdate: {maxSurge: 1}, type: RollingUpdate}}\n')).toBe(
      'spec: {strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}, type: RollingUpdate}}\n',
    );
    expect(edited('spec:\n  strategy: {}\n')).toBe(
      'spec:\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n',
    );
  });

  it('removes a block, and leaves the comment of the next key', () => {
    const before =
      'spec:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 1\n      maxUnavailable: 0\n  # pods\n  replicas: 1\n';
    expect(edited(before, recreate)).toBe(
      'spec:\n  strategy:\n    type: Recreate\n  # pods\n  replicas: 1\n',
    );
  });

  it('keeps CRLF, a byte order mark and a missing final newline', () => {
    expect(edited('\uFEFFspec:\r\n  replicas: 1\r\n  paused: true')).toBe(
      '\uFEFFspec:\r\n  replicas: 1\r\n  strategy:\r\n    type: RollingUpdate\r\n    rollingUpdate:\r\n      maxSurge: 0\r\n      maxUnavailable: 1\r\n  paused: true',
    );
    expect(edited('spec:\r\n  replicas: 1', [{ path: ['spec', 'paused'], value: false }])).toBe(
      'spec:\r\n  replicas: 1\r\n  paused: false',
    );
  });

  const terms = ['spec', 'affinity', 'nodeAffinity', 'required', 'nodeSelectorTerms'];
  const notIn = (...values: string[]) => ({ key: 'kubernetes.io/hostname', operator: 'NotIn', values });
  const excluded = [{ path: terms, value: [{ matchExpressions: [notIn('n-1')] }] }];

  it('inserts a whole block with lists, with the step of the document', () => {
    const before = 'spec:\n    containers: []\n';
    expect(edited(before, excluded)).toBe(
      [
        'spec:',
        '    affinity:',
        '        nodeAffinity:',
        '            required:',
        '                nodeSelectorTerms:',
        '                    - matchExpressions:',
        '                          - key: kubernetes.io/hostname',
        '                            operator: NotIn',
        '                            values:',
        '                                - n-1',
        '    containers: []',
        '',
      ].join('\n'),
    );
  });

  const zone = { key: 'zone', operator: 'In', values: ['a'] };
  const listed = [
    'spec:',
    '  affinity:',
    '    nodeAffinity:',
    '      required:',
    '        nodeSelectorTerms:',
    '        - matchExpressions: # zones',
    '          - key: zone',
    '            operator: In',
    '            values: [ a ]',
    '  containers: []',
    '',
  ].join('\n');

  it('adds an item to a list, and leaves the other items as they are written', () => {
    const edits = [{ path: terms, value: [{ matchExpressions: [zone, notIn('n-1')] }] }];
    const added =
      '          - key: kubernetes.io/hostname\n            operator: NotIn\n            values:\n              - n-1\n';
    const result = edited(listed, edits);
    expect(result).toBe(listed.replace('values: [ a ]\n', `values: [ a ]\n${added}`));
    const more = [{ path: terms, value: [{ matchExpressions: [zone, notIn('n-1', 'n-2')] }] }];
    expect(edited(result, more)).toBe(result.replace('- n-1\n', '- n-1\n              - n-2\n'));
  });

  it('adds an item to a flow list', () => {
    const edits = [{ path: terms, value: [{ matchExpressions: [{ ...zone, values: ['a', 'b'] }] }] }];
    expect(edited(listed, edits)).toBe(listed.replace('[ a ]', '[ a, b ]'));
  });

  it('refuses a list that would lose an item', () => {
    expect(refusalOf(listed, [{ path: terms, value: [] }])).toMatchObject({ reason: 'shape' });
  });

  it('edits the document at the given position only', () => {
    const one = 'spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1\n';
    const edits = [{ path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: 0 }];
    expect(edited(`${one}---\n${one}---\n${one}`, edits, 1)).toBe(
      `${one}---\n${one.replace('1', '0')}---\n${one}`,
    );
  });

  it.each([
    ['an alias as the block', 'a: &s {type: RollingUpdate}\nspec:\n  strategy: *s\n', 'alias', 3],
    ['an anchor on the block', 'spec:\n  strategy: &s\n    type: Recreate\na: *s\n', 'anchor', 3],
    ['an anchor on the value', 'spec:\n  strategy:\n    type: &t Recreate\na: *t\n', 'anchor', 3],
    ['a merge key', 'a: &s {type: Recreate}\nspec:\n  strategy:\n    <<: *s\n', 'merge-key', 4],
    ['a tag', 'spec:\n  strategy: !!map\n    type: Recreate\n', 'tag', 3],
    ['equal keys', 'spec:\n  strategy: {}\n  strategy: {}\n', 'not-yaml', 3],
    ['a block template', 'spec:\n  {{- if .a }}\n  replicas: 1\n  {{- end }}\n', 'not-yaml', 2],
    ['a variable as the value', `spec:\n  strategy:\n    type: \${TYPE}\n`, 'variable', 3],
    ['a list in place of the block', 'spec:\n  strategy: [a]\n', 'shape', undefined],
    ['an empty value', 'spec:\n  strategy:\n    type:\n', 'shape', 3],
  ])('refuses %s', (_, text, reason, line) => {
    expect(refusalOf(text)).toEqual({ reason, line });
  });

  it('refuses aliases that expand to too much', () => {
    const layers = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? 'a0: &a0 [x]'
        : `a${at}: &a${at} [${Array.from({ length: 9 }, () => `*a${at - 1}`).join(', ')}]`,
    );
    expect(refusalOf(`${layers.join('\n')}\nspec:\n  replicas: 1\n`)).toEqual({
      reason: 'too-large',
      line: 7,
    });
  });

  it('refuses a document that declares the values already', () => {
    expect(refusalOf(edited('spec:\n  replicas: 1\n'))).toEqual({ reason: 'as-wanted', line: undefined });
  });
});

/**
 * A Deployment as people write it: any step, spacing, comments, line ends, flow maps and further documents.
 */
const manifest = fc
  .record({
    step: fc.constantFrom(1, 2, 3, 4),
    newline: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    ended: fc.boolean(),
    flow: fc.boolean(),
    gap: fc.constantFrom(' ', '  ', '     '),
    comment: fc.constantFrom('', ' # kept', '   #kept: too'),
    blank: fc.constantFrom([], [''], ['', '']),
    replicas: fc.boolean(),
    strategy: fc.constantFrom('none', 'type', 'bounds', 'surge'),
    surge: fc.constantFrom('1', '25%', '"25%"', "'100%'"),
    before: fc.boolean(),
    after: fc.boolean(),
  })
  .map((draw) => {
    const pad = (depth: number): string => ' '.repeat(depth * draw.step);
    const { gap, comment, surge } = draw;
    const block = [
      `${pad(1)}strategy:${comment}`,
      ...(draw.strategy === 'surge' ? [] : [`${pad(2)}type:${gap}RollingUpdate${comment}`]),
      ...(draw.strategy === 'type'
        ? []
        : [
            `${pad(2)}rollingUpdate:`,
            `${pad(3)}maxSurge:${gap}${surge}${comment}`,
            ...(draw.strategy === 'bounds' ? [`${pad(3)}maxUnavailable:${gap}0`] : []),
          ]),
    ];
    const flow = `${pad(1)}strategy:${gap}{ rollingUpdate: {maxSurge: ${surge} } ,  type:  RollingUpdate }${comment}`;
    const strategy = draw.strategy === 'none' ? [] : draw.flow ? [flow] : block;
    const document = [
      '# head',
      `kind:${gap}Deployment`,
      ...draw.blank,
      `spec:${comment}`,
      `${pad(1)}# first`,
      ...(draw.replicas ? [`${pad(1)}replicas:${gap}1${comment}`] : []),
      ...draw.blank,
      ...strategy,
      `${pad(1)}template:`,
      `${pad(2)}args: [a,   b]`,
    ];
    const other = ['kind: Service', 'spec: {type:   RollingUpdate}'];
    const lines = [
      ...(draw.before ? [...other, '---'] : []),
      ...document,
      ...(draw.after ? ['---', ...other] : []),
    ];
    const text = `${draw.bom ? '\uFEFF' : ''}${lines.join(draw.newline)}${draw.ended ? draw.newline : ''}`;
    return { text, position: draw.before ? 1 : 0 };
  });

describe('the edit of any manifest', () => {
  it('leaves every line of others as it is, and only writes values and lines of its own', () => {
    fc.assert(
      fc.property(manifest, ({ text, position }) => {
        const result = edited(text, inPlace, position);
        expect(result.includes('\r')).toBe(text.includes('\r'));
        const own = /(?:strategy|type|rollingUpdate|maxSurge|maxUnavailable):/u;
        const others = (lines: string): readonly string[] =>
          lines.split('\n').filter((line) => !own.test(line) || line.startsWith('spec:'));
        const ended = (lines: readonly string[]): readonly string[] =>
          lines.map((line) => line.replace(/\r$/u, ''));
        expect(ended(others(result))).toEqual(ended(others(text)));
        expect(editManifest(result, position, inPlace)).toMatchObject({
          type: 'refusal',
          reason: 'as-wanted',
        });
      }),
      { numRuns: 400 },
    );
  });
});
