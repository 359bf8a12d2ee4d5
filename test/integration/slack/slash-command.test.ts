import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoctorError } from '#src/service/errors.js';
import { notice } from '#src/service/notices/notices.js';
import { buildIncident } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

const channel = 'ml-oncall';

/** The result for a misspelt name. */
const nearest = ['ml/inference'];
const mistyped = { type: 'not-found', what: 'workload', name: 'ml/inferense', nearest } as const;

describe('the app', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  describe('the slash command', () => {
    it('requests the diagnosis, and leaves nothing beside a card that comes soon', async () => {
      const outcome = await rig.slack.as('dana').runs('/rollout-doctor deploy/inference -n ml', { channel });

      expect(outcome.type).toBe('acknowledged');
      await rig.untilAsked('requestDiagnosis', 1);
      expect(rig.asks('requestDiagnosis')).toEqual([
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

      await rig.slack.until(() => rig.told('dana').includes('`ml/inference` takes longer than usual'));
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
      expect(rig.told('dana')).not.toContain('takes longer');
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

      await rig.slack.until(() =>
        rig.told('min-jun').includes('`ml/inference` 확인이 평소보다 오래 걸립니다.'),
      );
    });

    it('is answered in the language of the person also at the first contact', async () => {
      rig.let({ isShown: async () => false });
      await rig.slack.as('min-jun').runs('/rollout-doctor ml/inference', { channel });

      await rig.slack.until(() =>
        rig.told('min-jun').includes('`ml/inference` 확인이 평소보다 오래 걸립니다.'),
      );
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

    it('answers an explanation with the escaped text', async () => {
      await rig.slack.as('dana').runs('/rollout-doctor explain 0/3 nodes <are> available', { channel });
      const answer = await rig.slack.until(() => rig.told('dana').includes('0/3 nodes') && rig.told('dana'));
      expect(answer).toContain('None of the 3 nodes can run the pod.');
      expect(answer).not.toContain('<are>');
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
      expect(rig.asks('requestDiagnosis').at(-1)).toMatchObject({ query: { ...other } });
      expect(read(rig.slack.message(choices))).toBe('Diagnosing `prod-eu/ml-dev/inference` …');
    });

    it('says that the forecast of a change takes long, and passes the request on with its origin', async () => {
      rig.let({ isShown: async () => false });
      const before = rig.asks('requestDiagnosis').length;
      await rig.slack.as('dana').runs('/rollout-doctor exclude ml/inference from gpu-a, gpu-b', { channel });

      await rig.slack.until(() => rig.told('dana').includes('`ml/inference` takes longer than usual'));
      await rig.untilAsked('requestDiagnosis', before + 1);
      expect(rig.asks('requestDiagnosis').at(-1)).toMatchObject({
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
      const before = rig.asks('requestDiagnosis').length;
      rig.let({
        requestDiagnosis: async () => ({ type: 'queued', incident: buildIncident(), joined: false }),
      });
      await rig.slack.as('dana').clicks(choices, 'Deployment ml-dev/inference (prod-eu)');

      await rig.untilAsked('requestDiagnosis', before + 1);
      expect(rig.asks('requestDiagnosis').at(-1)).toMatchObject({
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
      expect(rig.asks('requestDiagnosis').at(-1)).toMatchObject({
        query: { owner: 'InferenceService', namespace: 'ml', name: 'llm' },
        change: { kind: 'restart-rollout' },
      });
      const choices = await rig.slack.until(() => rig.slack.ephemerals('dana').at(-1));
      await rig.slack.as('dana').clicks(choices, 'Deployment ml/llm-transformer (prod-eu)');
      await rig.untilAsked('requestDiagnosis', 2);
      expect(rig.asks('requestDiagnosis').at(-1)).toMatchObject({
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
});
