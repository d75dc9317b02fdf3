import type { EntityDetector } from "../../entity.ts";
import { urlPasswordScore } from "../url-password.ts";

export const goMysqlDsn: EntityDetector = {
  id: "go-mysql-dsn",
  entityType: "CONNECTION_STRING",
  label: "CONNECTION_STRING",
  category: "credential",
  description: "Data source name of MySQL with its user and password, as Go's driver takes it.",
  keywords: ["@tcp", "@unix"],
  pattern: String.raw`\b[\w.+~-]{1,64}:[!#-&(-.0-;=?-\[\]-_a-~]{1,128}@(?:tcp|unix)\([\w.:/\[\]-]{1,200}\)(?:/[\w.-]{0,64})?`,
  score: 0.9,
  validate: (value) => urlPasswordScore(`mysql://${value}`, 0.9),
  positives: [
    [
      'sql.Open("mysql", "app:kT7vq2Lx@tcp(db.meadow.test:3306)/app?parseTime=true")',
      "app:kT7vq2Lx@tcp(db.meadow.test:3306)/app",
    ],
  ],
  negatives: [
    "app@tcp(db.meadow.test:3306)/app",
    "user:${DB_PASSWORD}@tcp(127.0.0.1:3306)/app",
    "username:********@tcp(127.0.0.1:3306)/app",
  ],
};
