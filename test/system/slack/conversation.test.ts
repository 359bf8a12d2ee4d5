import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionIds } from '#src/adapters/slack/render/action-ids.js';
import { DoctorError } from '#src/errors.js';
import { notice } from '#src/usecases/notices/notices.js';
import type { Decided } from '#src/usecases/people/conversation.js';
import { buildApproval, buildIncident, buildReview } from '#support/slack-builders.js';
import { type Rig, read, startRig } from '#support/slack-rig.js';

const channel = 'ml-oncall';

/** The result for a misspelt name. */
const mistyped = {
  type: 'not-found',
  what: 'workload',
  name: 'ml/inferense',
  nearest: ['ml/inference'],
} as const;

describe.each(['http', 'socket'] as const)('the app over %s', (mode) => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ mode });
  });
  afterEach(() => rig.close());

  function asks(useCase: string): readonly unknown[] {
    return rig.asked.filter((each) => each.useCase === useCase).map(({ request }) => request);
  }

  /** Posts the card of the deadlock as delivery would. */
  async function postCard() {
    return rig.postCard(buildIncident({ channel: 'C0MLONCALL' }));
  }

  describe('the slash command', () => {
    it('requests the diagnosis, and leaves nothing beside a card that comes soon', async () => {
      const outcome = await rig.slack.as('dana').runs('/rollout-doctor deploy/inference -n ml', { channel });

      expect(outcome.type).toBe('acknowledged');
      await rig.untilAsked('requestDiagnosis', 1);
      expect(asks('requestDiagnosis')).toEqual([
        {
          query: { kind: 'Deployment', namespace: 'ml', name: 'inference' },
          origin: { via: 'command', by: 'U0DANA', text: 'deploy/inference -n ml' },
          channel: 'C0MLONCALL',
          language: 'en',
        },
      ]);
      await rig.app.stop();
      expect(rig.slack.ephemerals('dana')).toEqual([]);
    });

    it('names the workload when its card takes longer than a moment', async () => {
      rig.let({ isShown: async () => false });
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });

      await rig.slack.until(() => rig.told('dana') === 'Diagnosing `ml/inference` …');
    });

    it('names the change when its forecast takes longer than a moment', async () => {
      rig.let({ isShown: async () => Promise.reject(new Error('Redis is away')) });
      await rig.slack.as('dana').runs('/rollout-doctor restart ml/inference', { channel });

      await rig.slack.until(() => rig.told('dana').includes('`ml/inference`'));
    });

    it('does not say that it is diagnosing beside an answer', async () => {
      rig.let({
        requestDiagnosis: async () => ({
          type: 'not-found',
          what: 'workload',
          name: 'inference',
          nearest: [],
        }),
      });
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
      await rig.app.stop();

      expect(rig.slack.ephemerals('dana')).toHaveLength(1);
      expect(rig.told('dana')).not.toContain('Diagnosing');
    });

    it('is acknowledged while everything behind it hangs', async () => {
      rig.let({ seenBefore: () => new Promise(() => {}), requestDiagnosis: () => new Promise(() => {}) });

      const outcome = await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });

      expect(outcome.type).toBe('acknowledged');
      await rig.slack.until(() => rig.told('dana') === 'Diagnosing `ml/inference` …');
    });

    it('is acknowledged while Slack does not answer calls of the app', async () => {
      const held = rig.slack.faults.hold();
      const outcome = await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
      held.release();

      expect(outcome.type).toBe('acknowledged');
    });

    it('is answered in the cached language of the person', async () => {
      rig.let({ isShown: async () => false });
      await rig.people.languageOf('U0MINJUN');
      await rig.slack.as('min-jun').runs('/rollout-doctor ml/inference', { channel });

      await rig.slack.until(() => rig.told('min-jun') === '`ml/inference` 진단 중 …');
    });

    it('is answered in the language of the person also at the first contact', async () => {
      rig.let({ isShown: async () => false });
      await rig.slack.as('min-jun').runs('/rollout-doctor ml/inference', { channel });

      await rig.slack.until(() => rig.told('min-jun') === '`ml/inference` 진단 중 …');
    });

    it('offers the most similar command as a button when it is misspelt', async () => {
      await rig.slack.as('dana').runs('/rollout-doctor explian 0/3 nodes are available', { channel });
      const offer = await rig.slack.until(() =>
        rig.slack.ephemerals('dana').find((each) => read(each).includes('`explian` is not a command.')),
      );
      expect(read(offer)).toContain('Did you mean `explain 0/3 nodes are available`?');
      expect(rig.asked).toEqual([]);

      await rig.slack.as('dana').clicks(offer, 'explain 0/3 nodes are available');
      await rig.slack.until(() => rig.told('dana').includes('None of the 3 nodes'));
    });

    it('offers a similar command when no workload has the name', async () => {
      rig.let({
        requestDiagnosis: async () => ({ type: 'not-found', what: 'workload', name: 'hepl', nearest: [] }),
      });
      await rig.slack.as('dana').runs('/rollout-doctor hepl', { channel });
      const offer = await rig.slack.until(() =>
        rig.slack.ephemerals('dana').find((each) => read(each).includes('Did you mean `help`?')),
      );

      await rig.slack.as('dana').clicks(offer, 'help');
      await rig.slack.until(() => rig.told('dana').includes('Clusters: `prod-eu` and `prod-us`.'));
    });

    it('names the known clusters when the cluster is unknown, and reports unsupported kinds', async () => {
      const known = ['prod-eu', 'prod-us'];
      rig.let({
        requestDiagnosis: async () => ({ type: 'not-found', what: 'cluster', name: 'x', nearest: [], known }),
      });
      await rig.slack.as('dana').runs('/rollout-doctor x/ml/inference', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Unknown cluster `x`.'));
      expect(rig.told('dana')).toContain('Available clusters: `prod-eu` and `prod-us`.');
      expect(rig.told('dana')).not.toContain('Check the namespace');

      await rig.slack.as('dana').runs('/rollout-doctor cronjob/backup -n ml', { channel });
      expect(rig.told('dana')).toContain('`CronJobs` are not supported yet.');
    });

    it('answers help and invalid input without a use case', async () => {
      await rig.slack.as('dana').runs('/rollout-doctor help', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Clusters: `prod-eu` and `prod-us`.'));
      await rig.slack.as('dana').runs('/rollout-doctor ml/infer_ence', { channel });
      expect(rig.told('dana')).toContain('`infer_ence` is not a valid workload name');
      expect(rig.asked).toEqual([]);
    });

    it('answers the connected requests, and reports the unavailable ones', async () => {
      await rig.slack.as('dana').runs('/rollout-doctor explain 0/3 nodes <are> available', { channel });
      const answer = await rig.slack.until(() => rig.told('dana').includes('0/3 nodes') && rig.told('dana'));
      expect(answer).toContain('None of the 3 nodes can run the pod.');
      expect(answer).not.toContain('<are>');
      await rig.slack.as('dana').runs('/rollout-doctor incidents', { channel });
      expect(rig.told('dana')).toContain('`incidents` is not available in this installation.');
    });

    it('offers several matches as buttons, and diagnoses the chosen one', async () => {
      const { workload } = buildIncident();
      const other = { ...workload, namespace: 'ml-dev' };
      rig.let({ requestDiagnosis: async () => ({ type: 'choices', workloads: [workload, other] }) });
      await rig.slack.as('dana').runs('/rollout-doctor inference', { channel });
      const choices = await rig.slack.until(() =>
        rig.slack.ephemerals('dana').find((each) => read(each).includes('Which one?')),
      );

      rig.let({
        requestDiagnosis: async () => ({ type: 'queued', incident: buildIncident(), joined: true }),
      });
      await rig.slack.as('dana').clicks(choices, 'Deployment ml-dev/inference (prod-eu)');

      await rig.slack.until(() => rig.told('dana').includes('has an open incident in this channel'));
      expect(asks('requestDiagnosis').at(-1)).toMatchObject({ query: { ...other } });
      expect(read(rig.slack.message(choices))).toBe('Diagnosing `prod-eu/ml-dev/inference` …');
    });

    it('announces the forecast of a change, and passes the request on with its origin', async () => {
      rig.let({ isShown: async () => false });
      const before = asks('requestDiagnosis').length;
      await rig.slack.as('dana').runs('/rollout-doctor exclude ml/inference from gpu-a, gpu-b', { channel });

      await rig.slack.until(() =>
        rig.told('dana').includes('Forecasting excluding the nodes for `ml/inference`'),
      );
      await rig.untilAsked('requestDiagnosis', before + 1);
      expect(asks('requestDiagnosis').at(-1)).toMatchObject({
        query: { namespace: 'ml', name: 'inference' },
        change: { kind: 'exclude-nodes', nodes: ['gpu-a', 'gpu-b'] },
        origin: { via: 'command', by: expect.any(String) },
        channel: expect.any(String),
      });
    });

    it('requests the same change of the workload that is chosen among several', async () => {
      const { workload } = buildIncident();
      const other = { ...workload, namespace: 'ml-dev' };
      rig.let({ requestDiagnosis: async () => ({ type: 'choices', workloads: [workload, other] }) });
      await rig.slack.as('dana').runs('/rollout-doctor exclude inference gpu-a', { channel });
      const choices = await rig.slack.until(() =>
        rig.slack
          .ephemerals('dana')
          .find((each) => read(each).includes('exclude Deployment') || read(each).includes('Which one?')),
      );
      const before = asks('requestDiagnosis').length;
      rig.let({
        requestDiagnosis: async () => ({ type: 'queued', incident: buildIncident(), joined: false }),
      });
      await rig.slack.as('dana').clicks(choices, 'Deployment ml-dev/inference (prod-eu)');

      await rig.untilAsked('requestDiagnosis', before + 1);
      expect(asks('requestDiagnosis').at(-1)).toMatchObject({
        query: other,
        change: { kind: 'exclude-nodes', nodes: ['gpu-a'] },
      });
    });

    it('requests the change of an InferenceService, and of the part that people choose', async () => {
      const part = (name: string) =>
        ({ cluster: 'prod-eu', kind: 'Deployment', namespace: 'ml', name }) as const;
      rig.let({
        requestDiagnosis: async () => ({
          type: 'choices',
          workloads: [part('llm-predictor'), part('llm-transformer')],
        }),
      });
      await rig.slack.as('dana').runs('/rollout-doctor restart isvc/llm -n ml', { channel });

      await rig.untilAsked('requestDiagnosis', 1);
      expect(asks('requestDiagnosis').at(-1)).toMatchObject({
        query: { owner: 'InferenceService', namespace: 'ml', name: 'llm' },
        change: { kind: 'restart-rollout' },
      });
      const choices = await rig.slack.until(() => rig.slack.ephemerals('dana').at(-1));
      await rig.slack.as('dana').clicks(choices, 'restart Deployment ml/llm-transformer (prod-eu)');
      await rig.untilAsked('requestDiagnosis', 2);
      expect(asks('requestDiagnosis').at(-1)).toMatchObject({
        query: part('llm-transformer'),
        change: { kind: 'restart-rollout' },
      });
    });

    it('names the approvers to a person without the right, and lists similar workloads without buttons', async () => {
      rig.let({
        requestDiagnosis: async () => ({
          type: 'refused',
          because: notice('not-authorised', {
            workload: 'ml/inference',
            cluster: 'prod-eu',
            users: [],
            groups: ['ml-oncall'],
          }),
        }),
      });
      await rig.slack.as('dana').runs('/rollout-doctor restart ml/inference', { channel });
      await rig.slack.until(() => rig.told('dana').includes('ml-oncall'));

      rig.let({
        requestDiagnosis: async () => mistyped,
      });
      await rig.slack.as('dana').runs('/rollout-doctor restart ml/inferense', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Similar names: `ml/inference`.'));
    });

    it('offers similar names for a typo', async () => {
      rig.let({
        requestDiagnosis: async () => mistyped,
      });
      await rig.slack.as('dana').runs('/rollout-doctor ml/inferense', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Did you mean one of these?\n[ml/inference]'));
    });

    it('reports privately that Redis does not answer', async () => {
      rig.let({
        requestDiagnosis: async () => {
          throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
        },
      });
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
      await rig.slack.until(() => rig.told('dana').includes('because Redis does not answer'));
    });

    it('reports an internal error privately, and logs it under the reported reference', async () => {
      rig.let({ requestDiagnosis: () => Promise.reject(new TypeError('boom')) });
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Rollout Doctor failed with an internal error'));
      const line = rig.logged.find(({ msg }) => msg === 'a request from Slack failed');
      expect(rig.told('dana')).toContain(String(line?.reference));
    });

    it('reports that the app is not in the conversation and cannot post a card', async () => {
      rig.slack.removeApp('incidents');
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel: 'incidents' });
      await rig.slack.until(() =>
        rig.told('dana').includes('Rollout Doctor is not a member of this conversation'),
      );
      expect(rig.asked).toEqual([]);
    });
  });

  describe('a mention', () => {
    it('is answered in its own thread', async () => {
      const message = rig.slack.as('dana').mentions('ml/inference', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      expect(asks('requestDiagnosis')[0]).toMatchObject({
        query: { namespace: 'ml', name: 'inference' },
        origin: { via: 'mention', by: 'U0DANA' },
        threadTs: message.ts,
      });
    });

    it('is handled once, however often Slack delivers it', async () => {
      rig.slack.as('dana').mentions('ml/inference', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      await rig.slack.repeatsLastEvent();
      rig.slack.as('dana').mentions('ml/training', { channel });
      await rig.untilAsked('requestDiagnosis', 2);
      expect(asks('requestDiagnosis')[1]).toMatchObject({ query: { name: 'training' } });
    });

    it('without text in the thread of an incident diagnoses again', async () => {
      const card = await postCard();
      rig.let({ incidentInThread: async (_, ts) => (ts === card.ts ? buildIncident().id : undefined) });
      rig.slack.as('dana').mentions('', { channel, threadTs: card.ts });
      await rig.untilAsked('diagnoseAgain', 1);
      expect(asks('diagnoseAgain')).toEqual([{ incidentId: buildIncident().id, by: 'U0DANA' }]);
    });

    it('without text elsewhere shows help to the person only', async () => {
      rig.slack.as('dana').mentions('', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Diagnose one workload'));
      expect(rig.slack.messages(channel, { replies: true }).filter(({ botId }) => botId)).toEqual([]);
    });

    it('of another program is not answered', async () => {
      rig.slack.asBot('grafana').posts({ channel, text: `<@${rig.slack.botUserId}> ml/inference` });
      rig.slack.as('dana').mentions('ml/training', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      expect(asks('requestDiagnosis')[0]).toMatchObject({ query: { name: 'training' } });
    });
  });

  describe('a review', () => {
    async function openReview(who = 'dana') {
      const card = await postCard();
      await rig.slack.as(who).clicks(card, 'Review for ml/inference: Stop the old pod first');
      return rig.slack.until(() => {
        const modal = rig.slack.as(who).modal();
        return modal?.submit === undefined ? undefined : modal;
      });
    }

    it('opens at once, and shows the plan when the cluster has been read', async () => {
      let release = () => {};
      const looked = new Promise<void>((resolve) => {
        release = resolve;
      });
      rig.let({ reviewRemediation: () => looked.then(() => buildReview()) });
      const card = await postCard();

      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');
      const loading = await rig.slack.until(() => rig.slack.as('dana').modal());
      expect(read(loading)).toContain('Reading the current state of the cluster');
      expect(loading.submit).toBeUndefined();

      release();
      const modal = await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen?.submit === undefined ? undefined : seen;
      });
      expect(read(modal)).toContain('| +      maxSurge: 0');
      expect(modal.submit).toBe('Apply to prod-eu');
      expect(asks('reviewRemediation')).toEqual([
        { incidentId: buildIncident().id, remediationId: 'patch-strategy-0-1', by: 'U0DANA' },
      ]);
    });

    const asking = () => buildReview({ dryRun: { type: 'asked', ask: 1 } });
    const untilShown = (who: string, words: string) =>
      rig.slack.until(() => {
        const modal = rig.slack.as(who).modal();
        return modal !== undefined && read(modal).includes(words) ? modal : undefined;
      });

    it('shows the plan during the dry run, and the button after it is accepted', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: buildReview().dryRun })),
      });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');
      const waiting = await untilShown('dana', 'Running a dry run of this change on the API server');
      expect(read(waiting)).toContain('maxSurge: 0');
      expect(waiting.submit).toBeUndefined();

      answer();
      const ready = await untilShown('dana', 'The API server accepted this change in a dry run');
      expect(ready.submit).toBe('Apply to prod-eu');
      await rig.slack.as('dana').submits(ready, { reason: 'stuck' });
      await rig.untilAsked('decideApproval', 1);
    });

    const refusal = notice('dry-run-refused', {
      workload: 'ml/inference',
      because: 'admission',
      message: 'needs a ticket',
    });
    const refused = { type: 'refused', ask: 1, at: '', digest: '', because: refusal } as const;

    it.each([
      ['refuses the change', refused, 'needs a ticket'],
      ['does not return in time', { type: 'unanswered', seconds: 30 }, 'no result arrived within 30 seconds'],
    ] as const)('states so and has no button when the API server %s', async (_, dryRun, words) => {
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: async (review) => ({ ...review, dryRun }),
      });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');

      expect((await untilShown('dana', words)).submit).toBeUndefined();
    });

    it('states in the modal that waiting for the API server failed', async () => {
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: async () => {
          throw new Error('unexpected');
        },
      });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');

      expect((await untilShown('dana', 'failed with an internal error')).submit).toBeUndefined();
    });

    it('is refused privately with the reason when the modal was closed in between', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: refused })),
      });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');
      await rig.slack.as('dana').closes(await untilShown('dana', 'Running a dry run'));
      answer();

      await rig.slack.until(() => rig.told('dana').includes('needs a ticket'));
    });

    it('asks privately to press again when Slack does not accept the answer', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: buildReview().dryRun })),
      });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');
      await untilShown('dana', 'Running a dry run');
      rig.slack.faults.replaceAnswer({ method: 'views.update', body: '{"ok":true}', done: false });
      answer();

      await rig.slack.until(() => rig.told('dana').includes('Press the button again'));
      expect(rig.slack.as('dana').modal()?.submit).toBeUndefined();
    });

    it('states in the modal why it is refused', async () => {
      const because = notice('not-authorised', {
        workload: 'ml/inference',
        cluster: 'prod-eu',
        users: [],
        groups: ['ml-oncall'],
      });
      rig.let({ reviewRemediation: async () => ({ type: 'refused', because }) });
      const card = await postCard();
      await rig.slack.as('sam').clicks(card, 'Review for ml/inference: Stop the old pod first');
      await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('Ask `@ml-oncall`.');
      });
      expect(rig.slack.as('sam').modal()?.submit).toBeUndefined();
    });

    it('shows the plan without a button to a person who may not approve it', async () => {
      const { incident, approval } = buildReview();
      const because = notice('not-authorised', {
        workload: 'ml/inference',
        cluster: 'prod-eu',
        users: [],
        groups: ['ml-oncall'],
      });
      const approvers = { users: [], groups: ['ml-oncall'] };
      const remediationId = approval.remediation.id;
      const readable = { incident, proposal: approval, warnings: [], remediationId, approvers };
      rig.let({ reviewRemediation: async () => ({ type: 'refused', because, readable }) });
      const card = await postCard();
      await rig.slack.as('sam').clicks(card, 'Review for ml/inference: Stop the old pod first');
      const shown = await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('What happens') ? modal : undefined;
      });
      expect(read(shown)).toContain('you cannot approve changes to it');
      expect(read(shown)).toContain('maxSurge: 0');
      expect(read(shown)).toContain('*Impact*');
      expect(read(shown)).not.toMatch(/dry run|expires|Reason/u);
      expect(shown.submit).toBeUndefined();
      expect(asks('awaitDryRun')).toEqual([]);

      await rig.slack.as('sam').clicks(shown, 'Ask @ml-oncall to approve');
      await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('The approvers are asked in the thread');
      });
      expect(asks('askForApproval')).toEqual([{ incidentId: incident.id, remediationId, by: 'U0SAM' }]);
    });

    it('is refused privately in the channel when the modal was closed in between', async () => {
      let refuse = () => {};
      const asked = new Promise<void>((resolve) => {
        refuse = resolve;
      });
      const because = notice('still-looking', { workload: 'ml/inference' });
      rig.let({ reviewRemediation: () => asked.then(() => ({ type: 'refused' as const, because })) });
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Review for ml/inference: Stop the old pod first');
      const loading = await rig.slack.until(() => rig.slack.as('dana').modal());
      await rig.slack.as('dana').closes(loading);
      refuse();
      await rig.slack.until(() => rig.told('dana').includes('is running. Wait until the card is updated'));
    });

    it('requires a reason for a decision', async () => {
      const modal = await openReview();
      const outcome = await rig.slack.as('dana').submits(modal, { reason: '   ' });
      expect(outcome.type).not.toBe('failed');
      expect(Object.keys(rig.slack.as('dana').modal()?.errors ?? {})).toEqual(['reason']);
      expect(asks('decideApproval')).toEqual([]);
    });

    it('requires the typed name when the policy demands it', async () => {
      const demands = { approvers: 1, notRequester: false, typeName: true, login: false };
      rig.let({ reviewRemediation: async () => buildReview({ demands }) });
      const modal = await openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck', name: 'inference' });
      expect(rig.slack.as('dana').modal()?.errors).toEqual({
        name: 'Enter exactly ml/inference.',
      });
      expect(asks('decideApproval')).toEqual([]);

      const again = rig.slack.as('dana').modal();
      if (again === undefined) throw new Error('the modal is gone');
      await rig.slack.as('dana').submits(again, { reason: 'stuck', name: 'ml/inference' });
      await rig.untilAsked('decideApproval', 1);
    });

    it('decides with the reason, and closes when the decision is stored', async () => {
      const modal = await openReview();
      await rig.slack.as('dana').submits(modal, { reason: ' stuck since nine ' });
      await rig.slack.until(() => rig.slack.as('dana').modal() === undefined);
      expect(asks('decideApproval')).toEqual([
        { approvalId: buildApproval().id, by: 'U0DANA', decision: 'approve', reason: 'stuck since nine' },
      ]);
    });

    it('reports the earlier decision to the later person', async () => {
      const because = notice('already-decided', { by: 'U0ROBIN', secondsAgo: 3, state: 'approved' });
      rig.let({ decideApproval: async () => ({ type: 'refused', because }) });
      const modal = await openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return (
          seen !== undefined &&
          read(seen).includes('@U0ROBIN already approved this 3 s ago. Your click changed nothing.')
        );
      });
    });

    it('refers to the card when the decision takes too long, and shows its outcome afterwards', async () => {
      let finish: (decided: Decided) => void = () => undefined;
      rig.let({ decideApproval: () => new Promise((resolve) => (finish = resolve)) });
      const modal = await openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      const shows = (words: string) =>
        rig.slack.until(() => {
          const seen = rig.slack.as('dana').modal();
          return seen !== undefined && read(seen).includes(words);
        });
      await shows('could not confirm that your decision was recorded');
      finish({ type: 'approved', incident: buildIncident(), approval: buildApproval() });
      await shows('Approved. The change to `ml/inference`');
    });

    it('answers both times when Slack sends a submission twice', async () => {
      const because = notice('same-person', { missing: 1 });
      rig.let({ decideApproval: async () => ({ type: 'refused', because }) });
      const modal = await openReview();
      rig.let({ seenBefore: async () => true });
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen !== undefined && read(seen).includes('Your approval is already recorded.');
      });
    });

    it('states in the modal that the decision failed', async () => {
      rig.let({
        decideApproval: async () => {
          throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
        },
      });
      const modal = await openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen !== undefined && read(seen).includes('could not confirm that your decision was recorded');
      });
    });

    it('is in Korean for a Korean reader', async () => {
      const modal = await openReview('min-jun');
      expect(modal.title).toBe('변경 검토');
      expect(read(modal)).toContain('이전 파드를 먼저 내리기');
    });
  });

  describe('the other buttons of a card', () => {
    it('diagnose again', async () => {
      const card = await postCard();
      await rig.slack.as('sam').clicks(card, 'Diagnose again');
      await rig.untilAsked('diagnoseAgain', 1);
      expect(asks('diagnoseAgain')).toEqual([{ incidentId: buildIncident().id, by: 'U0SAM' }]);
    });

    it('open a review from the menu as from a button', async () => {
      const card = await postCard();
      await rig.slack.as('dana').clicks(card, 'Roll back to revision 1');
      await rig.untilAsked('reviewRemediation', 1);
      expect(asks('reviewRemediation')).toEqual([
        { incidentId: buildIncident().id, remediationId: 'undo-rollout-1', by: 'U0DANA' },
      ]);
    });

    it('show the proof to the person who pressed, in their language', async () => {
      const card = await postCard();
      for (const [person, button, heading] of [
        ['dana', 'Show proof', 'Ruled out'],
        ['min-jun', 'Show proof', '배제된 원인'],
      ] as const) {
        await rig.slack.as(person).clicks(card, button);
        const shown = await rig.slack.until(
          () => {
            const view = rig.slack.as(person).modal();
            return view !== undefined && read(view).includes(heading) ? view : undefined;
          },
          { what: `the proof of ${person}` },
        );
        expect(read(shown)).toContain('nvidia.com/gpu');
        expect(shown.submit).toBeUndefined();
      }
    });

    it('show no proof that the person may not see', async () => {
      rig.let({
        readIncident: async () => ({ type: 'refused', because: notice('incident-unknown', { id: 'x' }) }),
      });
      const card = await postCard();
      await rig.slack.as('sam').clicks(card, 'Show proof');
      await rig.slack.until(
        () => {
          const view = rig.slack.as('sam').modal();
          return view !== undefined && read(view).includes('does not exist, or you may not see it')
            ? view
            : undefined;
        },
        { what: 'the refusal' },
      );
    });

    it('reject a change after a confirmation', async () => {
      const incident = buildIncident({
        channel: 'C0MLONCALL',
        phase: 'awaiting',
        approvalId: buildApproval().id,
      });
      const approval = buildApproval({
        needs: 2,
        decisions: [{ by: 'U0DANA', at: '2026-11-20T09:31:12Z', decision: 'approve', reason: 'go' }],
      });
      const card = await rig.postCard(incident, approval);
      await rig.slack.as('sam').clicks(card, 'Reject', { confirm: false });
      expect(asks('decideApproval')).toEqual([]);

      rig.let({ decideApproval: async () => ({ type: 'rejected', approval }) });
      await rig.slack.as('sam').clicks(card, 'Reject');
      await rig.slack.until(() => rig.told('sam').includes('Rejected. Nothing was changed'));
      expect(asks('decideApproval')).toEqual([
        { approvalId: approval.id, by: 'U0SAM', decision: 'reject', reason: '' },
      ]);
    });

    const forged = [
      '',
      'a.b',
      '.x',
      '../../etc.passwd',
      'a b.c',
      `${'x'.repeat(90)}.y`,
      '{"incidentId":"1"}',
      'id.\u202e',
    ];

    it.each(forged)('refuse the forged value %j privately, and log it', async (value) => {
      const card = await postCard();
      const aimed = { actionId: actionIds.proof, value };
      await rig.slack.as('sam').clicks(card, aimed);
      await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
      expect(rig.logged.map(({ msg }) => msg)).toContain('a button value was refused');
      expect(rig.asked).toEqual([]);
    });

    it.each(['', 'no-dot', '.x', 'id.', '../x.y', 'id.\u202e', `id.${'x'.repeat(1_950)}`])(
      'open no review for the forged value %j',
      async (value) => {
        const card = await postCard();
        const aimed = { actionId: actionIds.review, value };
        await rig.slack.as('sam').clicks(card, aimed);
        await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
        expect(rig.slack.as('sam').modal()).toBeUndefined();
        expect(rig.asked).toEqual([]);
      },
    );

    it('refuse an unknown action id privately, and log it', async () => {
      const { ok, ts } = await rig.clients.delivery.chat.postMessage({
        channel: 'C0MLONCALL',
        text: 'old',
        blocks: [
          {
            type: 'actions',
            elements: [
              {
                type: 'button',
                action_id: 'cluster.delete',
                text: { type: 'plain_text', text: 'Go' },
                value: '1',
              },
              {
                type: 'button',
                action_id: 'link.runbook',
                text: { type: 'plain_text', text: 'Runbook' },
                url: 'https://runbooks.example/1',
              },
            ],
          },
        ],
      });
      expect(ok).toBe(true);
      const message = rig.slack.message({ channel: 'C0MLONCALL', ts: String(ts) });
      if (message === undefined) throw new Error('not posted');

      expect((await rig.slack.as('sam').clicks(message, 'Runbook')).type).toBe('acknowledged');
      expect(rig.slack.ephemerals('sam')).toEqual([]);
      expect((await rig.slack.as('sam').clicks(message, 'Go')).type).toBe('acknowledged');
      await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
      expect(rig.logged).toContainEqual(
        expect.objectContaining({ msg: 'an unknown action was refused', actionId: 'cluster.delete' }),
      );
    });
  });
});
