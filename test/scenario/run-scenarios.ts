/**
 * `npm run scenarios -- [FOLDER…] [--program FILE]`: runs the built command line on every recorded incident, one
 * process each, and prints a table by expected cause. Exits with 1 when an answer is wrong, 2 on wrong usage, 3
 * without recorded incidents.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Scenario, scenarios, scenariosFolder } from '#support/scenarios/expectation.js';
import { causesWanted, disagreements, familyOf } from '#support/scenarios/judge.js';

interface Judged {
  readonly scenario: Scenario;
  readonly wrong: readonly string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string', default: 'dist/src/cli.js' } },
});
const waiting = (positionals.length > 0 ? positionals : [scenariosFolder]).flatMap((folder) =>
  scenarios(folder),
);
if (waiting.length === 0) {
  console.error('There is no recorded incident in these folders.');
  process.exit(3);
}

const judged: Judged[] = [];
const all = waiting.length;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      judged.push({ scenario, wrong: await ask(scenario) });
    }
  }),
);

printCounts('to be found', groupOf);
printCounts('in all', ({ scenario }) => familyOf(scenario.expect));
const failed = judged.filter(({ wrong }) => wrong.length > 0);
console.log(`\n${all} asked, ${failed.length} answered wrongly`);
for (const { scenario, wrong } of failed) console.log(`${scenario.folder}: ${wrong.join('; ')}`);
process.exit(failed.length === 0 ? 0 : 1);

function printCounts(title: string, nameOf: (one: Judged) => string): void {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  console.log(`\n| ${title} | incidents | right |\n| --- | ---: | ---: |`);
  for (const [name, members] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(
      `| ${name} | ${members.length} | ${members.filter(({ wrong }) => wrong.length === 0).length} |`,
    );
  }
}

function groupOf({ scenario }: Judged): string {
  const causes = causesWanted(scenario.expect);
  if (causes === undefined) return 'nothing forbidden';
  return causes.length === 0 ? 'nothing wrong' : causes.map((cause) => `\`${cause}\``).join(' or ');
}

async function ask({ folder, expect }: Scenario): Promise<readonly string[]> {
  const { kind, namespace, name } = expect.workload;
  const args = ['diagnose', `${kind.toLowerCase()}/${name}`, '-n', namespace, '--from', folder];
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
