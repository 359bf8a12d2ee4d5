import { runAction } from './edges/cli/action-command.js';

process.exitCode = await runAction(process.env, (text) => process.stdout.write(text));
