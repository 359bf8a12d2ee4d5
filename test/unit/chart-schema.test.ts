import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { variables } from '#src/config-variables.js';

/** Secrets, and variables that the chart sets itself. */
const notInConfig = new Set([
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'REDIS_URL',
  'APPROVAL_KEYS',
  'STATUS_PORT',
  'POLICY_FILE',
  'PORT',
  'ALERTS_FILE',
  'ALERTS_PORT',
  // The chart mounts no such file.
  'KUBECONFIG',
  'GIT_FILE',
  'WORKERS',
]);

function schemaOf(schema: z.ZodType): unknown {
  const read = (io: 'input' | 'output') => {
    const {
      $schema,
      '~standard': _standard,
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    return rest;
  };
  const input = read('input');
  return 'type' in input ? input : read('output');
}

const object = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const role = object({
  replicas: { type: 'integer', minimum: 1 },
  resources: { type: 'object' },
  terminationGracePeriodSeconds: { type: 'integer', minimum: 40 },
});

function valuesSchema(): unknown {
  const config = Object.values(variables)
    .filter(({ name }) => !notInConfig.has(name))
    .map(({ name, means, schema }) => [name, { ...Object(schemaOf(schema)), description: means }] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({
      global: { type: 'object' },
      image: object({
        repository: { type: 'string', minLength: 1 },
        tag: { type: 'string' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      existingSecret: { type: 'string', minLength: 1 },
      config: object(Object.fromEntries(config)),
      policy: { type: 'string' },
      alerts: { type: 'string' },
      alertSecrets: { type: 'array', items: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' } },
      rbac: object({ namespaces: { type: 'array', items: { type: 'string', minLength: 1 } } }),
      app: role,
      diagnosis: role,
      remediation: role,
    }),
  };
}

it('keeps the schema of the chart equal to the settings of the product', async () => {
  const file = fileURLToPath(new URL('../../deploy/chart/values.schema.json', import.meta.url));
  await expect(`${JSON.stringify(valuesSchema(), null, 2)}\n`).toMatchFileSnapshot(file);
});
