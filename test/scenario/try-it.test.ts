import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '#src/edges/cli/run-process.js';

/**
 * The answer below each `Try it` of the pages about causes: verdict, picture and fixes.
 * `npx vitest run --project scenario test/scenario/try-it.test.ts -u` writes it.
 */
const folder = join(import.meta.dirname, '../../docs/causes');
const pages = readdirSync(folder).flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const [line = '', command = ''] =
    /^Try it, in a clone after `npm ci && npm run build`: `node dist\/rollout-doctor\.js (.*)`$/m.exec(
      text,
    ) ?? [];
  return command === '' ? [] : [{ name, text, line, command }];
});

/** What the command prints before it explains itself. */
async function answerOf(command: string): Promise<string> {
  let printed = '';
  const out = (text: string): void => {
    printed += text;
  };
  const paint = { colour: false, width: 100 };
  await runCli([...command.split(' '), '--lang', 'en'], { out, err: out, paint, watched: false });
  return printed.split('\n\nWhy\n')[0]?.trimEnd() ?? '';
}

it.each(pages)('docs/causes/$name shows what $command prints', async ({ name, text, line, command }) => {
  const [before = '', after = ''] = text.split(line);
  const [, rest = after] = /^\n\n```text\n[\s\S]*?\n```(\n[\s\S]*)$/.exec(after) ?? [];
  const answer = await answerOf(command);
  const shown = `${before}${line}\n\n\`\`\`text\n${answer}\n\`\`\`${rest}`;
  const cause = name.replace('.md', '');
  const [, recording = ''] = / --from (\S+)/.exec(command) ?? [];
  const { informational = [] } = JSON.parse(
    readFileSync(join(folder, '../..', recording, 'expect.json'), 'utf8'),
  ) as { readonly informational?: readonly string[] };

  const shows = [`, ${cause})`, ...(informational.includes(cause) ? ['Other findings'] : [])];
  expect(shows.filter((words) => answer.includes(words))).not.toEqual([]);
  await expect(shown).toMatchFileSnapshot(join(folder, name));
});

it('most causes can be tried', () => {
  expect(pages.length).toBeGreaterThan(30);
});
