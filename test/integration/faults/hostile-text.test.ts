import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../demo/cluster/json.js';
import { type Rig, scenarios, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';

const marks =
  '<!channel> <!here> <@U0SAM> <https://evil.example|safe> *bold* `tick` ```fence``` &lt;!channel&gt;';
const invisible = '\u0000\u0007\u001b[31m\u202e\u2066';
const long = '<!channel> '.repeat(5_000);

let rig: Rig;

beforeAll(async () => {
  rig = await startRig({ startPart: inThisProcess, scenario: 'none' });
  const recorded = JSON.parse(await readFile(join(scenarios, 'gpu-one-node/objects.json'), 'utf8')) as {
    readonly items: readonly JsonObject[];
  };
  rig.cluster.load(recorded.items.map(poisoned));
});

afterAll(() => rig.stop());

/** Poisons every text that a person with rights in one namespace may write. */
function poisoned(object: JsonObject): JsonObject {
  const metadata = object.metadata as JsonObject;
  const annotations = {
    ...(metadata.annotations as object),
    'kubernetes.io/change-cause': `${marks}${long}`,
  };
  const named = { ...object, metadata: { ...metadata, annotations } };
  if (object.kind !== 'Event') return named;
  return { ...named, message: `${String(object.message)} ${marks}${invisible}${long}`, reason: marks };
}

/** Texts in which Slack would read markup. */
function marked(args: JsonObject): readonly string[] {
  const found = [String(args.text ?? '')];
  JSON.stringify(args.blocks ?? args.view ?? [], (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && 'text' in value) {
      if (value.type === 'mrkdwn') found.push(String(value.text));
    }
    return value;
  });
  return found;
}

function expectHarmless(): void {
  const shown = rig.slack.calls().filter(({ method }) => /^(chat|views)\./.test(method));
  for (const { method, args, answer } of shown) {
    expect(answer, `Slack accepts ${method}`).toMatchObject({ ok: true });
    for (const text of marked(args as JsonObject)) {
      expect(text).not.toMatch(/<!(?!date)|<@U0SAM>|<https:\/\/evil|```|\p{Cc}(?<![\n\t])|\u202e|\u2066/u);
    }
  }
}

describe('hostile text from clusters and people', () => {
  it('in Events, annotations and reasons is shown as text on the card and in the thread', async () => {
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    await rig.slack.until(() => rig.slack.thread(card).length > 0, { what: 'the picture' });
    await rig.approve('dana', card);
    await rig.untilRecovered();

    expectHarmless();
  });

  it.each([
    ['marks', marks],
    ['a broadcast as a name', 'deploy/<!channel> -n <!here>'],
    ['backticks', 'deploy/`rm` -n ```x```'],
    ['control characters', `deploy/a${invisible}b -n shop`],
    ['50 kB', `deploy/${long}`],
    ['50 kB without a space', 'n'.repeat(50_000)],
  ])('in a command is answered as text: %s', async (_, text) => {
    const before = rig.slack.ephemerals('sam').length;
    expect(await rig.ask(text, 'sam')).toBe('acknowledged');
    await rig.slack.until(() => rig.slack.ephemerals('sam').length > before, { what: 'an answer' });

    for (const { text: said, blocks } of rig.slack.ephemerals('sam')) {
      for (const each of marked({ text: said, blocks } as unknown as JsonObject)) {
        expect(each).not.toMatch(/<!(?!date)|<@U0SAM>|<https:\/\/evil|```/);
      }
    }
    expectHarmless();
  });

  it('in a mention is answered as text', async () => {
    rig.slack.as('dana').mentions(`deploy/<!channel> -n ${marks}`, { channel: 'ml-oncall' });
    await rig.untilTold('dana', /./);

    expectHarmless();
  });
});
