import { alertButtons, demoAlerts } from './alerts/alert-buttons.js';
import { commandFor, demoIncidents, seedDemo } from './cluster/seed/demo-incidents.js';
import { type Stack, startStack } from './stack.js';
import { stormButton } from './storm/storm-button.js';

const verbose = process.argv.includes('--verbose');

process.stdout.write('Starting Redis, the local cluster, the local Slack, the app and a worker …\n');
const stack: Stack = await startStack({
  slack: {
    panel: demoIncidents.map(commandFor),
    extraButtons: [...alertButtons(() => stack), stormButton(() => stack)],
  },
  alerts: demoAlerts,
  onLog: (name, line) => {
    if (verbose) process.stdout.write(`${name} ${line}\n`);
  },
});
await seedDemo(stack.cluster);
const incidents = demoIncidents.map((seed) => `  ${commandFor(seed).padEnd(42)}${seed.shows}`);
process.stdout.write(`
The local Slack is at   ${stack.slack.url}
Type there, one after the other:
${incidents.join('\n')}

The cluster answers kubectl:
  kubectl --kubeconfig ${stack.kubeconfigPath} -n ml get pods -w

Ctrl-C ends everything and leaves nothing behind.
`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    process.stdout.write('\nStopping …\n');
    stack.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
