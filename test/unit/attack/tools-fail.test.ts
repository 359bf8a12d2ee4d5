import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createToolServer } from '#src/edges/mcp/tool-server.js';

async function answerOf(error: unknown, language: 'en' | 'ko') {
  const fail = async () => {
    throw error;
  };
  const server = createToolServer(
    { diagnose: fail, scan: fail, check: fail, explain: fail },
    { isShared: false },
  );
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const result = await client.callTool({ name: 'scan_rollouts', arguments: { language } });
  await client.close();
  const text = result.content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
  return { isError: result.isError, text };
}

it('answers an error that nobody expected redacted, bounded and on one line of its fence', async () => {
  const error = new Error(`exec plugin failed:\ntoken=ghp_${'a1B2'.repeat(9)} ${'x '.repeat(10_000)}`);
  const { isError, text } = await answerOf(error, 'en');

  expect(isError).toBe(true);
  expect(text).toContain('Rollout Doctor failed with an internal error: exec plugin failed');
  expect(text).not.toContain('a1B2a1B2');
  expect(text.split('\n')).toHaveLength(4);
  expect(text.length).toBeLessThanOrEqual(4_300);
});

it('answers it in the language that was asked for', async () => {
  expect((await answerOf('no error object', 'ko')).text).toContain('내부 오류가 발생했습니다');
});
