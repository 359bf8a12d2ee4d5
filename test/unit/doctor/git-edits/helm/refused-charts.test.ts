import { describe, expect, it } from 'vitest';
import { about, chartOf, deployment, inPlace, recreate, withGuard } from '../../../../support/chart-cases.js';
import { editedIn, outcomeOf, type ReleaseOptions } from '../../../../support/chart-release.js';

const whole = '  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}';
const file = 'templates/deployment.yaml';

/** The outcome for a chart whose template has these lines. */
const ofLines = (lines: string, values?: string): string =>
  outcomeOf({ files: chartOf(lines, values) }, inPlace);
const ofMore = (more: Readonly<Record<string, string>>, options: Partial<ReleaseOptions> = {}): string =>
  outcomeOf({ files: chartOf(withGuard, undefined, more), ...options }, inPlace);
const ofValues = (values: string, edits = inPlace): string =>
  outcomeOf({ files: chartOf(withGuard, values) }, edits);

describe('a template that sets the field in another way than by simple values', () => {
  it.each<[string, string, string]>([
    ['a helper', '  strategy:\n    {{- include "x" . | nindent 4 }}', 'chart-expression :8'],
    ['tpl', '  strategy:\n    {{- tpl (toYaml .Values.strategy) . | nindent 4 }}', 'chart-expression :8'],
    ['a default', '  strategy:\n    type: {{ .Values.type | default "Recreate" }}', 'chart-expression :8'],
    ['a function', '  strategy:\n    type: {{ upper .Values.type }}', 'chart-expression :8'],
    ['a choice', '  strategy:\n    type: {{ ternary "a" "b" .Values.x }}', 'chart-expression :8'],
    ['a text around the value', '  strategy:\n    type: Rolling{{ .Values.type }}', 'chart-expression :8'],
    ['two values', '  strategy:\n    type: {{ .Values.a }}{{ .Values.b }}', 'chart-expression :8'],
    ['JSON', '  strategy: {{ toJson .Values.strategy }}', 'chart-expression :7'],
    ['a map in one line', '  strategy: {{ toYaml .Values.strategy }}', 'chart-expression :7'],
    [
      'an item of a list',
      '  strategy:\n    {{- toYaml (index .Values.all 0) | nindent 4 }}',
      'chart-expression :8',
    ],
    [
      'a variable',
      '  {{- $s := .Values.strategy }}\n  strategy:\n    {{- toYaml $s | nindent 4 }}',
      'chart-expression :9',
    ],
    ['a value of the release', '  strategy:\n    type: {{ .Release.Name }}', 'chart-expression :8'],
    ['an anchor', '  strategy: &s\n    type: {{ .Values.type }}', 'chart-expression :8'],
    ['a merge key', '  strategy:\n    <<: *s\n    type: {{ .Values.type }}', 'chart-expression :8'],
    ['an if on another value', `  {{- if .Values.rolling }}\n${whole}\n  {{- end }}`, 'chart-condition :9'],
    [
      'a comparison',
      `  {{- if eq .Values.strategy.type "Recreate" }}\n${whole}\n  {{- end }}`,
      'chart-condition :7',
    ],
    ['an else', `  {{- if .Values.strategy }}\n  {{- else }}\n${whole}\n  {{- end }}`, 'chart-condition :7'],
    [
      'both branches',
      `  {{- if .Values.x }}\n${whole}\n  {{- else }}\n  strategy: {type: Recreate}\n  {{- end }}`,
      'chart-condition :11',
    ],
    [
      'a condition in the line',
      '  strategy:\n    type: {{ if .Values.x }}A{{ else }}B{{ end }}',
      'chart-condition :8',
    ],
    [
      'an if that decides on another field too',
      `  {{- if .Values.strategy }}\n${whole}\n  minReadySeconds: 5\n  {{- end }}`,
      'chart-condition :9',
    ],
    [
      'an else with another field',
      `  {{- if .Values.strategy }}\n${whole}\n  {{- else }}\n  paused: true\n  {{- end }}`,
      'chart-condition :10',
    ],
    [
      'an if that sets a variable',
      `  {{- if .Values.strategy }}\n  {{- $x = 1 }}\n${whole}\n  {{- end }}`,
      'chart-condition :8',
    ],
    ['a text behind the value', `${whole} x`, 'chart-inserts :8'],
    ['a tag', '  strategy:\n    type: !!str {{ .Values.type }}', 'chart-expression :8'],
    ['a loop', `  {{- range .Values.all }}\n${whole}\n  {{- end }}`, 'chart-condition :7'],
    ['nothing', '  minReadySeconds: 5', 'chart-not-exposed :6'],
    ['its own text', '  strategy:\n    type: Recreate', 'chart-not-exposed :7'],
    ['a part of it', '  strategy:\n    type: {{ .Values.type }}', 'chart-not-exposed :7'],
    [
      'lines that an action inserts',
      `${whole}\n  {{- toYaml .Values.more | nindent 2 }}`,
      'chart-inserts :9',
    ],
    ['lines of any indentation', `${whole}\n  {{ include "more" . }}`, 'chart-inserts :9'],
    [
      'lines beside a value',
      `  strategy:\n    type: {{ .Values.type }}\n    {{- include "x" . | nindent 4 }}`,
      'chart-inserts :9',
    ],
  ])('is refused: %s', (_, lines, expected) => {
    const [reason = '', line = ''] = expected.split(' ');
    expect(ofLines(lines)).toBe(`${reason} ${file}${line} spec.strategy`);
  });

  it('is refused where the whole document is repeated or changes the dot', () => {
    for (const keyword of ['range', 'with']) {
      const text = `{{- ${keyword} .Values.all }}\n${deployment(whole.replace('.Values', '$.Values'), 'api')}{{- end }}\n`;
      expect(outcomeOf({ files: chartOf('', undefined, { [file]: text }) }, inPlace)).toBe(
        `chart-condition ${file}:1 spec.strategy`,
      );
    }
  });
});

describe('a workload that no template is known to declare', () => {
  const named = (name: string, more: Readonly<Record<string, string>> = {}): string =>
    outcomeOf({ files: chartOf('', undefined, { [file]: deployment(whole, name), ...more }) }, inPlace);

  it.each<[string, string, string]>([
    ['another name', 'web', 'not-declared'],
    ['a name of another release', 'x-{{ .Release.Name }}', 'not-declared'],
    ['a helper of its own', '{{ include "my.name" . }}', `chart-name ${file}:1`],
    ['a function', '{{ .Release.Name | trunc 3 }}', `chart-name ${file}:1`],
    ['a loop variable', '{{ $name }}', `chart-name ${file}:1`],
  ])('is refused: %s', (_, name, expected) => {
    expect(named(name)).toBe(expected);
  });

  it('is refused where a helper may write its name or namespace', () => {
    const text = deployment(whole).replace(
      '  name: {{ .Release.Name }}',
      '  {{- include "meta" . | nindent 2 }}',
    );
    expect(ofMore({ [file]: text })).toBe(`chart-name ${file}:1`);
    const unknown = { chart: { release: { name: 'api', namespace: '' } } };
    expect(ofMore({}, unknown)).toBe(`chart-name ${file}:1`);
  });

  it('runs no helper, also where helpers call each other', () => {
    const helpers =
      '{{- define "a" -}}{{ include "b" . }}{{- end }}{{- define "b" -}}{{ include "a" . }}{{- end }}';
    expect(named('{{ include "a" . }}', { 'templates/_helpers.tpl': helpers })).toBe(`chart-name ${file}:1`);
  });

  it('is refused where two documents declare it', () => {
    expect(ofMore({ 'templates/other.yaml': deployment(whole) })).toBe(
      'declared-twice templates/other.yaml:1',
    );
  });

  it('is refused where a template under a condition may leave it to another one', () => {
    const files = chartOf('', undefined, {
      [file]: `{{- if .Values.a }}\n${deployment(whole)}{{- end }}\n`,
      'templates/other.yaml': '{{- include "lib.deployment" . }}\n',
    });
    expect(outcomeOf({ files }, inPlace)).toBe('chart-name templates/other.yaml:1');
  });

  it('is refused where the template is left out, broken or holds marks of ours', () => {
    expect(ofMore({ '.helmignore': '# none\ndeployment.*\n' })).toBe('not-declared');
    expect(ofMore({ [file]: `${deployment(whole)}{{- end }}\n` })).toBe(`chart-name ${file}:1`);
    expect(ofMore({ [file]: `${deployment(whole)}{{ "open }}\n` })).toBe(`chart-name ${file}:1`);
    expect(ofMore({ [file]: deployment(`${whole}\n  # \uE0000\uE001`) })).toBe(`chart-name ${file}:1`);
  });
});

describe('a value that decides on more than the field', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'another workload',
      { 'templates/web.yaml': deployment(withGuard, 'web') },
      'chart-shared templates/web.yaml:7 strategy',
    ],
    [
      'a helper',
      { 'templates/_x.tpl': '{{- define "x" -}}\n{{ .Values.strategy.type }}\n{{- end }}' },
      'chart-shared templates/_x.tpl:2 strategy',
    ],
    [
      'all values',
      {
        'templates/config.yaml':
          'kind: ConfigMap\nmetadata:\n  name: x\ndata:\n  all: {{ .Values | toJson | quote }}\n',
      },
      'chart-shared templates/config.yaml:5 strategy',
    ],
    [
      'an index of the values',
      { 'templates/config.yaml': 'kind: ConfigMap\ndata:\n  a: {{ index .Values "strategy" | quote }}\n' },
      'chart-shared templates/config.yaml:3 strategy',
    ],
  ])('is refused: %s reads it', (_, more, expected) => {
    expect(ofMore(more)).toBe(expected);
  });

  it('is refused where charts share it', () => {
    const sub = {
      'charts/back/Chart.yaml': 'name: back\nversion: 1.0.0\n',
      'charts/back/templates/config.yaml': 'kind: ConfigMap\ndata:\n  a: {{ .Values.global.strategy }}\n',
    };
    const lines = '  strategy:\n    {{- toYaml .Values.global.strategy | nindent 4 }}';
    expect(outcomeOf({ files: chartOf(lines, undefined, sub) }, inPlace)).toBe(
      'chart-shared charts/back/templates/config.yaml:3 global.strategy',
    );
  });
});

describe('a chart whose values are not known', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a schema', { 'values.schema.json': '{}' }, 'chart-schema values.schema.json'],
    ['requirements of Helm 2', { 'requirements.yaml': 'dependencies: []\n' }, 'chart-form requirements.yaml'],
    [
      'imported values',
      { 'Chart.yaml': `${about}dependencies:\n- {name: x, version: 1.0.0, import-values: [a]}\n` },
      'chart-form Chart.yaml import-values',
    ],
    [
      'a helper of a chart that is not there',
      {
        'Chart.yaml': `${about}dependencies:\n- {name: common, version: 1.0.0}\n`,
        'templates/web.yaml': 'kind: Service\nmetadata:\n  name: {{ include "common.name" . }}\n',
      },
      'chart-dependency templates/web.yaml common',
    ],
    ['no description', { 'Chart.yaml': 'a: [\n' }, 'not-yaml Chart.yaml:2'],
    ['two documents of values', { 'values.yaml': 'a: 1\n---\nb: 1\n' }, 'shape values.yaml'],
    ['values that are a list', { 'values.yaml': '- a\n' }, 'shape values.yaml'],
    ['values twice', { 'values.yaml': 'strategy: {}\nstrategy: {}\n' }, 'not-yaml values.yaml:2'],
  ])('is refused: %s', (_, more, expected) => {
    expect(ofMore(more)).toBe(expected);
  });

  it('is refused where the value belongs to a chart that is not there', () => {
    const lines = '  strategy:\n    {{- toYaml .Values.back.strategy | nindent 4 }}';
    const described = `${about}dependencies:\n- {name: x, version: 1.0.0, alias: back}\n`;
    expect(outcomeOf({ files: chartOf(lines, undefined, { 'Chart.yaml': described }) }, inPlace)).toBe(
      'chart-dependency back',
    );
  });

  it('is refused where a file is larger than 2 MiB, and reads long ones once', () => {
    const long = `# ${'x'.repeat(2 * 1024 * 1024)}\n`;
    expect(ofMore({ 'values.yaml': `a: 1\n${long}` })).toBe('too-large values.yaml');
    const open = `{{${'{'.repeat(1_000_000)}`;
    expect(ofMore({ 'templates/x.yaml': `kind: Service\n${open}` })).toContain('values.yaml\n');
    const spaces = `kind: Service\n${' '.repeat(1_000_000)}\n`;
    expect(ofMore({ 'templates/x.yaml': spaces })).toContain('values.yaml\n');
  });
});

describe('a value that is set elsewhere too', () => {
  it.each<[string, string, string[], boolean]>([
    ['a parameter', 'helm.parameters', ['strategy', 'type'], true],
    ['values in the Application', 'helm.valuesObject', ['strategy'], true],
    ['values that nobody knows', 'helm.values', ['labels'], false],
    ['another parameter', 'helm.parameters', ['image', 'tag'], false],
  ])('is refused where it counts more: %s', (_, by, path, isRefused) => {
    const outcome = ofMore({}, { chart: { overrides: [{ by, path }] } });
    if (isRefused)
      expect(outcome).toBe(`chart-overridden values.yaml ${[by, path.join('.')].filter(Boolean).join(': ')}`);
    else expect(outcome).toContain('maxSurge: 0');
  });

  it('is refused where it may change the name of the workload', () => {
    const files = chartOf(withGuard, 'name: api\n', { [file]: deployment(withGuard, '{{ .Values.name }}') });
    expect(outcomeOf({ files }, inPlace)).toContain('maxSurge: 0');
    for (const path of [[], ['name']]) {
      const chart = { overrides: [{ by: 'helm.values', path }] };
      expect(outcomeOf({ files, chart }, inPlace)).toBe(`chart-name ${file}:1`);
    }
  });

  it('is refused where a later file of another repository sets it', () => {
    const more = { 'a.yaml': 'strategy:\n  type: Recreate\n', 'b.yaml': 'strategy: {type: Recreate}\n' };
    const options = { valueFiles: ['a.yaml', 'b.yaml'], fixed: ['b.yaml'] };
    expect(ofMore(more, options)).toBe('chart-overridden a.yaml:2 strategy.type');
  });

  it('is refused where the cluster has another value than the chart renders', () => {
    const changes = [{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }];
    const options = { files: chartOf(withGuard, 'strategy:\n  rollingUpdate: {maxSurge: 2}\n'), changes };
    expect(outcomeOf(options, inPlace)).toBe(`chart-live ${file}:8 spec.strategy`);
  });

  it('is refused where the chart renders the wanted field already', () => {
    const values = 'strategy:\n  type: RollingUpdate\n  rollingUpdate: {maxSurge: 0, maxUnavailable: 1}\n';
    expect(ofValues(values)).toBe(`as-wanted ${file}:8`);
    const changes = [{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }];
    expect(outcomeOf({ files: chartOf(withGuard, values), changes }, inPlace)).toBe(`as-wanted ${file}:8`);
  });
});

describe('values that cannot be changed alone', () => {
  it.each<[string, string, string]>([
    ['an alias', 'x: &x {type: Recreate}\nstrategy: *x\n', 'alias values.yaml:2'],
    ['an anchor', 'strategy: &x\n  type: Recreate\nother: *x\n', 'anchor values.yaml:2'],
    ['a merge key', 'x: &x {type: Recreate}\nstrategy:\n  <<: *x\n', 'merge-key values.yaml'],
    ['a tag', 'strategy:\n  type: !!str Recreate\n', 'tag values.yaml:2'],
    ['null in place of a map', 'strategy: null\n', 'shape values.yaml:1'],
    ['nothing in place of a map', 'strategy:\n', 'shape values.yaml:1'],
    ['a text in place of a map', 'strategy: Recreate\n', 'shape values.yaml:1'],
    ['a list in place of a map', 'strategy: [1]\n', 'shape values.yaml'],
    ['a text of several lines', 'strategy:\n  type: |\n    Recreate\n', 'shape values.yaml:2'],
    ['a file of a generator', '# Code generated by x. DO NOT EDIT.\na: 1\n', 'generated values.yaml:1'],
    ['an encrypted file', 'a: 1\nsops:\n  mac: x\n', 'encrypted values.yaml:2'],
    ['no document', '# none yet\n', 'shape values.yaml'],
  ])('are refused: %s', (_, values, expected) => {
    expect(ofValues(values)).toBe(expected);
  });

  it('are refused with the values to set by hand', () => {
    const result = editedIn({ files: chartOf(withGuard, 'strategy: null\n') }, inPlace);
    expect(result).toMatchObject({
      reason: 'shape',
      snippet:
        '# Helm values\nstrategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxSurge: 0\n    maxUnavailable: 1\n',
    });
  });

  it('are refused where a default of a dependency must go', () => {
    const files = {
      'Chart.yaml': about,
      'values.yaml': 'a: 1\n',
      'charts/back/Chart.yaml': 'name: back\nversion: 1.0.0\n',
      'charts/back/values.yaml': 'strategy:\n  rollingUpdate:\n    maxSurge: 1\n',
      'charts/back/templates/deployment.yaml': deployment(withGuard, 'api'),
    };
    expect(outcomeOf({ files }, recreate)).toContain('chart-overridden values.yaml');
  });

  it('are refused where a count would be printed as a text', () => {
    const lines =
      '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: {{ .Values.surge | quote }}\n      maxUnavailable: 1';
    expect(outcomeOf({ files: chartOf(lines, 'surge: 25%\n') }, inPlace)).toBe(
      'chart-expression values.yaml:1 spec.strategy',
    );
  });
});
