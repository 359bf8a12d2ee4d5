import { isNamespaceName, isWorkloadName } from './command.js';
import { isAnyKind, memberKindOf, ownerKindOf, workloadKindOf } from './workload-kind.js';

/** Options of kubectl that both programs have. */
const sharedOptions: ReadonlySet<string> = new Set(
  '-n --namespace --context --cluster -A --all-namespaces'.split(' '),
);

/** Options of kubectl whose value is the next word, beside those that both programs have. */
const optionsWithValue: ReadonlySet<string> = new Set(
  `-o --output -f --filename -l --selector -c --container -L --label-columns -p --patch --type --tail --since
  --sort-by --replicas --revision --to-revision --timeout --field-selector --kubeconfig --as --for --image
  --limit --port --target-port`.split(/\s+/u),
);

/** Commands whose bare name is that of a pod. */
const podVerbs: ReadonlySet<string> = new Set('logs log exec attach port-forward debug'.split(' '));

/** Commands after which kubectl lists objects. */
const listingVerbs: ReadonlySet<string> = new Set('get describe top events'.split(' '));

/** Commands that only read, or whose workload is diagnosed while they run. */
const readCommands: ReadonlySet<string> = new Set([...podVerbs, ...listingVerbs, 'rollout', 'argo', 'wait']);

interface PastedRequest {
  /** In our own words. It only reads. */
  readonly request: string;
  /** Words that would do something else, so that the request is only offered. */
  readonly unread: readonly string[];
}

/**
 * The request that a pasted line of kubectl, a row of one of its tables or the name of a Service in the
 * cluster stands for.
 */
export function pastedRequest(text: string): PastedRequest | undefined {
  const request = rowRequest(text) ?? serviceRequest(text);
  return request === undefined ? kubectlRequest(text) : { request, unread: [] };
}

function kubectlRequest(text: string): PastedRequest | undefined {
  const [program = '', ...given] = text.replace(/^\$ /u, '').split(' ');
  const isProgram = /^(?:kubectl|oc|k)(?:\.exe)?$/iu.test(program) && given.length > 0;
  const isBareVerb = /^(?:get|describe)$/u.test(program) && given.length > 0;
  if (!isProgram && !isBareVerb) return undefined;
  const { options, words } = withoutOtherOptions(isProgram ? given : [program, ...given]);
  const [verb = '', ...rest] = words;
  const named = wordsOfWorkload(verb, rest);
  if (named === undefined) return program.length > 2 && isProgram ? { request: '', unread: [] } : undefined;
  return {
    request: named.length === 0 ? '' : [...named, ...options].join(' '),
    unread: readCommands.has(verb) ? [] : [program, verb],
  };
}

/** The words of a line of kubectl that name a workload, or `scan` for a list. */
function wordsOfWorkload(verb: string, rest: readonly string[]): readonly string[] | undefined {
  if (verb === 'rollout' || verb === 'argo') {
    const [, ...named] = verb === 'argo' ? rest.slice(1) : rest;
    const isKindGiven = named.length > 1 || named[0]?.includes('/') === true;
    return verb === 'argo' && !isKindGiven ? ['rollout', ...named] : named;
  }
  const at = rest.findIndex((word) => word.split(/[,/]/u).some(isAnyKind));
  const [first, second] = at < 0 ? [] : rest.slice(at);
  if (first?.includes('/') === true) return [first];
  if (first !== undefined && second !== undefined) return [first, second];
  if (podVerbs.has(verb) && rest[0] !== undefined) return ['pod', rest[0]];
  if (!listingVerbs.has(verb)) return undefined;
  return rest.length > 0 || verb === 'events' ? ['scan'] : [];
}

/** What follows a lone `--` is the command that runs in the container. */
function withoutOtherOptions(tokens: readonly string[]): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  const end = tokens.indexOf('--');
  const given = end < 0 ? tokens : tokens.slice(0, end);
  const options: string[] = [];
  const words: string[] = [];
  for (let position = 0; position < given.length; position += 1) {
    const token = given[position] ?? '';
    const [flag = ''] = token.split('=');
    if (!token.startsWith('-')) words.push(token);
    else if (sharedOptions.has(flag) || /^-n[a-z0-9]/u.test(token)) {
      const hasValue = token === flag && !/^(?:-A|--all-namespaces|-n.+)$/u.test(flag);
      options.push(token, ...(hasValue ? given.slice(position + 1, position + 2) : []));
      if (hasValue) position += 1;
    } else if (token === flag && optionsWithValue.has(flag)) position += 1;
  }
  return { options, words };
}

/** `web-5c96 0/1 CrashLoopBackOff 7 25m`, also behind its namespace, as kubectl prints it with `-A`. */
function rowRequest(text: string): string | undefined {
  const words = text.split(' ');
  const at = words.findIndex((word) => /^\d{1,6}\/\d{1,6}$/u.test(word));
  const [name, state] = [words[at - 1], words[at + 1]];
  const hasAge = words.slice(at + 2).some((word) => /^(?:\d{1,6}[smhdy]){1,2}$/u.test(word));
  if ((at !== 1 && at !== 2) || name === undefined || state === undefined || !hasAge) return undefined;
  // The table of pods has a word behind READY, and that of workloads a number.
  const kind = name.includes('/') || /^\d/u.test(state) ? '' : 'pod/';
  const namespace = at === 2 ? ` -n ${words[0]}` : '';
  return `${kind}${name}${namespace}`;
}

/** `inference.ml.svc.cluster.local:8080`. */
function serviceRequest(text: string): string | undefined {
  const [, name, namespace] =
    /^([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc(?:\.[a-z0-9.-]{1,253})?(?::\d{1,5})?$/u.exec(text) ?? [];
  return name === undefined ? undefined : `${namespace}/${name}`;
}

/**
 * The workload that the address of a page of a console or dashboard names, as text of a request: a kind in
 * its path, followed by namespace and name, or parameters that are called after a namespace and a kind.
 *
 * @returns `undefined` where it names none, or several
 */
export function workloadInAddress(address: string): string | undefined {
  const [path = '', ...parameters] = address.replace(/^[a-z]{1,9}:\/\/[^/?#]{0,300}/iu, '').split(/[?&]/u);
  const fields = parameters.map((parameter) => {
    const [key = '', ...value] = parameter.split('=');
    return { key: key.toLowerCase().split(/[-_.]/u).at(-1) ?? '', value: decoded(value.join('=')) };
  });
  const paths = [decoded(path), ...fields.map(({ value }) => value)];
  const namespace = fields.find(({ key }) => namespaceWords.has(key))?.value;
  const found = new Set([
    ...paths.flatMap((each) => workloadInPath(each.split(/[/#]/u).filter(Boolean)) ?? []),
    ...fields.flatMap(
      ({ key, value }) => named(key === 'workload' ? '' : kindIn(key), value, namespace) ?? [],
    ),
  ]);
  return found.size === 1 ? [...found][0] : undefined;
}

const namespaceWords: ReadonlySet<string> = new Set(['namespace', 'namespaces', 'ns']);

function workloadInPath(pieces: readonly string[]): string | undefined {
  const at = pieces.findIndex((piece) => kindIn(piece) !== undefined);
  const marker = pieces.findIndex((piece) => namespaceWords.has(piece.toLowerCase()));
  const [first, second, ...more] = pieces.slice(at + 1);
  if (at < 0 || first === undefined) return undefined;
  const kind = kindIn(pieces[at] ?? '');
  if (marker >= 0 && marker < at) return named(kind, first, pieces[marker + 1]);
  // A number may follow, such as that of a container. Of more words, any may be the namespace.
  return more.every((piece) => /^\d{1,9}$/u.test(piece)) && second !== undefined
    ? named(kind, second, first)
    : undefined;
}

/**
 * `deployments`, `apps~v1~Deployment` and `apps.deployment`. Pages spell kinds out, and short names occur in
 * other addresses.
 */
function kindIn(piece: string): string | undefined {
  const word = piece.toLowerCase().split(/[~.]/u).at(-1) ?? '';
  const kind = (workloadKindOf(word) ?? memberKindOf(word) ?? ownerKindOf(word))?.toLowerCase();
  return kind !== undefined && word.startsWith(kind) ? kind : undefined;
}

function named(kind: string | undefined, name: string, namespace: string | undefined): string | undefined {
  if (kind === undefined || !isWorkloadName(name) || !isNamespaceName(namespace ?? 'default'))
    return undefined;
  if (kind === '') return namespace === undefined ? name : `${namespace}/${name}`;
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${name} -n ${namespace}`;
}

function decoded(text: string): string {
  return text.replace(/%2f/giu, '/').replace(/%7e/giu, '~');
}
