import { afterEach, beforeEach, expect, it } from 'vitest';
import { fullSight, noSight, type Sight } from '#src/doctor/policy/view.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { createDiagnoseMember, createReadGroup } from '#src/service/people/read-group.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident, tell } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';
import { createAlertStage } from '../alerts/stage.js';

const onlyTeam1: Sight = {
  allOf: [[{ clusters: ['*'], namespaces: ['team-1'], logs: false }]],
};
/** By Slack user id. */
const sights: Readonly<Record<string, Sight>> = {
  U0DANA: onlyTeam1,
  U0MINJUN: fullSight,
  U0SAM: noSight,
};

let rig: Rig;

const db = withRedis();

/** Forty workloads in two namespaces, of which the first leads. */
const workloads = Array.from({ length: 40 }, (_, at) => ({
  ...{ cluster: 'prod-eu', kind: 'Deployment' as const },
  ...{ namespace: `team-${at % 2}`, name: `svc-${at}` },
}));

beforeEach(async () => {
  const { incidents, deliveries } = createAlertStage(db.redis);
  const [workload, ...others] = workloads;
  if (workload === undefined) throw new Error('must be there');
  const lead = buildIncident({
    version: 1,
    diagnosis: buildDiagnosis({ workload, findings: [buildFinding({ cause: 'out-of-memory' })] }),
    ...{ id: 'lead', workload, channel: 'C0MLONCALL', origin: { via: 'alert' } },
    group: {
      role: 'leads',
      root: { kind: 'Cause', cluster: 'prod-eu', cause: 'out-of-memory' },
      members: others.map((each) => ({ id: each.name, workload: each, state: 'sick', severity: 'warning' })),
    },
  });
  await incidents.open(lead);
  rig = await startRig();
  const ofPerson = async (user: string) => sights[user] ?? noSight;
  rig.let({
    readGroup: createReadGroup({ deliveries, incidents, sights: { ofPerson } }),
    diagnoseMember: createDiagnoseMember({ deliveries, incidents }, async (request) => {
      rig.asked.push({ useCase: 'requestDiagnosis', request });
      return { type: 'queued', incident: buildIncident({ workload: request.query as never }), joined: false };
    }),
  });
  const { text, blocks } = renderCard(lead, undefined, { tell });
  await rig.clients.delivery.chat.postMessage({ channel: 'C0MLONCALL', text, blocks });
});
afterEach(() => rig.close());

/** The person opens the list of the card, and waits for these words in it. */
async function opens(person: string, words: string) {
  const [card] = rig.slack.messages('ml-oncall');
  if (card === undefined) throw new Error('must be posted');
  await rig.slack.as(person).clicks(card, 'Show all 40 workloads');
  return shown(person, words);
}

function shown(person: string, words: string) {
  return rig.slack.until(
    () => {
      const view = rig.slack.as(person).modal();
      return view !== undefined && read(view).includes(words) ? view : undefined;
    },
    { what: `a list with "${words}"` },
  );
}

it('the list names and counts only the workloads that its reader may see', async () => {
  const pages = [await opens('dana', '1–15 of 20')];
  await rig.slack.as('dana').clicks(pages[0] as never, 'Next page');
  pages.push(await shown('dana', '16–20 of 20'));

  const says = pages.map(read).join('\n');
  expect(says).toContain('20 workloads with the same failure');
  expect(JSON.stringify(pages)).not.toContain('team-0');
  expect(new Set(says.match(/svc-\d+/g)).size).toBe(20);
});

it('another reader of the same card sees all of them, in their language', async () => {
  expect(read(await opens('min-jun', '40개 중 1–15번째'))).toContain('워크로드 40개에 같은 장애');
});

it('a reader who may see none of them learns that no such incident is known', async () => {
  const view = await opens('sam', 'or you may not see it');
  expect(JSON.stringify(view)).not.toContain('svc-');
});

it('a diagnosis from the list runs for the person who pressed, and its card goes to the thread of the group', async () => {
  const view = await opens('dana', '1–15 of 20');
  const name = /svc-\d+/.exec(read(view))?.[0] ?? '';
  await rig.slack.as('dana').clicks(view, `Diagnose: team-1/${name}`);

  expect(await rig.untilAsked('requestDiagnosis', 1)).toMatchObject([
    { query: { namespace: 'team-1', name }, origin: { by: 'U0DANA' }, channel: 'C0MLONCALL' },
  ]);
  await shown('dana', 'is being diagnosed');
});
