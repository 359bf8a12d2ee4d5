import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { tokenShapes } from '#src/doctor/redaction/token-shapes.js';
import { base64, tokens as canaries, hexadecimal, mixed } from './canaries.js';

const letters = (length: number): string => 'qWmZkRtYbNcXvLpHsDgF'.repeat(10).slice(0, length);
const digits = (length: number): string => '4819273650'.repeat(4).slice(0, length);
const capitals = (length: number): string => mixed(length).toUpperCase();
const withSigns = (length: number): string => `${mixed(length - 4)}-x_y`;

/** Issuer, what its tokens begin with, and the rest of one. */
const issued: readonly (readonly [issuer: string, prefixes: readonly string[], rest: string])[] = [
  ['Amazon', ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3TX'], capitals(16)],
  ['Amazon Bedrock', ['ABSK'], `${mixed(80)}==`],
  ['Amazon sessions', ['IQoJb3JpZ2lu', 'FwoGZXIvYXdzE', 'FQoGZXIvYXdzE'], mixed(60)],
  ['Amazon Bedrock for a short time', ['bedrock-api-key-'], mixed(60)],
  ['Google', ['AIza'], withSigns(35)],
  ['Google OAuth', ['ya29.', '1//0', 'GOCSPX-'], withSigns(40)],
  ['Microsoft Entra', ['abc8Q~'], mixed(34)],
  ['GitHub', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'], mixed(36)],
  [
    'GitLab',
    ['pat', 'dt', 'rt', 'rtr', 'wt', 'cbt', 'ptt', 'ft', 'ffct', 'imt', 'agent', 'oas', 'soat'].map(
      (kind) => `gl${kind}-`,
    ),
    withSigns(24),
  ],
  ['GitLab runners', ['GR1348941'], withSigns(20)],
  ['Atlassian', ['ATATT3', 'ATCTT3'], withSigns(60)],
  ['Bitbucket', ['ATBB'], mixed(32)],
  ['Sourcegraph', ['sgp_'], mixed(40)],
  ['Slack', ['xoxb-', 'xoxp-', 'xoxe.xoxp-', 'xapp-1-', 'xwfp-'], `${digits(11)}-${mixed(24)}`],
  [
    'Slack webhooks',
    ['hooks.slack.com/services/', 'hooks.slack-gov.com/workflows/', 'hooks.slack.com/triggers/'],
    `T${capitals(8)}/B${capitals(8)}/${mixed(24)}`,
  ],
  [
    'Discord webhooks',
    ['discord.com/api/webhooks/', 'canary.discordapp.com/api/v10/webhooks/', 'ptb.discord.com/api/webhooks/'],
    `${digits(18)}/${withSigns(60)}`,
  ],
  [
    'Teams webhooks',
    ['webhook.office.com/webhookb2/', 'outlook.office.com/webhook/'],
    `${mixed(36)}@${mixed(36)}`,
  ],
  ['Telegram', [`${digits(10)}:A`], withSigns(34)],
  ['Stripe', ['sk_live_', 'rk_live_', 'sk_test_', 'rk_prod_'], mixed(24)],
  ['Flutterwave', ['FLWSECK-', 'FLWSECK_TEST-'], withSigns(32)],
  ['EasyPost', ['EZAK', 'EZTK'], mixed(54)],
  ['Shippo', ['shippo_live_', 'shippo_test_'], hexadecimal(40)],
  ['Duffel', ['duffel_live_', 'duffel_test_'], withSigns(43)],
  ['Stripe webhooks', ['whsec_'], mixed(32)],
  ['Shopify', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], hexadecimal(32)],
  ['Square', ['sq0atp-', 'sq0csp-', 'EAAA'], withSigns(43)],
  ['Facebook', ['EAA'], mixed(120).replace(/^A/u, 'M')],
  ['OpenAI', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], withSigns(48)],
  ['OpenAI before', ['sk-'], mixed(48)],
  ['Anthropic', ['sk-ant-'], withSigns(90)],
  ['OpenRouter', ['sk-or-'], withSigns(60)],
  ['Groq', ['gsk_'], mixed(52)],
  ['Perplexity', ['pplx-'], mixed(48)],
  ['xAI', ['xai-'], mixed(80)],
  ['Hugging Face', ['hf_', 'api_org_'], letters(34)],
  ['Replicate', ['r8_'], mixed(37)],
  ['npm', ['npm_'], mixed(36)],
  ['PyPI', ['pypi-'], withSigns(160)],
  ['RubyGems', ['rubygems_'], hexadecimal(48)],
  ['Clojars', ['CLOJARS_'], mixed(60)],
  ['Docker', ['dckr_pat_', 'dckr_oat_'], withSigns(27)],
  ['Artifactory', ['AKCp', 'cmVmd'], mixed(69)],
  ['DigitalOcean', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hexadecimal(64)],
  ['Vault', ['hvs.', 'hvb.', 'hvr.'], withSigns(90)],
  ['Doppler', ['pt', 'st', 'ct', 'sa', 'scim', 'audit'].map((kind) => `dp.${kind}.`), mixed(43)],
  ['Terraform Cloud', [`${mixed(14)}.atlasv1.`], withSigns(60)],
  ['Databricks', ['dapi'], hexadecimal(32)],
  ['Pulumi', ['pul-'], hexadecimal(40)],
  ['OpenShift', ['sha256~'], withSigns(43)],
  ['PlanetScale', ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], withSigns(43)],
  ['Supabase', ['sbp_'], hexadecimal(40)],
  ['Fly', ['fo1_', 'fm1_', 'fm1a_', 'fm1r_', 'fm2_'], withSigns(43)],
  ['Heroku', ['HRKU-'], withSigns(60)],
  ['Cloudflare', [`v1.0-${hexadecimal(24)}-`], hexadecimal(146)],
  ['Netlify', ['nfp_'], mixed(36)],
  ['Tailscale', ['tskey-auth-', 'tskey-api-'], `${mixed(12)}-${mixed(24)}`],
  ['Prefect', ['pnu_'], mixed(36)],
  ['Alibaba', ['LTAI'], mixed(20)],
  ['Tencent', ['AKID'], mixed(32)],
  ['Octopus', ['API-'], capitals(26)],
  ['Grafana', ['glsa_', 'glc_'], mixed(41)],
  ['Dynatrace', ['dt0c01.'], `${capitals(24)}.${capitals(64)}`],
  ['Sentry', ['sntrys_', 'sntryu_'], mixed(64)],
  ['PostHog', ['phc_', 'phx_'], mixed(43)],
  ['New Relic', ['NRAK-', 'NRII-', 'NRJS-', 'NRRA-', 'NRIQ-'], capitals(27)],
  ['SendGrid', ['SG.'], `${withSigns(22)}.${withSigns(43)}`],
  ['Brevo', ['xkeysib-'], `${hexadecimal(64)}-${mixed(16)}`],
  ['Mailgun', ['key-'], hexadecimal(32)],
  ['Twilio', ['SK'], hexadecimal(32)],
  ['Postman', ['PMAK-'], `${hexadecimal(24)}-${hexadecimal(34)}`],
  ['1Password', ['A3-'], `${capitals(6)}-${capitals(34)}`],
  ['1Password service accounts', ['ops_eyJ'], mixed(200)],
  ['age', ['AGE-SECRET-KEY-1'], capitals(58)],
  ['MaxMind', [`${mixed(6)}_`], `${mixed(29)}_mmk`],
  ['Linear', ['lin_api_', 'lin_oauth_'], mixed(40)],
  ['Notion', ['ntn_', 'secret_'], mixed(43)],
  ['Airtable', [`pat${mixed(14)}.`], hexadecimal(64)],
  ['ReadMe', ['rdme_'], hexadecimal(70)],
  ['Mailchimp', [hexadecimal(32)], '-us12'],
  ['Yandex', ['t1.', 'AQVN'], withSigns(60)],
  [
    'anybody: a JSON Web Token',
    ['eyJ'],
    `${base64('{"alg":"HS256"}').slice(3)}.${mixed(40)}.${withSigns(43)}`,
  ],
];

const tokens = issued.flatMap(([issuer, prefixes, rest]) =>
  prefixes.map((prefix) => [prefix, issuer, `${prefix}${rest}`] as const),
);

describe('a token with the prefix of its issuer', () => {
  it.each(tokens)('is recognized, to its end: %s of %s', (_, __, token) => {
    const text = `the answer to ${token}: refused`;
    const spans = tokenShapes(text).map(({ start, end }) => text.slice(start, end));

    expect(spans).toEqual([token]);
  });

  it.each(tokens)('is distinct from a word that begins like it: %s of %s', (prefix) => {
    expect(tokenShapes(`${prefix} is how they begin`)).toEqual([]);
  });

  it.each(canaries)('is removed where %s is the whole text, or stands between signs', (_, token) => {
    for (const text of [token, `using ${token}.`, `"${token}"`, `x=${token};`, `(${token})`]) {
      expect(redact(text)).not.toContain(token.slice(-12));
      expect(redact(text)).toMatch(/\[redacted (?:token|key|credentials)\]/u);
    }
  });
});
