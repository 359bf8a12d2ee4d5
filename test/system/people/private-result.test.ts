import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Rig, startRig } from '#support/faults-rig.js';
import { aloud } from '#support/read-aloud.js';
import { idle } from '../faults/objects.js';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig({ env: { HEALTHY_RESULTS: 'private' } });
  rig.cluster.create([idle('calm')]);
});

afterAll(() => rig.stop());

const channelSays = (words: string) => rig.cards().some((card) => rig.says(card).includes(words));
const resultsFor = (person: string) =>
  rig.slack.ephemerals(person).filter(({ blocks }) => aloud(blocks).includes('shop/calm'));
const resultFor = (person: string, words: string) =>
  rig.slack.until(() => resultsFor(person).find(({ blocks }) => aloud(blocks).includes(words)), {
    what: `a private result with "${words}" for ${person}`,
  });

it('shows a result without a problem to the person who asked, and to the channel once that person shares it', async () => {
  await rig.ask('deploy/calm -n shop', 'dana');
  const result = await resultFor('dana', 'No problem found for shop/calm');

  expect(channelSays('shop/calm')).toBe(false);
  await rig.slack.as('dana').clicks(result, 'Share the result for shop/calm with the channel');
  await rig.untilCard('No problem found for shop/calm');
  expect(resultsFor('dana').map(({ ts }) => ts)).not.toContain(result.ts);
});

it('states it in the language of the person, and gives each person who asks a result', async () => {
  rig.cluster.create([idle('quiet')]);
  await rig.ask('deploy/quiet -n shop', 'min-jun');
  await rig.ask('deploy/quiet -n shop', 'sam');
  const said = (person: string, words: string) =>
    rig.slack.until(() => rig.slack.ephemerals(person).find(({ blocks }) => aloud(blocks).includes(words)), {
      what: `a private result with "${words}" for ${person}`,
    });

  await said('min-jun', 'shop/quiet에서 문제를 찾지 못했습니다');
  await said('sam', 'No problem found for shop/quiet');
  expect(channelSays('shop/quiet')).toBe(false);
});
