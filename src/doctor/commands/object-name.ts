/** RFC 1123 label: names of namespaces. */
export function isNamespaceName(name: string): boolean {
  return name.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(name);
}

/** RFC 1123 subdomain: names of workloads. */
export function isWorkloadName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => isLabelOfAnyLength(label));
}

/** A cluster is named by its kubeconfig context, which may be almost anything. */
export function isClusterName(name: string): boolean {
  return name.length > 0 && name.length <= 253 && !/[\s<>"'`]/u.test(name);
}

function isLabelOfAnyLength(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(label);
}
