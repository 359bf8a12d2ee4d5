import { describe, expect, it } from 'vitest';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readServedFields } from '#src/edges/kubernetes/read-above.js';
import { LLMInferenceService } from '#src/engine/objects/inference-service.js';
import type { Deployment } from '#src/engine/objects/workload.js';
import { deployment } from '../../../support/kubernetes-objects.js';

const ownedBy = (kind: string, apiVersion: string, name: string): Deployment =>
  deployment(name, {
    metadata: { ownerReferences: [{ apiVersion, kind, name: 'llm', uid: 'o1', controller: true }] },
  });
const decode = ownedBy('LLMInferenceService', 'serving.kserve.io/v1alpha2', 'llm-kserve');
const prefill = ownedBy('LLMInferenceService', 'serving.kserve.io/v1alpha2', 'llm-kserve-prefill');

/** The OpenAPI document of the version, with this schema of `spec`. */
const definition = (spec: object): object => ({
  components: {
    schemas: {
      list: { 'x-kubernetes-group-version-kind': [{ kind: 'LLMInferenceServiceList' }] },
      object: {
        'x-kubernetes-group-version-kind': [{ kind: 'LLMInferenceService' }],
        properties: { metadata: {}, spec },
      },
    },
  },
});
const withField = { properties: { rolloutStrategy: { type: 'object' } } };

async function servedFor(workload: Deployment, body: unknown, status = 200) {
  const asked: string[] = [];
  const { signal } = new AbortController();
  const gathering = createGathering(async () => ({ status: 404, body: {}, retryAfterMs: undefined }), signal);
  gathering.keep('LLMInferenceService', [
    LLMInferenceService.parse({ metadata: { name: 'llm', namespace: 'shop' }, spec: {} }),
  ]);
  const fields = await readServedFields(
    async ({ path }) => {
      asked.push(path);
      if (status === 0) throw new Error('connection refused');
      return { status, body, retryAfterMs: undefined };
    },
    gathering,
    workload,
    signal,
  );
  return { fields, asked };
}

describe('the field for the strategy of an LLMInferenceService', () => {
  it.each<[string, Deployment, object, readonly string[]]>([
    [
      'is served where its definition has it',
      decode,
      withField,
      ['LLMInferenceService spec.rolloutStrategy'],
    ],
    [
      'is served where its definition keeps unknown fields',
      decode,
      { 'x-kubernetes-preserve-unknown-fields': true },
      ['LLMInferenceService spec.rolloutStrategy'],
    ],
    [
      'is not served by release 0.20, whose definition lacks it',
      decode,
      { properties: { replicas: {} } },
      [],
    ],
    ['is not served for prefill where only the decode workers have it', prefill, withField, []],
    [
      'is served for prefill',
      prefill,
      { properties: { prefill: withField } },
      ['LLMInferenceService spec.prefill.rolloutStrategy'],
    ],
  ])('%s', async (_, workload, spec, fields) => {
    expect(await servedFor(workload, definition(spec))).toEqual({
      fields,
      asked: ['/openapi/v3/apis/serving.kserve.io/v1alpha2'],
    });
  });

  it.each([
    ['is refused', 403],
    ['does not come', 0],
  ])('is unknown where the answer %s', async (_, status) => {
    expect(await servedFor(decode, {}, status)).toMatchObject({ fields: [] });
  });

  it('is not asked for where the owner is of another kind', async () => {
    const predictor = ownedBy('InferenceService', 'serving.kserve.io/v1beta1', 'llm-predictor');

    expect(await servedFor(predictor, definition(withField))).toEqual({ fields: [], asked: [] });
  });
});
