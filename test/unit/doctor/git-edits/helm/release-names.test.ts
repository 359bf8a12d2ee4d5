import { describe, expect, it } from 'vitest';
import { chartOf, deployment, inPlace, withGuard } from '../../../../support/chart-cases.js';
import { outcomeOf } from '../../../../support/chart-release.js';

/** As `helm create web` writes them. */
const helpers = `{{/*
Expand the name of the chart.
*/}}
{{- define "web.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "web.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}
`;
const fullName = '{{ include "web.fullname" . }}';
const shortName = '{{ include "web.name" . }}';

interface Case {
  readonly release?: string;
  readonly values?: string;
  readonly helpers?: string;
  readonly overrides?: readonly { readonly by: string; readonly path: readonly string[] }[];
}

/**
 * Whether a release of the chart declares the workload with this name: it is not declared, or its name is not
 * known.
 */
function declares(template: string, name: string, of: Case = {}): 'declared' | 'not-declared' | 'unknown' {
  const files = chartOf('', `replicas: 1\nlabels: {a: b}\n${of.values ?? ''}`, {
    'templates/deployment.yaml': deployment(withGuard, template),
    'templates/_helpers.tpl': of.helpers ?? helpers,
  });
  const release = { name: of.release ?? 'api', namespace: 'shop' };
  const outcome = outcomeOf({ files, name, chart: { release, overrides: of.overrides ?? [] } }, inPlace);
  if (outcome.startsWith('values.yaml\n')) return 'declared';
  if (outcome.startsWith('chart-name ')) return 'unknown';
  return outcome === 'not-declared' ? outcome : (outcome as never);
}

describe('the name of a workload of a release', () => {
  it.each<[string, string, string, Case]>([
    ['the release and the chart', fullName, 'api-web', {}],
    ['the release alone where it contains the name of the chart', fullName, 'my-web', { release: 'my-web' }],
    ['the chart alone', shortName, 'web', {}],
    ['a name for the chart', shortName, 'shop', { values: 'nameOverride: shop\n' }],
    ['a name for the chart behind the release', fullName, 'api-shop', { values: 'nameOverride: shop\n' }],
    [
      'the release where it contains a name for the chart',
      fullName,
      'api',
      { values: 'nameOverride: api\n' },
    ],
    ['a name for the whole', fullName, 'front', { values: 'fullnameOverride: front\n' }],
    [
      'the whole name, where both are set',
      fullName,
      'front',
      { values: 'fullnameOverride: front\nnameOverride: x\n' },
    ],
    ['an empty name is none', fullName, 'api-web', { values: 'fullnameOverride: ""\nnameOverride: ""\n' }],
    ['an absent name is none', fullName, 'api-web', { values: 'fullnameOverride: null\n' }],
    ['the chart by its helper in quotes', '{{ include "web.name" . | quote }}', 'web', {}],
    ['the chart by its helper at the root', '{{ include "web.name" $ }}', 'web', {}],
    ['a value', '{{ .Values.title }}', 'front', { values: 'title: front\n' }],
    ['a value with text around it', 'x-{{ .Values.title }}-y', 'x-front-y', { values: 'title: front\n' }],
    ['the release in quotes', '{{ .Release.Name | quote }}', 'api', {}],
    ['the chart by its name', '{{ .Chart.Name }}', 'web', {}],
    ['the root of the release', '{{ $.Release.Name }}', 'api', {}],
    ['the release and its namespace', '{{ .Release.Name }}-{{ .Release.Namespace }}', 'api-shop', {}],
  ])('is known of %s', (_, template, name, of) => {
    expect(declares(template, name, of)).toBe('declared');
    expect(declares(template, `${name}x`, of)).toBe('not-declared');
  });

  it('is cut after 63 characters, and ends with no dash', () => {
    const release = 'r'.repeat(53);
    const values = (name: string): Case => ({ release, values: `nameOverride: ${name}\n` });
    expect(declares(fullName, `${release}-abcdefghi`, values('abcdefghijkl'))).toBe('declared');
    expect(declares(fullName, `${release}-abcdefgh`, values('abcdefgh-jkl'))).toBe('declared');
    expect(declares(shortName, 'a'.repeat(63), { values: `nameOverride: ${'a'.repeat(70)}\n` })).toBe(
      'declared',
    );
  });

  it.each<[string, string, Case]>([
    ['a value that is no text', '{{ .Values.title }}', { values: 'title: 5\n' }],
    ['a value that is absent', '{{ .Values.title }}', {}],
    ['a name override that is no text', fullName, { values: 'nameOverride: 5\n' }],
    [
      'a name override that somebody else sets',
      fullName,
      { overrides: [{ by: 'x', path: ['nameOverride'] }] },
    ],
    [
      'a whole name that somebody else sets',
      fullName,
      { overrides: [{ by: 'x', path: ['fullnameOverride'] }] },
    ],
    [
      'a value that somebody else sets',
      '{{ .Values.title }}',
      {
        values: 'title: api\n',
        overrides: [{ by: 'x', path: ['title'] }],
      },
    ],
    ['a helper that is written in another way', fullName, { helpers: helpers.replaceAll('63', '40') }],
    ['a helper that is written twice', shortName, { helpers: `${helpers}${helpers}` }],
    ['a helper that is missing', fullName, { helpers: '' }],
    ['a function behind the helper', '{{ include "web.name" . | lower }}', {}],
    ['quotes and a function', '{{ .Release.Name | quote | lower }}', {}],
    ['a map for the helper', '{{ include "web.name" .Values }}', {}],
    ['another field of the release', '{{ .Release.Service }}', {}],
    ['a name in capitals', '{{ .Values.title }}', { values: 'title: Front\n' }],
  ])('is not known of %s', (_, template, of) => {
    expect(declares(template, 'api', of)).toBe('unknown');
  });

  it('is not known where a block changes the dot, unless it is taken from the root', () => {
    const inBlock = (text: string): string => `{{ with .Values.labels }}${text}{{ end }}`;
    expect(declares(inBlock('{{ $.Release.Name }}'), 'api')).toBe('declared');
    expect(declares(inBlock('{{ include "web.name" $ }}'), 'web')).toBe('declared');
    expect(declares(inBlock('{{ .Release.Name }}'), 'api')).toBe('unknown');
    expect(declares(inBlock('{{ include "web.name" . }}'), 'web')).toBe('unknown');
  });
});
