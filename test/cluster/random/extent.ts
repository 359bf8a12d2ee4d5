/**
 * How long the random comparisons run; `scripts/test-cluster.mjs` sets these from its arguments. A run of the
 * nightly tests draws all, any other run a quarter.
 */
const isNight = process.env.NIGHTLY_TESTS !== undefined;
const share = isNight ? 1 : 0.25;

const numberOf = (name: string, otherwise: number): number => {
  const value = Number(process.env[name] ?? '');
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise;
};
const steps = (name: string, nightly: number): number => numberOf(name, Math.ceil(share * nightly));

/** What is drawn; printed with the result, and given again to repeat a run. */
export const seed = numberOf('RANDOM_SEED', 20261121);
export const placementsWanted = steps('RANDOM_PLACEMENTS', 2_000);
export const rolloutStepsWanted = steps('RANDOM_ROLLOUT_STEPS', 500);
/** Each waits until the controllers of LeaderWorkerSets and StatefulSets and the garbage collector rest. */
export const leaderWorkerSetStepsWanted = steps('RANDOM_LWS_STEPS', 120);
/** Of each size; a large rollout has no pods here, so a step costs a few requests. */
export const largeRolloutStepsWanted = steps('RANDOM_LARGE_STEPS', 100);
/** Clusters in which several workloads roll out at once; each takes some 20 s. */
export const contentionsWanted = steps('RANDOM_CONTENTIONS', 4);
/** Clusters in which several pods wait for one card; each takes some 10 s. */
export const queueOrdersWanted = steps('RANDOM_QUEUE_ORDERS', 5);
/** A usual comparison takes one or two minutes; one that never draws what counts must not hold up the whole run. */
export const comparisonTimeoutMs = isNight ? 7_200_000 : 1_200_000;
