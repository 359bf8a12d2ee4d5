import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { admissionPolicy } from '#src/edges/cli/admission-policy-command.js';

it('keeps the shipped policy equal to the one that the command prints', async () => {
  const file = fileURLToPath(new URL('../../deploy/admission-warnings/warnings.yaml', import.meta.url));
  await expect(admissionPolicy('en')).toMatchFileSnapshot(file);
});

it('prints the messages in Korean', () => {
  expect(admissionPolicy('ko')).toContain('교착 상태에 빠집니다');
});
