import { describe, expect, it } from 'vitest';
import { movedSentences } from '#src/doctor/findings/family-texts.js';
import { knownMessageCatalogueId } from '#src/doctor/findings/messages/explain-pasted.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { createCatalogues, createTell } from '#src/service/create-engine.js';

const catalogues = createCatalogues();
const tell = createTell();

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

  it('count one failing pod with a verb in the singular', () => {
    const counted = Object.entries(catalogues).flatMap(([id, { en }]) =>
      Object.entries(en).flatMap(([key, sentence]) => {
        const source = sentence.toString();
        if (!/failingPods|failing\} of \$\{of\} new pods/.test(source)) return [];
        const pods = { failing: 1, of: 2, areNew: true, well: 1, nodes: ['n-a'] };
        const values = { ...pods, sinceSeconds: 600, longest: 600 };
        return [{ id: `${id}/${key}`, says: plain(tell({ catalogue: id, key, values }, 'en')) }];
      }),
    );

    expect(counted.length).toBeGreaterThan(12);
    expect(
      counted.filter(({ says }) => /1 of 2 (?:new )?pods (?:are|have|do|receive|crash)\b/.test(says)),
    ).toEqual([]);
  });

  it('choose the Korean particle behind a name by its sound', () => {
    const particle = /\bcode\)?\((?!["'`])[^(){}]{1,60}\)\}(?:이며|을|를|은|는|이|가|과|와)(?![가-힣])/;
    const wrong = Object.entries(catalogues).flatMap(([id, { ko }]) =>
      Object.entries(ko).flatMap(([key, sentence]) =>
        particle.test(sentence.toString()) ? [`${id}/${key}`] : [],
      ),
    );

    expect(wrong).toEqual([]);
  });

  it('have the same keys in every language', () => {
    for (const [id, catalogue] of Object.entries(catalogues)) {
      const [en, ...others] = languages.map((language) => Object.keys(catalogue[language]).toSorted());
      for (const keys of others) expect(keys, id).toEqual(en);
    }
  });
});

describe('statements of the previous version', () => {
  const bounds = { maxSurge: '1', maxUnavailable: '0', replicas: 2 };

  it.each([
    ['surge-deadlock', 'strategy-canary', { ...bounds, unavailable: 0 }, 'strategies'],
    ['surge-deadlock', 'strategy-routed', { replicas: 2 }, 'strategies'],
    ['surge-deadlock', 'strategy-routed-dynamic', { weight: 20 }, 'strategies'],
    ['surge-deadlock', 'strategy-blue-green', { replicas: 2 }, 'strategies'],
    ['surge-deadlock', 'strategy-groups', bounds, 'strategies'],
    ['surge-deadlock', 'strategy-groups-in-order', bounds, 'strategies'],
    ['surge-deadlock', 'patch-withheld-unused', {}, 'strategies'],
    ['surge-deadlock', 'patch-withheld-canary', { weight: 20, replicas: 2 }, 'strategies'],
    ['surge-deadlock', 'scale-down-withheld-rollout', {}, 'strategies'],
    ['surge-deadlock', 'ev-groups', { surge: 1, unavailable: 0 }, 'strategies'],
    ['surge-deadlock', 'groups-not-simulated', { settings: ['subGroupPolicy'] }, 'strategies'],
    ['quota-deadlock', 'patch-withheld', {}, 'deadlock'],
  ])('of %s/%s are rendered by the catalogue that has the sentence now', (catalogue, key, values, owner) => {
    for (const language of languages) {
      const rendered = plain(tell({ catalogue, key, values }, language));
      expect(rendered).toBe(plain(tell({ catalogue: owner, key, values }, language)));
      expect(rendered).not.toMatch(/: (?:strategy|patch|scale|ev|groups)-|undefined|NaN/);
    }
  });

  it('are looked up only in catalogues that exist', () => {
    for (const places of Object.values(movedSentences)) {
      for (const place of places) expect(Object.keys(catalogues)).toContain(place);
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
