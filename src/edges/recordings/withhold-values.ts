import { createHmac } from 'node:crypto';
import { redact, redactValue } from '../../doctor/redaction/redact.js';

/** Replaces values in one object of a cluster, or in a manifest. The object itself is not changed. */
export type Withhold = <Value>(object: Value) => Value;

/**
 * Maps whose values no rule reads: environment variables and headers of probes (lists of name and value),
 * options of volume drivers.
 */
const valueLists: ReadonlySet<string> = new Set(['env', 'httpHeaders']);
const valueMaps: ReadonlySet<string> = new Set(['volumeAttributes', 'parameters', 'options']);
/** Words of a command line. */
const wordLists: ReadonlySet<string> = new Set(['command', 'args']);

/**
 * Fields that hold no text of people: names are bounded by the API server, and times and ids are made by
 * programs.
 */
const plainFields =
  /^(?:apiVersion|kind|name|namespace|uid|resourceVersion|nodeName|type|reason|phase|[a-zA-Z]*Time|[a-zA-Z]*Timestamp|containerID|imageID|[a-zA-Z]*IP|fieldsV1)$/u;

/** Annotations of Kubernetes and of tools whose marks rules read; others belong to people. */
const keptAnnotation =
  /^(?:(?:[a-z0-9.-]+\.)?kubernetes\.io\/|deprecated\.daemonset\.template\.generation$|(?:argocd|rollout|argo-rollouts)\.argoproj\.io\/|scale-down-deadline$|leaderworkerset\.sigs\.k8s\.io\/|meta\.helm\.sh\/|(?:[a-z]+\.)?toolkit\.fluxcd\.io\/|karpenter\.sh\/|kueue\.x-k8s\.io\/|scheduling\.(?:k8s\.io|volcano\.sh)\/|(?:autoscaling|serving)\.knative\.dev\/|nvidia\.com\/(?:deployment-|current-worker-hash)|rollout-doctor\.dev\/)/u;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Variables of which rules read the flags of the JVM's heap. */
const heapVariables: ReadonlySet<string> = new Set([
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'JAVA_OPTS',
  '_JAVA_OPTIONS',
]);
const heapFlag =
  /^-X(?:mx\d+[kKmMgGtT]?|X:(?:MaxHeapSize=\d+[kKmMgGtT]?|(?:Max|Min|Initial)RAM[A-Za-z]*=[\d.]+[kKmMgGtT]?))$/u;

/**
 * Hexadecimal digits of a mark: 24 bits tell values apart, and are too few to recover a value that was
 * generated.
 */
const markDigits = 6;
/** Texts that are remembered: the same image, argument or message is in many objects. */
const maxRemembered = 50_000;
/** Levels of an object that are walked; deeper ones are left out. */
const maxDepth = 100;

/**
 * Leaves out the values that no rule needs. Each becomes a mark (`redacted-1f0c9a`), equal for equal values
 * under one salt, so that two pod templates still differ where they did. Other text that `redact` recognises
 * as a secret becomes a mark as well; in messages of a status only the secret is replaced.
 *
 * Applied to its own result it gives other marks: apply it once, to a recording as it is written, and to the
 * manifests that are compared with the recording.
 *
 * @param salt of the recording; the same salt gives the same marks
 */
export function createWithholder(salt: string): Withhold {
  const clean = remembering(redact);
  const mark = remembering((text) => {
    const digest = createHmac('sha256', salt).update(text).digest('hex');
    return `redacted-${digest.slice(0, markDigits)}`;
  });
  const withoutSecret = (text: string): string => (clean(text) === text ? text : mark(text));

  function walk(value: unknown, key: string, inStatus: boolean, depth: number): unknown {
    if (depth > maxDepth) return undefined;
    if (typeof value === 'string') {
      if (plainFields.test(key)) return value;
      return inStatus || key === 'message' || key === 'note' ? clean(value) : withoutSecret(value);
    }
    if (Array.isArray(value)) {
      if (wordLists.has(key) && value.every((item) => typeof item === 'string')) return words(value);
      return value.map((item) =>
        valueLists.has(key) ? namedValue(item, depth + 1) : walk(item, key, inStatus, depth + 1),
      );
    }
    if (!isMap(value)) return value;
    if (key === 'annotations') return annotations(value, depth + 1);
    if (valueMaps.has(key)) return mapValues(value, (each) => marked(each));
    // Field names of managedFields say who wrote which field and hold no value.
    if (key === 'fieldsV1') return value;
    return mapEntries(value, (name, each) =>
      // A copy of what was applied may hold a Secret's data in no field that is known here.
      walk(each, name, inStatus || name === 'status', depth + 1),
    );
  }

  /** The value of an option may be the word after it: `--password VALUE`. */
  function words(list: readonly string[]): readonly string[] {
    return list.map((word, at) => {
      const option = /^--?([A-Za-z][\w.-]*)$/u.exec(list[at - 1] ?? '')?.[1];
      const isValue = option !== undefined && redactValue(option, word) !== word;
      return isValue ? mark(word) : withoutSecret(word);
    });
  }

  function namedValue(item: unknown, depth: number): unknown {
    if (!isMap(item)) return undefined;
    const { value, ...rest } = item;
    const others = walk(rest, '', false, depth);
    if (value === undefined || value === null || !isMap(others)) return others;
    const name = typeof item.name === 'string' ? item.name : '';
    return { ...others, value: heapVariables.has(name) ? heapFlags(String(value)) : marked(value) };
  }

  function heapFlags(text: string): string {
    const words = text.split(/\s+/u).filter((word) => word !== '');
    const flags = words.filter((word) => heapFlag.test(word));
    return flags.length === words.length ? flags.join(' ') : [...flags, mark(text)].join(' ');
  }

  function annotations(map: JsonMap, depth: number): JsonMap {
    return mapEntries(map, (name, value) => {
      if (name === lastApplied) return applied(value, depth);
      return keptAnnotation.test(name) ? walk(value, '', false, depth) : marked(value);
    });
  }

  /** The manifest that was applied before, without its values; absent where it is none. */
  function applied(value: unknown, depth: number): string | undefined {
    if (typeof value !== 'string') return undefined;
    try {
      return JSON.stringify(walk(JSON.parse(value), '', false, depth));
    } catch {
      return undefined;
    }
  }

  /** Empty text and absent values say nothing. */
  function marked(value: unknown): unknown {
    if (value === undefined || value === null || value === '') return value;
    return mark(typeof value === 'string' ? value : JSON.stringify(value));
  }

  return <Value>(object: Value): Value => walk(object, '', false, 0) as Value;
}

type JsonMap = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function mapEntries(map: JsonMap, change: (name: string, value: unknown) => unknown): JsonMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([name, value]) => {
      const changed = change(name, value);
      return changed === undefined ? [] : [[name, changed] as const];
    }),
  );
}

function mapValues(map: JsonMap, change: (value: unknown) => unknown): JsonMap {
  return mapEntries(map, (_, value) => change(value));
}

function remembering(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = compute(text);
    if (known.size >= maxRemembered) known.clear();
    known.set(text, result);
    return result;
  };
}
