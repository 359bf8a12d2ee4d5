import { describe, expect, it } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { approvalAnnotation } from '#src/edges/kubernetes/change-body.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { buildTrial, trusting } from '../../support/authority.js';
import { statedCount } from '../../support/stated-count.js';

const uid = 'uid-of-web';
const mark = 'approval-1';
const target = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
  uid,
  generation: 1,
};
const changes = [{ path: 'spec.replicas', before: 1, after: 2 }];
const patch = (request: object, more: object = {}) =>
  ({ target, request, changes, ...more }) as unknown as Plan;
const plans = {
  'a patch': patch({ verb: 'patch', patchType: 'merge', body: { spec: { replicas: 2 } } }),
  'a scale': patch(
    { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: 2 } } },
    { target: { ...target, kind: 'ReplicaSet' } },
  ),
  'a deletion': patch({ verb: 'delete' }, { changes: [], target: { ...target, kind: 'Pod' } }),
};

const page = '<!doctype html><html><body>Sign in to continue</body></html>';
const object = (more: object = {}, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { replicas: 2 },
  metadata: { name: 'web', namespace: 'shop', uid, generation: 2, ...metadata },
  ...more,
});

/** Bodies with status 200 that do not confirm the change. */
const bodies: readonly [string, unknown][] = [
  ['a page of a proxy', page],
  ['nothing', ''],
  ['a word', 'ok'],
  ['a number', 7],
  ['true', true],
  ['null', null],
  ['a list', []],
  ['a list of the object', [object()]],
  ['an object without fields', {}],
  ['an object without metadata', { kind: 'Deployment' }],
  ['an object whose metadata is a word', { kind: 'Deployment', metadata: 'web' }],
  ['a Status of success', { kind: 'Status', status: 'Success' }],
  ['a Status of failure', { kind: 'Status', status: 'Failure', message: 'no' }],
  ['a List', { kind: 'List', items: [object()] }],
  ['an object of another kind', object({ kind: 'ConfigMap' })],
  ['an object of another name', object({}, { name: 'api' })],
  ['an object of another namespace', object({}, { namespace: 'ml' })],
  ['an object with another uid', object({}, { uid: 'another' })],
  ['an object without uid', object({}, { uid: undefined })],
  ['an object whose uid is no text', object({}, { uid: { $ne: '' } })],
];

/** What else a proxy says of a request that may have reached the API server. */
const refusals = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503, 504, 'no answer'] as const;

/**
 * An API server with one object; `replace` changes its responses. The dry run before a change gets a correct
 * response, unless `isTrial` selects dry runs for the false response.
 */
function clusterWith(
  plan: Plan,
  {
    replace,
    isDone,
    isTrial = false,
    status = 200,
    leaves = false,
    events = [201],
  }: {
    replace: (request: ApiRequest) => unknown;
    isDone: boolean;
    isTrial?: boolean;
    status?: (typeof refusals)[number] | 200;
    /** A pod stays until its containers have stopped. */
    leaves?: boolean;
    /** What each Event in turn is answered with; the last one answers the rest. */
    events?: readonly (number | 'no answer')[];
  },
) {
  const { kind } = plan.target;
  let stored: ReturnType<typeof object> | undefined | false = object(
    { kind, spec: { replicas: 1 } },
    { generation: 1, resourceVersion: '1' },
  );
  const sent: ApiRequest[] = [];
  const announced: string[] = [];
  const answer = (status: number, body: unknown): ApiAnswer => ({ status, body, retryAfterMs: undefined });
  const carryOut = ({ method, path }: ApiRequest): void => {
    if (method === 'DELETE')
      stored = leaves && object({ kind }, { deletionTimestamp: '2026-11-20T09:30:00Z' });
    else if (stored) {
      const annotations = path.endsWith('/scale') ? {} : { [approvalAnnotation]: mark };
      stored = object({ kind }, { generation: 2, resourceVersion: '2', annotations });
    }
  };
  const call = async (request: ApiRequest): Promise<ApiAnswer> => {
    const { method = 'GET', query = {} } = request;
    if (method === 'GET') return stored ? answer(200, stored) : answer(404, {});
    if (method === 'POST') {
      const { metadata } = request.body as { readonly metadata: { readonly name: string } };
      announced.push(metadata.name);
      const given = events[Math.min(announced.length, events.length) - 1] ?? 201;
      if (given === 'no answer') throw new TypeError('fetch failed');
      return answer(given, {});
    }
    const isDryRun = query.dryRun !== undefined;
    if (!isDryRun) sent.push(request);
    if (isDone && !isDryRun) carryOut(request);
    if (isDryRun && !isTrial) {
      const of = request.path.endsWith('/scale') ? 'Scale' : kind;
      return answer(200, object({ kind: of }, { generation: 2 }));
    }
    if (status === 'no answer') throw new TypeError('fetch failed');
    return answer(status, replace(request));
  };
  const patcher = createWorkloadPatcher({
    connections: [{ name: 'prod', call, stream: async () => answer(500, '') }],
    clock: { now: () => new Date() },
    ...trusting,
    timeoutMs: 10_000,
  });
  const approval = {
    id: mark,
    workload: { cluster: 'prod' },
    plan,
    decisions: [],
    remediation: { kind: 'patch-strategy' },
    cause: 'surge-deadlock',
    expiresAt: '2100-01-01T00:00:00Z',
    undoes: false,
  } as unknown as VerifiedApproval;
  return { patcher, approval, sent, announced };
}

describe.each(Object.entries(plans))('%s that is answered with 200', (name, plan) => {
  const kind = name === 'a scale' ? 'Scale' : plan.target.kind;
  /** For this kind of change, the same false bodies under the name of the right kind. */
  const lies = bodies.map(([what, body]): [string, unknown] => {
    const isOurs = typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Deployment';
    return [what, isOurs ? { ...body, kind } : body];
  });

  it.each(lies)('and %s has an unknown outcome while the object lacks the change', async (_, body) => {
    const { patcher, approval, sent } = clusterWith(plan, { replace: () => body, isDone: false });

    expect(await patcher.apply(approval)).toMatchObject({ type: 'unreadable', because: 'malformed' });
    expect(sent).toHaveLength(1);
  });

  it.each(lies)('and %s is accepted when the object itself has the change', async (_, body) => {
    const { patcher, approval, sent } = clusterWith(plan, { replace: () => body, isDone: true });

    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
    expect(sent).toHaveLength(1);
  });

  it.each(lies)('and %s fails the dry run', async (_, body) => {
    const { patcher, approval, sent } = clusterWith(plan, {
      replace: () => body,
      isDone: true,
      isTrial: true,
    });
    const unknown = { type: 'unreadable', because: 'malformed' };

    expect(await patcher.dryRun(approval)).toMatchObject(unknown);
    expect(await patcher.apply(approval)).toMatchObject(unknown);
    expect(sent).toEqual([]);
  });

  it.each(refusals)(
    'no longer, but with %s, is accepted when the object itself has the change',
    async (status) => {
      const { patcher, approval, sent } = clusterWith(plan, { replace: () => page, isDone: true, status });

      expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
      expect(sent).toHaveLength(1);
    },
  );

  it.each(refusals)(
    'no longer, but with %s, is not accepted while the object lacks the change',
    async (status) => {
      const { patcher, approval, sent } = clusterWith(plan, { replace: () => page, isDone: false, status });

      expect((await patcher.apply(approval)).type).not.toBe('accepted');
      // What was overtaken is sent again.
      if (status !== 409) expect(sent).toHaveLength(1);
    },
  );

  it('and the object is accepted', async () => {
    const right = () => object({ kind });
    const { patcher, approval } = clusterWith(plan, { replace: right, isDone: true, isTrial: true });

    expect(await patcher.dryRun(approval)).toMatchObject({ type: 'accepted' });
    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
  });
});

it.each(refusals)(
  'a deletion that is answered with %s is accepted while the pod still stops',
  async (status) => {
    const answers = { replace: () => page, isDone: true, status, leaves: true };
    const { patcher, approval, sent } = clusterWith(plans['a deletion'], answers);

    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
    expect(sent).toHaveLength(1);
  },
);

it('a deletion is accepted only when the Status names the object', async () => {
  const plan = plans['a deletion'];
  const status = (details: object) => ({ kind: 'Status', status: 'Success', details });
  const outcome = async (details: object) => {
    const { patcher, approval } = clusterWith(plan, { replace: () => status(details), isDone: false });
    return (await patcher.apply(approval)).type;
  };

  expect(await outcome({ name: 'web', kind: 'pods', uid })).toBe('accepted');
  expect(await outcome({ name: 'web', kind: 'pods', uid: 'another' })).toBe('unreadable');
  expect(await outcome({ name: 'api', kind: 'pods' })).toBe('unreadable');
});

describe('the Event of a change', () => {
  const made = { replace: () => object({ kind: 'Deployment' }), isDone: true };

  it.each(['no answer', 429, 500, 503] as const)(
    'is sent again where it is answered with %s',
    async (first) => {
      const { patcher, approval, announced } = clusterWith(plans['a patch'], {
        ...made,
        events: [first, 201],
      });

      expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
      expect(announced).toEqual(['web.approval-1', 'web.approval-1']);
    },
  );

  it.each([201, 403, 409])('is sent once where it is answered with %s', async (status) => {
    const { patcher, approval, announced } = clusterWith(plans['a patch'], { ...made, events: [status] });

    await patcher.apply(approval);
    expect(announced).toHaveLength(1);
  });

  it('that never arrives leaves the change as it is, and is given up', async () => {
    const { patcher, approval, announced } = clusterWith(plans['a patch'], {
      ...made,
      events: ['no answer'],
    });

    expect(await patcher.apply(approval)).toMatchObject({ type: 'accepted' });
    expect(announced).toHaveLength(2);
  });

  it('is sent where an attempt before made the change and ended', async () => {
    const { patcher, approval, announced } = clusterWith(plans['a patch'], made);
    await patcher.apply(approval);

    expect(await patcher.findMade(approval)).toMatchObject({ type: 'accepted' });
    expect(announced).toEqual(['web.approval-1', 'web.approval-1']);
  });
});

it.each(bodies)('an object that is read as %s is not changed', async (_, body) => {
  const plan = plans['a patch'];
  const sent: ApiRequest[] = [];
  const patcher = createWorkloadPatcher({
    connections: [
      {
        name: 'prod',
        call: async (request) => {
          if (request.method !== undefined) sent.push(request);
          return { status: 200, body, retryAfterMs: undefined };
        },
        stream: async () => ({ status: 500, body: '', retryAfterMs: undefined }),
      },
    ],
    clock: { now: () => new Date() },
    ...trusting,
    timeoutMs: 10_000,
  });

  expect((await patcher.dryRun(buildTrial('prod', plan))).type).not.toBe('accepted');
  expect(sent).toEqual([]);
});

it('makes as many false answers as docs/security.md states', () => {
  expect((bodies.length + refusals.length) * Object.keys(plans).length).toBe(
    statedCount('false answers to a change'),
  );
});
