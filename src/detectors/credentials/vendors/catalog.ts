import type { EntityDetector } from "../../entity.ts";
import { ably } from "./ably.ts";
import { abuseipdb } from "./abuseipdb.ts";
import { adafruit } from "./adafruit.ts";
import { adobe } from "./adobe.ts";
import { adyen } from "./adyen.ts";
import { age } from "./age.ts";
import { ai21 } from "./ai21.ts";
import { airtable } from "./airtable.ts";
import { aiven } from "./aiven.ts";
import { akeyless } from "./akeyless.ts";
import { alchemy } from "./alchemy.ts";
import { algolia } from "./algolia.ts";
import { alibaba } from "./alibaba.ts";
import { amazonMarketplace } from "./amazon-marketplace.ts";
import { amplitude } from "./amplitude.ts";
import { anthropic } from "./anthropic.ts";
import { anyscale } from "./anyscale.ts";
import { apify } from "./apify.ts";
import { asana } from "./asana.ts";
import { assemblyai } from "./assemblyai.ts";
import { atlassian } from "./atlassian.ts";
import { auth0 } from "./auth0.ts";
import { authress } from "./authress.ts";
import { aws } from "./aws.ts";
import { azure } from "./azure.ts";
import { azureDevops } from "./azure-devops.ts";
import { baiduCloud } from "./baidu-cloud.ts";
import { baseten } from "./baseten.ts";
import { beamer } from "./beamer.ts";
import { bigcommerce } from "./bigcommerce.ts";
import { binance } from "./binance.ts";
import { bitbucket } from "./bitbucket.ts";
import { bitcoin } from "./bitcoin.ts";
import { bitfinex } from "./bitfinex.ts";
import { bitmex } from "./bitmex.ts";
import { bittrex } from "./bittrex.ts";
import { bitwarden } from "./bitwarden.ts";
import { box } from "./box.ts";
import { braintree } from "./braintree.ts";
import { braze } from "./braze.ts";
import { brevo } from "./brevo.ts";
import { browserstack } from "./browserstack.ts";
import { bugsnag } from "./bugsnag.ts";
import { buildkite } from "./buildkite.ts";
import { calendly } from "./calendly.ts";
import { cerebras } from "./cerebras.ts";
import { checkoutCom } from "./checkout-com.ts";
import { circleci } from "./circleci.ts";
import { ciscoMeraki } from "./cisco-meraki.ts";
import { clerk } from "./clerk.ts";
import { clickhouse } from "./clickhouse.ts";
import { clickup } from "./clickup.ts";
import { clojars } from "./clojars.ts";
import { cloudflare } from "./cloudflare.ts";
import { cloudinary } from "./cloudinary.ts";
import { cloudsmith } from "./cloudsmith.ts";
import { codacy } from "./codacy.ts";
import { codeclimate } from "./codeclimate.ts";
import { codecov } from "./codecov.ts";
import { cohere } from "./cohere.ts";
import { coinbase } from "./coinbase.ts";
import { coinmarketcap } from "./coinmarketcap.ts";
import { comet } from "./comet.ts";
import { confluent } from "./confluent.ts";
import { contentful } from "./contentful.ts";
import { convex } from "./convex.ts";
import { cratesIo } from "./crates-io.ts";
import { crowdstrike } from "./crowdstrike.ts";
import { customerIo } from "./customer-io.ts";
import { databricks } from "./databricks.ts";
import { datadog } from "./datadog.ts";
import { dbtCloud } from "./dbt-cloud.ts";
import { deepgram } from "./deepgram.ts";
import { deepseek } from "./deepseek.ts";
import { deepsource } from "./deepsource.ts";
import { definedNetworking } from "./defined-networking.ts";
import { digitalocean } from "./digitalocean.ts";
import { discord } from "./discord.ts";
import { docker } from "./docker.ts";
import { doppler } from "./doppler.ts";
import { droneCi } from "./drone-ci.ts";
import { dropbox } from "./dropbox.ts";
import { duffel } from "./duffel.ts";
import { dynatrace } from "./dynatrace.ts";
import { e2b } from "./e2b.ts";
import { easypost } from "./easypost.ts";
import { elastic } from "./elastic.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { endorLabs } from "./endor-labs.ts";
import { ethereum } from "./ethereum.ts";
import { etherscan } from "./etherscan.ts";
import { etsy } from "./etsy.ts";
import { expo } from "./expo.ts";
import { facebook } from "./facebook.ts";
import { fastly } from "./fastly.ts";
import { figma } from "./figma.ts";
import { finicity } from "./finicity.ts";
import { finnhub } from "./finnhub.ts";
import { firecrawl } from "./firecrawl.ts";
import { fireworksAi } from "./fireworks-ai.ts";
import { flickr } from "./flickr.ts";
import { flutterwave } from "./flutterwave.ts";
import { flyIo } from "./fly-io.ts";
import { frameio } from "./frameio.ts";
import { freemius } from "./freemius.ts";
import { freshbooks } from "./freshbooks.ts";
import { freshdesk } from "./freshdesk.ts";
import { gemini } from "./gemini.ts";
import { giphy } from "./giphy.ts";
import { gitea } from "./gitea.ts";
import { gitguardian } from "./gitguardian.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { gitter } from "./gitter.ts";
import { gocardless } from "./gocardless.ts";
import { google } from "./google.ts";
import { googleChat } from "./google-chat.ts";
import { grafana } from "./grafana.ts";
import { groq } from "./groq.ts";
import { harness } from "./harness.ts";
import { hashicorpTerraform } from "./hashicorp-terraform.ts";
import { hashicorpVault } from "./hashicorp-vault.ts";
import { helicone } from "./helicone.ts";
import { here } from "./here.ts";
import { heroku } from "./heroku.ts";
import { hetzner } from "./hetzner.ts";
import { honeycomb } from "./honeycomb.ts";
import { huaweiCloud } from "./huawei-cloud.ts";
import { hubspot } from "./hubspot.ts";
import { huggingFace } from "./hugging-face.ts";
import { ibmCloud } from "./ibm-cloud.ts";
import { ifttt } from "./ifttt.ts";
import { infisical } from "./infisical.ts";
import { infracost } from "./infracost.ts";
import { infura } from "./infura.ts";
import { instagram } from "./instagram.ts";
import { intercom } from "./intercom.ts";
import { intra42 } from "./intra42.ts";
import { ionic } from "./ionic.ts";
import { ipinfo } from "./ipinfo.ts";
import { jenkins } from "./jenkins.ts";
import { jetbrains } from "./jetbrains.ts";
import { jfrog } from "./jfrog.ts";
import { jina } from "./jina.ts";
import { klarna } from "./klarna.ts";
import { klaviyo } from "./klaviyo.ts";
import { kraken } from "./kraken.ts";
import { kubernetesBootstrap } from "./kubernetes-bootstrap.ts";
import { kucoin } from "./kucoin.ts";
import { lambdatest } from "./lambdatest.ts";
import { langfuse } from "./langfuse.ts";
import { langsmith } from "./langsmith.ts";
import { launchdarkly } from "./launchdarkly.ts";
import { lemonSqueezy } from "./lemon-squeezy.ts";
import { lichess } from "./lichess.ts";
import { line } from "./line.ts";
import { linear } from "./linear.ts";
import { linkedin } from "./linkedin.ts";
import { linode } from "./linode.ts";
import { lob } from "./lob.ts";
import { loggly } from "./loggly.ts";
import { logzIo } from "./logz-io.ts";
import { looker } from "./looker.ts";
import { mailchimp } from "./mailchimp.ts";
import { mailersend } from "./mailersend.ts";
import { mailgun } from "./mailgun.ts";
import { mailjet } from "./mailjet.ts";
import { mapbox } from "./mapbox.ts";
import { mattermost } from "./mattermost.ts";
import { maxmind } from "./maxmind.ts";
import { mercadoPago } from "./mercado-pago.ts";
import { messagebird } from "./messagebird.ts";
import { microsoftTeams } from "./microsoft-teams.ts";
import { midtrans } from "./midtrans.ts";
import { mistral } from "./mistral.ts";
import { mixpanel } from "./mixpanel.ts";
import { modal } from "./modal.ts";
import { mollie } from "./mollie.ts";
import { monday } from "./monday.ts";
import { mongodbAtlas } from "./mongodb-atlas.ts";
import { mux } from "./mux.ts";
import { n8n } from "./n8n.ts";
import { neon } from "./neon.ts";
import { netlify } from "./netlify.ts";
import { newRelic } from "./new-relic.ts";
import { newsapi } from "./newsapi.ts";
import { ngrok } from "./ngrok.ts";
import { notion } from "./notion.ts";
import { npm } from "./npm.ts";
import { nuget } from "./nuget.ts";
import { nvidia } from "./nvidia.ts";
import { nytimes } from "./nytimes.ts";
import { octopusDeploy } from "./octopus-deploy.ts";
import { okta } from "./okta.ts";
import { onepassword } from "./onepassword.ts";
import { onfido } from "./onfido.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { openshift } from "./openshift.ts";
import { openweather } from "./openweather.ts";
import { opsgenie } from "./opsgenie.ts";
import { optimizely } from "./optimizely.ts";
import { ovh } from "./ovh.ts";
import { packagist } from "./packagist.ts";
import { paddle } from "./paddle.ts";
import { pagerduty } from "./pagerduty.ts";
import { papertrail } from "./papertrail.ts";
import { paypal } from "./paypal.ts";
import { paystack } from "./paystack.ts";
import { percy } from "./percy.ts";
import { perplexity } from "./perplexity.ts";
import { persona } from "./persona.ts";
import { pinecone } from "./pinecone.ts";
import { pinterest } from "./pinterest.ts";
import { pipedrive } from "./pipedrive.ts";
import { plaid } from "./plaid.ts";
import { planetscale } from "./planetscale.ts";
import { plivo } from "./plivo.ts";
import { posthog } from "./posthog.ts";
import { postman } from "./postman.ts";
import { postmark } from "./postmark.ts";
import { prefect } from "./prefect.ts";
import { privateAi } from "./private-ai.ts";
import { pubnub } from "./pubnub.ts";
import { pulumi } from "./pulumi.ts";
import { pusher } from "./pusher.ts";
import { pypi } from "./pypi.ts";
import { qdrant } from "./qdrant.ts";
import { quickbooks } from "./quickbooks.ts";
import { railway } from "./railway.ts";
import { rancher } from "./rancher.ts";
import { rapidapi } from "./rapidapi.ts";
import { razorpay } from "./razorpay.ts";
import { readme } from "./readme.ts";
import { reddit } from "./reddit.ts";
import { render } from "./render.ts";
import { replicate } from "./replicate.ts";
import { resend } from "./resend.ts";
import { retool } from "./retool.ts";
import { riotGames } from "./riot-games.ts";
import { roblox } from "./roblox.ts";
import { rollbar } from "./rollbar.ts";
import { rootly } from "./rootly.ts";
import { rubygems } from "./rubygems.ts";
import { runpod } from "./runpod.ts";
import { salesforce } from "./salesforce.ts";
import { sanity } from "./sanity.ts";
import { saucelabs } from "./saucelabs.ts";
import { scaleway } from "./scaleway.ts";
import { scalingo } from "./scalingo.ts";
import { securitytrails } from "./securitytrails.ts";
import { segment } from "./segment.ts";
import { sendbird } from "./sendbird.ts";
import { sendgrid } from "./sendgrid.ts";
import { sentry } from "./sentry.ts";
import { settlemint } from "./settlemint.ts";
import { shippo } from "./shippo.ts";
import { shodan } from "./shodan.ts";
import { shopify } from "./shopify.ts";
import { sidekiq } from "./sidekiq.ts";
import { slack } from "./slack.ts";
import { snowflake } from "./snowflake.ts";
import { snyk } from "./snyk.ts";
import { softlayer } from "./softlayer.ts";
import { sonar } from "./sonar.ts";
import { sourcegraph } from "./sourcegraph.ts";
import { spacelift } from "./spacelift.ts";
import { sparkpost } from "./sparkpost.ts";
import { splunk } from "./splunk.ts";
import { spotify } from "./spotify.ts";
import { square } from "./square.ts";
import { squarespace } from "./squarespace.ts";
import { stabilityAi } from "./stability-ai.ts";
import { statsig } from "./statsig.ts";
import { steam } from "./steam.ts";
import { storyblok } from "./storyblok.ts";
import { stripe } from "./stripe.ts";
import { stytch } from "./stytch.ts";
import { sumologic } from "./sumologic.ts";
import { supabase } from "./supabase.ts";
import { tailscale } from "./tailscale.ts";
import { tavily } from "./tavily.ts";
import { telegram } from "./telegram.ts";
import { telnyx } from "./telnyx.ts";
import { tencentCloud } from "./tencent-cloud.ts";
import { tiktok } from "./tiktok.ts";
import { tines } from "./tines.ts";
import { tinybird } from "./tinybird.ts";
import { tmdb } from "./tmdb.ts";
import { todoist } from "./todoist.ts";
import { togetherAi } from "./together-ai.ts";
import { tomtom } from "./tomtom.ts";
import { travisCi } from "./travis-ci.ts";
import { trello } from "./trello.ts";
import { twilio } from "./twilio.ts";
import { twitch } from "./twitch.ts";
import { twitter } from "./twitter.ts";
import { typeform } from "./typeform.ts";
import { unsplash } from "./unsplash.ts";
import { upstash } from "./upstash.ts";
import { vercel } from "./vercel.ts";
import { virustotal } from "./virustotal.ts";
import { volcengine } from "./volcengine.ts";
import { vonage } from "./vonage.ts";
import { voyageAi } from "./voyage-ai.ts";
import { vultr } from "./vultr.ts";
import { wakatime } from "./wakatime.ts";
import { weaviate } from "./weaviate.ts";
import { webex } from "./webex.ts";
import { webflow } from "./webflow.ts";
import { weightsAndBiases } from "./weights-and-biases.ts";
import { weir } from "./weir.ts";
import { wise } from "./wise.ts";
import { woocommerce } from "./woocommerce.ts";
import { xai } from "./xai.ts";
import { xendit } from "./xendit.ts";
import { xero } from "./xero.ts";
import { yandex } from "./yandex.ts";
import { zapier } from "./zapier.ts";
import { zendesk } from "./zendesk.ts";
import { zerotier } from "./zerotier.ts";
import { zoho } from "./zoho.ts";
import { zoom } from "./zoom.ts";

/** The tokens of each service. To add a service, add its file and a line here. */
export const vendorTokens: readonly EntityDetector[] = [
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
  ...hashicorpTerraform,
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
