import { checkSync } from 'recheck';
import { beforeAll, describe, expect, it } from 'vitest';
import { unboundedWork } from '../../support/pattern-shape.js';
import { type Expression, expressionsInSources } from './expressions-in-sources.js';

/**
 * Only limits of steps decide, so that a busy machine gives the same answer; the rest is ended as undecided.
 */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
const fewestExpressions = 350;

/**
 * Expressions whose source is built from constants of the product, by file; foreign text never becomes part
 * of one.
 */
const dynamicExpressions: Readonly<Record<string, number>> = {
  'src/edges/slack/listeners/actions/request.ts': 1,
  'src/edges/slack/listeners/index.ts': 2,
  'src/edges/slack/listeners/submitted-views.ts': 1,
};

const { expressions, dynamic } = expressionsInSources();
const isOfRedaction = ({ file }: Expression): boolean => file.startsWith('src/doctor/redaction/');
const written = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string => `/${source}/${flags}`;

/**
 * Without an unbounded repetition the steps at each place of a text have a fixed maximum. recheck leaves many
 * of these undecided: it counts every bound as so many states.
 */
function hasUnboundedRepetition(source: string): boolean {
  return /[*+]|\{\d+,\}/.test(source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, ''));
}

function verdict(source: string, flags: string): string {
  if (!hasUnboundedRepetition(source)) return 'safe';
  const checked = checkSync(source, flags, limits);
  if (checked.status === 'safe') return 'safe';
  return checked.status === 'unknown' ? `undecided: ${checked.error.kind}` : checked.complexity.summary;
}

beforeAll(() => {
  // The part that needs neither Java nor a binary for this machine.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
});

describe('the regular expressions of the source files', () => {
  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(fewestExpressions);
    expect(expressions.filter(isOfRedaction).length).toBeGreaterThan(150);
  });

  it('are never built from text outside the known list', () => {
    const found: Record<string, number> = {};
    for (const { file } of dynamic) found[file] = (found[file] ?? 0) + 1;
    expect(found).toEqual(dynamicExpressions);
  });

  it('need work that grows no faster than the text', () => {
    const different = new Map(expressions.map((each) => [written(each), each]));
    const unsafe = [...different.values()].flatMap(({ file, line, source, flags }) => {
      const found = verdict(source, flags);
      return found === 'safe' ? [] : [`${file}:${line} ${written({ source, flags })}: ${found}`];
    });
    expect(unsafe).toEqual([]);
  }, 600_000);

  it('of the redaction contain no unbounded repetition inside a repetition or before other text', () => {
    const unsafe = expressions.filter(isOfRedaction).flatMap((each) => {
      const found = unboundedWork(each.source, each.flags);
      return found.length === 0 ? [] : [`${each.file}:${each.line} ${written(each)}: ${found.join(', ')}`];
    });
    expect(unsafe).toEqual([]);
  });

  it.each([
    ['\\b([A-Z][a-z]+(?:[A-Z][A-Za-z0-9]*)+)\\b', 'u', 'exponential'],
    ['^\\W*[\\w.]+\\s*[=:]', 'u', '2nd degree polynomial'],
    ['\\[(?:FIRING|RESOLVED)(?::\\d+)?[^\\]]*\\]', 'gu', '2nd degree polynomial'],
    ['<@[A-Z0-9]+(?:\\|[^>]*)?>', 'gu', '2nd degree polynomial'],
    ['/+$', '', '2nd degree polynomial'],
  ])(
    'with the shape that once froze the app are reported: /%s/%s is %s',
    (source, flags, found) => {
      expect(verdict(source, flags)).toBe(found);
    },
    120_000,
  );
});
