import type { ApiObject } from '../generated-cluster/api-object.js';

/** An item of `kubectl get -o json --show-managed-fields`: indented, and with who wrote which field. */
export function asKubectlPrints(object: ApiObject): string {
  const managedFields = [
    writer('kube-controller-manager', undefined, { metadata: object.metadata, spec: object.spec }),
    writer('kubelet', 'status', { status: object.status }),
  ];
  const whole = { ...object, metadata: { ...object.metadata, resourceVersion: '104729', managedFields } };
  return JSON.stringify(whole, undefined, 4);
}

function writer(manager: string, subresource: string | undefined, fields: object): object {
  return {
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsOf(fields),
    manager,
    operation: 'Update',
    ...(subresource === undefined ? {} : { subresource }),
    time: '2026-11-20T09:05:00Z',
  };
}

/** `f:name` for fields and `k:{…}` for the items of lists, as the API server keeps them. */
function fieldsOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Array.isArray(value)
    ? value.map((item, position): [string, object] => [`k:{"position":${position}}`, fieldsOf(item)])
    : Object.entries(value).map(([name, field]): [string, object] => [`f:${name}`, fieldsOf(field)]);
  return Object.fromEntries(entries);
}
