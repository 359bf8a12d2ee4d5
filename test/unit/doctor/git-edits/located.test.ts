import { describe, expect, it } from 'vitest';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { declaredObjectOf } from '#src/doctor/git-edits/edit-manifest.js';
import { declaresTemplate, restoresTemplate } from '#src/doctor/git-edits/edits-of-plan.js';
import { type Files, locateInTree } from '../../../support/edit-in-tree.js';

const manifest = (name = 'api', more = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}${more}}\nspec: {replicas: 1, template: {spec: {}}}\n`;
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: api}\n';

/** File and line of the declaration; reason, file, line and detail of a refusal. */
function located(files: Files, path = 'prod', readsOutside = false): string {
  const result = locateInTree(files, path, undefined, readsOutside);
  const of = result.type === 'refusal' ? result : { reason: 'at', file: result.file.path, line: result.line };
  const { reason, file, line, detail } = of as {
    reason: string;
    file?: string;
    line?: number;
    detail?: string;
  };
  return [reason, file, line, detail].filter((each) => each !== undefined).join(' ');
}
const list = (...resources: readonly string[]): string => `resources: [${resources.join(', ')}]\n`;

describe('the declaration of a workload', () => {
  it.each<[string, Files, string]>([
    ['in a manifest', { 'prod/api.yaml': manifest() }, 'at prod/api.yaml 1'],
    ['in the second document', { 'prod/api.yaml': `${service}---\n${manifest()}` }, 'at prod/api.yaml 5'],
    [
      'in JSON',
      {
        'prod/api.json': JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'api' },
        }),
      },
      'at prod/api.json 1',
    ],
    ['of its namespace', { 'prod/api.yaml': manifest('api', ', namespace: shop') }, 'at prod/api.yaml 1'],
    ['below other folders', { 'prod/a/b/api.yml': manifest() }, 'at prod/a/b/api.yml 1'],
    [
      'in a build',
      { 'prod/kustomization.yaml': list('api.yaml'), 'prod/api.yaml': manifest() },
      'at prod/api.yaml 1',
    ],
    [
      'in a build that another folder lists',
      {
        'all/kustomization.yaml': list('../prod'),
        'prod/kustomization.yml': list('api.yaml'),
        'prod/api.yaml': manifest(),
      },
      'at prod/api.yaml 1',
    ],
    [
      'beside a build',
      {
        'prod/a/kustomization.yaml': list('web.yaml'),
        'prod/a/web.yaml': service,
        'prod/b/api.yaml': manifest(),
      },
      'at prod/b/api.yaml 1',
    ],
  ])('is found %s', (_, files, expected) => {
    expect(located(files)).toBe(expected);
  });

  it.each<[string, Files, string]>([
    ['of another namespace', { 'prod/api.yaml': manifest('api', ', namespace: eu') }, 'not-declared'],
    ['of another name', { 'prod/api.yaml': manifest('api-v2') }, 'not-declared'],
    ['of another kind', { 'prod/api.yaml': `${service}# Deployment\n` }, 'not-declared'],
    ['of another group', { 'prod/api.yaml': manifest().replace('apps/v1', 'extensions/v1') }, 'not-declared'],
    ['of another folder', { 'production/api.yaml': manifest() }, 'not-declared'],
    [
      'twice',
      { 'prod/a.yaml': manifest(), 'prod/b.yaml': `${service}---\n${manifest()}` },
      'declared-twice prod/b.yaml 5',
    ],
    [
      'in a build and beside it',
      {
        'prod/a/kustomization.yaml': list('api.yaml'),
        'prod/a/api.yaml': manifest(),
        'prod/b/api.yaml': manifest(),
      },
      'declared-twice prod/a/api.yaml 1',
    ],
    [
      'in two files of builds',
      {
        'prod/a/kustomization.yaml': list('api.yaml'),
        'prod/a/api.yaml': manifest(),
        'prod/b/kustomization.yaml': list('api.yaml'),
        'prod/b/api.yaml': manifest(),
      },
      'declared-twice prod/b/api.yaml 1',
    ],
    [
      'in one file of two builds',
      {
        'base/kustomization.yaml': list('api.yaml'),
        'base/api.yaml': manifest(),
        'prod/a/kustomization.yaml': list('../../base'),
        'prod/b/kustomization.yaml': list('../../base'),
      },
      'shared-base prod/b/kustomization.yaml prod/b/kustomization.yaml',
    ],
    [
      'in a template',
      { 'prod/api.yaml': manifest().replace('replicas: 1', 'replicas: {{ .x }}') },
      'template prod/api.yaml 4',
    ],
    ['in a generated file', { 'prod/api.yaml': `# DO NOT EDIT\n${manifest()}` }, 'generated prod/api.yaml 1'],
    ['in an encrypted file', { 'prod/api.yaml': `${manifest()}sops: {}\n` }, 'encrypted prod/api.yaml 5'],
    ['in broken YAML', { 'prod/api.yaml': `${manifest()}a: [\n` }, 'not-yaml prod/api.yaml 6'],
    [
      'in a template of a build',
      {
        'prod/kustomization.yaml': list('api.yaml'),
        'prod/api.yaml': `# {{ x }}\n${manifest()}`,
      },
      'template prod/api.yaml 1',
    ],
    [
      'in broken YAML of a build',
      { 'prod/kustomization.yaml': list('api.yaml'), 'prod/api.yaml': `${manifest()}a: [\n` },
      'not-yaml prod/api.yaml 6',
    ],
    [
      'in a chart',
      { 'prod/Chart.yaml': 'name: x\n', 'prod/templates/api.yaml': manifest() },
      'template prod/Chart.yaml',
    ],
    ['in a link', { 'prod/api.yaml': '-> ../api.yaml' }, 'symlink prod/api.yaml'],
    [
      'in a file outside, which Argo CD does not read',
      { 'prod/kustomization.yaml': list('../api.yaml'), 'api.yaml': manifest() },
      'not-built prod/kustomization.yaml ../api.yaml',
    ],
    [
      'in a build with a file that is missing',
      { 'prod/kustomization.yaml': list('api.yaml', 'gone.yaml'), 'prod/api.yaml': manifest() },
      'not-built prod/kustomization.yaml gone.yaml',
    ],
  ])('is not edited %s', (_, files, expected) => {
    expect(located(files)).toBe(expected);
  });

  it('may be outside the folder for Flux', () => {
    const files = { 'prod/kustomization.yaml': list('../api.yaml'), 'api.yaml': manifest() };
    expect(located(files, 'prod', true)).toBe('at api.yaml 1');
  });

  it('is the same as long as its sources are', () => {
    const print = (files: Files, path = 'prod') => {
      const result = locateInTree(files, path);
      return result.type === 'refusal' ? result.reason : result.fingerprint;
    };
    const plain = { 'prod/api.yaml': manifest() };
    const built = { ...plain, 'prod/kustomization.yaml': list('api.yaml') };
    expect(print({ ...plain, 'prod/web.yaml': service })).toBe(print(plain));
    expect(print(built)).not.toBe(print(plain));
    expect(print({ ...built, 'prod/kustomization.yaml': `${list('api.yaml')}labels: []\n` })).toBe(
      print(built),
    );
    expect(
      print({ ...built, 'prod/kustomization.yaml': `${list('api.yaml')}commonLabels: {a: b}\n` }),
    ).not.toBe(print(built));
  });

  it('names the files that it is made of', () => {
    const files = {
      'base/kustomization.yaml': list('api.yaml'),
      'base/api.yaml': manifest(),
      'prod/kustomization.yaml': `${list('../base')}patches: [{path: p.yaml, target: {kind: Deployment}}, {target: {kind: Deployment}, patch: "[]"}]\n`,
      'prod/p.yaml': '- {op: add, path: /spec/paused, value: true}\n',
    };
    const result = locateInTree(files, 'prod');
    expect(result).toMatchObject({
      type: 'located',
      values: { spec: { replicas: 1, paused: true } },
      sources: ['base/api.yaml', 'base/kustomization.yaml', 'prod/p.yaml', 'prod/kustomization.yaml'],
    });
  });
});

describe('the pod template that a manifest declares', () => {
  const template = {
    metadata: { labels: { app: 'api' } },
    spec: { containers: [{ name: 'app', image: 'api:1' }] },
  };
  const declared = (own: unknown) => declaresTemplate({ spec: { template: own } } as never, template);

  it('is the one of the cluster, where absent is the default of the API server', () => {
    expect(declared(template)).toBe(true);
    expect(declared({ ...template, spec: { ...template.spec, restartPolicy: 'Always' } })).toBe(true);
    expect(declared({ ...template, spec: { containers: [{ name: 'app', image: 'api:2' }] } })).toBe(false);
    expect(declared({ ...template, metadata: {} })).toBe(false);
  });

  it('has no time of a restart', () => {
    const restart = { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T09:30:00Z' };
    const annotated = (annotations: object) => ({
      ...template,
      metadata: { ...template.metadata, annotations },
    });
    expect(declared(annotated(restart))).toBe(true);
    expect(declared(annotated({ ...restart, team: 'shop' }))).toBe(false);
    const both = declaresTemplate(
      { spec: { template: annotated({ team: 'shop' }) } } as never,
      annotated({ ...restart, team: 'shop' }) as never,
    );
    expect(both).toBe(true);
  });

  it('is none without a spec or a template', () => {
    expect(declared(undefined)).toBe(false);
    expect(declared('x')).toBe(false);
    expect(declaresTemplate({} as never, template)).toBe(false);
  });

  it('is brought back by a plan in one step, of a built-in kind', () => {
    const plan = (fields: object): Plan =>
      ({
        request: { verb: 'restore-template' },
        target: { apiVersion: 'apps/v1' },
        ...fields,
      }) as unknown as Plan;
    expect(
      [
        plan({}),
        plan({ request: { verb: 'restart' } }),
        plan({ target: { apiVersion: 'argoproj.io/v1alpha1' } }),
        plan({ afterwards: { verb: 'delete-pods', pods: [] } }),
      ].map(restoresTemplate),
    ).toEqual([true, false, false, false]);
  });
});

describe('the object in whose manifest a change is made', () => {
  const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'chat-predictor' } as const;

  it('is the workload, or the object above it that the plan changes', () => {
    const own = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'ml',
      name: 'chat-predictor',
      uid: 'u',
    };
    expect(declaredObjectOf({ target: own }, workload)).toBe(workload);
    const above = {
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      namespace: 'ml',
      name: 'chat',
      uid: 'v',
      generation: 1,
    };
    expect(declaredObjectOf({ target: above }, workload)).toEqual({
      apiGroup: 'serving.kserve.io',
      kind: 'InferenceService',
      namespace: 'ml',
      name: 'chat',
    });
  });
});
