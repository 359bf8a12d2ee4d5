import type { z } from 'zod';

/** One mismatch between a value and a shape, told as Slack tells it. */
export interface ShapeProblem {
  /** JSON pointer, starting with the given base. */
  readonly pointer: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** What is wrong with `value`, with JSON pointers below `base`. */
export function shapeProblems(shape: z.ZodType, value: unknown, base: string): readonly ShapeProblem[] {
  const parsed = shape.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => told(issue, value, base));
}

function told(issue: Issue, root: unknown, base: string): readonly ShapeProblem[] {
  const pointer = base + issue.path.map((step) => `/${escaped(String(step))}`).join('');
  const found = valueAt(root, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer, message: `invalid additional property: ${key}` }));
  }
  if (issue.code === 'invalid_union') return [union(issue, found, pointer, root, base)];
  if (found === undefined && issue.path.length > 0) {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    return [{ pointer: parent, message: `missing required field: ${String(issue.path.at(-1))}` }];
  }
  return [{ pointer, message: sentence(issue) }];
}

function union(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  found: unknown,
  pointer: string,
  root: unknown,
  base: string,
): ShapeProblem {
  if (pointer.endsWith('/type')) {
    if (found === undefined)
      return { pointer: pointer.slice(0, -5), message: 'missing required field: type' };
    return { pointer, message: `unsupported type: ${String(found)}` };
  }
  // Of several spellings the nearest one is the one with the fewest complaints.
  const [nearest] = issue.errors.toSorted((left, right) => left.length - right.length);
  const first = nearest?.[0];
  if (first === undefined) return { pointer, message: 'failed to match all allowed schemas' };
  const [problem] = told({ ...first, path: [...issue.path, ...first.path] }, root, base);
  return problem ?? { pointer, message: 'failed to match all allowed schemas' };
}

function sentence(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must provide ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'too_big':
      return `no more than ${issue.maximum} ${unit(issue.origin)} allowed`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must be more than ${Number(issue.minimum) - 1} characters`
        : `must provide at least ${issue.minimum} ${unit(issue.origin)}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a date as YYYY-MM-DD' : 'invalid format';
    default:
      return issue.message;
  }
}

function unit(origin: string): string {
  if (origin === 'string') return 'characters';
  return origin === 'array' ? 'items' : '';
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
