import { describe, expect, it } from 'vitest';
import type { ApiCall, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readServerVersion } from '#src/edges/kubernetes/read-own.js';
import { versionText } from '#src/engine/objects/release-rules.js';
import { buildSet, type SetFields } from '../../../support/stateful-set-builders.js';

async function reading(fields: SetFields, answer: { readonly status: number; readonly body: unknown }) {
  const asked: ApiRequest[] = [];
  const call: ApiCall = async (request) => {
    asked.push(request);
    if (answer.status === 0) throw new Error('connection refused');
    return { ...answer, retryAfterMs: undefined };
  };
  const { signal } = new AbortController();
  const gathering = createGathering(call, signal);
  gathering.keep('StatefulSet', [buildSet(fields)]);
  const version = await readServerVersion(call, gathering, signal);
  return {
    version: version && versionText(version),
    asked: asked.map(({ path }) => path),
    unseen: gathering.unseen().map(({ what, because }) => `${what} ${because}`),
  };
}

const answered = { status: 200, body: { gitVersion: 'v1.35.2-eks-3cfe0ce' } };

describe('the version of the API server', () => {
  it.each<[string, SetFields]>([
    ['in parallel', { parallel: true }],
    ['several at a time', { maxUnavailable: 2 }],
    ['several at a time, by a percentage', { replicas: 5, maxUnavailable: '40%' }],
  ])('is read where a StatefulSet is updated %s', async (_name, fields) => {
    expect(await reading(fields, answered)).toEqual({
      version: 'v1.35.2-eks-3cfe0ce',
      asked: ['/version'],
      unseen: [],
    });
  });

  it.each<[string, SetFields]>([
    ['by default', {}],
    ['with a budget of one', { maxUnavailable: 1 }],
    ['with a percentage that is less than two pods', { maxUnavailable: '50%' }],
  ])('is not asked for where the rules are equal: %s', async (_name, fields) => {
    expect(await reading(fields, answered)).toEqual({ version: undefined, asked: [], unseen: [] });
  });

  it.each<[string, number, unknown, string]>([
    ['refused', 403, { message: 'forbidden' }, 'ServerVersion forbidden'],
    ['no version', 200, { gitVersion: 'master' }, 'ServerVersion failed'],
    ['unanswered', 0, undefined, 'ServerVersion unavailable'],
  ])('is unseen where the read is %s', async (_name, status, body, unseen) => {
    const read = await reading({ parallel: true }, { status, body });
    expect(read.version).toBeUndefined();
    expect(read.unseen).toEqual([unseen]);
  });
});
