/**
 * Expressions that recheck 4.5.0 found safe (`linear`, or `safe` by its fuzzer), and for which it needs seconds each on
 * a quiet machine. They are not checked again at every run; whoever changes one takes it out of this list and lets the
 * test decide.
 */
export const slowToCheck: ReadonlySet<string> = new Set(
  [
    /\[RESOLVED(?::\d+)?\]|\balert resolved\b/iu,
    /references non-existent (config|secret) key: (\S+)/,
    /(?:unmounted|unattached) volumes=\[([^\][]*)\]/,
    /Preempted by (?:pod )?([a-z0-9-]+)\/([a-z0-9.-]+) on node (\S+)/,
    /Preempted by pod ([0-9a-f][0-9a-f-]{7,}) on node (\S+)/,
    /\blease:? {1,2}"?([a-z0-9][a-z0-9-]*)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/,
    /^Container \S+ failed (liveness|startup) probe, will be restarted/,
    /^Container \S+ (?:definition changed, will be restarted|resize requires restart)/,
    /, (?=minimum |maximum |\S+ max limit )/,
    /, (?=[a-z][A-Za-z]*(?:\.|\[))/,
    /^Scaled up replica set (\S+) (?:from (\d+) )?to (\d+)/,
    /^device\.attributes\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+)|(true|false))$/,
  ].map(String),
);
