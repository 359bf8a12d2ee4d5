import { afterAll, afterEach, beforeEach } from 'vitest';

/** What Stryker's instrumented code writes to. */
interface Recorded {
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** Numbers of mutants that the code of one test file reaches. */
export interface Reach {
  readonly loading: readonly string[];
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

const global = globalThis as { __stryker__?: Recorded };
global.__stryker__ ??= {};
const recorded = global.__stryker__;

beforeEach(({ task }) => {
  recorded.currentTestId = task.id;
});
afterEach(() => {
  recorded.currentTestId = undefined;
});
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to learn which fixtures a hook needs.
afterAll(({}, suite) => {
  const { static: loading, perTest } = recorded.mutantCoverage ?? { static: {}, perTest: {} };
  const reach: Reach = {
    loading: Object.keys(loading),
    tests: Object.fromEntries(Object.entries(perTest).map(([test, ids]) => [test, Object.keys(ids)])),
  };
  Object.assign(suite.meta, { reach });
  if (recorded.mutantCoverage !== undefined) recorded.mutantCoverage.perTest = {};
});
