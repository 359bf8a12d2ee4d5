/** What a rule allows; `*` stands for everything. Resources may name a subresource: `pods/log`. */
export interface AccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: every namespace and the cluster scope. */
  readonly namespaces?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface ClusterUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
  readonly rules: readonly AccessRule[];
}

export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export const everything: AccessRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

/** Reads everything that is no secret. */
export const readEverything: AccessRule = {
  verbs: ['get', 'list', 'watch'],
  apiGroups: ['*'],
  resources: ['*'],
};

export const admin: ClusterUser = {
  name: 'admin',
  groups: ['system:masters', 'system:authenticated'],
  token: 'admin',
  rules: [everything],
};

/** As RBAC decides it: allowed when one rule covers the request whole. */
export function isAllowed(rules: readonly AccessRule[], request: AccessRequest): boolean {
  const { verb, group, resource, subresource, namespace, name } = request;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return rules.some(
    (rule) =>
      covers(rule.verbs, verb) &&
      covers(rule.apiGroups, group) &&
      (covers(rule.resources, full) || (subresource !== '' && rule.resources.includes(`*/${subresource}`))) &&
      (rule.namespaces === undefined || rule.namespaces.includes(namespace)) &&
      (rule.resourceNames === undefined || rule.resourceNames.includes(name)),
  );
}

/** Why it is refused, in the words of the RBAC authorizer. */
export function refusalText(
  user: string,
  { verb, group, resource, subresource, namespace }: AccessRequest,
): string {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user}" cannot ${verb} resource "${full}" in API group "${group}" ${where}`;
}

function covers(allowed: readonly string[], wanted: string): boolean {
  return allowed.includes('*') || allowed.includes(wanted);
}
