/**
 * A Git repository by its host, in lower case, and its path without `.git`. Credentials of its URL are not
 * kept.
 */
export interface RepositoryAddress {
  readonly host: string;
  readonly path: string;
}

const withScheme = /^(?:https?|ssh|git):\/\/(?:[^/\s]*@)?([^/:@\s]+)(?::\d{1,5})?\/+([^?#\s]+)/iu;
/** `git@host:org/name`, as scp and Git read it. */
const likeScp = /^(?:[^/@\s]+@)?([^/:@\s]+):(?!\/\/)\/?([^?#\s]+)$/u;
/** GitHub serves SSH on port 443 of another name. */
const otherNames: Readonly<Record<string, string>> = { 'ssh.github.com': 'github.com' };
const maxLength = 2_000;

/** `undefined` for whatever names no repository of a host, such as a path or an OCI artifact. */
export function parseRepositoryUrl(url: string): RepositoryAddress | undefined {
  const text = url.trim();
  const [, name = '', rest = ''] =
    text.length > maxLength ? [] : (withScheme.exec(text) ?? likeScp.exec(text) ?? []);
  const parts = rest.split('/').filter((part) => part !== '');
  const path = parts.join('/').replace(/\.git$/u, '');
  if (name === '' || path === '' || parts.includes('..')) return undefined;
  const host = name.toLowerCase();
  return { host: otherNames[host] ?? host, path };
}
