import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { AccessRule } from '../../../demo/cluster/api/access.js';

const file = join(import.meta.dirname, '../../../deploy/rbac/cluster-wide/reader.yaml');

/** The cluster-wide rules of the account that diagnoses, from deploy/rbac. */
export function shippedReaderRules(): readonly AccessRule[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap(
    (document) => (document.toJS() as { readonly rules?: readonly AccessRule[] }).rules ?? [],
  );
}
