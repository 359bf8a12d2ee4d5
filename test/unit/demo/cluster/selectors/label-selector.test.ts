import { describe, expect, it } from 'vitest';
import { matchesLabels, parseLabelSelector } from '../../../../../demo/cluster/selectors/label-selector.js';

const labels = { app: 'web', tier: 'front', 'example.com/size': '7', empty: '' };

function selects(text: string): boolean | string {
  const parsed = parseLabelSelector(text);
  return 'problem' in parsed ? parsed.problem : matchesLabels(parsed, labels);
}

describe('label selectors', () => {
  it.each([
    ['an empty selector selects everything', '', true],
    ['equality', 'app=web', true],
    ['double equality', 'app==web', true],
    ['equality with another value', 'app=api', false],
    ['equality with a missing key', 'nope=web', false],
    ['inequality holds for a missing key', 'nope!=web', true],
    ['inequality with the same value', 'app!=web', false],
    ['a set that holds the value', 'app in (api, web)', true],
    ['a set without spaces', 'app in(api,web)', true],
    ['a set that lacks the value', 'app in (api)', false],
    ['an excluding set holds for a missing key', 'nope notin (a,b)', true],
    ['an excluding set with the value', 'tier notin (front)', false],
    ['a set with an empty value', 'empty in (,x)', true],
    ['existence', 'tier', true],
    ['existence of a missing key', 'nope', false],
    ['absence', '!nope', true],
    ['absence of a present key', '!app', false],
    ['a key with a prefix', 'example.com/size=7', true],
    ['greater than', 'example.com/size>6', true],
    ['greater than, equal value', 'example.com/size>7', false],
    ['less than', 'example.com/size<8', true],
    ['a number against a label that is none', 'app>1', false],
    ['an empty value', 'empty=', true],
    ['several requirements, all met', 'app=web,tier in (front),!nope', true],
    ['several requirements, one unmet', 'app=web,tier=back', false],
  ])('%s: %s', (_sentence, text, selected) => {
    expect(selects(text)).toBe(selected);
  });

  it.each([
    ['a value set without parentheses', 'a in b', "found 'b' expected: '('"],
    ['an unclosed set', 'a in (b', "expected: ',' or ')'"],
    ['a number comparison with a text', 'a>x', 'must be an integer'],
    ['a key that is no label key', '-a=b', 'expected: !, identifier'],
    ['a value that is no label value', 'a=b/c', 'Invalid value'],
    ['two requirements without a comma', 'a b', 'expected: in, notin'],
    ['a character outside the grammar', 'a=b;c', 'expected: identifier'],
  ])('refuses %s: %s', (_sentence, text, problem) => {
    expect(selects(text)).toContain(problem);
  });
});
