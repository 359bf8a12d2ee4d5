import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { AccessRule } from '../../../demo/cluster/api/access.js';

const file = join(import.meta.dirname, '../../../deploy/rbac/cluster-wide/reader.yaml');

/** What the account that diagnoses may do in a whole cluster, as deploy/rbac grants it. */
export function shippedReaderRules(): readonly AccessRule[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap(
    (document) => (document.toJS() as { readonly rules?: readonly AccessRule[] }).rules ?? [],
  );
}
