import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { certify, check, diagnose, explain, scan } from '#src/library.js';
import { answersPage, answersSchema } from '../support/answers-page.js';

const docs = join(import.meta.dirname, '../../docs');
const mark =
  '<!-- The rest is generated: npx vitest run --project unit test/unit/answers-page.test.ts -u -->\n\n';

it('docs/json.md has every field of every answer', async () => {
  const page = join(docs, 'json.md');
  const [introduction = ''] = (await readFile(page, 'utf8')).split(mark);

  await expect(`${introduction}${mark}${answersPage()}`).toMatchFileSnapshot(page);
});

describe('the published JSON Schema', async () => {
  it('is that of the answers', async () => {
    await expect(answersSchema()).toMatchFileSnapshot(join(docs, 'public/rollout-doctor-v1.schema.json'));
  });

  const schema = z.fromJSONSchema(JSON.parse(answersSchema()));
  const objects = JSON.parse(
    await readFile(join(import.meta.dirname, '../scenarios/gpu-one-node/objects.json'), 'utf8'),
  );
  const recorded = { objects: [objects] };
  const manifests = await readFile(join(docs, 'examples/inference.yaml'), 'utf8');

  it.each([
    ['diagnose', () => diagnose(recorded, 'shop/inference')],
    ['certify', () => certify(recorded, 'shop/inference')],
    ['scan', () => scan(recorded)],
    ['check', () => check(manifests, recorded, { namespace: 'shop' })],
    ['explain', () => explain('0/3 nodes are available: 3 Insufficient cpu.')],
  ])(
    'accepts the answer of %s, also with a further field, and refuses it without its kind',
    async (_, ask) => {
      const answer: object = JSON.parse(JSON.stringify(await ask()));

      expect(schema.safeParse({ ...answer, added: 'later' }).error).toBeUndefined();
      expect(schema.safeParse({ ...answer, kind: 'Other' }).success).toBe(false);
    },
  );
});
