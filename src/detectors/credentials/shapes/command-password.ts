import type { EntityDetector } from "../../entity.ts";
import { couldBePassword } from "../chosen-password.ts";
import { unquoted } from "../printable.ts";

export const commandPassword: EntityDetector = {
  id: "command-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password after the short option of a command that takes one.",
  keywords: [
    ...["sshpass", "mysql", "mariadb", "login", "redis-cli"],
    ...["mongo", "ldap", "zip", "keytool", "htpasswd"],
  ],
  pattern:
    String.raw`\b(?:(?:mysql|mariadb)[a-z-]{0,8}[^\n|;]{0,120}?\s-p|redis-cli[^\n|;]{0,120}?\s-a[ \t]{1,2}|` +
    String.raw`ldap[a-z]{3,8}[^\n|;]{0,120}?\s-w[ \t]{1,2}|(?:un)?zip[^\n|;]{0,120}?\s-P[ \t]{1,2}|` +
    String.raw`keytool[^\n|;]{0,120}?\s-(?:src|dest)?(?:store|key)pass[ \t]{1,2}|` +
    String.raw`htpasswd[ \t]{1,4}-[a-zB]{0,4}b[a-zB]{0,4}(?:[ \t]{1,4}[^\s|;]{1,120}){1,2}[ \t]{1,4}|` +
    String.raw`(?:sshpass|mongo[a-z]{0,8}|(?:docker|podman|helm|oc|az)[ \t]{1,4}(?:registry[ \t]{1,4})?login)\b[^\n|;]{0,120}?\s-p[ \t]{0,2})` +
    String.raw`["']?(${unquoted}{4,128})`,
  group: 1,
  score: 0.7,
  validate: couldBePassword,
  positives: [
    ["mysql -u root -pMeadow!71q app", "Meadow!71q"],
    ["sshpass -p 'kT7vq2Lx' ssh ops@db.meadow.test", "kT7vq2Lx"],
    ["docker login -u ci -p n4Vt81cQ registry.meadow.test", "n4Vt81cQ"],
    ["mongosh -u ops -p n4Vt81cQ --quiet", "n4Vt81cQ"],
    ["ldapsearch -x -D cn=ops -w n4Vt81cQ -b dc=meadow", "n4Vt81cQ"],
    ["unzip -P n4Vt81cQ backup.zip", "n4Vt81cQ"],
    ["keytool -list -keystore app.jks -storepass n4Vt81cQ", "n4Vt81cQ"],
    ["htpasswd -b .htpasswd ops n4Vt81cQ", "n4Vt81cQ"],
    ["htpasswd -nbB ops n4Vt81cQ", "n4Vt81cQ"],
    ["redis-cli -h 10.0.0.7 -a n4Vt81cQ ping", "n4Vt81cQ"],
  ],
  negatives: [
    "mysql -u root -p app2024x",
    "docker login -u ci -p $REGISTRY_PASSWORD",
    "docker login --password-stdin",
    "mkdir -p build/2024x",
    "htpasswd -c .htpasswd ops2024x",
  ],
};
