import { describe, expect, it } from 'vitest';
import { explainSchedulerText } from '#src/engine/messages/explain-scheduler-message.js';
import {
  knownBatchReasons,
  knownKubeletReasons,
  knownOtherReasons,
} from '#src/engine/messages/known-other-reasons.js';
import type { Recognised } from '#src/engine/messages/known-reason.js';
import {
  knownDeviceReasons,
  knownNodeReasons,
  knownPredicateReasons,
  knownVolumeReasons,
} from '#src/engine/messages/known-scheduler-reasons.js';
import { recognise } from '#src/engine/messages/recognise.js';
import { reviewed } from './sentences/expected.js';

const known = [
  ...knownNodeReasons,
  ...knownVolumeReasons,
  ...knownDeviceReasons,
  ...knownOtherReasons,
  ...knownPredicateReasons,
  ...knownBatchReasons,
  ...knownKubeletReasons,
];

/** The words with something in each hole. */
function filled(words: string): string {
  let holes = 0;
  return words.replaceAll('*', () => {
    holes += 1;
    return `hole-${holes}`;
  });
}

const meaning = ({ reason, says, help, detail }: Recognised): string =>
  `${reason}, told as ${says}, ${help}${detail === undefined ? '' : `, names ${detail}`}`;

describe('the known scheduler reasons', () => {
  it('have their meaning in the sources, whole and cut off', async () => {
    const lines = known.flatMap(({ words, source }) => {
      const text = filled(words);
      return [
        text,
        `  from     ${source}`,
        `  means    ${meaning(recognise(text))}`,
        `  cut off  ${meaning(recognise(text.slice(0, Math.ceil(text.length * 0.6)), true))}`,
      ];
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('known-reasons.txt');
  });

  it('are each listed once, with their origin', () => {
    expect(new Set(known.map(({ words }) => words)).size).toBe(known.length);
    expect(known.filter(({ source }) => source.trim() === '')).toEqual([]);
  });

  it('are not hidden by reasons that match before them', () => {
    const hidden = known.filter(({ words, reason, says }) => {
      const found = recognise(filled(words));
      return found.reason !== reason || found.says !== says;
    });
    expect(hidden.map(({ words }) => words)).toEqual([]);
  });
});

describe('the explanation of a scheduler message', () => {
  it.each(reviewed)('states the same facts as when it was reviewed: %s', async (name, sentences) => {
    const lines = sentences.flatMap(({ says }) => [
      says,
      ...explainSchedulerText(says).statements.map(({ key, values }) => `  ${key} ${JSON.stringify(values)}`),
    ]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`explained-${name}.txt`);
  });
});
