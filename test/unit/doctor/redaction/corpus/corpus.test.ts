import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { eighteenthHarmless, nineteenthHarmless } from './harmless-eighteenth.js';
import { fifthLookHarmless, sixthLookHarmless } from './harmless-fifth-look.js';
import { formatHarmless } from './harmless-formats.js';
import { fourthLookHarmless } from './harmless-fourth-look.js';
import { freshHarmless } from './harmless-fresh.js';
import { heldBackHarmless } from './harmless-held-back.js';
import { ninthLookHarmless, tenthLookHarmless } from './harmless-ninth-look.js';
import { operationHarmless } from './harmless-operations.js';
import { secondLookHarmless } from './harmless-second-look.js';
import { eighthLookHarmless, seventhLookHarmless } from './harmless-seventh-look.js';
import { seventeenthHarmless, sixteenthHarmless } from './harmless-sixteenth.js';
import { thirdLookHarmless } from './harmless-third-look.js';
import { tunedHarmless } from './harmless-tuned.js';
import { twentiethHarmless, twentyFirstHarmless, twentySecondHarmless } from './harmless-twentieth.js';
import { twentySeventhHarmless, twentySixthHarmless } from './harmless-twenty-sixth.js';
import { twentyFifthHarmless, twentyFourthHarmless, twentyThirdHarmless } from './harmless-twenty-third.js';
import { unseenHarmless } from './harmless-unseen.js';
import { type Measured, measure } from './measure.js';
import { eighteenthSettings } from './secrets-eighteenth.js';
import { eighteenthKorean, eighteenthTokens } from './secrets-eighteenth-tokens.js';
import {
  fifthLookKoreanSecrets,
  fifthLookSecrets,
  sixthLookKoreanSecrets,
  sixthLookSecrets,
} from './secrets-fifth-look.js';
import { formatSecrets } from './secrets-formats.js';
import { fourthLookKoreanSecrets, fourthLookSecrets } from './secrets-fourth-look.js';
import { freshSecrets } from './secrets-fresh.js';
import { heldBackSecrets } from './secrets-held-back.js';
import { nineteenthKorean, nineteenthSecrets } from './secrets-nineteenth.js';
import {
  ninthLookKoreanSecrets,
  ninthLookSecrets,
  tenthLookKoreanSecrets,
  tenthLookSecrets,
} from './secrets-ninth-look.js';
import { operationSecrets } from './secrets-operations.js';
import { secondLookSecrets } from './secrets-second-look.js';
import { eighthLookSecrets, seventhLookKoreanSecrets, seventhLookSecrets } from './secrets-seventh-look.js';
import {
  seventeenthKoreanSecrets,
  seventeenthSecrets,
  sixteenthKoreanSecrets,
  sixteenthSecrets,
} from './secrets-sixteenth.js';
import { thirdLookSecrets } from './secrets-third-look.js';
import { tunedSecrets } from './secrets-tuned.js';
import { twentiethPrograms } from './secrets-twentieth.js';
import { twentiethFiles, twentiethKorean } from './secrets-twentieth-files.js';
import { twentyFirstKorean, twentyFirstSecrets } from './secrets-twenty-first.js';
import { twentyFifthSecrets, twentyFourthSecrets } from './secrets-twenty-fourth.js';
import { twentySecondKorean, twentySecondSecrets } from './secrets-twenty-second.js';
import { twentySeventhKorean, twentySeventhSecrets } from './secrets-twenty-seventh.js';
import { twentySixthKorean, twentySixthSecrets } from './secrets-twenty-sixth.js';
import { twentyThirdSecrets } from './secrets-twenty-third.js';
import { unseenSecrets } from './secrets-unseen.js';

const parts = ['tuned', 'held back'] as const;

function measured(part: (typeof parts)[number]): Measured {
  return part === 'tuned'
    ? measure(redact, tunedSecrets, tunedHarmless)
    : measure(redact, heldBackSecrets, heldBackHarmless);
}

describe('the corpus of secrets and harmless texts', () => {
  it('contains at least 300 secrets and 300 harmless texts', () => {
    const both = parts.map(measured);
    both.forEach(({ secrets, survivors, harmless, alarms }, i) => {
      console.log(
        `${parts[i]}: ${secrets - survivors.length} of ${secrets} secrets redacted, ${alarms.length} of ${harmless} harmless texts changed`,
      );
    });
    expect(both.reduce((sum, { secrets }) => sum + secrets, 0)).toBeGreaterThanOrEqual(300);
    expect(both.reduce((sum, { harmless }) => sum + harmless, 0)).toBeGreaterThanOrEqual(300);
  });

  it('counts a secret of which one word is left as a survivor', () => {
    const { survivors } = measure((text) => text.replace('first', ''), { a: ['x ‹first second›'] }, {});

    expect(survivors).toHaveLength(1);
  });

  it('counts a harmless text that changes as a false alarm', () => {
    expect(measure((text) => text.toUpperCase(), {}, { a: ['x', '1'] }).alarms).toHaveLength(1);
  });

  it('redacts every secret of the fourth part and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, formatSecrets, formatHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 157, harmless: 125 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the fifth part but four known ones and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, freshSecrets, freshHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 136, harmless: 103 });
    const known = ['[:password', "cipher: '", 'password was', 'backup code'];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the third part but three known ones', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, unseenSecrets, unseenHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 90, harmless: 82 });
    const known = ['argocd', '$ sonar-scanner', 'use this token'];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms.map(({ text }) => text)).toEqual(['  ~ secret_id = "shop/db" -> (known after apply)']);
  });

  it('redacts every secret of the sixth part, about operations, and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, operationSecrets, operationHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 185, harmless: 147 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the seventh part and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, secondLookSecrets, secondLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 111, harmless: 69 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the eighth part and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, thirdLookSecrets, thirdLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 98, harmless: 64 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the ninth part but one known one and keeps every harmless text', () => {
    const all = { ...fourthLookSecrets, ...fourthLookKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, fourthLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 86, harmless: 70 });
    // The user of a Sentry DSN is its public key.
    expect(survivors.map(({ result }) => result.slice(0, 10))).toEqual(['sentry dsn']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the tenth part and keeps every harmless text', () => {
    const all = { ...fifthLookSecrets, ...fifthLookKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, fifthLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 116, harmless: 65 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the eleventh part but two known ones and keeps every harmless text', () => {
    const all = { ...sixthLookSecrets, ...sixthLookKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, sixthLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 122, harmless: 60 });
    // A token that its issuer would not make, and a command that prints the password.
    const known = ['telegram: ', 'restic -r '];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twelfth part but five known ones and keeps every harmless text', () => {
    const all = { ...seventhLookSecrets, ...seventhLookKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, seventhLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 195, harmless: 127 });
    // Of Bundler, of a state of Terraform, the id of a key, a name behind a word, and a code of letters.
    const known = ['BUNDLE_', 'resource ', '{"type"', 'pydantic: ', 'Your recovery'];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the thirteenth part but one known one and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(redact, eighthLookSecrets, eighthLookHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 53, harmless: 47 });
    // Letters in groups.
    expect(survivors.map(({ result }) => result.slice(0, 16))).toEqual(['Your access code']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the fourteenth part but four known ones and keeps every harmless text', () => {
    const all = [ninthLookSecrets, ninthLookKoreanSecrets];
    const measures = all.map((each) => measure(redact, each, ninthLookHarmless));

    expect(measures.map(({ secrets }) => secrets)).toEqual([180, 25]);
    // The id of a key, a uid behind a word, a scheme before a token, and a sign that assignments have.
    const known = ['ngrok agent ak_', 'scaleway ', 'fly FlyV1 ', 'gunicorn: '];
    const survivors = measures.flatMap((each) => each.survivors);
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(measures[0]).toMatchObject({ harmless: 111, alarms: [] });
  });

  it('redacts every secret of the fifteenth part but two known ones and keeps every harmless text', () => {
    const all = [tenthLookSecrets, tenthLookKoreanSecrets];
    const measures = all.map((each) => measure(redact, each, tenthLookHarmless));

    expect(measures.map(({ secrets }) => secrets)).toEqual([45, 16]);
    // A message that pydantic does not write so, and the id of a key.
    const known = ['ValidationError: DB__', '{"type":"service_account"'];
    const survivors = measures.flatMap((each) => each.survivors);
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(measures[0]).toMatchObject({ harmless: 37, alarms: [] });
  });

  it('redacts every secret of the sixteenth part and keeps every harmless text', () => {
    const all = { ...sixteenthSecrets, ...sixteenthKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, sixteenthHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 60, harmless: 60 });
    expect({ survivors, alarms }).toEqual({ survivors: [], alarms: [] });
  });

  it('redacts every secret of the seventeenth part but one known one and keeps every harmless text', () => {
    const all = { ...seventeenthSecrets, ...seventeenthKoreanSecrets };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, seventeenthHarmless);

    expect({ secrets, harmless }).toEqual({ secrets: 31, harmless: 30 });
    // Letters alone, as one word in twenty that a machine draws.
    expect(survivors.map(({ secret }) => secret)).toEqual(['TwQvGIYFRSmUMLToio']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the eighteenth part but two known ones and keeps every harmless text', () => {
    const all = { settings: eighteenthSettings, tokens: eighteenthTokens, korean: eighteenthKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: eighteenthHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 199, harmless: 60 });
    // The id of a key, and letters alone in brackets.
    const known = ['{"type":"service_account"', '레디스 비밀번호('];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the nineteenth part but two known ones and keeps every harmless text', () => {
    const all = { all: nineteenthSecrets, korean: nineteenthKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: nineteenthHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 80, harmless: 35 });
    // A value as the name of an object, and a key that its program would not make.
    const known = ['java.lang.IllegalStateException', 'web.config: '];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twentieth part but two known ones and keeps every harmless text', () => {
    const all = { programs: twentiethPrograms, files: twentiethFiles, korean: twentiethKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: twentiethHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 178, harmless: 60 });
    // A token behind `auth` alone, and the user of a Sentry DSN, which is a public key.
    expect(survivors.map(({ result }) => result.slice(0, 10))).toEqual(['twilio sid', 'dsn: https']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twenty-first part but one known one and keeps every harmless text', () => {
    const all = { all: twentyFirstSecrets, korean: twentyFirstKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: twentyFirstHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 56, harmless: 20 });
    // A sentence about a login that names no password.
    expect(survivors.map(({ result }) => result.slice(0, 15))).toEqual(['my laptop login']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twenty-second part but two known ones and keeps every harmless text', () => {
    const all = { all: twentySecondSecrets, korean: twentySecondKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: twentySecondHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 59, harmless: 30 });
    // Four digits beside `pin`, and a question without a sign before its answer.
    expect(survivors.map(({ secret }) => secret)).toEqual(['4471', 'vhtmxm55']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twenty-third part but two known ones and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(
      redact,
      { all: twentyThirdSecrets },
      { all: twentyThirdHarmless },
    );

    expect({ secrets, harmless }).toEqual({ secrets: 68, harmless: 25 });
    // A value as the name of an object, and a line of `.pgpass` in a sentence.
    expect(survivors.map(({ secret }) => secret)).toEqual(['kq82-zmxn-19al', 'Kers.Boom.7']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twenty-fourth part but one known one and keeps every harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(
      redact,
      { all: twentyFourthSecrets },
      { all: twentyFourthHarmless },
    );

    expect({ secrets, harmless }).toEqual({ secrets: 54, harmless: 30 });
    // Korean letters and digits.
    expect(survivors.map(({ secret }) => secret)).toEqual(['달빛호수-38']);
    expect(alarms).toEqual([]);
  });

  it('redacts the secrets of the twenty-fifth part but eight known ones, and changes one harmless text', () => {
    const { secrets, survivors, harmless, alarms } = measure(
      redact,
      { all: twentyFifthSecrets },
      { all: twentyFifthHarmless },
    );

    expect({ secrets, harmless }).toEqual({ secrets: 50, harmless: 30 });
    // No word near them names a password, or the word names an object as often.
    const known = [
      'E1130 dex',
      'openvpn',
      'strongswan',
      'thread main',
      'CREATE USER',
      'net use',
      'winrm',
      '인증',
    ];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms.map(({ text }) => text)).toEqual(['비밀번호는 "영문2숫자3" 조합이어야 합니다']);
  });

  it('redacts every secret of the twenty-sixth part but two known ones and keeps every harmless text', () => {
    const all = { all: twentySixthSecrets, korean: twentySixthKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: twentySixthHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 101, harmless: 100 });
    // Words with a number at their end behind `credential`, and a header that names no secret.
    expect(survivors.map(({ secret }) => secret)).toEqual(['inle_otter14', 'vAPp3t9GOLs9ZjntTRbmVK']);
    expect(alarms).toEqual([]);
  });

  it('redacts every secret of the twenty-seventh part but seven known ones and keeps every harmless text', () => {
    const all = { all: twentySeventhSecrets, korean: twentySeventhKorean };
    const { secrets, survivors, harmless, alarms } = measure(redact, all, { all: twentySeventhHarmless });

    expect({ secrets, harmless }).toEqual({ secrets: 60, harmless: 60 });
    // No word near them names a secret, or they have the form of a name.
    const known = [
      'vault: unseal',
      '  API_ACCESS',
      'args: ["-u"',
      'net use',
      '암호가 일치하지',
      '패스워드를',
      '비밀번호 초기화 링크',
    ];
    expect(survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)))).toEqual([]);
    expect(alarms).toEqual([]);
  });

  it.each(parts)('redacts every secret of the %s part but one known one', (name) => {
    const m = measured(name);
    const known = name === 'tuned' ? [] : ['New value: '];
    const unknown = m.survivors.filter(({ result }) => !known.some((start) => result.startsWith(start)));

    expect(unknown).toEqual([]);
    expect(m.survivors.length).toBeLessThanOrEqual(known.length);
  });

  it.each(parts)('keeps at least 99 percent of the harmless texts of the %s part', (name) => {
    const { alarms, harmless } = measured(name);
    expect({ alarms, few: alarms.length <= harmless * 0.01 }).toMatchObject({ few: true });
  });
});
