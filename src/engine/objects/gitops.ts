import { Composer, type CST, Lexer, Parser } from 'yaml';
import * as z from 'zod';
import { ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, isObject, list, maybe } from './wire.js';

/**
 * A Git repository by its host, in lower case, and its path without `.git`. Credentials of its URL are not
 * kept.
 */
export type RepositoryAddress = { readonly host: string; readonly path: string };

const withScheme = /^(?:https?|ssh|git):\/\/(?:[^/\s]*@)?([^/:@\s]+)(?::\d{1,5})?\/+([^?#\s]+)/iu;
/** `git@host:org/name`, as scp and Git read it. */
const likeScp = /^(?:[^/@\s]+@)?([^/:@\s]+):(?!\/\/)\/?([^?#\s]+)$/u;
/** GitHub serves SSH on port 443 of another name. */
const otherNames: Readonly<Record<string, string>> = { 'ssh.github.com': 'github.com' };
const maxLength = 2_000;

/** `undefined` for whatever names no repository of a host, such as a path or an OCI artifact. */
export function parseRepositoryUrl(url: string): RepositoryAddress | undefined {
  const text = url.trim();
  const [, name = '', rest = ''] =
    text.length > maxLength ? [] : (withScheme.exec(text) ?? likeScp.exec(text) ?? []);
  const parts = rest.split('/').filter((part) => part !== '');
  const path = parts.join('/').replace(/\.git$/u, '');
  if (name === '' || path === '' || parts.includes('..')) return undefined;
  const host = name.toLowerCase();
  return { host: otherNames[host] ?? host, path };
}

/** The keys that lead to a value. */
type KeyPath = readonly string[];

const maxPaths = 200;
const maxDepth = 8;
/** Characters of YAML that are read of one object; the values of a large chart have half as many. */
const maxText = 32_768;
/** A text that may set anything. */
const unreadText = '- anything';
/** Some value, and nobody knows which one. */
const anything: readonly KeyPath[] = [[]];

/**
 * Which values a map sets, without what they are: values of charts may hold secrets. Of very many, only the
 * keys above them are kept, which stand for all below.
 */
function keysOfValues(values: unknown): readonly KeyPath[] {
  if (values === undefined || values === null) return [];
  if (!isObject(values)) return anything;
  if (Object.keys(values).length === 0) return [];
  for (let depth = maxDepth; depth > 0; depth -= 1) {
    const paths = pathsIn(values, depth);
    if (paths.length <= maxPaths) return paths;
  }
  return anything;
}

/** The parser and the composer work for each one. Values of charts have one in three to six characters. */
const maxLexemes = 8_000;
/** Maps and lists in brackets. The work of the parser grows faster than their depth. */
const maxBrackets = 500;
/** Lists and keys that begin in one line. */
const manyInOneLine = /(?:[-?][ \t]){60}/u;

/** The same for the text of a YAML document. */
function keysOfText(text: string): readonly KeyPath[] {
  const isRead =
    text.length <= maxText &&
    text.split(/[[{]/u, maxBrackets + 2).length <= maxBrackets + 1 &&
    !manyInOneLine.test(text);
  if (!isRead) return anything;
  try {
    const parser = new Parser();
    const tokens: CST.Token[] = [];
    let lexemes = 0;
    for (const lexeme of new Lexer().lex(text)) {
      lexemes += 1;
      if (lexemes > maxLexemes) return anything;
      tokens.push(...parser.next(lexeme));
      // Each further error would become an object with a stack trace.
      if (tokens.at(-1)?.type === 'error') return anything;
    }
    tokens.push(...parser.end());
    const composer = new Composer({ logLevel: 'error', uniqueKeys: false, prettyErrors: false });
    const [document, ...others] = composer.compose(tokens);
    if (document === undefined) return [];
    if (others.length > 0 || document.errors.length > 0) return anything;
    return keysOfValues(document.toJS({ maxAliasCount: 100 }));
  } catch {
    return anything;
  }
}

function pathsIn(values: unknown, depth: number): readonly KeyPath[] {
  const entries = isObject(values) && depth > 0 ? Object.entries(values) : [];
  if (entries.length === 0) return [[]];
  const paths: KeyPath[] = [];
  for (const [key, value] of entries) {
    // A merge key sets what another map holds.
    if (key === '<<') return [[]];
    for (const below of pathsIn(value, depth - 1)) paths.push([key, ...below]);
    if (paths.length > maxPaths) return paths;
  }
  return paths;
}

/**
 * Sources of an Application and values of a HelmRelease may hold secrets: of values, only the names of the
 * keys are kept. These schemas keep only what decides when the tool writes next and where Git declares its
 * objects; everything else is dropped while the answer is parsed. A URL is kept without its credentials.
 */

/**
 * Annotations that decide whether the tool writes at all, and which Application applies an Application;
 * `kubectl apply` keeps a copy of the whole spec in another.
 */
const keptAnnotations = ['argocd.argoproj.io/skip-reconcile', 'argocd.argoproj.io/tracking-id'];

const ToolMeta = ObjectMeta.transform(({ annotations, ...metadata }) => ({
  ...metadata,
  managedFields: [],
  annotations: Object.fromEntries(
    keptAnnotations.flatMap((key) =>
      Object.hasOwn(annotations, key) ? [[key, annotations[key] ?? '']] : [],
    ),
  ),
}));

const Ignored = z.object({
  group: defaulted(z.string(), ''),
  kind: defaulted(z.string(), ''),
  name: defaulted(z.string(), ''),
  namespace: defaulted(z.string(), ''),
  jsonPointers: list(z.string()),
  jqPathExpressions: list(z.string()),
  managedFieldsManagers: list(z.string()),
});
export type IgnoredDifference = Immutable<z.output<typeof Ignored>>;

const text = defaulted(z.string(), '');
const address = maybe(z.string()).transform((url) =>
  url === undefined ? undefined : parseRepositoryUrl(url),
);
const fields = maybe(z.record(z.string(), z.unknown()));

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Whether a field is set, whatever it holds. */
const presence = fields.transform((value) => value !== undefined);
/** Names of the fields that are set. */
const namesOfSet = fields.transform((value) =>
  Object.entries(value ?? {}).flatMap(([name, field]) => (isSet(field) ? [name] : [])),
);

const names = list(z.object({ name: text })).transform((items) => items.map(({ name }) => name));

/** How an Application renders a chart. Of values, only the names of keys are kept. */
const Helm = z.object({
  releaseName: text,
  namespace: text,
  valueFiles: list(z.string()),
  ignoreMissingValueFiles: defaulted(z.boolean(), false),
  parameters: names,
  fileParameters: names,
  values: text.transform(keysOfText),
  valuesObject: fields.transform(keysOfValues),
});
export type ApplicationHelm = Immutable<z.output<typeof Helm>>;

/** Where the values of all sources together are longer than is read, each source may set anything. */
function withoutLongTexts(spec: unknown): unknown {
  if (!isObject(spec) || !Array.isArray(spec.sources)) return spec;
  const lengthOf = (source: unknown): number => {
    const values = isObject(source) && isObject(source.helm) ? source.helm.values : undefined;
    return typeof values === 'string' ? values.length : 0;
  };
  const sources: readonly unknown[] = spec.sources;
  if (sources.reduce((sum: number, each) => sum + lengthOf(each), 0) <= maxText) return spec;
  const unread = (source: unknown): unknown =>
    isObject(source) && isObject(source.helm) && lengthOf(source) > 0
      ? { ...source, helm: { ...source.helm, values: unreadText } }
      : source;
  return { ...spec, sources: sources.map(unread) };
}

const Source = z.object({
  repoURL: address,
  path: text,
  targetRevision: text,
  chart: text,
  ref: text,
  helm: maybe(Helm),
  plugin: presence,
  kustomize: namesOfSet,
  directory: maybe(z.object({ recurse: defaulted(z.boolean(), false), include: text, exclude: text })),
});
export type ApplicationSource = Immutable<z.output<typeof Source>>;

/** One revision, or those of several sources in their order. */
const revisions = { revision: text, revisions: list(z.string()) };

const ApplicationStatus = z.object({
  sync: maybe(z.object({ status: text, ...revisions })),
  operationState: maybe(z.object({ phase: text, syncResult: maybe(z.object(revisions)) })),
  sourceType: text,
  sourceTypes: list(z.string()),
});

/** Argo CD, `argoproj.io/v1alpha1`. */
export const Application = z.object({
  kind: z.literal('Application').default('Application'),
  metadata: ToolMeta,
  spec: z.preprocess(
    withoutLongTexts,
    z.object({
      syncPolicy: maybe(
        z.object({
          automated: maybe(
            z.object({ enabled: maybe(z.boolean()), selfHeal: defaulted(z.boolean(), false) }),
          ),
          syncOptions: list(z.string()),
        }),
      ),
      ignoreDifferences: list(Ignored),
      destination: maybe(z.object({ namespace: text })),
      source: maybe(Source),
      sources: list(Source),
      sourceHydrator: presence,
    }),
  ),
  status: ApplicationStatus.nullish().transform((value) => value ?? ApplicationStatus.parse({})),
});
export type Application = Immutable<z.output<typeof Application>>;

const Target = z.object({
  group: defaulted(z.string(), ''),
  version: defaulted(z.string(), ''),
  kind: defaulted(z.string(), ''),
  name: defaulted(z.string(), ''),
  namespace: defaulted(z.string(), ''),
  labelSelector: defaulted(z.string(), ''),
  annotationSelector: defaulted(z.string(), ''),
});

const Exclusion = z.object({ paths: list(z.string()), target: maybe(Target) });
export type FluxExclusion = Immutable<z.output<typeof Exclusion>>;

const SourceRef = maybe(z.object({ kind: text, name: text, namespace: text }));

const KustomizationStatus = z.object({
  lastAppliedRevision: text,
  lastAttemptedRevision: text,
  conditions: list(z.object({ type: text, status: text, reason: text })),
});

/** Flux, `kustomize.toolkit.fluxcd.io/v1`. */
export const Kustomization = z.object({
  kind: z.literal('Kustomization').default('Kustomization'),
  metadata: ToolMeta,
  spec: z.object({
    interval: defaulted(z.string(), ''),
    suspend: defaulted(z.boolean(), false),
    ignore: list(Exclusion),
    sourceRef: SourceRef,
    path: text,
    namePrefix: text,
    nameSuffix: text,
    patches: list(z.unknown().transform(() => true)),
    components: list(z.string()),
  }),
  status: KustomizationStatus.nullish().transform((value) => value ?? KustomizationStatus.parse({})),
});
export type Kustomization = Immutable<z.output<typeof Kustomization>>;

/** Files in place of the defaults of the chart. */
const otherValues = { valuesFile: text, valuesFiles: list(z.string()) };

const HelmReleaseStatus = z.object({
  /** The newest first. */
  history: list(z.object({ chartVersion: text })),
  conditions: list(z.object({ type: text, status: text, reason: text })),
});

/** What becomes of an upgrade whose objects are not ready in time. */
const Upgrade = z.object({
  timeout: text,
  disableWait: defaulted(z.boolean(), false),
  remediation: maybe(
    z.object({ retries: defaulted(z.number(), 0), remediateLastFailure: maybe(z.boolean()), strategy: text }),
  ),
  strategy: maybe(z.object({ name: text })),
});

/** Flux, `helm.toolkit.fluxcd.io/v2`. */
export const HelmRelease = z.object({
  kind: z.literal('HelmRelease').default('HelmRelease'),
  metadata: ToolMeta,
  spec: z.object({
    interval: defaulted(z.string(), ''),
    suspend: defaulted(z.boolean(), false),
    driftDetection: maybe(z.object({ mode: defaulted(z.string(), 'disabled'), ignore: list(Exclusion) })),
    releaseName: text,
    targetNamespace: text,
    chart: maybe(z.object({ spec: maybe(z.object({ chart: text, sourceRef: SourceRef, ...otherValues })) })),
    chartRef: presence,
    valuesFrom: list(z.unknown().transform(() => true)),
    postRenderers: list(z.unknown().transform(() => true)),
    timeout: text,
    upgrade: maybe(Upgrade),
  }),
  status: HelmReleaseStatus.nullish().transform((value) => value ?? HelmReleaseStatus.parse({})),
});
export type HelmRelease = Immutable<z.output<typeof HelmRelease>>;

const GitRepositoryStatus = z.object({ artifact: maybe(z.object({ revision: text })) });

/** Flux, `source.toolkit.fluxcd.io/v1`. */
export const GitRepository = z.object({
  kind: z.literal('GitRepository').default('GitRepository'),
  metadata: ToolMeta,
  spec: z.object({
    url: address,
    ref: maybe(z.object({ branch: text, tag: text, semver: text, name: text, commit: text })),
  }),
  status: GitRepositoryStatus.nullish().transform((value) => value ?? GitRepositoryStatus.parse({})),
});
export type GitRepository = Immutable<z.output<typeof GitRepository>>;
