import type { EntityDetector } from "../../entity.ts";
import { inUrl } from "../printable.ts";
import { tokenStart } from "../token-shape.ts";
import { urlPasswordScore } from "../url-password.ts";

const schemes =
  "postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|cockroach(?:db)?|clickhouse|neo4j|bolt|cassandra|couchbases?|couchdb|elasticsearch|ldaps?|smtps?|imaps?|nats|kafka|mqtts?|snowflake|db2|influxdb|memcached|redshift|trino|presto|hive|vertica|sftp|rabbitmq|arangodb|tcp";

export const databaseUrl: EntityDetector = {
  id: "database-url",
  entityType: "CONNECTION_STRING",
  label: "CONNECTION_STRING",
  category: "credential",
  description: "Address of a database, broker or directory with its user and password.",
  keywords: ["://"],
  pattern:
    String.raw`${tokenStart}((?:jdbc:)?(?:${schemes})(?:\+[a-z0-9]{2,20})?://[\w.%+~!$*-]{0,64}:${inUrl}{1,128}@` +
    String.raw`[\w\[][\w.,:\[\]-]{0,253}(?:/[\w.~!$&*+,;=:@%/?-]{0,128})?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.9,
  validate: (url) => urlPasswordScore(url, 0.9),
  positives: [
    [
      "DATABASE_URL=postgres://meadow:kT7vq2Lx@db.meadow.test:5432/app?sslmode=require",
      "postgres://meadow:kT7vq2Lx@db.meadow.test:5432/app?sslmode=require",
    ],
    [
      '"mongodb+srv://app:wQ8-zp31n@cluster0.meadow.test/orders"',
      "mongodb+srv://app:wQ8-zp31n@cluster0.meadow.test/orders",
    ],
    ["redis://:n4Vt81cQ@10.0.0.7:6379/0 is down", "redis://:n4Vt81cQ@10.0.0.7:6379/0"],
    ["amqps://mq:p%40Zt19x@mq.meadow.test", "amqps://mq:p%40Zt19x@mq.meadow.test"],
  ],
  negatives: [
    "postgres://db.meadow.test:5432/app",
    "postgres://user:${DB_PASSWORD}@localhost/app",
    "mysql://root:<password>@127.0.0.1/app",
    "redis://localhost:6379",
    "mongodb://user:****@host/db",
    "postgres://postgres:postgres@localhost:5432/postgres",
    "postgresql://scott:tiger@localhost/test",
    "redis://:password@localhost:6379/0",
    "mysql://db_user:db_password@127.0.0.1/app",
  ],
};
