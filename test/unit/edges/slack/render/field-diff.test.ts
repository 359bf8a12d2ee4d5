import { describe, expect, it } from 'vitest';
import { fieldDiff, fieldText } from '#src/edges/slack/render/picture.js';

describe('field changes as a diff', () => {
  it('shows the parents of the changed fields', () => {
    const changes = [
      { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%', after: 0 },
      { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: '25%', after: 1 },
    ];
    expect(fieldDiff(changes)).toBe(
      [
        ' spec:',
        '   strategy:',
        '     rollingUpdate:',
        '-      maxSurge: 25%',
        '-      maxUnavailable: 25%',
        '+      maxSurge: 0',
        '+      maxUnavailable: 1',
      ].join('\n'),
    );
  });

  it('shows added and removed fields', () => {
    expect(fieldDiff([{ path: 'spec.paused', before: true, after: undefined }])).toBe(
      '-spec:\n-  paused: true',
    );
    expect(fieldDiff([{ path: 'spec.paused', before: undefined, after: true }])).toBe(
      '+spec:\n+  paused: true',
    );
  });

  it('writes a key with dots in brackets', () => {
    const path = 'metadata.annotations[kubectl.kubernetes.io/restartedAt]';
    expect(fieldDiff([{ path, before: 'a', after: 'b' }])).toContain(
      '   annotations[kubectl.kubernetes.io/restartedAt]'.trimStart(),
    );
  });

  it('shows only the differences inside a large template', () => {
    const env = Array.from({ length: 50 }, (_, at) => ({ name: `E${at}`, value: 'x' }));
    const template = (image: string) => ({ spec: { containers: [{ name: 'app', image, env }] } });
    const diff = fieldDiff([{ path: 'spec.template', before: template('a:1'), after: template('a:2') }]);
    expect(diff).toContain('-          image: a:1\n+          image: a:2');
    expect(diff.split('\n').length).toBeLessThan(20);
  });

  it('does not modify its input or a prototype', () => {
    const value = Object.freeze({ a: Object.freeze({ b: 1 }) });
    const changes = [
      { path: 'x', before: value, after: value },
      { path: 'x.a.b', before: 2, after: 3 },
      { path: '__proto__.polluted', before: 1, after: 2 },
    ];
    expect(fieldDiff(changes)).toContain('polluted');
    expect(value.a.b).toBe(1);
    expect('polluted' in {}).toBe(false);
  });

  it('is empty without changes', () => {
    expect(fieldDiff([])).toBe('');
  });

  it.each([
    [0, '0'],
    ['25%', '25%'],
    [{ a: 1 }, '{"a":1}'],
    [undefined, undefined],
    [null, undefined],
  ])('formats %j on one line', (value, text) => {
    expect(fieldText(value)).toBe(text);
  });
});
