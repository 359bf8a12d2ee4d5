import { basename } from 'node:path';
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { renderCard } from '#src/adapters/slack/render/card.js';
import { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import { createTell } from '#src/doctor.js';
import { linesAboveButton, phoneLines } from '#support/phone-lines.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf } from '#support/scenarios/snapshot-of.js';
import { buildIncident } from '#support/slack-builders.js';

const tell = createTell();
/** The lines that a phone shows without scrolling. */
const maxLines = 12;

function menuTexts(blocks: readonly KnownBlock[]): readonly string[] {
  return blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((element) => (element.type === 'overflow' ? element.options : []))
    .map(({ text }) => text.text);
}

describe.each(['en', 'ko'] as const)('the card in %s of', (language) => {
  it.each(scenarios().map((scenario) => [basename(scenario.folder), scenario] as const))(
    '%s fits a phone, including its button',
    async (_, scenario) => {
      const found = await diagnosisOf(scenario);
      const workload = { ...found.workload, cluster: 'prod-eu' };
      const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify({ ...found, workload })));
      const { blocks } = renderCard(buildIncident({ workload, diagnosis, language }), undefined, { tell });

      expect(menuTexts(blocks).filter((text) => /[^ ]…$/u.test(text))).toEqual([]);
      expect(linesAboveButton(blocks)).toBeLessThan(maxLines);
      expect(phoneLines(blocks)).toBeLessThanOrEqual(maxLines);
      expect(blocks.filter(({ type }) => type === 'actions')).toHaveLength(1);
    },
  );
});
