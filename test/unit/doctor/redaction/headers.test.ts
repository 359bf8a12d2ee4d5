import { describe } from 'vitest';
import { headers } from '#src/doctor/redaction/headers.js';
import { base64, hexadecimal, mixed } from './canaries.js';
import { itTakes, type Marked } from './marked.js';

const random = mixed(24);
const basic = base64(['app', mixed(12)].join(':'));
const schemes =
  'Basic Bearer Token Digest Negotiate NTLM ApiKey Api-Key SSWS Key GenieKey Hawk AWS4-HMAC-SHA256 OAuth Splunk Bot';

describe('an Authorization header keeps its name and its scheme', () => {
  itTakes(headers, 'credentials', [
    ...schemes
      .split(' ')
      .map((scheme): Marked => [`with the scheme ${scheme}`, `Authorization: ${scheme} ‹qwertyuiop›`]),
    ['for a proxy', 'Proxy-Authorization: Token ‹qwertyuiop›'],
    ['behind a prefix', 'X-Authorization: Token ‹qwertyuiop›'],
    ['in small letters', 'authorization: token ‹qwertyuiop›'],
    ['without a space', 'authorization:Token ‹qwertyuiop›'],
    ['with an equals sign', 'Authorization = Token ‹qwertyuiop›'],
    ['as an entry of a hash', `'Authorization' => 'Token ‹qwertyuiop›', 'Accept' => 'x'`],
    ['as an index', `headers["Authorization"] = "Token ‹qwertyuiop›";`],
    ['in JSON', '{"Authorization":"Token ‹qwertyuiop›","Accept":"x"}'],
    ['in JSON in JSON', String.raw`{\"Authorization\":\"Token ‹qwertyuiop›\",\"Accept\":\"x\"}`],
    ['in a printed map', 'map[Accept:[x] Authorization:[Token ‹qwertyuiop›] Host:[y]]'],
    ['with the rest of the line', 'Authorization: Token ‹qwertyuiop› from 10.0.0.7'],
    ['with the next line', 'Authorization: Token ‹qwertyuiop›\nAccept: text/plain'],
    ['twice in one text', 'authorization: Token ‹abcdef› then authorization: Token ‹ghijkl›'],
    ['with four characters', 'Authorization: Token ‹abcd›'],
    ['not with three, which are a word', 'Authorization: Token abc'],
    ['not as the end of another word', 'reauthorization: Token qwertyuiop'],
    ['without any scheme', `authorization: ‹${random}›`],
    ['without any scheme, in quotes', `"authorization": "‹${random}›", "a": 1`],
    ['without any scheme, from eight characters on', 'authorization: ‹abcdefg8›'],
    ['not with seven', 'authorization: abcdef7'],
    ['not where only letters follow', 'authorization: required-by-policy'],
    ['not as the group of an API', 'rbac.authorization.k8s.io: forbidden2day'],
  ]);
});

describe('an Authorization header keeps none of the parameters of', () => {
  itTakes(headers, 'credentials', [
    ['Digest', `Authorization: Digest ‹username="app", response="${hexadecimal(32)}"›`],
    ['Hawk', `Authorization: Hawk ‹id="app", ts="1", mac="${random}="›\nHost: x`],
    ['OAuth', `Authorization: OAuth ‹oauth_token="${random}", oauth_version="1.0"›`],
    ['AWS4-HMAC-SHA256', `Authorization: AWS4-HMAC-SHA256 ‹Credential=a/b, Signature=${hexadecimal(64)}›`],
  ]);
});

describe('a scheme without its header', () => {
  itTakes(headers, 'credentials', [
    ['takes the text after Bearer', `sending Bearer ‹${random}› to upstream`],
    ['takes a short token with a digit', 'Bearer ‹abcdefg8›'],
    ['takes letters of both cases from twenty on', 'Bearer ‹abcdefghijKLMNOPQRST›'],
    ['leaves nineteen', 'Bearer abcdefghijKLMNOPQRS'],
    ['leaves twenty small ones, a word', 'Bearer abcdefghijklmnopqrst'],
    ['leaves twenty capitals, a word', 'Bearer ABCDEFGHIJKLMNOPQRST'],
    ['leaves fewer than eight characters', 'Bearer abcdef7'],
    ['leaves the end of another word', 'forebearer abcdefg8'],
    ['takes a user with a password', `Basic ‹${basic}›`],
    ['takes it in any case', `BASIC ‹${basic}›`],
    ['takes text that looks random', 'Basic ‹aB3dE6gH9jK2mN5p›'],
    ['leaves base64 of other text', `Basic ${base64('nobody')}`],
    ['leaves words', 'Basic authentication is off, Basic auth2factor'],
    ...'realm error error_description scope service charset'
      .split(' ')
      .map((name): Marked => [`leaves a challenge of ${name}`, `Bearer ${name}=registry2example`]),
  ]);
});

describe('cookies keep their names', () => {
  itTakes(headers, 'cookie', [
    ['one', 'Cookie: id=‹abc›'],
    ['several', 'Cookie: theme=‹dark›; id=‹a1b2›; lang=‹en›'],
    ['in small letters', 'cookie: id=‹abc›'],
    ['of the second kind', 'Cookie2: a=‹b›\nSet-Cookie2: c=‹d›; Version=1'],
    ['with equals signs in the value', 'Cookie: id=‹YWJj=›; x=‹y=z›'],
    ['without a value', 'Cookie: id=; x=‹y›'],
    ['without a name', 'Cookie: alone; y=‹z›'],
    ['without spaces at the end of the value', 'Cookie: id=‹abc› ; x=‹y›  '],
    ['in JSON', '{"Cookie":"id=‹abc›; x=‹y›","Host":"h=i"}'],
    ['in JSON in JSON', String.raw`{\"Cookie\":\"id=‹abc›\",\"Host\":\"h=i\"}`],
    ['in a list', 'Set-Cookie:["id=‹abc›"] Host:["h=i"]'],
    ['on their own line only', 'Cookie: id=‹abc›\nHost: h=i'],
    ['on two lines', 'Set-Cookie: a=‹b›\nSet-Cookie: c=‹d›'],
    ...'Path Domain Expires Max-Age SameSite Version Priority Comment'
      .split(' ')
      .map(
        (name): Marked => [
          `beside the attribute ${name}`,
          `Set-Cookie: id=‹abc›; ${name}=kept; Secure; HttpOnly`,
        ],
      ),
    ['beside an attribute in small letters', 'set-cookie: id=‹abc›; path=/; domain=example.com'],
    ['not in the plural', 'cookies: a=b'],
    ['not as the end of another word', 'nocookie: a=b'],
  ]);
});
