import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { FieldEdit } from '#src/doctor/git-edits/edit-manifest.js';
import { withField } from '#src/doctor/git-edits/edit-manifest.js';
import type { JsonObject } from '#src/engine/objects/wire.js';
import { about, chartCases, deployment, inPlace, recreate, workloadOf } from '../support/chart-cases.js';
import { editedIn, type Files } from '../support/chart-release.js';
import { ensureTool } from './harness/tools.js';

const tools = ['helm-3', 'helm-4'] as const;
const files = new Map<string, string>();
let folder = '';

beforeAll(async () => {
  for (const tool of tools) files.set(tool, (await ensureTool(tool)).file);
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-helm-'));
}, 1_200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

/** The objects that the real Helm renders, by kind and name; `undefined` where it refuses. */
function rendered(
  tool: string,
  chart: Files,
  valueFiles: readonly string[],
): Map<string, JsonObject> | undefined {
  const root = mkdtempSync(join(folder, 'chart-'));
  for (const [name, text] of Object.entries(chart)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const named = valueFiles.flatMap((name) => ['-f', join(root, name)]);
  try {
    const args = ['template', 'api', root, '-n', 'shop', ...named];
    const text = execFileSync(files.get(tool) ?? '', args, { encoding: 'utf8', stdio: 'pipe' });
    const documents = parseAllDocuments(text, { uniqueKeys: false });
    const objects = Array.isArray(documents) ? documents.flatMap((each) => each.toJS() ?? []) : [];
    return new Map(
      objects.map((object: { kind: string; metadata: { name: string } }) => [
        `${object.kind}/${object.metadata.name}`,
        withoutNulls(object) as JsonObject,
      ]),
    );
  } catch {
    return undefined;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** To the API server, `null` is absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNulls(field)]));
}

/** What the release renders after an edit: the wanted fields of one workload, and nothing else. */
function expected(
  before: ReadonlyMap<string, JsonObject>,
  name: string,
  edits: readonly FieldEdit[],
): ReadonlyMap<string, unknown> {
  const key = `Deployment/${name}`;
  const changed = edits.reduce<unknown>(
    (object, { path, value }) => withField(object, path, value),
    before.get(key),
  );
  return new Map<string, unknown>([...before, [key, changed]]);
}

const guarded = (code: string): string =>
  `  {{- ${code} }}\n  strategy:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}`;
const fields = [
  guarded('with .Values.strategy'),
  guarded('with .Values.server.strategy'),
  '  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}',
  '  strategy: {{ .Values.server.strategy | toYaml | nindent 4 }}',
  '  {{- if .Values.strategy }}\n  strategy:\n{{ toYaml .Values.strategy | indent 4 }}\n  {{- end }}',
  '  {{- if .Values.strategy }}\n  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}\n  minReadySeconds: 5\n  {{- end }}',
  '  {{- with .Values.server }}\n  strategy:\n    {{- toYaml .strategy | nindent 4 }}\n  {{- end }}',
  '  strategy:\n    type: {{ .Values.strategy.type }}\n    {{- with .Values.strategy.rollingUpdate }}\n    rollingUpdate:\n      maxSurge: {{ .maxSurge }}\n      maxUnavailable: {{ .maxUnavailable }}\n    {{- end }}',
  '  strategy:\n    type: {{ .Values.type | quote }}\n    {{- if .Values.rolling }}\n    rollingUpdate:\n      {{- toYaml .Values.rolling | nindent 6 }}\n    {{- end }}',
  '  strategy:\n    {{- toYaml .Values.strategy | nindent 2 }}',
  '  strategy:\n    {{- include "strategy" . | nindent 4 }}',
  '  {{- range $name, $value := .Values.all }}\n  {{ $name }}:\n    {{- toYaml $value | nindent 4 }}\n  {{- end }}',
];
const around = [
  ...[
    '',
    '  paused: false',
    '  {{- if .Values.x }}\n  minReadySeconds: 1\n  {{- end }}',
    '  # {{ .Values.x }} strategy:',
  ],
  ...['  {{ .Values.text }}', '  {{- toYaml .Values.more | nindent 2 }}', '  {{- /* strategy: */}}'],
];
const valueLines = [
  'strategy: {}',
  'strategy: null',
  'strategy:\n  type: Recreate',
  'strategy:\n  type: RollingUpdate\n  rollingUpdate: {maxSurge: 25%, maxUnavailable: "25%"}',
  'strategy:\n  rollingUpdate: null',
  'server:\n  port: 1',
  'server:\n  strategy: {type: Recreate}',
  'type: RollingUpdate',
  'rolling: {maxSurge: 1}',
  'x: true',
  'text: "strategy: {type: Recreate}"',
  'more: {strategy: {type: Recreate}}',
  'all:\n  strategy:\n    type: Recreate',
];
const others = [
  '',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: {{ .Values.strategy | toJson | quote }}\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: {{ .Values.x | quote }}\n',
];

/** Values with each key once. */
const values = fc.uniqueArray(fc.constantFrom(...valueLines), {
  maxLength: 4,
  selector: (line) => line.split(':')[0],
});
const release = fc.record({
  field: fc.constantFrom(...fields),
  before: fc.constantFrom(...around),
  after: fc.constantFrom(...around),
  other: fc.constantFrom(...others),
  defaults: values,
  given: fc.array(values, { maxLength: 2 }),
  edits: fc.constantFrom(inPlace, recreate),
  isGuarded: fc.boolean(),
});

describe.each(tools)('what %s renders after an edit of values', (tool) => {
  it.each(chartCases.map((each) => [each.title, each] as const))('has the wanted fields: %s', (_, each) => {
    const { valueFiles = [], edits, file, text } = each;
    const before = rendered(tool, each.files, valueFiles);
    if (before === undefined) throw new Error('the chart does not render');
    expect(before.has(`Deployment/${workloadOf(each)}`)).toBe(true);
    expect(rendered(tool, { ...each.files, [file]: text }, valueFiles)).toEqual(
      expected(before, workloadOf(each), edits),
    );
  });

  it('has the wanted fields and no others, in random charts', () => {
    let edited = 0;
    fc.assert(
      fc.property(release, ({ field, before, after, other, defaults, given, edits, isGuarded }) => {
        const text = deployment([before, field, after].join('\n'));
        const names = given.map((_, at) => `values-${at}.yaml`);
        const linesOf = (lines: readonly string[]): string => [...lines, 'z: 1', ''].join('\n');
        const chart: Files = {
          'Chart.yaml': about,
          'values.yaml': linesOf(defaults),
          'templates/deployment.yaml': isGuarded ? `{{- if .Values.z }}\n${text}{{- end }}\n` : text,
          'templates/_helpers.tpl': '{{- define "strategy" -}}\ntype: {{ .Values.type }}\n{{- end -}}\n',
          ...(other === '' ? {} : { 'templates/other.yaml': other }),
          ...Object.fromEntries(given.map((lines, at) => [`values-${at}.yaml`, linesOf(lines)])),
        };
        const result = editedIn({ files: chart, valueFiles: names }, edits);
        if (result.type === 'refusal') return;
        const present = rendered(tool, chart, names);
        // No cluster has a release that does not render.
        if (present === undefined) return;
        edited += 1;
        expect(rendered(tool, { ...chart, [result.file.path]: result.text }, names)).toEqual(
          expected(present, 'api', edits),
        );
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    );
    expect(edited).toBeGreaterThan(0);
  }, 600_000);
});
