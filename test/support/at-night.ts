/** Whether `npm run test:nightly` runs, which tries every case. */
const isNight = process.env.NIGHTLY_TESTS !== undefined;

/**
 * Of cases that differ only in the moment or the amount, all at night, and those in every run that a change is most likely
 * to break. Each of them starts processes, so a run of all would cost more than the other tests together.
 *
 * @throws where no case is left for the usual run, since a check that runs nothing cannot fail
 */
export function usualCases<Case>(
  cases: readonly Case[],
  isUsual: (each: Case, at: number) => boolean,
): readonly Case[] {
  const usual = cases.filter(isUsual);
  if (usual.length === 0) throw new Error('no case is left for the usual run');
  return isNight ? cases : usual;
}

/**
 * Seeds from 1 on: as many as `npm run faults` asks for by the environment, or as many as the night or the usual run has
 * time for.
 */
export function seeds(
  rounds: string | undefined,
  { night, usual }: { readonly night: number; readonly usual: number },
): readonly number[] {
  const count = rounds === undefined ? (isNight ? night : usual) : Number(rounds);
  return Array.from({ length: count }, (_, at) => at + 1);
}
