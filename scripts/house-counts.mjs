import { posix } from 'node:path';
import ts from 'typescript';
import { contractFields, contractTypes, privateWordsIn, privateWordsInName } from './private-words.mjs';

const { SyntaxKind } = ts;

/** Width of a line for the formatter, which leaves comments as they are. */
const maxColumns = 110;

/** Names of files that hold sentences; others are found by their types. */
const sentenceFile = /(?:^|-)(?:text|words|en|ko)\.ts$/u;

/** A function name that this many files declare is a role, which a contract should name once. */
const minSharing = 5;

/**
 * What is counted of the shipped sources. A count only falls: `house-limits.json` has its limit and, where there is one,
 * the aim.
 *
 * @type {readonly { readonly id: string, readonly title: string, readonly count: (house: House) => number }[]}
 */
export const counts = [
  { id: 'files', title: 'files', count: ({ files }) => files.length },
  { id: 'lines', title: 'lines', count: ({ files }) => sum(files, ({ lines }) => lines) },
  {
    id: 'looseFiles',
    title: 'files directly in src',
    count: ({ files }) => matching(files, ({ path }) => posix.dirname(path) === 'src'),
  },
  {
    id: 'shortFiles',
    title: 'files under 40 lines',
    count: ({ files }) => matching(files, ({ lines }) => lines < 40),
  },
  {
    id: 'longFiles',
    title: 'files over 600 lines',
    count: ({ files }) => matching(files, ({ lines }) => lines > 600),
  },
  {
    id: 'filesOfOneImporter',
    title: 'files with exactly one importer',
    count: ({ files, importersOf }) => matching(files, ({ path }) => importersOf(path).length === 1),
  },
  {
    id: 'filesInCycles',
    title: 'files in cycles of imports',
    count: ({ files, importsOf }) => filesInCycles(files, importsOf),
  },
  {
    id: 'exportsOfOneUser',
    title: 'exports that one other file uses',
    count: ({ exportUsers }) => matching(exportUsers, (users) => users === 1),
  },
  {
    id: 'exportsOfNoUser',
    title: 'exports that no other file uses',
    count: ({ exportUsers }) => matching(exportUsers, (users) => users === 0),
  },
  {
    id: 'kindComparisons',
    title: 'comparisons with a kind of object',
    count: ({ files }) => sum(files, ({ kindComparisons }) => kindComparisons),
  },
  {
    id: 'filesComparingKinds',
    title: 'files that compare with a kind',
    count: ({ files }) => matching(files, ({ kindComparisons }) => kindComparisons > 0),
  },
  {
    id: 'filesNamingRayService',
    title: 'files that name RayService',
    count: ({ files }) => matching(files, ({ text }) => text.includes('RayService')),
  },
  {
    id: 'catalogueFiles',
    title: 'files with sentences',
    count: ({ files }) => matching(files, isCatalogue),
  },
  {
    id: 'catalogueLines',
    title: 'lines of sentences',
    count: ({ files }) => sum(files, ({ sentenceLines }) => sentenceLines),
  },
  {
    id: 'catalogueIdioms',
    title: 'ways to pair the languages',
    count: ({ files }) => new Set(files.flatMap(({ idioms }) => [...idioms])).size,
  },
  {
    id: 'sharedFunctionNames',
    title: `functions with a name of ${minSharing} files`,
    count: ({ files }) => declarationsOfSharedNames(files),
  },
  {
    id: 'spreadLiterals',
    title: 'literals spread into literals',
    count: ({ files }) => sum(files, ({ spreadLiterals }) => spreadLiterals),
  },
  {
    id: 'wideComments',
    title: `comment lines over ${maxColumns} columns`,
    count: ({ files }) =>
      sum(files, ({ comments }) => matching(comments, (line) => line.length > maxColumns)),
  },
  {
    id: 'privateWordsInNames',
    title: 'declared names with private words',
    count: ({ files }) => sum(files, ({ names }) => matching(names, privateWordsInName)),
  },
  {
    id: 'privateWordsInComments',
    title: 'private words in comments',
    count: ({ files }) => sum(files, ({ comments }) => sum(comments, privateWordsIn)),
  },
];

/**
 * @typedef {ReturnType<typeof readFile>} SourceFile
 * @typedef {ReturnType<typeof readHouse>} House
 */

/**
 * What the counts are made of, by the syntax trees.
 *
 * @param {ReadonlyMap<string, string>} sources texts by path from the root of the project, with `/`
 */
export function readHouse(sources) {
  const files = [...sources].map(([path, text]) => readFile(path, text));
  const known = new Set(sources.keys());
  const imports = new Map(
    files.map(({ path, taken }) => [
      path,
      taken
        .map(({ from, name }) => ({ file: resolve(path, from), name }))
        .filter(({ file }) => known.has(file)),
    ]),
  );
  const importers = new Map(files.map(({ path }) => [path, new Set()]));
  const users = new Map();
  for (const [path, taken] of imports) {
    for (const { file, name } of taken) {
      importers.get(file).add(path);
      const key = `${file} ${name}`;
      users.set(key, (users.get(key) ?? new Set()).add(path));
    }
  }
  const usersOf = (file, name) =>
    new Set(['*', name].flatMap((each) => [...(users.get(`${file} ${each}`) ?? [])]));
  return {
    files,
    importersOf: (path) => [...importers.get(path)],
    importsOf: (path) => imports.get(path).map(({ file }) => file),
    /** For each export of each file: how many other files use it. */
    exportUsers: files.flatMap(({ path, exported }) => exported.map((name) => usersOf(path, name).size)),
  };
}

function resolve(path, from) {
  const target = from.startsWith('#src/') ? `src/${from.slice(5)}` : posix.join(posix.dirname(path), from);
  return target.replace(/\.js$/u, '.ts');
}

/** @param {string} path @param {string} text */
function readFile(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = {
    path,
    text,
    lines: text.split('\n').length - 1,
    /** @type {{ readonly from: string, readonly name: string }[]} */
    taken: [],
    exported: tree.statements.flatMap(exportedNames),
    /** @type {string[]} */
    functions: [],
    /** @type {string[]} */
    names: [],
    kindComparisons: 0,
    spreadLiterals: 0,
    idioms: new Set(),
    /** @type {readonly string[]} */
    comments: [],
    /** All of a file of sentences; of another, those of its `en` and `ko`. */
    sentenceLines: sentenceFile.test(path)
      ? text.split('\n').length - 1
      : sum(tree.statements, (each) => linesOfSentences(each, tree)),
  };
  const templates = [];
  const visit = (node) => {
    found.taken.push(...takenBy(node));
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) found.functions.push(node.name.text);
    if (
      isDeclaration(node) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name) &&
      !isContractField(node)
    ) {
      found.names.push(node.name.text);
    }
    if (comparesKind(node)) found.kindComparisons += 1;
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      found.spreadLiterals += 1;
    const idiom = idiomOf(node);
    if (idiom !== undefined) found.idioms.add(idiom);
    if (node.kind === SyntaxKind.NoSubstitutionTemplateLiteral || ts.isTemplateExpression(node)) {
      templates.push([node.pos, node.end]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  found.comments = commentLines(text, templates);
  return found;
}

function linesOfSentences(statement, tree) {
  if (!ts.isVariableStatement(statement)) return 0;
  const named = statement.declarationList.declarations.filter(({ name }) =>
    /^(?:en|ko)$/u.test(name.text ?? ''),
  );
  const lineAt = (at) => tree.getLineAndCharacterOfPosition(at).line;
  return sum(named, (each) => lineAt(each.end) - lineAt(each.getStart(tree)) + 1);
}

/** Lines that hold a comment alone. A line within a template is text. */
function commentLines(text, templates) {
  const lines = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const at = start;
    const isText = /^\s*(?:\/\/|\/\*|\*)/u.test(line);
    if (isText && !templates.some(([from, to]) => from < at && at < to)) lines.push(line);
    start += line.length + 1;
  }
  return lines;
}

function exportedNames(statement) {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: clause } = statement;
    return clause !== undefined && ts.isNamedExports(clause)
      ? clause.elements.map(({ name }) => name.text)
      : [];
  }
  if (!statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)) return [];
  const declared = statement.declarationList?.declarations ?? [statement];
  return declared.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []));
}

/** What a node takes of other files; `*` where it takes a module as a whole. */
function takenBy(node) {
  if (ts.isImportDeclaration(node)) {
    const from = node.moduleSpecifier.text;
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [{ from, name: '*' }];
    return bindings.elements.map(({ name, propertyName = name }) => ({ from, name: propertyName.text }));
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const from = node.moduleSpecifier.text;
    const { exportClause: clause } = node;
    if (clause === undefined || !ts.isNamedExports(clause)) return [{ from, name: '*' }];
    return clause.elements.map(({ name, propertyName = name }) => ({ from, name: propertyName.text }));
  }
  const isOnDemand = ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
  const argument = isOnDemand ? node.arguments[0] : undefined;
  if (argument !== undefined && ts.isStringLiteral(argument)) return [{ from: argument.text, name: '*' }];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return [{ from: node.argument.literal.text, name: '*' }];
  }
  return [];
}

function isDeclaration(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node)
  );
}

/** A field that a contract names, where it is read under its own name or where its type is declared. */
function isContractField(node) {
  if (!contractFields.has(node.name.text)) return false;
  if (ts.isBindingElement(node)) {
    const isOwnName = node.propertyName === undefined && node.dotDotDotToken === undefined;
    return isOwnName && ts.isObjectBindingPattern(node.parent);
  }
  return ts.isPropertySignature(node) && contractTypes.has(node.parent.name?.text);
}

/** Kinds of Kubernetes objects begin with a capital; those of unions of this project do not. */
function comparesKind(node) {
  const isKind = (each) => /(?:^|\.)\w*[kK]ind$/u.test(nameOf(each) ?? '');
  const isLiteral = (each) => ts.isStringLiteral(each) && /^[A-Z]/u.test(each.text);
  if (ts.isSwitchStatement(node)) {
    return (
      isKind(node.expression) &&
      node.caseBlock.clauses.some((each) => ts.isCaseClause(each) && isLiteral(each.expression))
    );
  }
  if (!ts.isBinaryExpression(node)) return false;
  const operator = node.operatorToken.kind;
  if (
    operator !== SyntaxKind.EqualsEqualsEqualsToken &&
    operator !== SyntaxKind.ExclamationEqualsEqualsToken
  ) {
    return false;
  }
  const { left, right } = node;
  return (isKind(left) && isLiteral(right)) || (isLiteral(left) && isKind(right));
}

function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : undefined;
}

/** In which way a node pairs a sentence with the same one in the other language. */
function idiomOf(node) {
  if (isKoreanOfEnglish(node)) return koreanOfEnglish;
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
    const { text } = node.typeName;
    const [key] = node.typeArguments ?? [];
    if (text === 'Record' && key !== undefined && isLanguageType(key)) return 'Record';
  }
  if (ts.isMappedTypeNode(node)) {
    const { constraint } = node.typeParameter;
    return constraint !== undefined && isLanguageType(constraint) ? 'Record' : undefined;
  }
  const isChoice = ts.isConditionalExpression(node) && ts.isBinaryExpression(node.condition);
  if (isChoice && /^language$/iu.test(nameOf(node.condition.left) ?? '')) return 'condition';
  return undefined;
}

const koreanOfEnglish = 'typeof en';

/** `const ko: typeof en`: the same keys, with the same values. */
function isKoreanOfEnglish(node) {
  const isKorean = ts.isVariableDeclaration(node) && /^ko$|Ko$/u.test(nameOf(node.name) ?? '');
  return isKorean && node.type !== undefined && ts.isTypeQueryNode(node.type);
}

function isLanguageType(node) {
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'Language';
}

function isCatalogue({ path, idioms }) {
  return sentenceFile.test(posix.basename(path)) || idioms.has(koreanOfEnglish);
}

function declarationsOfSharedNames(files) {
  const declaring = new Map();
  for (const { functions } of files) {
    for (const name of new Set(functions)) declaring.set(name, (declaring.get(name) ?? 0) + 1);
  }
  return sum([...declaring.values()], (count) => (count >= minSharing ? count : 0));
}

/** Files that reach themselves by imports, by the algorithm of Tarjan. */
function filesInCycles(files, importsOf) {
  const orders = new Map();
  const open = [];
  let count = 0;
  const visit = (path) => {
    const order = orders.size;
    let lowest = order;
    orders.set(path, order);
    open.push(path);
    for (const target of importsOf(path)) {
      if (!orders.has(target)) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, orders.get(target));
    }
    if (lowest === order) {
      const members = open.splice(open.indexOf(path));
      if (members.length > 1 || importsOf(path).includes(path)) count += members.length;
    }
    return lowest;
  };
  for (const { path } of files) if (!orders.has(path)) visit(path);
  return count;
}

function sum(items, read) {
  return items.reduce((total, item) => total + Number(read(item)), 0);
}

function matching(items, test) {
  return items.filter((item) => test(item)).length;
}
