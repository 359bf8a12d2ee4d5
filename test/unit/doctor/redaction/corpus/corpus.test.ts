import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { knownOf, measure, readTexts } from './measure.js';

const secrets = readTexts('secrets.txt');
const harmless = readTexts('harmless.txt');

/** Each part with its numbers of secrets and harmless texts, and what is known to be left or changed. */
const parts: readonly (readonly [part: string, secrets: number, harmless: number, known: string])[] = [
  ['tuned', 207, 152, 'nothing'],
  ['held back', 152, 177, 'a reference to a vault that changes'],
  [
    'third',
    90,
    82,
    'a token of Sonar that looks like a commit, and an id of a plan of Terraform that changes',
  ],
  ['fourth', 157, 125, 'nothing'],
  ['fifth', 136, 103, 'the value of `cipher`, and digits behind `backup code`'],
  ['sixth', 185, 147, 'nothing'],
  ['seventh', 111, 69, 'nothing'],
  ['eighth', 98, 64, 'nothing'],
  ['ninth', 86, 70, 'the user of a Sentry DSN, which is its public key'],
  ['tenth', 116, 65, 'nothing'],
  ['eleventh', 122, 60, 'a token that its issuer would not make, and a command that prints the password'],
  ['twelfth', 195, 127, 'of Bundler, of Terraform, the id of a key, a name behind a word, a code of letters'],
  ['thirteenth', 53, 47, 'letters in groups'],
  ['fourteenth', 205, 111, 'the id of a key, and a scheme before a token'],
  ['fifteenth', 61, 37, 'a message that pydantic does not write so, and the id of a key'],
  ['sixteenth', 60, 60, 'nothing'],
  ['seventeenth', 31, 30, 'letters alone, as one word in twenty that a machine draws'],
  ['eighteenth', 199, 60, 'the id of a key, and letters alone in brackets'],
  ['nineteenth', 80, 35, 'a value as the name of an object, and a key that its program would not make'],
  ['twentieth', 178, 60, 'a token behind `auth` alone, and the public key of a Sentry DSN'],
  ['twenty-first', 56, 20, 'a sentence about a login that names no password'],
  ['twenty-second', 59, 30, 'four digits beside `pin`, and a question without a sign before its answer'],
  ['twenty-third', 68, 25, 'a value as the name of an object, and a line of `.pgpass` in a sentence'],
  ['twenty-fourth', 54, 30, 'Korean letters and digits'],
  ['twenty-fifth', 50, 30, 'no word near names a password, or it names an object as often'],
  ['twenty-sixth', 101, 100, 'words with a number behind `credential`, and a header that names no secret'],
  ['twenty-seventh', 60, 60, 'no word near names a secret, or the value has the form of a name'],
  ['earliest', 116, 0, 'nothing'],
];

const linesIn = (text: string): number => text.split('\n').length;

describe('the corpus of secrets and harmless texts', () => {
  it('has these parts and no other', () => {
    expect([...secrets.keys()]).toEqual(parts.map(([part]) => part));
    expect([...harmless.keys()]).toEqual(parts.flatMap(([part, , count]) => (count === 0 ? [] : [part])));
  });

  it('counts a secret of which one word is left as a survivor', () => {
    const { survivors } = measure((text) => text.replace('first', ''), { a: ['x ‹first second›'] }, {});

    expect(survivors).toHaveLength(1);
  });

  it('counts a harmless text that changes as a false alarm', () => {
    expect(measure((text) => text.toUpperCase(), {}, { a: ['x', '1'] }).alarms).toHaveLength(1);
  });

  it.each(parts)(
    'redacts the secrets of the %s part (%i) and keeps its harmless texts (%i), all but those that are marked: %s',
    (part, ...[secretCount, harmlessCount]) => {
      const [hidden = {}, kept = {}] = [secrets.get(part), harmless.get(part)];
      const found = measure(redact, hidden, kept);

      expect([found.secrets, found.harmless]).toEqual([secretCount, harmlessCount]);
      const known = knownOf(hidden, kept);
      const different = (secret: string): boolean => !known.survivors.includes(secret);
      expect(found.survivors.filter(({ secret }) => different(secret))).toEqual([]);
      expect(found.survivors.map(({ secret }) => secret)).toEqual(known.survivors);
      expect(found.alarms.map(({ text }) => text)).toEqual(known.alarms);
      // What was redacted stays as it is, on as many lines as before.
      const results = found.results.filter(
        ({ text, result }) => redact(result) !== result || linesIn(result) !== linesIn(text),
      );
      expect(results).toEqual([]);
    },
  );
});
