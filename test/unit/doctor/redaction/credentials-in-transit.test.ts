import { describe } from 'vitest';
import { base64, mixed } from './canaries.js';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');
const random = mixed(28);

describe('the header Authorization', () => {
  const schemes =
    'basic bearer token negotiate ntlm apikey api-key ssws key geniekey splunk bot Bearer BASIC'.split(' ');
  const listed = ['digest', 'hawk', 'oauth', 'AWS4-HMAC-SHA256'];
  itRedacts('credentials', [
    ...schemes.map((scheme): Row => [`Authorization: ${scheme} ‹abcd› x`]),
    ...schemes.map((scheme): Row => [`Authorization: ${scheme} abc x`]),
    ...listed.map((scheme): Row => [`Authorization: ${scheme} ‹id="a b", mac="c"›`]),
    ...schemes.filter((scheme) => scheme.length > 7).map((scheme): Row => [`Authorization: ${scheme}`]),
    [`Proxy-Authorization: Bearer ‹abcdef› x`],
    [`authorization=Bearer ‹abcdef› x`],
    [`authorization => Bearer ‹abcdef› x`],
    [`authorization  :  Bearer \t ‹abcdef› x`],
    [`"authorization":"Bearer ‹abcdef›"`],
    [`\\"authorization\\": \\"Bearer ‹abcdef›\\",`],
    [`'authorization': ['Bearer ‹abcdef›']`],
    [`["authorization"] => ("Bearer ‹abcdef›")`],
    [`{authorization: Bearer ‹abcdef›}`],
    [`Authorization: Digest ‹id="a"›\nHost: x`],
    [`{Authorization: Digest ‹id="a"›}`],
    [`Authorization: Bearer null`],
    [`Authorization: ‹abcd1234›, x`],
    [`Authorization: ‹abcd1234›"`],
    [`Authorization: abcd123`],
    [`Authorization: abcdefgh`],
    [`Authorization: Abcd-efgh`],
    [`Xauthorization: abcd1234`],
    [`Authorization is abcd1234`],
  ]);
});

describe('schemes without their header', () => {
  itRedacts('credentials', [
    [`a Bearer ‹abcdefg1› b`],
    [`a bearer    ‹abcdefg1› b`],
    [`a Bearer\t‹abcdefg1› b`],
    [`a Bearer abcdef1 b`],
    [`a Bearer abcdefgh b`],
    [`a Bearer ‹abcdefghijABCDEFGHIJ› b`],
    [`a Bearer abcdefghijABCDEFGHI b`],
    [`a Bearer abcdefghijabcdefghij b`],
    [`a Bearer ABCDEFGHIJABCDEFGHIJ b`],
    [`a Bearer ‹ab.c_d~e+f/g=1-2› b`],
    ...'realm error error_description scope service charset'
      .split(' ')
      .map((name): Row => [`a Bearer ${name}=abc1`]),
    [`a forBearer abcdefg1 b`],
    [`a Basic ‹${base64('app:two')}› b`],
    [`a BASIC ‹${base64('app:two')}› b`],
    [`a Basic ${base64('apps and two')} b`],
    [`a Basic ‹${random}› b`],
    ['a Basic training2026 b'],
  ]);
});

describe('cookies', () => {
  itRedacts('cookie', [
    [`Cookie: a=‹x›; b=‹y z›`],
    [`cookie:a=‹x›`],
    [
      `Set-Cookie: a=‹x›; Path=/; Domain=d; Expires=e; Max-Age=1; SameSite=Lax; Version=1; Priority=High; comment=c`,
    ],
    [`set-cookie2: a=‹x›; Pathx=‹y›; xPath=‹z›`],
    [`Cookie = a=‹x›`],
    [`"cookie" : "a=‹x›"`],
    [`\\"cookie\\":\\"a=‹x›\\"`],
    [`'Cookie': ['a=‹x›']`],
    [`Cookie: =x; a; b=`],
    [`mycookie: a=x`],
    [`a cookie a=x`],
    [`Cookie: a=‹x›\nb=c`],
    [`Cookie: a=‹x=y›`],
  ]);
});

describe('URLs', () => {
  itRedacts('password', [
    [`https://app:‹${q}›@shop/x`],
    [`https://app:‹p@ss›@shop/x`],
    [`https://app@shop/x`],
    [`https://${'a'.repeat(19)}@shop/x`],
    [`https://‹${'a'.repeat(20)}›@shop/x`, 'token'],
    [`https://app:@shop/x`],
    [`https://app:$(PASS)@shop/x`],
    [`https://:‹${q}›@shop/x`],
    [`https://shop/x@y:z`],
    [`https://shop/a:b@c`],
    [`https://shop:8080/a:b@c`],
    [`https://[::1]:8080/a:b@c`],
    [`https://shop?a:b@c`],
    [`https://shop#a:b@c`],
    [`https://app:‹a/b›@shop/x`],
    [`https://app:‹a?b›@shop/x`],
    [`https://app:‹a#b›@shop/x`],
    [`http://shop/a:b@c`],
    [`HTTP://shop/a:b@c`],
    [`amqp://app:‹a/b›@shop/x`],
    [`postgres://app:‹a›@shop/x?e=y:z@w`],
    [`xhttp://shop/a:‹b›@c`],
    [`(http://shop/a:b@c`],
    [`docker-pullable://registry:5000/app@sha256:abcdef`],
    [`docker-pullable://registry/app@sha256:abcdef`],
    [`redis://:‹${q}›@a, redis://:‹${q}›@b`],
    [`"redis://app:‹a›@b"`],
    [`redis://app:a"@b`],
    [`redis://app:a'@b`],
    [`redis://app:a<@b`],
    [`redis://app:a>@b`],
    [`redis://app:a\`@b`],
    [`app:‹a/b›@tcp(db:1)/x`],
    [`app:‹a›@tcp4(db:1)/x`],
    [`app:‹a›@tcp6(db:1)/x`],
    [`app:‹a›@unix(/x)/x`],
    [`x "app-1.x:‹a:b›@UDP(db:1)/x"`],
    [`app@tcp(db:1)/x`],
    [`:a@tcp(db:1)/x`],
    [`app!:a@tcp(db:1)/x`],
    [`app:@tcp(db:1)/x`],
    [`app:$(PASS)@tcp(db:1)/x`],
    [`app:a@http(db:1)/x`],
    [`jdbc:oracle:thin:app-1.x/‹a›@shop`],
    [`jdbc:oracle:THIN:app/‹a/b›@//shop`],
    [`jdbc:oracle:thin:app/$(PASS)@shop`],
    [`jdbc:oracle:thin:app@shop/x`],
    [`jdbc:oracle:thin:app/@shop`],
    [`jdbc:oracle:thin:a b/c@shop`],
    [`jdbc:oracle:thin:@shop/c@x`],
  ]);
});

describe('ends of values', () => {
  itRedacts('password', [
    [`password=‹abc1›,user=x`],
    [`password=‹abc1›;user=x`],
    [`password=‹abc1›&user=x`],
    [`password=‹abc1›&amp;user=x`],
    [`password=‹abc1›,user:x`],
    [`password=‹abc1›,"user":x`],
    [`password=‹abc1›,'user'=x`],
    [`password=‹abc1›,_u.s-e%r=x`],
    [`password=‹abc1,user›`],
    [`password=‹abc1,9user=x›`],
    [`password=‹abc1,user!=x›`],
    [`password=‹abc1›"`],
    [`password=‹abc1'x›`],
    [`password=‹abc1›'.x`],
    [`password=‹abc1\\"x›`],
    [`password=‹abc1\\\\'x›`],
    [`password=‹abc1›\\nuser=x`],
    [`password=‹abc1\\n›`],
    [`password=‹abc1›\\r_u.s-e:x`],
    [`password=‹abc1</x>›`],
    [`password=‹abc1<x›`],
    [`password=‹abc1›,"x`],
    [`password=‹abc1›], x`],
    [`(password=‹abc1›), then`],
    [`password=‹abc1›…`],
    [`password=‹abc1…x›`],
    [`password=‹abc1›)`],
    [`password=‹abc1}]›);`],
    [`password=‹abc1›,;`],
    [`password=‹$abc1)›`],
    [`password=‹(abc1)›`],
    [`password={abc1},`],
    [`password=[‹abc1›];`],
    [`password=‹abc$1›)`],
    [`password=‹abc(1›)`],
  ]);
});
