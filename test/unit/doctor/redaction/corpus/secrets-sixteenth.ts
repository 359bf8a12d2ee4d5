import {
  alphanumeric,
  base64,
  base64Signs,
  capitalsOrDigits,
  createDraw,
  digits,
  hex,
  smallOrDigits,
  urlSigns,
} from './values.js';

const draw = createDraw(3);

const secretIn = (secret: string, text: (secret: string) => string): string => text(`‹${secret}›`);

/** The sixteenth part: formats of 2026, written before any detector was changed for it. */
export const sixteenthSecrets: Readonly<Record<string, readonly string[]>> = {
  clouds: [
    secretIn(
      draw(base64Signs, 200),
      (x) => `botocore.exceptions.ClientError: expired: AWS_SESSION_TOKEN=${x}`,
    ),
    secretIn(draw(base64Signs, 40), (x) => `env:\n- name: AWS_SECRET_ACCESS_KEY\n  value: ${x}`),
    secretIn(
      draw(base64Signs, 40),
      (x) =>
        `{"AccessKeyId":"ASIA${draw(capitalsOrDigits, 16)}","SecretAccessKey":"${x}","Expiration":"2026-11-29T10:00:00Z"}`,
    ),
    secretIn(
      draw(hex, 64),
      (x) =>
        `GET https://b.s3.ap-northeast-2.amazonaws.com/m.bin?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-Signature=${x}&x-id=GetObject 403`,
    ),
    secretIn(
      encodeURIComponent(`${draw(base64Signs, 43)}=`),
      (x) =>
        `azcopy: https://acct.blob.core.windows.net/models?sv=2024-11-04&se=2026-12-01&sr=c&sp=rl&sig=${x}`,
    ),
    secretIn(
      `${draw(base64Signs, 86)}==`,
      (x) =>
        `DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=${x};EndpointSuffix=core.windows.net`,
    ),
    secretIn(
      `${draw(base64Signs, 43)}=`,
      (x) => `Endpoint=sb://q.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${x}`,
    ),
    secretIn(
      `${draw(alphanumeric, 3)}8Q~${draw(`${alphanumeric}-_~.`, 34)}`,
      (x) => `ClientSecretCredential authentication failed for client_secret ${x}`,
    ),
    secretIn(
      draw(base64Signs, 64),
      (x) =>
        `"private_key": "-----BEGIN PRIVATE KEY-----\\n${x}\\n-----END PRIVATE KEY-----\\n", "client_email": "r@p.iam.gserviceaccount.com"`,
    ),
    secretIn(
      `ya29.${draw(urlSigns, 120)}`,
      (x) => `curl -H "Authorization: Bearer ${x}" https://storage.googleapis.com`,
    ),
    secretIn(`AIza${draw(urlSigns, 35)}`, (x) => `GET /maps/api/geocode/json?key=${x} 403`),
    secretIn(
      draw(hex, 128),
      (x) => `https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=${x}`,
    ),
    secretIn(draw(base64Signs, 20), (x) => `oci_auth_token: "${x}"`),
    secretIn(draw(alphanumeric, 40), (x) => `NCLOUD_SECRET_KEY: ${x}`),
    secretIn(draw(urlSigns, 40), (x) => `CLOUDFLARE_API_TOKEN=${x} wrangler deploy failed`),
    secretIn(`dop_v1_${draw(hex, 64)}`, (x) => `doctl auth init -t ${x}`),
    secretIn(draw(alphanumeric, 64), (x) => `hcloud: invalid token HCLOUD_TOKEN="${x}"`),
    secretIn(`fm2_${draw(base64Signs, 90)}`, (x) => `export FLY_API_TOKEN="FlyV1 ${x}"`),
    secretIn(draw(alphanumeric, 24), (x) => `vercel pull --yes --token=${x}`),
  ],
  registries: [
    secretIn(`dckr_pat_${draw(urlSigns, 27)}`, (x) => `docker login -u acme -p ${x}`),
    secretIn(
      base64(`acme:${draw(alphanumeric, 18)}`),
      (x) => `{"auths":{"registry.acme.io":{"auth":"${x}"}}}`,
    ),
    secretIn(
      draw(capitalsOrDigits, 64),
      (x) => `skopeo copy --src-creds 'acme+robot:${x}' docker://quay.io/acme/a dir:/tmp`,
    ),
    secretIn(`npm_${draw(alphanumeric, 36)}`, (x) => `//registry.npmjs.org/:_authToken=${x}`),
    secretIn(`pypi-AgEIcHlwaS5vcmc${draw(urlSigns, 130)}`, (x) => `twine upload -u __token__ -p ${x}`),
    secretIn(
      draw(alphanumeric, 32),
      (x) => `Error response from daemon: Get "https://robot$ci:${x}@harbor.acme.io/v2/": unauthorized`,
    ),
    secretIn(
      `cmVmdGtuOjAxOj${draw(base64Signs, 50)}`,
      (x) => `curl -H 'X-JFrog-Art-Api: ${x}' https://a.jfrog.io`,
    ),
  ],
  CI: [
    secretIn(
      `github_pat_${draw(alphanumeric, 22)}_${draw(alphanumeric, 59)}`,
      (x) => `fatal: unable to access 'https://x-access-token:${x}@github.com/acme/a.git/'`,
    ),
    secretIn(`ghs_${draw(alphanumeric, 36)}`, (x) => `GITHUB_TOKEN: ${x}`),
    secretIn(
      `glpat-${draw(urlSigns, 27)}.01.${draw(smallOrDigits, 9)}`,
      (x) => `git clone https://oauth2:${x}@gitlab.acme.io/a/b.git`,
    ),
    secretIn(`glrt-t1_${draw(urlSigns, 20)}`, (x) => `Registering runner... token=${x} failed`),
    secretIn(`11${draw(hex, 32)}`, (x) => `curl --user admin:${x} https://ci.acme.io/job/a/build`),
    secretIn(
      `eyJ${draw(urlSigns, 33)}.eyJ${draw(urlSigns, 80)}.${draw(urlSigns, 43)}`,
      (x) => `argocd login failed, ARGOCD_AUTH_TOKEN ${x}`,
    ),
    secretIn(
      `${draw(alphanumeric, 14)}.atlasv1.${draw(alphanumeric, 67)}`,
      (x) => `credentials "app.terraform.io" { token = "${x}" }`,
    ),
    secretIn(`pul-${draw(hex, 40)}`, (x) => `PULUMI_ACCESS_TOKEN is set to ${x}`),
    secretIn(
      draw(alphanumeric, 32),
      (x) => `{"level":"error","drone_rpc_secret":"${x}","msg":"cannot connect"}`,
    ),
  ],
  'model providers': [
    secretIn(
      `sk-proj-${draw(urlSigns, 120)}`,
      (x) => `openai.AuthenticationError: Incorrect API key provided: ${x}.`,
    ),
    secretIn(`sk-ant-api03-${draw(urlSigns, 93)}AA`, (x) => `x-api-key: ${x}`),
    secretIn(`hf_${draw(alphanumeric, 34)}`, (x) => `huggingface_hub.errors: 401 for token ${x}`),
    secretIn(draw(alphanumeric, 32), (x) => `MISTRAL_API_KEY='${x}' vllm serve`),
    secretIn(`tgp_v1_${draw(urlSigns, 43)}`, (x) => `together: bad key ${x}`),
    secretIn(`xai-${draw(alphanumeric, 80)}`, (x) => `grok client configured with key ${x}`),
    secretIn(`sk-or-v1-${draw(hex, 64)}`, (x) => `{"apiKey": "${x}", "model": "qwen"}`),
    secretIn(`gsk_${draw(alphanumeric, 52)}`, (x) => `Groq(api_key=${JSON.stringify(x)})`),
    secretIn(draw(hex, 40), (x) => `wandb: ERROR api_key ${x} is invalid`),
    secretIn(`nvapi-${draw(urlSigns, 64)}`, (x) => `NGC_API_KEY=${x}`),
  ],
  chats: [
    secretIn(
      `xoxb-${draw(digits, 12)}-${draw(digits, 13)}-${draw(alphanumeric, 24)}`,
      (x) => `slack_sdk error invalid_auth with ${x}`,
    ),
    secretIn(
      `xapp-1-A${draw(capitalsOrDigits, 10)}-${draw(digits, 13)}-${draw(hex, 64)}`,
      (x) => `appToken: ${x}`,
    ),
    secretIn(
      `T${draw(capitalsOrDigits, 9)}/B${draw(capitalsOrDigits, 10)}/${draw(alphanumeric, 24)}`,
      (x) => `POST https://hooks.slack.com/services/${x} 404 no_team`,
    ),
    secretIn(draw(urlSigns, 68), (x) => `https://discord.com/api/webhooks/${draw(digits, 19)}/${x}`),
    secretIn(
      `${draw(digits, 10)}:AA${draw(urlSigns, 33)}`,
      (x) => `https://api.telegram.org/bot${x}/getUpdates 409`,
    ),
    secretIn(
      draw(urlSigns, 43),
      (x) =>
        `https://prod-12.koreacentral.logic.azure.com:443/workflows/${draw(hex, 32)}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers&sv=1.0&sig=${x}`,
    ),
  ],
  connections: [
    secretIn(
      `${draw(alphanumeric, 14)}!x`,
      (x) => `sqlalchemy.exc.OperationalError: postgresql+asyncpg://app:${x}@db.prod:5432/app`,
    ),
    secretIn(draw(alphanumeric, 20), (x) => `Error connecting to rediss://:${x}@cache.prod:6380/0`),
    secretIn(draw(alphanumeric, 16), (x) => `mongodb+srv://svc:${x}@c0.ab1cd.mongodb.net/?retryWrites=true`),
    secretIn(
      `${draw(alphanumeric, 12)}#1`,
      (x) => `Driver={ODBC Driver 18};Server=tcp:db,1433;Uid=app;Pwd=${x};Encrypt=yes`,
    ),
    secretIn(
      draw(alphanumeric, 18),
      (x) =>
        `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${x}";`,
    ),
  ],
};

/** As above, in Korean. */
export const sixteenthKoreanSecrets: Readonly<Record<string, readonly string[]>> = {
  'Korean sentences': [
    secretIn(`${draw(alphanumeric, 12)}!`, (x) => `운영 DB 비밀번호는 ${x} 입니다`),
    secretIn(draw(alphanumeric, 16), (x) => `임시 암호를 ${x}로 바꿨으니 접속해 보세요`),
    secretIn(draw(alphanumeric, 24), (x) => `액세스 토큰: ${x} (만료됨)`),
    secretIn(draw(alphanumeric, 20), (x) => `인증키(${x})가 올바르지 않습니다`),
  ],
};

/** The seventeenth part, written after the changes for the sixteenth. */
export const seventeenthSecrets: Readonly<Record<string, readonly string[]>> = {
  'headers, settings and files': [
    secretIn(draw(urlSigns, 40), (x) => `< HTTP/1.1 403\n> X-Auth-Token: ${x}`),
    secretIn(`hvs.${draw(urlSigns, 90)}`, (x) => `X-Vault-Token: ${x}`),
    secretIn(draw(hex, 32), (x) => `DD_API_KEY=${x} datadog-agent start`),
    secretIn(draw(hex, 40), (x) => `curl -H "DD-APPLICATION-KEY: ${x}" https://api.datadoghq.com`),
    secretIn(draw(urlSigns, 20), (x) => `Authorization: Token token=${x}`),
    secretIn(`glsa_${draw(alphanumeric, 32)}_${draw(hex, 8)}`, (x) => `grafana: ${x} lacks permission`),
    secretIn(`${draw(hex, 36)}NRAL`, (x) => `NEW_RELIC_LICENSE_KEY: "${x}"`),
    secretIn(
      `sntrys_${draw(base64Signs, 90)}=_${draw(base64Signs, 43)}`,
      (x) => `sentry-cli error: auth ${x}`,
    ),
    secretIn(
      `rk_live_${draw(alphanumeric, 99)}`,
      (x) => `stripe.error.AuthenticationError: Invalid API Key ${x}`,
    ),
    secretIn(draw(hex, 32), (x) => `{"accountSid":"AC${draw(hex, 32)}","authToken":"${x}"}`),
    secretIn(`SG.${draw(urlSigns, 22)}.${draw(urlSigns, 43)}`, (x) => `SMTP AUTH apikey ${x}`),
    secretIn(draw(hex, 32), (x) => `인증 실패 Authorization: KakaoAK ${x}`),
    secretIn(draw(alphanumeric, 10), (x) => `X-Naver-Client-Secret: ${x}`),
    secretIn(`live_sk_${draw(alphanumeric, 32)}`, (x) => `tosspayments secret ${x}`),
    secretIn(`lin_api_${draw(alphanumeric, 40)}`, (x) => `linear: ${x} revoked`),
    secretIn(`ntn_${draw(digits, 11)}${draw(alphanumeric, 35)}`, (x) => `NOTION_KEY=${x}`),
    secretIn(`AGE-SECRET-KEY-1${draw(capitalsOrDigits, 58)}`, (x) => `sops: cannot decrypt with ${x}`),
    secretIn(draw(alphanumeric, 14), (x) => `etcdctl --user root:${x} get /`),
    secretIn(
      `${draw(smallOrDigits, 6)}.${draw(smallOrDigits, 16)}`,
      (x) => `kubeadm join 10.0.0.1:6443 --token ${x} --discovery-token-ca-cert-hash sha256:${draw(hex, 64)}`,
    ),
    secretIn(`${draw(alphanumeric, 12)}%40`, (x) => `pika: amqps://app:${x}@mq.prod:5671/%2f`),
    secretIn(
      draw(alphanumeric, 15),
      (x) => `clickhouse-client --host ch --user app --password ${x} -q 'select 1'`,
    ),
    secretIn(
      draw(alphanumeric, 18),
      (x) => `snowflake.connector.connect(user='app', password='${x}', account='acme')`,
    ),
    secretIn(draw(alphanumeric, 22), (x) => `args:\n- --db-password=${x}\n- --verbose`),
    secretIn(draw(alphanumeric, 16), (x) => `[database]\nhost = db\npasswd = ${x}\n`),
    secretIn(draw(alphanumeric, 20), (x) => `[smtp]\nsmtp_password = "${x}"`),
    secretIn(
      draw(urlSigns, 32),
      (x) => `time=2026-11-29T10:00:00Z level=WARN msg="bad webhook" webhook_secret=${x}`,
    ),
  ],
};

export const seventeenthKoreanSecrets: Readonly<Record<string, readonly string[]>> = {
  'Korean sentences': [
    secretIn(draw(alphanumeric, 14), (x) => `관리자 계정 비밀번호(${x})로 로그인하지 못했습니다`),
    secretIn(draw(alphanumeric, 18), (x) => `시크릿 키 값이 ${x}(으)로 설정되어 있습니다`),
    secretIn(draw(alphanumeric, 20), (x) => `API 키 "${x}"는 더 이상 쓸 수 없습니다`),
    secretIn(draw(alphanumeric, 13), (x) => `패스워드 = ${x}, 사용자 = app`),
    secretIn('TwQvGIYFRSmUMLToio', (x) => `시크릿 키 값이 ${x}(으)로 설정되어 있습니다`),
  ],
};
