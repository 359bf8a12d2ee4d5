/**
 * `npm run scenarios -- [FOLDER…] [--program FILE]`: diagnoses every recorded incident with the built command
 * line, one process each, and prints a table by expected cause. Exits with 1 when an answer is wrong, 2 on
 * wrong usage, 3 without incidents.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { causesWanted, disagreements, familyOf } from '../support/scenarios/compare-answer.js';
import { type Scenario, scenarios, scenariosFolder } from '../support/scenarios/expectation.js';

interface Compared {
  readonly scenario: Scenario;
  readonly wrong: readonly string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string', default: 'dist/rollout-doctor.js' } },
});
const waiting = (positionals.length > 0 ? positionals : [scenariosFolder]).flatMap((folder) =>
  scenarios(folder),
);
if (waiting.length === 0) {
  console.error('These folders contain no recorded incident.');
  process.exit(3);
}

const compared: Compared[] = [];
const all = waiting.length;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      compared.push({ scenario, wrong: await ask(scenario) });
    }
  }),
);

printCounts('expected cause', groupOf);
printCounts('expected', ({ scenario }) => familyOf(scenario.expect));
const failed = compared.filter(({ wrong }) => wrong.length > 0);
console.log(`\n${all} diagnosed, ${failed.length} wrong`);
for (const { scenario, wrong } of failed) console.log(`${scenario.folder}: ${wrong.join('; ')}`);
process.exit(failed.length === 0 ? 0 : 1);

function printCounts(title: string, nameOf: (one: Compared) => string): void {
  const groups = new Map<string, Compared[]>();
  for (const one of compared) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  console.log(`\n| ${title} | incidents | right |\n| --- | ---: | ---: |`);
  for (const [name, members] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(
      `| ${name} | ${members.length} | ${members.filter(({ wrong }) => wrong.length === 0).length} |`,
    );
  }
}

function groupOf({ scenario }: Compared): string {
  const causes = causesWanted(scenario.expect);
  if (causes === undefined) return 'only forbidden causes';
  return causes.length === 0 ? 'no problem' : causes.map((cause) => `\`${cause}\``).join(' or ');
}

async function ask({ folder, expect }: Scenario): Promise<readonly string[]> {
  const { kind, namespace, name } = expect.workload;
  const { asked = `${kind.toLowerCase()}/${name}` } = expect;
  const args = ['diagnose', asked, '-n', namespace, '--from', folder];
  const { status, out, err } = await run([...args, '--at', expect.takenAt, '--output', 'json']);
  try {
    return disagreements(expect, { status, text: out });
  } catch {
    return [`no diagnosis was printed (status ${status}): ${err.slice(0, 300)}`];
  }
}

function run(args: readonly string[]) {
  return new Promise<{ readonly status: number; readonly out: string; readonly err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [values.program, ...args],
      { maxBuffer: 64 * 1024 * 1024 },
      (_, out, err) => resolve({ status: child.exitCode ?? -1, out, err }),
    );
  });
}
