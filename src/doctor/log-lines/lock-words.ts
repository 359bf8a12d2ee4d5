/**
 * What a line says about a lock or leadership: `blocked`: it is kept from being ready by it; `trying`: it
 * tries to get it, as every standby does; `got`: it has it.
 */
export type LockWord = 'blocked' | 'trying' | 'got';

/** Longer lines say nothing more, and must cost nothing more. */
const longest = 500;

const got =
  /\b(?:successfully acquired|acquired (?:the )?(?:leader )?(?:lease|lock|leadership)|became (?:the )?leader|started leading|elected (?:as )?leader|lock acquired)\b/;
const what = /\b(?:leader|leadership|lease|lock)\b/;
const waits = /\b(?:wait|waits|waiting|blocked)\b/g;
const fails = /\b(?:unable|failed|failure|cannot|could not|can't|couldn't)\b/g;
const takes = /\b(?:acquire|obtain|get|take|lock)\b/;
const notLeader =
  /\b(?:not|isn't|no longer) (?:yet )?(?:the |a )?(?:current |elected )?(?:leader|leading|active instance|master|primary)\b|\bstand-?by\b/;
const another = /\banother (?:instance|process|replica|pod|server|master|leader|primary)\b/g;
const holds = /\b(?:holds?|holding|running|active|using|owns?|lock|locked)\b/;
const locked =
  /\b(?:database|directory|file|index) is (?:already )?locked\b|\block (?:is )?(?:already )?held by\b|\bfound (?:an )?existing lock\b|\block ?owner\b/;
const tries = /\b(?:attempting|trying|retrying|try)\b/g;

/** `undefined`: it is about something else. Reads at most the first 500 characters. */
export function lockWordOf(line: string): LockWord | undefined {
  const words = line.slice(0, longest).toLowerCase();
  if (got.test(words)) return 'got';
  if (isNear(words, waits, what, 60) || notLeader.test(words)) return 'blocked';
  if (isNear(words, another, holds, 60) || locked.test(words)) return 'blocked';
  if (isNear(words, fails, takes, 60) && what.test(words)) return 'blocked';
  return isNear(words, tries, what, 40) ? 'trying' : undefined;
}

/** Whether `second` begins at most so many characters after some `first`, and before the next line. */
function isNear(words: string, first: RegExp, second: RegExp, max: number): boolean {
  return [...words.matchAll(first)].some((found) => {
    const end = found.index + found[0].length;
    const [line = ''] = words.slice(end).split('\n', 1);
    // A blank instead of the word before, so that a boundary between the two is still needed.
    const at = ` ${line}`.search(second);
    return at > 0 && at - 1 <= max;
  });
}

const unready = /\b(?:not (?:yet )?ready|unready|readiness(?: check| probe)?(?: failed| fails)?)/g;
const leads =
  /\b(?:waiting (?:for|to) [^,;.]{0,40}\b(?:leader|leadership|leading|lease)|not (?:yet )?(?:the |a )?(?:current |elected )?(?:leader|leading|active instance)|stand-?by|another (?:instance|replica|pod) (?:is|has|holds))\b/g;
/** What may stand between the two: a colon or comma, and a word that joins a statement with its reason. */
const because = /^[^a-z0-9]{1,4}(?:because |since |as |until )?(?:still )?$/;
const therefore = /^[^a-z0-9]{1,4}(?:so |therefore |hence )?(?:still )?$/;
const longestJoint = 24;

/**
 * True if the line gives leadership as the reason why the program is not ready. A line that names both at
 * some distance does not: `not ready: flag --peers is missing (standby)`. Reads at most the first 500
 * characters.
 */
export function isUnreadyForLeadership(line: string): boolean {
  const words = line.slice(0, longest).toLowerCase();
  return isJoined(words, unready, because, leads) || isJoined(words, leads, therefore, unready);
}

/** Whether some `second` follows some `first` with nothing but a `joint` between them. */
function isJoined(words: string, first: RegExp, joint: RegExp, second: RegExp): boolean {
  const starts = [...words.matchAll(second)].map(({ index }) => index);
  return [...words.matchAll(first)].some((found) => {
    const end = found.index + found[0].length;
    return starts.some(
      (start) => start > end && start - end <= longestJoint && joint.test(words.slice(end, start)),
    );
  });
}

/** True if the line reports that the program is not ready, for whatever reason. */
export function isAboutReadiness(line: string): boolean {
  return /\b(?:not (?:yet )?ready|unready|readiness)\b/i.test(line.slice(0, longest));
}

/** Not as a part of a name, such as `etcd-operator` or `shop/redis`. */
const otherElections =
  /(?<![\w./-])(?:raft|paxos|quorum|zookeeper|zk|etcd|consul|redis|redlock|hazelcast|jgroups|infinispan|gossip|serf|patroni|kafka|advisory)(?![\w/-]|\.\w)/i;

/**
 * True if the line names what elects leaders or locks without a Lease. The line itself may be about something
 * else, such as a connection. Reads at most the first 500 characters.
 */
export function namesOtherElection(line: string): boolean {
  return otherElections.test(line.slice(0, longest));
}

/**
 * True if the line has the name as a word, also at the end of a sentence. Reads at most the first 500
 * characters.
 */
export function namesObject(line: string, name: string): boolean {
  const words = line.slice(0, longest).split(/[^A-Za-z0-9.-]+/);
  return words.some((word) => word.startsWith(name) && /^\.*$/.test(word.slice(name.length)));
}

const failure =
  /\b(?:error|fatal|panic|exception|refused|unreachable|timeout|timed out|denied|unable to|cannot|could not|failed|no such host|connection reset)\b/i;

/**
 * True if the line reports a failure. A failed request for readiness or an attempt to get a lease is none:
 * `word` of such a line is set, or the line is about readiness. Reads at most the first 500 characters.
 */
export function isFailureOfSomethingElse(line: string): boolean {
  return failure.test(line.slice(0, longest)) && !isAboutReadiness(line);
}

/**
 * The lease a line names as `namespace/name`, e.g. `attempting to acquire leader lease shop/controller...`.
 */
export function leaseNamedIn(
  line: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const named = /\blease:? {1,2}"?([a-z0-9][a-z0-9-]*)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/.exec(
    line.slice(0, longest),
  );
  const [, namespace, name] = named ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
