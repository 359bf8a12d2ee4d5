import { alphabet } from './entropy.js';
import type { PrefixedToken } from './token-prefixes.js';

/**
 * How tokens of more issuers begin, which characters follow, and the fewest of them: half of what is issued
 * where the beginning ends in a separator, since a log may cut a token off. Taken by `scripts/token-rules.go`
 * from the rules of Betterleaks 1.7.0, commit 6381fa45ae94, Copyright (c) 2026 Zachary Rice, under the MIT
 * license, which `betterleaks.license.txt` states.
 */
const rows = String.raw`
1password-secret-key A3- 0-9A-Z- 18
1password-service-account-token ops_eyJ +/-9=A-Za-z 250
adobe-client-secret p8e- 0-9A-Za-z 16
age-secret-key AGE-SECRET-KEY-1 02-9AC-HJ-NP-Z 58
aikido-ci-token AIK_CI_ 0-9A-Za-z 16
aikido-client-secret AIK_SECRET_ 0-9A-Za-z 32
airtable-personnal-access-token pat .0-9A-Za-z 79
anthropic-admin-api-key sk-ant-admin01- 0-9A-Z_a-z- 47
anthropic-api-key sk-ant-api03- 0-9A-Z_a-z- 47
apify-api-token apify_api_ 0-9A-Za-z 17
artifactory-api-key AKCp 0-9A-Za-z 68
artifactory-reference-token cmVmd 0-9A-Za-z 59
asaas-api-token $aact_hmlg_ 0-9A-Z_a-z- 16
asaas-api-token $aact_prod_ 0-9A-Z_a-z- 16
authress-service-client-access-key authress_|AUTHRESS_ +--9=A-Z_a-z 28
authress-service-client-access-key ext_|EXT_ +--9=A-Z_a-z 28
authress-service-client-access-key sc_|SC_ +--9=A-Z_a-z 28
authress-service-client-access-key scauth_|SCAUTH_ +--9=A-Z_a-z 28
aws-access-token A3T 0-9A-Z 17
aws-access-token ABIA 2-7A-Z 16
aws-access-token ACCA 2-7A-Z 16
aws-access-token AKIA 2-7A-Z 16
aws-access-token ASIA 2-7A-Z 16
aws-amazon-bedrock-api-key-long-lived ABSK +/-9=A-Za-z 109
brave-search-api-key BSA 0-9A-Z_a-z- 24
buildkite-service-token bkaa_ 0-9A-Z_a-z- 37
buildkite-service-token bkaj_ 0-9A-Z_a-z- 166
buildkite-service-token bkar_ 0-9A-Z_a-z- 36
buildkite-service-token bkct_ 0-9A-Z_a-z- 36
buildkite-service-token bkpat_ 0-9A-Z_a-z- 27
buildkite-service-token bkps_ 0-9A-Z_a-z- 32
buildkite-service-token bkpt_ 0-9A-Z_a-z- 99
buildkite-user-access-token bkua_ 0-9a-z 20
canva-client-secret cnvca 0-9A-Z_a-z- 51
cerebras-api-key csk-|CSK- 0-9A-Za-z 24
circleci-personal-token CCIPAT_ 0-9A-Z_a-z 31
clerk-secret-key sk_live_|SK_LIVE_ 0-9A-Za-z 16
clerk-secret-key sk_test_|SK_TEST_ 0-9A-Za-z 16
clickhouse-cloud-api-secret-key 4b1d 0-9A-Za-z 38
clojars-api-token clojars_|CLOJARS_ 0-9A-Za-z 30
cloudflare-origin-ca-key v1.0- 0-9a-f- 85
cloudsmith-api-key csa_ 0-9A-Za-z 18
cockroachlabs-cloud-api-key CCDB1_ 0-9A-Z_a-z 31
configcat-sdk-key-extended configcat-sdk-1/ /-9A-Z_a-z- 22
databricks-api-token dapi 0-9a-f- 32
datastax-astra-application-token AstraCS: 0-9A-Za-z 16
defined-networking-api-token dnkey-|DNKEY- 0-9=A-Z_a-z- 39
deno-account-token ddp_ 0-9A-Za-z 18
devin-personal-api-key apk_user_ +/-9=A-Za-z 60
devin-service-api-key apk_ +/-9=A-Za-z 40
devin-service-user-token cog_ 2-7a-z 26
digitalocean-access-token doo_v1_ 0-9a-f 32
digitalocean-pat dop_v1_ 0-9a-f 32
digitalocean-refresh-token dor_v1_|DOR_V1_ 0-9A-Fa-f 32
docker-swarm-join-token SWMTKN-1- 0-9a-z- 37
docker-swarm-unlock-key SWMKEY-1- +/-9A-Za-z 20
dockerhub-organization-access-token dckr_oat_ 0-9A-Z_a-z- 16
dockerhub-personal-access-token dckr_pat_ 0-9A-Z_a-z- 16
doppler-api-token dp.pt. 0-9A-Za-z 21
duffel-api-token duffel_live_ 0-9=A-Z_a-z- 21
duffel-api-token duffel_test_ 0-9=A-Z_a-z- 21
dynatrace-api-token dt0c01. .0-9A-Za-z 44
easypost-api-token EZAK 0-9A-Za-z 54
easypost-test-api-token EZTK 0-9A-Za-z 54
elastic-cloud-api-key essu_ 0-9=A-Z_a-z- 30
exoscale-api-key EXO 0-9A-Za-z 24
facebook-page-access-token EAAC 0-9A-Za-z 100
facebook-page-access-token EAAM 0-9A-Za-z 100
figma-personal-access-token figd_|FIGD_ 0-9A-Z_a-z- 19
flutterwave-secret-key FLWSECK_TEST- 0-9A-HXa-hx- 17
frameio-api-token fio-u- 0-9=A-Z_a-z- 32
gcp-api-key AIza 0-9A-Z_a-z- 35
gcp-gemini-api AQ.Ab8RN6 0-9A-Z_a-z- 44
github-app-token ghs_ 0-9A-Za-z 18
github-app-token ghu_ 0-9A-Za-z 18
github-fine-grained-pat github_pat_ 0-9A-Z_a-z 41
github-oauth gho_ 0-9A-Za-z 18
github-pat ghp_ 0-9A-Za-z 18
github-refresh-token ghr_ 0-9A-Za-z 18
gitlab-cicd-job-token glcbt- 0-9A-Z_a-z- 16
gitlab-deploy-token gldt- 0-9A-Z_a-z- 16
gitlab-feature-flag-client-token glffct- 0-9A-Z_a-z- 16
gitlab-feed-token glft- 0-9A-Z_a-z- 16
gitlab-incoming-mail-token glimt- 0-9A-Z_a-z- 16
gitlab-kubernetes-agent-token glagent- 0-9A-Z_a-z- 25
gitlab-oauth-app-secret gloas- 0-9A-Z_a-z- 32
gitlab-pat glpat- 0-9A-Z_a-z- 16
gitlab-pat-routable glpat- -.0-9A-Z_a-z 18
gitlab-ptt glptt- 0-9a-f 20
gitlab-rrt GR1348941 0-9A-Z_a-z- 20
gitlab-runner-authentication-token glrt- 0-9A-Z_a-z- 16
gitlab-runner-authentication-token-routable glrt-t -.0-9A-Z_a-z 39
gitlab-scim-token glsoat- 0-9A-Z_a-z- 16
gitlab-session-cookie _gitlab_session= 0-9a-z 32
grafana-api-key eyJrIjoi +/-9=A-Za-z 40
grafana-cloud-api-token glc_ +/-9=A-Za-z 20
grafana-service-account-token glsa_ 0-9A-Z_a-z 20
groq-api-key gsk_|GSK_ 0-9A-Za-z 26
harness-api-key pat. -.0-9A-Z_a-z 34
harness-api-key sat. -.0-9A-Z_a-z 34
heroku-api-key-v2 HRKU-AA 0-9A-Z_a-z- 58
highnote-secret-live-key sk_live_a2V5Xz +/-9=A-Za-z 69
huggingface-access-token hf_ A-Za-z 17
huggingface-organization-api-token api_org_ A-Za-z 17
infracost-api-token ico- 0-9A-Za-z 16
intra42-client-secret s-s4t2af- 0-9A-Fa-f 32
intra42-client-secret s-s4t2ud- 0-9A-Fa-f 32
ionic-personal-access-token ion_ 0-9A-Za-z 21
langchain-langsmith-personal-access-token lsv2_pt_ 0-9A-F_a-f 21
langchain-langsmith-service-key lsv2_sk_ 0-9A-F_a-f 21
lichess-personal-access-token lip_ 0-9A-Z_a-z 16
linear-api-key lin_api_ 0-9A-Za-z 20
lob-pub-api-key live_pub_|LIVE_PUB_ 0-9A-Fa-f 16
lob-pub-api-key test_pub_|TEST_PUB_ 0-9A-Fa-f 16
mailersend-api-token mlsn. 0-9A-Za-z 16
mailgun-pub-key pubkey-|PUBKEY- 0-9A-Fa-f 16
mercury-production-api-token mercury_production_ 0-9A-Z_a-z 26
mergify-application-key mergify_application_key_ 0-9A-Z_a-z- 20
minimax-api-key sk-api-|SK-API- 0-9A-Z_a-z- 59
mongodb-atlas-service-account-secret mdb_sa_sk_ 0-9A-Z_a-z- 20
neon-api-key napi_ 0-9A-Za-z 32
notion-api-token ntn_ 0-9A-Za-z 23
npm-access-token npm_|NPM_ 0-9A-Za-z 18
nvidia-api-key nvapi-|NVAPI- 0-9A-Z_a-z- 30
octopus-deploy-api-key API- 0-9A-Z 16
onesignal-rich-authentication-token os_v2_app_ 2-7a-z 51
onesignal-rich-authentication-token os_v2_org_ 2-7a-z 51
onfido-live-api-token-ca api_live_ca. 0-9A-Z_a-z- 16
onfido-live-api-token-eu api_live. 0-9A-Z_a-z- 16
onfido-live-api-token-us api_live_us. 0-9A-Z_a-z- 16
openai-api-key sk- 0-9A-Za-z 24
openai-api-key sk-admin- 0-9A-Z_a-z- 24
openai-api-key sk-proj- 0-9A-Z_a-z- 24
openai-api-key sk-svcacct- 0-9A-Z_a-z- 24
openrouter-api-key sk-or-v1-|SK-OR-V1- 0-9A-Fa-f 32
openshift-user-token sha256~ 0-9A-Z_a-z- 43
paddle-live-api-key pdl_live_apikey_ 0-9A-Z_a-z 26
perplexity-api-key pplx- 0-9A-Za-z 24
persona-production-api-key persona_production_ 0-9_a-z- 16
pinecone-api-key pcsk_ 0-9A-Z_a-z 34
pinterest-access-token pina_ 0-9A-Z_a-z- 16
plaid-api-token access-development-|ACCESS-DEVELOPMENT- 0-9A-Fa-f- 18
plaid-api-token access-production-|ACCESS-PRODUCTION- 0-9A-Fa-f- 18
plaid-api-token access-sandbox-|ACCESS-SANDBOX- 0-9A-Fa-f- 18
planetscale-api-token pscale_tkn_ -.0-9=A-Z_a-z 16
planetscale-oauth-token pscale_oauth_ -.0-9=A-Z_a-z 16
planetscale-password pscale_pw_|PSCALE_PW_ -.0-9=A-Z_a-z 16
polar-oauth-access-token polar_at_ 0-9A-Z_a-z- 16
polar-organization-access-token polar_oat_ 0-9A-Z_a-z- 16
polar-personal-access-token polar_pat_ 0-9A-Z_a-z- 16
posthog-personal-api-key phx_|PHX_ 0-9A-Z_a-z- 20
posthog-project-api-key phc_|PHC_ 0-9A-Z_a-z- 20
postman-api-token PMAK- 0-9A-Fa-f- 29
prefect-api-token pnu_ 0-9A-Za-z 18
proof-full-access-api-key prf_ 0-9A-Z_a-z- 16
pulumi-api-token pul- 0-9a-f 20
pypi-upload-token pypi-AgEIcHlwaS5vcmc 0-9A-Z_a-z- 50
rainforest-pay-production-api-key apikey_ 0-9a-f 32
ramp-client-secret ramp_sec_ 0-9A-Za-z 24
readme-api-token rdme_ 0-9a-z 35
redirect-pizza-api-token rpa_ 0-9A-Za-z 16
render-api-key rnd_ 0-9A-Za-z 16
replicate-api-token r8_|R8_ 0-9A-Za-z 18
rootly-api-key rootly_ 0-9a-f 32
rubygems-api-token rubygems_ 0-9a-f 24
samsara-api-token samsara_api_ 0-9A-Za-z 16
scalingo-api-token tk-us- 0-9A-Z_a-z- 24
scalr-api-access-token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJ1c2VyIiwianRpIjoiYXQt -.0-9A-Z_a-z 64
segment-public-api-token sgp_ 0-9A-Za-z 32
sendgrid-api-token SG. -.0-9=A-Z_a-z 33
sendinblue-api-token xkeysib- 0-9A-Za-z- 40
sentry-org-token sntrys_eyJpYXQiO +/-9=A-Z_a-z 80
sentry-user-token sntryu_ 0-9a-f 32
settlemint-application-access-token sm_aat_ 0-9A-Za-z 16
settlemint-personal-access-token sm_pat_ 0-9A-Za-z 16
settlemint-service-access-token sm_sat_ 0-9A-Za-z 16
shippo-api-token shippo_live_ 0-9A-Fa-f 20
shippo-api-token shippo_test_ 0-9A-Fa-f 20
shopify-access-token shpat_ 0-9A-Fa-f 16
shopify-custom-access-token shpca_ 0-9A-Fa-f 16
shopify-private-app-access-token shppa_ 0-9A-Fa-f 16
shopify-shared-secret shpss_ 0-9A-Fa-f 16
slack-bot-token xoxb- 0-9A-Za-z- 16
slack-config-refresh-token xoxe-|XOXE- 0-9A-Za-z- 74
slack-session-cookie xoxd- +/-9=A-Z\_a-z- 50
slack-session-token xoxc- 0-9a-f- 47
slack-user-token xoxe 0-9A-Za-z- 62
slack-user-token xoxp 0-9A-Za-z- 62
sourcegraph-access-token sgp_local_|SGP_LOCAL_ 0-9A-Fa-f 20
sourcegraph-access-token sgp_|SGP_ 0-9A-F_a-f 28
sourcegraph-access-token sgp_|SGP_ 0-9A-Fa-f 20
square-access-token EAAA 0-9A-Z_a-z- 22
square-access-token sq0atp- 0-9A-Z_a-z- 16
supabase-management-token sbp_ 0-9_a-z- 20
supabase-project-api-key sb_secret_ 0-9A-Z_a-z- 16
tailscale-api-key tskey-api- 0-9A-Z_a-z- 16
temporal-cloud-api-key eyJ -.0-9A-Z_a-z 88
thunderstore-api-token tss_ 0-9A-Z_a-z- 16
togetherai-api-key tgp_v1_|TGP_V1_ 0-9A-Z_a-z- 21
unkey-root-key unkey_ 0-9A-Za-z 16
upcloud-api-token ucat_ 0-9A-Za-z 16
val-town-api-token vtwn_ 0-9A-Z_a-z- 16
vault-batch-token hvb. 0-9A-Z_a-z- 69
vault-service-token hvs. 0-9A-Z_a-z- 45
vercel-ai-gateway-key vck_|VCK_ 0-9A-Z_a-z- 28
vercel-app-access-token vca_|VCA_ 0-9A-Z_a-z- 28
vercel-app-refresh-token vcr_|VCR_ 0-9A-Z_a-z- 28
vercel-integration-token vci_|VCI_ 0-9A-Z_a-z- 28
vercel-personal-access-token vcp_|VCP_ 0-9A-Z_a-z- 28
wakatime-api-key waka_|WAKA_ 0-9A-Za-z 18
weights-and-biases-api-key-v1 wandb_v1_|WANDB_V1_ 0-9A-Z_a-z 38
workato-developer-api-token wrka -.0-9A-Z_a-z 94
xai-api-key xai-|XAI- 0-9A-Z_a-z- 35
zuplo-consumer-api-key zpka_ 0-9_a-z 20
`;

export const issuedPrefixes: readonly PrefixedToken[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [rule = '', prefixes = '', characters = '', min = ''] = row.split(' ');
    return {
      kind: rule.endsWith('-key') ? 'key' : 'token',
      prefixes: prefixes.split('|'),
      alphabet: alphabet(characters),
      min: Number(min),
      max: Number.POSITIVE_INFINITY,
      machineMade: true,
    };
  });
