import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import { dataOf, parseManifest } from '../parse-manifest.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import type { KustomizationFile, KustomizeGraph, PatchEntry, Selector } from './kustomization-file.js';
import { mergedPatch } from './merge-patch.js';
import { scalarText, transformed, valueAt } from './transform.js';

/** A patch that a build applies to an object. */
export interface AppliedPatch {
  readonly type: 'patch';
  readonly kustomization: KustomizationFile;
  readonly entry: PatchEntry;
  /** Of the document in its text, from 0. */
  readonly position: number;
  /** A strategic merge patch, or the operations of a JSON patch. */
  readonly content: unknown;
}

/** The fields of a kustomization that an object passes. */
type Passed = { readonly type: 'passed'; readonly kustomization: KustomizationFile };

/** An object of a build: where it is declared, and what the build does to it. */
export interface BuiltObject {
  readonly kind: string;
  readonly apiVersion: string;
  /** All names and namespaces that it has had, the original one first. */
  readonly ids: readonly { readonly name: string; readonly namespace: string }[];
  readonly declared: JsonObject;
  readonly file: string;
  readonly position: number;
  readonly line: number;
  readonly steps: readonly (AppliedPatch | Passed)[];
}

/** The data of a text, one entry a document, or why it cannot be read. */
export type ReadData = (text: string) => readonly DocumentData[] | GitRefusal;

interface DocumentData {
  readonly data: unknown;
  /** From 0. */
  readonly position: number;
  readonly line: number;
}

/** Reads each text once: builds of one tree that differ in one file parse that file alone. */
export function createReadData(): ReadData {
  const known = new Map<string, ReturnType<ReadData>>();
  return (text) => {
    const result = known.get(text) ?? readDataOf(text);
    known.set(text, result);
    return result;
  };
}

export function readDataOf(text: string): ReturnType<ReadData> {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const documents = parsed.documents.map((document, position) => ({
    data: dataOf(document),
    position,
    line: parsed.lineAt(document.contents?.range?.[0] ?? 0),
  }));
  // Kustomize reads it: without the document, the build would be another one.
  const unread = documents.find(({ data }) => data === undefined);
  return unread === undefined ? documents : gitRefusal('alias', unread.line);
}

/**
 * The objects that the build of a kustomization results in, without the values of their fields: `valuesOf`
 * works those out for one of them. What Kustomize refuses in the contents of files is left out and listed.
 *
 * @param graph without cycles
 * @param texts of all files that the build reads
 */
export function builtObjects(
  graph: KustomizeGraph,
  root: KustomizationFile,
  { texts, readData }: { texts: ReadonlyMap<string, string>; readData: ReadData },
): { readonly objects: readonly BuiltObject[]; readonly problems: readonly GitRefusal[] } {
  const problems: GitRefusal[] = [];
  const objects = objectsOf(root);
  return { objects, problems };

  function objectsOf(kustomization: KustomizationFile): readonly BuiltObject[] {
    const { below, files } = graph.resourcesOf(kustomization);
    const accumulated = [...below.flatMap(objectsOf), ...files.flatMap(declaredIn)];
    const patches = kustomization.patches.flatMap((entry) => patchesIn(kustomization, entry));
    // A patch with a target may select nothing.
    const unused = new Set(patches.filter(({ entry }) => entry.target === undefined));
    const result = accumulated.map((object) => {
      let current = object;
      // Each patch is for the object as the ones before it leave it.
      for (const patch of patches) {
        if (!isFor(patch, current)) continue;
        unused.delete(patch);
        current = { ...current, steps: [...current.steps, patch] };
      }
      const ids = [...object.ids, idAfter(object, kustomization)];
      const passed = { type: 'passed', kustomization } as const;
      return { ...current, ids, steps: [...current.steps, passed] };
    });
    const [patch] = unused;
    const scaled = new Set(accumulated.filter(isScaled).flatMap(({ ids }) => ids.map(({ name }) => name)));
    const count = kustomization.content.replicas.find(({ name }) => !scaled.has(name));
    const detail = patch?.entry.file ?? patch?.entry.list ?? count?.name ?? nameDeclaredTwice(accumulated);
    if (detail !== undefined) problems.push({ ...gitRefusal('not-built'), file: kustomization.path, detail });
    return result;
  }

  function declaredIn(file: string): readonly BuiltObject[] {
    return documentsOf(texts.get(file) ?? '', file).flatMap(({ data, position, line }) => {
      if (data === null) return [];
      const { kind, apiVersion } = isObject(data) ? data : {};
      const name = valueAt(data, ['metadata', 'name']);
      const namespace = valueAt(data, ['metadata', 'namespace']) ?? '';
      if (typeof kind === 'string' && kind.endsWith('List')) return [];
      if (
        !isObject(data) ||
        typeof kind !== 'string' ||
        typeof apiVersion !== 'string' ||
        typeof name !== 'string' ||
        typeof namespace === 'object'
      ) {
        problems.push({ ...gitRefusal('not-built', line), file, detail: file });
        return [];
      }
      const ids = [{ name, namespace: String(namespace) }];
      return [{ kind, apiVersion, ids, declared: data, file, position, line, steps: [] }];
    });
  }

  function patchesIn(kustomization: KustomizationFile, entry: PatchEntry): readonly AppliedPatch[] {
    const { file, inline } = entry;
    const text = file === undefined ? inline : (texts.get(file) ?? '');
    return documentsOf(text, file ?? kustomization.path).flatMap(({ data, position }): AppliedPatch[] =>
      data === null ? [] : [{ type: 'patch', kustomization, entry, position, content: data }],
    );
  }

  function documentsOf(text: string, file: string): readonly DocumentData[] {
    const read = readData(text);
    if (!('type' in read)) return read;
    problems.push({ ...read, file });
    return [];
  }
}

const scaledKinds: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

/** Whether `replicas` of a kustomization can name the object. */
function isScaled({ kind }: BuiltObject): boolean {
  return scaledKinds.has(kind);
}

/**
 * The name of two objects of a build that are one to Kustomize, which then refuses the build
 * (`resid.go: Equals`).
 */
function nameDeclaredTwice(objects: readonly BuiltObject[]): string | undefined {
  const seen = new Set<string>();
  for (const { kind, apiVersion, ids } of objects) {
    const { name = '', namespace = '' } = ids.at(-1) ?? {};
    const id = JSON.stringify([kind, apiVersion, name, effective(namespace)]);
    if (seen.has(id)) return name;
    seen.add(id);
  }
  return undefined;
}

function idAfter({ ids }: BuiltObject, { content }: KustomizationFile) {
  const { name = '', namespace = '' } = ids.at(-1) ?? {};
  const { namePrefix, nameSuffix } = content;
  return { name: `${namePrefix}${name}${nameSuffix}`, namespace: content.namespace || namespace };
}

/**
 * With the ids in between: a kustomization sets the namespace before it changes the name
 * (`PrefixTransformer.go`).
 */
function idsOf({ ids }: BuiltObject): BuiltObject['ids'] {
  return ids.flatMap((id, at) => [id, { name: id.name, namespace: ids[at + 1]?.namespace ?? id.namespace }]);
}

function isFor({ entry, content }: AppliedPatch, object: BuiltObject): boolean {
  const { target } = entry;
  if (target !== undefined) return isSelected(target, object);
  if (!isObject(content)) return false;
  const { kind, apiVersion } = content;
  const name = valueAt(content, ['metadata', 'name']);
  const namespace = scalarText(valueAt(content, ['metadata', 'namespace']));
  return (
    kind === object.kind &&
    apiVersion === object.apiVersion &&
    idsOf(object).some((id) => id.name === name && effective(id.namespace) === effective(namespace))
  );
}

function isSelected(selector: Selector, object: BuiltObject): boolean {
  const { kind, apiVersion } = object;
  const at = apiVersion.lastIndexOf('/');
  const matches = (pattern: string | undefined, value: string): boolean =>
    pattern === undefined || pattern === '' || matchesWhole(pattern, value);
  return (
    matches(selector.kind, kind) &&
    matches(selector.group, at === -1 ? '' : apiVersion.slice(0, at)) &&
    matches(selector.version, apiVersion.slice(at + 1)) &&
    idsOf(object).some(
      ({ name, namespace }) =>
        matches(selector.name, name) && matches(selector.namespace, effective(namespace)),
    ) &&
    hasMetadata(selector, object)
  );
}

/**
 * The labels that count are those at this point of the build: other kustomizations and patches may have added
 * some.
 */
function hasMetadata(
  { labelSelector = '', annotationSelector = '' }: Selector,
  object: BuiltObject,
): boolean {
  if (labelSelector === '' && annotationSelector === '') return true;
  const current = valuesOf(object);
  if (current.type === 'refusal') return true;
  return (
    mayHave(labelSelector, valueAt(current.values, ['metadata', 'labels'])) &&
    mayHave(annotationSelector, valueAt(current.values, ['metadata', 'annotations']))
  );
}

/**
 * Equal labels are compared; every other selector counts as matching, and is refused later where it decides.
 */
function mayHave(selector: string, labels: unknown): boolean {
  if (selector === '') return true;
  return selector.split(',').every((term) => {
    const { key = '', value } = equalTerm(term) ?? {};
    return value === undefined || (isObject(labels) && labels[key] === value);
  });
}

/** `key=value` or `key==value`. */
function equalTerm(term: string): { readonly key: string; readonly value: string } | undefined {
  const at = term.indexOf('=');
  const key = term.slice(0, Math.max(0, at)).trim();
  const value = term.slice(term.startsWith('==', at) ? at + 2 : at + 1).trim();
  return /^[\w./-]+$/u.test(key) && /^[\w.-]*$/u.test(value) ? { key, value } : undefined;
}

/**
 * Names and the few operators that people use in a selector: `.*`, `.+`, `a|b` and plain names, in which a
 * dot is any character. Another pattern counts as matching. No pattern of a repository is run as a regular
 * expression: it could take any time.
 */
function matchesWhole(pattern: string, value: string): boolean {
  return pattern.split('|').some((part) => {
    if (/^[\w.-]+$/u.test(part)) {
      return (
        part.length === value.length && [...part].every((each, at) => each === '.' || each === value[at])
      );
    }
    const [, prefix, operator, suffix] = /^\^?([\w-]*)\.([*+])([\w-]*)\$?$/u.exec(part.slice(0, 300)) ?? [];
    if (prefix === undefined || suffix === undefined) return true;
    const least = prefix.length + suffix.length + (operator === '+' ? 1 : 0);
    return value.length >= least && value.startsWith(prefix) && value.endsWith(suffix);
  });
}

function effective(namespace: string): string {
  return namespace === '' ? 'default' : namespace;
}

/** The fields of an object as the build results in them; a refusal names what is not modelled. */
export function valuesOf(
  object: BuiltObject,
): { readonly type: 'values'; readonly values: JsonObject } | GitRefusal {
  let result = object.declared;
  const names = object.ids.map(({ name }) => name);
  for (const step of object.steps) {
    const { kustomization } = step;
    if (step.type === 'passed') {
      const { unmodelled, content, path } = kustomization;
      if (unmodelled !== undefined) {
        return { ...gitRefusal('kustomize', unmodelled.line), file: path, detail: unmodelled.field };
      }
      result = transformed(result, content, names);
      continue;
    }
    const next = patched(result, step);
    if (!isObject(next) || valueAt(next, ['kind']) !== object.kind) {
      const { file = kustomization.path } = step.entry;
      return { ...gitRefusal('kustomize'), file, detail: step.entry.list };
    }
    result = next;
  }
  return { type: 'values', values: result };
}

function patched(object: JsonObject, { content, entry }: AppliedPatch): unknown {
  if (!selectsByEquality(entry.target)) return undefined;
  if (Array.isArray(content)) return jsonPatched(object, content);
  if (!isObject(content)) return undefined;
  const { metadata, kind: _kind, apiVersion: _apiVersion, ...fields } = content;
  // The name in a patch only says which object it is for.
  const { name: _name, namespace: _namespace, ...rest } = isObject(metadata) ? metadata : {};
  return mergedPatch(object, { metadata: rest, ...fields });
}

/** Whether the selector of a patch is one that is compared exactly. */
function selectsByEquality(target: Selector | undefined): boolean {
  if (target === undefined) return true;
  const { labelSelector = '', annotationSelector = '', ...patterns } = target;
  const terms = [labelSelector, annotationSelector].flatMap((text) => (text === '' ? [] : text.split(',')));
  return (
    terms.every((term) => equalTerm(term) !== undefined) &&
    Object.values(patterns).every((pattern) =>
      (pattern ?? '').split('|').every((part) => /^(?:[\w.-]*|\^?[\w-]*\.[*+][\w-]*\$?)$/u.test(part)),
    )
  );
}

/**
 * A value with the operations of a JSON patch (RFC 6902).
 *
 * @returns `undefined` for an operation other than `add`, `replace` and `remove`, or a path that does not
 *   exist
 */
export function jsonPatched(target: unknown, operations: readonly unknown[]): unknown {
  let result: unknown = target;
  for (const operation of operations) {
    if (!isObject(operation)) return undefined;
    const { op, path, value } = operation;
    if ((op !== 'add' && op !== 'replace' && op !== 'remove') || typeof path !== 'string') return undefined;
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    result = changedAt(result, steps, { op, value });
    if (result === undefined) return undefined;
  }
  return result;
}

type Change = { readonly op: 'add' | 'replace' | 'remove'; readonly value: unknown };

function changedAt(target: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change.op === 'remove' ? undefined : change.value;
  if (Array.isArray(target)) return changedList(target, step, rest, change);
  if (!isObject(target)) return undefined;
  const exists = Object.hasOwn(target, step);
  if (rest.length > 0) {
    const inner = changedAt(target[step], rest, change);
    return inner === undefined ? undefined : { ...target, [step]: inner };
  }
  if (change.op === 'add' || (change.op === 'replace' && exists)) return { ...target, [step]: change.value };
  if (!exists) return undefined;
  const { [step]: _removed, ...others } = target;
  return others;
}

function changedList(
  target: readonly unknown[],
  step: string,
  rest: readonly string[],
  change: Change,
): unknown {
  const isEnd = step === '-' && rest.length === 0 && change.op === 'add';
  if (!isEnd && !/^(?:0|[1-9]\d*)$/u.test(step)) return undefined;
  const at = isEnd ? target.length : Number(step);
  if (rest.length > 0) {
    const inner = at < target.length ? changedAt(target[at], rest, change) : undefined;
    return inner === undefined ? undefined : target.with(at, inner);
  }
  if (change.op === 'add') return at > target.length ? undefined : target.toSpliced(at, 0, change.value);
  if (at >= target.length) return undefined;
  return change.op === 'remove' ? target.toSpliced(at, 1) : target.with(at, change.value);
}
