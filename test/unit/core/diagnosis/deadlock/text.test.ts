import { expect, it } from 'vitest';
import { deadlock, deadlockText } from '#src/core/diagnosis/deadlock/text.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { languages } from '#src/core/language/language.js';
import { plain } from '#src/core/language/prose.js';

it.each(['standing', 'standing-but-for-autoscaler', 'standing-but-for-leaving'] as const)(
  '%s states no length of time for a rollout that was read at once',
  (key) => {
    const tell = tellFrom({ deadlock: deadlockText });
    for (const language of languages) {
      const said = (stillForSeconds: number | undefined) =>
        plain(tell(deadlock(key, { revision: '2', stillForSeconds }), language));

      expect(said(0.2)).toBe(said(undefined));
      expect(said(60)).not.toBe(said(undefined));
    }
  },
);
