import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { findChildless } from '#src/edges/kubernetes/controllers-above-and-below.js';

const condition = (type: string, status: string, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
});

/** A cluster with these InferenceServices, and without LLMInferenceServices. */
async function found(
  items: readonly object[],
  asked: { readonly namespace?: string; readonly name: string },
  visible = ['ml'],
) {
  const paths: string[] = [];
  const call: ApiCall = async ({ path, query = {} }) => {
    paths.push(`${path}?fieldSelector=${String(query.fieldSelector)}`);
    return path.endsWith('/inferenceservices')
      ? { status: 200, body: { kind: 'InferenceServiceList', items }, retryAfterMs: undefined }
      : { status: 404, body: {}, retryAfterMs: undefined };
  };
  const connection = { name: 'prod', call } as Parameters<typeof findChildless>[0];
  const { signal } = new AbortController();
  const childless = await findChildless(connection, asked, (each) => visible.includes(each), signal);
  return { childless, paths };
}

const service = (conditions: readonly object[], namespace = 'ml') => ({
  metadata: { name: 'llm', namespace, uid: 'u1' },
  status: { conditions },
});

describe('an InferenceService whose controller made no Deployment', () => {
  it('is found with the conditions that state why, each without the sum of all', async () => {
    const reason = 'fails to reconcile predictor: Deployment.apps "llm-predictor" is invalid';
    const { childless, paths } = await found(
      [
        service([
          condition('PredictorReady', 'False', 'ReconcileFailed', reason),
          condition('IngressReady', 'True'),
          condition('Ready', 'False', 'ReconcileFailed', reason),
        ]),
      ],
      { namespace: 'ml', name: 'llm' },
    );

    expect(childless).toEqual({
      name: 'isvc/llm',
      namespace: 'ml',
      conditions: [{ type: 'PredictorReady', reason: 'ReconcileFailed', message: reason }],
    });
    expect(paths[0]).toContain('/namespaces/ml/inferenceservices?fieldSelector=metadata.name=llm');
  });

  it('is found with the sum where nothing else fails', async () => {
    const { childless } = await found([service([condition('Ready', 'False', 'ConfigNotFound')])], {
      name: 'llm',
    });

    expect(childless?.conditions).toEqual([{ type: 'Ready', reason: 'ConfigNotFound', message: '' }]);
  });

  it('is shown without the secrets in its messages', async () => {
    const { childless } = await found(
      [service([condition('Ready', 'False', 'Failed', 'dial https://bob:hunter22secret@registry.example')])],
      { name: 'llm' },
    );

    expect(JSON.stringify(childless)).not.toContain('hunter22secret');
  });

  it.each([
    ['of a namespace that people may not see', [service([], 'other')]],
    ['that does not exist', []],
  ])('is none %s', async (_, items) => {
    expect(await found(items, { name: 'llm' })).toMatchObject({ childless: undefined });
  });
});
