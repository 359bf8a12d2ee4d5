import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FieldChange, Plan } from '#src/doctor/fixes/plan.js';
import { snippetOf } from '#src/doctor/git-edits/edits-of-plan.js';

const planOf = (changes: readonly FieldChange[]): Plan => ({
  type: 'plan',
  remediationId: 'undo-rollout-api-1',
  target: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'api', uid: 'u' },
  request: { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'api-1', uid: 'r' } },
  changes,
});
const containers = 'spec.template.spec.containers';

describe('the fields of a roll back, to be placed by hand', () => {
  it('are a patch that names the items of lists', () => {
    const snippet = snippetOf(
      planOf([
        { path: `${containers}[app].image`, before: 'api:2', after: 'api:1' },
        { path: `${containers}[app].env[LEVEL].value`, before: 'debug', after: 'info' },
        { path: `${containers}[app].env[NEW]`, before: { name: 'NEW', value: 'x' } },
        { path: 'spec.template.metadata.annotations[example.com/a]', before: 'b' },
      ]),
    );
    expect(parse(snippet ?? '')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'shop' },
      spec: {
        template: {
          metadata: { annotations: { 'example.com/a': null } },
          spec: {
            containers: [
              {
                name: 'app',
                image: 'api:1',
                env: [
                  { name: 'LEVEL', value: 'info' },
                  { name: 'NEW', $patch: 'delete' },
                ],
              },
            ],
          },
        },
      },
    });
  });

  it('are absent where the roll back also deletes pods', () => {
    const plan = { ...planOf([]), afterwards: { verb: 'delete-pods', pods: [] } } as const;
    expect(snippetOf(plan)).toBeUndefined();
  });
});
