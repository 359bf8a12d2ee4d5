import { expect, it } from 'vitest';
import { deadlock, deadlockText } from '#src/doctor/findings/deadlock/text.js';
import { escapesCatalogueId, statusLines } from '#src/doctor/findings/escapes/contract.js';
import { escapes, sentencesOf } from '#src/doctor/findings/escapes/index.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';

it.each(['standing', ...statusLines] as const)(
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

it.each([
  [['a/b'], 'When it is gone, a new pod may take its place.'],
  [['a/b', 'a/c'], 'When they are gone, a new pod may take their place.'],
])('pods-may-leave agrees with the number of pods: %j', (pods, end) => {
  const statement = { catalogue: escapesCatalogueId, key: 'pods-may-leave', values: { pods } };
  const said = plain(tellFrom({ [escapesCatalogueId]: sentencesOf(escapes) })(statement, 'en'));

  expect(said).toContain(end);
});
