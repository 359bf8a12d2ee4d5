/**
 * Made-up secrets in the shapes their issuers use. They are composed here, so that no file contains a
 * complete one for a scanner of repositories to report.
 */
const letters = 'Zq7Kd9Xw2Lm4Vt8Rb3Nc6Ph1Jg5Fs0Ty';
const hex = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';

function mixed(length: number): string {
  return letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
}

function hexadecimal(length: number): string {
  return hex.repeat(Math.ceil(length / hex.length)).slice(0, length);
}

/** A token by its issuer and kind: prefix and rest. */
export const tokens: readonly (readonly [issuer: string, token: string])[] = [
  ['an AWS access key id', ['AKIA', 'Z7QK4LM2XW9VT8RB'].join('')],
  ['an AWS temporary key id', ['ASIA', 'Z7QK4LM2XW9VT8RB'].join('')],
  ['an AWS session token', ['IQoJb3JpZ2lu', mixed(80)].join('')],
  ['a Bedrock key', ['ABSK', mixed(110)].join('')],
  ['a Google API key', ['AIza', mixed(35)].join('')],
  ['a Google OAuth access token', ['ya29.', mixed(60)].join('')],
  ['a Google OAuth refresh token', ['1//0', mixed(40)].join('')],
  ['a Google OAuth client secret', ['GOCSPX-', mixed(28)].join('')],
  ['an Entra client secret', ['abc8Q~', mixed(34)].join('')],
  ['an Azure storage key', [mixed(86), '=='].join('')],
  ['a GitHub personal token', ['ghp_', mixed(36)].join('')],
  ['a GitHub Actions token', ['ghs_', mixed(36)].join('')],
  ['a GitHub fine-grained token', ['github_pat_', mixed(22), '_', mixed(59)].join('')],
  ['a GitLab personal token', ['glpat-', mixed(20)].join('')],
  ['a GitLab runner token', ['glrt-', mixed(20)].join('')],
  ['a GitLab CI job token', ['glcbt-', '64_', mixed(20)].join('')],
  ['an Atlassian token', ['ATATT3', mixed(60)].join('')],
  ['a Slack bot token', ['xoxb-', '1234567890-1234567890-', mixed(24)].join('')],
  ['a Slack app token', ['xapp-', '1-A01-123-', hexadecimal(40)].join('')],
  ['a Slack configuration token', ['xoxe.xoxp-', '1-', mixed(60)].join('')],
  ['a Slack webhook', ['hooks.slack.com/services/', 'T0000AAAA/B0000AAAA/', mixed(24)].join('')],
  ['a Discord webhook', ['discord.com/api/webhooks/', '123456789012345678/', mixed(60)].join('')],
  ['a Telegram bot token', ['123456789:AA', mixed(33)].join('')],
  ['a Stripe key', ['sk_live_', mixed(24)].join('')],
  ['a Stripe restricted key', ['rk_test_', mixed(24)].join('')],
  ['a Stripe webhook secret', ['whsec_', mixed(32)].join('')],
  ['a Shopify token', ['shpat_', hexadecimal(32)].join('')],
  ['a Square token', ['sq0atp-', mixed(22)].join('')],
  ['an OpenAI key', ['sk-', mixed(20), 'T3BlbkFJ', mixed(20)].join('')],
  ['an OpenAI project key', ['sk-proj-', mixed(74)].join('')],
  ['an Anthropic key', ['sk-ant-api03-', mixed(93), 'AA'].join('')],
  ['a Hugging Face token', ['hf_', 'ZqKdXwLmVtRbNcPhJgFsTyZqKdXwLmVtRb'].join('')],
  ['an npm token', ['npm_', mixed(36)].join('')],
  ['a PyPI token', ['pypi-', 'AgEIcHlwaS5vcmc', mixed(60)].join('')],
  ['a RubyGems token', ['rubygems_', hexadecimal(48)].join('')],
  ['a Docker Hub token', ['dckr_pat_', mixed(27)].join('')],
  ['a DigitalOcean token', ['dop_v1_', hexadecimal(64)].join('')],
  ['a Vault token', ['hvs.', mixed(90)].join('')],
  ['an old Vault token', ['s.', mixed(24)].join('')],
  ['a Doppler token', ['dp.pt.', mixed(43)].join('')],
  ['a Terraform Cloud token', [mixed(14), '.atlasv1.', mixed(64)].join('')],
  ['a Databricks token', ['dapi', hexadecimal(32)].join('')],
  ['a Pulumi token', ['pul-', hexadecimal(40)].join('')],
  ['an OpenShift token', ['sha256~', mixed(43)].join('')],
  ['a PlanetScale password', ['pscale_pw_', mixed(43)].join('')],
  ['a Tailscale key', ['tskey-auth-', mixed(12), '-', mixed(32)].join('')],
  ['a Grafana service account token', ['glsa_', mixed(32), '_', hexadecimal(8)].join('')],
  ['a New Relic key', ['NRAK-', 'Z7QK4LM2XW9VT8RBZ7QK4LM2XW9'].join('')],
  ['a Dynatrace token', ['dt0c01.', mixed(24), '.', mixed(64)].join('')],
  ['a Sentry token', ['sntryu_', hexadecimal(64)].join('')],
  ['a SendGrid key', ['SG.', mixed(22), '.', mixed(43)].join('')],
  ['a Mailgun key', ['key-', hexadecimal(32)].join('')],
  ['a Twilio key', ['SK', hexadecimal(32)].join('')],
  ['a Postman key', ['PMAK-', hexadecimal(24), '-', hexadecimal(34)].join('')],
  ['a Linear key', ['lin_api_', mixed(40)].join('')],
  ['an age key', ['AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE'].join('')],
  [
    'a JSON Web Token',
    [base64url('{"alg":"HS256","typ":"JWT"}'), base64url('{"sub":"42"}'), mixed(43)].join('.'),
  ],
  [
    'a JSON Web Token cut off in its payload',
    [base64url('{"alg":"HS256","typ":"JWT"}'), 'eyJzdWIiOi'].join('.'),
  ],
];

/** The body of a private key, as wide as PEM writes it. */
export const keyLines: readonly string[] = [
  `MIIEpAIBAAKCAQEA${mixed(48)}`,
  mixed(64),
  `${mixed(30).toLowerCase()}A9${mixed(32)}`,
  `${mixed(42)}==`,
];

export const password = ['hunter2', 'Canary', '!x'].join('');

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

export { hexadecimal, mixed };
