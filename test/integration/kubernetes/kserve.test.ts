import { describe, expect, it } from 'vitest';
import type { NamedWorkload } from '#src/doctor/commands/command.js';
import { createEngine } from '#src/service/create-engine.js';
import { openRecorded, type Refusal, recordedIncident } from './recorded-cluster.js';

const recorded = (id: string) => recordedIncident(`kserve/${id}`);
const open = (id: string, name: string, refusal?: Refusal) =>
  openRecorded(
    { kind: 'Deployment', name },
    recorded(id),
    refusal && { part: '/inferenceservices', status: refusal },
  );

describe('a cluster with KServe', () => {
  const predictor = {
    type: 'found',
    workloads: [{ cluster: 'served', kind: 'Deployment', namespace: 'shop', name: 'llm-predictor' }],
  };

  it.each<[string, NamedWorkload]>([
    ['its kind and name', { owner: 'InferenceService', namespace: 'shop', name: 'llm' }],
    ['its kind and name in any namespace', { owner: 'InferenceService', name: 'llm' }],
    ['its name alone', { name: 'llm' }],
  ])('finds the Deployment of an InferenceService by %s', async (_, query) => {
    const { find } = await open('deadlock-of-the-predictor', 'llm-predictor');

    expect(await find(query)).toEqual(predictor);
  });

  it('finds the part that is stuck', async () => {
    const { find } = await open('deadlock-of-the-transformer', 'llm-transformer');

    expect(await find({ owner: 'InferenceService', name: 'llm' })).toMatchObject({
      workloads: [{ name: 'llm-transformer' }],
    });
  });

  it.each(['changeable', 'every'] as const)(
    'finds complete parts as well where %s ones are asked for',
    async (parts) => {
      const { find } = await open('deadlock-of-the-transformer', 'llm-transformer');

      expect(await find({ owner: 'InferenceService', name: 'llm', parts })).toMatchObject({
        workloads: [{ name: 'llm-predictor' }, { name: 'llm-transformer' }],
      });
    },
  );

  it.each<[string, NamedWorkload]>([
    ['another name', { owner: 'InferenceService', namespace: 'shop', name: 'other' }],
    ['another kind', { owner: 'LLMInferenceService', namespace: 'shop', name: 'llm' }],
  ])('finds nothing by %s', async (_, query) => {
    const { find } = await open('deadlock-of-the-predictor', 'llm-predictor');

    expect(await find(query)).toMatchObject({ type: 'not-found', what: 'workload' });
  });

  it('finds the Deployments of both kinds by a name that both have', async () => {
    const [one, other] = [recorded('deadlock-of-the-predictor'), recorded('deadlock-of-decode')];
    const both = {
      ...one,
      objects: [...one.objects, ...other.objects.filter(({ kind }) => kind === 'Deployment')],
    };
    const { find } = await openRecorded({ kind: 'Deployment', name: 'llm-predictor' }, both);

    expect(await find({ namespace: 'shop', name: 'llm' })).toMatchObject({
      workloads: [{ name: 'llm-predictor' }, { name: 'llm-kserve' }],
    });
    expect(await find({ owner: 'LLMInferenceService', namespace: 'shop', name: 'llm' })).toMatchObject({
      workloads: [{ name: 'llm-kserve' }],
    });
  });

  it('offers the change of the InferenceService that it reads', async () => {
    const { snapshot } = await open('deadlock-of-the-predictor', 'llm-predictor');
    const diagnosis = createEngine().diagnose(await snapshot());

    expect(diagnosis.ownedBy).toEqual({ kind: 'InferenceService', name: 'llm' });
    expect(diagnosis.findings[0]?.remediations[0]).toMatchObject({ kind: 'patch-strategy' });
  });

  it.each([403, 404] as const)('withholds the change where the API answers %d', async (status) => {
    const { snapshot } = await open('deadlock-of-the-predictor', 'llm-predictor', status);
    const [first] = createEngine().diagnose(await snapshot()).findings;

    expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    expect(JSON.stringify(first?.withheld)).toContain('owner-unread');
    expect(first?.remediations.map(({ kind }) => kind)).not.toContain('patch-strategy');
  });
});
