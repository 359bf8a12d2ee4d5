import { describe, expect, it } from 'vitest';
import { createWithholder } from '#src/edges/recordings/withhold-values.js';

const withhold = createWithholder('salt');
const mark = expect.stringMatching(/^redacted-[0-9a-f]{6}$/u);
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

describe('values that no rule needs', () => {
  it.each([
    ['a variable', { env: [{ name: 'A', value: 'x' }] }, { env: [{ name: 'A', value: mark }] }],
    [
      'a variable that is a number',
      { env: [{ name: 'A', value: 5 }] },
      { env: [{ name: 'A', value: mark }] },
    ],
    ['an empty variable', { env: [{ name: 'A', value: '' }] }, { env: [{ name: 'A', value: '' }] }],
    [
      'a reference',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
      undefined,
    ],
    ['a header', { httpHeaders: [{ name: 'X', value: 'x' }] }, { httpHeaders: [{ name: 'X', value: mark }] }],
    [
      'an annotation of people',
      { annotations: { 'a.example/b': 'x' } },
      { annotations: { 'a.example/b': mark } },
    ],
    [
      'an annotation that rules read',
      { annotations: { 'deployment.kubernetes.io/revision': '3' } },
      undefined,
    ],
    [
      'a secret in an annotation that rules read',
      { annotations: { 'x.kubernetes.io/y': 'password=hunter2hunter2' } },
      { annotations: { 'x.kubernetes.io/y': mark } },
    ],
    ['a driver option', { parameters: { pool: 'fast' } }, { parameters: { pool: mark } }],
    ['an argument', { args: ['--port=80', '--verbose'] }, undefined],
    ['the word after an option', { args: ['--password', 'hunter2hunter2'] }, { args: ['--password', mark] }],
    ['a word with a secret', { command: ['x', '--token=abc12345def'] }, { command: ['x', mark] }],
    [
      'heap flags among other words',
      { env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Xmx512m -Dkey=v -XX:MaxRAMPercentage=70' }] },
      {
        env: [
          {
            name: 'JAVA_TOOL_OPTIONS',
            value: expect.stringMatching(/^-Xmx512m -XX:MaxRAMPercentage=70 redacted-[0-9a-f]{6}$/u),
          },
        ],
      },
    ],
    ['text that JSON cannot hold as a copy', { annotations: { [lastApplied]: '{' } }, { annotations: {} }],
    [
      'a message',
      { status: { message: 'login failed: password=hunter2hunter2' } },
      { status: { message: 'login failed: password=[redacted password]' } },
    ],
  ])('replaces %s, or keeps it where rules read it', (_, given, expected) => {
    expect(withhold(given)).toEqual(expected ?? given);
  });

  it('replaces the values of the copy of what was applied', () => {
    const copy = { spec: { template: { spec: { containers: [{ env: [{ name: 'A', value: 'x' }] }] } } } };
    const { annotations } = withhold({ annotations: { [lastApplied]: JSON.stringify(copy) } });
    const mark = withhold(copy);
    expect(JSON.parse(annotations[lastApplied])).toEqual(mark);
  });

  it('gives equal marks to equal values under one salt only', () => {
    const value = (salt: string, text: string) =>
      createWithholder(salt)({ env: [{ name: 'A', value: text }] }).env[0]?.value;
    expect(value('a', 'x')).toBe(value('a', 'x'));
    expect(value('a', 'x')).not.toBe(value('a', 'y'));
    expect(value('a', 'x')).not.toBe(value('b', 'x'));
  });

  it('leaves out what is nested too deeply instead of failing', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 5_000; level += 1) deep = { a: deep };
    expect(JSON.stringify(withhold(deep)).length).toBeLessThan(1_000);
  });
});
