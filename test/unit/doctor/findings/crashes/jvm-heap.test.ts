import { describe, expect, it } from 'vitest';
import { jvmHeapOf } from '#src/doctor/findings/crashes/jvm-heap.js';
import { Container } from '#src/engine/objects/pod-spec.js';

const Mi = 1024n ** 2n;

function heap(fields: object, limit = '512Mi') {
  return jvmHeapOf(Container.parse({ name: 'app', ...fields }), limit);
}

const env = (...variables: readonly (readonly [string, string])[]) => ({
  env: variables.map(([name, value]) => ({ name, value })),
});

describe('the heap size from visible flags', () => {
  it.each<readonly [string, object, string, string, bigint]>([
    ['a fixed size in mebibytes', { args: ['-Xmx600m', '-jar'] }, '-Xmx600m', 'args', 600n * Mi],
    ['in the command too', { command: ['java', '-Xmx1g'] }, '-Xmx1g', 'args', 1024n * Mi],
    ['in bytes', { args: ['-Xmx1048576'] }, '-Xmx1048576', 'args', Mi],
    ['in kibibytes, in capitals', { args: ['-Xmx2048K'] }, '-Xmx2048K', 'args', 2n * Mi],
    ['in tebibytes', { args: ['-Xmx1t'] }, '-Xmx1t', 'args', 1024n * 1024n * Mi],
    [
      'with the long name of the flag',
      { args: ['-XX:MaxHeapSize=64m'] },
      '-XX:MaxHeapSize=64m',
      'args',
      64n * Mi,
    ],
    ['in a variable', env(['JAVA_OPTS', '-server -Xmx64m']), '-Xmx64m', 'JAVA_OPTS', 64n * Mi],
    [
      'in the variable that takes precedence, in any order',
      env(
        ['_JAVA_OPTIONS', '-Xmx9m'],
        ['JAVA_TOOL_OPTIONS', '-Xmx1m'],
        ['JAVA_OPTS', '-Xmx3m'],
        ['JDK_JAVA_OPTIONS', '-Xmx2m'],
      ),
      '-Xmx9m',
      '_JAVA_OPTIONS',
      9n * Mi,
    ],
    [
      'in a variable rather than in the arguments',
      { args: ['-Xmx1m'], ...env(['JAVA_TOOL_OPTIONS', '-Xmx2m']) },
      '-Xmx2m',
      'JAVA_TOOL_OPTIONS',
      2n * Mi,
    ],
    [
      'a percentage of the limit',
      { args: ['-XX:MaxRAMPercentage=75'] },
      '-XX:MaxRAMPercentage=75',
      'args',
      384n * Mi,
    ],
    [
      'a percentage with decimals',
      { args: ['-XX:MaxRAMPercentage=12.5'] },
      '-XX:MaxRAMPercentage=12.5',
      'args',
      64n * Mi,
    ],
    [
      'a fixed size before a percentage, even from a variable with precedence',
      { args: ['-Xmx64m'], ...env(['_JAVA_OPTIONS', '-XX:MaxRAMPercentage=90']) },
      '-Xmx64m',
      'args',
      64n * Mi,
    ],
  ])('%s', (_, fields, flag, from, bytes) => {
    expect(heap(fields)).toEqual({ flag, from, bytes });
  });

  it.each<readonly [string, object, string]>([
    ['without any flag', {}, '512Mi'],
    ['where the limit cannot be read', { args: ['-Xmx64m'] }, 'plenty'],
    ['from a flag that is part of another word', { args: ['x-Xmx64m', '-Xmx64mb', '-Xmx'] }, '512Mi'],
    [
      'from a percentage that is not a number',
      { args: ['-XX:MaxRAMPercentage=half', 'y-XX:MaxRAMPercentage=50'] },
      '512Mi',
    ],
    ['from a variable that no JVM reads', env(['MY_OPTS', '-Xmx64m']), '512Mi'],
    [
      'from a variable with a value from another object',
      { env: [{ name: 'JAVA_OPTS', valueFrom: {} }] },
      '512Mi',
    ],
  ])('cannot be determined %s', (_, fields, limit) => {
    expect(heap(fields, limit)).toBeUndefined();
  });
});
