/** `arn:aws:secretsmanager:…`, `env:DB_PASSWORD_1`, `vault:secret/data/db`. */
const scheme =
  /^(?:arn|env|exec|file|(?:hashi)?vault|ssm|sm|kms|secrets?(?:manager|ref)?|key(?:ring|chain|vault)|doppler|sops|op|bws|param(?:eter)?|resolve|lookup|ref\+\w+):/i;

/** `projects/7/secrets/db` */
const path = /^(?:projects|secrets?|kv|subscriptions|organizations|parameters?)\//;

/** Whether a value says where a secret is kept. */
export function isElsewhere(value: string): boolean {
  return scheme.test(value) || path.test(value);
}
