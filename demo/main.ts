import { languageOfEnvironment } from '#src/engine/language/language.js';
import { commandFor, demoIncidents } from './cluster/seed/demo-incidents.js';
import { readDemoSettings } from './live/demo-settings.js';
import { openInBrowser } from './live/open-in-browser.js';
import { choosePagePort } from './live/page-port.js';
import { startDemo } from './live/start-demo.js';
import type { Stack } from './stack.js';

const opens = !process.argv.includes('--no-open');
const verbose = process.argv.includes('--verbose');
const { port, language, problems } = readDemoSettings(process.env);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(2);
}

const pagePort = await choosePagePort(port);
if (pagePort === undefined) {
  process.stderr.write(
    `PORT: ${port} is in use. Leave PORT out for the next free port, or name another one.\n`,
  );
  process.exit(2);
}

// From here on there are processes and files to end, also while the stack is still starting.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) return;
    process.stdout.write('\nStopping …\n');
    interrupted.abort();
  });
}
process.stdout.write('Starting Redis, the local cluster, the local Slack, the app and a worker …\n');
const stack = await startDemo({
  port: pagePort,
  signal: interrupted.signal,
  language,
  pageLanguage: language === 'ko' ? 'ko' : languageOfEnvironment(process.env),
  onLog: (name, line) => {
    if (verbose) process.stdout.write(`${name} ${line}\n`);
  },
}).catch((error: unknown) => {
  if (interrupted.signal.aborted) process.exit(0);
  throw error;
});
if (interrupted.signal.aborted) await end(stack);
interrupted.signal.addEventListener('abort', () => void end(stack));

const incidents = demoIncidents.map((seed) => `  ${commandFor(seed).padEnd(44)}${seed.summary.en}`);
process.stdout.write(`
Open ${stack.slack.url} and press Run, or type there:
${incidents.join('\n')}

The cluster answers kubectl:
  kubectl --kubeconfig ${stack.kubeconfigPath} -n ml get pods -w

Ctrl-C ends everything and leaves nothing behind.
`);

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
