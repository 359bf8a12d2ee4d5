/** When a candidate is looked at, in seconds since its first diagnosis was due. */
const diagnosesAt = [0, 10, 20, 30, 45, 60, 90, 120, 240, 480, 900, 1_800, 3_600] as const;

/**
 * The pause until the next diagnosis, growing: often while a rollout may just be moving and within the first
 * minute, then ever more seldom.
 *
 * @param elapsedMs since the first diagnosis was due
 * @returns milliseconds, `undefined` when it was looked at for an hour: then something has to change first
 */
export function nextDiagnosisMs(elapsedMs: number): number | undefined {
  const next = diagnosesAt.find((seconds) => seconds * 1_000 > elapsedMs);
  return next === undefined ? undefined : next * 1_000 - Math.max(0, elapsedMs);
}

/**
 * The wait before the first diagnosis, so that the refusal stands for `afterSeconds` by then. A cluster whose
 * clock is off neither hurries nor delays it beyond that.
 *
 * @param since RFC3339 by the cluster's clock
 * @param now epoch milliseconds by ours
 */
export function firstDiagnosisMs(since: string | undefined, now: number, afterSeconds: number): number {
  const stoodMs = since === undefined ? 0 : now - Date.parse(since);
  if (Number.isNaN(stoodMs)) return afterSeconds * 1_000;
  return Math.min(afterSeconds * 1_000, Math.max(0, afterSeconds * 1_000 - stoodMs));
}
