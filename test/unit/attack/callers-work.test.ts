import { describe, expect, it } from 'vitest';
import { fullSight, noSight, type Sight } from '#src/doctor/policy/view.js';
import { createDampedWarnings } from '#src/edges/http/damped-warnings.js';
import { createWorkBudget } from '#src/edges/mcp/call-limits.js';
import { createSightAnswers, readWorkloads } from '#src/edges/mcp/sight-answers.js';

const deployment = (name: string, more = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: shop}\nspec: {replicas: 1}\n${more}`;

describe('manifests of a caller', () => {
  const stage = (sight: Sight, wait = 0) => {
    const read: string[] = [];
    const answers = createSightAnswers({
      cluster: { clusters: ['prod'], find: fail, snapshot: fail, scope: fail },
      engine: { needs: new Set(), diagnose: fail, check: fail },
      incidents: { get: fail, recent: fail, unsettled: fail },
      deliveries: { get: fail },
      linkTo: () => undefined,
      admitProposal: () => ({ type: 'refused', afterSeconds: 1 }),
      caller: 'assistant',
      manifests: {
        explain: fail,
        read: async (text) => {
          read.push(text);
          return readWorkloads(text);
        },
      },
      waitForManifests: () => wait,
      sight: async () => sight,
    });
    return { answers, read };
  };
  const fail = async (): Promise<never> => {
    throw new Error('the cluster was asked');
  };
  const place = { namespace: 'shop', cluster: undefined, language: 'en' } as const;

  it('are not read for one that may see no cluster, or not the namespace', async () => {
    const blind = stage(noSight);
    await expect(blind.answers.check(deployment('api'), place)).rejects.toThrow();
    const elsewhere = stage({ allOf: [[{ clusters: ['prod'], namespaces: ['tools'], logs: true }]] });
    await expect(elsewhere.answers.check(deployment('api'), place)).rejects.toThrow();
    expect([...blind.read, ...elsewhere.read]).toEqual([]);
  });

  it('are not read for one that has used up its budget', async () => {
    const { answers, read } = stage(fullSight, 30);
    await expect(answers.check(deployment('api'), place)).rejects.toThrow('30 seconds');
    expect(read).toEqual([]);
  });

  it.each([
    ['with no object', '# nothing\n', { type: 'refused', because: 'no-objects' }],
    ['with no workload', 'apiVersion: v1\nkind: Service\n', { type: 'refused', because: 'no-workloads' }],
    [
      'of eleven workloads',
      Array.from({ length: 11 }, (_, at) => deployment(`api-${at}`)).join('---\n'),
      { type: 'refused', because: 'too-many' },
    ],
    [
      'of one workload that aliases make large',
      deployment(
        'api',
        `x: &x ${'y'.repeat(1_000)}\nz: [${Array.from({ length: 300 }, () => '*x').join(', ')}]\n`,
      ),
      { type: 'refused', because: 'too-large' },
    ],
    [
      'of one workload with more values than a workload has',
      deployment('api', `x: [${'1, '.repeat(7_000)}1]\n`),
      { type: 'refused', because: 'too-large' },
    ],
    [
      'of a workload that the API server would not take',
      deployment('api', '').replace('{replicas: 1}', '{template: {spec: {containers: [1]}}}'),
      { type: 'invalid', kind: 'Deployment', name: 'api' },
    ],
    ['with an alias on itself', deployment('api', 'x: &x [*x]\n'), { type: 'fault' }],
    ['that are no YAML', 'a: [', { type: 'fault' }],
    [
      'of 200,000 documents',
      `${deployment('api')}---\n${'a: 1\n---\n'.repeat(200_000)}`,
      { type: 'fault', fault: { key: 'too-many-documents', values: { max: 5_000 } } },
    ],
    ['of 5,000 empty documents', '---\n'.repeat(5_000), { type: 'refused', because: 'no-objects' }],
  ])('%s are refused', (_, text, expected) => {
    expect(readWorkloads(text)).toMatchObject(expected);
  });
});

describe('a budget of work', () => {
  it('is of each caller, and comes back after its window', () => {
    let now = 0;
    const waitFor = createWorkBudget({ most: 100, windowMs: 60_000 }, () => now);
    expect([waitFor('one', 60), waitFor('one', 41), waitFor('one', 40)]).toEqual([0, 60, 0]);
    expect(waitFor('other', 100)).toBe(0);
    now = 45_000;
    expect(waitFor('one', 1)).toBe(15);
    now = 60_001;
    expect(waitFor('one', 100)).toBe(0);
  });

  it('lets a single piece pass that is larger than all of it, and nothing beside it', () => {
    const waitFor = createWorkBudget({ most: 100, windowMs: 60_000 }, () => 0);
    expect([waitFor('one', 500), waitFor('one', 1)]).toEqual([0, 60]);
  });
});

describe('a warning that anybody can cause', () => {
  it('is one line a minute for each subject, which counts the others', () => {
    let now = 0;
    const lines: unknown[] = [];
    const warn = createDampedWarnings(
      { warn: (fields: object) => void lines.push(fields) } as never,
      () => now,
    );
    for (let at = 0; at < 1_000; at += 1) warn('token', { status: 401 }, 'refused');
    warn('body', { status: 413 }, 'refused');
    expect(lines).toEqual([{ status: 401 }, { status: 413 }]);
    now = 60_000;
    warn('token', { status: 401 }, 'refused');
    expect(lines.at(-1)).toEqual({ status: 401, omitted: 999 });
  });
});
