import type { ResourceType, Subresource } from '../resources/resource-type.js';
import { resourceTypeAt } from '../resources/resource-types.js';

/** What a path addresses (apiserver `request.RequestInfo`). */
export interface ResourceRequest {
  readonly type: ResourceType;
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  readonly subresource: Subresource | '';
}

/** `undefined`: no path of a resource. `unknown`: the path of a resource that is not served. */
export function parseResourcePath(pathname: string): ResourceRequest | 'unknown' | undefined {
  const parts = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  const [root, ...rest] = parts;
  const [group, version, ...path] = root === 'api' ? ['', ...rest] : root === 'apis' ? rest : [];
  if (group === undefined || version === undefined || path.length === 0) return undefined;
  const scoped = path[0] === 'namespaces' && path.length > 2 && !isNamespaceSubresource(group, path);
  const [plural = '', name = '', subresource = '', ...more] = scoped ? path.slice(2) : path;
  const type = resourceTypeAt(group, version, plural);
  if (type === undefined || more.length > 0) return 'unknown';
  if (scoped && !type.namespaced) return 'unknown';
  if (!scoped && type.namespaced && name !== '') return 'unknown';
  if (!isServed(type, subresource)) return 'unknown';
  return { type, namespace: scoped ? (path[1] ?? '') : '', name, subresource };
}

/** `/api/v1/namespaces/shop/status` is about the namespace itself. */
function isNamespaceSubresource(group: string, path: readonly string[]): boolean {
  return group === '' && path.length === 3 && (path[2] === 'status' || path[2] === 'finalize');
}

function isServed(type: ResourceType, subresource: string): subresource is Subresource | '' {
  return subresource === '' || (type.subresources as readonly string[]).includes(subresource);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
