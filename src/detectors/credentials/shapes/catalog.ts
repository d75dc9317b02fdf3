import type { EntityDetector } from "../../entity.ts";
import { appSessionCookie } from "./app-session-cookie.ts";
import { awsKeyPair } from "./aws-key-pair.ts";
import { basicCredentials } from "./basic-credentials.ts";
import { bearerToken } from "./bearer-token.ts";
import { commandPassword } from "./command-password.ts";
import { connectionPassword } from "./connection-password.ts";
import { curlCredentials } from "./curl-credentials.ts";
import { databaseUrl } from "./database-url.ts";
import { discordBotToken } from "./discord-bot-token.ts";
import { dockerAuth } from "./docker-auth.ts";
import { encodedDockerConfig } from "./encoded-docker-config.ts";
import { encodedJwt } from "./encoded-jwt.ts";
import { encodedPrivateKey } from "./encoded-private-key.ts";
import { goMysqlDsn } from "./go-mysql-dsn.ts";
import { jwkPrivateKey } from "./jwk-private-key.ts";
import { jwt } from "./jwt.ts";
import { kubernetesSecret } from "./kubernetes-secret.ts";
import { kubernetesSecretData } from "./kubernetes-secret-data.ts";
import { netrcPassword } from "./netrc-password.ts";
import { npmrcToken } from "./npmrc-token.ts";
import { pairedPassword } from "./paired-password.ts";
import { pgpassPassword } from "./pgpass-password.ts";
import { pipedPassword } from "./piped-password.ts";
import { plainPassword } from "./plain-password.ts";
import { plainSecret } from "./plain-secret.ts";
import { privateKey } from "./private-key.ts";
import { prosePassword } from "./prose-password.ts";
import { puttyPrivateKey } from "./putty-private-key.ts";
import { queryPassword } from "./query-password.ts";
import { quotedPassword } from "./quoted-password.ts";
import { quotedSecret } from "./quoted-secret.ts";
import { secretArgument } from "./secret-argument.ts";
import { sessionCookie } from "./session-cookie.ts";
import { signedUrl } from "./signed-url.ts";
import { statedSecret } from "./stated-secret.ts";
import { urlCredentials } from "./url-credentials.ts";
import { wireguardPrivateKey } from "./wireguard-private-key.ts";

/** Shapes of credentials that do not belong to one service. To add one, add its file and a line here. */
export const credentialShapes: readonly EntityDetector[] = [
  appSessionCookie,
  awsKeyPair,
  basicCredentials,
  bearerToken,
  commandPassword,
  connectionPassword,
  curlCredentials,
  databaseUrl,
  discordBotToken,
  dockerAuth,
  encodedDockerConfig,
  encodedJwt,
  encodedPrivateKey,
  goMysqlDsn,
  jwkPrivateKey,
  jwt,
  kubernetesSecret,
  kubernetesSecretData,
  netrcPassword,
  npmrcToken,
  pairedPassword,
  pgpassPassword,
  pipedPassword,
  plainPassword,
  plainSecret,
  privateKey,
  prosePassword,
  puttyPrivateKey,
  queryPassword,
  quotedPassword,
  quotedSecret,
  secretArgument,
  sessionCookie,
  signedUrl,
  statedSecret,
  urlCredentials,
  wireguardPrivateKey,
];
