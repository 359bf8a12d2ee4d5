import { describe, expect, it } from 'vitest';
import type { LocalGitHost } from '../../../demo/git-host/local-git-host.js';
import {
  applied,
  merged,
  opened,
  pullRequestOf,
  refusalOf,
  repository,
  review,
  type Stage,
  startStage,
  withStages,
} from './git-stage.js';
import {
  type ApplicationSource,
  applicationOf,
  headOf,
  kustomizationOf,
  kustomizedBy,
  ownerMetadata as metadata,
  tracked,
} from './owner-objects.js';

withStages();

const template = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata:',
  '  name: {{ include "web.fullname" . }}',
  '  labels:',
  '    {{- include "web.labels" . | nindent 4 }}',
  'spec:',
  '  {{- if not .Values.autoscaling.enabled }}',
  '  replicas: {{ .Values.replicaCount }}',
  '  {{- end }}',
  '  {{- with .Values.strategy }}',
  '  strategy:',
  '    {{- toYaml . | nindent 4 }}',
  '  {{- end }}',
  '  selector:',
  '    matchLabels:',
  '      {{- include "web.labels" . | nindent 6 }}',
  '  template:',
  '    metadata:',
  '      labels:',
  '        {{- include "web.labels" . | nindent 8 }}',
  '    spec:',
  '      containers:',
  '        - name: app',
  '          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
  '          resources:',
  '            {{- toYaml .Values.resources | nindent 12 }}',
  '',
].join('\n');

const helpers = [
  '{{- define "web.fullname" -}}',
  '{{- if .Values.fullnameOverride }}',
  '{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}',
  '{{- else }}',
  '{{- $name := default .Chart.Name .Values.nameOverride }}',
  '{{- if contains $name .Release.Name }}',
  '{{- .Release.Name | trunc 63 | trimSuffix "-" }}',
  '{{- else }}',
  '{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}',
  '{{- end }}',
  '{{- end }}',
  '{{- end }}',
  '{{- define "web.labels" -}}',
  'app: {{ .Release.Name }}',
  '{{- end }}',
  '',
].join('\n');

const defaults = 'replicaCount: 1\nfullnameOverride: ""\nautoscaling: {enabled: false}\nstrategy: {}\n';

/** A chart in `folder`. */
const chartIn = (folder: string): Readonly<Record<string, string>> => ({
  [`${folder}/Chart.yaml`]: 'apiVersion: v2\nname: web\nversion: 1.4.0\n',
  [`${folder}/values.yaml`]: defaults,
  [`${folder}/templates/_helpers.tpl`]: helpers,
  [`${folder}/templates/deployment.yaml`]: template,
});

const values = [
  '# the shop in production',
  'fullnameOverride: api',
  'image:',
  '    repository: registry.example/api',
  '    tag: "2"   # set by CI',
  '',
].join('\n');

const added = [
  'strategy:',
  '    type: RollingUpdate',
  '    rollingUpdate:',
  '        maxSurge: 0',
  '        maxUnavailable: 1',
  '',
].join('\n');

const urlOf = (git: LocalGitHost, name: string): string => `${git.url}/${name}.git`;

type Options = Parameters<typeof startStage>[0];

/** An Application with one source, or several of which each may be of another repository. */
const argoStage = (
  sources: (git: LocalGitHost) => readonly ApplicationSource[],
  options: Options = {},
): Promise<Stage> =>
  startStage({
    sources: [],
    marks: tracked,
    repositories: { [repository]: { ...chartIn('charts/web'), 'envs/prod.yaml': values } },
    owner: (git) => {
      const application = applicationOf(git, sources(git));
      const sourceTypes = sources(git).map(({ ref }) => (ref === undefined ? 'Helm' : ''));
      return [{ ...application, status: { ...application.status, sourceType: 'Helm', sourceTypes } }];
    },
    ...options,
  });

const inPath = (helm: object) => (git: LocalGitHost) => [
  { repoURL: urlOf(git, repository), path: 'charts/web', targetRevision: 'HEAD', helm },
];
const prod = inPath({ valueFiles: ['../../envs/prod.yaml'] });

/** The text of a file on the branch of the one pull request. */
const proposed = async (stage: Stage, file: string): Promise<string | undefined> =>
  (await opened(stage)).textOf(file);

describe('a pull request for a workload that a chart renders', () => {
  it('changes the values file of an Application, and nothing else', async () => {
    const stage = await argoStage(prod);

    expect(await proposed(stage, 'envs/prod.yaml')).toBe(`${values}${added}`);
    const [pull] = stage.git.pulls(repository);
    expect(pull?.title).toContain('fix(shop/api)');
    expect(pull?.body).toContain('`charts/web/templates/deployment.yaml:12`');
    expect(pull?.body).toContain('Every other release that reads `envs/prod.yaml`');
    expect(pull?.body).toContain('+strategy:\n+    type: RollingUpdate');
  });

  it('is followed until the cluster has the merged values', async () => {
    const stage = await argoStage(prod);
    await proposed(stage, 'envs/prod.yaml');
    await merged(stage);
    await applied(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered' });
  });

  it('changes the values of the chart itself where the Application names no file', async () => {
    const stage = await argoStage(inPath({ parameters: [{ name: 'image.tag', value: '2' }] }), {
      repositories: {
        [repository]: {
          ...chartIn('charts/web'),
          'charts/web/values.yaml': defaults.replace('""', 'api'),
          'apps/web.yaml':
            'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {path: charts/web}}\n',
          'apps/shop.yaml':
            'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: {path: charts/web}}\n',
        },
      },
    });

    expect(await proposed(stage, 'charts/web/values.yaml')).toBe(
      defaults
        .replace('""', 'api')
        .replace('{}', '{type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}'),
    );
    const [pull] = stage.git.pulls(repository);
    expect(pull?.body).toContain('`apps/web.yaml` may read `charts/web/values.yaml` too');
  });

  it('is opened in the repository of the values file that a source refers to', async () => {
    const stage = await argoStage(
      (git) => [
        {
          repoURL: urlOf(git, 'acme/charts'),
          path: 'web',
          helm: { valueFiles: ['$live/envs/base.yaml', '$live/envs/prod.yaml'] },
        },
        { repoURL: urlOf(git, repository), ref: 'live' },
      ],
      {
        repositories: {
          'acme/charts': chartIn('web'),
          [repository]: { 'envs/base.yaml': 'replicaCount: 1\n', 'envs/prod.yaml': values },
        },
        allowed: ['acme/charts', repository],
      },
    );

    expect(await proposed(stage, 'envs/prod.yaml')).toBe(`${values}${added}`);
    expect(stage.git.pulls('acme/charts')).toEqual([]);
    expect(await pullRequestOf(stage)).toMatchObject({ target: { repository, branch: 'main' } });
  });
});

const child = [
  'apiVersion: argoproj.io/v1alpha1',
  'kind: Application',
  'metadata: {name: shop, namespace: tools}',
  'spec:',
  '  source:',
  '    path: charts/web',
  '    helm:',
  '      valuesObject:',
  '        fullnameOverride: api # short',
  '',
].join('\n');

describe('a pull request for a chart whose Application holds the values', () => {
  const inline = (annotations: object): Promise<Stage> =>
    startStage({
      sources: [],
      marks: tracked,
      repositories: { [repository]: { ...chartIn('charts/web'), 'apps/shop.yaml': child } },
      owner: (git) => {
        const [apiVersion, kind] = ['argoproj.io/v1alpha1', 'Application'];
        const source = { repoURL: urlOf(git, repository), targetRevision: 'HEAD' };
        const status = { sync: { status: 'Synced', revision: headOf(git) } };
        const helm = { valuesObject: { fullnameOverride: 'api', strategy: {} } };
        const destination = { namespace: 'shop' };
        return [
          {
            ...{ apiVersion, kind, status: { ...status, sourceType: 'Helm' } },
            metadata: { ...metadata, annotations },
            spec: { destination, source: { ...source, path: 'charts/web', helm } },
          },
          {
            ...{ apiVersion, kind, status: { ...status, sourceType: 'Directory' } },
            metadata: { name: 'all', namespace: 'tools' },
            spec: { source: { ...source, path: 'apps' } },
          },
        ];
      },
    });

  it('changes the manifest of the Application that its parent applies', async () => {
    const stage = await inline({
      'argocd.argoproj.io/tracking-id': 'all:argoproj.io/Application:tools/shop',
    });

    expect(await proposed(stage, 'apps/shop.yaml')).toBe(
      child.replace(
        'valuesObject:\n',
        [
          'valuesObject:',
          '        strategy:',
          '          type: RollingUpdate',
          '          rollingUpdate:',
          '            maxSurge: 0',
          '            maxUnavailable: 1',
          '',
        ].join('\n'),
      ),
    );
  });

  it('is refused where nothing declares the Application', async () => {
    const stage = await inline({});

    expect(await refusalOf(stage)).toMatchObject({
      values: { reason: 'chart-name', workload: 'shop/api' },
    });
  });
});

const release = [
  'apiVersion: helm.toolkit.fluxcd.io/v2',
  'kind: HelmRelease',
  'metadata: {name: shop, namespace: tools}',
  'spec:',
  '  interval: 10m',
  '  targetNamespace: shop',
  '  chart:',
  '    spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: deploy}}',
  '  values:',
  '    fullnameOverride: api',
  '    strategy:',
  '      # one GPU',
  '      type: RollingUpdate',
  '',
].join('\n');

const fluxStage = (spec: object = {}, status: object = { history: [{ chartVersion: '1.4.0' }] }) =>
  startStage({
    sources: [],
    marks: {
      labels: { 'helm.toolkit.fluxcd.io/name': 'shop', 'helm.toolkit.fluxcd.io/namespace': 'tools' },
    },
    repositories: { [repository]: { ...chartIn('charts/web'), 'clusters/prod/shop.yaml': release } },
    owner: (git) => [
      {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { ...metadata, ...kustomizedBy('all') },
        spec: {
          interval: '10m',
          targetNamespace: 'shop',
          chart: { spec: { chart: './charts/web', sourceRef: { kind: 'GitRepository', name: 'deploy' } } },
          ...spec,
        },
        status,
      },
      ...kustomizationOf(git, 'all', './clusters/prod', urlOf(git, repository)),
    ],
  });

describe('a pull request for a workload of a HelmRelease', () => {
  it('changes spec.values where Git declares the HelmRelease', async () => {
    const stage = await fluxStage();

    expect(await proposed(stage, 'clusters/prod/shop.yaml')).toBe(
      release.replace(
        '      type: RollingUpdate\n',
        '      type: RollingUpdate\n      rollingUpdate:\n        maxSurge: 0\n        maxUnavailable: 1\n',
      ),
    );
  });

  it.each<[string, object, object]>([
    [
      'takes values from a Secret',
      { valuesFrom: [{ kind: 'Secret', name: 'x' }] },
      { reason: 'values-from' },
    ],
    [
      'installs a chart of a chart repository',
      { chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository', name: 'x' } } } },
      { reason: 'chart', detail: 'web' },
    ],
    [
      'renders again',
      { postRenderers: [{ kustomize: {} }] },
      { reason: 'transformed', detail: 'postRenderers' },
    ],
  ])('is refused where it %s', async (_, spec, expected) => {
    const stage = await fluxStage(spec);

    expect(await review(stage)).toMatchObject({
      type: 'refused',
      because: { key: 'source-refused', values: { owner: 'HelmRelease tools/shop', ...expected } },
      byHand: expect.stringContaining('maxSurge: 0'),
    });
    expect(stage.git.requests).toEqual([]);
  });

  it('is refused where Git has another version of the chart than the cluster', async () => {
    const stage = await fluxStage({}, { history: [{ chartVersion: '1.3.0' }] });

    expect(await refusalOf(stage)).toMatchObject({
      key: 'tree-refused',
      values: { reason: 'chart-version', detail: '1.3.0' },
    });
  });
});

describe('a review for a chart that cannot be edited', () => {
  it('is refused where a parameter of the Application counts more, and shows the values', async () => {
    const stage = await argoStage(
      inPath({ valueFiles: ['../../envs/prod.yaml'], parameters: [{ name: 'strategy.type', value: 'x' }] }),
    );

    expect(await refusalOf(stage)).toMatchObject({
      key: 'tree-refused',
      values: {
        reason: 'chart-overridden',
        file: 'envs/prod.yaml',
        detail: 'helm.parameters: strategy.type',
      },
      byHand: true,
      snippet: expect.stringContaining('strategy:\n  type: RollingUpdate\n'),
    });
    expect(stage.git.pulls(repository)).toEqual([]);
  });

  it('is refused where the template sets the field in another form, and shows the fields', async () => {
    const changed = template.replace('{{- toYaml . | nindent 4 }}', '{{- tpl (toYaml .) $ | nindent 4 }}');
    const stage = await argoStage(prod, {
      repositories: {
        [repository]: {
          ...chartIn('charts/web'),
          'charts/web/templates/deployment.yaml': changed,
          'envs/prod.yaml': values,
        },
      },
    });

    const refused = await refusalOf(stage);
    expect(refused).toMatchObject({
      values: { reason: 'chart-expression', file: 'charts/web/templates/deployment.yaml', line: 13 },
      byHand: true,
    });
    expect(refused.snippet).toBeUndefined();
  });

  it('is refused where the values file changed since the commit that was applied', async () => {
    const stage = await argoStage(prod);
    stage.git.repository(repository).commitFile('main', 'envs/prod.yaml', values.replace('"2"', '"3"'));

    expect(await refusalOf(stage)).toMatchObject({ values: { reason: 'stale-base' } });
  });

  it('is refused for a values file that no repository of the owner holds', async () => {
    const stage = await argoStage(inPath({ valueFiles: ['https://x.example/values.yaml'] }));

    expect(await review(stage)).toMatchObject({
      because: { key: 'source-refused', values: { reason: 'chart-file' } },
    });
  });
});
