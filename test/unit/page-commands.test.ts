import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#src/edges/cli/create-program.js';
import { addClusterKeysCommand, addDoctorCommand } from '#src/edges/cli/further-commands.js';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', ...listed('docs'), ...listed('docs/causes')];

function listed(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const program = createProgram(
  { out: () => undefined, err: () => undefined, paint: { colour: false, width: 80 }, watched: false },
  'en',
  () => undefined,
  { further: [addDoctorCommand, addClusterKeysCommand], name: 'rollout-doctor' },
);

/** The commands of a page: what follows the name of the program, up to a pipe or the end of the line. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```[a-z]*\n([\s\S]*?)\n *```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .flatMap((line) => {
      const found =
        /^(?:\s*(?:-|\$|&&))*\s*(?:[^|#]*\| *)?(?:npx @rollout-doctor\/cli|kubectl rollout-doctor|rollout-doctor|node (?:rollout-doctor\/)?dist\/rollout-doctor\.js) (?<rest>[^|>]+)/.exec(
          line,
        );
      const rest = found?.groups?.rest;
      return rest === undefined ? [] : [rest.trim()];
    });
}

/** What of a command the program does not have. */
function unknownIn(command: string): readonly string[] {
  const words = command.replaceAll(/"[^"]*"|'[^']*'/g, 'quoted').split(/\s+/);
  const [first = ''] = words;
  const found = first.startsWith('-') ? program : program.commands.find((each) => each.name() === first);
  if (found === undefined && first !== 'help') return [first];
  const options = words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0] ?? '');
  return options.filter((option) => found !== undefined && !hasOption(found, option));
}

function hasOption(command: Command, option: string): boolean {
  const own = [...command.options, ...program.options];
  return ['-h', '--help'].includes(option) || own.some(({ short, long }) => [short, long].includes(option));
}

const commands = pages.flatMap((page) =>
  commandsOf(readFileSync(join(root, page), 'utf8')).map((command) => ({ page, command })),
);

describe('the commands on the pages', () => {
  it.each(commands)('$command of $page has options that the program has', ({ command }) => {
    expect(unknownIn(command)).toEqual([]);
  });

  it('are found on the pages of the doors', () => {
    const found = new Set(commands.map(({ page }) => page));
    for (const page of ['docs/cli.md', 'docs/npm.md', 'docs/pull-requests.md']) expect(found).toContain(page);
  });

  it.each([
    ['scann -A', ['scann']],
    ['scan -A --fragil', ['--fragil']],
    ['check -f deploy/ --from x', ['--from']],
  ])('would be refused: %s', (command, unknown) => {
    expect(unknownIn(command)).toEqual(unknown);
  });
});
