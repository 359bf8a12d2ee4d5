import { afterEach, expect, it } from 'vitest';
import { renderIncidents } from '#src/edges/slack/render/incidents.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { tell } from '../../support/slack-builders.js';
import { buildIncidentList } from '../../support/slack-records.js';
import { type Rig, startRig } from '../../support/slack-rig.js';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** What dana sees after she asked for the incidents. */
async function answer(change: (blocks: object[]) => object[] = (blocks) => blocks): Promise<string> {
  const started = await startRig({
    others: {
      incidents: async (_request, { language }) => {
        const options = { tell, language, linkTo: () => undefined, hasTables: true };
        const message = renderIncidents(buildIncidentList(), options);
        return { ...message, blocks: change(message.blocks) as typeof message.blocks };
      },
    },
  });
  rig = started;
  await started.slack.as('dana').runs('/rollout-doctor incidents', { channel: 'ml-oncall' });
  await started.slack.until(() => started.slack.ephemerals('dana').length > 0);
  return started.told('dana');
}

it('a list arrives as a table', async () => {
  expect(await answer()).toContain('| Severity | Workload | Ready | Problem | On it | Since |');
});

it('a list arrives in lines where Slack refuses its table', async () => {
  const twice = (blocks: object[]) => [...blocks, ...blocks.filter((each) => 'rows' in each)];
  const said = await answer(twice);
  expect(said).not.toContain('| Severity |');
  expect(said).toContain(`🔴 Critical · \`ml/inference\` ${isDeadlocked}`);
});
