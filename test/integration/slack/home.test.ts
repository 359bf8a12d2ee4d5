import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noPages } from '#src/doctor/incidents/page-links.js';
import { renderHome } from '#src/edges/slack/render/home.js';
import { DoctorError } from '#src/service/errors.js';
import type { Home } from '#src/service/people/read-home.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { buildIncident, tell } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig({ mode: 'http' });
});
afterEach(() => rig.close());

async function pageOf(person: string, words: string): Promise<void> {
  await rig.slack.until(
    () => {
      const home = rig.slack.as(person).home();
      return home !== undefined && read(home).includes(words);
    },
    { what: `a page with "${words}"` },
  );
}

it('the Home page is rendered for the person who opens it, again each time', async () => {
  rig.slack.as('dana').opensHome();
  await pageOf('dana', 'The page of @U0DANA');
  expect(rig.slack.as('sam').home()).toBeUndefined();

  const before = rig.slack.calls('views.publish').length;
  rig.slack.as('dana').opensHome();
  await vi.waitFor(() => expect(rig.slack.calls('views.publish')).toHaveLength(before + 1), {
    timeout: 60_000,
  });
});

it('a Home page that fails states so in the language of its reader', async () => {
  rig.let({
    homePage: async () => {
      throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
    },
  });
  rig.slack.as('dana').opensHome();
  await pageOf('dana', 'Redis does not answer');
  rig.slack.as('min-jun').opensHome();
  await pageOf('min-jun', '다시 열어 주세요');
});

it('a Home page that Slack rejects is logged', async () => {
  rig.let({ homePage: async () => ({ text: 'x', blocks: [{ type: 'header' } as never] }) });
  rig.slack.as('dana').opensHome();
  await vi.waitFor(
    () => expect(rig.logged.map(({ msg }) => msg)).toContain('a Home page could not be published'),
    { timeout: 60_000 },
  );
});

describe('a press on the Home page', () => {
  const { workload } = buildIncident();
  const incident = buildIncident({ channel: 'C0MLONCALL' });

  /** Shows this incident on dana's page. */
  async function shows(shown = incident) {
    const home: Home = {
      type: 'home',
      ...{ pending: [], morePending: 0, moreOpen: 0, changes: [], silences: [] },
      open: [{ incident: shown, card: undefined }],
      severities: { critical: 1, warning: 0, info: 0 },
      channel: 'C0MLONCALL',
      at: '2026-11-20T09:35:00Z',
    };
    rig.let({
      homePage: async ({ user, language }) =>
        renderHome(home, user, { tell, language, linkTo: () => undefined, pages: noPages }),
    });
    rig.slack.as('dana').opensHome();
    await pageOf('dana', '1 open incident');
    const page = rig.slack.as('dana').home();
    if (page === undefined) throw new Error('must be published');
    return page;
  }

  function modal(words: string) {
    return rig.slack.until(
      () => {
        const view = rig.slack.as('dana').modal();
        return view !== undefined && read(view).includes(words) ? view : undefined;
      },
      { what: `a modal with "${words}"` },
    );
  }

  const published = () => rig.slack.calls('views.publish').length;

  it("I'm on it puts the person on the incident, and the page is made anew", async () => {
    const page = await shows();
    const before = published();
    await rig.slack.as('dana').clicks(page, "I'm on it");
    expect(await rig.untilAsked('assignIncident', 1)).toEqual([
      { incidentId: incident.id, by: 'U0DANA', step: { type: 'take' } },
    ]);
    await vi.waitFor(() => expect(published()).toBeGreaterThan(before), { timeout: 60_000 });
    expect(rig.slack.as('dana').modal()).toBeUndefined();
  });

  it('that somebody else made first is answered in a modal, which lets the person take over', async () => {
    const assignee = { by: 'U0MINJUN', at: '2026-11-20T09:31:00Z', cause: 'surge-deadlock' } as const;
    rig.let({ assignIncident: async () => ({ type: 'held', incident, assignee, isNew: false }) });
    await rig.slack.as('dana').clicks(await shows(), "I'm on it");
    const held = await modal('@U0MINJUN has been on');
    rig.let({ assignIncident: async () => ({ type: 'yours', incident, since: assignee.at, isNew: true }) });
    await rig.slack.as('dana').clicks(held, 'Take over');
    await modal('You are on `ml/inference` now');
    expect(await rig.untilAsked('assignIncident', 2)).toContainEqual(
      expect.objectContaining({ step: { type: 'take-over', from: 'U0MINJUN' } }),
    );
  });

  it('silences, diagnoses again, shows the proof and opens the review', async () => {
    const page = await shows();
    await rig.slack.as('dana').clicks(page, 'Diagnose again');
    expect(await rig.untilAsked('diagnoseAgain', 1)).toEqual([{ incidentId: incident.id, by: 'U0DANA' }]);
    await rig.slack.as('dana').clicks(page, 'Show proof');
    await modal(isDeadlocked);
    await rig.slack.as('dana').clicks(page, 'Silence for 2 hours');
    await modal('muted in all channels');
  });

  it('searches, and starts a diagnosis in the channel that the person chose', async () => {
    rig.let({
      findByName: async ({ text }) => ({
        ...{ type: 'found', text, incidents: [{ incident, card: undefined }], workloads: [workload] },
        ...{ near: [], unreadable: undefined },
      }),
    });
    await rig.slack.as('dana').clicks(await shows(), '🔍 Search');
    await rig.slack
      .as('dana')
      .submits(await modal('Workload: ____'), { name: 'ml/inf', channel: 'C0MLONCALL' });
    const found = await modal('*Workloads*');
    expect(read(found)).toContain('`ml/inference` · Deployment · cluster `prod-eu` [Diagnose]');
    expect(read(found)).toContain(`*Incidents*\n\`ml/inference\` ${isDeadlocked}`);
    expect(await rig.untilAsked('findByName', 1)).toEqual([{ by: 'U0DANA', text: 'ml/inf' }]);

    await rig.slack.as('dana').clicks(found, 'Diagnose');
    expect(await rig.untilAsked('requestDiagnosis', 1)).toMatchObject([
      { query: { namespace: 'ml', name: 'inference', cluster: 'prod-eu' }, channel: 'C0MLONCALL' },
    ]);
    await modal('Diagnosing `prod-eu/ml/inference`');
  });

  it.each([
    ['nothing but spaces', '   ', ''],
    ['a command', '/rollout-doctor scan ml', '/rollout-doctor scan ml'],
    ['marks and mentions of Slack', '<!channel> *x* <@U0SAM>', '<!channel> *x* <@U0SAM>'],
    ['a text of 300 letters', 'x'.repeat(300), 'x'.repeat(300)],
  ])('a search for %s is answered, notifies nobody and opens no review', async (_, typed, asked) => {
    await rig.slack.as('dana').clicks(await shows(), '🔍 Search');
    await rig.slack.as('dana').submits(await modal('Workload: ____'), { name: typed });
    const answer = await modal('No workload or incident that you can view is named');

    expect(await rig.untilAsked('findByName', 1)).toEqual([{ by: 'U0DANA', text: asked }]);
    expect(JSON.stringify(answer.blocks)).not.toMatch(/"type":"(user|broadcast|usergroup)"/);
    expect(rig.slack.messages('ml-oncall')).toEqual([]);
  });

  it('a search without any text is refused by the field itself', async () => {
    await rig.slack.as('dana').clicks(await shows(), '🔍 Search');
    const search = await modal('Workload: ____');
    expect(await rig.slack.as('dana').submits(search, {})).toMatchObject({ type: 'refused' });
    expect(rig.asked).toEqual([]);
  });

  it('finds nothing in words that name what was typed', async () => {
    await rig.slack.as('dana').clicks(await shows(), '🔍 Search');
    await rig.slack.as('dana').submits(await modal('Workload: ____'), { name: 'nope' });
    await modal('No workload or incident that you can view is named `nope`.');
  });
});
