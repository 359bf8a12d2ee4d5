/**
 * Refuses code that reads the parts of a statement outside `engine/language`: what a program does may depend on typed
 * facts, never on the key or the values of a sentence. The types decide what a statement is, so the compiler is asked.
 */
import { relative } from 'node:path';
import ts from 'typescript';

const parts = new Set(['catalogue', 'key', 'values']);
const language = '/src/engine/language/';
const minFiles = 500;

const config = ts.getParsedCommandLineOfConfigFile(
  'tsconfig.json',
  { noEmit: true },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);
const shipped = config.fileNames.filter((file) => /^(src|workers)\//.test(relative(process.cwd(), file)));
const program = ts.createProgram(shipped, config.options);
const checker = program.getTypeChecker();

function isStatement(type) {
  return type.isUnion() ? type.types.some(isStatement) : [...parts].every((part) => type.getProperty(part));
}

function readsOf(file) {
  const reads = [];
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && parts.has(node.name.text)) {
      if (isStatement(checker.getTypeAtLocation(node.expression))) reads.push(node);
    }
    if (ts.isObjectBindingPattern(node)) {
      const named = node.elements.some((each) => parts.has((each.propertyName ?? each.name).getText()));
      if (named && isStatement(checker.getTypeAtLocation(node))) reads.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return reads.map((node) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${file.fileName}:${line + 1}: ${node.getText()}`;
  });
}

const files = program
  .getSourceFiles()
  .filter(({ fileName }) => /\/(src|workers)\//.test(fileName) && !fileName.includes('/node_modules/'));
const [own, others] = [true, false].map((isOwn) =>
  files.filter(({ fileName }) => fileName.includes(language) === isOwn).flatMap(readsOf),
);
for (const read of others) process.stderr.write(`reads a part of a statement: ${read}\n`);
// The language modules do read statements: a check that finds none there sees nothing at all.
const sees = files.length >= minFiles && own.length > 0;
if (!sees)
  process.stderr.write(`The check saw ${files.length} files and ${own.length} reads in ${language}.\n`);
process.exit(others.length === 0 && sees ? 0 : 1);
