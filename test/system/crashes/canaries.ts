import { createHash } from 'node:crypto';

/** A made-up secret, and the part of it that must not appear anywhere. */
export interface Canary {
  readonly what: string;
  /** The secret in its context. */
  readonly text: string;
  readonly core: string;
}

/** Letters and digits that depend only on the name, so that no file contains a complete secret. */
function random(name: string, length: number): string {
  let letters = '';
  for (let round = 0; letters.length < length; round += 1) {
    const digest = createHash('sha512').update(`${name}/${round}`).digest('base64');
    letters += digest.replace(/[^A-Za-z0-9]/g, '');
  }
  return letters.slice(0, length);
}

function capitals(name: string, length: number): string {
  return random(name, length * 4)
    .replace(/[^A-Z2-7]/g, '')
    .slice(0, length)
    .padEnd(length, 'Q7');
}

type Shape = (name: string) => Omit<Canary, 'what'>;

function shaped(core: string, text: (core: string) => string): Omit<Canary, 'what'> {
  return { core, text: text(core) };
}

/** The usual shapes of secrets. */
const shapes: Readonly<Record<string, Shape>> = {
  'a bearer token': (name) => shaped(random(name, 40), (core) => `Authorization: Bearer ${core}`),
  'a password in a URL': (name) =>
    shaped(
      `pw-${random(name, 9)}`,
      (core) => `postgres://app:${core}@db.internal:5432/orders?sslmode=disable`,
    ),
  'an AWS key id': (name) =>
    shaped(['AKIA', capitals(name, 16)].join(''), (core) => `using key ${core} in eu-west-1`),
  'an AWS secret key': (name) => shaped(random(name, 40), (core) => `aws_secret_access_key = ${core}`),
  'a private key': (name) =>
    shaped(random(name, 64), (core) =>
      ['-----BEGIN RSA PRIVATE', ` KEY-----\n${core}\n`, '-----END RSA PRIVATE', ' KEY-----'].join(''),
    ),
  'an assignment': (name) => shaped(`sw0rd-${random(name, 8)}`, (core) => `DB_PASSWORD=${core}`),
  'a field of JSON': (name) =>
    shaped(random(name, 24), (core) =>
      JSON.stringify({ level: 'debug', user: 'app', apiKey: core, retries: 3 }),
    ),
  'a JSON Web Token': (name) =>
    shaped(random(name, 43), (core) =>
      [
        Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
        Buffer.from('{"sub":"42"}').toString('base64url'),
        core,
      ].join('.'),
    ),
  'a token of GitHub': (name) =>
    shaped(['ghp_', random(name, 36)].join(''), (core) => `cloning with ${core}`),
  'an argument': (name) => shaped(`arg-${random(name, 10)}`, (core) => `--db-password=${core}`),
};

/** Every generated secret, in order. */
export const planted: Canary[] = [];

function planting(shape: string, place: string): Canary {
  const made = shapes[shape];
  if (made === undefined) throw new Error(`no shape ${shape}`);
  const canary = { what: `${shape} in ${place}`, ...made(`${shape}/${place}`) };
  planted.push(canary);
  return canary;
}

/** A secret of every shape, a line each, that is planted in this place and nowhere else. */
export function secretsFor(place: string): string {
  return Object.keys(shapes)
    .map((shape) => planting(shape, place).text)
    .join('\n');
}

/** One secret of that shape for this place. */
export function secretFor(shape: string, place: string): Canary {
  return planting(shape, place);
}

/** A value that only its name marks as a secret. */
export function passwordFor(place: string): string {
  const core = `plain-${random(place, 10)}`;
  planted.push({ what: `a password in ${place}`, text: core, core });
  return core;
}

/** The planted secrets that the text contains, plain or in base64. */
export function canariesIn(text: string): readonly string[] {
  return planted
    .filter(
      ({ core }) => text.includes(core) || text.includes(Buffer.from(core).toString('base64').slice(2, -4)),
    )
    .map(({ what }) => what);
}
