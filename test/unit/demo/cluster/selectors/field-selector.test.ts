import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../../../../demo/cluster/selectors/field-selector.js';

describe('field selectors', () => {
  it.each([
    ['nothing', '', []],
    ['equality', 'status.phase=Running', [{ field: 'status.phase', equal: true, value: 'Running' }]],
    ['double equality', 'a==b', [{ field: 'a', equal: true, value: 'b' }]],
    ['inequality', 'a!=b', [{ field: 'a', equal: false, value: 'b' }]],
    [
      'several terms',
      'spec.nodeName=n,status.phase!=Failed',
      [
        { field: 'spec.nodeName', equal: true, value: 'n' },
        { field: 'status.phase', equal: false, value: 'Failed' },
      ],
    ],
    ['an empty value', 'spec.nodeName=', [{ field: 'spec.nodeName', equal: true, value: '' }]],
    ['an escaped comma', 'a=b\\,c', [{ field: 'a', equal: true, value: 'b,c' }]],
    [
      'an escaped backslash before a comma',
      'a=b\\\\,c=d',
      [
        { field: 'a', equal: true, value: 'b\\' },
        { field: 'c', equal: true, value: 'd' },
      ],
    ],
  ])('reads %s', (_sentence, text, wanted) => {
    expect(parseFieldSelector(text)).toEqual(wanted);
  });

  it('are refused with the part that cannot be parsed', () => {
    expect(parseFieldSelector('foo')).toEqual({ problem: "invalid selector: 'foo'; can't understand 'foo'" });
  });
});
