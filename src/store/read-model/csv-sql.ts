import type { csvColumns, exportColumns } from "./export-columns.ts";

/*
 * The lines of a CSV, made by the database: in JavaScript they took four times as long. The rules are those of
 * `csvLine` (src/contract/csv.ts).
 */

type CsvColumn = (typeof exportColumns)[number];

/** As in `csvLine`. */
const formulaStart = "^[=+\\-@＝＋－＠\\t\\r\\n]";
const quoted = '[",\\r\\n]';
const decimal = "^-?[0-9]+(\\.[0-9]+)?$";

/** What a cell shows of a record, as SQL. */
const cells: Readonly<Record<CsvColumn, string>> = {
  timestamp: "strftime(make_timestamp(at_ms * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')",
  request_id: textCell("request_id"),
  // The id that a client keeps for support is its request's id. Clients get no other id.
  correlation_id: textCell("request_id"),
  org_id: textCell("org_id"),
  api_key_id: textCell("key_id"),
  route: textCell("route"),
  type: textCell("type"),
  provider: textCell("provider"),
  model: textCell("model"),
  status: textCell("status"),
  http_status: numberCell("http_status"),
  error_code: textCell("error_code"),
  input_tokens: numberCell("input"),
  output_tokens: numberCell("output::BIGINT + coalesce(reasoning, 0)"),
  cache_read_tokens: numberCell("CASE WHEN type = 'scan' THEN NULL ELSE cache_read END"),
  cache_write_tokens: numberCell("CASE WHEN type = 'scan' THEN NULL ELSE cache_write END"),
  billable_tokens: numberCell("billable"),
  cost_usd: "cost // 1000000 || '.' || lpad((cost % 1000000)::VARCHAR, 6, '0')",
  cost_status: textCell("cost_status"),
  verdict: textCell("verdict"),
  latency_ms: millisecondsCell("latency"),
  audit_index: numberCell("idx"),
  tags: textCell(
    // A name has no `:`, so the first one is behind it.
    "array_to_string(list_transform(tags, lambda tag: regexp_replace(tag, ':', '=')), ',')",
  ),
  team: textCell("team"),
  account: textCell("account"),
  upstream_status: numberCell("upstream_status"),
  cache: textCell("cache"),
  stream: "stream::VARCHAR",
  reasoning_tokens: numberCell("reasoning"),
  first_byte_ms: millisecondsCell("first_byte"),
};

/** The line of a row of `records`, as SQL. */
export function csvLineSql(columns: typeof csvColumns | typeof exportColumns): string {
  // An absent value is an empty cell.
  return `concat(${columns.map((name) => cells[name]).join(", ',', ")}, chr(13), chr(10))`;
}

function textCell(of: string): string {
  const isFormula = `regexp_matches(${of}, '${formulaStart}') AND NOT regexp_matches(${of}, '${decimal}')`;
  const safe = `CASE WHEN ${isFormula} THEN '''' || ${of} ELSE ${of} END`;
  // Nearly every cell is plain, which one search tells.
  return (
    `CASE WHEN NOT regexp_matches(${of}, '${quoted}|${formulaStart}') THEN ${of} ` +
    `WHEN regexp_matches(${of}, '${quoted}') THEN '"' || replace(${safe}, '"', '""') || '"' ELSE ${safe} END`
  );
}

function numberCell(of: string): string {
  return `(${of})::VARCHAR`;
}

/** A number of at most three places, as JavaScript writes it. */
function millisecondsCell(of: string): string {
  return `regexp_replace(${of}::VARCHAR, '\\.0$', '')`;
}
