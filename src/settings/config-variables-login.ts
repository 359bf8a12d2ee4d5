import * as z from 'zod';
import { namesIn, path, port, type Variable, variable, wholeNumber } from './config-variable.js';

/** Without TLS only on the machine itself. */
const address = z.url({ protocol: /^https?$/ }).refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (protocol === 'https:' || isLoopback) && search === '' && hash === '';
});

/** The company's login, which a policy can ask of approvers. */
export const loginVariables = {
  loginIssuer: variable(
    'LOGIN_ISSUER',
    'OpenID Connect issuer of the company; needed where the policy demands a login, see docs/login.md',
    {
      en: 'a URL with `https`, as the issuer writes it, such as `https://login.example.com`',
      ko: '발급자가 쓰는 그대로의 `https` URL(예: `https://login.example.com`)',
    },
    address.optional(),
  ),
  loginClientId: variable(
    'LOGIN_CLIENT_ID',
    'client id of this app at the issuer',
    { en: 'a text', ko: '문자열' },
    z.string().min(1).max(500).optional(),
  ),
  loginClientSecretFile: path(
    'LOGIN_CLIENT_SECRET_FILE',
    'file with the client secret; read again every 10 minutes',
  ),
  loginBaseUrl: variable(
    'LOGIN_BASE_URL',
    'how browsers reach LOGIN_PORT; the issuer must allow `<LOGIN_BASE_URL>/login/callback`',
    {
      en: 'a URL with `https`, such as `https://rollout-doctor.example.com`',
      ko: '`https` URL(예: `https://rollout-doctor.example.com`)',
    },
    address.transform((text) => text.replace(/\/$/u, '')).optional(),
  ),
  loginPort: port(
    'LOGIN_PORT',
    'port of the pages that confirm approvals; opened if LOGIN_ISSUER is set',
    3003,
  ),
  loginPersonClaim: variable(
    'LOGIN_PERSON_CLAIM',
    "claim that names the person: `email`, if verified, is compared with the Slack profile's; any other must hold the Slack user id",
    { en: 'the name of a claim', ko: '클레임 이름' },
    z.string().min(1).max(200).default('email'),
  ),
  loginMaxAgeSeconds: wholeNumber(
    'LOGIN_MAX_AGE_SECONDS',
    'how long ago a person may have logged in; the issuer asks for the login again after that',
    { from: 0, to: 86_400, usual: 300 },
  ),
  loginAcr: variable(
    'LOGIN_ACR',
    'accepted values of the claim `acr`, such as those of a second factor; any when unset',
    { en: 'values separated by commas', ko: '쉼표로 구분한 값' },
    z.string().transform(namesIn).default([]),
  ),
} as const satisfies Record<string, Variable>;
