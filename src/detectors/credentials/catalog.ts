import type { EntityDetector } from "../entity.ts";
import { basicCredentials } from "./shapes/basic-credentials.ts";
import { bearerToken } from "./shapes/bearer-token.ts";
import { commandPassword } from "./shapes/command-password.ts";
import { connectionPassword } from "./shapes/connection-password.ts";
import { curlCredentials } from "./shapes/curl-credentials.ts";
import { databaseUrl } from "./shapes/database-url.ts";
import { dockerAuth } from "./shapes/docker-auth.ts";
import { encodedJwt } from "./shapes/encoded-jwt.ts";
import { encodedPrivateKey } from "./shapes/encoded-private-key.ts";
import { jwkPrivateKey } from "./shapes/jwk-private-key.ts";
import { jwt } from "./shapes/jwt.ts";
import { kubernetesSecret } from "./shapes/kubernetes-secret.ts";
import { kubernetesSecretData } from "./shapes/kubernetes-secret-data.ts";
import { netrcPassword } from "./shapes/netrc-password.ts";
import { npmrcToken } from "./shapes/npmrc-token.ts";
import { pgpassPassword } from "./shapes/pgpass-password.ts";
import { plainPassword } from "./shapes/plain-password.ts";
import { plainSecret } from "./shapes/plain-secret.ts";
import { privateKey } from "./shapes/private-key.ts";
import { puttyPrivateKey } from "./shapes/putty-private-key.ts";
import { quotedPassword } from "./shapes/quoted-password.ts";
import { quotedSecret } from "./shapes/quoted-secret.ts";
import { secretArgument } from "./shapes/secret-argument.ts";
import { sessionCookie } from "./shapes/session-cookie.ts";
import { urlCredentials } from "./shapes/url-credentials.ts";
import { wireguardPrivateKey } from "./shapes/wireguard-private-key.ts";
import { ably } from "./vendors/ably.ts";
import { abuseipdb } from "./vendors/abuseipdb.ts";
import { adafruit } from "./vendors/adafruit.ts";
import { adobe } from "./vendors/adobe.ts";
import { adyen } from "./vendors/adyen.ts";
import { age } from "./vendors/age.ts";
import { ai21 } from "./vendors/ai21.ts";
import { airtable } from "./vendors/airtable.ts";
import { aiven } from "./vendors/aiven.ts";
import { akeyless } from "./vendors/akeyless.ts";
import { alchemy } from "./vendors/alchemy.ts";
import { algolia } from "./vendors/algolia.ts";
import { alibaba } from "./vendors/alibaba.ts";
import { amazonMarketplace } from "./vendors/amazon-marketplace.ts";
import { amplitude } from "./vendors/amplitude.ts";
import { anthropic } from "./vendors/anthropic.ts";
import { anyscale } from "./vendors/anyscale.ts";
import { apify } from "./vendors/apify.ts";
import { asana } from "./vendors/asana.ts";
import { assemblyai } from "./vendors/assemblyai.ts";
import { atlassian } from "./vendors/atlassian.ts";
import { auth0 } from "./vendors/auth0.ts";
import { authress } from "./vendors/authress.ts";
import { aws } from "./vendors/aws.ts";
import { awsKeyPair } from "./vendors/aws-key-pair.ts";
import { azure } from "./vendors/azure.ts";
import { azureDevops } from "./vendors/azure-devops.ts";
import { baiduCloud } from "./vendors/baidu-cloud.ts";
import { baseten } from "./vendors/baseten.ts";
import { beamer } from "./vendors/beamer.ts";
import { bigcommerce } from "./vendors/bigcommerce.ts";
import { binance } from "./vendors/binance.ts";
import { bitbucket } from "./vendors/bitbucket.ts";
import { bitcoin } from "./vendors/bitcoin.ts";
import { bitfinex } from "./vendors/bitfinex.ts";
import { bitmex } from "./vendors/bitmex.ts";
import { bittrex } from "./vendors/bittrex.ts";
import { bitwarden } from "./vendors/bitwarden.ts";
import { box } from "./vendors/box.ts";
import { braintree } from "./vendors/braintree.ts";
import { braze } from "./vendors/braze.ts";
import { brevo } from "./vendors/brevo.ts";
import { browserstack } from "./vendors/browserstack.ts";
import { bugsnag } from "./vendors/bugsnag.ts";
import { buildkite } from "./vendors/buildkite.ts";
import { calendly } from "./vendors/calendly.ts";
import { cerebras } from "./vendors/cerebras.ts";
import { checkoutCom } from "./vendors/checkout-com.ts";
import { circleci } from "./vendors/circleci.ts";
import { ciscoMeraki } from "./vendors/cisco-meraki.ts";
import { clerk } from "./vendors/clerk.ts";
import { clickhouse } from "./vendors/clickhouse.ts";
import { clickup } from "./vendors/clickup.ts";
import { clojars } from "./vendors/clojars.ts";
import { cloudflare } from "./vendors/cloudflare.ts";
import { cloudinary } from "./vendors/cloudinary.ts";
import { cloudsmith } from "./vendors/cloudsmith.ts";
import { codacy } from "./vendors/codacy.ts";
import { codeclimate } from "./vendors/codeclimate.ts";
import { codecov } from "./vendors/codecov.ts";
import { cohere } from "./vendors/cohere.ts";
import { coinbase } from "./vendors/coinbase.ts";
import { coinmarketcap } from "./vendors/coinmarketcap.ts";
import { comet } from "./vendors/comet.ts";
import { confluent } from "./vendors/confluent.ts";
import { contentful } from "./vendors/contentful.ts";
import { convex } from "./vendors/convex.ts";
import { cratesIo } from "./vendors/crates-io.ts";
import { crowdstrike } from "./vendors/crowdstrike.ts";
import { customerIo } from "./vendors/customer-io.ts";
import { databricks } from "./vendors/databricks.ts";
import { datadog } from "./vendors/datadog.ts";
import { dbtCloud } from "./vendors/dbt-cloud.ts";
import { deepgram } from "./vendors/deepgram.ts";
import { deepseek } from "./vendors/deepseek.ts";
import { deepsource } from "./vendors/deepsource.ts";
import { definedNetworking } from "./vendors/defined-networking.ts";
import { digitalocean } from "./vendors/digitalocean.ts";
import { discord } from "./vendors/discord.ts";
import { discordBot } from "./vendors/discord-bot.ts";
import { docker } from "./vendors/docker.ts";
import { doppler } from "./vendors/doppler.ts";
import { droneCi } from "./vendors/drone-ci.ts";
import { dropbox } from "./vendors/dropbox.ts";
import { duffel } from "./vendors/duffel.ts";
import { dynatrace } from "./vendors/dynatrace.ts";
import { e2b } from "./vendors/e2b.ts";
import { easypost } from "./vendors/easypost.ts";
import { elastic } from "./vendors/elastic.ts";
import { elevenlabs } from "./vendors/elevenlabs.ts";
import { endorLabs } from "./vendors/endor-labs.ts";
import { ethereum } from "./vendors/ethereum.ts";
import { etherscan } from "./vendors/etherscan.ts";
import { etsy } from "./vendors/etsy.ts";
import { expo } from "./vendors/expo.ts";
import { facebook } from "./vendors/facebook.ts";
import { fastly } from "./vendors/fastly.ts";
import { figma } from "./vendors/figma.ts";
import { finicity } from "./vendors/finicity.ts";
import { finnhub } from "./vendors/finnhub.ts";
import { firecrawl } from "./vendors/firecrawl.ts";
import { fireworksAi } from "./vendors/fireworks-ai.ts";
import { flickr } from "./vendors/flickr.ts";
import { flutterwave } from "./vendors/flutterwave.ts";
import { flyIo } from "./vendors/fly-io.ts";
import { frameio } from "./vendors/frameio.ts";
import { freemius } from "./vendors/freemius.ts";
import { freshbooks } from "./vendors/freshbooks.ts";
import { freshdesk } from "./vendors/freshdesk.ts";
import { gemini } from "./vendors/gemini.ts";
import { giphy } from "./vendors/giphy.ts";
import { gitea } from "./vendors/gitea.ts";
import { gitguardian } from "./vendors/gitguardian.ts";
import { github } from "./vendors/github.ts";
import { gitlab } from "./vendors/gitlab.ts";
import { gitter } from "./vendors/gitter.ts";
import { gocardless } from "./vendors/gocardless.ts";
import { google } from "./vendors/google.ts";
import { googleChat } from "./vendors/google-chat.ts";
import { grafana } from "./vendors/grafana.ts";
import { groq } from "./vendors/groq.ts";
import { harness } from "./vendors/harness.ts";
import { hashicorpVault } from "./vendors/hashicorp-vault.ts";
import { helicone } from "./vendors/helicone.ts";
import { here } from "./vendors/here.ts";
import { heroku } from "./vendors/heroku.ts";
import { hetzner } from "./vendors/hetzner.ts";
import { honeycomb } from "./vendors/honeycomb.ts";
import { huaweiCloud } from "./vendors/huawei-cloud.ts";
import { hubspot } from "./vendors/hubspot.ts";
import { huggingFace } from "./vendors/hugging-face.ts";
import { ibmCloud } from "./vendors/ibm-cloud.ts";
import { ifttt } from "./vendors/ifttt.ts";
import { infisical } from "./vendors/infisical.ts";
import { infracost } from "./vendors/infracost.ts";
import { infura } from "./vendors/infura.ts";
import { instagram } from "./vendors/instagram.ts";
import { intercom } from "./vendors/intercom.ts";
import { intra42 } from "./vendors/intra42.ts";
import { ionic } from "./vendors/ionic.ts";
import { ipinfo } from "./vendors/ipinfo.ts";
import { jenkins } from "./vendors/jenkins.ts";
import { jetbrains } from "./vendors/jetbrains.ts";
import { jfrog } from "./vendors/jfrog.ts";
import { jina } from "./vendors/jina.ts";
import { klarna } from "./vendors/klarna.ts";
import { klaviyo } from "./vendors/klaviyo.ts";
import { kraken } from "./vendors/kraken.ts";
import { kubernetesBootstrap } from "./vendors/kubernetes-bootstrap.ts";
import { kucoin } from "./vendors/kucoin.ts";
import { lambdatest } from "./vendors/lambdatest.ts";
import { langfuse } from "./vendors/langfuse.ts";
import { langsmith } from "./vendors/langsmith.ts";
import { launchdarkly } from "./vendors/launchdarkly.ts";
import { lemonSqueezy } from "./vendors/lemon-squeezy.ts";
import { lichess } from "./vendors/lichess.ts";
import { line } from "./vendors/line.ts";
import { linear } from "./vendors/linear.ts";
import { linkedin } from "./vendors/linkedin.ts";
import { linode } from "./vendors/linode.ts";
import { lob } from "./vendors/lob.ts";
import { loggly } from "./vendors/loggly.ts";
import { logzIo } from "./vendors/logz-io.ts";
import { looker } from "./vendors/looker.ts";
import { mailchimp } from "./vendors/mailchimp.ts";
import { mailersend } from "./vendors/mailersend.ts";
import { mailgun } from "./vendors/mailgun.ts";
import { mailjet } from "./vendors/mailjet.ts";
import { mapbox } from "./vendors/mapbox.ts";
import { mattermost } from "./vendors/mattermost.ts";
import { maxmind } from "./vendors/maxmind.ts";
import { mercadoPago } from "./vendors/mercado-pago.ts";
import { messagebird } from "./vendors/messagebird.ts";
import { microsoftTeams } from "./vendors/microsoft-teams.ts";
import { midtrans } from "./vendors/midtrans.ts";
import { mistral } from "./vendors/mistral.ts";
import { mixpanel } from "./vendors/mixpanel.ts";
import { modal } from "./vendors/modal.ts";
import { mollie } from "./vendors/mollie.ts";
import { monday } from "./vendors/monday.ts";
import { mongodbAtlas } from "./vendors/mongodb-atlas.ts";
import { mux } from "./vendors/mux.ts";
import { n8n } from "./vendors/n8n.ts";
import { neon } from "./vendors/neon.ts";
import { netlify } from "./vendors/netlify.ts";
import { newRelic } from "./vendors/new-relic.ts";
import { newsapi } from "./vendors/newsapi.ts";
import { ngrok } from "./vendors/ngrok.ts";
import { notion } from "./vendors/notion.ts";
import { npm } from "./vendors/npm.ts";
import { nuget } from "./vendors/nuget.ts";
import { nvidia } from "./vendors/nvidia.ts";
import { nytimes } from "./vendors/nytimes.ts";
import { octopusDeploy } from "./vendors/octopus-deploy.ts";
import { okta } from "./vendors/okta.ts";
import { onepassword } from "./vendors/onepassword.ts";
import { onfido } from "./vendors/onfido.ts";
import { openai } from "./vendors/openai.ts";
import { openrouter } from "./vendors/openrouter.ts";
import { openshift } from "./vendors/openshift.ts";
import { openweather } from "./vendors/openweather.ts";
import { opsgenie } from "./vendors/opsgenie.ts";
import { optimizely } from "./vendors/optimizely.ts";
import { ovh } from "./vendors/ovh.ts";
import { packagist } from "./vendors/packagist.ts";
import { paddle } from "./vendors/paddle.ts";
import { pagerduty } from "./vendors/pagerduty.ts";
import { papertrail } from "./vendors/papertrail.ts";
import { paypal } from "./vendors/paypal.ts";
import { paystack } from "./vendors/paystack.ts";
import { percy } from "./vendors/percy.ts";
import { perplexity } from "./vendors/perplexity.ts";
import { persona } from "./vendors/persona.ts";
import { pinecone } from "./vendors/pinecone.ts";
import { pinterest } from "./vendors/pinterest.ts";
import { pipedrive } from "./vendors/pipedrive.ts";
import { plaid } from "./vendors/plaid.ts";
import { planetscale } from "./vendors/planetscale.ts";
import { plivo } from "./vendors/plivo.ts";
import { posthog } from "./vendors/posthog.ts";
import { postman } from "./vendors/postman.ts";
import { postmark } from "./vendors/postmark.ts";
import { prefect } from "./vendors/prefect.ts";
import { privateAi } from "./vendors/private-ai.ts";
import { pubnub } from "./vendors/pubnub.ts";
import { pulumi } from "./vendors/pulumi.ts";
import { pusher } from "./vendors/pusher.ts";
import { pypi } from "./vendors/pypi.ts";
import { qdrant } from "./vendors/qdrant.ts";
import { quickbooks } from "./vendors/quickbooks.ts";
import { railway } from "./vendors/railway.ts";
import { rancher } from "./vendors/rancher.ts";
import { rapidapi } from "./vendors/rapidapi.ts";
import { razorpay } from "./vendors/razorpay.ts";
import { readme } from "./vendors/readme.ts";
import { reddit } from "./vendors/reddit.ts";
import { render } from "./vendors/render.ts";
import { replicate } from "./vendors/replicate.ts";
import { resend } from "./vendors/resend.ts";
import { retool } from "./vendors/retool.ts";
import { riotGames } from "./vendors/riot-games.ts";
import { roblox } from "./vendors/roblox.ts";
import { rollbar } from "./vendors/rollbar.ts";
import { rootly } from "./vendors/rootly.ts";
import { rubygems } from "./vendors/rubygems.ts";
import { runpod } from "./vendors/runpod.ts";
import { salesforce } from "./vendors/salesforce.ts";
import { sanity } from "./vendors/sanity.ts";
import { saucelabs } from "./vendors/saucelabs.ts";
import { scaleway } from "./vendors/scaleway.ts";
import { scalingo } from "./vendors/scalingo.ts";
import { securitytrails } from "./vendors/securitytrails.ts";
import { segment } from "./vendors/segment.ts";
import { sendbird } from "./vendors/sendbird.ts";
import { sendgrid } from "./vendors/sendgrid.ts";
import { sentry } from "./vendors/sentry.ts";
import { settlemint } from "./vendors/settlemint.ts";
import { shippo } from "./vendors/shippo.ts";
import { shodan } from "./vendors/shodan.ts";
import { shopify } from "./vendors/shopify.ts";
import { sidekiq } from "./vendors/sidekiq.ts";
import { slack } from "./vendors/slack.ts";
import { slackWebhook } from "./vendors/slack-webhook.ts";
import { snowflake } from "./vendors/snowflake.ts";
import { snyk } from "./vendors/snyk.ts";
import { softlayer } from "./vendors/softlayer.ts";
import { sonar } from "./vendors/sonar.ts";
import { sourcegraph } from "./vendors/sourcegraph.ts";
import { spacelift } from "./vendors/spacelift.ts";
import { sparkpost } from "./vendors/sparkpost.ts";
import { splunk } from "./vendors/splunk.ts";
import { spotify } from "./vendors/spotify.ts";
import { square } from "./vendors/square.ts";
import { squarespace } from "./vendors/squarespace.ts";
import { stabilityAi } from "./vendors/stability-ai.ts";
import { statsig } from "./vendors/statsig.ts";
import { steam } from "./vendors/steam.ts";
import { storyblok } from "./vendors/storyblok.ts";
import { stripe } from "./vendors/stripe.ts";
import { stytch } from "./vendors/stytch.ts";
import { sumologic } from "./vendors/sumologic.ts";
import { supabase } from "./vendors/supabase.ts";
import { tailscale } from "./vendors/tailscale.ts";
import { tavily } from "./vendors/tavily.ts";
import { telegram } from "./vendors/telegram.ts";
import { telnyx } from "./vendors/telnyx.ts";
import { tencentCloud } from "./vendors/tencent-cloud.ts";
import { terraformCloud } from "./vendors/terraform-cloud.ts";
import { tiktok } from "./vendors/tiktok.ts";
import { tines } from "./vendors/tines.ts";
import { tinybird } from "./vendors/tinybird.ts";
import { tmdb } from "./vendors/tmdb.ts";
import { todoist } from "./vendors/todoist.ts";
import { togetherAi } from "./vendors/together-ai.ts";
import { tomtom } from "./vendors/tomtom.ts";
import { travisCi } from "./vendors/travis-ci.ts";
import { trello } from "./vendors/trello.ts";
import { twilio } from "./vendors/twilio.ts";
import { twitch } from "./vendors/twitch.ts";
import { twitter } from "./vendors/twitter.ts";
import { typeform } from "./vendors/typeform.ts";
import { unsplash } from "./vendors/unsplash.ts";
import { upstash } from "./vendors/upstash.ts";
import { vaultLegacy } from "./vendors/vault-legacy.ts";
import { vercel } from "./vendors/vercel.ts";
import { virustotal } from "./vendors/virustotal.ts";
import { volcengine } from "./vendors/volcengine.ts";
import { vonage } from "./vendors/vonage.ts";
import { voyageAi } from "./vendors/voyage-ai.ts";
import { vultr } from "./vendors/vultr.ts";
import { wakatime } from "./vendors/wakatime.ts";
import { weaviate } from "./vendors/weaviate.ts";
import { webex } from "./vendors/webex.ts";
import { webflow } from "./vendors/webflow.ts";
import { weightsAndBiases } from "./vendors/weights-and-biases.ts";
import { weir } from "./vendors/weir.ts";
import { wise } from "./vendors/wise.ts";
import { woocommerce } from "./vendors/woocommerce.ts";
import { xai } from "./vendors/xai.ts";
import { xendit } from "./vendors/xendit.ts";
import { xero } from "./vendors/xero.ts";
import { yandex } from "./vendors/yandex.ts";
import { zapier } from "./vendors/zapier.ts";
import { zendesk } from "./vendors/zendesk.ts";
import { zerotier } from "./vendors/zerotier.ts";
import { zoho } from "./vendors/zoho.ts";
import { zoom } from "./vendors/zoom.ts";

/** All detectors of credentials; adding a service is adding its file and a line here. */
export const credentialDetectors: readonly EntityDetector[] = [
  basicCredentials,
  bearerToken,
  commandPassword,
  connectionPassword,
  curlCredentials,
  databaseUrl,
  dockerAuth,
  encodedJwt,
  encodedPrivateKey,
  jwkPrivateKey,
  jwt,
  kubernetesSecret,
  kubernetesSecretData,
  netrcPassword,
  npmrcToken,
  pgpassPassword,
  plainPassword,
  plainSecret,
  privateKey,
  puttyPrivateKey,
  quotedPassword,
  quotedSecret,
  secretArgument,
  sessionCookie,
  urlCredentials,
  wireguardPrivateKey,
  ...ably,
  ...abuseipdb,
  ...adafruit,
  ...adobe,
  ...adyen,
  ...age,
  ...ai21,
  ...airtable,
  ...aiven,
  ...akeyless,
  ...alchemy,
  ...algolia,
  ...alibaba,
  ...amazonMarketplace,
  ...amplitude,
  ...anthropic,
  ...anyscale,
  ...apify,
  ...asana,
  ...assemblyai,
  ...atlassian,
  ...auth0,
  ...authress,
  ...aws,
  ...awsKeyPair,
  ...azure,
  ...azureDevops,
  ...baiduCloud,
  ...baseten,
  ...beamer,
  ...bigcommerce,
  ...binance,
  ...bitbucket,
  ...bitcoin,
  ...bitfinex,
  ...bitmex,
  ...bittrex,
  ...bitwarden,
  ...box,
  ...braintree,
  ...braze,
  ...brevo,
  ...browserstack,
  ...bugsnag,
  ...buildkite,
  ...calendly,
  ...cerebras,
  ...checkoutCom,
  ...circleci,
  ...ciscoMeraki,
  ...clerk,
  ...clickhouse,
  ...clickup,
  ...clojars,
  ...cloudflare,
  ...cloudinary,
  ...cloudsmith,
  ...codacy,
  ...codeclimate,
  ...codecov,
  ...cohere,
  ...coinbase,
  ...coinmarketcap,
  ...comet,
  ...confluent,
  ...contentful,
  ...convex,
  ...cratesIo,
  ...crowdstrike,
  ...customerIo,
  ...databricks,
  ...datadog,
  ...dbtCloud,
  ...deepgram,
  ...deepseek,
  ...deepsource,
  ...definedNetworking,
  ...digitalocean,
  ...discord,
  ...discordBot,
  ...docker,
  ...doppler,
  ...droneCi,
  ...dropbox,
  ...duffel,
  ...dynatrace,
  ...e2b,
  ...easypost,
  ...elastic,
  ...elevenlabs,
  ...endorLabs,
  ...ethereum,
  ...etherscan,
  ...etsy,
  ...expo,
  ...facebook,
  ...fastly,
  ...figma,
  ...finicity,
  ...finnhub,
  ...firecrawl,
  ...fireworksAi,
  ...flickr,
  ...flutterwave,
  ...flyIo,
  ...frameio,
  ...freemius,
  ...freshbooks,
  ...freshdesk,
  ...gemini,
  ...giphy,
  ...gitea,
  ...gitguardian,
  ...github,
  ...gitlab,
  ...gitter,
  ...gocardless,
  ...google,
  ...googleChat,
  ...grafana,
  ...groq,
  ...harness,
  ...hashicorpVault,
  ...helicone,
  ...here,
  ...heroku,
  ...hetzner,
  ...honeycomb,
  ...huaweiCloud,
  ...hubspot,
  ...huggingFace,
  ...ibmCloud,
  ...ifttt,
  ...infisical,
  ...infracost,
  ...infura,
  ...instagram,
  ...intercom,
  ...intra42,
  ...ionic,
  ...ipinfo,
  ...jenkins,
  ...jetbrains,
  ...jfrog,
  ...jina,
  ...klarna,
  ...klaviyo,
  ...kraken,
  ...kubernetesBootstrap,
  ...kucoin,
  ...lambdatest,
  ...langfuse,
  ...langsmith,
  ...launchdarkly,
  ...lemonSqueezy,
  ...lichess,
  ...line,
  ...linear,
  ...linkedin,
  ...linode,
  ...lob,
  ...loggly,
  ...logzIo,
  ...looker,
  ...mailchimp,
  ...mailersend,
  ...mailgun,
  ...mailjet,
  ...mapbox,
  ...mattermost,
  ...maxmind,
  ...mercadoPago,
  ...messagebird,
  ...microsoftTeams,
  ...midtrans,
  ...mistral,
  ...mixpanel,
  ...modal,
  ...mollie,
  ...monday,
  ...mongodbAtlas,
  ...mux,
  ...n8n,
  ...neon,
  ...netlify,
  ...newRelic,
  ...newsapi,
  ...ngrok,
  ...notion,
  ...npm,
  ...nuget,
  ...nvidia,
  ...nytimes,
  ...octopusDeploy,
  ...okta,
  ...onepassword,
  ...onfido,
  ...openai,
  ...openrouter,
  ...openshift,
  ...openweather,
  ...opsgenie,
  ...optimizely,
  ...ovh,
  ...packagist,
  ...paddle,
  ...pagerduty,
  ...papertrail,
  ...paypal,
  ...paystack,
  ...percy,
  ...perplexity,
  ...persona,
  ...pinecone,
  ...pinterest,
  ...pipedrive,
  ...plaid,
  ...planetscale,
  ...plivo,
  ...posthog,
  ...postman,
  ...postmark,
  ...prefect,
  ...privateAi,
  ...pubnub,
  ...pulumi,
  ...pusher,
  ...pypi,
  ...qdrant,
  ...quickbooks,
  ...railway,
  ...rancher,
  ...rapidapi,
  ...razorpay,
  ...readme,
  ...reddit,
  ...render,
  ...replicate,
  ...resend,
  ...retool,
  ...riotGames,
  ...roblox,
  ...rollbar,
  ...rootly,
  ...rubygems,
  ...runpod,
  ...salesforce,
  ...sanity,
  ...saucelabs,
  ...scaleway,
  ...scalingo,
  ...securitytrails,
  ...segment,
  ...sendbird,
  ...sendgrid,
  ...sentry,
  ...settlemint,
  ...shippo,
  ...shodan,
  ...shopify,
  ...sidekiq,
  ...slack,
  ...slackWebhook,
  ...snowflake,
  ...snyk,
  ...softlayer,
  ...sonar,
  ...sourcegraph,
  ...spacelift,
  ...sparkpost,
  ...splunk,
  ...spotify,
  ...square,
  ...squarespace,
  ...stabilityAi,
  ...statsig,
  ...steam,
  ...storyblok,
  ...stripe,
  ...stytch,
  ...sumologic,
  ...supabase,
  ...tailscale,
  ...tavily,
  ...telegram,
  ...telnyx,
  ...tencentCloud,
  ...terraformCloud,
  ...tiktok,
  ...tines,
  ...tinybird,
  ...tmdb,
  ...todoist,
  ...togetherAi,
  ...tomtom,
  ...travisCi,
  ...trello,
  ...twilio,
  ...twitch,
  ...twitter,
  ...typeform,
  ...unsplash,
  ...upstash,
  ...vaultLegacy,
  ...vercel,
  ...virustotal,
  ...volcengine,
  ...vonage,
  ...voyageAi,
  ...vultr,
  ...wakatime,
  ...weaviate,
  ...webex,
  ...webflow,
  ...weightsAndBiases,
  ...weir,
  ...wise,
  ...woocommerce,
  ...xai,
  ...xendit,
  ...xero,
  ...yandex,
  ...zapier,
  ...zendesk,
  ...zerotier,
  ...zoho,
  ...zoom,
];
