import type { Logger } from 'pino';

/** Times between two lines about the same, in milliseconds. */
const quietMs = 60_000;
/** Subjects that are remembered; callers choose them from few. */
const maxSubjects = 1_000;

type Warn = (subject: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * Warnings about what anybody can send: the first one of a subject at once, and then one a minute, which
 * counts those left out. Nobody can fill the log or hide other lines in it.
 *
 * @param now monotonic milliseconds
 */
export function createDampedWarnings(
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): Warn {
  const said = new Map<string, { readonly at: number; omitted: number }>();
  return (subject, fields, message) => {
    const at = now();
    const last = said.get(subject);
    if (last !== undefined && at - last.at < quietMs) {
      last.omitted += 1;
      return;
    }
    if (said.size >= maxSubjects) said.clear();
    said.set(subject, { at, omitted: 0 });
    const omitted = last?.omitted ?? 0;
    log.warn(omitted === 0 ? fields : { ...fields, omitted }, message);
  };
}
