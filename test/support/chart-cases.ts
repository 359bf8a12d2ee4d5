import type { FieldEdit } from '#src/doctor/git-edits/edit-manifest.js';
import type { Files, ReleaseOptions } from './chart-release.js';

/** An edit of values that is made: the changed file, and its text afterwards. */
export interface ChartCase extends ReleaseOptions {
  readonly title: string;
  readonly edits: readonly FieldEdit[];
  readonly file: string;
  readonly text: string;
}

export const inPlace: readonly FieldEdit[] = [
  { path: ['spec', 'strategy', 'type'], value: 'RollingUpdate' },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: 0 },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], value: 1 },
];

export const recreate: readonly FieldEdit[] = [
  { path: ['spec', 'strategy', 'type'], value: 'Recreate' },
  { path: ['spec', 'strategy', 'rollingUpdate'], value: undefined },
];

/** A template of a Deployment with these lines in its `spec`. */
export const deployment = (lines: string, name = '{{ .Release.Name }}'): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    '  replicas: {{ .Values.replicas }}',
    ...lines.split('\n'),
    '  template:',
    '    metadata:',
    '      labels:',
    '        {{- toYaml .Values.labels | nindent 8 }}',
    '    spec:',
    '      {{- with .Values.affinity }}',
    '      affinity:',
    '        {{- toYaml . | nindent 8 }}',
    '      {{- end }}',
    '      containers: []',
    '',
  ].join('\n');

export const about = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
export const withGuard =
  '  {{- with .Values.strategy }}\n  strategy:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}';
const base = 'labels:\n  app: api\nreplicas: 1\n';
const added = 'strategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxSurge: 0\n    maxUnavailable: 1\n';

/** The files of a chart that is the whole tree. */
export const chartOf = (lines: string, values = base, more: Files = {}): Files => ({
  'Chart.yaml': about,
  'values.yaml': values,
  'templates/deployment.yaml': deployment(lines),
  ...more,
});

const whole = (title: string, lines: string): ChartCase => ({
  title,
  files: chartOf(lines),
  edits: inPlace,
  file: 'values.yaml',
  text: `${base}${added}`,
});

const ofFile = (
  title: string,
  before: string,
  after: string,
  options: Partial<ChartCase> = {},
): ChartCase => ({
  title,
  files: { ...chartOf(withGuard), 'prod.yaml': before },
  valueFiles: ['prod.yaml'],
  edits: inPlace,
  file: 'prod.yaml',
  text: after,
  ...options,
});

const affinity: readonly FieldEdit[] = [
  {
    path: ['spec', 'template', 'spec', 'affinity'],
    value: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  },
];

const subchart = (name: string): Files => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`charts/${name}/values.yaml`]: `${base}strategy:\n  type: RollingUpdate\n`,
  [`charts/${name}/templates/deployment.yaml`]: deployment(
    withGuard,
    '{{ .Release.Name }}-{{ .Chart.Name }}',
  ),
});

export const chartCases: readonly ChartCase[] = [
  whole('the whole field, guarded by with', withGuard),
  whole('the whole field, without a guard', '  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}'),
  whole('the whole field behind its key', '  strategy: {{- toYaml .Values.strategy | nindent 4 }}'),
  whole(
    'the whole field behind an untrimmed action',
    '  strategy: {{ toYaml .Values.strategy | nindent 4 }}',
  ),
  whole('indent at the start of a line', '  strategy:\n{{ toYaml .Values.strategy | indent 4 }}'),
  whole('a pipeline', '  strategy:\n    {{- .Values.strategy | toYaml | nindent 4 }}'),
  whole('a value of the root', '  strategy:\n    {{- toYaml $.Values.strategy | nindent 4 }}'),
  whole('a trimmed value', '  strategy:\n    {{- toYaml .Values.strategy | trim | nindent 4 }}'),
  whole(
    'an if on the same value',
    '  {{- if .Values.strategy }}\n  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}\n  {{- end }}',
  ),
  whole(
    'a guard below the key',
    '  strategy:\n    {{- with .Values.strategy }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}',
  ),
  whole(
    'comments that look like the field',
    `  {{- /* strategy: {{ .Values.other }} */}}\n  # strategy: of {{ .Release.Name }}\n${withGuard}`,
  ),
  whole(
    'other fields under conditions',
    `  {{- if .Values.x }}\n  minReadySeconds: 5\n  {{- else }}\n  paused: true\n  {{- end }}\n${withGuard}`,
  ),
  {
    ...whole('single values', ''),
    files: chartOf(
      '  strategy:\n    type: {{ .Values.strategy.type }}\n    rollingUpdate:\n      maxSurge: {{ .Values.strategy.surge }}\n      maxUnavailable: {{ .Values.strategy.unavailable }}',
      `${base}strategy: # as usual\n  type: RollingUpdate\n  surge: 25%   # more\n  unavailable: "25%"\n`,
    ),
    text: `${base}strategy: # as usual\n  type: RollingUpdate\n  surge: 0   # more\n  unavailable: 1\n`,
  },
  {
    ...whole('values below the dot', ''),
    files: chartOf(
      '  {{- with .Values.update }}\n  strategy:\n    type: {{ .type | quote }}\n    rollingUpdate:\n      maxSurge: {{ .surge }}\n      maxUnavailable: {{ .unavailable }}\n  {{- end }}',
      `${base}update: {type: Recreate, surge: 1, unavailable: 0}\n`,
    ),
    text: `${base}update: {type: RollingUpdate, surge: 0, unavailable: 1}\n`,
  },
  {
    ...whole('a type that the template writes', ''),
    files: chartOf(
      '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: {{ .Values.maxSurge }}\n      maxUnavailable: 1',
      `${base}maxSurge: 1\n`,
    ),
    text: `${base}maxSurge: 0\n`,
  },
  {
    ...whole('the value of a part', ''),
    files: chartOf(
      '  strategy:\n    type: RollingUpdate\n    {{- with .Values.server.rollingUpdate }}\n    rollingUpdate:\n      {{- toYaml . | nindent 6 }}\n    {{- end }}',
      `${base}server:\n  # of the server\n  port: 80\n`,
    ),
    text: `${base}server:\n  rollingUpdate:\n    maxSurge: 0\n    maxUnavailable: 1\n  # of the server\n  port: 80\n`,
  },
  {
    ...whole('a field beside the strategy', ''),
    files: chartOf('  paused: {{ .Values.paused }}', `${base}paused: true # by hand\n`),
    edits: [{ path: ['spec', 'paused'], value: false }],
    text: `${base}paused: false # by hand\n`,
  },
  {
    ...whole('the affinity of the pod', ''),
    edits: affinity,
    text: `${base}affinity:\n  nodeAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms: []\n`,
  },
  {
    ...whole('a document under a condition', ''),
    files: {
      ...chartOf(''),
      'templates/deployment.yaml': `{{- if .Values.replicas }}\n${deployment(withGuard)}{{- end }}\n`,
    },
  },
  {
    ...whole('the second document of a template', ''),
    files: {
      ...chartOf(''),
      'templates/deployment.yaml': `apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n---\n${deployment(withGuard)}`,
    },
  },
  {
    ...whole('another kind with the same values elsewhere', ''),
    files: {
      ...chartOf(withGuard),
      'templates/config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: |\n    kind: Deployment\n    metadata: {name: api}\n  b: {{ .Values.replicas | quote }}\n`,
    },
  },
  ofFile(
    'a key that is absent',
    'image:\n    tag: x # by CI\n',
    `image:\n    tag: x # by CI\n${added.replace(/^( +)/gmu, '$1$1')}`,
  ),
  ofFile('a missing end of line', 'a: 1', `a: 1\n${added.trimEnd()}`),
  ofFile(
    'line ends of Windows',
    '# prod\r\nstrategy:\r\n  type: Recreate\r\nother: 1\r\n',
    '# prod\r\nstrategy:\r\n  type: RollingUpdate\r\n  rollingUpdate:\r\n    maxSurge: 0\r\n    maxUnavailable: 1\r\nother: 1\r\n',
  ),
  ofFile('a byte order mark', '\uFEFFa: 1\n', `\uFEFFa: 1\n${added}`),
  ofFile(
    'a flow map',
    "strategy: {type: 'Recreate'} # all at once\n",
    "strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 0, maxUnavailable: 1}} # all at once\n",
  ),
  ofFile(
    'an empty flow map',
    'strategy: {}\n\nother: 1\n',
    'strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n\nother: 1\n',
  ),
  ofFile(
    'anchors of other values',
    'x: &x {a: 1}\ny: *x\n"quoted": [1,   2]\nz:   null\n',
    `x: &x {a: 1}\ny: *x\n"quoted": [1,   2]\nz:   null\n${added}`,
  ),
  ofFile(
    'comments at the end',
    'a:\n  b: 1\n  # c: 2\n\n# the end\n',
    `a:\n  b: 1\n  # c: 2\n${added}\n# the end\n`,
  ),
  ofFile(
    'values that hold templates for tpl',
    'motd: "{{ .Release.Name }}"\n',
    `motd: "{{ .Release.Name }}"\n${added}`,
  ),
  ofFile('the last file where none has the value', 'a: 1\n', `a: 1\n${added}`, {
    files: { ...chartOf(withGuard), 'base.yaml': 'b: 1\n', 'prod.yaml': 'a: 1\n' },
    valueFiles: ['base.yaml', 'prod.yaml'],
  }),
  ofFile('the file that has the value', 'strategy:\n  type: Recreate\n', added, {
    files: { ...chartOf(withGuard), 'prod.yaml': 'strategy:\n  type: Recreate\n', 'image.yaml': 'a: 1\n' },
    valueFiles: ['prod.yaml', 'image.yaml'],
  }),
  ofFile('the last one of two files that have the value', '', '', {
    files: {
      ...chartOf(withGuard),
      'base.yaml': 'strategy:\n  type: Recreate\n',
      'prod.yaml': 'strategy:\n  type: RollingUpdate\n',
    },
    valueFiles: ['base.yaml', 'prod.yaml'],
    text: added,
  }),
  ofFile(
    'a value that goes',
    'strategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxSurge: 1\na: 1\n',
    'strategy:\n  type: Recreate\na: 1\n',
    { edits: recreate },
  ),
  ofFile('a default that goes', 'a: 1\n', 'a: 1\nstrategy:\n  type: Recreate\n  rollingUpdate: null\n', {
    files: {
      ...chartOf(withGuard, `${base}strategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxSurge: 1\n`),
      'prod.yaml': 'a: 1\n',
    },
    edits: recreate,
  }),
  {
    ...whole('a chart in the charts folder', ''),
    files: {
      'Chart.yaml': about,
      'values.yaml': 'back:\n  replicas: 2\n',
      ...subchart('back'),
    },
    text: 'back:\n  replicas: 2\n  strategy:\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n',
  },
  {
    ...whole('an alias of a chart in the charts folder', ''),
    files: {
      'Chart.yaml': `${about}dependencies:\n- {name: back, version: 1.0.0, alias: one}\n- {name: back, version: 1.0.0, alias: two}\n`,
      'values.yaml': 'one:\n  replicas: 1\ntwo:\n  replicas: 2\n',
      ...subchart('back'),
    },
    text: 'one:\n  replicas: 1\ntwo:\n  replicas: 2\n  strategy:\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n',
  },
  {
    ...whole('a value of all charts that only this one reads', ''),
    files: chartOf(
      '  strategy:\n    {{- toYaml .Values.global.strategy | nindent 4 }}',
      `${base}global:\n  strategy:\n    type: RollingUpdate\n`,
      subchart('back'),
    ),
    text: `${base}global:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n`,
  },
];

/** The name of the workload in a case whose template makes it of the release's. */
export const workloadOf = ({ title }: ChartCase): string => {
  if (title === 'a chart in the charts folder') return 'api-back';
  return title === 'an alias of a chart in the charts folder' ? 'api-two' : 'api';
};
