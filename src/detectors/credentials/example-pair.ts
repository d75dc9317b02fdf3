/** Words before "user" or "password" that mark a placeholder: `dbuser`, `my_password`. */
const owner = "(?:my|your|the|some|test|db|app|api|proxy|mysql|pg|mongo|redis|smtp|ftp|git)?[_.-]?";

const user = new RegExp(
  `^(?:|${owner}(?:user(?:[_-]?name|[_-]?id)?|login|name|account|access[_-]?key(?:[_-]?id)?|key|id|token)|me)$`,
  "i",
);
const password = new RegExp(
  `^${owner}(?:pass(?:word|wd|phrase)?|pwd|pw|secret(?:[_-]?(?:access[_-]?)?key)?|token|key)$`,
  "i",
);

/** Names that programmers use for anything. */
const anything = /^(?:foo|bar|baz|qux|abc|xyz|[a-z])$/i;

/** Well-known default accounts of products. */
const known: ReadonlySet<string> = new Set(["scott:tiger", "guest:guest"]);

/** Whether a user and a password are placeholders: `user:password`, `db_user:db_pass`, `foo:bar`. */
export function isExamplePair(userName: string, secret: string): boolean {
  if (known.has(`${userName}:${secret}`)) return true;
  const isUser = user.test(userName) || anything.test(userName);
  return isUser && (password.test(secret) || anything.test(secret));
}
