import { describe, expect, it } from 'vitest';
import { createReadHome } from '#src/service/people/read-home.js';
import { withRedis } from '../../support/open-redis.js';
import { createStage, openPolicy } from './stage.js';

const db = withRedis();

const since = new Date('2026-11-20T09:20:00Z');
const ofAll = { ...openPolicy.grants[0], groups: ['web'], clusters: ['*'], namespaces: ['*'] };
const policy = {
  ...openPolicy,
  grants: [...openPolicy.grants, { users: [], actions: '*' as const, ...ofAll }],
};

describe('a fault of the policy file', () => {
  it.each<[string, string, Date | undefined, string | undefined]>([
    ['is on the page of a person who may stop all changes', 'U0SAM', since, since.toISOString()],
    ['is not on the page of a person who may approve in some namespaces', 'U0DANA', since, undefined],
    ['is on no page while the file has none', 'U0SAM', undefined, undefined],
  ])('%s', async (_, by, fault, shown) => {
    const stage = createStage(db.redis, policy);
    const readHome = createReadHome({
      ...stage,
      deliveries: { get: async () => undefined },
      policyFaultSince: () => fault,
    });

    const home = await readHome({ by });
    if (home.type === 'refused') throw new Error(home.because.key);
    expect(home.policyFaultSince).toBe(shown);
  });
});
