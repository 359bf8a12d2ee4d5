import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { counts, readHouse } from '../../scripts/house-counts.mjs';

const script = fileURLToPath(new URL('../../scripts/house.mjs', import.meta.url));
const own = JSON.parse(
  readFileSync(new URL('../../scripts/house-limits.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>;

interface Limits {
  readonly [id: string]: { readonly limit: number };
}

/** Runs the script on these sources. The limits that are not named are far above every count. */
function runHouse(
  sources: Readonly<Record<string, string>>,
  named: Readonly<Record<string, number>> = {},
  ...options: readonly string[]
): { readonly output: string; readonly status: number | null; readonly limits: Limits } {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-house-'));
  const limitsFile = join(folder, 'scripts/house-limits.json');
  const limits = Object.fromEntries(Object.keys(own).map((id) => [id, { limit: named[id] ?? 1_000 }]));
  try {
    for (const [path, text] of Object.entries({ ...sources, 'workers/main.ts': '' })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    mkdirSync(dirname(limitsFile));
    writeFileSync(limitsFile, JSON.stringify(limits));
    const ran = spawnSync(process.execPath, [script, ...options], { cwd: folder, encoding: 'utf8' });
    const after = JSON.parse(readFileSync(limitsFile, 'utf8')) as Limits;
    return { output: ran.stdout + ran.stderr, status: ran.status, limits: after };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The count of one row in files with these texts. */
const countOf = (id: string, ...texts: readonly string[]): number | undefined => {
  const house = readHouse(new Map(texts.map((text, at) => [`src/engine/file-${at}.ts`, text])));
  return counts.find((each) => each.id === id)?.count(house);
};

const twoFiles = {
  'src/a.ts': 'export const a = 1;\n',
  'src/engine/b.ts': "import { a } from '../a.js';\na;\n",
};

describe('the limits of the house', () => {
  it('are kept by equal counts', () => {
    expect(runHouse(twoFiles, { files: 3, looseFiles: 1 })).toMatchObject({ status: 0 });
  });

  it('fail a count above its limit, and name by how much', () => {
    const { status, output } = runHouse(twoFiles, { files: 2 });

    expect(status).toBe(1);
    expect(output).toMatch(/^files +3 +2 +1 above the limit$/mu);
  });

  it('ask for a lower limit where a count fell', () => {
    const { status, output } = runHouse(twoFiles, { files: 4 });

    expect(status).toBe(0);
    expect(output).toMatch(/^files +3 +4 +lower the limit to 3$/mu);
  });

  it('fall with --lower, and never rise', () => {
    const { status, limits } = runHouse(twoFiles, { files: 4, looseFiles: 0 }, '--lower');

    expect(limits).toMatchObject({ files: { limit: 3 }, looseFiles: { limit: 0 } });
    expect(status).toBe(1);
  });
});

describe('the counts of the house', () => {
  it.each([
    ['an import of types', "import type { a } from './file-0.js';\nlet b: a;\n", 1],
    ['an import of the whole module', "import * as all from './file-0.js';\nall;\n", 1],
    ['an import on demand', "const { a } = await import('./file-0.js');\n", 1],
    ['an import under another name', "import { a as b } from './file-0.js';\nb;\n", 1],
    ['an export again', "export { a } from './file-0.js';\n", 1],
    ['an import of another name', "import { other } from './file-0.js';\nother;\n", 0],
    ['the words of an import', "const text = `import { a } from './file-0.js';`;\n", 0],
  ])('take for a use of an export %s', (_, text, users) => {
    expect(countOf('exportsOfOneUser', 'export const a = 1;\n', text)).toBe(users);
  });

  it.each([
    ['an equality', "if (workload.kind === 'Deployment') stop();", 1],
    ['an inequality with the literal first', "if ('RayService' !== owner.ownerKind) stop();", 1],
    ['a switch', "switch (ref.kind) { case 'Deployment': stop(); }", 1],
    ['no kind of a union of this project', "if (answer.kind === 'refused') stop();", 0],
    ['no other field', "if (pod.phase === 'Running') stop();", 0],
  ])('take for a comparison with a kind of object: %s', (_, text, count) => {
    expect(countOf('kindComparisons', text)).toBe(count);
  });

  it.each([
    ['two files that import each other', "import './file-1.js';\n", "import './file-0.js';\n", 2],
    ['a file that imports another', "import './file-1.js';\n", '', 0],
  ])('find cycles of imports: %s', (_, first, second, count) => {
    expect(countOf('filesInCycles', first, second)).toBe(count);
  });

  it.each([
    ['a literal within a literal', 'const a = { b: 1, ...{ c: 2 } };', 1],
    ['no choice', 'const a = { b: 1, ...(c ? { c } : {}) };', 0],
  ])('find spread literals: %s', (_, text, count) => {
    expect(countOf('spreadLiterals', text)).toBe(count);
  });

  it.each([
    ['a comment of one line', `// ${'word '.repeat(22)}\n`, 1],
    ['a line of a longer comment', `/**\n * ${'word '.repeat(22)}\n */\n`, 1],
    ['no line of a template', `const text = \`\n// ${'word '.repeat(22)}\n\`;\n`, 0],
    ['no comment of 110 columns', `// ${'w'.repeat(107)}\n`, 0],
  ])('find wide comments: %s', (_, text, count) => {
    expect(countOf('wideComments', text)).toBe(count);
  });

  it.each([
    ['a variable', 'const podOracle = 1;', 1],
    ['a field', 'interface Card { readonly standing: string }', 1],
    ['a parameter and a function', 'function priceOf(withheldFix: string) {}', 2],
    ['the plural', 'let takers: number;', 1],
    ['no word that contains it', 'let doorway = 1, outlook = 2, lookup = 3, outstanding = 4;', 0],
    ['no name that only is used', 'import { podOracle } from "a"; podOracle();', 0],
    ['no field of a contract that is read', 'function f({ price, survival = [] }: Remediation) {}', 0],
    ['no field of the type of a contract', 'interface Offer { readonly withheld: readonly string[] }', 0],
    ['a field of a contract under another name', 'const { impact: price } = remediation;', 1],
    ['other declarations of that name', 'const price = 1, [survival] = all, { ...withheld } = a;', 3],
    ['a field of that name in another type', 'interface Fix { readonly price: number }', 1],
    ['no name of the product', 'class RolloutDoctorError {} let doctorCommand = 1;', 0],
  ])('find private words in names: %s', (_, text, count) => {
    expect(countOf('privateWordsInNames', text)).toBe(count);
  });

  it.each([
    ['a word', '/** The oracle of a rollout. */\n', 1],
    ['two words', '// A look at the price.\n', 2],
    ['no verb of plain English', '// The pod looks healthy, and the run lasted an hour.\n', 0],
    ['no command of the product', '/** Checks of `rollout-doctor doctor`. */\n', 0],
    ['no sentence of code', "const text = 'the oracle';\n", 0],
  ])('find private words in comments: %s', (_, text, count) => {
    expect(countOf('privateWordsInComments', text)).toBe(count);
  });

  it('name each way to pair the two languages once', () => {
    const table = 'const a: Record<Language, string> = b;';
    const choice = "const a = language === 'ko' ? b : c;";

    expect(countOf('catalogueIdioms', table, table)).toBe(1);
    expect(countOf('catalogueIdioms', table, choice)).toBe(2);
    expect(countOf('catalogueFiles', table, 'const ko: typeof en = b;')).toBe(1);
  });

  it('count a function name that five files declare', () => {
    const text = 'function evidenceOf() {}\n';

    expect(countOf('sharedFunctionNames', text, text, text, text)).toBe(0);
    expect(countOf('sharedFunctionNames', text, text, text, text, text)).toBe(5);
  });
});
