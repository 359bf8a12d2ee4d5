/**
 * What a nightly run covered: each test file with its tests and seconds, and each file of the night that it left out.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folders of the night, and which of their files belong to it. */
const folders = [
  { folder: 'test/cluster', end: '.test.ts' },
  { folder: 'test/node', end: '.nightly.test.ts' },
  { folder: 'test/scenario', end: '.test.ts' },
  { folder: 'test/system', end: '.test.ts' },
  { folder: 'test/thorough', end: '.nightly.test.ts' },
];

/** Every test file that a night runs. */
export function nightTests() {
  return folders.flatMap(({ folder, end }) =>
    readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url)), { recursive: true })
      .filter((name) => name.endsWith(end))
      .map((name) => `${folder}/${name}`)
      .sort(),
  );
}

/**
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number }} CountedFile
 * @param {readonly { kubernetes: string | undefined, isWithout?: boolean, files: readonly CountedFile[] }[]} runs
 *   `isWithout`: of recordings or processes, without a cluster
 * @param {string} seed
 * @returns {{ lines: readonly string[], left: readonly string[] }} `left`: files of which no test ran
 */
export function coverageOf(runs, seed, all = nightTests()) {
  const place = ({ kubernetes, isWithout }) => {
    if (isWithout) return 'without a cluster:';
    return `on ${kubernetes === undefined ? 'the default release of Kubernetes' : `Kubernetes ${kubernetes}`}, seed ${seed}:`;
  };
  const lines = runs.flatMap(({ files, ...run }) => [
    `Covered ${place(run)}`,
    ...files.toSorted((a, b) => b.seconds - a.seconds).map(describeFile),
  ]);
  const seen = new Set(
    runs.flatMap(({ files }) =>
      files.filter((file) => file.passed + file.failed > 0).map(({ name }) => name),
    ),
  );
  const left = all.filter((name) => !seen.has(name));
  lines.push(left.length === 0 ? 'No file was left out.' : `Left out: ${left.join(', ')}`);
  return { lines, left };
}

const describeFile = ({ name, passed, failed, skipped, seconds }) =>
  [
    `  ${name}: ${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${Math.round(seconds)} s`,
  ].join(', ');
