import { valueAt } from '../kustomize/transform.js';
import type { Block, Helper, Piece } from './template-skeleton.js';
import { simpleValue, type ValuePath } from './value-expression.js';

/** What names of objects of a release are made of. */
export interface NameSources {
  readonly release: { readonly name: string; readonly namespace: string };
  /** Its alias, for a chart that another one depends on. */
  readonly chartName: string;
  readonly values: unknown;
  /** Whether something sets a value, or a part of it, that is not read. */
  readonly isOverridden: (path: ValuePath) => boolean;
  /** Of all charts that are rendered together. */
  readonly helpers: readonly Helper[];
}

/** As `helm create` writes them since Helm 3.0 (helm `pkg/chart/v2/util/create.go: defaultHelpers`). */
const trimmed = '| trunc 63 | trimSuffix "-"';
const nameHelper = `{{default .Chart.Name .Values.nameOverride ${trimmed}}}`;
const fullNameHelper = [
  '{{if .Values.fullnameOverride}}',
  `{{.Values.fullnameOverride ${trimmed}}}`,
  '{{else}}',
  '{{$name := default .Chart.Name .Values.nameOverride}}',
  '{{if contains $name .Release.Name}}',
  `{{.Release.Name ${trimmed}}}`,
  '{{else}}',
  `{{printf "%s-%s" .Release.Name $name ${trimmed}}}`,
  '{{end}}',
  '{{end}}',
].join('');

/**
 * A name or namespace with the outputs of a template in it; `undefined` where one of them is neither of the
 * release, nor a simple value, nor a helper as `helm create` writes it.
 *
 * @param text with marks
 */
export function nameIn(text: string, pieces: readonly Piece[], sources: NameSources): string | undefined {
  let isKnown = true;
  const name = text.replace(/\uE000(\d+)\uE001/gu, (_, number: string) => {
    const piece = pieces[Number(number)];
    const part = piece?.output && partOf(piece.output.stages, piece.blocks, sources);
    if (part === undefined) isKnown = false;
    return part ?? '';
  });
  return isKnown && /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/u.test(name) ? name : undefined;
}

function partOf(
  stages: readonly string[],
  blocks: readonly Block[],
  sources: NameSources,
): string | undefined {
  const value = simpleValue(stages, blocks);
  if (value !== undefined) {
    const isKnown = value.as !== 'yaml' && !sources.isOverridden(value.path);
    const found = isKnown ? valueAt(sources.values, value.path) : undefined;
    return typeof found === 'string' ? found : undefined;
  }
  const [first = '', ...more] = stages;
  if (more.length > 1 || (more.length === 1 && more[0] !== 'quote')) return undefined;
  const isInWith = blocks.some(({ keyword }) => keyword === 'with' || keyword === 'range');
  const [, root, named] = /^(\$?)\.(Release\.Name|Release\.Namespace|Chart\.Name)$/u.exec(first) ?? [];
  if (named !== undefined) {
    if (root === '' && isInWith) return undefined;
    const { release, chartName } = sources;
    return { 'Release.Name': release.name, 'Release.Namespace': release.namespace }[named] ?? chartName;
  }
  const [, helper, context] = /^include\s+"([^"]{1,200})"\s+(\.|\$)$/u.exec(first) ?? [];
  if (helper === undefined || (context === '.' && isInWith)) return undefined;
  return helperName(helper, sources);
}

function helperName(name: string, sources: NameSources): string | undefined {
  const { helpers, chartName, release } = sources;
  const [helper, second] = helpers.filter((each) => each.name === `"${name}"`);
  if (helper === undefined || second !== undefined) return undefined;
  const short = overrideIn(sources, 'nameOverride') ?? chartName;
  if (helper.body === nameHelper) return cut(short);
  if (helper.body !== fullNameHelper) return undefined;
  const full = overrideIn(sources, 'fullnameOverride');
  if (full !== undefined) return cut(full);
  return cut(release.name.includes(short) ? release.name : `${release.name}-${short}`);
}

function overrideIn({ values, isOverridden }: NameSources, key: string): string | undefined {
  const value = isOverridden([key]) ? false : valueAt(values, [key]);
  if (value === undefined || value === null || value === '') return undefined;
  // A name that is no text cannot be a name of an object.
  return typeof value === 'string' ? value : '\0';
}

function cut(name: string): string {
  const short = name.slice(0, 63);
  return short.endsWith('-') ? short.slice(0, -1) : short;
}
