import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A regular expression as a source file contains it. */
export interface Expression {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** A `RegExp(…)` whose source is put together while the program runs. */
export interface DynamicExpression {
  readonly file: string;
  readonly line: number;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every regular expression of `src` and `workers`, found by the compiler's own parser. */
export function expressionsInSources(): {
  readonly expressions: readonly Expression[];
  readonly dynamic: readonly DynamicExpression[];
} {
  const found = ['src', 'workers'].flatMap(typeScriptFiles).map(expressionsInFile);
  return {
    expressions: found.flatMap(({ expressions }) => expressions),
    dynamic: found.flatMap(({ dynamic }) => dynamic),
  };
}

function typeScriptFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, folder, name))
    .sort();
}

function expressionsInFile(path: string) {
  const file = relative(root, path);
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
  const expressions: Expression[] = [];
  const dynamic: DynamicExpression[] = [];
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const slash = node.text.lastIndexOf('/');
      expressions.push({ file, line, source: node.text.slice(1, slash), flags: node.text.slice(slash + 1) });
    }
    const makes = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (makes && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      const given = textOf(source);
      if (given === undefined) dynamic.push({ file, line });
      else expressions.push({ file, line, source: given, flags: textOf(flags) ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, dynamic };
}

/** A literal without anything put in; `undefined` for whatever has to be evaluated. */
function textOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  const isRaw = ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template);
  return isRaw ? (node.template.rawText ?? node.template.text) : undefined;
}
