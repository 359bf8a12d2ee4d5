import { describe, expect, it } from 'vitest';
import { chartCases, workloadOf } from '../../../../support/chart-cases.js';
import { outcomeOf } from '../../../../support/chart-release.js';

describe('the edit of the values of a chart', () => {
  it.each(chartCases.map((each) => [each.title, each] as const))('is made for %s', (_, each) => {
    expect(outcomeOf({ ...each, name: workloadOf(each) }, each.edits)).toBe(`${each.file}\n${each.text}`);
  });
});
