export type Labels = Readonly<Record<string, string>>;

export type LabelRequirement =
  | { readonly operator: 'In' | 'NotIn'; readonly key: string; readonly values: readonly string[] }
  | { readonly operator: 'Exists' | 'DoesNotExist'; readonly key: string }
  | { readonly operator: 'Gt' | 'Lt'; readonly key: string; readonly bound: bigint };

/** Why a selector cannot be read; the API server's words. */
export interface SelectorProblem {
  readonly problem: string;
}

const token = /\s*(?:(==|!=|[(),!=<>])|([A-Za-z0-9._/-]+))/y;
const keyPattern =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

/**
 * Reads the text of a `labelSelector` parameter: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`,
 * `!a`, `a>1`, `a<1`, joined by commas (apimachinery `labels.Parse`). An empty text selects everything.
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] | SelectorProblem {
  const tokens = tokensOf(text);
  if ('problem' in tokens) return tokens;
  const requirements: LabelRequirement[] = [];
  let index = 0;
  while (index < tokens.length) {
    if (index > 0) {
      if (tokens[index] !== ',')
        return { problem: `found '${tokens[index]}', expected: ',' or 'end of string'` };
      index += 1;
    }
    const read = requirementAt(tokens, index);
    if ('problem' in read) return read;
    requirements.push(read.requirement);
    index = read.next;
  }
  return requirements;
}

export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => matches(requirement, labels[requirement.key]));
}

function tokensOf(text: string): readonly string[] | SelectorProblem {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) return { problem: `found '${text.slice(at).trim()}', expected: identifier` };
    tokens.push(match[1] ?? match[2] ?? '');
  }
  return tokens;
}

function requirementAt(
  tokens: readonly string[],
  start: number,
): { readonly requirement: LabelRequirement; readonly next: number } | SelectorProblem {
  const negated = tokens[start] === '!';
  const index = negated ? start + 1 : start;
  const key = tokens[index];
  if (key === undefined || !keyPattern.test(key)) {
    return { problem: `found '${key ?? ''}', expected: !, identifier, or 'end of string'` };
  }
  const operator = tokens[index + 1];
  if (negated || operator === undefined || operator === ',') {
    return { requirement: { operator: negated ? 'DoesNotExist' : 'Exists', key }, next: index + 1 };
  }
  if (operator === 'in' || operator === 'notin') return setAt(tokens, index + 2, key, operator);
  const given = tokens[index + 2];
  const isValue = given !== undefined && given !== ',';
  const value = isValue ? given : '';
  const next = index + (isValue ? 3 : 2);
  if (!valuePattern.test(value)) return { problem: `values[0][${key}]: Invalid value: "${value}"` };
  switch (operator) {
    case '=':
    case '==':
      return { requirement: { operator: 'In', key, values: [value] }, next };
    case '!=':
      return { requirement: { operator: 'NotIn', key, values: [value] }, next };
    case '>':
    case '<':
      if (!/^-?\d+$/.test(value)) {
        return {
          problem: `values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
        };
      }
      return { requirement: { operator: operator === '>' ? 'Gt' : 'Lt', key, bound: BigInt(value) }, next };
    default:
      return { problem: `found '${operator}', expected: in, notin, =, ==, !=, gt, lt` };
  }
}

function setAt(tokens: readonly string[], start: number, key: string, operator: 'in' | 'notin') {
  if (tokens[start] !== '(') return { problem: `found '${tokens[start] ?? ''}' expected: '('` };
  const end = tokens.indexOf(')', start);
  if (end === -1) return { problem: `found '${tokens.at(-1) ?? ''}', expected: ',' or ')'` };
  const inside = tokens.slice(start + 1, end);
  const values: string[] = [];
  let expectsValue = true;
  for (const each of inside) {
    if (each === ',') {
      if (expectsValue) values.push('');
      expectsValue = true;
    } else {
      values.push(each);
      expectsValue = false;
    }
  }
  if (expectsValue) values.push('');
  const wrong = values.find((value) => !valuePattern.test(value));
  if (wrong !== undefined) return { problem: `values: Invalid value: "${wrong}"` };
  const requirement: LabelRequirement = { operator: operator === 'in' ? 'In' : 'NotIn', key, values };
  return { requirement, next: end + 1 };
}

function matches(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.includes(value);
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default: {
      if (value === undefined || !/^-?\d+$/.test(value)) return false;
      const number = BigInt(value);
      return requirement.operator === 'Gt' ? number > requirement.bound : number < requirement.bound;
    }
  }
}
