import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

const maxWords = 30;

/** Dialect of the first version of this project, and what replaces it. CONTRIBUTING.md has the rules. */
const refused: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/^(that|there|such|so long|whoever|counted|compared)\b/iu, 'start with the noun that is meant'],
  [/^what (?!happens$)/iu, 'start with the noun that is meant'],
  [/\b(no|any|some|every)body\b|\bwhoever\b|\bwhom\b/iu, 'name the person or the object'],
  [/;/u, 'two sentences'],
  [/\bstand(s|ing)? (still|in the way)|\bstood still/iu, 'is stuck, blocks'],
  [/\bwaits? for itself|\bcircle\b/iu, 'is deadlocked, a wait cycle'],
  [/\bways? out\b/iu, 'fix, Recommended fix, Other options'],
  [/\b(not offered|withheld)\b/iu, 'not recommended'],
  [/\blook(s|ed|ing)?\b/iu, 'diagnose, diagnosis, check, read'],
  [/\bkeep it off\b/iu, 'exclude the node'],
  [/\brevision before\b/iu, 'roll back to revision N'],
  [/\bgap\b/iu, 'downtime'],
  [/\b(carry|carries|carried)\b/iu, 'can run the pod, apply'],
  [/\bis taken by\b/iu, 'is in use by'],
  [/\b(is|are) served\b/iu, 'N of M pods ready'],
  [/\b(told|tells?|says?|said|speaks?|spoken|hears?|heard)\b/iu, 'report, state, send, receive'],
  [/\b(asks?|asked|asking) (me|us|whether|at|about|it|for)\b/iu, 'request, check'],
  [/\bwhat it is not\b|\bwhat I (saw|could not)/iu, 'Ruled out, Evidence, Could not be read'],
  [/\btries again\b/iu, 'next retry'],
  [/\bat moment\b/u, 'leave out "at": Slack shows a moment as "today 3:39 PM"'],
  [/\b1 time in\b/iu, 'in about 1 of N cases'],
  [
    /\bin order again\b|(?<!\bas )\b(un)?well\b|\bsick\b|\bheal(ed|s)\b|\bail/iu,
    'healthy, unhealthy, recovered',
  ],
  [/\btroubles?\b|\bthe matter\b/iu, 'affects, problem'],
  [/\bput(s|ting)? back\b/iu, 'restore'],
  [/\bon (its|the) way\b|\bunder way\b/iu, 'in progress'],
  [/\bby (it|them)sel(f|ves)\b/iu, 'on its own, or the cause'],
  [/\b(any more)\b/iu, 'no longer'],
  [/\bby hand\b.*\bby hand\b|\bplease\b|\bsimply\b/iu, 'leave it out'],
  [/\((가|를|는|으)\)/u, 'a noun whose particle is known'],
  [/살펴보|다시 보기|혹시 이 중에/u, '진단, 확인, 다시 진단, 다음 중 하나인가요?'],
  [/자기 자신을 기다|제자리에서|쫓겨/u, '교착 상태, 이전 파드를 먼저 내리고 교체, 축출'],
  [/제안하지 않|버튼으로 해결/u, '권장하지 않음'],
  [/아닌 것으로 확인|확인한 값|도움이 되는 것/u, '배제된 원인, 증거, 추가 조치'],
  [/개 중 \S*개(만|가)? 준비(됨|되)/u, 'Ready N/M'],
  [/묻지 않|물어보/u, '자동 메시지, 요청'],
  [/시험 실행|객체|쉬운 말로|알지 못하는/u, '드라이런, 오브젝트, 설명, 알 수 없는'],
];

const templateStart = '\u0024{';

export interface WordProblem {
  readonly line: number;
  readonly sentence: string;
  readonly problem: string;
}

/**
 * Every problem in the sentences of a source file: its strings and templates, without keys, types and code.
 */
export function wordProblems(source: string): readonly WordProblem[] {
  return textsOf(source.replaceAll(/\bat \$\{(?=(exactM|m)oment\()/gu, `at moment ${templateStart}`)).flatMap(
    ({ line, text }) =>
      sentencesOf(text).flatMap((sentence) =>
        problemsOf(sentence).map((problem) => ({ line, sentence, problem })),
      ),
  );
}

export function countSentences(source: string): number {
  return textsOf(source).flatMap(({ text }) => sentencesOf(text)).length;
}

/**
 * Files with sentences below these paths: catalogues, tables of words, and each file that is named itself.
 *
 * @param paths of files or folders, from the root of the project
 */
export function filesWithSentences(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (statSync(root + path).isFile()) return [path];
    return readdirSync(root + path, { recursive: true, encoding: 'utf8' })
      .map((name) => `${path}/${name}`)
      .filter((name) => name.endsWith('.ts'))
      .filter(
        (name) =>
          /(text|words)\.ts$/u.test(name) || /\bCatalogue<|\bconst ko: typeof en\b/u.test(sourceOf(name)),
      );
  });
}

export function sourceOf(path: string): string {
  return readFileSync(root + path, 'utf8');
}

function problemsOf(sentence: string): readonly string[] {
  const words = sentence.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return [
    ...(words.length > maxWords ? [`${words.length} words, at most ${maxWords}`] : []),
    ...refused
      .filter(([phrase]) => phrase.test(sentence))
      .map(([phrase, instead]) => `${phrase} → ${instead}`),
  ];
}

/** Indented lines are examples of commands. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s{2}/u.test(line))
    .flatMap((line) => line.split(/(?<=[.?!…:])\s+/u))
    .map((sentence) => sentence.trim().replace(/[.:…]$/u, ''))
    .filter((sentence) => /\s/u.test(sentence) || /\p{Lu}|[가-힣]/u.test(sentence));
}

function textsOf(source: string): readonly { readonly line: number; readonly text: string }[] {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
  const texts: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (isFact(node)) return;
    const text = isCode(node) ? undefined : textOf(node);
    if (text !== undefined) {
      texts.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    }
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/** A value in a template counts as one word. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

/** The description of a fact is a line of a reference, no sentence of a surface. */
function isFact(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    (node.expression.name.text === 'describe' || node.expression.expression.getText() === 'fact')
  );
}

/** Keys of objects, module names, what is compared, and the examples in `code('…')`. */
function isCode(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isSourceFile(node)) return false;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
  if (ts.isCallExpression(parent)) return parent.expression.getText() === 'code';
  return ts.isPropertyAssignment(parent) && parent.name === node;
}
