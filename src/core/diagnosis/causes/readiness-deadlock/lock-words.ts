/**
 * What a line says about a lock or leadership: `blocked`: it is kept from being ready by it; `trying`: it tries to get
 * it, as every standby does; `got`: it has it.
 */
export type LockWord = 'blocked' | 'trying' | 'got';

/** Longer lines say nothing more, and must cost nothing more. */
const longest = 500;

const got =
  /\b(?:successfully acquired|acquired (?:the )?(?:leader )?(?:lease|lock|leadership)|became (?:the )?leader|started leading|elected (?:as )?leader|lock acquired)\b/;
const what = '(?:leader|leadership|lease|leader election|lock)';
const waits = new RegExp(String.raw`\b(?:wait|waits|waiting|blocked)\b.{0,60}\b${what}\b`);
const fails =
  /\b(?:unable|failed|failure|cannot|could not|can't|couldn't)\b.{0,60}\b(?:acquire|obtain|get|take|lock)\b.{0,60}/;
const about = new RegExp(String.raw`\b${what}\b`);
const notLeader =
  /\b(?:not|isn't|no longer) (?:yet )?(?:the |a )?(?:current |elected )?(?:leader|leading|active instance|master|primary)\b|\bstand-?by\b/;
const another =
  /\banother (?:instance|process|replica|pod|server)\b.{0,60}\b(?:holds?|holding|running|active|using|owns?|lock|locked)\b|\b(?:database|directory|file|index) is (?:already )?locked\b|\block (?:is )?(?:already )?held by\b/;
const tries = new RegExp(String.raw`\b(?:attempting|trying|retrying|try)\b.{0,40}\b${what}\b`);

/** `undefined`: it is about something else. Reads at most the first 500 characters. */
export function lockWordOf(line: string): LockWord | undefined {
  const words = line.slice(0, longest).toLowerCase();
  if (got.test(words)) return 'got';
  if (waits.test(words) || notLeader.test(words) || another.test(words)) return 'blocked';
  if (fails.test(words) && about.test(words)) return 'blocked';
  return tries.test(words) ? 'trying' : undefined;
}

/** The line speaks of leadership, or of being ready: a lock alone may be anybody's, and any lock. */
export function isAboutReadiness(line: string): boolean {
  return /\b(?:leader|leadership|leading|lease|stand-?by|ready|readiness|another (?:instance|replica|pod))\b/i.test(
    line.slice(0, longest),
  );
}

/** The lease a line names as `namespace/name`, e.g. `attempting to acquire leader lease shop/controller...`. */
export function leaseNamedIn(
  line: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const named = /\blease:? {1,2}"?([a-z0-9][a-z0-9-]*)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/.exec(
    line.slice(0, longest),
  );
  const [, namespace, name] = named ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
