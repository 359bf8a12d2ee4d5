import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Names that a built file takes from another one which it loads on demand, and which that file does not export. Node.js
 * refuses such a name of a static import when the program starts. Of a module loaded on demand it gives `undefined`, which
 * fails only where the name is used. Bundlers make such files of packages in CommonJS, with a default export alone.
 *
 * @param {string} folder with the built files
 * @returns {readonly string[]} a line for each name
 */
export function findMissingImports(folder) {
  const exported = new Map();
  const exportsOf = (file) => {
    if (!exported.has(file)) exported.set(file, exportedNames(parse(folder, file)));
    return exported.get(file);
  };
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (!/\bimport\(\s*["'`]\.\//u.test(text)) return [];
    return importsOnDemand(parse(folder, file, text)).flatMap(({ target, names }) => {
      if (!existsSync(join(folder, target))) return [`${file} loads ${target}, which is not in the folder`];
      const found = exportsOf(target);
      if (found.has('*')) return [];
      const isDefaultAlone = found.size === 1 && found.has('default');
      if (names === 'all')
        return isDefaultAlone ? [`${file} reads all of ${target}, which exports a default alone`] : [];
      const missing = names.filter((name) => !found.has(name));
      return missing.map((name) => `${file} takes ${name} from ${target}, which does not export it`);
    });
  });
}

function parse(folder, file, text = readFileSync(join(folder, file), 'utf8')) {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
}

/** Names that a file exports; `*` where it exports all of a file or package that is not read here. */
function exportedNames({ statements }) {
  const names = new Set();
  for (const statement of statements) {
    if (ts.isExportAssignment(statement)) names.add('default');
    else if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause } = statement;
      if (clause === undefined) names.add('*');
      else if (ts.isNamespaceExport(clause)) names.add(clause.name.text);
      else for (const { name } of clause.elements) names.add(name.text);
    } else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      const isDefault = statement.modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
      const declared = statement.declarationList?.declarations.flatMap(({ name }) => boundNames(name));
      for (const name of isDefault ? ['default'] : (declared ?? [statement.name.text])) names.add(name);
    }
  }
  return names;
}

/** Variables that a declaration binds. */
function boundNames(name) {
  return ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

function importsOnDemand(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [path] = node.arguments;
      if (path !== undefined && ts.isStringLiteralLike(path) && path.text.startsWith('./')) {
        found.push({ target: path.text.slice('./'.length), names: namesTaken(node) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Names that the code around an expression takes from its value, which is a module or its promise; `all` if it hands it on. */
function namesTaken(node) {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent) || ts.isAwaitExpression(parent)) return namesTaken(parent);
  if (ts.isExpressionStatement(parent)) return [];
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    const isThen = parent.name.text === 'then' && ts.isCallExpression(parent.parent);
    return isThen ? namesOfCallback(parent.parent.arguments[0]) : [parent.name.text];
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === node) {
    return ts.isStringLiteralLike(parent.argumentExpression) ? [parent.argumentExpression.text] : 'all';
  }
  if (ts.isVariableDeclaration(parent)) return namesOfTarget(parent.name);
  if (ts.isArrayLiteralExpression(parent)) return namesOfElement(parent, parent.elements.indexOf(node));
  return 'all';
}

/** Names taken of one of several promises that `Promise.all` waits for. */
function namesOfElement(array, at) {
  let waited = array.parent;
  while (
    ts.isCallExpression(waited) ||
    ts.isAwaitExpression(waited) ||
    ts.isParenthesizedExpression(waited)
  ) {
    waited = waited.parent;
  }
  if (!ts.isVariableDeclaration(waited) || !ts.isArrayBindingPattern(waited.name)) return 'all';
  const element = waited.name.elements[at];
  if (element === undefined || ts.isOmittedExpression(element)) return [];
  return namesOfTarget(element.name);
}

function namesOfCallback(callback) {
  if (callback === undefined || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)))
    return 'all';
  const [parameter] = callback.parameters;
  return parameter === undefined ? [] : namesOfTarget(parameter.name);
}

/** Names taken by a pattern, or by every use of a variable in the function that declares it. */
function namesOfTarget(target) {
  if (ts.isArrayBindingPattern(target)) return 'all';
  if (ts.isObjectBindingPattern(target)) {
    const names = target.elements.map(({ name, propertyName = name, dotDotDotToken }) =>
      dotDotDotToken === undefined && 'text' in propertyName ? propertyName.text : 'all',
    );
    return names.includes('all') ? 'all' : names;
  }
  const uses = [];
  const visit = (node) => {
    const isUse = ts.isIdentifier(node) && node.text === target.text && node !== target;
    const isName = isUse && node.parent.name === node;
    if (isUse && !isName) uses.push(namesTaken(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.findAncestor(target, (node) => ts.isFunctionLike(node) || ts.isSourceFile(node)));
  return uses.includes('all') ? 'all' : uses.flat();
}
