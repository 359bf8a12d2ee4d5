import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allControls } from '../cluster/controls/all-controls.js';
import { Expectation } from '../support/scenarios/expectation.js';
import { scenarioFolders, scenariosFolder } from '../support/scenarios/scenario-folders.js';

const folder = join(scenariosFolder, 'controls');

describe('the healthy controls', () => {
  it('are exactly the recorded controls', () => {
    expect(scenarioFolders(folder)).toEqual(allControls.map(({ id }) => id).toSorted());
  });

  it.each(allControls.map((control) => [control.id, control] as const))(
    '%s expects the values of the program that records it',
    (id, { title, resembles, informational }) => {
      const recorded = Expectation.parse(JSON.parse(readFileSync(join(folder, id, 'expect.json'), 'utf8')));

      expect(recorded).toMatchObject({ id, title, cause: null, never: [resembles] });
      expect(recorded.informational).toEqual(informational);
    },
  );
});
