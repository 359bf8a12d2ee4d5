import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const Line = z.object({
  verb: z.string(),
  user: z.object({ username: z.string() }),
  objectRef: z
    .object({
      apiGroup: z.string().default(''),
      resource: z.string().default(''),
      subresource: z.string().default(''),
      namespace: z.string().default(''),
    })
    .optional(),
  annotations: z.record(z.string(), z.string()).default({}),
});

/** One request, as the API server's audit log has it. */
export interface AuditEntry {
  readonly user: string;
  readonly verb: string;
  /** `''` for the core group. */
  readonly apiGroup: string;
  /** As a rule of a Role spells it: `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly allowed: boolean;
}

/** Requests for resources; requests of other paths (`/version`) are left out. */
export function readAudit(file: string): readonly AuditEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const { verb, user, objectRef, annotations } = Line.parse(JSON.parse(line));
    if (objectRef === undefined || objectRef.resource === '') return [];
    const { apiGroup, resource, subresource, namespace } = objectRef;
    return {
      user: user.username,
      verb,
      apiGroup,
      resource: subresource === '' ? resource : `${resource}/${subresource}`,
      namespace,
      allowed: annotations['authorization.k8s.io/decision'] === 'allow',
    };
  });
}
