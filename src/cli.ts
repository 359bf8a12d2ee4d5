#!/usr/bin/env node
import { start } from './edges/cli/start.js';

await start(async () => {
  const { addClusterKeysCommand, addDoctorCommand } = await import('./edges/cli/further-commands.js');
  return [addDoctorCommand, addClusterKeysCommand];
});
