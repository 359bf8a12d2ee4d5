import { languageOfEnvironment } from '#src/engine/language/language.js';
import { readDemoSettings } from './live/demo-settings.js';
import { openInBrowser } from './live/open-in-browser.js';
import { choosePagePort } from './live/page-port.js';
import { startDemo } from './live/start-demo.js';
import { terminalText } from './live/terminal-text.js';
import { answersPing } from './redis/private-redis.js';
import type { Stack } from './stack.js';

const opens = !process.argv.includes('--no-open');
const verbose = process.argv.includes('--verbose');
const { port, language, problems } = readDemoSettings(process.env);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(2);
}

const pageLanguage = language === 'ko' ? 'ko' : languageOfEnvironment(process.env);
const text = terminalText[pageLanguage];
const pagePort = await choosePagePort(port);
if (pagePort === undefined) {
  process.stderr.write(`${text.portInUse(port ?? 0)}\n`);
  process.exit(2);
}
const namedRedis = process.env.REDIS_URL ?? '';
if (namedRedis !== '' && !(await answersPing(namedRedis))) {
  process.stderr.write(`${text.noRedis}\n`);
  process.exit(2);
}

// From here on there are processes and files to end, also while the stack is still starting.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) return;
    process.stdout.write(`\n${text.stopping}\n`);
    interrupted.abort();
  });
}
process.stdout.write(`${text.starting}\n`);
const stack = await startDemo({
  port: pagePort,
  signal: interrupted.signal,
  language,
  pageLanguage,
  onLog: (name, line) => {
    if (verbose) process.stdout.write(`${name} ${line}\n`);
  },
}).catch((error: unknown) => {
  if (interrupted.signal.aborted) process.exit(0);
  throw error;
});
if (interrupted.signal.aborted) await end(stack);
interrupted.signal.addEventListener('abort', () => void end(stack));

process.stdout.write(`\n${text.ready({ url: stack.slack.url, kubeconfigPath: stack.kubeconfigPath })}\n`);

if (opens && process.stdout.isTTY) openInBrowser(stack.slack.url, process);

/** Ends the stack and this process. */
async function end({ stop }: Pick<Stack, 'stop'>): Promise<never> {
  try {
    await stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  }
}
