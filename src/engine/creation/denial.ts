import { hasInOrder, textAfter, textBetween } from '../language/text-scanning.js';
import { parseQuotaMessage, type QuotaRefusal } from '../workloads/quota-admission.js';

/** Why the API server refused to create an object, read out of its words. */
export type Denial =
  | { readonly kind: 'quota'; readonly refusal: QuotaRefusal }
  /** A quota that the cluster demands for such pods, and the namespace has none. */
  | { readonly kind: 'quota-scope'; readonly scopes: string }
  | { readonly kind: 'pod-security'; readonly level: string; readonly violations: readonly string[] }
  /** OpenShift's constraints, or PodSecurityPolicy before 1.25. */
  | { readonly kind: 'security-policy'; readonly policy: string }
  | { readonly kind: 'webhook-denied'; readonly webhook: string; readonly said: string }
  | { readonly kind: 'webhook-unreachable'; readonly webhook: string; readonly said: string }
  | {
      readonly kind: 'admission-policy';
      readonly policy: string;
      readonly binding: string;
      readonly said: string;
    }
  | { readonly kind: 'limit-range'; readonly violations: readonly string[] }
  | { readonly kind: 'service-account'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'priority-class'; readonly name: string }
  | { readonly kind: 'runtime-class'; readonly name: string }
  | { readonly kind: 'namespace-terminating'; readonly namespace: string }
  | { readonly kind: 'invalid'; readonly fields: readonly string[] }
  /** Refused for a reason that none of the above is. */
  | { readonly kind: 'forbidden'; readonly said: string }
  /** No refusal at all, as far as the words tell: a timeout, a conflict, an error of the server. */
  | { readonly kind: 'failed'; readonly said: string };

/**
 * Reads a controller's message about a pod (or claim, or ReplicaSet) it could not create. Takes time in
 * proportion to the text's length, whatever it holds. Sources of the words: kubernetes
 * `resourcequota/controller.go`, `pod-security-admission/admission`, `limitranger/admission.go`,
 * `serviceaccount/admission.go`, `priority/admission.go`, `runtimeclass/admission.go`,
 * `lifecycle/admission.go`, `admission/plugin/webhook/errors`, `plugin/policy/validating`.
 */
export function denialOf(text: string): Denial {
  const message = text.slice(0, longest);
  for (const read of readers) {
    const denial = read(message);
    if (denial !== undefined) return denial;
  }
  const said = textAfter(message, ' is forbidden: ');
  if (said !== undefined) return { kind: 'forbidden', said };
  return { kind: 'failed', said: message };
}

/** Events are cut at 1024 bytes; a condition is as long as the API server's answer. */
const longest = 8_192;

const readers: readonly ((text: string) => Denial | undefined)[] = [
  quota,
  quotaScope,
  podSecurity,
  securityPolicy,
  webhook,
  admissionPolicy,
  limitRange,
  serviceAccount,
  named('priority-class', 'no PriorityClass with name ', ' was found'),
  named('runtime-class', 'RuntimeClass "', '" not found'),
  namespaceTerminating,
  invalid,
];

function quota(text: string): Denial | undefined {
  const refusal = parseQuotaMessage(text);
  return refusal && { kind: 'quota', refusal };
}

function quotaScope(text: string): Denial | undefined {
  const scopes = textAfter(text, 'insufficient quota to match these scopes: ');
  return scopes === undefined ? undefined : { kind: 'quota-scope', scopes };
}

function podSecurity(text: string): Denial | undefined {
  const level = textBetween(text, 'violates PodSecurity "', '"');
  if (level === undefined) return undefined;
  return {
    kind: 'pod-security',
    level,
    violations: partsOf(textAfter(text, `violates PodSecurity "${level}": `) ?? ''),
  };
}

function securityPolicy(text: string): Denial | undefined {
  const policy = textBetween(text, 'unable to validate against any ', ': ');
  return policy === undefined ? undefined : { kind: 'security-policy', policy };
}

function webhook(text: string): Denial | undefined {
  const unreachable = textBetween(text, 'failed calling webhook "', '"');
  if (unreachable !== undefined) {
    const said = textAfter(text, `failed calling webhook "${unreachable}": `) ?? '';
    return { kind: 'webhook-unreachable', webhook: unreachable, said };
  }
  const name = textBetween(text, 'admission webhook "', '"');
  if (name === undefined) return undefined;
  const said = textAfter(text, ' denied the request: ') ?? textAfter(text, ' denied the request') ?? '';
  return { kind: 'webhook-denied', webhook: name, said };
}

/**
 * The Service that the API server calls for a webhook, where its answer quotes the address
 * (`apiserver/pkg/util/webhook: client.go`). An address outside the cluster is none.
 */
export function calledService(said: string): ServiceName | undefined {
  const host = textBetween(said, '"https://', '"')?.split(/[:/]/, 1)[0] ?? '';
  const [name, namespace, zone, ...others] = host.split('.');
  const isService = zone === 'svc' && others.length === 0 && namespace !== undefined && name !== undefined;
  return isService ? { namespace, name } : undefined;
}

type ServiceName = { readonly namespace: string; readonly name: string };

function admissionPolicy(text: string): Denial | undefined {
  const policy = textBetween(text, "ValidatingAdmissionPolicy '", "'");
  if (policy === undefined) return undefined;
  const binding = textBetween(text, "with binding '", "'") ?? '';
  return { kind: 'admission-policy', policy, binding, said: textAfter(text, ' denied request: ') ?? '' };
}

function limitRange(text: string): Denial | undefined {
  const said = textAfter(text, ' is forbidden: ');
  if (said === undefined || !isOfLimitRange(said)) return undefined;
  return { kind: 'limit-range', violations: limitRangeParts(said) };
}

function isOfLimitRange(said: string): boolean {
  return (
    hasInOrder(said, 'minimum ', ' usage per ') ||
    hasInOrder(said, 'maximum ', ' usage per ') ||
    said.includes('max limit to request ratio per ')
  );
}

/** Several violations stand in brackets; each but the first begins after a comma with its own first words. */
function limitRangeParts(said: string): readonly string[] {
  const list = said.startsWith('[') && said.endsWith(']') ? said.slice(1, -1) : said;
  return list.split(/, (?=minimum |maximum |\S+ max limit )/).map((part) => part.trim());
}

function serviceAccount(text: string): Denial | undefined {
  const account = textBetween(text, 'error looking up service account ', ': ');
  const [namespace, name] = account?.split('/') ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  return text.includes('not found') ? { kind: 'service-account', namespace, name } : undefined;
}

function named(kind: 'priority-class' | 'runtime-class', opening: string, closing: string) {
  return (text: string): Denial | undefined => {
    const name = textBetween(text, opening, closing);
    return name === undefined ? undefined : { kind, name };
  };
}

function namespaceTerminating(text: string): Denial | undefined {
  const namespace = textBetween(text, 'unable to create new content in namespace ', ' because it is being');
  return namespace === undefined ? undefined : { kind: 'namespace-terminating', namespace };
}

function invalid(text: string): Denial | undefined {
  const said = textAfter(text, '" is invalid: ');
  if (said === undefined) return undefined;
  const list = said.startsWith('[') && said.endsWith(']') ? said.slice(1, -1) : said;
  return { kind: 'invalid', fields: list.split(/, (?=[a-z][A-Za-z]*(?:\.|\[))/) };
}

/** Parts of a list whose parts hold commas of their own between parentheses. */
function partsOf(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let position = 0; position < list.length; position += 1) {
    const sign = list[position];
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === ',' && depth === 0) {
      parts.push(list.slice(start, position).trim());
      start = position + 1;
    }
  }
  return [...parts, list.slice(start).trim()].filter((part) => part !== '');
}
