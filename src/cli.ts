#!/usr/bin/env node
import { start } from './edges/cli/start.js';

await start(async () => {
  const [{ addDoctorCommand }, { addClusterKeysCommand }] = await Promise.all([
    import('./edges/cli/add-doctor-command.js'),
    import('./edges/cli/add-cluster-keys-command.js'),
  ]);
  return [addDoctorCommand, addClusterKeysCommand];
});
