import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  mapTag,
  mergeTag,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { describeFault, type Fault, plainFault } from '../../doctor/input/input-error.js';

/** Text that is not YAML, or more YAML than is read: where, and why. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly fault: Fault;
  /** Both from 1; undefined when the fault has no place. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(fault: Fault, at?: { readonly line: number; readonly column: number }) {
    super(describeFault(fault, 'en'));
    this.fault = fault;
    this.line = at?.line;
    this.column = at?.column;
  }
}

export interface ParsedYaml {
  /** Empty documents are null. */
  readonly documents: readonly unknown[];
  /** Line, from 1, on which a mapping of the text starts; undefined for any other value. */
  readonly lineOf: (value: unknown) => number | undefined;
}

interface ParseYamlOptions {
  /** What the second of two equal keys does: it is a mistake, or it wins, as with kubectl. */
  readonly equalKeys: 'refuse' | 'last-wins';
  /** Documents of the text. 16 MiB of YAML have room for some 10,000 objects that the API server stores. */
  readonly maxDocuments?: number;
}

/** Levels of mappings and sequences, aliases replaced by what they stand for. */
const maxDepth = 100;
const mostDocuments = 100_000;
/** Aliases a document. */
const maxAliases = 10_000;
/** Values that aliases add to those written down, of all documents. */
const maxExpandedValues = 1_000_000;
/** Keys that `<<` brings in, of all documents. */
const maxMergedKeys = 10_000;

/**
 * Parses YAML 1.2 with merge keys, up to `maxDocuments` documents, in time and memory that follow the length
 * of the text.
 *
 * @throws YamlError
 */
export function parseYaml(
  text: string,
  { equalKeys, maxDocuments = mostDocuments }: ParseYamlOptions,
): ParsedYaml {
  requireBoundedDocuments(text, maxDocuments);
  return inWords(() => {
    const events = parseEvents(text, { maxDepth });
    requireBoundedAliases(events, text);
    const starts = events.flatMap((event) => (event.type === EVENT_ID.MAPPING ? [event.start] : []));
    const startOf = new Map<unknown, number>();
    // The events are constructed in their order, so that the nth mapping created is the nth of the text.
    const located = {
      ...mapTag,
      create: (tagName: string) => {
        const created = mapTag.create(tagName);
        startOf.set(created, starts[startOf.size] ?? 0);
        return created;
      },
    };
    const documents = constructFromEvents(events, {
      source: text,
      schema: CORE_SCHEMA.withTags(mergeTag, located),
      json: equalKeys === 'last-wins',
      maxTotalMergeKeys: maxMergedKeys,
      maxAliases,
    });
    const lineAt = createLineAt(text);
    return {
      documents,
      lineOf: (value) => {
        const start = startOf.get(value);
        return start === undefined ? undefined : lineAt(start);
      },
    };
  });
}

/** One document, or undefined when the text holds none. @throws YamlError */
export function parseOneYaml(text: string): unknown {
  const { documents } = parseYaml(text, { equalKeys: 'refuse' });
  if (documents.length > 1) throw new YamlError(plainFault('several-documents'));
  return documents[0] ?? undefined;
}

/** Only these marks at the left margin end a document, also within a scalar. */
function requireBoundedDocuments(text: string, maxDocuments: number): void {
  let marks = 0;
  for (const _ of text.matchAll(/^(?:---|\.\.\.)(?=\s|$)/gmu)) {
    marks += 1;
    if (marks > maxDocuments) {
      throw new YamlError({ key: 'too-many-documents', values: { max: maxDocuments } });
    }
  }
}

type Extent = { readonly values: number; readonly depth: number };

/**
 * An alias is the very value it stands for, so that few bytes make a value that no walk comes to the end of.
 * The size of what each anchor holds is known when it closes; an alias within its own anchor is refused as
 * well.
 */
function requireBoundedAliases(events: readonly Event[], text: string): void {
  if (!events.some(({ type }) => type === EVENT_ID.ALIAS)) return;
  const anchors = new Map<string, Extent>();
  const open: { anchor: string; values: number; depth: number }[] = [];
  let added = 0;
  const anchorOf = (event: { readonly anchorStart: number; readonly anchorEnd: number }): string =>
    event.anchorStart < 0 ? '' : text.slice(event.anchorStart, event.anchorEnd);
  const put = ({ values, depth }: Extent): void => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.values += values;
    parent.depth = Math.max(parent.depth, depth + 1);
    if (open.length + depth > maxDepth + 1) throw new YamlError(plainFault('too-deep'));
  };
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        anchors.clear();
        open.push({ anchor: '', values: 0, depth: 0 });
        break;
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const anchor = anchorOf(event);
        // An earlier anchor of this name is no longer meant, and this one cannot be used before it closes.
        anchors.delete(anchor);
        open.push({ anchor, values: 1, depth: 1 });
        break;
      }
      case EVENT_ID.SCALAR: {
        const scalar = { values: 1, depth: 0 };
        const anchor = anchorOf(event);
        if (anchor !== '') anchors.set(anchor, scalar);
        put(scalar);
        break;
      }
      case EVENT_ID.ALIAS: {
        const anchor = anchorOf(event);
        const extent = anchors.get(anchor);
        if (extent === undefined) {
          throw new YamlError(
            plainFault(open.some((each) => each.anchor === anchor) ? 'aliases-endless' : 'alias-unknown'),
          );
        }
        added += extent.values;
        if (added > maxExpandedValues) throw new YamlError(plainFault('aliases-endless'));
        put(extent);
        break;
      }
      case EVENT_ID.POP: {
        const closed = open.pop();
        if (closed === undefined) break;
        if (closed.anchor !== '') anchors.set(closed.anchor, closed);
        put(closed);
        break;
      }
    }
  }
}

function inWords<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof YamlError) throw error;
    if (error instanceof RangeError) throw new YamlError(plainFault('too-deep'));
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const at = mark === undefined ? undefined : { line: mark.line + 1, column: mark.column + 1 };
    throw new YamlError(faultOf(reason), at);
  }
}

function faultOf(reason: string): Fault {
  if (reason.includes('maxDepth')) return plainFault('too-deep');
  if (/maxAliases|maxTotalMergeKeys/.test(reason)) return plainFault('aliases-endless');
  if (reason.includes('null byte')) return plainFault('nul-byte');
  const shown = reason.length > maxReason ? `${reason.slice(0, maxReason)}…` : reason;
  return { key: 'not-yaml', values: { reason: shown } };
}

/** Characters of the parser's own words, which may quote the text. */
const maxReason = 200;

function createLineAt(text: string): (position: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (position) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
