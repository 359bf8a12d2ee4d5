/** A port on which a program reports that it listens, and the line. */
export type ListeningPort = { readonly port: number; readonly line: string };

/** Longer lines say nothing more, and must cost nothing more. */
const longest = 500;
/** Lines that are read, from the beginning: programs report their ports when they start. */
const maxLines = 200;

/** A time of day has colons before numbers, as an address has. */
const times = /\b\d{1,2}:\d{2}:\d{2}\b/g;

/** A program that listens names its address, or its port by that word. */
const listens =
  /\b(?:listen(?:s|ing)?|serving|running (?:at|on)|started (?:\w{1,20} ){0,2}(?:on|at|server)|bound to|accept(?:ing|s)? connections)\b.{0,80}?(?::|\bports?(?:\(s\))?[ :=]{1,3})(\d{2,5})\b/i;

/** What failed is no port that is open. */
const fails =
  /\b(?:fail(?:ed|ure)?|cannot|can't|could not|unable|error|refused|denied|in use|not listening)\b/i;

/**
 * The ports on which the lines report that the program listens; a program often has several. Reads at most
 * 500 characters of each of the first 200 lines.
 */
export function listeningPortsIn(lines: readonly string[]): readonly ListeningPort[] {
  return lines.slice(0, maxLines).flatMap((raw) => {
    const line = raw.slice(0, longest);
    const port = fails.test(line) ? undefined : listens.exec(line.replace(times, ''))?.[1];
    return port === undefined ? [] : [{ port: Number(port), line: line.trim() }];
  });
}

/**
 * The last port that the lines name, where none of them names this one. A log whose beginning is lost may
 * lack it.
 */
export function listensInstead(lines: readonly string[], port: number): ListeningPort | undefined {
  const found = listeningPortsIn(lines);
  return found.some((each) => each.port === port) ? undefined : found.at(-1);
}

const opens =
  /\b(?:start(?:ing|ed)?|serving|running)\b.{0,24}\b(?:metrics|health|healthz|debug|pprof|probes?|http|status)\b.{0,12}\b(?:server|endpoint|listener)\b/i;

/** Whether the line reports that the program opens a port, which it may not name. */
export function reportsServer(raw: string): boolean {
  const line = raw.slice(0, longest);
  return listeningPortsIn([line]).length > 0 || (opens.test(line) && !fails.test(line));
}
