import { type Alphabet, alphabet } from './entropy.js';
import type { SecretKind } from './span.js';

/** A token that begins with one of the prefixes and goes on with characters of one alphabet. */
export interface PrefixedToken {
  readonly kind: SecretKind;
  readonly prefixes: readonly string[];
  readonly alphabet: Alphabet;
  /** Fewest characters behind the prefix: fewer than issued, since a log may cut a token off. */
  readonly min: number;
  /** Most characters behind the prefix; the token ends there. */
  readonly max: number;
  /** What follows the prefix must look drawn by a machine: the prefix alone may also begin a name. */
  readonly machineMade?: true;
}

const alnum = alphabet('A-Za-z0-9');
const word = alphabet('A-Za-z0-9_');
const dashed = alphabet('A-Za-z0-9_-');
const dotted = alphabet('A-Za-z0-9._-');
const base64 = alphabet('A-Za-z0-9+/=');
const base64Dashed = alphabet('A-Za-z0-9_=-');
const hex = alphabet('a-f0-9');
const capitals = alphabet('A-Z0-9');

const token = of('token');
const key = of('key');
const machineMade = (shape: PrefixedToken): PrefixedToken => ({ ...shape, machineMade: true });

/** By issuer, in the forms that issuers publish. Of two prefixes that fit, the one further up decides. */
export const prefixedTokens: readonly PrefixedToken[] = Object.values({
  Amazon: [
    key('ABSK', base64, 60),
    token('IQoJb3JpZ2lu FwoGZXIvYXdzE FQoGZXIvYXdzE', base64, 8),
    token('bedrock-api-key-', base64, 16),
  ],
  Google: [key('AIza', dashed, 30), token('ya29.', dotted, 16), token('1//0', dashed, 20)],
  'Google OAuth clients': [token('GOCSPX-', dashed, 16)],
  GitHub: [token('gho_ ghp_ ghu_ ghs_ ghr_', dotted, 16), token('github_pat_', word, 16)],
  GitLab: [
    token('glpat- gldt- glrt- glrtr- glwt- glcbt- glptt- glft- glffct- glimt- glagent-', dotted, 16),
    token('gloas- glsoat-', dotted, 16),
    token('GR1348941', dashed, 16),
  ],
  Atlassian: [token('ATATT3 ATCTT3', base64Dashed, 16), token('ATBB', alnum, 20)],
  Sourcegraph: [token('sgp_', word, 20)],
  Slack: [
    token('xwfp-', dashed, 8),
    token('hooks.slack.com/services/ hooks.slack-gov.com/services/', alphabet('A-Za-z0-9_/+-'), 8),
    token('hooks.slack.com/workflows/ hooks.slack-gov.com/workflows/', alphabet('A-Za-z0-9_/+-'), 8),
    token('hooks.slack.com/triggers/ hooks.slack-gov.com/triggers/', alphabet('A-Za-z0-9_/+-'), 8),
  ],
  Teams: [token('webhook.office.com/webhookb2/ outlook.office.com/webhook/', alphabet('A-Za-z0-9_@/-'), 16)],
  Stripe: [
    key('sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', alnum, 8),
    token('whsec_', base64, 16),
  ],
  Flutterwave: [key('FLWSECK- FLWSECK_TEST-', dashed, 12)],
  EasyPost: [key('EZAK EZTK', alnum, 50)],
  Shippo: [key('shippo_live_ shippo_test_', alnum, 16)],
  Duffel: [key('duffel_live_ duffel_test_', base64Dashed, 16)],
  Shopify: [token('shpat_ shpca_ shppa_ shpss_', alnum, 16)],
  Square: [token('sq0atp- sq0csp-', dashed, 16), token('EAAA', dashed, 22)],
  Meta: [token('EAA', alnum, 90)],
  'OpenAI, Anthropic, OpenRouter': [
    key('sk-proj- sk-svcacct- sk-admin- sk-ant- sk-or- sk-live- sk-test-', dashed, 16),
    key('sk-', alnum, 20),
  ],
  Groq: [key('gsk_', alnum, 20)],
  'Langfuse, Axiom, HubSpot': [
    key('sk-lf- xaat- xapt- pat-na1- pat-na2- pat-eu1-', alphabet('a-f0-9-'), 36, 36),
  ],
  Firecrawl: [key('fc-', hex, 32, 32)],
  Fireworks: [machineMade(key('fw_', alnum, 20))],
  Contentful: [token('CFPAT-', dashed, 20)],
  LaunchDarkly: [key('sdk- mob- api- rel-', alphabet('a-f0-9-'), 36, 36)],
  Perplexity: [key('pplx-', alnum, 20)],
  xAI: [key('xai-', alnum, 40)],
  'Hugging Face': [token('hf_ api_org_', alnum, 20)],
  Replicate: [token('r8_', alnum, 20)],
  SonarQube: [token('squ_ sqp_ sqa_', hex, 20)],
  CircleCI: [token('CCIPRJ_', word, 20)],
  npm: [token('npm_', alnum, 16)],
  PyPI: [token('pypi-', dashed, 32)],
  RubyGems: [token('rubygems_', hex, 20)],
  Clojars: [token('CLOJARS_', alnum, 30)],
  Docker: [token('dckr_oat_ dckr_pat_', dashed, 16)],
  Artifactory: [token('AKCp cmVmd', alnum, 40)],
  DigitalOcean: [token('doo_v1_ dop_v1_ dor_v1_', hex, 20)],
  Vault: [token('hvs. hvb. hvr.', dashed, 16)],
  Doppler: [token('dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', dotted, 16)],
  Databricks: [token('dapi', hex, 32, 32)],
  Pulumi: [token('pul-', hex, 20)],
  OpenShift: [token('sha256~', dashed, 30)],
  PlanetScale: [token('pscale_tkn_ pscale_oauth_ pscale_pw_', alphabet('A-Za-z0-9_=.-'), 16)],
  Supabase: [token('sbp_', hex, 20)],
  Fly: [token('fo1_ fm1_ fm1a_ fm1r_ fm2_', alphabet('A-Za-z0-9_+/=-'), 30)],
  Heroku: [token('HRKU-', dashed, 30)],
  Netlify: [token('nfp_', alnum, 20)],
  Prefect: [token('pnu_', alnum, 20)],
  Okteto: [token('tk-us-', dashed, 30)],
  Alibaba: [key('LTAI', alnum, 16)],
  Tencent: [key('AKID', alnum, 28)],
  'IBM Cloud': [key('ico-', alnum, 32, 32)],
  Octopus: [key('API-', capitals, 26, 26)],
  Grafana: [token('glsa_', word, 20), token('glc_', base64, 20)],
  Sentry: [token('sntrys_ sntryu_', alphabet('A-Za-z0-9+/=_'), 20)],
  PostHog: [token('phc_ phx_', alnum, 30)],
  'New Relic': [key('NRAK-', alnum, 16), key('NRII- NRJS- NRRA- NRIQ-', dashed, 16)],
  Mailgun: [key('key-', hex, 32, 32)],
  Twilio: [key('SK', alphabet('A-Fa-f0-9'), 32, 32)],
  age: [key('AGE-SECRET-KEY-1', capitals, 20)],
  Linear: [token('lin_api_ lin_oauth_', alnum, 16)],
  Notion: [token('ntn_', alnum, 20), token('secret_', alnum, 43, 43)],
  '1Password': [token('ops_eyJ', base64, 20)],
  Proctorio: [token('p8e-', alnum, 32, 32)],
  ReadMe: [token('rdme_', alphabet('a-z0-9'), 30)],
  'Frame.io': [token('fio-u-', base64Dashed, 30)],
  Sumo: [token('sm_aat_ sm_pat_ sm_sat_', alnum, 16, 16)],
  Spotify: [token('s-s4t2ud- s-s4t2af-', hex, 30)],
  Plaid: [token('access-sandbox- access-development- access-production-', alphabet('a-f0-9-'), 36, 36)],
  Dropbox: [token('sl.', dashed, 60)],
  Twitter: [token('AAAAAAAAAAAAAAAAAAA', alphabet('A-Za-z0-9_%'), 30)],
  Yandex: [token('t1.', dashed, 40), token('AQVN', dashed, 30)],
}).flat();

function of(kind: SecretKind) {
  return (
    prefixes: string,
    characters: Alphabet,
    min: number,
    max = Number.POSITIVE_INFINITY,
  ): PrefixedToken => ({ kind, prefixes: prefixes.split(' '), alphabet: characters, min, max });
}
