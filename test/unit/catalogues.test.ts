import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { movedSentences } from '#src/core/diagnosis/family-texts.js';
import { knownMessageCatalogueId } from '#src/core/diagnosis/messages/explain-pasted.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { languages } from '#src/core/language/language.js';
import { plain } from '#src/core/language/prose.js';
import type { Statement } from '#src/core/language/statement.js';
import { createCatalogues, createTell } from '#src/doctor.js';

const catalogues = createCatalogues();

/** Statements of recorded incidents, by the version before their sentences moved to the catalogues of families. */
const formerStatements = JSON.parse(
  readFileSync(new URL('former-statements.json', import.meta.url), 'utf8'),
) as readonly Statement[];

/** Sentences shorter than this may be equal by chance, such as a title of one word. */
const minLength = 60;

describe('the catalogues', () => {
  it('contain no sentence twice', () => {
    const places = new Map<string, string[]>();
    for (const [id, catalogue] of Object.entries(catalogues)) {
      for (const [key, sentence] of Object.entries(catalogue.en)) {
        // These sentences are texts, each made into a function by the same code.
        const isText = id === knownMessageCatalogueId;
        const source = isText ? JSON.stringify(sentence({ cause: '' } as never)) : sentence.toString();
        // A reason of the scheduler is put together of clauses and has no words of its own here.
        if (source.length < minLength || key.startsWith('reason-')) continue;
        places.set(source, [...(places.get(source) ?? []), `${id}/${key}`]);
      }
    }

    expect(places.size).toBeGreaterThan(900);
    expect([...places.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  it('name what people can do in one Korean form', () => {
    const titles = Object.entries(catalogues).flatMap(([id, { ko }]) =>
      Object.entries(ko).flatMap(([key, sentence]) =>
        /^advice-(?:.+-)?title$/.test(key) ? [{ id: `${id}/${key}`, source: sentence.toString() }] : [],
      ),
    );

    expect(titles.length).toBeGreaterThan(70);
    // This one takes its words from a table that it does not contain.
    const others = titles.filter(({ id }) => id !== 'image-pull-failure/advice-title');
    expect(others.filter(({ source }) => !/기[`'"]/.test(source)).map(({ id }) => id)).toEqual([]);
    expect(titles.filter(({ source }) => /[요다]\.?[`'"]/.test(source)).map(({ id }) => id)).toEqual([]);
  });

  it('have the same keys in every language', () => {
    for (const [id, catalogue] of Object.entries(catalogues)) {
      const [en, ...others] = languages.map((language) => Object.keys(catalogue[language]).toSorted());
      for (const keys of others) expect(keys, id).toEqual(en);
    }
  });
});

describe('statements in older records', () => {
  const tell = createTell();
  const strategy = { maxSurge: '1', maxUnavailable: '0', replicas: 1, surge: 1, unavailable: 0 };

  it.each([
    ['surge-deadlock', 'strategy-forbids', strategy, 'deadlock', 'strategy-forbids'],
    ['readiness-deadlock', 'standing', { revision: '2', stillForSeconds: 90 }, 'deadlock', 'standing'],
    [
      'scale-up-pending',
      'standing',
      { waiting: 1, forSeconds: 90, ready: 1, wanted: 2 },
      'waiting',
      'standing',
    ],
    ['kubelet-rejected', 'says', { message: 'm', said: 'm' }, 'crashes', 'kubelet-says'],
    ['resume-rollout', 'then-placed', { pod: 'p', node: 'n' }, 'effects', 'then-placed'],
  ])(
    'of %s/%s are rendered by the catalogue that contains the sentence now',
    (catalogue, key, values, owner, now) => {
      for (const language of languages) {
        const rendered = plain(tell({ catalogue, key, values }, language));
        expect(rendered).toBe(plain(tell({ catalogue: owner, key: now, values }, language)));
        expect(rendered).not.toContain(`${catalogue}: `);
      }
    },
  );

  it.each(
    formerStatements.map((statement) => [`${statement.catalogue}/${statement.key}`, statement] as const),
  )('render as a whole sentence: %s, as recorded before it moved', (id, statement) => {
    for (const language of languages) {
      const text = plain(tell(statement, language));

      expect(text).not.toBe(id.replace('/', ': '));
      expect(text).not.toMatch(/undefined|NaN/);
    }
  });

  it('are looked up only in catalogues and under keys that exist', () => {
    for (const places of Object.values(movedSentences.catalogues)) {
      for (const place of places) expect(Object.keys(catalogues)).toContain(place);
    }
    for (const { catalogue, key } of Object.values(movedSentences.keys)) {
      expect(Object.keys(catalogues[catalogue]?.en ?? {})).toContain(key);
    }
  });

  it('render as their key when no catalogue contains them, even where the key is an object property', () => {
    for (const key of ['constructor', '__proto__', 'toString']) {
      expect(plain(tellFrom(catalogues)({ catalogue: 'deadlock', key, values: {} }, 'en'))).toBe(
        `deadlock: ${key}`,
      );
    }
  });
});
