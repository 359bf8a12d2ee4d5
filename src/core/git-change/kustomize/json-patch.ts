import { isObject } from './merge-patch.js';

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

interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  readonly value: unknown;
}

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
