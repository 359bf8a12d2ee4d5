import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { name: 'unit', include: ['test/unit/**/*.test.ts'], setupFiles: ['/tmp/prune/setup.mjs'], pool: 'forks', isolate: false, maxWorkers: 1, testTimeout: 120000 } });
