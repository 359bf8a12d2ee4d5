import { boundText } from '../../../engine/language/text-scanning.js';
import type { Container } from '../../../engine/objects/pod-spec.js';
import { parseQuantity, value } from '../../../engine/scheduler/quantity.js';

/** The heap settings of a Java program. */
export interface JvmHeap {
  /** The flag as written, e.g. `-XX:MaxRAMPercentage=90`. */
  readonly flag: string;
  /** The place of the flag: a variable's name, or `args`. */
  readonly from: string;
  /** The heap it allows under this memory limit, in bytes. */
  readonly bytes: bigint;
}

/** Variables a JVM reads its flags from, strongest last (OpenJDK `launcher`, `arguments.cpp`). */
const variables = ['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', 'JAVA_OPTS', '_JAVA_OPTIONS'];

const units: Readonly<Record<string, bigint>> = {
  '': 1n,
  k: 1_024n,
  m: 1_048_576n,
  g: 1_073_741_824n,
  t: 1_099_511_627_776n,
};

/**
 * The heap that the visible flags allow. As in the JVM, a fixed size takes precedence over a percentage.
 * Flags inside the image are not visible, so `undefined` does not mean that the program has no such flags.
 *
 * @param limit the container's memory limit as a quantity
 */
export function jvmHeapOf(container: Container, limit: string): JvmHeap | undefined {
  const parsed = parseQuantity(limit);
  if (parsed === undefined) return undefined;
  const sources = [
    { from: 'args', text: boundText([...container.command, ...container.args].join(' '), maxFlags) },
    ...variables.flatMap((name) => {
      const text = container.env.find((variable) => variable.name === name)?.value;
      return text === undefined ? [] : [{ from: name, text: boundText(text, maxFlags) }];
    }),
  ];
  return (
    sources.map((source) => fixed(source)).findLast(isHeap) ??
    sources.map((source) => share(source, value(parsed))).findLast(isHeap)
  );
}

/** The number of characters of a command line or variable that are searched for flags. */
const maxFlags = 16_384;

type Source = { readonly from: string; readonly text: string };

function fixed({ from, text }: Source): JvmHeap | undefined {
  const [flag, digits = '', unit = ''] =
    text.match(/(?<!\S)(?:-Xmx|-XX:MaxHeapSize=)(\d{1,18})([kKmMgGtT]?)(?!\S)/) ?? [];
  const factor = units[unit.toLowerCase()];
  return flag === undefined || factor === undefined
    ? undefined
    : { flag, from, bytes: BigInt(digits) * factor };
}

function share({ from, text }: Source, limit: bigint): JvmHeap | undefined {
  const [flag, percent = ''] = text.match(/(?<!\S)-XX:MaxRAMPercentage=(\d{1,3}(?:\.\d{1,6})?)(?!\S)/) ?? [];
  if (flag === undefined) return undefined;
  return { flag, from, bytes: (limit * BigInt(Math.round(Number(percent) * 1000))) / 100_000n };
}

function isHeap(heap: JvmHeap | undefined): heap is JvmHeap {
  return heap !== undefined;
}
