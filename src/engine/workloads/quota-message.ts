import { compareText } from '../collections/collections.js';
import { textAfter, textBetween } from '../language/text-scanning.js';

/** One resource that a quota has too little of; quantities as text. */
export interface ExceededResource {
  readonly resource: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
}

/** Why quota admission refused an object. */
export type QuotaRefusal =
  | { readonly kind: 'exceeded'; readonly quota: string; readonly resources: readonly ExceededResource[] }
  /** The quota counts something that these containers do not specify. */
  | {
      readonly kind: 'must-specify';
      readonly quota: string;
      readonly missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
    };

/**
 * In the API server's words, without the part that names the object
 * (`resourcequota/controller.go: CheckRequest`).
 */
export function quotaMessage(refusal: QuotaRefusal): string {
  if (refusal.kind === 'must-specify') {
    const missing = refusal.missing.map(
      ({ resource, containers }) => `${resource} for: ${containers.join(',')}`,
    );
    return `failed quota: ${refusal.quota}: must specify ${missing.join('; ')}`;
  }
  const resources = [...refusal.resources].sort((a, b) => compareText(a.resource, b.resource));
  const list = (field: 'requested' | 'used' | 'limited') =>
    resources.map((one) => `${one.resource}=${one[field]}`).join(',');
  const amounts = `requested: ${list('requested')}, used: ${list('used')}, limited: ${list('limited')}`;
  return `exceeded quota: ${refusal.quota}, ${amounts}`;
}

/**
 * Reads such a message out of an event or a condition, whatever stands before it. `undefined` for any other
 * text. Takes time in proportion to the text's length.
 */
export function parseQuotaMessage(text: string): QuotaRefusal | undefined {
  return parseExceeded(text) ?? parseMustSpecify(text);
}

function parseExceeded(text: string): QuotaRefusal | undefined {
  const quota = textBetween(text, 'exceeded quota: ', ', requested: ');
  const requested = textBetween(text, ', requested: ', ', used: ');
  const used = textBetween(text, ', used: ', ', limited: ');
  const limited = textAfter(text, ', limited: ');
  if (quota === undefined || requested === undefined || used === undefined || limited === undefined) {
    return undefined;
  }
  const usedBy = amounts(used);
  const limits = amounts(limited);
  const resources = [...amounts(requested)].map(([resource, amount]) => ({
    resource,
    requested: amount,
    used: usedBy.get(resource) ?? '',
    limited: limits.get(resource) ?? '',
  }));
  return { kind: 'exceeded', quota, resources };
}

function parseMustSpecify(text: string): QuotaRefusal | undefined {
  const quota = textBetween(text, 'failed quota: ', ': must specify ');
  const list = textAfter(text, ': must specify ');
  if (quota === undefined || list === undefined) return undefined;
  const missing = list.split('; ').flatMap((part) => {
    const [resource, containers] = part.split(' for: ');
    if (resource === undefined || containers === undefined) return [];
    return [{ resource: resource.trim(), containers: containers.trim().split(',') }];
  });
  return { kind: 'must-specify', quota, missing };
}

/** `name=amount` pairs; the last one ends where the text goes on with something else. */
function amounts(list: string): ReadonlyMap<string, string> {
  const pairs = list.split(',').flatMap((part) => {
    const [name, amount] = part.trim().split('=');
    const quantity = amount?.split(/\s/)[0];
    return name === undefined || quantity === undefined ? [] : [[name, quantity] as const];
  });
  return new Map(pairs);
}
