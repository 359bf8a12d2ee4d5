import type { Diagnosis } from './diagnosis.js';
import { mainFindingOf, type OpenQuestion, openQuestionOf } from './main-finding.js';

/** One missing kind, and the command whose output adds it; absent for what no command adds. */
interface Missing {
  readonly what: string;
  readonly because: string;
  readonly causes: readonly string[];
  readonly command?: string;
}

/**
 * Kinds whose absence leaves the question open whether the workload has a problem, or a better cause than the
 * one found.
 */
export function missingIn(diagnosis: Diagnosis): readonly Missing[] {
  const missing = new Map<string, Missing>();
  for (const each of unreadIn(diagnosis, openQuestionOf(diagnosis))) {
    const { what, namespace, because, weakens } = each;
    const command = commandFor(what, because, namespace === '' ? diagnosis.workload.namespace : namespace);
    const key = JSON.stringify([what, because, command]);
    const causes = [...new Set([...(missing.get(key)?.causes ?? []), ...weakens])];
    missing.set(key, { what, because, causes, ...(command === undefined ? {} : { command }) });
  }
  return [...missing.values()];
}

/**
 * Beside a finding, what text leaves out is missing, and the workload itself: that is why there is no proof.
 * Beside one that is only possible, so is every kind that was not recorded and may show a better cause.
 */
function unreadIn(diagnosis: Diagnosis, open: OpenQuestion | undefined): Diagnosis['unseen'] {
  const { unseen, workload } = diagnosis;
  const isPossible = mainFindingOf(diagnosis).main?.confidence === 'possible';
  switch (open?.kind) {
    case 'unread':
    case 'in-part':
      return open.unread;
    case undefined:
      return unseen.filter(
        ({ what, namespace, because, weakens }) =>
          (because === 'partly-recorded' && weakens.length > 0) ||
          (because === 'not-recorded' &&
            (what === workload.kind || ((isPossible || namespace !== '') && weakens.length > 0))),
      );
    default:
      return [];
  }
}

/** kubectl finds a kind by its name in the singular, and ignores the namespace of a kind that has none. */
function commandFor(what: string, because: string, namespace: string): string | undefined {
  if (because === 'malformed') return undefined;
  if (what === 'ServerVersion') return 'kubectl version -o yaml';
  // It contains the logs of every container.
  if (what === 'PodLog') return `kubectl cluster-info dump --namespaces ${namespace}`;
  const kind = what.toLowerCase();
  return because === 'forbidden' || because === 'unauthorized'
    ? `kubectl auth can-i list ${kind} -n ${namespace}`
    : `kubectl get ${kind} -n ${namespace} -o yaml`;
}

/** The commands, each once: kinds of one namespace are printed by one. */
export function commandsToAdd(missing: readonly Missing[]): readonly string[] {
  const printed = new Map<string, string[]>();
  const others: string[] = [];
  for (const { command = '' } of missing) {
    const [, kind, rest] = /^kubectl get (\S{1,100})( -n \S{1,300} -o yaml)$/u.exec(command) ?? [];
    if (kind !== undefined && rest !== undefined) printed.set(rest, [...(printed.get(rest) ?? []), kind]);
    else if (command !== '') others.push(command);
  }
  const joined = [...printed].map(([rest, kinds]) => `kubectl get ${[...new Set(kinds)].join(',')}${rest}`);
  return [...joined, ...new Set(others)];
}
