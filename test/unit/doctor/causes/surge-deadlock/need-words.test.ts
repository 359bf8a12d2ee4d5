import { describe, expect, it } from 'vitest';
import { needWords, thingWords } from '#src/doctor/causes/surge-deadlock/text.js';
import { resourceWords } from '#src/doctor/findings/waiting/sentence.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';

describe('the words for a resource', () => {
  it.each([
    ['nvidia.com/gpu', '1', '1 nvidia.com/gpu', 'nvidia.com/gpu', 'nvidia.com/gpu'],
    ['hostPort', '8080/TCP', 'host port 8080/TCP', 'host port 8080/TCP', 'a host port'],
    ['pods', '1', 'one more pod slot on a node', 'the last pod slot', 'pod slots'],
    [
      'ReadWriteOncePod',
      'data',
      'exclusive use of the volume claim data (ReadWriteOncePod)',
      'the volume claim data (ReadWriteOncePod)',
      'a volume claim',
    ],
  ])('describe %s as a need, as a resource in use, and without its amount', (resource, amount, ...words) => {
    const rendered = [
      needWords('en', resource, amount),
      thingWords('en', resource, amount),
      resourceWords('en', resource),
    ];

    expect(rendered.map(plain)).toEqual(words);
  });

  it.each(['valueOf', 'constructor', '__proto__', 'toString'])(
    'show %s literally, although it is the name of an object property',
    (resource) => {
      for (const language of languages) {
        expect(plain(thingWords(language, resource, '1'))).toBe(resource);
        expect(plain(resourceWords(language, resource))).toBe(resource);
        expect(plain(needWords(language, resource, '1'))).toContain(resource);
      }
    },
  );
});
